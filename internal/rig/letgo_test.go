package rig

import (
	"testing"

	"rig/internal/config"
	"rig/sim"
	"rig/test/level"
)

// careless is the driver model that lets go of the rim.
type careless struct {
	*robot
	stiffness float64 // of its arms [N·m/rad]
}

func (d *careless) read(r *Rig) sim.Input {
	in := d.wish(r)
	r.panel.apply(&in, !in.Assists.Shifting)
	in.Assists.Clutch = true
	d.wheel.Hands(in.Steer, d.stiffness)
	d.wheel.Poll(&d.hands)
	in.Steer = d.hands.Angle
	return in
}

// A rim that nobody holds loses its force and keeps quiet, though the car goes on asking
// for one that would turn it; held again it has it again.
func TestARimThatIsLetGoLosesItsForce(t *testing.T) {
	level.NotQuick(t)
	starts := []int{8000, 18000, 12000, 24000}
	for _, start := range starts[:level.Pick(0, 1, len(starts))] {
		cfg := config.Default()
		cfg.Guard.HandsOff = 5 // as is advised: less takes a still rim on a straight for one that nobody holds
		r := demoOf(t, cfg)
		d := &careless{r.driver.(*robot), armStiffness}
		r.driver = d
		went := 0 // the tick in which the force went
		for tick := range start + 15_000 {
			switch tick {
			case start:
				d.stiffness = 0
			case start + 12_000:
				d.stiffness = armStiffness
			}
			run(t, r, 1)
			alone := r.guard.Alone()
			switch {
			case alone && went == 0:
				went = tick
			case tick < start && alone, went > 0 && tick < start+12_000 && !alone:
				t.Fatalf("let go in tick %d: alone %v in tick %d, hands %.2f, %.2f N·m asked for", start, alone, tick, r.force.Trace().HandsOn, r.force.Trace().Sent)
			}
		}
		if went < start || went > start+9000 || r.guard.Alone() {
			t.Errorf("let go in tick %d: the force went in tick %d, and is gone when it is held again: %v", start, went, r.guard.Alone())
		}
	}
}
