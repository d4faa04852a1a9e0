package tire

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

const gravity = 9.81

// sledge is a body on one CoulombWheel: a point that moves over a plane, as
// those of a car do, with a semi-implicit step. Its wheel heads along x.
type sledge struct {
	wheel  *CoulombWheel
	mass   float64
	roll   WheelState
	x, y   float64
	vx, vy float64
	pushX  float64 // from outside [N]
	pushY  float64
	last   Forces
}

func newCoulombWheel(t testing.TB) *CoulombWheel {
	t.Helper()
	c, err := NewCoulomb(CoulombParams{Friction: 1, FullSlip: 0.005, HalfLength: 0.1}, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewCoulombWheel(c, params(), dt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newSledge(t testing.TB) *sledge { return &sledge{wheel: newCoulombWheel(t), mass: 400} }

// step fills in what the body knows: speeds, load and mass.
func (b *sledge) step(d WheelInput) {
	d.Vx, d.Vy = b.vx, b.vy
	if d.EffectiveMass == 0 {
		d.EffectiveMass = b.mass
	}
	if d.Load == 0 {
		d.Load = b.mass * gravity
	}
	if d.Surface == (Surface{}) {
		d.Surface = Dry()
	}
	b.last = b.wheel.Step(&b.roll, d)
	b.vx += dt * (b.last.Fx + b.pushX) / b.mass
	b.vy += dt * (b.last.Fy + b.pushY) / b.mass
	b.x += dt * b.vx
	b.y += dt * b.vy
}

// slope tilts the plane under the body and turns the wheel away from its fall line.
func (b *sledge) slope(angle, heading float64) (load float64) {
	b.pushX = b.mass * gravity * math.Sin(angle) * math.Cos(heading)
	b.pushY = b.mass * gravity * math.Sin(angle) * math.Sin(heading)
	return b.mass * gravity * math.Cos(angle)
}

func (b *sledge) energy() float64 {
	return 0.5*b.mass*(b.vx*b.vx+b.vy*b.vy) + 0.5*b.wheel.params.Inertia*b.roll.Spin*b.roll.Spin
}

func TestParkedCoulombWheelStays(t *testing.T) {
	slopes := []struct {
		name  string
		angle float64
	}{
		{"8 degrees", 8 * math.Pi / 180},
		{"20 percent", math.Atan(0.2)},
		{"98 percent of the friction", math.Atan(0.98)},
	}
	for _, slope := range slopes {
		t.Run(slope.name, func(t *testing.T) {
			for heading := 0; heading < 360; heading += 30 {
				b := newSledge(t)
				d := WheelInput{BrakeTorque: 3000, Load: b.slope(slope.angle, float64(heading)*math.Pi/180)}
				for range 1000 {
					b.step(d)
				}
				x, y, force := b.x, b.y, b.last
				for range 59_000 {
					b.step(d)
				}
				if moved := math.Hypot(b.x-x, b.y-y); moved > 1e-9 {
					t.Errorf("heading %d: crept %g mm in 59 s", heading, moved*1e3)
				}
				if shake := math.Hypot(b.last.Fx-force.Fx, b.last.Fy-force.Fy); shake > 1e-6 {
					t.Errorf("heading %d: force shakes by %g N", heading, shake)
				}
				near.Value(t, "Fx", b.last.Fx, -b.pushX, 1e-6)
				near.Value(t, "Fy", b.last.Fy, -b.pushY, 1e-6)
			}
		})
	}
}

func TestParkedWheelMovesHundredthsOfAMillimetre(t *testing.T) {
	b := newSledge(t)
	d := WheelInput{BrakeTorque: 3000, Load: b.slope(math.Atan(0.2), 0)}
	for range 1000 {
		b.step(d)
	}
	near.Value(t, "gave way", b.x, gravity*math.Sin(math.Atan(0.2))*dt*dt/0.1, 1e-9) // 0.019 mm
}

func TestTooSteepASlopeSlides(t *testing.T) {
	b := newSledge(t)
	angle := math.Atan(1.1)
	d := WheelInput{BrakeTorque: 3000, Load: b.slope(angle, math.Pi/2)}
	for range 1000 {
		b.step(d)
	}
	// The first tick finds nothing that slides: it adds g·cos·dt.
	near.Value(t, "speed after 1 s", b.vy, gravity*(math.Sin(angle)-math.Cos(angle)*0.999), 1e-6)
}

func TestParkedWheelHoldsWithAPoorlyKnownMass(t *testing.T) {
	for _, share := range []float64{0.3, 0.7, 1.5, 1.85} {
		b := newSledge(t)
		d := WheelInput{BrakeTorque: 3000, EffectiveMass: share * b.mass, Load: b.slope(math.Atan(0.2), 0.7)}
		for range 3000 {
			b.step(d)
		}
		x, y := b.x, b.y
		for range 3000 {
			b.step(d)
		}
		if moved := math.Hypot(b.x-x, b.y-y); moved > 1e-9 {
			t.Errorf("with %g of the mass: moved %g mm", share, moved*1e3)
		}
	}
}

func TestCoulombWheelStopsAndNeverReverses(t *testing.T) {
	tests := []struct {
		name    string
		vx, vy  float64
		braking float64
		ticks   int // until it stands, by mass, friction and torque; 10 % more are given
	}{
		{"locked", 10, 0, 5000, 1020},
		{"backward", -10, 0, 5000, 1020},
		{"gently braked", 2, 0, 300, 820}, // 1000 N stop the car and 11 kg of wheel
		{"sideways", 0, 3, 0, 306},
		{"askew", 3, 4, 5000, 510},
		{"a crawl", 1e-3, 0, 5000, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSledge(t)
			b.vx, b.vy, b.roll.Spin = tt.vx, tt.vy, tt.vx/0.3
			for i := range tt.ticks*11/10 + 2 {
				b.step(WheelInput{BrakeTorque: tt.braking})
				if b.vx*tt.vx < -1e-12 || b.vy*tt.vy < -1e-12 || b.roll.Spin*tt.vx < 0 {
					t.Fatalf("reverses after %d ms: %g, %g m/s, %g rad/s", i, b.vx, b.vy, b.roll.Spin)
				}
				if largest := b.mass * gravity * (1 + 1e-12); math.Hypot(b.last.Fx, b.last.Fy) > largest {
					t.Fatalf("force %+v above %g N", b.last, largest)
				}
				if i == tt.ticks*9/10-1 && math.Hypot(b.vx, b.vy) == 0 {
					t.Errorf("stood after %d ms already", i+1)
				}
			}
			near.Value(t, "speed", math.Hypot(b.vx, b.vy), 0, 1e-12)
			near.Value(t, "spin", b.roll.Spin, 0, 1e-12)
		})
	}
}

func TestSlipEnergyIsTheEnergyLostBySliding(t *testing.T) {
	tests := []struct {
		name   string
		vx, vy float64
	}{
		{"ahead", 20, 0},
		{"askew", 12, -9},
		{"sideways", 0, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSledge(t)
			b.vx, b.vy = tt.vx, tt.vy // the wheel is locked already
			before := b.energy()
			for range 3000 {
				b.step(WheelInput{BrakeTorque: 1e4})
			}
			near.Value(t, "skid energy", b.roll.SlipEnergy, before, 0.01*before)
			near.Value(t, "speed left", math.Hypot(b.vx, b.vy), 0, 1e-12)
		})
	}
}

func TestFreeRollingWheelHasNoSlipEnergy(t *testing.T) {
	b := newSledge(t)
	b.vx, b.roll.Spin = 20, 20/0.3
	for range 1000 {
		b.step(WheelInput{BrakeTorque: 600})
	}
	near.Value(t, "skid energy", b.roll.SlipEnergy, 0, 0)
	near.Value(t, "spin times radius", b.roll.Spin*0.3, b.vx, 1e-9)
	near.Value(t, "speed", b.vx, 20-2000/(400+1/0.09), 1e-6)
}

func TestDrivenCoulombWheel(t *testing.T) {
	tests := []struct {
		name       string
		torque     float64
		grip       float64
		vx, rim    float64 // after 1 s [m/s]
		skidsAtAll bool
	}{
		{"grips, and turns the wheel with the car", 600, 1, 2000 / (400 + 1/0.09), 2000 / (400 + 1/0.09), false},
		{"spins up by its inertia", 600, 0.25, 0.25 * gravity, 0.3 * (600 - 0.3*0.25*400*gravity), true},
		{"in reverse", -600, 0.25, -0.25 * gravity, -0.3 * (600 - 0.3*0.25*400*gravity), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSledge(t)
			for range 1000 {
				b.step(WheelInput{Torque: tt.torque, Surface: Surface{tt.grip, 1, 1}})
			}
			near.Value(t, "speed", b.vx, tt.vx, 1e-6)
			near.Value(t, "rim speed", b.roll.Spin*0.3, tt.rim, 1e-6)
			if (b.roll.SlipEnergy > 0) != tt.skidsAtAll {
				t.Errorf("skid energy %g J", b.roll.SlipEnergy)
			}
		})
	}
}

