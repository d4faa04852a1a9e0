package sim

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

var (
	manyCars = flag.Int("cars", 0, "how many random cars to drive, 0 for the usual")
	firstCar = flag.Uint64("car", 0, "seed of the first of them; with -cars 1 that car alone")
)

// lot draws the parameters of a car.
type lot struct{ *rand.Rand }

func (l lot) span(low, high float64) float64 { return low + (high-low)*l.Float64() }
func (l lot) sym(most float64) float64       { return l.span(-most, most) }
func (l lot) chance(share float64) bool      { return l.Float64() < share }

// ratio draws evenly over the orders of magnitude between two values.
func (l lot) ratio(low, high float64) float64 { return low * math.Exp(l.Float64()*math.Log(high/low)) }

func (l lot) maybe(share, v float64) float64 {
	if l.chance(share) {
		return v
	}
	return 0
}

func pick[T any](l lot, of ...T) T { return of[l.IntN(len(of))] }

// car draws a car whose numbers suit each other as those of a real one do.
func (l lot) car() Params {
	p := DefaultCar()
	p.Mass = l.ratio(300, 3500)
	p.Wheelbase, p.TrackFront = l.span(1.8, 4), l.span(1.1, 2)
	p.TrackRear = p.TrackFront * l.span(0.9, 1.1)
	p.CGToFront, p.CGHeight = p.Wheelbase*l.span(0.35, 0.65), l.span(0.2, 1.1)
	p.CGLeft = l.maybe(0.3, l.sym(0.1)*p.TrackFront)
	p.Length, p.Width = p.Wheelbase+l.span(0.4, 2), p.TrackFront*l.span(1, 1.3)
	p.Height = max(1, l.span(1.5, 2.5)*p.CGHeight)
	p.DragArea = l.span(0, 1.5)
	p.Gravity = pick(l, 9.80665, 9.80665, 9.80665, 3.7, 15)
	l.inertia(&p)
	for i, share := range []float64{1 - p.CGToFront/p.Wheelbase, p.CGToFront / p.Wheelbase} {
		l.axle(&p, []*suspension.Params{&p.Front, &p.Rear}[i], p.Mass*share/2)
	}
	l.controls(&p)
	l.surroundings(&p)
	return p
}

// inertia is that of a box, more or less, or of parts.
func (l lot) inertia(p *Params) {
	x, y, z := p.Length*p.Length/12, p.Width*p.Width/12, p.Height*p.Height/12
	f := p.Mass * l.span(0.9, 1.4)
	p.InertiaXX, p.InertiaYY, p.InertiaZZ = f*(y+z), f*(x+z), f*(x+y)
	p.InertiaXZ = l.sym(0.1) * p.InertiaXX
	if l.chance(0.3) {
		p.InertiaXY, p.InertiaYZ = l.sym(0.1)*p.InertiaXX, l.sym(0.1)*p.InertiaXX
	}
	if l.chance(0.2) {
		body := chassis.Part{Mass: 0.8 * p.Mass, X: -p.CGToFront, Z: p.CGHeight, Length: p.Length, Width: p.Width, Height: p.Height}
		engine := chassis.Part{Mass: 0.15 * p.Mass, X: -l.Float64() * p.Wheelbase, Z: 0.4, Length: 0.6, Width: 0.6, Height: 0.6}
		driver := chassis.Part{Mass: 0.05 * p.Mass, X: -p.Wheelbase / 2, Y: pick(l, 0, 0.4), Z: 0.6}
		p.Parts = []chassis.Part{body, engine, driver}
	}
	if l.chance(0.15) {
		p.ComOffset = []float64{l.sym(0.1), 0, l.sym(0.15)}
	}
}

