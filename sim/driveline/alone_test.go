package driveline

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// stand is a driveline whose wheels turn flywheels in place of a car, against brakes.
type stand struct {
	l       *System
	s       State
	inertia [4]float64 // of the wheels [kg·m²]
	spins   [4]float64
}

// step turns it for a tick against torques on the wheels [N·m], and returns the power that
// turns the flywheels up and the brakes [W].
func (b *stand) step(in Input, load [4]float64) (out float64) {
	const radius = 0.3 // [m]
	in.Spin, in.Speed = b.spins, radius*b.l.OutputSpeed((b.spins[0]+b.spins[1])/2, (b.spins[2]+b.spins[3])/2)
	var shafts [4]Shaft
	b.l.Step(&b.s, &in, &shafts)
	for i := range shafts {
		was := b.spins[i]
		b.spins[i] += (shafts[i].Torque - load[i]) / (b.inertia[i]/step + shafts[i].Slope)
		out += (b.inertia[i]*(b.spins[i]-was)/step + load[i]) * (was + b.spins[i]) / 2
	}
	b.l.TwistShafts(&b.s, &shafts, &b.spins)
	return out
}

// boxed returns the default driveline with a gearbox: a kind, or a dual clutch in place of a
// converter, or one gear behind a motor.
func boxed(kind string) func(p *Params) {
	return func(p *Params) {
		switch kind {
		case "dual clutch":
			kind, p.Converter.Enabled = "automatic", false
		case "electric":
			kind, p.Motor.Enabled = "single", true
		}
		p.Gearbox.Kind = kind
	}
}

// An engine on a brake settles at the speed at which its curve meets the brake's torque,
// which grows with the speed: t0 - k·w = b·w on the line from 300 N·m at 2000 rpm to 200 N·m
// at 6000 rpm.
func TestAnEngineOnABrakeSettlesWhereTorqueMeetsLoad(t *testing.T) {
	l := lone(t, func(p *Params) {
		p.TorqueCurve = []TorquePoint{{2000, 300}, {6000, 200}}
		p.Efficiency, p.SpinLoss = 1, 0
	})
	for _, b := range []float64{0.45, 0.6, 0.9} { // [N·m·s] at the crank
		brake := stand{l: l, s: l.Rest(50), inertia: [4]float64{1, 1, 1, 1}}
		brake.spins = [4]float64{0, 0, 100, 100}
		l.SetWheelSpeeds(&brake.s, &brake.spins, 4)
		ratio := l.Ratio(4)
		near.Value(t, "ratio", ratio, 1.2*3.5, 1e-12)
		for range 20_000 {
			held := b * ratio * ratio / 2 // of each wheel [N·m·s]
			brake.step(Input{Gear: 4, Throttle: 1}, [4]float64{2: held * brake.spins[2], 3: held * brake.spins[3]})
		}
		k := 100 / (4000 * math.Pi / 30)
		want := (300 + k*2000*math.Pi/30) / (k + b)
		near.Value(t, "speed", brake.s.EngineSpeed, want, 1e-6*want)
		near.Value(t, "torque", brake.s.Engine.Torque, b*want, 1e-6*b*want)
		near.Value(t, "power", brake.s.Flow.Wheels, b*want*want, 1e-5*b*want*want)
	}
}

// Teeth take a share of what they carry, and bearings and oil a torque of their own.
func TestLossesAreThoseOfTheParameters(t *testing.T) {
	l := lone(t, func(p *Params) { p.Efficiency, p.SpinLoss = 0.9, 20 })
	b := stand{l: l, s: l.Rest(50), inertia: [4]float64{1, 1, 1, 1}, spins: [4]float64{2: 60, 3: 60}}
	l.SetWheelSpeeds(&b.s, &b.spins, 3)
	for range 20_000 {
		b.step(Input{Gear: 3, Throttle: 0.5}, [4]float64{2: 5 * b.spins[2], 3: 5 * b.spins[3]})
	}
	spin := b.spins[2]
	near.Value(t, "torque on the wheels", b.s.Shafts[2].Torque, 5*spin, 1e-3)
	near.Value(t, "power lost", b.s.Flow.Gearbox, (20+0.1*10*spin)*spin, 0.1)
	near.Value(t, "torque of the engine", b.s.Engine.Torque*l.Ratio(3), 20+1.1*10*spin, 0.01)
	if spin < 30 {
		t.Errorf("%.1f rad/s", spin)
	}
}

