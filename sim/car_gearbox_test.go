package sim

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// boxed returns the default car with a gearbox: a kind, or a dual clutch in place of a
// converter, or one gear behind a motor.
func boxed(kind string) Params {
	p := DefaultCar()
	switch kind {
	case "dual clutch":
		kind, p.Driveline.Converter.Enabled = "automatic", false
	case "electric":
		kind, p.Driveline.Motor.Enabled = "single", true
	}
	p.Driveline.Gearbox.Kind = kind
	return p
}

// turning returns the speed of the gearbox' output of a car with rear drive [rad/s].
func turning(s *State) float64 {
	return (s.Driveline.Shafts[tire.RL].Speed + s.Driveline.Shafts[tire.RR].Speed) / 2
}

func boxes() []string {
	return []string{"synchro", "dog", "sequential", "automatic", "dual clutch", "single", "electric"}
}

// helped is a foot on the throttle and the brake, with the electronics doing the rest.
func helped(throttle, brake float64) Input {
	return Input{Throttle: throttle, Brake: brake, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}}
}

// outing pulls away, shifts up, lifts, kicks, and brakes to a standstill.
func outing(tick int) Input {
	switch at := float64(tick) * Dt; {
	case at < 1:
		return helped(0, 0)
	case at < 12:
		return helped(1, 0)
	case at < 16:
		return helped(0, 0)
	case at < 22:
		return helped(0.35, 0)
	case at < 25:
		return helped(1, 0)
	case at < 36:
		return helped(0, 0.4)
	}
	return Input{Gear: -1, Throttle: 0.3, Assists: assist.Switches{AutoClutch: true, AutoShift: true}}
}

// powerBook keeps the least that clutch and gearbox of a car have taken [W].
type powerBook struct{ clutch, gearbox float64 }

// step advances s. What the engine gives must be at the wheels, lost or stored in the tick.
func (b *powerBook) step(t *testing.T, c *Car, s *State, in Input) {
	t.Helper()
	before := c.DrivelineEnergy(s)
	c.Step(s, in)
	f := &s.Driveline.Flow
	gone := f.Clutch + f.Gearbox + f.Differentials + f.Shafts + f.Wheels
	stored := (c.DrivelineEnergy(s) - before) / c.dt
	scale := 1e3 + math.Abs(f.Engine) + math.Abs(f.Clutch) + math.Abs(f.Gearbox) + math.Abs(stored) + before/c.dt
	if miss := f.Engine - gone - stored; math.Abs(miss) > 1e-9*scale {
		t.Fatalf("after %d ms %.3g W of %.3g W are missing", s.Tick, miss, f.Engine)
	}
	b.clutch, b.gearbox = min(b.clutch, f.Clutch), min(b.gearbox, f.Gearbox)
}

// What the engine gives is at the wheels, lost or stored, in every tick of every change of
// gear; and none of it is given by the clutch or by the gearbox.
func TestEveryGearboxDrivesAndAccountsForItsPower(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, kind := range boxes() {
		t.Run(kind, func(t *testing.T) {
			c := newCar(t, boxed(kind), Dt)
			s := c.Rest(r3.Vec{}, 0)
			var power powerBook
			changes, top, fastest, slowest := 0, int8(0), 0.0, math.Inf(1)
			for tick := range 36_000 {
				was := s.Driveline.Gear
				power.step(t, c, &s, outing(tick))
				if s.Driveline.Gear != was && s.Driveline.Gear != 0 {
					changes++
				}
				top, fastest, slowest = max(top, s.Driveline.Gear), max(fastest, s.Speed), min(slowest, s.RPM())
				if tick == 999 && math.Abs(s.Speed) > 0.01 && kind != "automatic" {
					t.Errorf("creeps at %.3f m/s", s.Speed)
				}
			}
			oneGear := kind == "single" || kind == "electric"
			if !oneGear && top < 4 || fastest < 18 {
				t.Errorf("gear %d and %.1f m/s at most", top, fastest)
			}
			if changes > 20 || math.Abs(s.Speed) > 0.1 {
				t.Errorf("%d changes of gear, at last %.3f m/s", changes, s.Speed)
			}
			if slowest < 500 && kind != "electric" {
				t.Errorf("the engine falls to %.0f rpm", slowest)
			}
			for tick := range 4000 {
				power.step(t, c, &s, outing(36_000+tick))
			}
			if s.Speed > -1 {
				t.Errorf("%.2f m/s in reverse", s.Speed)
			}
			if power.clutch < -20 || power.gearbox < -5 {
				t.Errorf("clutch %.3g W and gearbox %.3g W at least", power.clutch, power.gearbox)
			}
		})
	}
}

