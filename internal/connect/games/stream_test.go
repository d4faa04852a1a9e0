package games

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/connect/games/gamestest"
	"rig.example/rig/internal/core/follow"
)

// One sender is followed until it was silent for 2 s. Another one is dropped and logged once, and so is the change.
func TestOneSenderIsFollowed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		packet func(n int) []byte
		from   string
	}{
		{"another program", func(n int) []byte { return packet("beamng", gamestest.Car{Speed: 90}, n) }, "127.0.0.1:60001"},
		{"another machine", func(n int) []byte { return packet("beamng", gamestest.Car{Speed: 90}, n) }, "192.168.1.20:50001"},
		{"another game", func(n int) []byte { return packet("dirt", gamestest.Car{Speed: 90}, n) }, "127.0.0.1:60001"},
		{"another version of the game", func(int) []byte { return gamestest.OtherBeamNG(&gamestest.Car{NoseUp: 0.3}) }, "127.0.0.1:60001"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			h := NewOffline(Config{Allow: []string{"192.168.1.20"}}, slog.New(slog.NewTextHandler(&log, nil)), "")
			other := netip.MustParseAddrPort(tt.from)
			var s follow.Sample
			for n := range 300 {
				time.Sleep(5 * time.Millisecond)
				if n > 0 {
					h.Take(tt.packet(n), other, time.Now())
				}
				time.Sleep(5 * time.Millisecond)
				h.Take(packet("beamng", gamestest.Car{Speed: 30}, n), own, time.Now())
				if h.Latest(&s); s.Number != uint64(n+1) || s.Vel[0] != 30 {
					t.Fatalf("%s: after %d packets of each: %+v", tt.name, n+1, s)
				}
			}
			dropped := "from " + tt.from + " are dropped, because beamng from 127.0.0.1:50001 is followed"
			if n := strings.Count(log.String(), "are dropped"); n != 1 || !strings.Contains(log.String(), dropped) || !strings.Contains(h.Notice(), dropped) {
				t.Errorf("%s: %q, logged %d times\n%s", tt.name, h.Notice(), n, &log)
			}
		})
	}
}

// Once the sender that was followed has been silent for 2 s, and not before, another one is followed, as another car: its packets
// are not joined with those before.
func TestAnotherSenderIsFollowedAfterSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		h := NewOffline(Config{}, slog.New(slog.NewTextHandler(&log, nil)), "")
		var first, s follow.Sample
		h.Take(packet("forza", gamestest.Car{Speed: 30}, 1), own, time.Now())
		h.Latest(&first)
		taken := 0
		for n := range 300 {
			time.Sleep(10 * time.Millisecond)
			h.Take(packet("forza", gamestest.Car{Speed: 40}, n+2), netip.MustParseAddrPort("127.0.0.1:60001"), time.Now())
			if h.Latest(&s); taken == 0 && s.Number == 2 {
				taken = (n + 1) * 10
			}
		}
		if taken != 2000 || s.Car == first.Car || s.Vel[0] < 39 {
			t.Errorf("followed after %d ms, %+v", taken, s)
		}
		want := "now following forza from 127.0.0.1:60001, because forza from 127.0.0.1:50001 was silent"
		if h.Notice() != want || strings.Count(log.String(), `msg="following forza`) != 2 || !strings.Contains(log.String(), "path=127.0.0.1:60001") {
			t.Errorf("%q\n%s", h.Notice(), &log)
		}
		time.Sleep(10 * time.Second)
		if h.Notice() != "" {
			t.Errorf("10 s later: %q", h.Notice())
		}
		// The one from before is another one now.
		h.Take(packet("forza", gamestest.Car{Speed: 40}, 500), netip.MustParseAddrPort("127.0.0.1:60001"), time.Now())
		h.Take(packet("forza", gamestest.Car{Speed: 30}, 500), own, time.Now())
		if n := strings.Count(log.String(), "are dropped"); n != 2 || !strings.Contains(h.Notice(), "packets of forza from 127.0.0.1:50001 are dropped") {
			t.Errorf("%q, logged %d times\n%s", h.Notice(), n, &log)
		}
	})
}

// A sender with a new port for each packet neither fills the log nor hides what comes from others.
func TestManySendersAreLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		h := NewOffline(Config{}, slog.New(slog.NewTextHandler(&log, nil)), "")
		h.Take(packet("forza", gamestest.Car{Speed: 30}, 1), own, time.Now())
		for port := range 1000 {
			h.Take(packet("forza", gamestest.Car{}, 1), netip.MustParseAddrPort(fmt.Sprint("127.0.0.1:", 1000+port)), time.Now())
		}
		h.Take([]byte("x"), own, time.Now())
		if strings.Count(log.String(), "are dropped") != 1 || !strings.Contains(log.String(), "1 bytes, which no known game sends") {
			t.Error(&log)
		}
	})
}
