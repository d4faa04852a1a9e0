package exercise

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/live/loopback/loopbacktest"
	"rig.example/rig/test/level"
)

func TestWhatIsWaitedForOfAPlatform(t *testing.T) {
	for _, tt := range []struct {
		name    string
		at      motion.Status
		away    time.Duration
		follows bool
		gone    bool
	}{
		{"follows", motion.Status{State: motion.Active}, 0, true, false},
		{"began to park", motion.Status{State: motion.Parking}, time.Second, false, false},
		{"silent for a moment", motion.Status{State: motion.Fault, Faults: wire.FaultSilent}, time.Second, false, false},
		{"asked where it stands", motion.Status{State: motion.Opening}, time.Second, false, false},
		{"silent for long", motion.Status{State: motion.Fault, Faults: wire.FaultSilent}, 4 * time.Second, false, true},
		{"stuck", motion.Status{State: motion.Fault, Faults: wire.FaultFollow}, 0, false, true},
		{"silent and too hot", motion.Status{State: motion.Fault, Faults: wire.FaultSilent | wire.FaultTemperature}, 0, false, true},
		{"halted", motion.Status{State: motion.Halted}, 0, false, true},
		{"unplugged", motion.Status{State: motion.Absent}, 0, false, true},
	} {
		follows, err := checkFollows(&tt.at, tt.away)
		if follows != tt.follows || errors.Is(err, errNotFollowing) != tt.gone {
			t.Errorf("%s: %v, %v", tt.name, follows, err)
		}
	}
}

// A rig that was stopped itself says so, and not that its platform does not follow: on a
// template, which never answers, and on a controller that does. A short pause changes nothing.
func TestAMovementThatRigItselfInterruptedSaysSo(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		protocol string
		pause    time.Duration
		want     string // "" for a movement that goes on
	}{
		{motion.ProtocolTemplate, 300 * time.Millisecond, ""},
		{motion.ProtocolTemplate, 900 * time.Millisecond, ""},
		{motion.ProtocolTemplate, 5 * time.Second, "motion: rig itself did not run for 5.0 s"},
		{motion.ProtocolSMC3, 300 * time.Millisecond, ""},
		{motion.ProtocolSMC3, 5 * time.Second, "motion: rig itself did not run for 5.0 s"},
	} {
		t.Run(tt.protocol+" "+tt.pause.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := config.Default()
				cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.Template.Output = tt.protocol, "/dev/null", []string{"<Axis1a><Axis2a>X"}
				s := runOn(t, cfg, MotionOptions{Output: io.Discard}, &loopbacktest.Line{})
				_, err := s.finish(s.newResult("x"), s.run(t.Context(), func(ctx context.Context) error {
					paused := false
					return s.pushPath(ctx, func(at float64) (cueing.Legs, bool) {
						if at > 2 && !paused {
							paused = true
							time.Sleep(tt.pause) // as SIGSTOP does
						}
						return s.center(), at > 4
					}, nil, "")
				}))
				if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || !strings.HasSuffix(err.Error(), "; the platform is parked")) {
					t.Errorf("%v, want %q", err, tt.want)
				}
			})
		})
	}
}

// A sweep during which the controller restarts or is silent for a moment says so, leaves that movement out of its
// results, measures the others and ends with an error. If the platform does not come back soon, the sweep ends.
func TestASweepLeavesOutWhatWasDisturbed(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name, want string
		measured   string
		trouble    func(*loopbacktest.Line, bool)
	}{
		{"restarted", "it has been waiting for 3 s; see the log for its cause; right was disturbed (the controller restarted)", "left", func(f *loopbacktest.Line, begins bool) {
			if begins {
				f.Reset()
			}
		}},
		{"silent", "it has been waiting for 3 s; see the log for its cause; right was disturbed (controller not reached)", "left", func(f *loopbacktest.Line, begins bool) { f.RepliesLost.Store(begins) }},
		{"stalled", "it has been waiting for 3 s; see the log for its cause; right was disturbed (", "left", func(f *loopbacktest.Line, begins bool) { f.WritesBlocked.Store(begins) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line := &loopbacktest.Line{}
				s := runOn(t, config.Default(), MotionOptions{Output: io.Discard, Confirmed: true}, line)
				go func() {
					for s.platform.Status().Target[1] < 0.55 || math.IsNaN(s.platform.Status().Target[1]) {
						time.Sleep(time.Millisecond)
					}
					tt.trouble(line, true)
					time.Sleep(time.Second)
					tt.trouble(line, false)
				}()
				result, err := s.sweep(t.Context(), Jog{Amplitude: 0.1, MaxSpeed: 0.25})
				var names []string
				for _, m := range result.Movements {
					names = append(names, m.Name)
					if m.Delay == nil || *m.Delay < 20 || *m.Delay > 200 || *m.MaxError > 5 {
						t.Errorf("%s: delay %v, error %v", m.Name, m.Delay, m.MaxError)
					}
				}
				if got := strings.Join(names, " "); got != tt.measured || err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasSuffix(err.Error(), "; the platform is parked") {
					t.Errorf("measured %s, %v", got, err)
				}
			})
		})
	}
}

// pausing is a terminal that holds rig up once, as SIGSTOP does, when a movement has begun.
type pausing struct {
	hasBegun func() bool
	paused   bool
}

func (p *pausing) Write(b []byte) (int, error) {
	if !p.paused && p.hasBegun() {
		p.paused = true
		time.Sleep(200 * time.Millisecond)
	}
	return len(b), nil
}

// A sweep in which rig itself did not run for a moment leaves that movement out, and goes on with the next.
func TestASweepGoesOnAfterAPauseOfRig(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		terminal := &pausing{}
		s := runOn(t, config.Default(), MotionOptions{Output: io.Discard, Progress: &console.Progress{W: terminal}, Confirmed: true}, &loopbacktest.Line{})
		terminal.hasBegun = func() bool { return s.platform.Status().Target[0] > 0.55 }
		result, err := s.sweep(t.Context(), Jog{Amplitude: 0.1, MaxSpeed: 0.25})
		const want = "motion: disturbed, and not in the results: left (rig itself did not run for 0.20 s); find the cause"
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(result.Movements) == 0 || result.Movements[0].Name != "right" {
			t.Errorf("%v; %d movements in the results", err, len(result.Movements))
		}
	})
}

func TestDisturbances(t *testing.T) {
	active := motion.Status{State: motion.Active}
	for _, tt := range []struct {
		want   string
		before motion.Status
		at     motion.Status
		gap    time.Duration
	}{
		{"", active, active, time.Millisecond},
		{"", active, active, 40 * time.Millisecond},
		{"", motion.Status{State: motion.Ready}, motion.Status{State: motion.Ready}, 0},
		{"rig itself did not run for 0.06 s", active, active, 60 * time.Millisecond},
		{"the controller restarted", active, motion.Status{State: motion.Opening, Restarts: 1}, 0},
		{"the line to the controller was lost", active, motion.Status{LinesLost: 1}, 0},
		{"following error", active, motion.Status{State: motion.Active, Faults: wire.FaultFollow}, 0},
		{"the platform was parking", active, motion.Status{State: motion.Parking}, 0},
	} {
		if got := disturbance(&tt.before, &tt.at, tt.gap); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
