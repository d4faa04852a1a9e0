package trial

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

func TestCompare(t *testing.T) {
	n := math.NaN()
	none := func(when float64) Row {
		return Row{
			T: when, X: n, Y: n, Z: n, Vx: n, Vy: n, YawRate: n, Roll: n, Pitch: n, Ax: n, Ay: n,
			Steer: n, Beta: n, Fz: [4]float64{n, n, n, n}, RackForce: n, ColumnTorque: n,
			Engine: n, Gear: n, Throttle: n, Brake: n, Clutch: n,
		}
	}
	ref := func(when, vx, yaw, fz float64) Row {
		r := none(when)
		r.Vx, r.YawRate, r.Fz[2] = vx, yaw, fz
		return r
	}
	got := []Row{{T: 0, Vx: 10, YawRate: 0}, {T: 1, Vx: 12, YawRate: 0.2}, {T: 2, Vx: 16, YawRate: 0.2}}
	want := []Row{
		ref(-1, 99, 9, n), // before the recording
		ref(0, 10, 0, n),
		ref(0.5, 11, 0.5, n), // between rows: 11 and 0.1
		ref(1.5, 14, n, n),   // 14; yaw rate unknown here
		ref(2, 20, 0.1, n),
		ref(3, 99, 9, n), // after it
	}
	list := Compare(got, want)
	if len(list) != 2 {
		t.Fatalf("%d columns: %+v", len(list), list)
	}
	for i, w := range []Deviation{
		{"vx_mps", 4, 1, 10, 40, 10, 2},
		{"yaw_rate_radps", 0.4, 0.5 / 3, 0.5, 80, 100. / 3, 0.5},
	} {
		g := list[i]
		if g.Column != w.Column {
			t.Errorf("column %s, want %s", g.Column, w.Column)
		}
		near.Value(t, "largest", g.Largest, w.Largest, 1e-12)
		near.Value(t, "mean", g.Mean, w.Mean, 1e-12)
		near.Value(t, "range", g.Range, w.Range, 1e-12)
		near.Value(t, "largest share", g.LargestPct, w.LargestPct, 1e-9)
		near.Value(t, "mean share", g.MeanPct, w.MeanPct, 1e-9)
		near.Value(t, "time", g.At, w.At, 1e-12)
	}
	if list := Compare(nil, want); len(list) != 0 {
		t.Errorf("nothing compared gives %v", list)
	}
	if list := Compare(got, []Row{ref(0, 10, n, n), ref(1, 10, n, n)}); len(list) != 1 || list[0].LargestPct != 0 || list[0].Largest != 2 {
		t.Errorf("a constant reference gives %+v", list)
	}
}
