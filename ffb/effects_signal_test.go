package ffb

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// wave measures gain and phase [rad, positive ahead] of what comes out of a sine of size 1.
func wave(all []float64, hertz float64) (gain, phase float64) {
	var a, b float64
	from := len(all) - int(math.Round(20/hertz/dt)) // whole periods
	for i := from; i < len(all); i++ {
		sin, cos := math.Sincos(2 * math.Pi * hertz * float64(i) * dt)
		a, b = a+all[i]*sin, b+all[i]*cos
	}
	n := float64(len(all)-from) / 2
	return math.Hypot(a, b) / n, math.Atan2(b, a)
}

// The road's phase is atan(8/f) - atan(f/80), and its gain that of the two filters.
func TestRoadIsTrueToThePhase(t *testing.T) {
	for _, tt := range []struct{ hertz, gain, phase float64 }{ // worked out by hand
		{1, 0.1240, 82.16}, {8, 0.7036, 39.29}, {16, 0.8771, 15.26}, {25, 0.9091, 0.37}, {50, 0.8374, -22.91}, {80, 0.7036, -39.29},
	} {
		t.Run(fmt.Sprintf("%g Hz", tt.hertz), func(t *testing.T) {
			all := trace(t, only(Road), Road, 30_000, func(s *sim.State, i int) {
				sine := math.Sin(2 * math.Pi * tt.hertz * float64(i) * dt)
				s.Wheels[tire.FL].TravelSpeed, s.Wheels[tire.FR].TravelSpeed = sine/2, -sine/2
			})
			gain, phase := wave(all, tt.hertz)
			near.Value(t, "gain", gain, tt.gain, 0.01)
			near.Value(t, "phase [°]", phase*180/math.Pi, tt.phase, 1)
		})
	}
}

func TestTheRoadIsFeltToTheSideOfTheWheelThatRises(t *testing.T) {
	up := func(left, right float64) float64 {
		all := trace(t, only(Road), Road, 10, func(s *sim.State, _ int) {
			s.Wheels[tire.FL].TravelSpeed, s.Wheels[tire.FR].TravelSpeed = left, right
		})
		return all[5]
	}
	if l, r, both := up(1, 0), up(0, 1), up(1, 1); !(l > 0.5) || r != -l || both != 0 {
		t.Errorf("left %g, right %g, both %g N·m", l, r, both)
	}
	if hard := up(500, 0); !(hard > 1 && hard < 2) {
		t.Errorf("a leap of %g N·m, want less than twice road_nm", hard)
	}
}

// drift has the rear axle's slip angle change at a rate [rad/s].
func drift(rate, strain, speed float64) func(*sim.State, int) {
	return func(s *sim.State, i int) {
		s.Speed = speed
		for k := tire.RL; k <= tire.RR; k++ {
			s.Wheels[k].Alpha, s.Wheels[k].Roll.NormalizedSlip = rate*float64(i)*dt, strain
		}
	}
}

func TestARearThatStepsOutAsksForCounterSteer(t *testing.T) {
	tests := []struct {
		name   string
		change func(*sim.State, int)
		want   float64
	}{
		{"to the right by 0.5 rad/s: the rim too", drift(-0.5, 1, 20), -1},
		{"to the left", drift(0.5, 1, 20), 1},
		{"slowly", drift(0.1, 1, 20), 0.2},
		{"fast: bent", drift(1, 1, 20), 1.5},
		{"grips, and only turns in", drift(-0.5, 0.5, 20), 0},
		{"slides half", drift(0.5, 0.75, 20), 0.5},
		{"walking", drift(0.5, 1, 3), 0},
		{"backward", drift(0.5, 1, -20), 0},
		{"a drift that is held", func(s *sim.State, _ int) { drift(0, 1, 20)(s, 0); s.Wheels[tire.RL].Alpha = 0.4 }, 0},
		{"a wheel in the air", func(s *sim.State, i int) { drift(0.5, 1, 20)(s, i); s.Wheels[tire.RL].Load = 0 }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := trace(t, only(RearSlip), RearSlip, 600, tt.change)
			near.Value(t, "torque", all[len(all)-1], tt.want, 1e-6)
		})
	}
	all := trace(t, only(RearSlip), RearSlip, 600, drift(0.5, 1, 20))
	area := 0.0 // of what is missing: the mean delay
	for _, v := range all {
		area += (1 - v) * dt
	}
	near.Value(t, "delay [s]", area, 0.021, 0.003)
}