// Every gearbox goes up through its gears, down again, and back; and in every tick what the
// engine gives is lost, stored, or at the wheels, where flywheels and brakes get it.
func TestEveryGearboxGoesThroughItsGears(t *testing.T) {
	for _, kind := range []string{"synchro", "dog", "sequential", "automatic", "dual clutch", "single", "electric"} {
		t.Run(kind, func(t *testing.T) {
			l := lone(t, boxed(kind))
			b := stand{l: l, s: l.Rest(50), inertia: [4]float64{1, 1, 68, 68}} // a car of 1500 kg
			top, last := int8(0), int8(0)
			for tick := range 30_000 {
				in, load := Input{Gear: 1, AutoClutch: true, AutoShift: true, Throttle: 0.8}, [4]float64{}
				if tick > 15_000 {
					in.Throttle, in.BrakeTorque = 0, 1600
					for i := 2; i < 4; i++ {
						load[i] = 800 * math.Tanh(b.spins[i])
					}
				}
				before := l.Energy(&b.s)
				out := b.step(in, load)
				f := &b.s.Flow
				lost, stored := f.Clutch+f.Gearbox+f.Differentials+f.Shafts, (l.Energy(&b.s)-before)/step
				scale := 1e3 + math.Abs(f.Engine) + math.Abs(f.Clutch) + math.Abs(f.Gearbox) + math.Abs(stored) + before/step
				if miss := f.Engine - lost - stored - out; !(math.Abs(miss) < 1e-9*scale) {
					t.Fatalf("after %d ms %.3g W of %.3g W are missing", tick, miss, f.Engine)
				}
				if f.Clutch < -20 || f.Gearbox < -5 {
					t.Fatalf("after %d ms the clutch loses %.3g W and the gearbox %.3g W", tick, f.Clutch, f.Gearbox)
				}
				if top > 0 && b.s.Gear > top+1 {
					t.Fatalf("after %d ms from gear %d into %d", tick, top, b.s.Gear)
				}
				top, last = max(top, b.s.Gear), b.s.Gear
			}
			want := int8(4)
			if kind == "single" || kind == "electric" {
				want = 1
			}
			if top < want || last > 1 || math.Abs(b.spins[2]) > 5 {
				t.Errorf("gear %d at most and %d at last, at %.2f rad/s", top, last, b.spins[2])
			}
			for range 3000 {
				b.step(Input{Gear: -1, AutoClutch: true, Throttle: 0.5}, [4]float64{})
			}
			if b.s.Gear != -1 || b.spins[2] > -5 {
				t.Errorf("gear %d at %.2f rad/s, want reverse", b.s.Gear, b.spins[2])
			}
		})
	}
}

// Differentials, and what is between the axles, share torque as their kind says. The inertia
// of a half shaft's end, 0.02 kg·m² beside the flywheel's 5, takes some before the wheel.
func TestDifferentialsShareTheTorque(t *testing.T) {
	turned := func(front float64, kind string, ticks int, load, inertia [4]float64) stand {
		l := lone(t, func(p *Params) {
			p.FrontShare, p.Efficiency, p.SpinLoss = front, 1, 0
			p.RearDifferential.Kind = kind
		})
		b := stand{l: l, s: l.Rest(50), inertia: inertia, spins: [4]float64{40, 40, 40, 40}}
		l.SetWheelSpeeds(&b.s, &b.spins, 2)
		for range ticks {
			b.step(Input{Gear: 2, Throttle: 0.3}, load)
		}
		return b
	}
	loads, same := [4]float64{2: 100, 3: 300}, [4]float64{5, 5, 5, 5}
	open := turned(0, "open", 500, loads, same)
	const inner = 0.02 / 5
	near.Value(t, "more torque on an open one's loaded side", open.s.Shafts[3].Torque-open.s.Shafts[2].Torque, inner*200/(1+inner), 1e-3)
	locked := turned(0, "locked", 5000, loads, same)
	near.Value(t, "more torque on a locked one's loaded side", locked.s.Shafts[3].Torque-locked.s.Shafts[2].Torque, 200, 0.5)
	near.Value(t, "speed of its sides", locked.s.Shafts[2].Speed, locked.s.Shafts[3].Speed, 0)
	all := turned(0.4, "open", 2000, [4]float64{120, 120, 180, 180}, [4]float64{4, 4, 6, 6})
	front, rear := all.s.Shafts[0].Torque+all.s.Shafts[1].Torque, all.s.Shafts[2].Torque+all.s.Shafts[3].Torque
	near.Value(t, "speed of the output", all.l.OutputSpeed(10, 20), 0.4*10+0.6*20, 1e-12)
	near.Value(t, "front share", front/(front+rear), 0.4, 5e-4)
}
