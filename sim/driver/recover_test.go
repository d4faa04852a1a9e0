package driver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

func TestRecovers(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, tt := range []struct {
		name           string
		y, heading     float64 // [m], [rad]
		within, offset float64 // [s], [m]
	}{
		{"5 m beside the road", 10, 0, 11, 11},
		{"5 m beside it on the right, facing away", -10, -1.2, 12, 17},
		{"30 m off", 30, 0.3, 15, 31},
		{"backward on the line", 0, math.Pi, 16, 5},
		{"backward on the left", 3, -3, 16, 5},
		{"backward beside the road", -9, 3, 14, 10},
		{"across, nose to the edge", 2.5, math.Pi / 2, 14, 5},
		{"across on the right", -4, -math.Pi / 2, 14, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			car, _, d := ready(t)
			s := car.Rest(r3.Vec{X: 100, Y: tt.y}, tt.heading)
			m := d.Start(&s)
			far, lost := 0.0, 0.0
			for float64(s.Tick)*sim.Dt < tt.within+3 {
				car.Step(&s, d.Drive(&m, &s))
				far = max(far, math.Abs(m.LateralOffset))
				if math.Abs(m.LineOffset) > 0.5 || math.Abs(d.headingError(&m, &s)) > 0.1 || s.Speed < 3 {
					lost = float64(s.Tick) * sim.Dt
				}
			}
			if lost > tt.within {
				t.Errorf("on the line after %.1f s, want %g s: %.2f m beside it, %.0f° astray, %.1f m/s",
					lost, tt.within, m.LineOffset, d.headingError(&m, &s)/degree, s.Speed)
			}
			if far > tt.offset {
				t.Errorf("went %.1f m from the line, want %g m at most", far, tt.offset)
			}
		})
	}
}

func TestComesBackFromASpin(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, heading := range []float64{1.5, -1.5, math.Pi} {
		car, _, d := ready(t)
		s := car.Rest(r3.Vec{X: 50}, heading)
		s.Vel.X = 20
		m := d.Start(&s)
		for range 25_000 {
			car.Step(&s, d.Drive(&m, &s))
		}
		if math.Abs(m.LineOffset) > 0.5 || math.Abs(d.headingError(&m, &s)) > 0.1 || s.Speed < 10 {
			t.Errorf("turned by %g rad at 20 m/s: 25 s later %.1f m beside the line, %.0f° astray, %.1f m/s",
				heading, m.LineOffset, d.headingError(&m, &s)/degree, s.Speed)
		}
	}
}
