package axis

import (
	"testing"

	"rig.example/rig/calib"
)

// An axis that counts down and never reported may hold the driver's 0, which is fully pressed.
func TestMeasuredIsReleasedUntilItIsKnown(t *testing.T) {
	down := calib.Axis{Rest: 255, Press: 0}
	type look struct {
		raw   int32
		moved bool
		want  float64
	}
	for name, looks := range map[string][]look{
		"the driver's 0 is not believed":   {{0, false, 0}, {51, false, 0}},
		"a report is":                      {{0, false, 0}, {51, true, 0.8}, {0, true, 1}},
		"so is what was seen at rest once": {{250, false, 5.0 / 255}, {0, false, 1}},
	} {
		m := MeasuredAxis{Ends: down}
		for i, l := range looks {
			if got := m.Value(l.raw, l.moved); got < l.want-1e-9 || got > l.want+1e-9 {
				t.Errorf("%s: look %d is at %g, want %g", name, i, got, l.want)
			}
		}
	}
}

func TestCoverageKeepsWhatIsOwnedAndFresh(t *testing.T) {
	var c Readings
	c.Assign(Index("horn"))
	c.Assign(Handbrake)
	c.Set(Brake, 0.25, true)
	c.Set(Index("clutch"), 0, false)
	want := Readings{Assigned: 1<<Handbrake | 1<<Brake | 1<<Clutch, Valid: 1 << Brake, Position: [Count]float64{Brake: 0.25}}
	if c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
}