// A hard limiter keeps the mean speed of the engine below the change up, which comes all
// the same.
func TestAChangeUpComesOnTheLimiter(t *testing.T) {
	p := DefaultCar()
	e := &p.Driveline.Engine
	e.Limiter, e.LimiterRPM, e.LimiterDropRPM, e.LimiterCutTime = "hard", p.Driveline.ShiftUpRPM+20, 600, 0.04
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 15, helped(1, 0))
	if s.Driveline.Gear < 3 {
		t.Errorf("gear %d after 15 s at full throttle, at %.1f m/s and %.0f rpm", s.Driveline.Gear, s.Speed, s.RPM())
	}
}

func TestASynchronizerNeedsTheClutch(t *testing.T) {
	for _, tt := range []struct {
		name    string
		clutch  float64
		to      int8
		engages bool
	}{
		{"up, clutch open", 1, 4, true},
		{"down, clutch open", 1, 2, true},
		{"two down, clutch open", 1, 1, true},
		{"up, clutch closed", 0, 4, false},
		{"down, clutch closed", 0, 2, false},
		{"reverse, clutch open", 1, -1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCar(t, boxed("synchro"), Dt)
			s := c.Underway(r3.Vec{}, 0, 15, 3)
			run(c, &s, 0.3, Input{Gear: 3, Throttle: 0.1})
			run(c, &s, 0.1, Input{Gear: 0, Clutch: 1}) // the gear comes out with the pedal down
			if s.Driveline.Gear != 0 {
				t.Fatalf("gear %d, want neutral", s.Driveline.Gear)
			}
			noise, lost := 0.0, 0.0
			for range 400 {
				c.Step(&s, Input{Gear: tt.to, Clutch: tt.clutch, Throttle: 0.2 * (1 - tt.clutch)})
				noise, lost = max(noise, s.Driveline.Gearbox.Grind), lost+s.Driveline.Flow.Gearbox*c.dt
			}
			if got := s.Driveline.Gear == tt.to; got != tt.engages {
				t.Errorf("engaged: %t, input shaft %.1f rad/s off", got, c.driveline.Ratio(tt.to)*turning(&s)-s.Driveline.Gearbox.InputSpeed)
			}
			if ground := noise > 0.1; ground == tt.engages || lost <= 0 {
				t.Errorf("grinds %.2f, loses %.2f J", noise, lost)
			}
		})
	}
}

// A gear that drives stays in; one that carries nothing comes out without the clutch.
func TestAGearUnderLoadStaysIn(t *testing.T) {
	for _, kind := range []string{"synchro", "dog"} {
		c := newCar(t, boxed(kind), Dt)
		s := c.Underway(r3.Vec{}, 0, 15, 2)
		run(c, &s, 0.5, Input{Gear: 2, Throttle: 0.8})
		run(c, &s, 0.5, Input{Gear: 0, Throttle: 0.8})
		near.Value(t, kind+": gear under load", float64(s.Driveline.Gear), 2, 0)
		run(c, &s, 0.5, Input{Gear: 0})
		near.Value(t, kind+": gear as the load changes sign", float64(s.Driveline.Gear), 0, 0)
	}
}

// The cones take the time that their torque needs for the input shaft's inertia.
func TestSynchronizingTakesInertiaOverTorque(t *testing.T) {
	p := boxed("synchro")
	p.Driveline.Gearbox.LeverTime, p.Driveline.Gearbox.SynchroTorque = 0, 10
	p.Driveline.Shafts.Stiffness, p.Driveline.Shafts.InputInertia = 50e3, 0.02
	c := newCar(t, p, Dt)
	s := c.Underway(r3.Vec{}, 0, 20, 3)
	run(c, &s, 0.2, Input{Gear: 3, Clutch: 1})
	run(c, &s, 0.2, Input{Clutch: 1})
	apart := c.driveline.Ratio(2)*turning(&s) - s.Driveline.Gearbox.InputSpeed
	took := 0.0
	for s.Driveline.Gear != 2 && took < 2 {
		c.Step(&s, Input{Gear: 2, Clutch: 1})
		took += Dt
	}
	near.Value(t, "time to engage", took, (apart-0.5)*0.02/10, 0.03*took+2*Dt)
}