func TestTheABSIsFeltInItsOwnCycle(t *testing.T) {
	cycle := func(left, right bool) func(*sim.State, int) {
		return func(s *sim.State, i int) {
			phase := int8(2)
			if i/40%2 == 1 { // 12.5 Hz, in the middle of the band
				phase = 4
			}
			if left {
				s.Brakes.Wheels[tire.FL].ABS.Phase = phase
			}
			if right {
				s.Brakes.Wheels[tire.FR].ABS.Phase = phase
			}
		}
	}
	both := settledTail(trace(t, only(ABS), ABS, 4000, cycle(true, true)))
	near.Value(t, "frequency [Hz]", hertz(both), 12.5, 0.05)
	gain, _ := wave(both, 12.5)
	near.Value(t, "first harmonic", gain, 4/math.Pi*0.909, 0.01) // of a square, by the band's gain
	if one := settledTail(trace(t, only(ABS), ABS, 4000, cycle(true, false))); math.Abs(highest(one)-highest(both)/2) > 1e-12 {
		t.Errorf("one wheel %g, both %g N·m", highest(one), highest(both))
	}
	for phase := range int8(2) { // off, and as the driver presses
		if most := highest(trace(t, only(ABS), ABS, 500, func(s *sim.State, _ int) { s.Brakes.Wheels[0].ABS.Phase = phase })); most != 0 {
			t.Errorf("phase %d: %g N·m", phase, most)
		}
	}
}

func TestAGearChangeJolts(t *testing.T) {
	engage := func(torque float64, change bool) []float64 {
		return trace(t, only(Shift), Shift, 2000, func(s *sim.State, i int) {
			if change && i >= 460 && i < 500 {
				s.Driveline.Gearbox.ShiftTime = float64(i-459) * dt
			} else if s.Driveline.Gearbox.ShiftTime = 0; change && i >= 500 {
				s.Driveline.Gear = 4
			}
			if i >= 500 {
				s.Driveline.Shafts[tire.RL].Torque, s.Driveline.Shafts[tire.RR].Torque = torque/2, torque/2
			}
		})
	}
	all := engage(1000, true)
	if most := highest(all); !(most > 0.6 && most < 1) || !(highest(all[:500]) == 0) || all[766] != 0 {
		t.Errorf("a knock of %g N·m, before it %g, afterwards %g", most, highest(all[:500]), all[766])
	}
	near.Value(t, "half the torque", highest(engage(500, true)), highest(all)/2, 1e-9)
	if most := highest(engage(1000, false)); most != 0 {
		t.Errorf("%g N·m without a gear change", most)
	}
}

func TestTheEngineVibratesInItsFiringOrder(t *testing.T) {
	for _, tt := range []struct {
		name      string
		cylinders int
		engine    float64 // [rad/s]
		torque    float64
		hertz     float64
		first     float64 // harmonic
		second    float64
	}{
		{"four at 1500 rpm under load", 4, 50 * math.Pi, 300, 50, 1, 0.27},
		{"four idling", 4, 30 * math.Pi, 0, 30, 0.3, 0.033},
		{"six at 2000 rpm, dragged", 6, 2000.0 / 30 * math.Pi, -150, 100, 0.65, 0.65 * 0.19},
		{"one at 1200 rpm", 1, 40 * math.Pi, 300, 10, 1, 0.27},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := only(Engine)
			cfg.Cylinders = tt.cylinders
			all := trace(t, cfg, Engine, 6000, func(s *sim.State, _ int) {
				s.Driveline.EngineSpeed, s.Driveline.Engine.Running, s.Driveline.Engine.Torque = tt.engine, true, tt.torque
			})
			near.Value(t, "frequency [Hz]", hertz(settledTail(all)), tt.hertz, 0.01*tt.hertz)
			first, _ := wave(all, tt.hertz)
			second, _ := wave(all, 2*tt.hertz)
			near.Value(t, "first order", first, tt.first, 0.005)
			near.Value(t, "second order", second, tt.second, 0.005)
		})
	}
	for name, still := range map[string]func(*sim.State, int){
		"off": func(s *sim.State, _ int) { s.Driveline.EngineSpeed = 100 },
		"a motor": func(s *sim.State, _ int) {
			s.Driveline.EngineSpeed, s.Driveline.Engine.Running, s.Driveline.Fuel = 100, true, 0
		},
	} {
		if most := highest(trace(t, only(Engine), Engine, 500, still)); most != 0 {
			t.Errorf("%s: %g N·m", name, most)
		}
	}
}

func TestTheLimiterCutsInItsOwnCycle(t *testing.T) {
	all := trace(t, only(Limiter), Limiter, 4000, func(s *sim.State, i int) { s.Driveline.Engine.LimiterCut = i/40%2 == 1 })
	near.Value(t, "frequency [Hz]", hertz(settledTail(all)), 12.5, 0.05)
	gain, _ := wave(all, 12.5)
	near.Value(t, "first harmonic", gain, 4/math.Pi*0.909, 0.01)
	if most := highest(trace(t, only(Limiter), Limiter, 500, func(*sim.State, int) {})); most != 0 {
		t.Errorf("%g N·m without a cut", most)
	}
}

