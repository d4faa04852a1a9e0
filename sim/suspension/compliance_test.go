package suspension

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

const degree = math.Pi / 180

// yielding is an axle whose wheels give way.
func yielding() Params {
	p := soft()
	p.Compliance = Compliance{ToeByAligning: 0.5, ToeBySideForce: 0.2, CamberBySideForce: 0.4}
	return p
}

// rig holds the body of a wheel, and loads its tire.
type rig struct {
	Corner
	state   State
	pose    Pose
	contact Contact
}

func rigOf(t *testing.T, wheel int, p *Params, dt float64) *rig {
	t.Helper()
	k, err := NewCorner(p, stationOf(t, wheel, p), dt)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{Corner: k, state: State{Travel: k.RestTravel}}
}

// touch places the wheel and returns the speed of its contact to the left by the elastic angles [m/s].
func (r *rig) touch() float64 {
	b := chassis.AxesOf(chassis.UprightAttitude(r3.Vec{Z: 1}, 0))
	r.Place(&r.pose, &r.state, r3.Vec{Z: 0.5}, &b, nil, 0, 0, 1)
	r.Touch(&r.contact, &r.pose, &r.state, road.Asphalt(), r.vertical.FreeRadius(0), r3.Vec{Z: 0.5}, r3.Vec{}, r3.Vec{})
	return r.contact.Vy
}

// load moves the wheel by a tick under a force and a moment [N, N·m], and returns the speed of its contact.
func (r *rig) load(force, moment r3.Vec) float64 {
	speed := r.touch()
	r.StepCompliance(&r.state, &r.pose, &r.contact, force, moment, 0)
	return speed
}

// On either side a force to the left turns a wheel to the right, and leans its top to the right.
func TestAWheelGivesWayByItsFigures(t *testing.T) {
	p := yielding()
	for wheel, side := range []string{"left", "right"} {
		for _, load := range []float64{0, 3000} { // with a load the contact's grip damps
			r := rigOf(t, wheel, &p, dt)
			start := r.HubAt(r.RestTravel)
			r.state.Load = load
			for range 2000 {
				r.load(r3.Vec{Y: 2000}, r3.Vec{X: 30, Z: -60})
			}
			radius := start.Z + 0.5
			toe, camber := (-0.5*0.6-0.2*2)*degree, 0.4*(2+0.03/radius)*degree
			near.Value(t, side+": toe", r.state.Compliance.Toe, toe, 0.001*degree)
			near.Value(t, side+": camber", r.state.Compliance.Camber, camber, 0.002*degree)
			r.load(r3.Vec{}, r3.Vec{})
			near.Value(t, side+": axle ahead", r.pose.Axle.X, -toe, 2e-5)
			near.Value(t, side+": axle up", r.pose.Axle.Z, camber, 1e-5)
			near.Value(t, side+": inclination", r.contact.Gamma, camber, 1e-5)
			lever := 0.2 / 1000 / (0.5 / 100) // the upright axis lies ahead of the contact [m]
			near.Value(t, side+": hub to the left", r.pose.Hub.Y-start.Y, -lever*toe, 1e-6)
		}
	}
}

// A force that swings loses in a cycle what the dampers take: π c M² ωτ/(1+ω²τ²).
func TestDampersTakeTheWorkOfASwingingMoment(t *testing.T) {
	p := yielding()
	p.Compliance.CamberBySideForce, p.Compliance.ToeBySideForce = 0, 0
	const moment, lag, cycle, dt = 100, 0.008, 5000, 5e-5 // [N·m], [s], ticks, [s]
	omega := 2 * math.Pi / (cycle * dt)
	r := rigOf(t, tire.RL, &p, dt)
	var lost float64
	for tick := range 5 * cycle {
		before := moment * math.Sin(omega*dt*float64(tick))
		r.load(r3.Vec{}, r3.Vec{Z: before})
		if tick >= 4*cycle {
			after := moment * math.Sin(omega*dt*float64(tick+1))
			lost += (before + after) / 2 * r.state.Compliance.ToeRate * dt
		}
	}
	compliance := 0.5 * degree / 100
	swing := omega * lag
	want := math.Pi * compliance * moment * moment * swing / (1 + swing*swing)
	near.Value(t, "loss in a cycle [J]", lost, want, 0.02*want)
}