// axle draws springs, dampers, links, bar and tire for wheels that carry a mass each [kg].
func (l lot) axle(p *Params, a *suspension.Params, carried float64) {
	omega := 2 * math.Pi * l.ratio(1.1, 4)
	a.SpringRate = min(max(omega*omega*carried, 5e3), 500e3)
	rest := carried * p.Gravity / a.SpringRate
	a.Travel = min(max(l.span(1.5, 3)*rest, 0.08), 0.9)
	a.BumpStopTravel = a.Travel * l.span(0.8, 1)
	a.BumpStopRate = l.ratio(1e3, 1e6)
	critical := 2 * math.Sqrt(a.SpringRate*carried)
	a.BumpDamping = min(max(critical*l.ratio(0.1, 1), 100), 50e3)
	a.ReboundDamping = min(max(a.BumpDamping*l.ratio(0.5, 2), 100), 50e3)
	a.TireRate = min(max(carried*p.Gravity/l.span(0.01, 0.03), 50e3), 1e6)
	a.TireDamping = l.span(0, 500)
	a.UnsprungMass = pick(l, 0, 5, min(l.ratio(5, 100), 0.2*carried), 0.15*carried)
	a.BarRate = min(l.span(-0.3, 2)*a.SpringRate, 500e3)
	l.spring(a)
	l.links(&a.Kinematics)
	lowest := a.Kinematics.MotionRatio
	for i, row := range a.Kinematics.Table {
		if lowest = min(lowest, row[6]); i == 0 {
			lowest = row[6]
		}
	}
	a.BarRate = max(a.BarRate, -a.SpringRate*lowest*lowest/3)
	l.bar(&a.Bar, a.SpringRate)
	l.tire(a, carried*p.Gravity)
}

func (l lot) spring(a *suspension.Params) {
	if l.chance(0.3) {
		a.Spring.Progression = l.span(0, 10)
	}
	if l.chance(0.2) {
		a.Spring.Preload = l.span(0, 0.2) * a.SpringRate * a.Travel
	}
	if l.chance(0.1) {
		a.Spring.RestPosition = l.span(0.8, 1)
	}
	if l.chance(0.2) {
		travel, force := 0.0, 0.0
		a.Spring.Table = [][]float64{{0, 0}}
		for range 1 + l.IntN(6) {
			step := l.span(0.01, 0.1)
			travel, force = travel+step, force+step*a.SpringRate*l.span(0.7, 1.5)
			a.Spring.Table = append(a.Spring.Table, []float64{travel, force})
		}
	}
	if l.chance(0.3) {
		a.Damper = suspension.Damper{KneeSpeed: l.ratio(0.02, 1), FastBump: min(a.BumpDamping*l.span(0.3, 2), 50e3), FastRebound: min(a.ReboundDamping*l.span(0.3, 2), 50e3)}
	}
}

func (l lot) links(k *suspension.Kinematics) {
	if l.chance(0.6) {
		k.Camber, k.Toe, k.CamberGain, k.CamberCurvature = l.sym(4), l.sym(1), l.sym(60), l.sym(200)
		k.ToeGain, k.RollCenter = l.sym(15), l.span(-0.1, 0.5)
		k.AntiDive, k.AntiSquat, k.MotionRatio = l.span(-0.3, 1.2), l.span(-0.3, 1.2), l.span(0.6, 1.2)
	}
	if l.chance(0.2) {
		rows := 3 + l.IntN(6)
		bent := func(slope, curve float64) func(z float64) float64 {
			slope, curve = l.sym(slope), l.sym(curve)
			return func(z float64) float64 { return z * (slope + z*curve) }
		}
		camber, toe, track, ahead := bent(40, 150), bent(10, 50), bent(0.3, 1), bent(0.2, 0.5)
		caster, ratio := bent(40, 100), bent(0.8, 2)
		for i := range rows {
			z := -0.15 + 0.3*float64(i)/float64(rows-1)
			k.Table = append(k.Table, []float64{z, camber(z) - 1, toe(z), track(z), ahead(z), caster(z), 0.85 + ratio(z)})
		}
	}
	k.ApplyForceDirectly, k.ForceHeight = l.chance(0.15), l.span(0, 0.5)
	k.RollReduction = l.maybe(0.15, l.Float64())
}

