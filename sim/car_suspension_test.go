package sim

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// square is a car whose ends are alike: 1200 kg with wheels of 45 kg, 1.5 m wide
// and 2.6 m long between them, its mass 0.5 m up.
func square() Params {
	p := DefaultCar()
	p.Mass, p.CGHeight, p.Wheelbase, p.CGToFront = 1200, 0.5, 2.6, 1.3
	p.InertiaXX, p.InertiaYY, p.InertiaZZ, p.InertiaXZ = 500, 1600, 1800, 0
	p.TrackFront, p.TrackRear, p.DragArea = 1.5, 1.5, 0
	a := defaultAxle(25e3, 12e3, 53e3)
	a.BumpDamping, a.ReboundDamping, a.UnsprungMass, a.TireRate, a.TireDamping = 2000, 2000, 45, 200e3, 100
	p.Front, p.Rear = a, a
	return p
}

// freezing is a ground without any grip: nothing but the vertical acts.
type freezing struct{}

func (freezing) Touch(p r3.Vec) road.Contact {
	c := road.Asphalt().Touch(p)
	c.Surface.Grip = 0
	return c
}

// coordinate is one way in which a car may move: how to displace it, how to
// push it, and how to read both.
type coordinate struct {
	put, hit  func(s *State, by float64)
	way, rate func(s *State) float64
}

// travels is a pattern of wheels moving along their travel.
func travels(pattern [4]float64) coordinate {
	add := func(s *State, by float64, to func(w *WheelState) *float64) {
		for i := range s.Wheels {
			*to(&s.Wheels[i]) += by * pattern[i]
		}
	}
	travel, bump := func(w *WheelState) *float64 { return &w.Travel }, func(w *WheelState) *float64 { return &w.TravelSpeed }
	return coordinate{
		put: func(s *State, by float64) { add(s, by, travel) },
		hit: func(s *State, by float64) { add(s, by, bump) },
		way: func(s *State) float64 { return s.Wheels[tire.FL].Travel }, rate: func(s *State) float64 { return s.Wheels[tire.FL].TravelSpeed },
	}
}

var (
	heaving = coordinate{
		func(s *State, by float64) { s.Pos.Z += by }, func(s *State, by float64) { s.Vel.Z += by },
		func(s *State) float64 { return s.Pos.Z }, func(s *State) float64 { return s.Vel.Z },
	}
	rolls = coordinate{
		func(s *State, by float64) { s.Att = turn(by) }, func(s *State, by float64) { s.Rate.X += by },
		(*State).Roll, func(s *State) float64 { return s.Rate.X },
	}
	pitches = coordinate{
		func(s *State, by float64) { s.Att = quat.Number{Real: math.Cos(by / 2), Jmag: math.Sin(by / 2)} },
		func(s *State, by float64) { s.Rate.Y += by },
		(*State).Pitch, func(s *State) float64 { return s.Rate.Y },
	}
)

// modes returns the eigenvalues of a tick about a state of rest as those of
// continuous time [rad/s], the slowest with a positive imaginary part first.
func modes(c *Car, rest State, of ...coordinate) []complex128 {
	const small = 1e-6
	read := func(s *State) (x []float64) {
		for _, q := range of {
			x = append(x, q.way(s))
		}
		for _, q := range of {
			x = append(x, q.rate(s))
		}
		return x
	}
	zero := rest
	c.Step(&zero, Input{})
	base := read(&zero)
	n := 2 * len(of)
	phi := mat.NewDense(n, n, nil)
	for col := range n {
		s := rest
		if col < len(of) {
			of[col].put(&s, small)
		} else {
			of[col-len(of)].hit(&s, small)
		}
		c.Step(&s, Input{})
		for row, x := range read(&s) {
			phi.Set(row, col, (x-base[row])/small)
		}
	}
	return oscillating(phi, func(z complex128) complex128 { return cmplx.Log(z) / complex(c.dt, 0) })
}

// linear returns the eigenvalues of M·q" + C·q' + K·q = 0.
func linear(m, c, k *mat.Dense) []complex128 {
	n, _ := m.Dims()
	var stiff, soft mat.Dense
	stiff.Solve(m, k)
	soft.Solve(m, c)
	a := mat.NewDense(2*n, 2*n, nil)
	for i := range n {
		a.Set(i, n+i, 1)
		for j := range n {
			a.Set(n+i, j, -stiff.At(i, j))
			a.Set(n+i, n+j, -soft.At(i, j))
		}
	}
	return oscillating(a, func(z complex128) complex128 { return z })
}

