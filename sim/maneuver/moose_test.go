package maneuver

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func TestConePositionsFollowTheStandard(t *testing.T) {
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
				near.Value(t, "from", s.from, w.from, 1e-12)
				near.Value(t, "to", s.to, w.to, 1e-12)
				near.Value(t, "low", s.low, w.low, 1e-12)
				near.Value(t, "high", s.high, w.high, 1e-12)
			}
			cones := c.cones()
			near.Value(t, "second cone", cones[0][1][0].X, 3, 1e-12)
			near.Value(t, "last cone", cones[2][4][1].X, 61, 1e-12)
		})
	}
}

func TestConeWatchCountsTouchedCones(t *testing.T) {
	o := outline{0, 2, 1}
	for _, tt := range []struct {
		name string
		y    float64 // of a straight drive
		turn float64 // heading of the body [rad]
		hits int
	}{
		{"through the first and the last lane", 0.2, 0, 5}, // past the right limit of the one between
		{"along the left cones of the first", 0.3, 0, 10},
		{"across", 0, math.Pi / 2, 20}, // both limits of both; it does not reach those of the detour
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := obstacleCourse(2, 1)
			m := newConeWatch(&c)
			sin, cos := math.Sincos(tt.turn / 2)
			s := sim.State{State: chassis.State{Att: quat.Number{Real: cos, Kmag: sin}}}
			for x := -5.0; x < 70; x += 0.05 {
				s.Pos = r3.Vec{X: x, Y: tt.y}
				m.update(&s, o)
			}
			if m.hits() != tt.hits || m.isClean() {
				t.Errorf("%d hits, want %d; clean %v", m.hits(), tt.hits, m.isClean())
			}
		})
	}
	t.Run("through the middle of every lane", func(t *testing.T) {
		c := obstacleCourse(2, 1)
		m := newConeWatch(&c)
		s := sim.State{State: chassis.State{Att: quat.Number{Real: 1}}}
		for x := -5.0; x < 70; x += 0.05 {
			s.Pos = r3.Vec{X: x}
			for _, lane := range c.sections {
				if x > lane.from-2.1 && x < lane.to+2.1 {
					s.Pos.Y = lane.middle()
				}
			}
			m.update(&s, o)
		}
		if !m.isClean() {
			t.Errorf("%d hits, beyond the cones by %.3f m", m.hits(), m.overlaps())
		}
	})
	t.Run("a car that stops halfway is not clean", func(t *testing.T) {
		c := obstacleCourse(2, 1)
		m := newConeWatch(&c)
		m.update(&sim.State{State: chassis.State{Att: quat.Number{Real: 1}}}, o)
		if m.hits() != 0 || m.isClean() {
			t.Errorf("%d hits, clean %v", m.hits(), m.isClean())
		}
	})
}

func TestAdjustedParameterStaysInItsRange(t *testing.T) {
	var by [parameterCount]float64
	by[0], by[12] = -100, 100
	w := surprisedStyle().adjusted(&by)
	near.Value(t, "across", w.offset[0], -3, 0)
	near.Value(t, "slip", w.MaxSlip, 0.25, 0)
	near.Value(t, "look", w.PreviewTime, surprisedStyle().PreviewTime, 0)
}

func TestPracticeChangesEveryParameterThatReducesTheCost(t *testing.T) {
	runs := 0
	p := practice{timeLeft: practiceTime, drive: func(w mooseStyle) *mooseRun {
		runs++
		r := &mooseRun{duration: 4}
		r.faults[0] = 1 - 10*w.slope[0]            // asks for a lean of 0.1
		r.faults[1] = w.early[0] - 2               // for a change that begins less than 2 m before the end
		r.faults[2] = 2.5 - w.early[0] + w.late[0] // and ends less than -0.5 m behind it
		r.clean = r.faults[0] <= 0 && r.faults[1] <= 0 && r.faults[2] <= 0
		return r
	}}
	run := p.findClean()
	if run == nil || run != p.run || p.style.slope[0] < 0.1 || p.style.early[0] > 2 || p.style.late[0] > p.style.early[0]-2.5 {
		t.Errorf("after %d runs: %+v", runs, p.style)
	}
}

