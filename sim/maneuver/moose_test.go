package maneuver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim"
	"rig/sim/road"
)

func TestTheConesStandAsTheStandardSays(t *testing.T) {
	for _, tt := range []struct {
		name        string
		width, side float64
		want        [3]section
	}{
		{"2 m wide, to the left", 2, 1, [3]section{{0, 12, -1.225, 1.225}, {25.5, 36.5, 2.225, 5.225}, {49, 61, -1.225, 1.775}}},
		{"2 m wide, to the right", 2, -1, [3]section{{0, 12, -1.225, 1.225}, {25.5, 36.5, -5.225, -2.225}, {49, 61, -1.775, 1.225}}},
		{"2.5 m wide: the last lane grows", 2.5, 1, [3]section{{0, 12, -1.5, 1.5}, {25.5, 36.5, 2.5, 6}, {49, 61, -1.5, 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := obstacleCourse(tt.width, tt.side)
			for i, s := range c.sections {
				w := tt.want[i]
				near(t, "from", s.from, w.from, 1e-12)
				near(t, "to", s.to, w.to, 1e-12)
				near(t, "low", s.low, w.low, 1e-12)
				near(t, "high", s.high, w.high, 1e-12)
			}
			cones := c.cones()
			near(t, "second cone", cones[0][1][0].X, 3, 1e-12)
			near(t, "last cone", cones[2][4][1].X, 61, 1e-12)
		})
	}
}

func TestTheMarshalSeesWhatIsTouched(t *testing.T) {
	o := outline{0, 2, 1}
	for _, tt := range []struct {
		name  string
		y     float64 // of a straight drive
		turn  float64 // heading of the body [rad]
		hits  int
		clean bool
	}{
		{"between the first cones", 0.2, 0, 10, false}, // and round the ten of the next lanes
		{"along the left ones", 0.3, 0, 15, false},
		{"across", 0, math.Pi / 2, 20, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := obstacleCourse(2, 1)
			m := marshal{cones: c.cones()}
			sin, cos := math.Sincos(tt.turn / 2)
			s := sim.State{Att: quat.Number{Real: cos, Kmag: sin}}
			for x := -5.0; x < 70; x += 0.05 {
				s.Pos = r3.Vec{X: x, Y: tt.y}
				m.watch(&s, o)
			}
			if m.clean() != tt.clean {
				t.Errorf("%d hits", m.hits)
			}
		})
	}
	t.Run("through the middle of every lane", func(t *testing.T) {
		c := obstacleCourse(2, 1)
		m := marshal{cones: c.cones()}
		s := sim.State{Att: quat.Number{Real: 1}}
		for x := -5.0; x < 70; x += 0.05 {
			s.Pos = r3.Vec{X: x}
			for _, lane := range c.sections {
				if x > lane.from-2.1 && x < lane.to+2.1 {
					s.Pos.Y = lane.middle()
				}
			}
			m.watch(&s, o)
		}
		if !m.clean() {
			t.Errorf("%d hits, passed %v", m.hits, m.passed)
		}
	})
}

func TestTheWayChangesSmoothly(t *testing.T) {
	l := lane{y: [3]float64{0, 3, 1}, leaves: [2]float64{10, 35}, meets: [2]float64{26, 50}}
	for _, tt := range []struct{ x, y float64 }{{0, 0}, {10, 0}, {18, 1.5}, {26, 3}, {30, 3}, {42.5, 2}, {60, 1}} {
		near(t, "y", l.at(tt.x), tt.y, 1e-12)
	}
}

func TestMooseFindsTheHighestCleanSpeed(t *testing.T) {
	best := do(t, "moose", sim.DefaultCar(), Options{})
	top := figure(t, best, "highest_clean_kph")
	if top < 55 || top > 90 {
		t.Errorf("highest clean speed %.0f km/h", top)
	}
	near(t, "entry speed", figure(t, best, "entry_speed_kph"), top, 0.3)
	for speed, want := range map[float64]bool{top: true, top - 15: true, 110: false} {
		r := do(t, "moose", sim.DefaultCar(), Options{Speed: speed * kph})
		if got := verdict(t, r, "clean"); got != want {
			t.Errorf("%.0f km/h: clean %v", speed, got)
		}
	}
}

func verdict(t *testing.T, r *Result, name string) bool {
	t.Helper()
	for _, m := range r.Metrics {
		if m.Name == name {
			return m.Value.(bool)
		}
	}
	t.Fatalf("no %s", name)
	return false
}

func TestATallCarWithoutBarsRollsOver(t *testing.T) {
	p := sim.DefaultCar()
	p.Mass, p.CGHeight, p.Width, p.Height = 1900, 0.78, 1.9, 1.85
	p.Front.BarRate, p.Rear.BarRate = 0, 0
	r := do(t, "moose", p, Options{Speed: 70 * kph})
	if !verdict(t, r, "rolled_over") || verdict(t, r, "clean") {
		t.Errorf("metrics %v", r.Metrics)
	}
}

func TestMooseToTheRightIsTheMirrorImage(t *testing.T) {
	for _, speed := range []float64{60, 80} {
		var rows [2][]Row
		for i, side := range []float64{1, -1} {
			r, err := mooseTo(sim.DefaultCar(), Options{Speed: speed * kph, Rate: 100, Dt: sim.Dt, Progress: func(float64) {}}, side)
			if err != nil {
				t.Fatal(err)
			}
			rows[i] = r.Rows
		}
		same(t, rows[0], rows[1])
	}
}

func TestTheDriverHasHands(t *testing.T) {
	tr, err := newTrial(sim.DefaultCar(), road.Asphalt(), Options{Rate: 1000, Dt: sim.Dt})
	if err != nil {
		t.Fatal(err)
	}
	tr.enter(80 * kph)
	run := tr.pass(80*kph, 1, mooseWays()[0], true)
	worst := 0.0
	for i, r := range run.t.out.rows[1:] {
		worst = max(worst, math.Abs(tr.wheel(r.Steer)-tr.wheel(run.t.out.rows[i].Steer))/sim.Dt)
	}
	if worst/degree > 1205 || worst/degree < 100 {
		t.Errorf("turns the steering wheel at %.0f °/s", worst/degree)
	}
}