func oscillating(a *mat.Dense, in func(complex128) complex128) (out []complex128) {
	var e mat.Eigen
	e.Factorize(a, mat.EigenNone)
	for _, z := range e.Values(nil) {
		if z = in(z); imag(z) > 0 {
			out = append(out, z)
		}
	}
	slices.SortFunc(out, func(a, b complex128) int { return cmp.Compare(cmplx.Abs(a), cmplx.Abs(b)) })
	return out
}

// Quarter, half and pitching car: body and wheels as two masses on two springs.
// The weight on tall wheels takes some of the stiffness in roll and in pitch.
func TestNaturalFrequenciesAreThoseOfTheLinearModel(t *testing.T) {
	const (
		mass, wheel, k, c, kt, ct = 1200.0, 45.0, 25e3, 2000.0, 200e3, 100.0
		half, ahead, bar, up      = 0.75, 1.3, 12e3, 0.5
		hub                       = 0.31 - mass*9.80665/4/kt
	)
	two := func(a, b, c, d float64) *mat.Dense { return mat.NewDense(2, 2, []float64{a, b, c, d}) }
	tests := []struct {
		name    string
		m, c, k *mat.Dense // over the body's coordinate and the wheels' travel
		body    coordinate
		wheels  [4]float64
	}{
		{
			"heave",
			two(mass, 4*wheel, 4*wheel, 4*wheel), two(4*ct, 4*ct, 4*ct, 4*(ct+c)), two(4*kt, 4*kt, 4*kt, 4*(kt+k)),
			heaving,
			[4]float64{1, 1, 1, 1},
		},
		{
			"roll",
			two(500, 4*wheel*half, 4*wheel*half, 4*wheel),
			two(4*ct*half*half, 4*ct*half, 4*ct*half, 4*(ct+c)),
			two(4*kt*half*half-mass*9.80665*up, 4*kt*half, 4*kt*half, 4*(kt+k+2*bar)),
			rolls,
			[4]float64{1, -1, 1, -1},
		},
		{
			"pitch",
			two(1600, -4*wheel*ahead, -4*wheel*ahead, 4*wheel),
			two(4*ct*ahead*ahead, -4*ct*ahead, -4*ct*ahead, 4*(ct+c)),
			two(4*kt*ahead*ahead-mass*9.80665*(up-hub), -4*kt*ahead, -4*kt*ahead, 4*(kt+k)),
			pitches,
			[4]float64{1, 1, -1, -1},
		},
	}
	for _, tt := range tests {
		for _, dt := range []float64{Dt, Dt / 8} {
			car, err := New(square(), freezing{}, dt)
			if err != nil {
				t.Fatal(err)
			}
			s := car.Rest(r3.Vec{}, 0)
			run(car, &s, 1, Input{})
			s.Att, s.Rate, s.Vel = turn(0), r3.Vec{}, r3.Vec{}
			got, want := modes(car, s, tt.body, travels(tt.wheels)), linear(tt.m, tt.c, tt.k)
			for i, what := range []string{" of the body", ", wheel hop"} {
				name := fmt.Sprintf("%s%s at %g ms", tt.name, what, dt*1e3)
				near.Value(t, name+": frequency", cmplx.Abs(got[i])/cmplx.Abs(want[i]), 1, 0.02)
				implicit := dt * cmplx.Abs(want[i]) / 2 // what a step adds to the damping of the wheels, which it solves for its end
				near.Value(t, name+": damping ratio", damping(got[i]), damping(want[i]), 0.02*damping(want[i])+implicit)
			}
		}
	}
}

// damping is the damping ratio of an eigenvalue.
func damping(z complex128) float64 { return -real(z) / cmplx.Abs(z) }

func TestRestingLoadsOfALopsidedCarFollowTheLever(t *testing.T) {
	for _, left := range []float64{0, 0.08, -0.15} {
		p := DefaultCar()
		p.CGLeft, p.Front.UnsprungMass, p.Rear.UnsprungMass = left, 55, 30
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		run(c, &s, 3, Input{})
		const weight = 1500 * 9.80665
		front, rear := weight*1.36/2.66, weight*1.30/2.66
		for i, want := range []float64{
			front * (0.5 + left/1.52), front * (0.5 - left/1.52), rear * (0.5 + left/1.54), rear * (0.5 - left/1.54),
		} {
			near.Value(t, fmt.Sprintf("mass %g m to the left: load of wheel %d", left, i), s.Wheels[i].Load, want, 1e-4*weight)
		}
		near.Value(t, "roll", s.Roll(), 0, 1e-7)
		near.Value(t, "height", s.Pos.Z, 0.52, 1e-7)
		for axle, load := range []float64{front/2 - 55*9.80665, rear/2 - 30*9.80665} { // the wheels carry themselves
			sum := s.Bars[axle].SpringForceLeft + s.Bars[axle].SpringForceRight
			near.Value(t, "what springs carry", sum, 2*load, 1e-4*weight)
		}
	}
}

