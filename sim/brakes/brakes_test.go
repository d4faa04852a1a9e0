package brakes

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

const tick = 1e-3 // [s]

// coupes is the built-in coupe.
func coupes() *Vehicle {
	a := Axle{Radius: 0.304, Inertia: 1.1, PeakSlip: 0.12, Track: 1.52}
	return &Vehicle{Axles: [2]Axle{a, a}, AirTemperature: 15, CGHeight: 0.52, Gravity: 9.80665}
}

// built returns the coupe's brakes, edited.
func built(edit func(*Params)) *System {
	p := Default()
	edit(&p)
	k := New(p, coupes(), tick)
	return &k
}

// cold is the state of brakes that have the air's temperature.
func cold() (s State) {
	for i := range s.Wheels {
		s.Wheels[i].Temperature = 15
	}
	return s
}

// braking returns the brakes after a number of seconds at one input.
func braking(k *System, seconds float64, in Input) [4]WheelState {
	s := cold()
	for range int(math.Round(seconds / tick)) {
		k.Step(&s, &in)
	}
	return s.Wheels
}

func TestPedalsAndHandBrakesHoldWhatTheyShould(t *testing.T) {
	for _, tt := range []struct {
		name        string
		change      func(*Params)
		in          Input
		front, rear float64 // torque at each wheel [N·m]
	}{
		{"released", nil, Input{}, 0, 0},
		{"full pedal", nil, Input{Pedal: 1}, 5600 * 0.74 / 2, 5600 * 0.26 / 2},
		{"half pedal", nil, Input{Pedal: 0.5}, 5600 * 0.74 / 4, 5600 * 0.26 / 4},
		{"hand brake behind", nil, Input{Handbrake: 1}, 0, 1300},
		{"hand brake in front", func(b *Params) { b.HandbrakeAxle = "front" }, Input{Handbrake: 0.5}, 650, 0},
		{"hand brake on both", func(b *Params) { b.HandbrakeAxle = "both" }, Input{Handbrake: 1}, 650, 650},
		{"both pedal and hand", nil, Input{Pedal: 1, Handbrake: 1}, 2072, 728 + 1300},
	} {
		if tt.change == nil {
			tt.change = func(*Params) {}
		}
		b := braking(built(tt.change), 0.5, tt.in)
		near.Value(t, tt.name+": front", b[tire.FL].Torque, tt.front, 1e-9)
		near.Value(t, tt.name+": rear", b[tire.RR].Torque, tt.rear, 1e-9)
	}
}

// 400 N times 3.5 on 22.2 mm are 36.168 bar, and with three times the foot's force beside it 144.67 bar.
func TestLinePressure(t *testing.T) {
	curve := []PedalPoint{{0.1, 0}, {0.6, 0.2}, {1, 1}}
	for _, tt := range []struct {
		name  string
		set   func(*Params)
		input float64
		want  float64 // [bar]
	}{
		{"full", func(*Params) {}, 1, 144.673},
		{"a quarter", func(*Params) {}, 0.25, 36.168},
		{"without booster", func(b *Params) { b.Booster.Gain = 0 }, 1, 36.168},
		{"at the run-out", func(b *Params) { b.Booster.RunoutPressure = 72.3365 }, 0.5, 72.3365},
		{"beyond the run-out", func(b *Params) { b.Booster.RunoutPressure = 72.3365 }, 1, 72.3365 + 36.168/2},
		{"travel by a straight line", func(b *Params) { b.Pedal.InputKind = "travel" }, 0.5, 72.3365},
		{"free travel", func(b *Params) { b.Pedal.InputKind, b.Pedal.Curve = "travel", curve }, 0.05, 0},
		{"travel by a curve", func(b *Params) { b.Pedal.InputKind, b.Pedal.Curve = "travel", curve }, 0.8, 0.6 * 144.673},
		{"a curve does not bend force", func(b *Params) { b.Pedal.Curve = curve }, 0.5, 72.3365},
	} {
		b := braking(built(tt.set), 0.5, Input{Pedal: tt.input})
		near.Value(t, tt.name, b[tire.FL].Pressure, tt.want, 2e-3)
	}
}

