package sim

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// swinging is the coupe on solid axles with joints.
func swinging() Params {
	p := DefaultCar()
	p.Front.Joint = suspension.Joint{Rate: 180e3, Damping: 4e3, LeanWithBody: 0.3}
	p.Rear.Joint = suspension.Joint{Rate: 250e3, Damping: 6e3, YawByTires: true}
	return p
}

// Newton for the body without its axles: in a steady turn the joints push it with
// its mass times its lateral acceleration, gravity counted in.
func TestJointsCarryTheBodyRoundTheBend(t *testing.T) {
	p := swinging()
	c := newCar(t, p, Dt)
	s := rolling(c, 20, 3)
	cruise(c, &s, 8, 20, 0.5, 3)
	joints := 180e3*s.Joints[0].Shift + 250e3*s.Joints[1].Shift
	body := p.Mass - 4*p.Front.UnsprungMass
	near.Value(t, "push of the joints over mass times acceleration", joints/(body*s.SpecificForce.Y), 1, 1e-3)
	if s.Joints[0].Shift < 0.01 {
		t.Errorf("the front axle swings out by %.4f m", s.Joints[0].Shift)
	}
}

// An axle of mass m swings against a free body: the frequency is that of
// m (1 - m G), where G = 1/M + x²/Izz + z²/Ixx is how the whole car yields to a push at
// the axle, x ahead of the center of mass and z above it.
func TestAnAxleSwingsAtItsFrequency(t *testing.T) {
	p := DefaultCar()
	p.DragArea, p.InertiaXX, p.InertiaXZ = 0, 4000, 0
	p.Front.Joint = suspension.Joint{Rate: 20e3}
	c := newCar(t, p, 1e-4)
	s := c.Rest(r3.Vec{}, 0)
	s.Pos.Z = 500
	run(c, &s, 1, Input{}) // the wheels drop to the ends of their travel
	s.Joints[0].Shift = 0.02
	m := 2 * p.Front.UnsprungMass
	const z = 0.29 - 0.52
	yields := 1/p.Mass + p.CGToFront*p.CGToFront/p.InertiaZZ + z*z/p.InertiaXX
	period := 2 * math.Pi / math.Sqrt(p.Front.Joint.Rate/(m*(1-m*yields)))
	run(c, &s, math.Round(period*1e4)/1e4, Input{})
	near.Value(t, "shift after one period", s.Joints[0].Shift, 0.02, 0.02*0.05) // the step's own damping takes a few percent
	near.Value(t, "speed after one period", s.Joints[0].Speed*period/(2*math.Pi), 0, 0.02*0.02)
}

func TestSwingingAxlesKeepMomentumInTheAir(t *testing.T) {
	for name, edit := range map[string]func(*Params){
		"both":            func(*Params) {},
		"yaw by tires":    func(p *Params) { p.Front.Joint.YawByTires = true },
		"in front":        func(p *Params) { p.Rear.Joint = suspension.Joint{} },
		"a skewed body":   func(p *Params) { p.InertiaXY, p.InertiaYZ = 150, -40 },
		"heavy axles":     func(p *Params) { p.Front.UnsprungMass, p.Rear.UnsprungMass, p.InertiaXX = 120, 120, 700 },
		"hard and damped": func(p *Params) { p.Front.Joint = suspension.Joint{Rate: 1e8, Damping: 1e6} },
	} {
		t.Run(name, func(t *testing.T) {
			p := swinging()
			p.DragArea = 0
			edit(&p)
			c := newCar(t, p, Dt)
			s := c.Rest(r3.Vec{}, 0)
			s.Pos.Z, s.Vel, s.Rate = 100, r3.Vec{X: 20, Y: -3, Z: 4}, r3.Vec{X: 2, Y: -1, Z: 1.5}
			s.Joints[0].Shift = 0.05
			p0, l0 := swingingFlight(c, &s)
			run(c, &s, 3, Input{})
			p1, l1 := swingingFlight(c, &s)
			p0.Z -= 3 * p.Mass * gravity
			near.Value(t, "change of momentum", r3.Norm(r3.Sub(p1, p0))/r3.Norm(p0), 0, 1e-9)
			near.Value(t, "change of angular momentum", r3.Norm(r3.Sub(l1, l0))/r3.Norm(l0), 0, 1e-9)
		})
	}
}

