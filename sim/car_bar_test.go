package sim

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// barred returns the coupe with the same bar on both axles, changed by edit.
func barred(mode string, edit func(*suspension.Bar)) Params {
	p := DefaultCar()
	p.Front.UnsprungMass, p.Rear.UnsprungMass = 0, 0 // tires carry what springs and bars push
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Bar.Mode = mode
		if edit != nil {
			edit(&a.Bar)
		}
	}
	return p
}

// follow moves the wheels of a body that does not answer.
func follow(c *Car, s *State) (f stood) {
	straight := c.steer(s, Input{})
	f = c.stands(s, &straight)
	c.carries(s, &f)
	for i := range s.Wheels {
		w := &s.Wheels[i]
		w.TravelSpeed = (f.slides[i].StopTravel - w.Travel) / c.dt
		w.Travel = f.slides[i].StopTravel
	}
	c.reportBars(s, &f.bars)
	return f
}

// held settles the wheels of a body that is held at a roll angle [rad].
func held(c *Car, roll float64) (s State, f stood) {
	s = c.Rest(r3.Vec{}, 0)
	s.Att = turn(roll)
	for range 3000 {
		f = follow(c, &s)
	}
	return s, f
}

// What a bar moves in a body held askew: 28 kN/m at each front wheel, 240 mm of travel.
func TestABarMovesTheForceOfItsLaw(t *testing.T) {
	const spring, travel = 28e3, 0.24
	tests := []struct {
		mode string
		edit func(*suspension.Bar)
		want func(l, r float64) float64 // moved to the left spring at these travels [N]
	}{
		{"none", nil, func(l, r float64) float64 { return 0 }},
		{"rate", nil, func(l, r float64) float64 { return 22e3 * (l - r) }},
		{"force", nil, func(l, r float64) float64 { return 5000 * ((1 - r/travel) - (1 - l/travel)) }},
		{"legacy", func(b *suspension.Bar) { b.Force = 8000 }, func(l, r float64) float64 { return 8000 * (l/travel - r/travel) }},
		{"torsion", func(b *suspension.Bar) { b.MotionRatio = 0.5 }, func(l, r float64) float64 {
			return 79.3e9 * math.Pi * math.Pow(0.022, 4) / 32 / 1.0 * math.Pow(0.5/0.25, 2) * (l - r)
		}},
		{"stiffness", func(b *suspension.Bar) { b.Share = 0.2 }, func(l, r float64) float64 {
			return math.Copysign(0.2*spring*min(l, r), l-r)
		}},
	}
	for _, tt := range tests {
		for _, roll := range []float64{0.012, -0.012} {
			c := newCar(t, barred(tt.mode, tt.edit), Dt)
			s, _ := held(c, roll)
			l, r := s.Wheels[tire.FL], s.Wheels[tire.FR]
			if (l.Travel < r.Travel) != (roll > 0) || l.Load == 0 || r.Load == 0 {
				t.Fatalf("%s: roll %g leaves travel %g and %g", tt.mode, roll, l.Travel, r.Travel)
			}
			moved := tt.want(l.Travel, r.Travel)
			name := tt.mode + ": "
			near.Value(t, name+"left load", l.Load*math.Cos(roll), spring*l.Travel+moved, 0.01)
			near.Value(t, name+"right load", r.Load*math.Cos(roll), spring*r.Travel-moved, 0.01)
			k := s.Bars[0]
			near.Value(t, name+"left spring", k.SpringForceLeft, spring*l.Travel+moved, 0.01)
			near.Value(t, name+"right spring", k.SpringForceRight, spring*r.Travel-moved, 0.01)
			near.Value(t, name+"compression", k.CompressionDiff, l.Travel-r.Travel, 0)
		}
	}
}

func TestFullStiffnessIsRigid(t *testing.T) {
	c := newCar(t, barred("stiffness", func(b *suspension.Bar) { b.Share = 1 }), Dt)
	s, _ := held(c, 0.012)
	near.Value(t, "difference in travel", s.Bars[0].CompressionDiff, 0, 1e-9)
	if s.Wheels[tire.FR].Load-s.Wheels[tire.FL].Load < 2000 {
		t.Errorf("loads %.0f N and %.0f N: not askew", s.Wheels[tire.FL].Load, s.Wheels[tire.FR].Load)
	}
}