func (l lot) bar(b *suspension.Bar, spring float64) {
	b.Mode = pick(l, "rate", "rate", "force", "legacy", "stiffness", "torsion", "none")
	if b.Mode == "force" && l.chance(0.3) {
		b.Apply = "body"
	}
	b.Force, b.Share = l.ratio(0.02, 0.5)*spring, l.Float64()
	b.Diameter, b.Length, b.ArmLength, b.MotionRatio = l.span(10, 35), l.span(0.6, 1.5), l.span(0.15, 0.4), l.span(0.3, 1)
	b.Auto, b.AutoMinShare = l.chance(0.2), l.Float64()
}

func (l lot) tire(a *suspension.Params, load float64) {
	t := &a.Tire
	t.Model = pick(l, append([]string{"brush", "coulomb", "curve", "dugoff"}, tire.Names()...)...)
	t.Heat.Enabled = l.chance(0.2)
	t.Brush.NominalLoad, t.Dugoff.NominalLoad = max(load, 100), max(load, 100)
	t.Brush.Stiffness = max(load*l.span(8, 25), 1e3)
	t.Brush.Friction = l.span(0.2, 1.8)
	t.Dugoff.Friction, t.Coulomb.Friction = t.Brush.Friction, t.Brush.Friction
	t.Curve.Forward.Stiffness, t.Curve.Sideways.Stiffness, t.Curve.Ellipse = l.span(0.5, 2), l.span(0.5, 2), l.chance(0.5)
	w := &a.Wheel
	w.Radius, w.Inertia = l.span(0.2, 0.5), l.ratio(0.3, 5)
	w.RelaxationX, w.RelaxationY, w.Damping = l.span(0.05, 0.4), l.span(0.1, 0.7), l.span(0, 5e3)
}

func (l lot) controls(p *Params) {
	strong := p.Mass / 1500
	t := &p.Steering
	t.Ratio, t.MaxSteer, t.Ackermann, t.CasterTrail = l.span(8, 20), l.span(20, 45), l.Float64(), l.span(0, 0.05)
	if l.chance(0.5) {
		t.CasterAngle, t.KingpinInclination, t.ScrubRadius = l.span(0, 8), l.span(0, 14), l.span(-0.03, 0.05)
	}
	p.Brakes.Torque, p.Brakes.FrontShare, p.Brakes.HandbrakeTorque = 6000*strong*l.span(0.5, 2), l.Float64(), 3000*strong
	for i := range p.Driveline.TorqueCurve {
		p.Driveline.TorqueCurve[i].Torque *= strong * l.span(0.5, 2)
	}
	p.Driveline.ClutchCapacity *= 2 * strong
	p.Driveline.FrontShare = pick(l, 0, 1, 0.4, l.Float64())
	d := &p.Driveline
	d.FrontDifferential, d.RearDifferential, d.CenterDifferential = l.differential(), l.differential(), l.differential()
	d.Shafts.Stiffness, d.Shafts.Damping = l.ratio(2e3, 20e3), l.span(0, 60)
}

func (l lot) differential() driveline.Differential {
	return driveline.Differential{
		Kind:    pick(l, "open", "open", "locked", "limited_slip", "viscous", "torque_sensing", "active"),
		Preload: l.span(0, 200), PowerRamp: l.span(0, 0.45), CoastRamp: l.span(0, 0.45), ViscousTorque: l.ratio(1, 500),
		BiasRatio: l.span(1, 6), ClutchCapacity: l.span(0, 2e3), SpeedGain: l.span(0, 1), ThrottleGain: l.Float64(),
	}
}

func (l lot) surroundings(p *Params) {
	for range l.IntN(4) {
		p.Aero = append(p.Aero, chassis.AeroSurface{
			X: l.span(-p.Wheelbase-0.5, 0.7), Y: l.sym(0.5), Z: l.span(0, 1.2), DragArea: l.span(0, 0.5), LiftArea: l.span(-2, 0.5),
			RideHeight: []chassis.HeightPoint{{Height: 0.05, Factor: l.span(0.5, 1.5)}, {Height: 0.3, Factor: 1}},
		})
	}
	if l.chance(0.3) {
		p.Air.WindSpeed, p.Air.WindFrom, p.Air.GustSpeed = l.span(0, 20), l.sym(180), l.span(0, 10)
	}
}

