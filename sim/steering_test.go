package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// steered returns the coupe with another steering.
func steered(edit func(*Steering)) Params {
	p := DefaultCar()
	edit(&p.Steering)
	return p
}

// everything gives a steering all that one can have.
func everything(s *Steering) {
	s.RatioTable = []RatioPoint{{90, 15}, {360, 12}}
	s.Geometry = "linkage"
	s.CasterAngle, s.Inclination, s.Scrub, s.Caster = 6, 12, 0.015, 0.02
	s.RackMass, s.Friction, s.Assist.Enabled = 30, 250, true
	s.RearSteer = []RearPoint{{0, -0.2}, {60, 0}, {120, 0.08}}
}

// turnedTo returns how a car that drives at a speed [m/s] is steered.
func turnedTo(t *testing.T, p Params, wheel, speed float64) steerAngles {
	t.Helper()
	return newCar(t, p, Dt).steer(&State{Speed: speed}, Input{Steer: wheel})
}

func TestAckermannLeadsFromParallelToOnePoint(t *testing.T) {
	for _, wheel := range []float64{0.3, 3, 8, -5} {
		parallel := turnedTo(t, steered(func(s *Steering) { s.Ackermann = 0 }), wheel, 0)
		near.Value(t, "parallel, left", parallel.angle[tire.FL], wheel/14.5, 1e-12)
		near.Value(t, "parallel, right", parallel.angle[tire.FR], wheel/14.5, 1e-12)

		// Rolling about one point on the rear axle's line: cot(right) - cot(left) = track/wheelbase.
		rolling := turnedTo(t, steered(func(s *Steering) { s.Ackermann = 1 }), wheel, 0)
		apart := 1/math.Tan(rolling.angle[tire.FR]) - 1/math.Tan(rolling.angle[tire.FL])
		near.Value(t, "difference of the cotangents", apart, 1.52/2.66, 1e-9)
	}
}

func TestSteeringStopsAtItsLock(t *testing.T) {
	p := steered(func(s *Steering) { s.Ackermann = 0 })
	for _, wheel := range []float64{10, 100, math.Inf(1)} {
		c, in := newCar(t, p, Dt), Input{Steer: wheel}
		c.sane(&in)
		a := c.steer(&State{}, in)
		near.Value(t, "angle", a.angle[tire.FL], 36*math.Pi/180, 1e-12)
		near.Value(t, "rack", a.rack, 36*math.Pi/180*14.5*0.05/(2*math.Pi), 1e-12)
	}
}

func TestGainIsTheSlopeOfTheAngle(t *testing.T) {
	const step = 1e-5
	for name, edit := range map[string]func(*Steering){"ackermann": func(*Steering) {}, "everything": everything} {
		p := steered(edit)
		for _, wheel := range []float64{-6, -2.5, 0.001, 1, 4, 7} {
			a := turnedTo(t, p, wheel, 0)
			less, more := turnedTo(t, p, wheel-step, 0), turnedTo(t, p, wheel+step, 0)
			for i := tire.FL; i <= tire.FR; i++ {
				near.Value(t, name+": gain", a.gain[i], (more.angle[i]-less.angle[i])/(2*step), 1e-8)
			}
			near.Value(t, name+": lever", a.lever, (more.rack-less.rack)/(2*step), 1e-9)
		}
	}
}

// By hand: the gain grows from 1/16 at 90° to 1/12 at 360°.
func TestRatioByTable(t *testing.T) {
	s := DefaultSteering()
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
			mean, gain := g.mean(side * tt.wheel * degree)
			near.Value(t, "mean angle", mean/degree, side*tt.mean, 1e-12)
			near.Value(t, "gain", gain, tt.gain, 1e-15)
			near.Value(t, "back again", g.wheel(mean)/degree, side*tt.wheel, 1e-9)
		}
	}
}

func TestRearWheelsSteerBySpeed(t *testing.T) {
	p := steered(func(s *Steering) {
		s.Ackermann = 0
		s.RearSteer = []RearPoint{{10, -0.3}, {60, 0}, {100, 0.1}}
	})
	for _, tt := range []struct{ kph, share float64 }{
		{0, -0.3}, {10, -0.3}, {35, -0.15}, {-35, -0.15}, {60, 0}, {80, 0.05}, {250, 0.1},
	} {
		a := turnedTo(t, p, 2.9, tt.kph/3.6)
		near.Value(t, "left", a.angle[tire.RL], tt.share*0.2, 1e-12)
		near.Value(t, "right", a.angle[tire.RR], tt.share*0.2, 1e-12)
		near.Value(t, "gain", a.gain[tire.RL]+a.gain[tire.RR], 0, 0)
	}
	none := turnedTo(t, DefaultCar(), 2.9, 10)
	near.Value(t, "without a table", none.angle[tire.RL], 0, 0)
}