// Whatever law the springs have, they are set so that the car stands level.
func TestALopsidedCarStandsLevelOnAnySprings(t *testing.T) {
	for name, edit := range map[string]func(a *suspension.Params){
		"progressive": func(a *suspension.Params) { a.Spring.Progression = 10 },
		"table":       func(a *suspension.Params) { a.Spring.Table = [][]float64{{0, 0}, {0.1, 2000}, {0.3, 16000}} },
		"motion ratio by a table": func(a *suspension.Params) {
			a.SpringRate *= 2
			a.Kinematics.Table = [][]float64{{-0.1, 0, 0, 0, 0, 0, 0.75}, {0, 0, 0, 0, 0, 0, 0.7}, {0.1, 0, 0, 0, 0, 0, 0.65}}
		},
	} {
		p := DefaultCar()
		p.CGLeft = 0.15
		edit(&p.Front)
		edit(&p.Rear)
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		run(c, &s, 3, Input{})
		near.Value(t, name+": roll", s.Roll(), 0, 1e-7)
		near.Value(t, name+": height", s.Pos.Z, 0.52, 1e-7)
	}
}

func TestACarOnItsRimsIsRefused(t *testing.T) {
	p := DefaultCar()
	p.Mass, p.InertiaXX, p.InertiaYY, p.InertiaZZ, p.InertiaXZ = 20e3, 7e3, 28e3, 30e3, 0
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.SpringRate, a.TireRate = 500e3, 50e3
	}
	if _, err := New(p, road.Asphalt(), Dt); err == nil || !strings.Contains(err.Error(), "tire_vertical_n_per_m") {
		t.Errorf("error %v, want one that names the tire's rate", err)
	}
}

// A bar may take away no more than the springs give at the wheel.
func TestABarThatOutdoesTheSpringsIsRefused(t *testing.T) {
	p := DefaultCar()
	p.Front.BarRate, p.Front.Kinematics.MotionRatio = -9e3, 0.5
	if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), "front.anti_roll_rate_n_per_m = -9000: must be -2333.3") {
		t.Errorf("error %v", err)
	}
}

// lean drives the square car round a bend and returns its state.
func lean(t *testing.T, front, rear float64) (*Car, State) {
	p := square()
	p.Driveline.CrankAxis = "longitudinal" // which leans no car in a bend
	p.Front.BarRate, p.Front.Kinematics.RollCenter, p.Rear.Kinematics.RollCenter = 20e3, front, rear
	c := newCar(t, p, Dt)
	s := rolling(c, 20, 3)
	cruise(c, &s, 8, 20, 0.5, 3)
	return c, s
}

// In a bend the moment of the side forces about the roll axis stands against the
// roll stiffness, less what the leaning weight takes; the links carry the rest.
func TestRollAngleAndLoadTransferFollowTheRollStiffnesses(t *testing.T) {
	const mass, up, track, k, kt = 1200.0, 0.5, 1.5, 25e3, 200e3
	bars := [2]float64{20e3, 12e3}
	for _, center := range [][2]float64{{0, 0}, {0.1, 0.1}, {0.05, 0.2}, {-0.05, 0.3}} {
		_, s := lean(t, center[0], center[1])
		var stiff, given [2]float64 // roll stiffness [N·m/rad], moment that links carry [N·m]
		for i := range 2 {
			l, r := &s.Wheels[2*i], &s.Wheels[2*i+1]
			spring := k + 2*bars[i]
			stiff[i] = track * track / 2 * spring * kt / (spring + kt)
			given[i] = (l.Fy + r.Fy) * center[i] * kt / (spring + kt)
		}
		side := s.Wheels[tire.FL].Fy + s.Wheels[tire.FR].Fy + s.Wheels[tire.RL].Fy + s.Wheels[tire.RR].Fy
		gyro := 0.0 // what it takes to turn the wheels' axles, as a moment to the outside [N·m]
		for i := range s.Wheels {
			gyro += 1.1 * s.Wheels[i].Roll.Spin * s.Rate.Z
		}
		roll := (side*up + gyro - given[0] - given[1]) / (stiff[0] + stiff[1] - mass*9.80665*up)
		name := fmt.Sprintf("roll centers at %g m and %g m: ", center[0], center[1])
		if side < 0.3*mass*9.80665 {
			t.Fatalf("%sside force %.0f N: no bend", name, side)
		}
		near.Value(t, name+"roll", s.Roll(), roll, 0.025*roll)
		for i := range 2 {
			moved := (s.Wheels[2*i+1].Load - s.Wheels[2*i].Load) / 2
			want := (stiff[i]*roll + given[i]) / track
			near.Value(t, fmt.Sprintf("%sload moved on axle %d", name, i), moved, want, 0.015*want)
		}
	}
}

