package axissigns

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/files/config"
)

// game is another simulator whose car turns left now and right then, and does nothing else.
type game struct {
	began time.Time
	deaf  bool // it sends nothing
}

func (g *game) Status() string { return "no game is heard" }
func (g *game) Notice() string { return "packets of another are dropped" }

func (g *game) Latest(s *follow.Sample) {
	if g.deaf {
		return
	}
	n := int(time.Since(g.began) / (10 * time.Millisecond))
	t := float64(n) / 100
	*s = follow.Sample{Number: uint64(n) + 1, Source: 1, Time: math.NaN(), Att: [4]float64{1, 0, 0, 0}, Pos: [3]float64{20 * t, 0, 0}, Vel: [3]float64{20, 0, 0},
		Acc: [3]float64{0, 4 * math.Sin(t), 0}}
}

// An axis is confirmed only if the operator says so and rig has heard it move.
func TestTheOperatorConfirmsWhatIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, answers := io.Pipe()
		go func() {
			for _, answer := range []string{"y", "y", "", "no", "yes", "y"} {
				time.Sleep(8 * time.Second)
				io.WriteString(answers, answer+"\n")
			}
			answers.Close()
		}()
		var out strings.Builder
		axes, err := NewListener(&game{began: time.Now()}, follow.Config{}).Confirm(context.Background(), in, &out)
		if err != nil || !slices.Equal(axes, []string{"sway"}) {
			t.Errorf("%q, %v\n%s", axes, err, out.String())
		}
		for _, want := range []string{"  left turn\n", "  right turn\n", "rig has heard nothing of it: not confirmed"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is missing:\n%s", want, out.String())
			}
		}
	})
}

func TestAWatcherHearsWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		defer cancel()
		var texts []string
		err := NewListener(&game{began: time.Now()}, follow.Config{}).Watch(ctx, func(text string, _ any) error { texts = append(texts, text); return nil })
		all := strings.Join(texts, "\n")
		if err != nil || !strings.Contains(all, "live: left turn") || !strings.Contains(all, "live: right turn") || !strings.Contains(all, "100 packets/s") || !strings.Contains(all, "packets of another are dropped") {
			t.Errorf("%v\n%s", err, all)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err := NewListener(&game{deaf: true}, follow.Config{}).Watch(ctx, func(text string, _ any) error {
			if text != "no game is heard" {
				t.Errorf("silence: %q", text)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestConfirmationsAreKept(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "profiles", "follow.toml")}
	trust := func(source, version, platform string) [follow.Axes]float64 {
		t.Helper()
		list, err := s.Trust(platform)
		if err != nil {
			t.Fatal(err)
		}
		var state follow.State
		follow.New(follow.Config{}, 1e-3).Step(&state, &follow.Sample{Number: 1, Source: games.Code(source), Version: games.Hash(version)})
		return state.Trusted(list)
	}
	const u = follow.Unconfirmed
	none := [follow.Axes]float64{u, u, u, u, u, u}
	if got := trust("forza", "232 bytes", "a"); got != none {
		t.Errorf("before: %v", got)
	}
	for _, axes := range [][]string{{"surge"}, {"yaw", "surge"}} {
		if err := s.Confirm("forza", "232 bytes", "a", axes); err != nil {
			t.Fatal(err)
		}
	}
	want := none
	want[follow.Surge], want[follow.Yaw] = 1, 1
	if got := trust("forza", "232 bytes", "a"); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	for _, other := range [][3]string{{"forza", "232 bytes", "b"}, {"dirt", "232 bytes", "a"}, {"forza", "324 bytes", "a"}, {"forza", "", "a"}} {
		if trust(other[0], other[1], other[2]) != none {
			t.Errorf("%q is confirmed", other)
		}
	}
	if err := os.WriteFile(s.Path, []byte("[[confirmed]]\naxes = [\"speed\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Trust("a"); err == nil || !strings.Contains(err.Error(), "follow.toml") {
		t.Errorf("a bad file: %v", err)
	}
}

func TestAnotherPlatformIsAskedAnew(t *testing.T) {
	a := config.Default()
	b, c := a, a
	b.Geometry.Stroke *= 2
	c.Motion.Protocol = "thanos"
	ids := map[string]bool{}
	for _, cfg := range []config.Config{a, b, c} {
		id, err := Platform(cfg)
		if err != nil {
			t.Fatal(err)
		}
		ids[id] = true
	}
	if len(ids) != 3 {
		t.Errorf("%d platforms", len(ids))
	}
}
