package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// linked returns the square car with the same links on both axles.
func linked(edit func(k *suspension.Kinematics)) Params {
	p := square()
	edit(&p.Front.Kinematics)
	edit(&p.Rear.Kinematics)
	return p
}

// axis returns the axis of a wheel at a bump from rest [m], in an upright body.
func axis(c *Car, wheel int, bump float64) r3.Vec {
	s := c.Rest(r3.Vec{}, 0)
	s.Wheels[wheel].Travel += bump
	straight := c.steer(&s, Input{})
	return c.stands(&s, &straight).poses[wheel].Axle
}

// A positive camber leans the top of either wheel outward, toe-in turns its front
// inward; both follow their polynomials over the bump.
func TestCamberAndToeTurnTheWheelsAxis(t *testing.T) {
	const deg = math.Pi / 180
	c := newCar(t, linked(func(k *suspension.Kinematics) {
		k.Camber, k.Toe, k.CamberGain, k.CamberCurvature, k.ToeGain = -1.5, 0.2, -30, 40, 6
	}), Dt)
	for _, bump := range []float64{-0.07, -0.02, 0, 0.03, 0.06} {
		camber := (-1.5 - 30*bump + 40*bump*bump) * deg
		toe := (0.2 + 6*bump) * deg
		for wheel, side := range []float64{1, -1, 1, -1} {
			a := axis(c, wheel, bump)
			name := fmt.Sprintf("wheel %d at %g m", wheel, bump)
			near.Value(t, name+": camber", -side*math.Asin(a.Z), camber, 1e-9)
			near.Value(t, name+": toe", side*math.Atan2(a.X, a.Y), toe, 1e-9)
		}
	}
}

// Both wheels of an axle pull against each other, and the car goes straight.
func TestToeInCancelsFromSideToSide(t *testing.T) {
	c := newCar(t, linked(func(k *suspension.Kinematics) { k.Toe = 0.5 }), Dt)
	s := rolling(c, 20, 3)
	run(c, &s, 3, Input{Gear: 3, Throttle: 0.2})
	// Toe-in is a slip angle to the outside: a force inward.
	want := -53e3 / 4000 * s.Wheels[tire.FL].Load * 0.5 * math.Pi / 180
	near.Value(t, "side force in front on the left", s.Wheels[tire.FL].Fy, want, 0.05*-want)
	near.Value(t, "sum in front", s.Wheels[tire.FL].Fy+s.Wheels[tire.FR].Fy, 0, 0)
	near.Value(t, "sum behind", s.Wheels[tire.RL].Fy+s.Wheels[tire.RR].Fy, 0, 0)
	near.Value(t, "to the side", s.Pos.Y, 0, 0)
}

// A car that begins with wheels toed in, or turned, has not just turned them: its
// standing tires are not twisted.
func TestRestIsAtRestWithTurnedWheels(t *testing.T) {
	c := newCar(t, linked(func(k *suspension.Kinematics) { k.Toe = 0.5 }), Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 1, Input{Steer: 1})
	for i := range s.Wheels {
		w := &s.Wheels[i]
		near.Value(t, fmt.Sprintf("wheel %d: twist", i), w.Roll.Twist, 0, 1e-6)
		near.Value(t, fmt.Sprintf("wheel %d: moment", i), w.Mz, 0, 1e-3)
	}
}

// braked returns the pitch [rad] and the mean sink [m] against the springs' rest
// of the square car, in braking or driving by a force at the tires, and that force [N].
func braked(t *testing.T, p Params, in Input) (pitch, sink, force float64, s State) {
	t.Helper()
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Tire.Brush.RollingResistance, a.Wheel.Inertia = 0, 0.1 // what slows the wheels' turning pitches the car too
	}
	c := newCar(t, p, Dt)
	s = rolling(c, 30, in.Gear)
	run(c, &s, 1.5, in)
	const ticks = 200
	for range ticks {
		c.Step(&s, in)
		for i := range s.Wheels {
			force += s.Wheels[i].Fx / ticks
		}
	}
	return s.Pitch(), p.CGHeight - s.Pos.Z, force, s
}