func TestPracticeEndsWithoutProgress(t *testing.T) {
	runs := 0
	p := practice{timeLeft: practiceTime, drive: func(mooseStyle) *mooseRun {
		runs++
		return &mooseRun{duration: 4, faults: [faultCount]float64{1}}
	}}
	if p.findClean() != nil || runs > 50 {
		t.Errorf("gave up after %d runs", runs)
	}
}

func TestMooseFindsTheHighestCleanSpeed(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	dt := milliseconds(4, 1)
	best := do(t, "moose", sim.DefaultCar(), Options{Dt: dt})
	top := figure(t, best, "highest_clean_kph")
	if top < 68 || top > 80 { // what testers drive with passenger cars
		t.Errorf("highest clean speed %.0f km/h", top)
	}
	if roll, lift := figure(t, best, "max_roll_deg"), figure(t, best, "wheel_lift_m"); verdict(t, best, "rolled_over") || roll > 45 || lift < 0 {
		t.Errorf("rolls by %.1f° and lifts a wheel by %.2f m without a cone touched", roll, lift)
	}
	near.Value(t, "speed", best.Speed, top*kph, 0)
	near.Value(t, "entry speed", figure(t, best, "entry_speed_kph"), top, 0.3)
	want := map[float64]bool{top - 15: true, 110: false}
	if level.All() { // the search has driven it
		want[top] = true
	}
	for speed, want := range want {
		r := do(t, "moose", sim.DefaultCar(), Options{Speed: speed * kph, Dt: dt})
		if got := verdict(t, r, "clean"); got != want {
			t.Errorf("%.0f km/h: clean %v", speed, got)
		}
		near.Value(t, "speed", r.Speed, speed*kph, 0)
	}
}

func TestACarTooLongForTheCourseHasNoCleanSpeed(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Length = 12 // it swings out with 4.7 m behind the rear axle
	r := do(t, "moose", p, Options{Dt: milliseconds(5, 4)})
	if top := figure(t, r, "highest_clean_kph"); top != 0 || verdict(t, r, "clean") {
		t.Errorf("highest clean speed %.0f km/h, clean %v", top, verdict(t, r, "clean"))
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
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Mass, p.CGHeight, p.Width, p.Height = 1900, 0.78, 1.9, 1.85
	p.Front.BarRate, p.Rear.BarRate = 0, 0
	r := do(t, "moose", p, Options{Speed: 70 * kph})
	if !verdict(t, r, "rolled_over") || verdict(t, r, "clean") {
		t.Errorf("metrics %v", r.Metrics)
	}
}

func TestMooseToTheRightIsTheMirrorImage(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, speed := range []float64{80, 60}[:level.Pick(0, 1, 2)] {
		var rows [2][]trial.Row
		for i, side := range []float64{1, -1} {
			r, err := mooseTowards(sim.DefaultCar(), Options{Speed: speed * kph, Rate: 100, Dt: milliseconds(2, 1), Progress: func(float64) {}}, side)
			if err != nil {
				t.Fatal(err)
			}
			rows[i] = r.Rows
		}
		same(t, rows[0], rows[1])
	}
}

func TestSteeringRateIsLimited(t *testing.T) {
	tr, err := newRun(sim.DefaultCar(), road.Asphalt(), Options{Rate: 1000, Dt: sim.Dt})
	if err != nil {
		t.Fatal(err)
	}
	tr.approach(80 * kph)
	rough := surprisedStyle()
	run := tr.driveCourse(80*kph, 1, &rough)
	worst := 0.0
	for i, r := range run.run.Out.Rows[1:] {
		worst = max(worst, math.Abs(tr.SteeringWheelFor(r.Steer)-tr.SteeringWheelFor(run.run.Out.Rows[i].Steer))/sim.Dt)
	}
	if worst/degree > 1205 || worst/degree < 100 {
		t.Errorf("turns the steering wheel at %.0f °/s", worst/degree)
	}
}
