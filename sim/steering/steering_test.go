package steering

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// builtIn returns the built-in coupe's steering, edited.
func builtIn(edit func(*Params)) Params {
	p := Default()
	edit(&p)
	return p
}

// all gives a steering all that one can have.
func all(s *Params) {
	s.RatioTable = []RatioPoint{{90, 15}, {360, 12}}
	s.Geometry = "linkage"
	s.CasterAngle, s.KingpinInclination, s.ScrubRadius, s.CasterTrail = 6, 12, 0.015, 0.02
	s.RackMass, s.RackFriction, s.Assist.Enabled = 30, 250, true
	s.RearSteer = []RearSteerPoint{{0, -0.2}, {60, 0}, {120, 0.08}}
}

const tick = 1e-3 // [s]

// coupes is the built-in coupe.
func coupes() Geometry {
	return Geometry{Wheelbase: 2.66, Track: 1.52, HubHeight: [2]float64{0.3, 0.3}}
}

// built returns a steering of the coupe.
func built(t testing.TB, edit func(*Params)) *System {
	t.Helper()
	g, err := New(builtIn(edit), coupes(), tick)
	if err != nil {
		t.Fatal(err)
	}
	return &g
}

// turnedTo returns how a car that drives at a speed [m/s] is steered.
func turnedTo(t *testing.T, edit func(*Params), wheel, speed float64) (a Angles) {
	t.Helper()
	built(t, edit).WheelAngles(&a, wheel, speed)
	return a
}

func TestAckermannLeadsFromParallelToOnePoint(t *testing.T) {
	for _, wheel := range []float64{0.3, 3, 8, -5} {
		parallel := turnedTo(t, func(s *Params) { s.Ackermann = 0 }, wheel, 0)
		near.Value(t, "parallel, left", parallel.Angle[tire.FL], wheel/14.5, 1e-12)
		near.Value(t, "parallel, right", parallel.Angle[tire.FR], wheel/14.5, 1e-12)

		// Rolling about one point on the rear axle's line: cot(right) - cot(left) = track/wheelbase.
		rolling := turnedTo(t, func(s *Params) { s.Ackermann = 1 }, wheel, 0)
		near.Value(t, "mean", built(t, func(s *Params) { s.Ackermann = 1 }).RoadSteer(wheel), (rolling.Angle[tire.FL]+rolling.Angle[tire.FR])/2, 0)
		apart := 1/math.Tan(rolling.Angle[tire.FR]) - 1/math.Tan(rolling.Angle[tire.FL])
		near.Value(t, "difference of the cotangents", apart, 1.52/2.66, 1e-9)
	}
}

func TestSteeringStopsAtItsLock(t *testing.T) {
	for _, wheel := range []float64{10, 100, math.Inf(1)} {
		a := turnedTo(t, func(s *Params) { s.Ackermann = 0 }, wheel, 0)
		near.Value(t, "angle", a.Angle[tire.FL], 36*math.Pi/180, 1e-12)
		near.Value(t, "rack", a.Rack, 36*math.Pi/180*14.5*0.05/(2*math.Pi), 1e-12)
	}
}

func TestGainIsTheSlopeOfTheAngle(t *testing.T) {
	const step = 1e-5
	for name, edit := range map[string]func(*Params){"ackermann": func(*Params) {}, "everything": all} {
		for _, wheel := range []float64{-6, -2.5, 0.001, 1, 4, 7} {
			a := turnedTo(t, edit, wheel, 0)
			less, more := turnedTo(t, edit, wheel-step, 0), turnedTo(t, edit, wheel+step, 0)
			for i := tire.FL; i <= tire.FR; i++ {
				near.Value(t, name+": gain", a.Gain[i], (more.Angle[i]-less.Angle[i])/(2*step), 1e-8)
			}
			near.Value(t, name+": lever", a.RackGain, (more.Rack-less.Rack)/(2*step), 1e-9)
		}
	}
}

