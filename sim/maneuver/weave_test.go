package maneuver

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// drawn is a cycle by formula: the angle is a sine of 1 rad, the lateral acceleration 3 m/s²/rad late by a
// phase, and the torque 2 N·m for each m/s², with dry friction of 0.5 N·m.
func drawn(phase float64) *weaveCycle {
	c := newWeaveCycle()
	for i := range weaveSamples {
		at := 2 * math.Pi * float64(i) / weaveSamples
		c.angle[i], c.ay[i] = math.Sin(at), 3*math.Sin(at-phase)
		c.yaw[i] = 0.1 * math.Sin(at-phase/2)
		c.torque[i] = 2*c.ay[i] + math.Copysign(0.5, math.Cos(at+1e-3))
	}
	return &c
}

// With the phase φ the loop crosses 0 g at ±sin(φ) of the angle and 0° at ±sin(φ) of the acceleration, and its
// slope there is the gain over cos(φ).
func TestWeaveFiguresOfADrawnLoop(t *testing.T) {
	const phase = 0.2
	r := &Result{}
	r.addWeaveMetrics(drawn(phase))
	sin, cos := math.Sincos(phase)
	for name, want := range map[string]float64{
		"wheel_amplitude_deg":           1 / degree,
		"peak_ay_g":                     3 / gravity,
		"min_sensitivity_g_per_100deg":  100 * degree * 3 / cos / gravity,
		"angle_deadband_deg":            2 * sin / degree,
		"ay_hysteresis_g":               2 * 3 * sin / gravity,
		"ay_lag_ms":                     1e3 * phase / (2 * math.Pi * 0.2),
		"yaw_gain_wheel_1ps":            0.1 * math.Cos(phase/2),
		"yaw_deadband_deg":              2 * math.Sin(phase/2) / degree,
		"yaw_hysteresis_degps":          2 * 0.1 * math.Sin(phase/2) / degree,
		"yaw_lag_ms":                    1e3 * phase / 2 / (2 * math.Pi * 0.2),
		"torque_0g_nm":                  0.5,
		"torque_gradient_0g_nm_per_g":   2 * gravity,
		"torque_0_1g_nm":                2*0.1*gravity + 0.5,
		"torque_gradient_0_1g_nm_per_g": 2 * gravity,
		"stiffness_nm_per_deg":          2 * 3 * cos * degree,
		"friction_torque_nm":            0.5 - 2*3*sin, // the car's lag turns the loop round
		"lost_work_j":                   4*0.5 - math.Pi*2*3*sin,
	} {
		near.Value(t, name, figure(t, r, name), want, 0.005*math.Abs(want)+1e-6)
	}
	// Without lag the loop of torque is a strip: friction leaves 0.5 N·m / 2 of the acceleration.
	r = &Result{}
	r.addWeaveMetrics(drawn(0))
	near.Value(t, "returnability", figure(t, r, "ay_0nm_g"), 0.25/gravity, 1e-5)
	near.Value(t, "angle hysteresis", figure(t, r, "angle_hysteresis_deg"), 2*0.25/3/degree, 1e-3)
	near.Value(t, "work to the amplitude", figure(t, r, "steering_work_j"), 0.5*2*3+0.5, 0.02)
}

// A slow steering has the steady gain, v times the yaw rate's.
func TestWeaveSensitivityIsTheSingleTrackModels(t *testing.T) {
	p := frictionless()
	const speed = 12.0 // the phase is small there
	r := do(t, "weave", p, Options{Speed: speed})
	want := singleTrack(p)(speed) * speed / p.Steering.Ratio * 100 * degree / gravity
	near.Value(t, "sensitivity over the model's", figure(t, r, "sensitivity_g_per_100deg")/want, 1, 0.02)
	near.Value(t, "yaw gain over the model's", figure(t, r, "yaw_gain_wheel_1ps")/(singleTrack(p)(speed)/p.Steering.Ratio), 1, 0.02)
	near.Value(t, "peak", figure(t, r, "peak_ay_g"), 2/gravity, 0.01*2/gravity)
}