func TestDogsMeetWithinTheirWindow(t *testing.T) {
	for _, tt := range []struct {
		name    string
		share   float64 // of the speed that the gear asks for
		engages bool
	}{{"matched", 1, true}, {"a little slow", 0.95, true}, {"far too slow", 0.6, false}, {"far too fast", 1.5, false}} {
		p := boxed("dog")
		p.Driveline.EngineInertia = 5 // an engine that nothing hurries
		c := newCar(t, p, Dt)
		s := c.Underway(r3.Vec{}, 0, 20, 0)
		s.Driveline.EngineSpeed = tt.share * c.driveline.Ratio(3) * turning(&s)
		s.Driveline.Gearbox.InputSpeed = s.Driveline.EngineSpeed
		run(c, &s, 0.15, Input{Gear: 3}) // the clutch stays closed
		if (s.Driveline.Gear == 3) != tt.engages || (s.Driveline.Gearbox.Grind > 0) == tt.engages {
			t.Errorf("%s: gear %d, grinds %.2f", tt.name, s.Driveline.Gear, s.Driveline.Gearbox.Grind)
		}
	}
}

func TestASequentialGoesFromGearToGear(t *testing.T) {
	c := newCar(t, boxed("sequential"), Dt)
	s := c.Underway(r3.Vec{}, 0, 40, 6)
	run(c, &s, 0.2, Input{Gear: 6, Throttle: 0.3})
	last, seen := int8(6), []int8{}
	for range 1500 {
		c.Step(&s, Input{Gear: 2, Brake: 0.6})
		if s.Driveline.Gear != 0 && s.Driveline.Gear != last {
			seen = append(seen, s.Driveline.Gear)
			last = s.Driveline.Gear
		}
		if spin := c.driveline.Ratio(s.Driveline.Gear) * turning(&s); spin > 7400*driveline.PerRPM+20 {
			t.Fatalf("gear %d turns the engine at %.0f rpm", s.Driveline.Gear, spin/driveline.PerRPM)
		}
	}
	for i := range seen {
		near.Value(t, "gear", float64(seen[i]), float64(5-i), 0)
	}
	if len(seen) < 3 {
		t.Errorf("gears %v", seen)
	}
}

// The engine gives no power for as long as the cut lasts, and not much longer.
func TestASequentialShiftsWithinItsCut(t *testing.T) {
	c := newCar(t, boxed("sequential"), Dt)
	s := c.Underway(r3.Vec{}, 0, 22, 2)
	run(c, &s, 1, Input{Gear: 2, Throttle: 1})
	full, away := s.Driveline.Engine.Torque, 0
	for range 600 {
		c.Step(&s, Input{Gear: 3, Throttle: 1})
		if s.Driveline.Engine.Torque < full/2 {
			away++
		}
	}
	near.Value(t, "gear", float64(s.Driveline.Gear), 3, 0)
	near.Value(t, "time without torque in ms", float64(away), 80, 40)
}

// An automatic changes up under power without letting the wheels go, and its input shaft
// goes to the new speed within the time.
func TestAnAutomaticHandsTheTorqueOver(t *testing.T) {
	for _, kind := range []string{"automatic", "dual clutch"} {
		c := newCar(t, boxed(kind), Dt)
		s := c.Underway(r3.Vec{}, 0, 8, 1)
		least, jerk, took, since := math.Inf(1), 0.0, 0.0, 0.0
		for tick := range 9000 {
			before := s.Acc.X
			was := s.Driveline.Gearbox.NextGear
			c.Step(&s, helped(0.8, 0))
			if tick < 1500 {
				continue
			}
			least = min(least, s.Acc.X)
			jerk = max(jerk, math.Abs(s.Acc.X-before)/Dt)
			switch {
			case s.Driveline.Gearbox.NextGear != 0:
				since += Dt
			case was != 0:
				took, since = max(took, since), 0
			}
		}
		if s.Driveline.Gear < 3 || least < 0.5 || jerk > 200 {
			t.Errorf("%s: gear %d, at least %.2f m/s², jerk %.0f m/s³", kind, s.Driveline.Gear, least, jerk)
		}
		near.Value(t, kind+": longest change in s", took, 0.3, 0.12)
	}
}

// A motor turns with its gear and stands with it: no pedal, no clutch, either way.
func TestAMotorNeedsNoClutch(t *testing.T) {
	c := newCar(t, boxed("electric"), Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 2, Input{Gear: 1, Throttle: 0.5})
	if s.Driveline.Gear != 1 || s.Speed < 2 || math.Abs(s.Driveline.EngineSpeed-s.Driveline.Gearbox.InputSpeed) > 1e-9 {
		t.Errorf("gear %d, %.2f m/s, engine %.3f rad/s and shaft %.3f", s.Driveline.Gear, s.Speed, s.Driveline.EngineSpeed, s.Driveline.Gearbox.InputSpeed)
	}
	run(c, &s, 6, Input{Gear: 1, Brake: 0.5})
	run(c, &s, 2, Input{Gear: -1, Throttle: 0.5})
	if s.Driveline.Gear != -1 || s.Speed > -2 {
		t.Errorf("gear %d, %.2f m/s", s.Driveline.Gear, s.Speed)
	}
}

