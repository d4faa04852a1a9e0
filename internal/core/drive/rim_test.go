package drive

import (
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

func TestForceKnowsTheRimBeyondTheCarsLock(t *testing.T) {
	r := seated(t, nil)
	for i := range 100 {
		steer := 2*r.Setup.Car.Lock() + 2*float64(i)*sim.Dt
		r.Setup.Rim.torque(&r.State.Rim, &r.in.Wheel, &rimInputs{car: &r.State.Car, steer: steer, maxTorque: r.State.Guard.MaxTorque()}, sim.Dt)
	}
	if v := r.State.Rim.Force.Trace().RimSpeed; !(v > 1 && v < 2.5) {
		t.Errorf("rim turns at %.2f rad/s, want about 2", v)
	}
}

// Feel, guard and wheel all leave room for what the wheel makes by itself.
func TestRoomForOwnEffectsIsKeptEverywhere(t *testing.T) {
	for _, c := range []struct{ wheel, headroom, feel, guard, rated, gate float64 }{
		{6, 2, 8, 8, 6, 6}, // the wheel has left its room out itself
		{15, 5, 8, 8, 6, 6},
		{15, 5, 4, 8, 3, 7},
		{15, 5, 8, 4, 3, 3},
		{20, 0, 8, 8, 8, 8},
	} {
		force := ffb.DefaultConfig()
		force.MaxTorque = c.feel
		feel, err := ffb.New(force, ffb.Car{}, 0.001)
		must(t, err)
		r := seated(t, func(s *Setup) { s.Guard.MaxTorque, s.ForceChains[0] = c.guard, feel })
		r.in.Wheel.Rated, r.in.Wheel.OwnEffectsMax = c.wheel, c.headroom
		r.run(3000)
		rated := r.Setup.Rim.ratedTorque(&r.State.Rim, &r.in.Wheel, r.State.Guard.MaxTorque())
		gate, _ := r.State.Guard.Gate(100, [8]float64{})
		if rated != c.rated || gate != c.gate {
			t.Errorf("%+v: the force may have %g N·m, %g pass", c, rated, gate)
		}
	}
}

// A wheel that no feel is known for keeps the one that is there.
func TestAFeelThatThereIsNot(t *testing.T) {
	r := seated(t, nil)
	r.in.ForceChainIndex = 255
	if r.run(1); r.State.Rim.chainIndex != 0 {
		t.Errorf("feel %d", r.State.Rim.chainIndex)
	}
}
