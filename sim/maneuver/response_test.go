package maneuver

import (
	"math"
	"testing"

	"rig.example/rig/sim/trial"
	"rig.example/rig/test/near"
)

func TestResponseMetrics(t *testing.T) {
	rows := []trial.Row{{T: 0, Ay: 0}, {T: 1, Ay: 2}, {T: 2, Ay: 6}, {T: 3, Ay: 4}}
	near.Value(t, "reaches 4", firstTime(rows, ayOf, 4), 1.5, 1e-12)
	near.Value(t, "mean of the last two", mean(rowsBetween(rows, 2, 3), ayOf), 5, 1e-12)
	near.Value(t, "between rows", valueAt(rows, ayOf, 2.5), 5, 1e-12)
	top, when := peak(rows, ayOf)
	near.Value(t, "peak", top, 6, 0)
	near.Value(t, "its time", when, 2, 0)
	steer := func(q *trial.Row) float64 { return 3 + 2*q.Ay }
	near.Value(t, "gradient", gradient(rows, steer, ayOf, -1, 10), 2, 1e-12)
	for _, v := range []float64{
		firstTime(rows, ayOf, 7), valueAt(rows, ayOf, 9), mean(nil, ayOf), gradient(rows, steer, ayOf, 3, 10),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%g where there is no answer", v)
		}
	}
}