// drawn returns the car of a seed and how often New refused one before it.
func drawn(t *testing.T, seed uint64) (*Car, lot, int) {
	l, more := lot{rand.New(rand.NewPCG(seed, 77))}, lot{rand.New(rand.NewPCG(seed, 78))}
	var g road.Ground = road.Asphalt()
	if l.chance(0.25) {
		g = slope(l.span(0, 0.15))
	}
	for refused := range 50 {
		p := l.car()
		more.machine(&p)
		more.joints(&p)
		c, err := New(p, g, Dt)
		if err == nil {
			return c, l, refused
		}
		if s := err.Error(); !strings.Contains(s, "bump stops") && !strings.Contains(s, "kgm2") && !strings.Contains(s, "com_offset") && !strings.Contains(s, "on its rim") && !strings.Contains(s, "fuel.level_l") {
			t.Fatalf("car %d: %v", seed, err)
		}
	}
	t.Fatalf("car %d: New refused fifty in a row", seed)
	return nil, l, 0
}

// fearless draws inputs anew every 300 ms, as wild does, for half of the time; in
// between the driver lets go.
func (l lot) fearless(tick int) Input {
	if tick/3000%2 == 1 {
		return Input{Gear: int8(l.IntN(3)), Steer: l.sym(0.5), Throttle: l.Float64()}
	}
	return wild(l.Rand)
}

func TestRandomCarsMakeNoEnergy(t *testing.T) {
	t.Parallel()
	for i := range uint64(cmp.Or(*manyCars, level.Pick(1, 3, 25))) {
		seed := *firstCar + i
		if why := survives(t, seed); why != "" {
			t.Errorf("car %d: %s (run it alone with -cars 1 -car %d)", seed, why, seed)
		}
	}
}

// mostFromNothing is the share of the car's mass times gravity times 1 m that the
// books may miss: what one tick lends to the next when springs meet metal, and
// tires under many times their load.
const mostFromNothing = 0.25

// fastHands is how fast the steering wheel turns at most [rad/s]: one that jumps lifts a
// wheel over its kingpin, or digs it into the ground, by work that no driver does.
const fastHands = 40

// survives drives a random car for 30 s and says what went wrong, or nothing.
func survives(t *testing.T, seed uint64) string {
	c, l, _ := drawn(t, seed)
	s := rolling(c, l.span(0, 40), int8(min(3, len(c.p.Driveline.Gears))))
	books, most := ledger{c: c, totalOnly: true}, mostFromNothing*c.p.Mass*gravity
	var in Input
	steer, help := 0.0, lot{rand.New(rand.NewPCG(seed, 79))}
	for tick := range 30_000 {
		if tick%300 == 0 {
			in = l.fearless(tick)
			steer, in.Steer = in.Steer, s.Steer
			help.electronics(&in)
		}
		in.Steer += valid.Clamp(steer-in.Steer, -fastHands*Dt, fastHands*Dt)
		if tick%10_000 == 9_999 { // set on its wheels again, to drive on
			l.again(c, &s)
			books = ledger{c: c, totalOnly: true}
		}
		if gain := books.step(&s, in); !(gain < most) {
			return fmt.Sprintf("%d ms: %.0f J from nothing", tick, gain)
		}
		if high := -c.ground.Touch(s.Pos).Depth; !(high > -0.5 && high < 12*gravity/c.p.Gravity) { // who rolls over at 40 m/s flies
			return fmt.Sprintf("%d ms: %.2f m high", tick, high)
		}
	}
	if !finite(reflect.ValueOf(s)) {
		return fmt.Sprintf("not finite: %+v", s)
	}
	return ""
}

// again drops a car on its wheels, anywhere and at any speed.
func (l lot) again(c *Car, s *State) {
	below := c.ground.Touch(s.Pos)
	s.Pos = r3.Add(below.Point, r3.Scale(c.p.CGHeight+l.Float64(), below.Normal))
	s.Att, s.Vel, s.Rate = chassis.UprightAttitude(below.Normal, l.sym(3)), r3.Vec{X: l.span(0, 30)}, r3.Vec{X: l.sym(1)}
}