func TestLimiterHoldsTheRearBack(t *testing.T) {
	c := built(func(b *Params) { b.LimiterPressure, b.LimiterSlope = 40, 0.25 })
	below := braking(c, 0.5, Input{Pedal: 0.2})
	near.Value(t, "rear below", below[tire.RL].Pressure, below[tire.FL].Pressure, 1e-9)
	above := braking(c, 0.5, Input{Pedal: 1})
	near.Value(t, "rear above", above[tire.RL].Pressure, 40+0.25*(144.673-40), 1e-2)
	near.Value(t, "front above", above[tire.FL].Pressure, 144.673, 2e-3)
	near.Value(t, "rear torque", above[tire.RL].Torque, 728*above[tire.RL].Pressure/144.673, 0.05)
}

func TestPressureFollowsWithItsLag(t *testing.T) {
	c := built(func(b *Params) { b.Lag = 0.03 })
	share := braking(c, 0.03, Input{Pedal: 1})[tire.FL].Pressure / 144.673
	near.Value(t, "share after a time constant", share, 1-1/math.E, 0.01)
	c = built(func(b *Params) { b.Lag = 0 })
	near.Value(t, "without lag", braking(c, tick, Input{Pedal: 1})[tire.FL].Pressure, 144.673, 2e-3)
}

func TestElectronicsMayAskForPressureBesideTheDriver(t *testing.T) {
	ask := [4]float64{tire.FR: 0.5, tire.RL: 0.1, tire.RR: math.Inf(1)}
	got := braking(built(func(*Params) {}), 0.5, Input{Pedal: 0.2, Request: ask})
	for i, want := range [4]float64{0.2, 0.5, 0.2, 1} {
		near.Value(t, "share of full pressure", got[i].Pressure/144.673, want, 1e-4)
	}
}

func TestBrakesSayWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Params)
		want   string // empty if nothing is
	}{
		{"default", func(*Params) {}, ""},
		{"no lag", func(b *Params) { b.Lag = 0 }, ""},
		{"hand brake's axle", func(b *Params) { b.HandbrakeAxle = "middle" }, `handbrake_axle = "middle": must be both, front or rear`},
		{"negative lag", func(b *Params) { b.Lag = -0.1 }, "lag_s = -0.1: must be 0 to 1"},
		{"limiter that lifts", func(b *Params) { b.LimiterSlope = 1.5 }, "limiter_slope = 1.5"},
		{"pedal", func(b *Params) { b.Pedal.InputKind = "hope" }, `pedal.by = "hope": must be force or travel`},
		{"no force", func(b *Params) { b.Pedal.FullForce = math.NaN() }, "pedal.full_force_n = NaN"},
		{"curve that falls", func(b *Params) { b.Pedal.Curve = []PedalPoint{{0, 0.5}, {0.5, 0.2}, {1, 1}} }, "pedal.curve[1].force = 0.2: must not fall from the 0.5 before"},
		{"curve that ends early", func(b *Params) { b.Pedal.Curve = []PedalPoint{{0, 0}, {0.5, 1}} }, "pedal.curve[1] = 0.5, 1: end with"},
		{"booster", func(b *Params) { b.Booster.RunoutPressure = 0 }, "booster.runout_bar = 0"},
		{"light disc", func(b *Params) { b.RearDisc.HeatCapacity = 5 }, "rear_disc.heat_capacity_j_per_k = 5: must be 0 (by the brake) or 100"},
		{"no fade points", func(b *Params) { b.FrontDisc.Fade = nil }, "front_disc.fade has 0 entries: must be 1 to 32"},
		{"fade that goes back", func(b *Params) { b.FrontDisc.Fade = []FadePoint{{300, 1}, {200, 0.5}} }, "front_disc.fade[1].temperature_c = 200"},
		{"slow valves", func(b *Params) { b.ABS.ReleaseRate = 1 }, "abs.release_bar_per_s = 1"},
	} {
		b := Default()
		tt.change(&b)
		err := b.Validate()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
