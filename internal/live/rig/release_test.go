package rig

import (
	"testing"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// careless is a rim that the driver model lets go.
type careless struct {
	*wheel.Sim
	stiffness float64 // of the arms [N·m/rad]
}

func (c *careless) Hands(angle, _ float64) { c.Sim.Hands(angle, c.stiffness) }

// A rim that nobody holds loses its force and keeps quiet, though the car goes on asking
// for one that would turn it; held again it has it again.
func TestARimThatIsLetGoLosesItsForce(t *testing.T) {
	level.SkipIfQuick(t)
	const armStiffness = 15 // [N·m/rad]
	starts := []int{8000, 18000, 12000, 24000}
	for _, start := range starts[:level.Pick(0, 1, len(starts))] {
		cfg := config.Default()
		cfg.Guard.HandsOff = 5 // as is advised: less takes a still rim on a straight for one that nobody holds
		r := demoOf(t, cfg)
		d := &careless{r.rim.(*wheel.Sim), armStiffness}
		r.rim = d
		went := 0 // the tick in which the force went
		for tick := range start + 15_000 {
			switch tick {
			case start:
				d.stiffness = 0
			case start + 12_000:
				d.stiffness = armStiffness
			}
			run(t, r, 1)
			alone := r.drive.State.Guard.HandsOff()
			switch {
			case alone && went == 0:
				went = tick
			case tick < start && alone, went > 0 && tick < start+12_000 && !alone:
				t.Fatalf("let go in tick %d: alone %v in tick %d, hands %.2f, %.2f N·m asked for", start, alone, tick, r.drive.State.Rim.Force.Trace().HandsOn, r.drive.State.Rim.Force.Trace().Sent)
			}
		}
		if went < start || went > start+9000 || r.drive.State.Guard.HandsOff() {
			t.Errorf("let go in tick %d: the force went in tick %d, and is still off when it is held again: %v", start, went, r.drive.State.Guard.HandsOff())
		}
	}
}