// The contact moves with the wheel that turns, by as much as its hub and its axle say.
func TestTheContactMovesWithTheElasticAngles(t *testing.T) {
	p := yielding()
	p.Kinematics.Camber, p.Kinematics.Toe = -2, 0.5
	r := rigOf(t, tire.FR, &p, dt)
	var way float64
	var from r3.Vec
	for tick := range 60 {
		speed := r.load(r3.Vec{Y: 3000, Z: 3000}, r3.Vec{Z: -80})
		if tick == 10 {
			from = r.contact.Arm
		}
		if tick >= 10 && tick < 59 {
			way += speed * dt
		}
	}
	near.Value(t, "way to the left [m]", r.contact.Arm.Y-from.Y, way, 0.002*math.Abs(way))
	if way < 0.5e-3 {
		t.Errorf("the contact moved %.2g m", way)
	}
}

// A tire that holds its contact by dry friction does not make a soft suspension swing.
func TestDryFrictionDoesNotShakeASoftSuspension(t *testing.T) {
	p := yielding()
	r := rigOf(t, tire.RL, &p, dt)
	r.contactDamping = 300 / dt
	r.state.Load = 3000
	turns, last := 0, 0.0
	for range 1000 {
		slip := r.touch() - 0.01 // the car slides by
		force := min(max(-r.contactDamping*slip, -3000), 3000)
		r.StepCompliance(&r.state, &r.pose, &r.contact, r3.Vec{Y: force}, r3.Vec{}, 0)
		if rate := r.state.Compliance.CamberRate; rate*last < 0 {
			turns++
		}
		last = r.state.Compliance.CamberRate
	}
	if turns > 20 {
		t.Errorf("the camber swings: it turned %d times in a second", turns)
	}
}

func TestRigidLinksKeepTheWheel(t *testing.T) {
	p := soft()
	r := rigOf(t, tire.FL, &p, dt)
	r.load(r3.Vec{Y: 3000, Z: 3000}, r3.Vec{Z: -80})
	if r.state.Compliance != (ComplianceState{}) || r.pose.ElasticRate != (r3.Vec{}) {
		t.Errorf("%+v", r.state.Compliance)
	}
}

func TestComplianceIsChecked(t *testing.T) {
	for _, tt := range []struct {
		c    Compliance
		want string
	}{
		{Compliance{ToeBySideForce: 0.1}, "give that too"},
		{Compliance{ToeByAligning: 0.1, ToeBySideForce: -0.6}, "must be -0.5 to 0.5"},
		{Compliance{ToeByAligning: -0.1}, "toe_by_aligning_deg_per_100nm"},
		{Compliance{CamberBySideForce: 3}, "camber_by_side_force_deg_per_kn"},
		{Compliance{ToeByAligning: math.NaN()}, "toe_by_aligning_deg_per_100nm"},
	} {
		if err := tt.c.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want %q", tt.c, err, tt.want)
		}
	}
	if err := yielding().Compliance.Validate(); err != nil {
		t.Error(err)
	}
}

// A blow of many times the tire's grip turns a wheel as far as its bushes give way, and gets it back from there.
func TestBushesGiveWayByTwoDegrees(t *testing.T) {
	p := yielding()
	r := rigOf(t, 0, &p, 1e-3)
	blow := r3.Vec{Y: 60e3}
	for range 500 {
		r.load(blow, r3.Vec{})
		e := &r.state.Compliance
		if largest := max(math.Abs(e.Toe), math.Abs(e.Camber)) / degree; !(largest <= 2+1e-9) {
			t.Fatalf("a wheel turns by %.2f°", largest)
		}
	}
	near.Value(t, "toe at the end of the bushes [°]", r.state.Compliance.Toe/degree, -2, 1e-9)
	for range 500 {
		r.load(r3.Vec{}, r3.Vec{})
	}
	near.Value(t, "toe without a force [°]", r.state.Compliance.Toe/degree, 0, 1e-9)
}

// Blows from side to side, one each tick, move a wheel as fast as its dampers let it, and not from end to end.
func TestABlowMeetsTheDampersOfTheBushes(t *testing.T) {
	const most = 2 * degree
	p := yielding()
	r := rigOf(t, 0, &p, 1e-3)
	for i := range 100 {
		before := r.state.Compliance
		blow := 1e6 * float64(1-2*(i%2))
		r.load(r3.Vec{Y: blow}, r3.Vec{Z: blow})
		e := &r.state.Compliance
		if moved := max(math.Abs(e.Toe-before.Toe), math.Abs(e.Camber-before.Camber)); !(moved <= most/8*(1+1e-12)) {
			t.Fatalf("tick %d: moves by %.2f° in a tick", i, moved/degree)
		}
	}
}
