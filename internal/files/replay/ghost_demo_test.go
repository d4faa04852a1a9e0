package replay_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/files/replay/replaytest"
	"rig.example/rig/test/level"
)

func ghostOf(t *testing.T, path string, cfg config.Config) (*frame.Ghost, error) {
	t.Helper()
	parts, err := drivesetup.New(cfg, circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return replay.Ghost(path, cfg, parts)
}

// A demo's best lap becomes the ghost: it begins at the start line, and its table has the recorded rate.
func TestGhostIsTheBestLap(t *testing.T) {
	level.SkipIfQuick(t)
	cfg := replaytest.Config(t, replaytest.Round)
	path := replaytest.Demo(t, cfg, 75_000, nil)
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sum, err := r.Summary()
	if err != nil || sum.Best == 0 || sum.Laps < 2 {
		t.Fatalf("%+v, %v: not enough laps", sum, err)
	}
	g, err := ghostOf(t, path, cfg)
	if err != nil {
		t.Fatal(err)
	}
	n := len(g.Points)
	if took := float64(n-1) * g.Step; g.Step != 0.01 || math.Abs(took-sum.Best) > 0.03 {
		t.Errorf("%d points every %g s, best lap %.3f s", n, g.Step, sum.Best)
	}
	if first, last := g.Points[0].Distance, g.Points[n-1].Distance; math.Abs(float64(first)) > 0.05 || last < 365 || last > 372 {
		t.Errorf("it goes from %g m to %g m", first, last)
	}
}

// What cannot be driven against is refused in one line.
func TestGhostsThatAreRefused(t *testing.T) {
	cfg := replaytest.Config(t, replaytest.Round)
	path := replaytest.Demo(t, cfg, 3000, nil)
	changed := replaytest.Config(t, strings.Replace(replaytest.Round, "width_m = 10", "width_m = 11", 1))
	club := config.Default()
	foreign := filepath.Join(t.TempDir(), "a.mcap")
	if err := os.WriteFile(foreign, []byte("no recording"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, path, want string
		cfg              config.Config
	}{
		{"no lap", path, "no lap in it", cfg},
		{"another circuit", path, "recorded on the circuit round.toml, and this drive is on club", club},
		{"a changed circuit", path, "the files of the circuit round.toml have changed", changed},
		{"no recording", foreign, "does not begin as an MCAP file", cfg},
		{"no file", path + "x", "no such file", cfg},
	} {
		_, err := ghostOf(t, tt.path, tt.cfg)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
}

// Frames for a display change no state: a drive that was recorded without them drives again equally with them.
func TestFramesChangeNoState(t *testing.T) {
	r, err := recording.Open(replaytest.Demo(t, replaytest.Config(t, replaytest.Round), 4000, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p, err := replay.NewPlayer(r, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	p.ShowFrames = true
	if v, err := p.Verify(func(float64) {}); err != nil || !v.Equal || v.Hashes < 4 {
		t.Errorf("%v, %v", v, err)
	}
	if f := &p.Out.Frame; f.Tick == 0 || f.Speed == 0 {
		t.Errorf("no frame: tick %d at %g m/s", f.Tick, f.Speed)
	}
}

// A recording carries the speed at which the car began: a replay repeats it bit for bit, from its snapshots and from the
// configuration alone, and a changed key changes it.
func TestARollingStartRepeats(t *testing.T) {
	cfg := replaytest.Config(t, replaytest.Round)
	cfg.StartSpeed = 60
	r, err := recording.Open(replaytest.Person(t, cfg, 4000, func(tick int, in *drive.Inputs) {
		in.Pedals.Throttle = 0.3
		if tick > 1000 {
			in.Pedals.Throttle, in.Wheel.Angle = 0, 0.5
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, tt := range []struct {
		set   []string
		equal bool
	}{{nil, true}, {[]string{"start_speed_kmh=60"}, true}, {[]string{"start_speed_kmh=0"}, false}} {
		p, err := replay.NewPlayer(r, tt.set, false)
		if err != nil {
			t.Fatal(err)
		}
		if speed := p.Drive.State.Car.Speed * 3.6; (math.Abs(speed-60) < 1e-9) != tt.equal {
			t.Errorf("%v: begins at %g km/h", tt.set, speed)
		}
		if v, err := p.Verify(func(float64) {}); err != nil || v.Equal != tt.equal {
			t.Errorf("%v: %v, %v", tt.set, v, err)
		}
	}
}