func TestOppositeRearSteerTightensATurn(t *testing.T) {
	yaw := func(share float64) float64 {
		c := newCar(t, steered(func(s *Steering) { s.RearSteer = []RearPoint{{0, share}} }), Dt)
		s := rolling(c, 5, 2)
		cruise(c, &s, 4, 5, 2, 2)
		return s.Rate.Z / s.Speed
	}
	// Slow: curvature is (front - rear)/wheelbase.
	near.Value(t, "curvature with -0.3", yaw(-0.3)/yaw(0), 1.3, 0.02)
	near.Value(t, "curvature with +0.3", yaw(0.3)/yaw(0), 0.7, 0.02)
}

func TestSteeringRefusesNonsense(t *testing.T) {
	tests := []struct {
		name string
		edit func(*Steering)
		want string
	}{
		{"ratio 0", func(s *Steering) { s.Ratio = 0 }, "steering.ratio = 0"},
		{"unknown geometry", func(s *Steering) { s.Geometry = "ackerman" }, `steering.geometry = "ackerman" is not known; choose ackermann, linkage`},
		{"falling table", func(s *Steering) { s.RatioTable = []RatioPoint{{90, 15}, {80, 14}} }, "steering.ratio_table[1].wheel_deg = 80"},
		{"no number", func(s *Steering) { s.CasterAngle = math.NaN() }, "steering.caster_deg = NaN"},
		{"rack at the axle", func(s *Steering) { s.Linkage.RackAhead = 0 }, "steering.linkage.rack_ahead_m = 0"},
		{"share of 2", func(s *Steering) { s.RearSteer = []RearPoint{{0, 2}} }, "steering.rear_steer[0].share = 2"},
		{"falling speeds", func(s *Steering) { s.RearSteer = []RearPoint{{50, 0}, {20, 0}} }, "steering.rear_steer[1].speed_kph = 20"},
		{"falling assist", func(s *Steering) { s.Assist.Curve = []AssistPoint{{1, 5}, {2, 4}} }, "steering.assist.curve[1].assist_nm = 4"},
		{"assist twice", func(s *Steering) { s.Assist.Curve = []AssistPoint{{1, 5}, {1, 6}} }, "steering.assist.curve[1].driver_nm = 1"},
		{"assist without a curve", func(s *Steering) { s.Assist = Assist{Enabled: true} }, "steering.assist.curve is empty"},
		{"negative factor", func(s *Steering) { s.Assist.BySpeed = []AssistSpeed{{0, -1}} }, "steering.assist.by_speed[0].factor = -1"},
		{"keys without a rate", func(s *Steering) { s.Keys.Rate = 0 }, "steering.keys.rate_deg_per_s = 0"},
		{"keys without a lock", func(s *Steering) { s.Keys.BySpeed = []KeysLock{{0, 0}} }, "steering.keys.by_speed[0].lock_deg = 0"},
	}
	for _, tt := range tests {
		err := steered(tt.edit).Validate()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	if err := steered(everything).Validate(); err != nil {
		t.Errorf("a steering with everything: %v", err)
	}
}

func TestParamsKeepNothingOfTheCallersSteering(t *testing.T) {
	p := steered(everything)
	c := newCar(t, p, Dt)
	p.Steering.RatioTable[0].Ratio = 1
	p.Steering.RearSteer[0].Share = 1
	p.Steering.Assist.Curve[0].Assist = 1
	p.Steering.Assist.BySpeed[0].Factor = 0
	own := c.Params().Steering
	if own.RatioTable[0].Ratio != 15 || own.RearSteer[0].Share != -0.2 || own.Assist.Curve[0].Assist != 0 || own.Assist.BySpeed[0].Factor != 1 {
		t.Errorf("changed with the caller's: %+v", own)
	}
	if felt := c.steering.assist.felt(6, 0); math.Abs(felt-2) > 1e-12 {
		t.Errorf("assist leaves %g N·m of 6, want 2", felt)
	}
}

// pressed is a wheel steered by an angle [rad] about a kingpin of a level car, with
// its contact at a place below the hub [m] and what the road does there.
func pressed(k *kingpin, angle float64, below, force, moment r3.Vec) patch {
	sin, cos := math.Sincos(angle)
	return patch{
		pin:   k.axis,
		lever: r3.Add(r3.Add(k.foot, k.hub(sin, cos)), below),
		axle:  k.turn(r3.Vec{Y: 1}, sin, cos),
		force: force, moment: moment,
	}
}

// The work of the rack, and of the steering wheel, is that of the road on both
// tires: virtual work, with the turn about each kingpin by quaternions.
func TestWorkOfTheRackIsWorkOfTheRoad(t *testing.T) {
	const step = 2e-5
	p := steered(func(s *Steering) {
		everything(s)
		s.RackMass, s.Friction, s.Assist.Enabled = 0, 0, false
	})
	c := newCar(t, p, Dt)
	forces := [2]r3.Vec{{X: -2100, Y: 1900, Z: 4200}, {X: 350, Y: 2700, Z: 5600}}
	moments := [2]r3.Vec{{X: 40, Y: 5, Z: -60}, {X: -25, Y: 3, Z: -90}}
	for _, wheel := range []float64{-5, -0.7, 0, 0.4, 2, 6} {
		a := c.steer(&State{}, Input{Steer: wheel})
		less, more := c.steer(&State{}, Input{Steer: wheel - step}), c.steer(&State{}, Input{Steer: wheel + step})
		var ps [4]patch
		work := 0.0
		for i := tire.FL; i <= tire.FR; i++ {
			height := c.steering.pins[i].foot.Z
			ps[i] = pressed(&c.steering.pins[i], a.angle[i], r3.Vec{Z: -height}, forces[i], moments[i])
			k := kingpinByHand(6, 12, 0.015, 0.02, 1-2*float64(i))
			contact := r3.Add(k.toHub(a.angle[i], height), r3.Vec{Z: -height}) // now, from the kingpin's foot
			back := r3.NewRotation(less.angle[i]-a.angle[i], k.axis).Rotate(contact)
			ahead := r3.NewRotation(more.angle[i]-a.angle[i], k.axis).Rotate(contact)
			work += r3.Dot(forces[i], r3.Sub(ahead, back)) + r3.Dot(moments[i], k.axis)*(more.angle[i]-less.angle[i])
		}
		var s State
		torque := c.steeringTorque(&s, &ps, &a)
		size := math.Abs(work / (more.rack - less.rack))
		near.Value(t, "rack force", s.Steering.Force, work/(more.rack-less.rack), 1e-6*size)
		near.Value(t, "column torque", torque, work/(2*step), 1e-6*math.Abs(work/(2*step)))
		if size < 100 {
			t.Errorf("rack force of %.0f N: the test has nothing to compare", size)
		}
	}
}

// The normal force of a tire has a potential, its deflection's: what the column feels
// of it is the slope of that, whatever way the car leans and its links hold the wheels.
func TestColumnFeelsTheLoadOfALeaningCar(t *testing.T) {
	const step = 1e-5
	p := steered(func(s *Steering) {
		everything(s)
		s.RackMass, s.Friction, s.Assist.Enabled = 0, 0, false
	})
	p.Front.Kinematics.Camber, p.Front.Kinematics.Toe, p.Front.Kinematics.CamberGain = -1.5, 0.3, -15
	c := newCar(t, p, Dt)
	load := [2]float64{2900, 5300} // [N], whatever the tires deflect
	for _, att := range []quat.Number{turn(0), turn(0.08), chassis.Unit(quat.Number{Real: 1, Imag: -0.1, Jmag: 0.05, Kmag: 0.7})} {
		s := c.Rest(r3.Vec{}, 0)
		s.Att = att
		at := func(wheel float64) (steerAngles, [4]patch) {
			a := c.steer(&s, Input{Steer: wheel})
			body := chassis.AxesOf(s.Att)
			var ps [4]patch
			c.touch(&s, &body, &a, &ps)
			return a, ps
		}
		for _, wheel := range []float64{-5, -1, 0.1, 3, 7} {
			_, less := at(wheel - step)
			_, more := at(wheel + step)
			a, ps := at(wheel)
			want := 0.0
			for i := tire.FL; i <= tire.FR; i++ {
				ps[i].force = r3.Scale(load[i], ps[i].normal)
				want -= load[i] / ps[i].perLean * (more[i].squeeze - less[i].squeeze) / (2 * step)
			}
			near.Value(t, "column torque", c.steeringTorque(&s, &ps, &a), want, 1e-6*math.Abs(want)+1e-7)
		}
	}
}

// handKingpin is an axis by its angles, apart from the code under test.
type handKingpin struct{ axis, contact r3.Vec }

// kingpinByHand takes degrees and metres, and 1 for the left or -1 for the right side.
func kingpinByHand(caster, inclination, scrub, trail, side float64) handKingpin {
	lean := r3.Vec{X: -math.Tan(caster * math.Pi / 180), Y: -side * math.Tan(inclination*math.Pi/180), Z: 1}
	return handKingpin{r3.Scale(1/r3.Norm(lean), lean), r3.Vec{X: -trail, Y: side * scrub}}
}

// toHub returns the way from the kingpin's foot to the hub of a steered wheel.
func (k handKingpin) toHub(angle, height float64) r3.Vec {
	return r3.NewRotation(angle, k.axis).Rotate(r3.Add(k.contact, r3.Vec{Z: height}))
}

func BenchmarkSteering(b *testing.B) {
	c := newCar(b, steered(everything), Dt)
	s := rolling(c, 20, 3)
	in := Input{Steer: 0.4}
	a := c.steer(&s, in)
	var ps [4]patch
	body := chassis.AxesOf(s.Att)
	c.touch(&s, &body, &a, &ps)
	b.Run("steer", func(b *testing.B) {
		for b.Loop() {
			a = c.steer(&s, in)
		}
	})
	b.Run("pose", func(b *testing.B) {
		k := &c.steering.pins[tire.FL]
		for b.Loop() {
			ps[tire.FL].lever = k.hub(a.sin[tire.FL], a.cos[tire.FL])
			ps[tire.FL].axle = k.turn(r3.Vec{Y: 1}, a.sin[tire.FL], a.cos[tire.FL])
		}
	})
	b.Run("torque", func(b *testing.B) {
		for b.Loop() {
			s.ColumnTorque = c.steeringTorque(&s, &ps, &a)
		}
	})
}