// onBody is a bar in mode force beside the spring.
func onBody(b *suspension.Bar) { b.Apply = "body" }

func TestOnTheBodyABarUnloadsTheOuterTire(t *testing.T) {
	const roll = 0.012 // right side down, as in a bend to the left
	free, _ := held(newCar(t, barred("none", nil), Dt), roll)
	right, _ := held(newCar(t, barred("force", nil), Dt), roll)
	beside, f := held(newCar(t, barred("force", onBody), Dt), roll)

	if right.Wheels[tire.FR].Load < free.Wheels[tire.FR].Load+50 {
		t.Errorf("on the spring: outer load %.0f N, without a bar %.0f N", right.Wheels[tire.FR].Load, free.Wheels[tire.FR].Load)
	}
	near.Value(t, "on the body: outer load", beside.Wheels[tire.FR].Load, free.Wheels[tire.FR].Load, 1e-6)
	// The hubs are 1.52 m apart and the tires count as rigid.
	near.Value(t, "on the body: push outside", f.bars[0].BodyRight, 5000*1.52*math.Tan(roll)/0.24, 1)
	near.Value(t, "on the body: sum", f.bars[0].BodyLeft+f.bars[0].BodyRight, 0, 0)
}

// In a bend the load moved outside is the moment of the side force less what
// bars beside the springs hold by themselves.
func TestBarsOnTheBodyTakeLoadTransferFromTheTires(t *testing.T) {
	for name, edit := range map[string]func(*suspension.Bar){"spring": nil, "body": onBody} {
		c := newCar(t, barred("force", edit), Dt)
		s := rolling(c, 20, 3)
		cruise(c, &s, 10, 20, 0.6, 3)
		ay := s.Acc.Y*math.Cos(s.Roll()) - s.Acc.Z*math.Sin(s.Roll())
		moved := (s.Wheels[tire.FR].Load - s.Wheels[tire.FL].Load + s.Wheels[tire.RR].Load - s.Wheels[tire.RL].Load) / 2
		want := 1500 * s.Pos.Z * (ay*math.Cos(s.Roll()) + 9.80665*math.Sin(s.Roll())) / 1.53
		for i := range s.Wheels { // whose axles are turned
			want += 1.1 * s.Wheels[i].Roll.Spin * s.Rate.Z / 1.53
		}
		if held := 2 * 5000 * 1.53 * math.Tan(s.Roll()) / 0.24; edit != nil {
			want -= held
		}
		near.Value(t, "on the "+name+": load moved outside", moved, want, 0.02*want)
	}
}

// ledge carries what is to the left of the world's x axis.
type ledge struct{}

func (ledge) Touch(p r3.Vec) road.Contact {
	height := p.Z
	if p.Y < 0 {
		height += 1
	}
	return road.Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: p.Z - height}, Normal: r3.Vec{Z: 1}, Depth: -height, Surface: tire.Dry()}
}

func TestAHangingWheelLeavesABarOnOneSide(t *testing.T) {
	load := map[string]float64{}
	for _, name := range []string{"none", "spring", "body"} {
		p := barred("none", nil)
		if name != "none" {
			p = barred("force", func(b *suspension.Bar) { b.Apply = name })
		}
		c, err := New(p, ledge{}, Dt)
		if err != nil {
			t.Fatal(err)
		}
		s := State{State: chassis.State{Pos: r3.Vec{Z: 0.52}, Att: turn(0)}}
		var f stood
		for range 3000 {
			f = follow(c, &s)
		}
		l := s.Wheels[tire.FL].Travel
		load[name] = s.Wheels[tire.FL].Load
		near.Value(t, name+": hanging wheel's travel", s.Wheels[tire.FR].Travel, 0, 1e-6)
		near.Value(t, name+": hanging wheel's load", s.Wheels[tire.FR].Load, 0, 0)
		near.Value(t, name+": hanging wheel's push", f.bars[0].BodyRight, 0, 0)
		switch name {
		case "spring":
			near.Value(t, "load on the other side", s.Wheels[tire.FL].Load, 28e3*l+5000*l/0.24, 0.01)
		case "body": // to the ground by the unloaded radius: the tire's 210 kN/m give way besides
			ray := l + s.Wheels[tire.FL].Load/210e3
			near.Value(t, "push on the other side", f.bars[0].BodyLeft, 5000*ray/0.24, 0.01)
		}
	}
	if load["body"] != load["none"] || load["spring"] < load["none"]+500 {
		t.Errorf("loads %v: only a bar on the spring presses the tire down", load)
	}
}