// With springs of one rate in front and behind the body turns by the moment
// over the pitch stiffness of springs and tires in series; links that carry the
// load transfer leave the tires' part.
func TestAntiDiveOfOneTakesTheDiveOutOfTheSprings(t *testing.T) {
	const up, base, k, kt, mass = 0.5, 2.6, 25e3, 200e3, 1200.0
	for _, share := range []float64{0, 0.5, 1} {
		for _, front := range []float64{0.5, 0.7} {
			p := linked(func(k *suspension.Kinematics) { k.AntiDive = share })
			p.Brakes.FrontShare = front
			pitch, _, force, s := braked(t, p, Input{Brake: 0.3})
			moved := -force * up / base / 2 // from each wheel behind to the one in front [N]
			want := 2 * moved / base * ((1-share)/k + 1/kt)
			want /= 1 - mass*9.80665*(up-0.295)/(4*(base/2)*(base/2)/(1/k+1/kt))
			name := fmt.Sprintf("anti-dive %g, %g in front: ", share, front)
			if moved < 100 {
				t.Fatalf("%smoved %.0f N: no braking", name, moved)
			}
			near.Value(t, name+"pitch", pitch, want, 0.03*2*moved/base/k)
			near.Value(t, name+"front bump", s.Wheels[tire.FL].Travel-s.Wheels[tire.RL].Travel, 2*moved*(1-share)/k, 0.03*2*moved/k)
		}
	}
}

func TestAntiSquatOfOneHoldsTheDrivenAxle(t *testing.T) {
	const up, base, k = 0.5, 2.6, 25e3
	for _, driven := range []float64{0, 0.4, 1} {
		for _, share := range []float64{0, 1} {
			p := linked(func(k *suspension.Kinematics) { k.AntiSquat = share })
			p.Driveline.FrontShare = driven
			_, _, force, s := braked(t, p, Input{Throttle: 0.8, Gear: 3})
			c := newCar(t, p, Dt)
			moved := force * up / base / 2
			for i, part := range []float64{driven, 1 - driven} {
				sign := 1.0 // the axle behind is pressed down
				if i == 0 {
					sign = -1
				}
				want := sign * moved / k
				if part > 0 {
					want *= 1 - share
				}
				got := s.Wheels[2*i].Travel - c.suspension.Corners[2*i].RestTravel
				near.Value(t, fmt.Sprintf("front share %g, anti-squat %g: bump of axle %d", driven, share, i), got, want, 0.03*moved/k)
			}
		}
	}
}

// In a bend to the left the outer wheel's force at a roll center above the ground
// lifts the body over it, the inner one's pulls it down, by the slope of the links.
func TestARollCenterAboveTheGroundJacksTheBodyUp(t *testing.T) {
	const track = 1.5
	for _, height := range []float64{0.15, 0.3} {
		_, s := lean(t, height, height)
		_, flat := lean(t, 0, 0)
		slope := 2 * height / track
		for i := range s.Wheels {
			w := &s.Wheels[i]
			want := slope * w.Fy * (1 - 2*float64(i%2))
			near.Value(t, fmt.Sprintf("roll center %g m: push on wheel %d", height, i), w.LinkForce, want, 0.05*math.Abs(want)+15)
		}
		lift := 0.0
		for i := range s.Wheels {
			lift -= s.Wheels[i].LinkForce / 4 / 25e3
		}
		rise := 0.0
		for i := range s.Wheels {
			rise -= (s.Wheels[i].Travel - flat.Wheels[i].Travel) / 4
		}
		if lift < 1e-3 {
			t.Fatalf("the links lift by %.4f m: no bend", lift)
		}
		near.Value(t, "the springs give way by the mean push", rise, lift, 0.1*lift)
	}
}

// table writes links of one slope each as rows.
func table(k suspension.Kinematics, track, wheelbase, caster float64) [][]float64 {
	var rows [][]float64
	for _, z := range []float64{-0.2, -0.07, 0, 0.05, 0.2} {
		rows = append(rows, []float64{z, k.Camber + k.CamberGain*z, k.Toe + k.ToeGain*z, track * z, wheelbase * z, caster * z, k.MotionRatio})
	}
	return rows
}