func TestSpinningWheelComesBackToTheGround(t *testing.T) {
	b := newSledge(t)
	b.roll.Spin = 100
	before := b.energy()
	for range 2000 {
		b.step(WheelInput{})
	}
	want := 100 / 0.3 / (400 + 1/0.09) // angular momentum over the joint mass
	near.Value(t, "speed", b.vx, want, 1e-6)
	near.Value(t, "rim speed", b.roll.Spin*0.3, want, 1e-6)
	near.Value(t, "skid energy", b.roll.SlipEnergy, before-b.energy(), 0.01*before)
}

func TestStiffDriveStaysStable(t *testing.T) {
	for _, grip := range []float64{0.05, 1} {
		b := newSledge(t)
		for i := range 3000 {
			// An engine that is held to 20 rad/s by 5000 N·m for each rad/s.
			b.step(WheelInput{Torque: 5000 * (20 - b.roll.Spin), TorqueSlope: 5000, Surface: Surface{grip, 1, 1}})
			if b.vx > 6+1e-9 || b.roll.Spin > 20+1e-9 {
				t.Fatalf("overshoots after %d ms: %g m/s, %g rad/s", i, b.vx, b.roll.Spin)
			}
		}
		near.Value(t, "speed", b.vx, min(6, 3*grip*gravity), 1e-6)
	}
}