func TestAStifferFrontBarMovesLoadTransferForward(t *testing.T) {
	last := 0.0
	for _, force := range []float64{0, 5000, 20e3} {
		p := barred("force", nil)
		p.Front.Bar.Force = force
		c := newCar(t, p, Dt)
		s := rolling(c, 20, 3)
		cruise(c, &s, 10, 20, 0.5, 3)
		front := s.Wheels[tire.FR].Load - s.Wheels[tire.FL].Load
		rear := s.Wheels[tire.RR].Load - s.Wheels[tire.RL].Load
		share := front / (front + rear)
		if share < last+0.03 {
			t.Errorf("bar of %.0f N: %.3f of the load transfer in front, after %.3f with less", force, share, last)
		}
		last = share
	}
}

// stiffest returns bars at the end of their range.
func stiffest() map[string]Params {
	stiff := barred("rate", nil)
	stiff.Front.BarRate, stiff.Rear.BarRate = 500e3, 500e3
	return map[string]Params{
		"rate":      stiff,
		"force":     barred("force", func(b *suspension.Bar) { b.Force = 500e3 }),
		"body":      barred("force", func(b *suspension.Bar) { b.Force, b.Apply = 500e3, "body" }),
		"legacy":    barred("legacy", func(b *suspension.Bar) { b.Force = 500e3 }),
		"stiffness": barred("stiffness", func(b *suspension.Bar) { b.Share = 1 }),
		"half":      barred("stiffness", nil),
		"torsion": barred("torsion", func(b *suspension.Bar) {
			b.Diameter, b.Length, b.ArmLength, b.ShearModulus, b.MotionRatio = 80, 0.1, 0.05, 200, 2
		}),
		"auto": barred("force", func(b *suspension.Bar) { b.Force, b.Auto = 500e3, true }),
	}
}

func TestTheStiffestBarsStandAndDriveStraight(t *testing.T) {
	for name, p := range stiffest() {
		t.Run(name, func(t *testing.T) {
			c := newCar(t, p, Dt)
			s := c.Rest(r3.Vec{}, 0)
			s.Pos.Z += 0.05
			run(c, &s, 4, Input{Brake: 1})
			if !still(&s) {
				t.Errorf("4 s after a drop of 50 mm: %.3g m/s, %.3g rad/s", r3.Norm(s.Vel), r3.Norm(s.Rate))
			}
			run(c, &s, 4, Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true}})
			if s.Pos.Y != 0 || s.Rate.Z != 0 || s.Roll() != 0 || s.Pos.X < 10 {
				t.Errorf("x = %g m, y = %g m, roll %g rad", s.Pos.X, s.Pos.Y, s.Roll())
			}
		})
	}
}

func TestTheStiffestBarsStayCalmInABend(t *testing.T) {
	for name, p := range stiffest() {
		t.Run(name, func(t *testing.T) {
			c := newCar(t, p, Dt)
			s := rolling(c, 20, 3)
			cruise(c, &s, 6, 20, 0.5, 3)
			fastest := 0.0
			for range 2000 {
				cruise(c, &s, Dt, 20, 0.5, 3)
				fastest = max(fastest, math.Abs(s.Rate.X))
			}
			if !finite(reflect.ValueOf(s)) || fastest > 0.02 {
				t.Errorf("rolls at up to %.3f rad/s in a steady bend; %+v", fastest, s)
			}
		})
	}
}