// Stable whatever is stiffest, at half and at four times the rig's rate.
func TestTheStiffestCarStandsAndDrives(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, dt := range []float64{2e-3, 1e-3, 0.25e-3} {
		for _, unsprung := range []float64{0, 5, 40, 100} {
			p := DefaultCar()
			p.Gravity = 9.80665
			for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
				a.SpringRate, a.BumpDamping, a.ReboundDamping, a.UnsprungMass = 500e3, 50e3, 50e3, unsprung
				a.TireRate, a.TireDamping, a.BumpStopRate = 1e6, 5e3, 2e6
			}
			name := fmt.Sprintf("%g ms, wheels of %g kg", dt*1e3, unsprung)
			c := newCar(t, p, dt)
			s := c.Rest(r3.Vec{}, 0)
			s.Pos.Z += 0.1
			highest := 0.0
			for range int(3 / dt) {
				c.Step(&s, Input{Brake: 1})
				highest = max(highest, s.Pos.Z)
			}
			if !still(&s) || highest > 0.62+1e-9 {
				t.Errorf("%s, dropped from 0.1 m: %.3g m/s, %.3g rad/s after 3 s, up to %.3f m", name, r3.Norm(s.Vel), r3.Norm(s.Rate), highest)
			}
			s = rolling(c, 20, 3)
			cruise(c, &s, 3, 20, 0.4, 3)
			if math.Abs(s.Rate.X) > 0.02 || s.Roll() < 0 || s.Roll() > 0.05 {
				t.Errorf("%s: rolls by %.4f rad at %.4f rad/s in a bend", name, s.Roll(), s.Rate.X)
			}
		}
	}
}

// A bend, driven with ever shorter steps, ends ever closer to the same place.
func TestShorterStepsConvergeAtFirstOrder(t *testing.T) {
	ends := func(dt float64) r3.Vec {
		p := square()
		p.Front.Kinematics.RollCenter, p.Front.Kinematics.Camber, p.Front.Kinematics.CamberGain = 0.1, -1, -20
		c := newCar(t, p, dt)
		s := rolling(c, 15, 0)
		run(c, &s, 1, Input{Steer: 0.3})
		run(c, &s, 1, Input{Steer: -0.3, Brake: 0.1})
		return s.Pos
	}
	last, before := ends(2e-3), math.Inf(1)
	for _, dt := range []float64{1e-3, 0.5e-3, 0.25e-3} {
		now := ends(dt)
		moved := r3.Norm(r3.Sub(now, last))
		if moved > 0.65*before || moved > 0.05 {
			t.Errorf("a step of %g ms moves the end by %.4f m, the one before by %.4f m", dt*1e3, moved, before)
		}
		last, before = now, moved
	}
}

func TestAllRunningGearAllocatesNothing(t *testing.T) {
	c := newCar(t, allGear(), Dt)
	s := rolling(c, 20, 3)
	if n := testing.AllocsPerRun(500, func() { c.Step(&s, Input{Steer: 0.6, Brake: 0.2, Gear: 3}) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// allGear is the coupe with every part of the running gear in use.
func allGear() Params {
	p := DefaultCar()
	p.Driveline.FrontShare = 0.4
	for i, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Spring = suspension.Spring{Progression: 2, Preload: 300, RestPosition: 0.95}
		a.Damper = suspension.Damper{KneeSpeed: 0.1, FastBump: 1000, FastRebound: 1800}
		a.Kinematics = suspension.Kinematics{
			Camber: -1, Toe: 0.1, CamberGain: -25, CamberCurvature: 30, ToeGain: 3,
			RollCenter: 0.05 + 0.05*float64(i), AntiDive: 0.4, AntiSquat: 0.3, MotionRatio: 0.9, RollReduction: 0.2,
		}
		a.Tire.Model = []string{"road", "brush"}[i]
	}
	p.Rear.Spring.Table = [][]float64{{0, 0}, {0.1, 3200}, {0.2, 8000}}
	p.Rear.Kinematics.Table = [][]float64{
		{-0.12, 1, 0.1, -0.02, -0.004, 1, 0.92}, {0, -1, 0.1, 0, 0, 0, 0.9}, {0.12, -3, 0.3, 0.012, 0.006, -1, 0.86},
	}
	return p
}
