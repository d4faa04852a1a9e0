package steering

import (
	"math"
	"testing"

	"rig.example/rig/sim/curve"
	"rig.example/rig/test/near"
)

// By hand, from the default curve: 0.5 → 0, 2 → 4, 3.5 → 18, 5 → 45 N·m.
func TestAssistLeavesTheDriverHisPart(t *testing.T) {
	p := defaultAssist()
	p.Enabled = true
	a := newAssist(p)
	for _, tt := range []struct {
		name              string
		load, kph, driver float64
	}{
		{"none", 0, 0, 0},
		{"dead zone", 0.4, 0, 0.4},
		{"at a point", 6, 0, 2},
		{"between points", 13.75, 0, 2.75},
		{"at the last point", 50, 0, 5},
		{"more than it can help", 60, 0, 15},
		{"to the right", -13.75, 0, -2.75},
		{"at 30 km/h", 2 + 0.7*4, 30, 2},
		{"backwards", 2 + 0.7*4, -30, 2},
		{"at 55 km/h", 2 + 0.55*4, 55, 2},
		{"faster than the table", 5 + 0.25*45, 300, 5},
	} {
		near.Value(t, tt.name, a.driverTorque(tt.load, tt.kph/3.6), tt.driver, 1e-12)
	}
}

func TestAssistInvertsItsSum(t *testing.T) {
	p := Assist{Enabled: true, Curve: []AssistPoint{{1, 10}, {1.01, 300}, {9, 300}, {20, 310}}}
	a := newAssist(p)
	help := curve.Line{X: []float64{0, 1, 1.01, 9, 20}, Y: []float64{0, 10, 300, 300, 310}}
	last := math.Inf(-1)
	for load := -500.0; load <= 500; load += 0.37 {
		felt := a.driverTorque(load, 10)
		sum := felt + math.Copysign(help.At(math.Abs(felt)), felt)
		near.Value(t, "driver and assist", sum, load, 1e-9)
		if felt < last || math.Abs(felt) > math.Abs(load) {
			t.Errorf("load %.2f N·m leaves %.4f N·m after %.4f", load, felt, last)
		}
		last = felt
	}
}

func TestAssistIsOffUnlessAskedFor(t *testing.T) {
	a := newAssist(defaultAssist())
	for _, load := range []float64{-30, 0, 1e-9, 12} {
		near.Value(t, "torque", a.driverTorque(load, 0), load, 0)
	}
}