func TestBadBarsAreRefused(t *testing.T) {
	tests := []struct {
		name string
		edit func(*suspension.Bar)
		want string
	}{
		{"mode", func(b *suspension.Bar) { b.Mode = "stiff" }, `front.bar.mode = "stiff": must be force, legacy, none, rate, stiffness or torsion`},
		{"place", func(b *suspension.Bar) { b.Apply = "wheel" }, `front.bar.apply = "wheel": must be body or spring`},
		{"body in another mode", func(b *suspension.Bar) { b.Apply = "body" }, `front.bar.apply = "body": only mode "force"`},
		{"negative force", func(b *suspension.Bar) { b.Force = -1 }, "front.bar.stiffness_n = -1: must be 0 to 500000"},
		{"more than rigid", func(b *suspension.Bar) { b.Share = 1.1 }, "front.bar.stiffness = 1.1: must be 0 to 1"},
		{"NaN", func(b *suspension.Bar) { b.Share = math.NaN() }, "front.bar.stiffness = NaN"},
		{"diameter in metres", func(b *suspension.Bar) { b.Diameter = 0.022 }, "front.bar.diameter_mm = 0.022: must be 5 to 80"},
		{"length in millimetres", func(b *suspension.Bar) { b.Length = 1000 }, "front.bar.length_m = 1000"},
		{"no arm", func(b *suspension.Bar) { b.ArmLength = 0 }, "front.bar.arm_m = 0"},
		{"modulus in pascal", func(b *suspension.Bar) { b.ShearModulus = 79.3e9 }, "front.bar.shear_modulus_gpa = 7.93e+10"},
		{"no motion", func(b *suspension.Bar) { b.MotionRatio = 0 }, "front.bar.motion_ratio = 0"},
		{"speeds the wrong way", func(b *suspension.Bar) { b.AutoFrom, b.AutoFull = 60, 10 }, "front.bar.auto_full_kph = 10: must be 61 to 400"},
		{"least", func(b *suspension.Bar) { b.AutoMinShare = 2 }, "front.bar.auto_least = 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			tt.edit(&p.Front.Bar)
			if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// A load beside the middle, a bar of any law: the car stands level from the start.
func TestABarredCarStandsLevelWithItsMassToOneSide(t *testing.T) {
	for name, p := range map[string]Params{
		"force": barred("force", nil), "legacy": barred("legacy", nil), "torsion": barred("torsion", nil),
		"share that holds": barred("stiffness", nil), "share that slips": barred("stiffness", func(b *suspension.Bar) { b.Share = 0.05 }),
		"auto": barred("force", func(b *suspension.Bar) { b.Auto, b.AutoMinShare = true, 0.3 }),
	} {
		p.CGLeft = 0.1
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		for range 2000 {
			c.Step(&s, Input{Brake: 1})
			if math.Abs(s.Roll()) > 1e-5 {
				t.Errorf("%s: rolls by %.3g rad after %d ms", name, s.Roll(), s.Tick)
				break
			}
		}
	}
}

func TestATumblingCarWithTheStiffestBarsComesToRest(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for name, p := range stiffest() {
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z, s.Rate, s.Vel = 2, r3.Vec{X: 4, Y: 1, Z: 0.5}, r3.Vec{X: 15, Y: 5}
		for range 20_000 {
			c.Step(&s, Input{Brake: 1})
			if !(s.Pos.Z < 2.6 && s.Pos.Z > 0) {
				t.Errorf("%s: %.2f m high after %d ms", name, s.Pos.Z, s.Tick)
				break
			}
		}
		if !still(&s) {
			t.Errorf("%s: %.3g m/s, %.3g rad/s after 20 s", name, r3.Norm(s.Vel), r3.Norm(s.Rate))
		}
	}
}

func TestNoBarAllocates(t *testing.T) {
	for name, p := range stiffest() {
		c := newCar(t, p, Dt)
		s := rolling(c, 20, 3)
		if n := testing.AllocsPerRun(200, func() { c.Step(&s, Input{Steer: 0.6, Gear: 3}) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
