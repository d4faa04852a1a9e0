package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// Keys that stay down on snow do not leave the wheels spinning.
func TestThrottleKeyEasesWhileWheelsSpin(t *testing.T) {
	c := slippery(t, powered(1.5, 0), 0.3)
	k := assist.NewKeyPedals(c.p.Assists.Pedals)
	s, pedals, sum := c.Rest(r3.Vec{}, 0), assist.Pedals{}, 0.0
	for range 6000 {
		pedals = k.Step(pedals, true, false, s.Speed, c.DrivenSlip(&s), Dt)
		c.Step(&s, Input{Gear: 1, Throttle: pedals.Throttle, Assists: assist.Switches{AutoClutch: true}})
		if s.Tick > 3000 {
			sum += c.DrivenSlip(&s) / 3000
		}
	}
	if sum > 0.6 {
		t.Errorf("slip %.2f on average", sum)
	}
}

func TestDrivenSlipIsThatOfTheDrivenWheels(t *testing.T) {
	p := DefaultCar()
	p.Driveline.FrontShare = 1
	front, rear := newCar(t, p, Dt), coupe(t)
	s := State{}
	s.Wheels[tire.FL].Kappa, s.Wheels[tire.FR].Kappa, s.Wheels[tire.RL].Kappa, s.Wheels[tire.RR].Kappa = 0.1, -0.3, 0.5, 0.2
	near.Value(t, "front drive", front.DrivenSlip(&s), 0.3, 0)
	near.Value(t, "rear drive", rear.DrivenSlip(&s), 0.5, 0)
}