// Where the side force acts at the contact's middle, the caster trail adds to the torque's gradient the front
// axle's share of the weight times the trail, over the ratio. The load acts on the trail too, as the kingpins
// lean with the body: by the roll gradient.
func TestCasterTrailAddsItsWeightToTheWeavesTorque(t *testing.T) {
	level.SkipIfQuick(t)
	p := sim.DefaultCar()
	p.Front.Tire.Model, p.Rear.Tire.Model = "dugoff", "dugoff"
	lean := figure(t, do(t, "steady-circle", p, Options{Speed: 15}), "roll_gradient_deg_per_g") * degree
	gradientWith := func(trail float64) float64 {
		p.Steering.CasterTrail = trail
		return figure(t, do(t, "weave", p, Options{Speed: 15}), "torque_gradient_0g_nm_per_g")
	}
	const trail = 0.03 // [m]
	front := p.Mass * p.Gravity * (1 - p.CGToFront/p.Wheelbase)
	want := front * trail * (1 + lean) / p.Steering.Ratio
	near.Value(t, "gradient at 0 g by the trail [N·m/g]", gradientWith(trail)-gradientWith(0), want, 0.02*want)
}

// Dry friction F of the rack adds 2·F times its travel for each radian of the steering wheel to the height of
// the loop.
func TestRackFrictionIsTheHysteresisOfTheWeave(t *testing.T) {
	level.SkipIfQuick(t)
	const friction = 250.0 // [N]
	p := sim.DefaultCar()
	bare := do(t, "weave", p, Options{})
	p.Steering.RackFriction = friction
	rubbing := do(t, "weave", p, Options{})
	gain := p.Steering.RackPerRev / (2 * math.Pi)
	for _, name := range []string{"torque_0g_nm", "friction_torque_nm"} {
		added := 2 * (figure(t, rubbing, name) - figure(t, bare, name))
		near.Value(t, name+", both ways", added, 2*friction*gain, 0.01*2*friction*gain)
	}
	same := figure(t, rubbing, "torque_gradient_0g_nm_per_g") / figure(t, bare, "torque_gradient_0g_nm_per_g")
	near.Value(t, "gradient with friction over that without", same, 1, 0.01)
	// In a cycle friction takes four times its torque on the amplitude, less where it turns round.
	amplitude := figure(t, rubbing, "wheel_amplitude_deg") * degree
	lost := figure(t, rubbing, "lost_work_j") - figure(t, bare, "lost_work_j")
	near.Value(t, "work of friction", lost, 4*friction*(gain*amplitude-p.Steering.FrictionTravel), 0.02*lost)
}

func TestWeaveFiguresAreThoseOfTheMirroredWeave(t *testing.T) {
	p := sim.DefaultCar()
	p.Steering.RackFriction = 250
	figures := func(side float64) []Metric {
		tr, err := newRun(p, road.Asphalt(), Options{Rate: 100, Dt: sim.Dt})
		if err != nil {
			t.Fatal(err)
		}
		cycle, ok := tr.weave(side*0.1, weaveSpeed, 1)
		if !ok {
			t.Fatal("spun")
		}
		r := &Result{}
		r.addWeaveMetrics(&cycle)
		return r.Metrics
	}
	left, right := figures(1), figures(-1)
	for i, m := range left {
		near.Value(t, m.Name, right[i].Value.(float64), m.Value.(float64), 1e-9)
	}
}

func TestWeaveOfCarsThatDoNotReachItsTarget(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name, note string
		speed      float64
		change     func(p *sim.Params)
	}{
		{"on ice", "does not reach 2 m/s²", 0, func(p *sim.Params) {
			p.Front.Tire.Brush.Friction, p.Rear.Tire.Brush.Friction = 0.15, 0.15
		}},
		{"at walking pace", "does not reach 2 m/s²", 1, func(*sim.Params) {}},
		{"without any torque", "stays below 0.2 N·m", 0, func(p *sim.Params) {
			p.Front.Tire.Model, p.Steering.CasterTrail, p.Gyroscopes = "dugoff", 0, false
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := sim.DefaultCar()
			tt.change(&p)
			r := do(t, "weave", p, Options{Speed: tt.speed})
			if notes := strings.Join(r.Notes, "; "); !strings.Contains(notes, tt.note) {
				t.Errorf("notes %s", notes)
			}
			sound(t, r)
		})
	}
}