func TestATableThatSaysTheSameDrivesTheSame(t *testing.T) {
	p := linked(func(k *suspension.Kinematics) {
		k.Camber, k.Toe, k.CamberGain, k.ToeGain = -1, 0.1, -20, 3
		k.RollCenter, k.AntiDive, k.AntiSquat, k.MotionRatio = 0.1, 0.5, 0.25, 0.9
	})
	p.Driveline.FrontShare, p.Brakes.FrontShare = 0.4, 0.6
	q := p
	const up, base, tread = 0.5, 2.6, 1.5
	radius := newCar(t, p, Dt).wheels[tire.FL].vertical.FreeRadius(0) - 1200*9.80665/4/200e3
	for i, a := range []*suspension.Params{&q.Front, &q.Rear} {
		sign := []float64{1, -1}[i]
		ahead := sign * 0.25 * up / base / []float64{0.4, 0.6}[i]
		contact := sign * 0.5 * up / base / []float64{0.6, 0.4}[i]
		k := &a.Kinematics
		k.Table = table(*k, 2*0.1/tread, ahead, (contact-ahead)/radius*180/math.Pi)
		k.Camber, k.RollCenter, k.AntiDive, k.AntiSquat = 9, 1, -1, -1 // do not count
	}
	inSecond := func(p Params) State { // a gear that changes may engage a tick later
		c := newCar(t, p, Dt)
		s := c.Underway(r3.Vec{}, 0, 10, 2)
		for tick := range 16_000 {
			in := drive(tick)
			in.Gear, in.Assists.AutoClutch = 2, false
			c.Step(&s, in)
		}
		return s
	}
	a, b := inSecond(p), inSecond(q)
	near.Value(t, "place", r3.Norm(r3.Sub(a.Pos, b.Pos)), 0, 1e-6)
	near.Value(t, "speed", r3.Norm(r3.Sub(a.Vel, b.Vel)), 0, 1e-6)
	near.Value(t, "travel", a.Wheels[tire.RL].Travel, b.Wheels[tire.RL].Travel, 1e-6)
}

// The side force at a height above the ground leans the car less, to none at the
// center of mass, whatever the tires feel.
func TestForcesAtAHeightLeanTheCarLess(t *testing.T) {
	angle := func(edit func(k *suspension.Kinematics)) float64 {
		p := linked(edit)
		p.Gyroscopes = false // wheels and engine lean a car by themselves
		c := newCar(t, p, Dt)
		s := rolling(c, 20, 3)
		cruise(c, &s, 8, 20, 0.4, 3)
		return s.Roll() / (s.Wheels[tire.FL].Fy + s.Wheels[tire.FR].Fy + s.Wheels[tire.RL].Fy + s.Wheels[tire.RR].Fy)
	}
	ground := angle(func(k *suspension.Kinematics) {})
	for _, part := range []float64{0.2, 0.5, 1} {
		reduced := angle(func(k *suspension.Kinematics) { k.RollReduction = part })
		high := angle(func(k *suspension.Kinematics) { k.ApplyForceDirectly, k.ForceHeight = true, part*0.5 })
		near.Value(t, fmt.Sprintf("roll reduction of %g", part), reduced/ground, 1-part, 0.02)
		near.Value(t, fmt.Sprintf("forces at %g m", part*0.5), high/ground, 1-part, 0.02)
	}
}

func TestBadKinematicsAreRefused(t *testing.T) {
	row := func(z float64) []float64 { return []float64{z, 0, 0, 0, 0, 0, 1} }
	tests := []struct {
		name string
		edit func(k *suspension.Kinematics)
		want string
	}{
		{"camber in radians of a wreck", func(k *suspension.Kinematics) { k.Camber = 45 }, "front.kinematics.camber_deg = 45: must be -10 to 10"},
		{"toe", func(k *suspension.Kinematics) { k.Toe = math.NaN() }, "front.kinematics.toe_deg = NaN"},
		{"roll center in millimetres", func(k *suspension.Kinematics) { k.RollCenter = 80 }, "front.kinematics.roll_center_m = 80: must be -0.5 to 1"},
		{"anti-dive in percent", func(k *suspension.Kinematics) { k.AntiDive = 40 }, "front.kinematics.anti_dive = 40: must be -1 to 1.5"},
		{"no motion", func(k *suspension.Kinematics) { k.MotionRatio = 0 }, "front.kinematics.motion_ratio = 0: must be 0.2 to 2"},
		{"two rows", func(k *suspension.Kinematics) { k.Table = [][]float64{row(0), row(0.1)} }, "front.kinematics.table has 2 entries: must be 0 or 3 to 64"},
		{"short row", func(k *suspension.Kinematics) { k.Table = [][]float64{row(0), row(0.1)[:6], row(0.2)} }, "front.kinematics.table[1] has 6 values: give seven"},
		{"falling travel", func(k *suspension.Kinematics) { k.Table = [][]float64{row(0), row(0.25), row(0.25)} }, "front.kinematics.table[2] travel = 0.25: must be 0.2501 to 1"},
		{"ratio in a row", func(k *suspension.Kinematics) {
			k.Table = [][]float64{row(0), row(0.1), row(0.2)}
			k.Table[0][6] = 0
		}, "front.kinematics.table[0] motion ratio = 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			tt.edit(&p.Front.Kinematics)
			if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
