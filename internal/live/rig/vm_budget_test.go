package rig

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/pidwheel"
)

// A strong wheel that adds up its own spring, damper and friction beside the force stays
// below 8 N·m without consent, wherever its rim is and however it moves, and after a stop
// comes back as the guard's fade does.
func TestVMASpringKeepsToTheLimit(t *testing.T) {
	inGuest(t)
	const full = 25
	dev, node := plugDirect(t)
	r := drivingWith(t, stepped{set: func(c *config.Config) {
		c.Guard = guard.DefaultConfig()
		c.Guard.MaxTorque, c.FFB.MaxTorque = full, full
		c.Wheel.FullNm, c.Wheel.MaxTorque = full, full
		c.Wheel.Spring, c.Wheel.Damper, c.Wheel.Friction = 1, 1, 1
	}}, node)
	dev.SetInput(pidwheel.Input{Steer: 0x8000 + 200*0xffff/900})
	most := func() (nm float64) {
		for _, side := range []float64{-1, 1} { // of the middle, turned that way at the device's full speed
			for _, turned := range []float64{0.44, 1} {
				nm = max(nm, full*math.Abs(dev.Force(mono.Now(), pidwheel.Motion{Position: side * turned, Speed: side})))
			}
		}
		return nm
	}
	highest := 0.0
	watch := func(ms int, limit float64) {
		t.Helper()
		for range ms {
			play(t, r, 1)
			if nm := most(); nm > limit+0.01 {
				t.Fatalf("%v: %.2f N·m, the limit is %.2f; shown are %.2f", r.drive.State.Guard.State(), nm, limit, r.out.Frame.Force.Total)
			} else {
				highest = max(highest, nm)
			}
		}
	}
	watch(500, 8)
	r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	play(t, r, 20)
	watch(100, 0)
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	share := func(s float64) float64 { return s * s * (3 - 2*s) }
	watch(620, 8*share(0.62/r.drive.Setup.Guard.Engage))
	t.Logf("figure: spring, damper and friction at 1 beside the force, without consent: %.2f N·m of 8 at most", highest)
	if highest < 4 {
		t.Errorf("at most %.2f N·m: the wheel's own effects did not work", highest)
	}
}
