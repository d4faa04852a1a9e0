package bench

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/config"
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
				s, err := newPlatformRun(cfg, MotionOptions{Output: io.Discard, Simulated: true})
				if err != nil {
					t.Fatal(err)
				}
				_, err = s.finish(s.newResult("x"), s.run(t.Context(), func(ctx context.Context) error {
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