func TestLockedWheelHasLittleSideForce(t *testing.T) {
	w := newCoulombWheel(t)
	d := WheelInput{Vx: 15, Vy: 1, Load: 4000, Surface: Dry(), EffectiveMass: 400}
	s := WheelState{Spin: 50}
	near.Value(t, "side force rolling", w.Step(&s, d).Fy, -4000, 1e-6)
	d.BrakeTorque = 5000
	s = WheelState{}
	f := w.Step(&s, d)
	near.Value(t, "side force locked", f.Fy, -4000/math.Sqrt(226), 1e-6)
	near.Value(t, "brake force locked", f.Fx, -4000*15/math.Sqrt(226), 1e-6)

	// Below the limit the side force is the same; drive or brake share the circle.
	gentle := WheelInput{Vx: 15, Vy: 0.005, Load: 4000, Surface: Dry(), EffectiveMass: 400}
	s = WheelState{Spin: 50}
	near.Value(t, "side force that stops 5 mm/s", w.Step(&s, gentle).Fy, -2000, 250)
	gentle.Torque = 3000
	s = WheelState{Spin: 50}
	f = w.Step(&s, gentle)
	near.Value(t, "force while driving", math.Hypot(f.Fx, f.Fy), 4000, 1e-6)
	if f.Fy < -1000 {
		t.Errorf("driving leaves a side force of %g N", f.Fy)
	}
}