func TestABlowAtTheFrontTurnsTheRimAway(t *testing.T) {
	hit := func(force, ahead float64) []float64 { // for 100 ms
		return trace(t, only(Collision), Collision, 1000, func(s *sim.State, i int) {
			if s.Impact = (chassis.Impact{}); i < 100 {
				s.Impact = chassis.Impact{Force: r3.Vec{X: -50e3, Y: force}, YawMoment: ahead * force}
			}
		})
	}
	for _, tt := range []struct {
		name         string
		force, ahead float64
		want         float64
	}{
		{"from the right, at the axle", 10e3, 1.3, 1},
		{"from the left, at the axle", -10e3, 1.3, -1},
		{"at the middle: half for the front", 10e3, 0, 0.5},
		{"at the rear axle", 10e3, -1.3, 0},
		{"as hard as you like", 1e6, 1.3, 1},
		{"head-on", 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := hit(tt.force, tt.ahead)
			near.Value(t, "torque after 50 ms", all[49], tt.want, 1e-3)
			near.Value(t, "80 ms after its end", all[180], tt.want/math.E, 0.01)
			near.Value(t, "at last", all[999], 0, 1e-4)
		})
	}
}

func TestNothingMakesEffectsInfinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		e := NewEffects(every(), dt)
		good, s := at(), at()
		spoil(&s, bad)
		var out [EffectCount]float64
		for i := range 8000 {
			now := &s
			if i%1000 > 200 {
				stirred(&good, i)
				now = &good
			}
			if i > 5000 {
				good = at()
			}
			if sum := e.Step(now, &out); !valid.Finite(sum) || math.Abs(sum) > 20 {
				t.Fatalf("%g, tick %d: %v", bad, i, out)
			}
			if got := e.Understeer(now, 3); !(got >= 0.6-1e-12 && got <= 3) {
				t.Fatalf("%g, tick %d: %g of 3 N·m", bad, i, got)
			}
		}
		if e.Step(&good, &out); out != ([EffectCount]float64{}) {
			t.Errorf("%g: does not come to rest: %v", bad, out)
		}
	}
}

// spoil writes v to all that effects read.
func spoil(s *sim.State, v float64) {
	s.Speed, s.Driveline.EngineSpeed, s.Driveline.Fuel, s.Driveline.Engine.Torque, s.Driveline.Gearbox.ShiftTime, s.Driveline.Engine.Running = v, v, v, v, v, true
	s.Pos, s.Impact = r3.Vec{X: v, Y: v, Z: v}, chassis.Impact{Force: r3.Vec{X: v, Y: v, Z: v}, YawMoment: v}
	for i := range s.Wheels {
		w := &s.Wheels[i]
		w.Load, w.TravelSpeed, w.Kappa, w.Alpha, w.Fx, w.Fy = v, v, v, v, v, v
		w.Roll.NormalizedSlip, w.Roll.SlipEnergy, w.Hub = v, v, r3.Vec{X: v, Y: v, Z: v}
		s.Driveline.Shafts[i].Torque = v
	}
}

func FuzzEffects(f *testing.F) {
	f.Add(1.0, -1.0)
	f.Add(math.NaN(), math.Inf(1))
	f.Add(1e308, -1e-308)
	f.Fuzz(func(t *testing.T, a, b float64) {
		e, one, two := NewEffects(every(), dt), at(), at()
		spoil(&one, a)
		spoil(&two, b)
		var out [EffectCount]float64
		for i := range 100 {
			s := &one
			if i%3 == 1 {
				s = &two
			}
			if sum := e.Step(s, &out); !valid.Finite(sum) || math.Abs(sum) > 20 {
				t.Fatalf("%v", out)
			}
		}
	})
}

// reset is a fresh start, also of what is measured by differences.
func TestResetForgetsThePast(t *testing.T) {
	e, fresh := NewEffects(every(), dt), NewEffects(every(), dt)
	s := at()
	var out, want [EffectCount]float64
	for i := range 500 {
		stirred(&s, i)
		e.Step(&s, &out)
		e.Understeer(&s, 1)
	}
	e.effectsState = effectsState{}
	for i := range 500 {
		stirred(&s, i)
		e.Step(&s, &out)
		fresh.Step(&s, &want)
		if a, b := e.Understeer(&s, 1), fresh.Understeer(&s, 1); out != want || a != b {
			t.Fatalf("tick %d: %v, fresh %v", i, out, want)
		}
	}
}

func TestEffectsAllocateNothing(t *testing.T) {
	e, s := NewEffects(every(), dt), at()
	var out [EffectCount]float64
	i := 0
	if n := testing.AllocsPerRun(100, func() { stirred(&s, i); e.Step(&s, &out); e.Understeer(&s, 1); i++ }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkEffects(b *testing.B) {
	for name, cfg := range map[string]EffectsConfig{"all": every(), "default": DefaultEffects()} {
		b.Run(name, func(b *testing.B) {
			e := NewEffects(cfg, dt)
			s := at()
			for i := range 200 {
				stirred(&s, i)
			}
			var out [EffectCount]float64
			b.ReportAllocs()
			for b.Loop() {
				s.Wheels[tire.FL].TravelSpeed = -s.Wheels[tire.FL].TravelSpeed
				s.Wheels[tire.FL].Roll.SlipEnergy++
				s.Wheels[tire.FR].Roll.SlipEnergy++
				e.Understeer(&s, 3)
				e.Step(&s, &out)
			}
		})
	}
}
