package ffb

import (
	"math"
	"reflect"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/floats"
)

// weave is a tick of a drive that moves all that the force remembers.
func weave(i int) (*sim.State, Wheel) {
	x := float64(i)
	s := &sim.State{Tick: uint64(i), State: chassis.State{Speed: 20 + 5*math.Sin(x/90)}, ColumnTorque: 8 * math.Sin(x/40), Brakes: brakes.State{PedalPulse: math.Abs(math.Sin(x / 15))}, Driveline: driveline.State{EngineSpeed: 600 + 100*math.Sin(x/33)}}
	s.Rate.Z = math.Sin(x / 50)
	s.Driveline.Engine.LimiterCut, s.Driveline.Engine.Running, s.Driveline.Gearbox.Grind, s.Driveline.Gear = i%60 < 5, true, math.Abs(math.Sin(x/11)), int8(1+i/40%5)
	s.Impact.Force.X = 1000 * math.Sin(x/17)
	for k := range s.Wheels {
		w := &s.Wheels[k]
		w.Load, w.Travel, w.TravelSpeed, w.Alpha, w.Kappa = 3000+500*math.Sin(x/9+float64(k)), 0.1, 0.3*math.Sin(x/7), 0.1*math.Sin(x/30), 0.1*math.Sin(x/21)
		w.Roll.NormalizedSlip, w.Roll.Spin = 1+math.Sin(x/19), 60
	}
	s.Steering.TireForce, s.Acc.Z = 500*math.Sin(x/12), math.Sin(x/8)
	return s, Wheel{Angle: 0.5 * math.Sin(x/60), Present: true, Rated: 8, Rate: 500, Delay: 0.01}
}

// NaN that got into anything that the force remembers is a fault in one tick at most, gives no
// torque, and is forgotten.
func TestNaNInWhatTheForceRemembersIsAFaultAndForgotten(t *testing.T) {
	for _, strength := range []string{Auto, Share} {
		cfg := DefaultConfig()
		cfg.Strength = strength
		effects := reflect.ValueOf(&cfg.Effects).Elem()
		for i := range effects.NumField() { // all effects at work
			if f := effects.Field(i); f.Kind() == reflect.Float64 && f.Float() == 0 {
				f.SetFloat(0.5)
			}
		}
		now := newTestChain(t, cfg)
		for i := range 400 {
			now.Torque(weave(i))
		}
		driven, was := now.State, now.Start()
		before, _ := floats.In(&was)
		after, _ := floats.In(&now.State)
		n := 0
		for i, f := range after {
			if *f.At == *before[i].At {
				continue // it never changes
			}
			n++
			now.State = driven
			*f.At = math.NaN()
			faults := 0
			for i := range 50 {
				torque := now.Torque(weave(400 + i))
				if now.Fault() {
					faults++
				}
				if torque-torque != 0 || now.Fault() && torque != 0 {
					t.Errorf("%s: NaN in %s gives %g N·m", strength, f.Path, torque)
					break
				}
			}
			if faults > 1 {
				t.Errorf("%s: NaN in %s is a fault in %d ticks of 50", strength, f.Path, faults)
			}
			for _, left := range after {
				if *left.At != *left.At {
					t.Errorf("%s: NaN in %s is left in %s", strength, f.Path, left.Path)
				}
			}
		}
		if n < 40 {
			t.Errorf("%s: only %d values change in a drive", strength, n)
		}
	}
}
