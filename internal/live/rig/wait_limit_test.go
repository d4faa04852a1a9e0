package rig

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback/loopbacktest"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// wheelless is a wheel that is not there.
type wheelless struct{ steeringWheel }

func (wheelless) Poll(out *wheel.Sample) { *out = wheel.Sample{} }

// closing is a belt that is closed after some looks, and that nobody confirms.
type closing struct {
	buckle
	looks, after int
}

func (c *closing) State() (bool, estop.Cause) {
	if c.looks++; c.looks > c.after {
		c.cause = estop.None
	}
	return c.buckle.State()
}

// toItsEnd ticks a drive until it ends by itself, and returns how long that took and how it ended.
func toItsEnd(t *testing.T, r *Rig, end func() error) (time.Duration, error) {
	t.Helper()
	began := time.Now()
	for r.Tick() == nil {
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("does not end: %v, platform %v", r.drive.State.Guard.State(), platformOf(r))
		}
		time.Sleep(time.Millisecond)
	}
	took := time.Since(began)
	late := end()
	return took, errors.Join(r.endError(), late)
}

// A drive of a stated duration ends, whatever it waits for: with a status of 1, and a word of
// what that is and what to do.
func TestADriveOfADurationThatWaitsGivesUp(t *testing.T) {
	level.SkipIfQuick(t)
	const most = 20.0 // [s]
	for _, tt := range []struct {
		name string
		edit func(r *Rig)
		want string
	}{
		{"no wheel", func(r *Rig) { r.wheel = wheelless{r.wheel} }, "waited for a steering wheel; plug it in"},
		{"an open belt", func(r *Rig) { r.interlock.Line = &buckle{cause: estop.Opened} }, "waited for the operator to confirm (a belt or a door is open); remove the cause"},
		{"a belt that nobody confirms", func(r *Rig) { r.interlock.Line = &closing{buckle: buckle{cause: estop.Opened}, after: 5000} }, "waited for the operator to confirm (a belt or a door is open)"},
		{"an emergency stop", func(r *Rig) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) }, "waited for the operator to confirm after an emergency stop"},
		{"a fault", func(r *Rig) { r.wheel = &faultyRim{r.wheel, true} }, "waited for the operator to confirm after a fault"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cfg := config.Default()
				cfg.Track = "skidpad"
				r, _, end := supervised(t, Options{Config: cfg, Demo: true, Duration: 2 * time.Second}, func(r *Rig) {
					if r.drive.Setup.WaitTimeout < 60 || r.drive.Setup.WaitTimeout > 90 {
						t.Errorf("waits for %.0f s", r.drive.Setup.WaitTimeout)
					}
					r.drive.Setup.WaitTimeout = most
					tt.edit(r)
				})
				took, err := toItsEnd(t, r, end)
				if err == nil || !strings.Contains(err.Error(), "gave up because the car did not move for 20 s: the drive ") || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				}
				if took < 20*time.Second || took > 35*time.Second || r.drive.State.Car.Tick != 0 {
					t.Errorf("took %v, drove %d ticks", took, r.drive.State.Car.Tick)
				}
			})
		})
	}
}

// A controller that stays off line is waited for as long, and named.
func TestADriveGivesUpOnAControllerThatStaysOffLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := offline()
		r, _, end := supervisedOn(t, Options{Config: cfg, Demo: true, Duration: 2 * time.Second}, func(r *Rig) { r.drive.Setup.WaitTimeout = 10 }, &loopbacktest.Line{Offline: true})
		took, err := toItsEnd(t, r, end)
		if err == nil || !strings.Contains(err.Error(), "waited for the platform to get ready, which is opening (offline; switch the controller on line)") {
			t.Errorf("%v", err)
		}
		if took > 20*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// offline is a controller that rig does not order on line.
func offline() config.Config {
	cfg := config.Default()
	cfg.Track, cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.Baud = "skidpad", motion.ProtocolMotion4Sim, "memory", 250_000
	cfg.Motion.Motion4Sim.GoOnline, cfg.Motion.Motion4Sim.Actuators = false, 2
	return cfg
}

// The demo's controller has its switch pressed where rig does not order it on line.
func TestTheDemosControllerIsSwitchedOnLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _, end := supervised(t, Options{Config: offline(), Demo: true, Duration: 2 * time.Second}, func(*Rig) {})
		took, err := toItsEnd(t, r, end)
		if err != nil || took > 30*time.Second || r.drive.State.Car.Tick != 2000 || r.drive.State.Guard.State() != guard.Parked {
			t.Errorf("%v after %v, %d ticks, %v", err, took, r.drive.State.Car.Tick, r.drive.State.Guard.State())
		}
	})
}

// A pause is the driver's, who may be climbing off: it is not ended by a platform that parks.
func TestAPauseIsNotGivenUp(t *testing.T) {
	r := demo(t)
	r.drive.Setup.WaitTimeout, r.drive.State.Cockpit.Paused = 1, true
	if run(t, r, 5000); r.waitLimit.gaveUp.Load() || r.orders.IsReleased() || r.drive.State.Car.Tick != 0 {
		t.Errorf("given up %t after %d ticks of the car", r.waitLimit.gaveUp.Load(), r.drive.State.Car.Tick)
	}
}

// A drive without a stated duration waits as long as it takes.
func TestADriveWithoutADurationWaits(t *testing.T) {
	r := demo(t)
	r.wheel = wheelless{r.wheel}
	if run(t, r, 5000); r.drive.State.Guard.State() != guard.Ready {
		t.Errorf("%v", r.drive.State.Guard.State())
	}
}

// Time in which the car moves is no waiting.
func TestPatienceIsForWaitingAlone(t *testing.T) {
	r := demo(t)
	r.drive.Setup.WaitTimeout, r.drive.Setup.TickLimit = 1, 3000
	r.platform = nil
	for range 3000 {
		if err := r.Tick(); err != nil {
			t.Fatal(err)
		}
	}
	if r.waitLimit.gaveUp.Load() || r.drive.State.Car.Tick < 2900 {
		t.Errorf("gave up %t after %d ticks", r.waitLimit.gaveUp.Load(), r.drive.State.Car.Tick)
	}
}