// By hand: the gain grows from 1/16 at 90° to 1/12 at 360°.
func TestRatioByTable(t *testing.T) {
	s := Default()
	s.Ratio, s.RatioTable = 16, []RatioPoint{{90, 16}, {360, 12}}
	g := newGearing(s)
	for _, tt := range []struct{ wheel, mean, gain float64 }{ // degrees
		{0, 0, 1.0 / 16},
		{80, 5, 1.0 / 16},
		{90, 5.625, 1.0 / 16},
		{225, 14.765625, (1.0/16 + 1.0/12) / 2},
		{360, 25.3125, 1.0 / 12},
		{450, 32.8125, 1.0 / 12},
	} {
		for _, side := range []float64{1, -1} {
			mean, gain := g.roadAngle(side * tt.wheel * degree)
			near.Value(t, "mean angle", mean/degree, side*tt.mean, 1e-12)
			near.Value(t, "gain", gain, tt.gain, 1e-15)
			near.Value(t, "back again", g.wheelAngle(mean)/degree, side*tt.wheel, 1e-9)
		}
	}
}

func TestRearWheelsSteerBySpeed(t *testing.T) {
	edit := func(s *Params) {
		s.Ackermann = 0
		s.RearSteer = []RearSteerPoint{{10, -0.3}, {60, 0}, {100, 0.1}}
	}
	for _, tt := range []struct{ kph, share float64 }{
		{0, -0.3}, {10, -0.3}, {35, -0.15}, {-35, -0.15}, {60, 0}, {80, 0.05}, {250, 0.1},
	} {
		a := turnedTo(t, edit, 2.9, tt.kph/3.6)
		near.Value(t, "left", a.Angle[tire.RL], tt.share*0.2, 1e-12)
		near.Value(t, "right", a.Angle[tire.RR], tt.share*0.2, 1e-12)
		near.Value(t, "gain", a.Gain[tire.RL]+a.Gain[tire.RR], 0, 0)
		near.Value(t, "share", built(t, edit).RearShare(tt.kph/3.6), tt.share, 1e-12)
	}
	none := turnedTo(t, func(*Params) {}, 2.9, 10)
	near.Value(t, "without a table", none.Angle[tire.RL], 0, 0)
}

func TestSteeringRefusesNonsense(t *testing.T) {
	tests := []struct {
		name string
		edit func(*Params)
		want string
	}{
		{"ratio 0", func(s *Params) { s.Ratio = 0 }, "ratio = 0"},
		{"unknown geometry", func(s *Params) { s.Geometry = "ackerman" }, `geometry = "ackerman": must be ackermann or linkage`},
		{"falling table", func(s *Params) { s.RatioTable = []RatioPoint{{90, 15}, {80, 14}} }, "ratio_table[1].wheel_deg = 80"},
		{"NaN", func(s *Params) { s.CasterAngle = math.NaN() }, "caster_deg = NaN"},
		{"rack at the axle", func(s *Params) { s.Linkage.RackAhead = 0 }, "linkage.rack_ahead_m = 0"},
		{"share of 2", func(s *Params) { s.RearSteer = []RearSteerPoint{{0, 2}} }, "rear_steer[0].share = 2"},
		{"falling speeds", func(s *Params) { s.RearSteer = []RearSteerPoint{{50, 0}, {20, 0}} }, "rear_steer[1].speed_kph = 20"},
		{"falling assist", func(s *Params) { s.Assist.Curve = []AssistPoint{{1, 5}, {2, 4}} }, "assist.curve[1].assist_nm = 4"},
		{"assist twice", func(s *Params) { s.Assist.Curve = []AssistPoint{{1, 5}, {1, 6}} }, "assist.curve[1].driver_nm = 1"},
		{"assist without a curve", func(s *Params) { s.Assist = Assist{Enabled: true} }, "assist.curve is empty"},
		{"negative factor", func(s *Params) { s.Assist.BySpeed = []AssistSpeedPoint{{0, -1}} }, "assist.by_speed[0].factor = -1"},
		{"keys without a rate", func(s *Params) { s.Keys.SteerRate = 0 }, "keys.rate_deg_per_s = 0"},
		{"keys without a lock", func(s *Params) { s.Keys.BySpeed = []KeysLockPoint{{0, 0}} }, "keys.by_speed[0].lock_deg = 0"},
	}
	for _, tt := range tests {
		err := builtIn(tt.edit).Validate()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	if err := builtIn(all).Validate(); err != nil {
		t.Errorf("a steering with everything: %v", err)
	}
}