func TestSlidingForceOpposesTheSpeedAfterTheTick(t *testing.T) {
	for _, ratio := range []float64{1e-3, 0.02, 1, 30, 1e3} { // of the masses that the directions feel
		for _, speed := range []float64{0.011, 0.1, 3, 100} {
			for angle := 0.0; angle < 2*math.Pi; angle += 0.1 {
				perX, perY := ratio*4e5, 4e5
				vx, vy := speed*math.Cos(angle), speed*math.Sin(angle)
				g := stoppingForce{gainX: perX, gainY: perY, speedX: -perX * vx, speedY: -perY * vy}
				if math.Hypot(g.speedX, g.speedY) <= 4000 {
					continue // holds
				}
				fx, fy, remaining := g.limited(4000)
				near.Value(t, "force", math.Hypot(fx, fy), 4000, 1e-6)
				near.Value(t, "kept", remaining, 0, 0)
				leftX, leftY := vx+fx/perX, vy+fy/perY
				left := math.Hypot(leftX, leftY)
				near.Value(t, "fx left to the sliding", fx*left, -4000*leftX, 1e-4*4000*left+1e-9)
				near.Value(t, "fy left to the sliding", fy*left, -4000*leftY, 1e-4*4000*left+1e-9)
			}
		}
	}
}

func TestSpinningWheelHasLittleSideForce(t *testing.T) {
	w := newCoulombWheel(t)
	d := WheelInput{Vx: 15, Vy: 1, Load: 4000, Surface: Dry(), EffectiveMass: 400}
	s := WheelState{Spin: 20 / 0.3} // 5 m/s too fast; 4 kN take 0.36 m/s off in a tick, and 0.01 m/s off the side
	f := w.Step(&s, d)
	near.Value(t, "drive over side force", -f.Fx/f.Fy, (5-0.0036-0.36*0.98)/(1-0.002), 0.03)
}

func TestCoulombWheelMirrors(t *testing.T) {
	left, right, back := newSledge(t), newSledge(t), newSledge(t)
	left.vx, left.vy, left.roll.Spin = 8, 2, 20
	right.vx, right.vy, right.roll.Spin = 8, -2, 20
	back.vx, back.vy, back.roll.Spin = -8, 2, -20
	for i := range 2000 {
		torque := 900 * math.Sin(float64(i)/100)
		left.step(WheelInput{Torque: torque, BrakeTorque: 200})
		right.step(WheelInput{Torque: torque, BrakeTorque: 200})
		back.step(WheelInput{Torque: -torque, BrakeTorque: 200})
		if left.vx != right.vx || left.vy != -right.vy || left.vx != -back.vx || left.roll.Spin != -back.roll.Spin {
			t.Fatalf("after %d ms: %+v, %+v, %+v", i, left, right, back)
		}
	}
}

func TestCoulombWheelInTheAir(t *testing.T) {
	w := newCoulombWheel(t)
	s := WheelState{Spin: 10, DeflX: 0.01, DeflY: 0.01, SlipEnergy: 7}
	if f := w.Step(&s, WheelInput{Vx: 5, Vy: 5, Torque: 100}); f != (Forces{}) {
		t.Errorf("forces %+v", f)
	}
	near.Value(t, "spin", s.Spin, 10.1, 1e-12)
	if want := (WheelState{Spin: s.Spin, SlipEnergy: 7}); s != want {
		t.Errorf("state %+v, want %+v", s, want)
	}
	w.Step(&s, WheelInput{BrakeTorque: 1e5})
	near.Value(t, "spin braked", s.Spin, 0, 0)
}