func TestReverseIsRefusedAtSpeed(t *testing.T) {
	for _, kind := range boxes() {
		c := newCar(t, boxed(kind), Dt)
		s := c.Underway(r3.Vec{}, 0, 15, 1)
		for range 3000 {
			c.Step(&s, Input{Gear: -1, Assists: assist.Switches{AutoClutch: true}})
			if s.Driveline.Gear < 0 && s.Speed > 2 {
				t.Fatalf("%s: reverse engaged at %.1f m/s", kind, s.Speed)
			}
		}
	}
}

func TestGearboxesSurviveWildHands(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	dice := rand.New(rand.NewPCG(6, 6))
	for _, kind := range boxes() {
		c := newCar(t, boxed(kind), Dt)
		s := c.Rest(r3.Vec{}, 0)
		for range level.Pick(0, 75, 150) {
			in := wild(dice)
			in.Assists.AutoClutch, in.Assists.AutoShift = dice.IntN(2) == 0, dice.IntN(3) == 0
			run(c, &s, 0.1, in)
			if !finite(reflect.ValueOf(s)) || s.Driveline.Gearbox.ClutchOpen < 0 || s.Driveline.Gearbox.ClutchOpen > 1 || s.Driveline.Gearbox.Lockup > 1 {
				t.Fatalf("%s: box %+v", kind, s.Driveline.Gearbox)
			}
		}
	}
}

func TestChangingGearAllocatesNothing(t *testing.T) {
	for _, kind := range boxes() {
		c := newCar(t, boxed(kind), Dt)
		s := c.Rest(r3.Vec{}, 0)
		tick := 0
		if n := testing.AllocsPerRun(6000, func() {
			c.Step(&s, outing(1000+tick))
			tick++
		}); n != 0 {
			t.Errorf("%s: %g allocations", kind, n)
		}
	}
}

// Every gearbox pulls away, stops, and goes back with the throttle down from the start, which
// has the car moving before the gear is in.
func TestEveryGearboxGoesBack(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, kind := range []string{"synchro", "dog", "sequential", "automatic", "two clutches"} {
		p := DefaultCar()
		if p.Driveline.Gearbox.Kind = kind; kind == "two clutches" {
			p.Driveline.Gearbox.Kind, p.Driveline.Converter.Enabled = "automatic", false
		}
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		for _, part := range []struct {
			in        Input
			low, high float64 // speed in the end [m/s]
		}{
			{Input{Throttle: 0.7, Gear: 1}, 8, 25},
			{Input{Brake: 0.6, Gear: 1}, -0.01, 0.01},
			{Input{Throttle: 1, Gear: -1}, -25, -10},
			{Input{Throttle: 0.6, Gear: 1}, 2, 25},
		} {
			part.in.Assists.AutoClutch = true
			run(c, &s, 7, part.in)
			if s.Speed < part.low || s.Speed > part.high {
				t.Errorf("%s, throttle %g, lever %d: %.2f m/s, want %g to %g", kind, part.in.Throttle, part.in.Gear, s.Speed, part.low, part.high)
			}
		}
	}
}

func TestACarUnderwayHasTheGearNextToTheOneAskedFor(t *testing.T) {
	c := coupe(t)
	for asked, want := range map[int8]int8{-128: -1, -1: -1, 0: 0, 6: 6, 127: 6} {
		if s := c.Underway(r3.Vec{}, 0, 5, asked); s.Driveline.Gear != want {
			t.Errorf("gear %d asked for: %d", asked, s.Driveline.Gear)
		}
	}
}

func TestAGearboxNamesItsBadKeys(t *testing.T) {
	p := DefaultCar()
	d := &p.Driveline
	d.Gearbox.Kind, d.Gearbox.CutTime, d.Clutch.BitePoint = "manual", 9, math.NaN()
	d.Gearbox.ShiftMap = []driveline.ShiftPoint{{Throttle: 0.5, Up: 3000, Down: 2000}, {Throttle: 0.4, Up: 3000, Down: 2950}}
	d.Converter.Points[1].TorqueRatio, d.Converter.Points[9].Capacity = 7, 0.001
	err := p.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`driveline.gearbox.kind = "manual": must be automatic, dog, sequential, single or synchro`,
		"driveline.gearbox.cut_s = 9: must be 0.01 to 1",
		"driveline.clutch.bite_point = NaN: must be 0.1 to 1",
		"driveline.gearbox.map[1].throttle = 0.4: must be 0.501 to 1",
		"driveline.gearbox.map[1].up_rpm = 3000: must be 3050 to 30000",
		"driveline.converter.points[1].torque_ratio = 7: must be 0.5 to 5",
		"driveline.converter.points[9].capacity_nms2 = 0.001: must be 0",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in:\n%v", want, err)
		}
	}
}