// swingingFlight is flight for a car whose axles swing.
func swingingFlight(c *Car, s *State) (linear, angular r3.Vec) {
	b := chassis.AxesOf(s.Att)
	linear, angular = flight(c, s)
	own := swayMomentum(c, s)
	return r3.Add(linear, r3.Scale(own.Lateral, b.Y)), r3.Add(angular, b.ToWorld(own.Angular))
}

// swayMomentum is what axles on joints have from swaying in the body: their wheels' mass, at their hubs.
func swayMomentum(c *Car, s *State) (all chassis.Momentum) {
	for i := range s.Joints {
		k, own := &c.suspension.Corners[2*i], 2*c.p.axle(2*i).UnsprungMass*s.Joints[i].Speed
		hub := k.HubAt(k.RestTravel)
		if c.p.axle(2 * i).Joint.YawByTires {
			hub.X = 0
		}
		all.Lateral += own
		all.Angular = r3.Add(all.Angular, r3.Vec{X: -hub.Z * own, Z: hub.X * own})
	}
	return all
}

// leaning is a tire that does nothing but overturn its wheel.
type leaning float64

func (m leaning) Forces(c tire.Contact) tire.Forces {
	if c.Load <= 0 {
		return tire.Forces{}
	}
	return tire.Forces{Mx: float64(m)}
}

func (m leaning) Capacity(c tire.Contact) tire.Capacity {
	return tire.Capacity{StiffnessX: 1, StiffnessY: 1, ForceX: 1e-3, ForceY: 1e-3, RelaxationX: 0.1, RelaxationY: 0.1, HalfLength: 0.05}
}

// leaningCar is the coupe without bars on such tires.
func leaningCar(t *testing.T, moment float64, edit func(*suspension.Params)) *Car {
	t.Helper()
	p := DefaultCar()
	p.TrackRear = p.TrackFront
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.BarRate = 0
		a.Tire.Model = "leaning.tir"
		a.Tire.File = &tire.Tire{Name: "leaning", Model: leaning(moment), NominalLoad: 4000, Radius: a.Wheel.Radius}
		edit(a)
	}
	return newCar(t, p, Dt)
}

// What overturns a solid axle stays below its springs: loads move, travels do not,
// but for what the weight of the body does that leans on its tires, 2 % here.
func TestOverturningASolidAxlePassesTheSpringsBy(t *testing.T) {
	c := leaningCar(t, 60, func(a *suspension.Params) { a.Joint = suspension.Joint{Rate: 200e3, Damping: 5e3} })
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 4, Input{})
	for left := tire.FL; left <= tire.RL; left += 2 {
		l, r := &s.Wheels[left], &s.Wheels[left+1]
		near.Value(t, "load moved to the right [N]", r.Load-l.Load, 4*60/c.p.TrackFront, 4)
		near.Value(t, "difference of the travels [m]", l.Travel-r.Travel, 0, 2e-4) // 5.6 mm by springs
	}
}

// The same on an independent wheel works on its travel by what the wheel leans
// for it: a left wheel whose top goes out in bump is pushed down by a moment to the right.
func TestOverturningWorksOnAWheelThatLeansInBump(t *testing.T) {
	const gain = 20 // [deg/m], top out
	c := leaningCar(t, 60, func(a *suspension.Params) { a.Kinematics.CamberGain = gain })
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 2, Input{})
	want := gain * math.Pi / 180 * 60.0
	for i, side := range []float64{1, -1, 1, -1} {
		near.Value(t, "force of the links [N]", s.Wheels[i].LinkForce, -side*want, 0.02*want)
	}
}

