package exercise

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback/loopbacktest"
	"rig.example/rig/internal/live/operator"
)

// pressable is a stop switch with a relay.
type pressable struct{ pressed, powered, wasPowered, broken atomic.Bool }

func (p *pressable) State() (bool, estop.Cause) {
	if p.pressed.Load() {
		return true, estop.Opened
	}
	return false, estop.None
}

func (p *pressable) Enable(on bool) {
	p.powered.Store(on)
	if on {
		p.wasPowered.Store(true)
	}
}

func (p *pressable) Relay() (bool, estop.Cause) {
	if p.broken.Load() {
		return false, estop.RelayFailed
	}
	return p.powered.Load(), estop.None
}

// demoStand is a simulated platform, deaf for some seconds at first, with a stop switch. Its
// time is that of the bubble of testing/synctest that it must be in.
func demoStand(t *testing.T, say io.Writer, deaf float64) (*platformRun, *pressable) {
	t.Helper()
	return standOn(t, say, deaf, &loopbacktest.Line{})
}

// standOn is demoStand with a line that a test breaks.
func standOn(t *testing.T, say io.Writer, deaf float64, line *loopbacktest.Line) (*platformRun, *pressable) {
	t.Helper()
	cfg := config.Default()
	for i := range cfg.Motion.ParkPosition {
		cfg.Motion.ParkPosition[i] = 0.1
	}
	cfg.Motion.BootWait = deaf
	s := runOn(t, cfg, MotionOptions{Output: say}, line)
	p := &pressable{}
	s.switches.Stop = p
	return s, p
}

// runOn returns a command on a platform that cfg describes, whose controller is at the other end of a line.
func runOn(t *testing.T, cfg config.Config, o MotionOptions, line *loopbacktest.Line) *platformRun {
	t.Helper()
	bootWait := cfg.Motion.BootWait
	dial := line.Dial(t, &cfg.Motion, 2)
	cfg.Motion.BootWait = bootWait
	s, err := newPlatformRun(cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	s.platform.(*motion.Platform).Dial(dial)
	s.simulate = line.Serve
	return s
}

// The stop switch stops the platform where it is: it neither parks nor keeps its power.
func TestStopSwitchHaltsAMovement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := demoStand(t, io.Discard, 0.2)
		far := s.center()
		far[0] = 0.8
		err := s.run(context.Background(), func(ctx context.Context) error {
			return s.pushPath(ctx, func(at float64) (cueing.Legs, bool) {
				if s.platform.Status().Target[0] > 0.55 {
					p.pressed.Store(true)
				}
				return far, false
			}, nil, "")
		})
		if !errors.Is(err, errStopped) || !strings.Contains(err.Error(), "NOT parked but halted (left ") {
			t.Errorf("%v", err)
		}
		if p.powered.Load() || !p.wasPowered.Load() {
			t.Errorf("power now %t, before %t", p.powered.Load(), p.wasPowered.Load())
		}
	})
}

// A relay that has failed ends a movement and stays open, also when it seems whole again; the platform parks, as in a drive.
func TestAFailedRelayEndsAMovement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := demoStand(t, io.Discard, 0.2)
		far := s.center()
		far[0] = 0.8
		err := s.run(context.Background(), func(ctx context.Context) error {
			return s.pushPath(ctx, func(at float64) (cueing.Legs, bool) {
				p.broken.Store(s.platform.Status().Target[0] > 0.55 && p.powered.Load())
				return far, at > 10
			}, nil, "")
		})
		if !errors.Is(err, errRelay) || !strings.Contains(err.Error(), estop.RelayFailed.String()) || s.finalStatus.State != motion.Parked {
			t.Errorf("%v, left %v", err, s.finalStatus.State)
		}
		if p.powered.Load() || !p.wasPowered.Load() {
			t.Errorf("power now %t, before %t", p.powered.Load(), p.wasPowered.Load())
		}
	})
}

func TestARelayThatFailsWhileThePlatformParksIsToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		s, p := demoStand(t, &said, 0.2)
		err := s.run(context.Background(), func(context.Context) error {
			go func() {
				for s.platform.Status().State != motion.Parking {
					time.Sleep(time.Millisecond)
				}
				p.broken.Store(true)
			}()
			return nil
		})
		if !errors.Is(err, errRelay) || !strings.Contains(err.Error(), "look at its wires") {
			t.Errorf("%v, said %q", err, said.String())
		}
	})
}

func TestAPressedStopSwitchLetsNothingMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := demoStand(t, io.Discard, 0.2)
		p.pressed.Store(true)
		err := s.run(context.Background(), func(context.Context) error {
			t.Error("it moved")
			return nil
		})
		if !errors.Is(err, errStopped) || s.platform.Status().Sent != 0 {
			t.Errorf("%v, %d writes", err, s.platform.Status().Sent)
		}
	})
}