func TestHalfTheStepChangesLittle(t *testing.T) {
	stop := func(dt float64) float64 {
		w := newCoulombWheel(t)
		w.dt = dt
		s := WheelState{Spin: 50}
		var x, v float64
		for v = 15.0; v > 1e-9; {
			f := w.Step(&s, WheelInput{Vx: v, Load: 400 * gravity, Surface: Dry(), EffectiveMass: 400, BrakeTorque: 2000})
			v += dt * f.Fx / 400
			x += dt * v
		}
		return x
	}
	whole, half := stop(1e-3), stop(5e-4)
	near.Value(t, "way to the stop", whole, half, 0.01)
	near.Value(t, "way by the formula", half, 15*15/(2*gravity), 0.02)
}

func TestCoulombWheelUsesTheInputsRadius(t *testing.T) {
	b := newSledge(t)
	b.vx = 10
	b.roll.Spin = 10 / 0.28
	b.step(WheelInput{Radius: 0.28})
	near.Value(t, "force of a free-rolling wheel", b.last.Fx, 0, 1e-6)
}

func TestNewCoulombWheelRejectsBadArguments(t *testing.T) {
	p := params()
	p.Inertia = 0
	_, err := NewCoulombWheel(coulombTire(t), p, 1)
	wantInError(t, err, "tire: coulomb wheel: inertia_kgm2 = 0: must be 0.01 to 500", "dt = 1")
}

func FuzzCoulombWheel(f *testing.F) {
	f.Add(20.0, 1.0, 4000.0, 1.0, 400.0, 500.0, 0.0, 0.0, 10.0)
	f.Add(-0.01, 0.0, 100.0, 0.05, 400.0, 0.0, 0.0, 5000.0, 0.0)
	f.Add(0.0, 30.0, 9000.0, 1.5, 0.0, -3000.0, 50.0, 100.0, -50.0)
	f.Add(math.Inf(1), math.NaN(), math.Inf(1), 1e-300, math.Inf(1), math.NaN(), math.Inf(-1), math.Inf(1), math.NaN())
	f.Add(1e308, -1e308, 5e-324, 1e308, 1e-320, 1e308, 1e308, 1e308, 1e308)
	f.Fuzz(func(t *testing.T, vx, vy, load, grip, mass, torque, slope, braking, spin float64) {
		d := WheelInput{Vx: vx, Vy: vy, Load: load, Surface: Surface{grip, 1, 1}, EffectiveMass: mass, Torque: torque, TorqueSlope: slope, BrakeTorque: braking}
		w := newCoulombWheel(t)
		s := WheelState{Spin: spin}
		for range 50 {
			slipPower := s.SlipEnergy
			got := w.Step(&s, d)
			sum := got.Fx + got.Fy + got.My + got.Mz + s.Spin + s.DeflX + s.DeflY + s.UndampedFx + s.SlipEnergy
			if math.IsNaN(sum) || math.IsInf(sum, 0) {
				t.Fatalf("%+v: %+v, %+v", d, got, s)
			}
			if s.SlipEnergy < slipPower {
				t.Fatalf("%+v: skid energy falls from %g to %g J", d, slipPower, s.SlipEnergy)
			}
			var largest float64
			if on := (Contact{Load: d.Load, Surface: d.Surface}); on.hasContact() {
				largest = w.model.Capacity(on).ForceX
			}
			if math.Hypot(got.Fx, got.Fy) > largest*(1+1e-9) {
				t.Fatalf("%+v: %+v above %g N", d, got, largest)
			}
		}
	})
}

func TestCoulombWheelAllocatesNothing(t *testing.T) {
	w := newCoulombWheel(t)
	var s WheelState
	if n := testing.AllocsPerRun(100, func() {
		w.Step(&s, WheelInput{Vx: 1, Vy: 0.1, Load: 4000, Surface: Dry(), EffectiveMass: 400, Torque: 10})
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkCoulombWheel(b *testing.B) {
	w := newCoulombWheel(b)
	s := WheelState{Spin: 60}
	d := WheelInput{Vx: 20, Vy: 0.3, Load: 4000, Surface: Dry(), EffectiveMass: 400, Torque: 10}
	b.ReportAllocs()
	for b.Loop() {
		w.Step(&s, d)
	}
}

var _ WheelModel = (*CoulombWheel)(nil)