// Virtual work: what the moments do for a small travel is their product with the
// turn of the wheel's axis, whatever the steering.
func TestTheMomentsWorkOnTheLinks(t *testing.T) {
	p := DefaultCar()
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Kinematics.Camber, a.Kinematics.Toe = -2, 1
		a.Kinematics.CamberGain, a.Kinematics.CamberCurvature, a.Kinematics.ToeGain = -30, 100, 12
	}
	c := newCar(t, p, Dt)
	for _, steer := range []float64{0, 4, -4} {
		s := c.Rest(r3.Vec{}, 0.4)
		angles := c.steer(&s, Input{Steer: steer})
		at := func(i int, off float64) suspension.Pose {
			moved := s
			moved.Wheels[i].Travel += off
			return c.stands(&moved, &angles).poses[i]
		}
		for i := range s.Wheels {
			const h = 1e-5 // [m]
			from, to, here := at(i, -h).Axle, at(i, h).Axle, at(i, 0)
			turn := r3.Scale(1/(2*h), r3.Cross(from, to)) // of the axis [rad/m]
			twist := r3.Cross(here.Axle, here.DAxle)
			near.Value(t, "twist less the axis' turn", r3.Norm(r3.Sub(twist, turn))/r3.Norm(turn), 0, 1e-5)
		}
	}
}

func TestAJointIsStable(t *testing.T) {
	for _, dt := range []float64{1e-3, 2e-3, 5e-3} {
		for _, j := range []suspension.Joint{{Rate: 1e4, Damping: 2e3}, {Rate: 180e3, Damping: 4e3, LeanWithBody: 1}, {Rate: 1e8}, {Rate: 1e8, Damping: 1e6}} {
			p := DefaultCar()
			p.Front.Joint, p.Rear.Joint = j, j
			p.Front.UnsprungMass, p.Rear.UnsprungMass = 80, 100
			c := newCar(t, p, dt)
			rng := rand.New(rand.NewPCG(3, 5))
			s := rolling(c, 30, 4)
			var in Input
			for tick := range int(6 / dt) {
				if tick%200 == 0 {
					in = Input{Steer: rng.Float64()*2 - 1, Throttle: rng.Float64(), Brake: rng.Float64() * 0.6, Gear: 4}
				}
				c.Step(&s, in)
				if v := math.Abs(s.Joints[0].Shift) + math.Abs(s.Joints[1].Shift); !(v < 60e3/j.Rate+0.05) || !(r3.Norm(s.Vel) < 60) {
					t.Fatalf("dt %g, %+v, tick %d: shifts %+v, %.1f m/s", dt, j, tick, s.Joints, r3.Norm(s.Vel))
				}
			}
		}
	}
}

func TestASwingAllocatesNothing(t *testing.T) {
	c := newCar(t, swinging(), Dt)
	s := rolling(c, 20, 3)
	if n := testing.AllocsPerRun(1000, func() { c.Step(&s, Input{Steer: 0.5, Gear: 3}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestTheHashKnowsASwing(t *testing.T) {
	s := coupe(t).Rest(r3.Vec{}, 0)
	still := s.Hash()
	for _, v := range []*float64{&s.Joints[0].Shift, &s.Joints[0].Speed, &s.Joints[1].Shift, &s.Joints[1].Speed} {
		if *v = 1e-300; s.Hash() == still {
			t.Error("a swing does not change the hash")
		}
		*v = 0
	}
}

func TestJointsAreChecked(t *testing.T) {
	for _, tt := range []struct {
		name string
		j    suspension.Joint
		want string
	}{
		{"off", suspension.Joint{}, ""},
		{"on", suspension.Joint{Rate: 175e3, Damping: 10e3, LeanWithBody: 0.3, YawByTires: true}, ""},
		{"soft", suspension.Joint{Rate: 10}, "rate_n_per_m = 10: must be 0 (rigid) or 10000 to 1e+08"},
		{"NaN", suspension.Joint{Rate: math.NaN()}, "rate_n_per_m = NaN"},
		{"pushes", suspension.Joint{Rate: 1e5, Damping: -1}, "damping_ns_per_m = -1"},
		{"too far", suspension.Joint{Rate: 1e5, LeanWithBody: 2}, "lean = 2: must be 0 to 1"},
		{"damper alone", suspension.Joint{Damping: 1e3}, "give that too"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.j.Validate()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestABodyWithoutMassOfItsOwnIsRefused(t *testing.T) {
	p := swinging()
	p.Front.UnsprungMass, p.Rear.UnsprungMass = 330, 330
	p.InertiaXX, p.InertiaYY = 3000, 5000
	if _, err := New(p, coupe(t).ground, Dt); err == nil || !strings.Contains(err.Error(), "joints") {
		t.Errorf("error %v", err)
	}
}