func TestInterruptionParks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		s, p := demoStand(t, &said, 0.2)
		ctx, interrupt := context.WithCancel(context.Background())
		err := s.run(ctx, func(ctx context.Context) error {
			interrupt()
			return s.holdCenter(ctx, time.Minute.Seconds())
		})
		if !errors.Is(err, operator.ErrInterrupted) || !strings.HasSuffix(err.Error(), "; the platform is parked") || !strings.Contains(said.String(), "interrupted: parking") {
			t.Errorf("%v, said %q", err, said.String())
		}
		if p.powered.Load() {
			t.Error("the relay holds the power at the end")
		}
	})
}

// A command that moves the platform and cannot park it ends as soon as that is sure, with an
// error that names the cause and where each actuator stands.
func TestACommandThatCannotParkSaysWhyAndWhereItStands(t *testing.T) {
	onTheWay := func(at motion.Status) bool { return at.State == motion.Parking && at.Target[0] < 0.4 }
	centered := func(at motion.Status) bool { return at.State == motion.Active }
	for _, tt := range []struct {
		name    string
		park    bool // the command is park; else home
		trouble func(*loopbacktest.Line)
		when    func(motion.Status) bool // it begins; nil from the start
		most    time.Duration            // from the trouble to the end
		want    []string
	}{
		{"park, dead from the start", true, func(f *loopbacktest.Line) { f.RepliesLost.Store(true) }, nil, 1400 * time.Millisecond, // boot_wait_s and 1.1 s
			[]string{"controller does not answer", "NOT parked but fault (when last heard left unknown, right unknown of the stroke)"}},
		{"park, silent on the way", true, func(f *loopbacktest.Line) { f.RepliesLost.Store(true) }, onTheWay, 1800 * time.Millisecond,
			[]string{"controller does not answer", "NOT parked but fault (when last heard left 4", "of the stroke)"}},
		{"park, unplugged on the way", true, func(f *loopbacktest.Line) { f.Unplugged.Store(true) }, onTheWay, 100 * time.Millisecond,
			[]string{"port was disconnected", "NOT parked but absent (when last heard left 4"}},
		{"park, unplugged from the start", true, func(f *loopbacktest.Line) { f.Unplugged.Store(true) }, nil, 100 * time.Millisecond,
			[]string{"no platform connected", "NOT parked but absent (when last heard left unknown, right unknown"}},
		{"park, stuck", true, func(f *loopbacktest.Line) { f.ActuatorsStuck.Store(true) }, onTheWay, 4 * time.Second, // the way, and a second to arrive
			[]string{"following error", "look for what blocks it", "NOT parked but fault (left 4", "right 4"}},
		{"park, takes nothing on the way", true, func(f *loopbacktest.Line) { f.WritesBlocked.Store(true) }, onTheWay, time.Second,
			[]string{"controller does not accept what is sent", "NOT parked but fault (when last heard left 4"}},
		{"home, dead from the start", false, func(f *loopbacktest.Line) { f.RepliesLost.Store(true) }, nil, 1400 * time.Millisecond,
			[]string{"controller does not answer"}},
		{"home, unplugged at the center", false, func(f *loopbacktest.Line) { f.Unplugged.Store(true) }, centered, 100 * time.Millisecond,
			[]string{"no longer follows targets", "NOT parked but absent (when last heard left 50 %, right 50 % of the stroke)"}},
		{"home, silent at the center", false, func(f *loopbacktest.Line) { f.RepliesLost.Store(true) }, centered, 5 * time.Second, // of which 3 s to come back
			[]string{"no longer follows targets", "NOT parked but fault (when last heard left 50 %, right 50 % of the stroke)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line := &loopbacktest.Line{}
				s, _ := standOn(t, io.Discard, 0.2, line)
				s.skipHoming = tt.park
				began := time.Now()
				if tt.when == nil {
					tt.trouble(line)
				} else {
					go func() {
						for range 60_000 {
							if time.Sleep(time.Millisecond); tt.when(s.platform.Status()) {
								began = time.Now()
								tt.trouble(line)
								return
							}
						}
					}()
				}
				_, err := s.finish(s.newResult("x"), s.run(t.Context(), func(ctx context.Context) error {
					if tt.park {
						return nil
					}
					return s.holdCenter(ctx, 10)
				}))
				took := time.Since(began)
				if took > tt.most {
					t.Errorf("took %v, want %v at most", took, tt.most)
				}
				if err == nil {
					t.Fatalf("ended well, platform %v", s.finalStatus.State)
				}
				for _, want := range tt.want {
					if text := config.OneLine(err); !strings.Contains(text, want) {
						t.Errorf("%q lacks %q", text, want)
					}
				}
			})
		})
	}
}
