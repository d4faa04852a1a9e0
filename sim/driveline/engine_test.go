package driveline

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/sim/curve"
	"rig.example/rig/test/near"
)

const step = 1e-3 // [s]

// lone returns a driveline like the default one behind wheels of a passenger car.
func lone(t testing.TB, edit func(p *Params)) *System {
	t.Helper()
	return burning(t, edit, DefaultFuel())
}

// burning is lone with a fuel of its own.
func burning(t testing.TB, edit func(p *Params), f Fuel) *System {
	t.Helper()
	p := Default()
	edit(&p)
	wheel := Wheel{Inertia: 1.1, Radius: 0.3}
	l, err := New(p, f, wheel, wheel, step)
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

func revs(s *State) float64 { return s.EngineSpeed / PerRPM }

// standing steps a driveline whose wheels stand.
func standing(c *System, s *State, seconds float64, in Input) {
	for range int(math.Round(seconds / step)) {
		var out [4]Shaft
		c.Step(s, &in, &out)
		c.TwistShafts(s, &out, &in.Spin)
	}
}

// bench turns a free crank for a tick against a load [N·m], and returns the engine's torque.
func bench(c *System, s *State, in Input, load float64) float64 {
	o := orders{Input: in}
	torque, held := c.engineTorque(s, &o)
	was := s.EngineSpeed
	s.EngineSpeed = curve.ReduceTowardsZero(c.crankPerDt*s.EngineSpeed+torque-load, held) / c.crankPerDt
	given := c.crankPerDt*(s.EngineSpeed-was) + load
	c.takeFuel(s, given, (was+s.EngineSpeed)/2)
	return given
}

func TestIdleComesBackFromALoad(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		inertia, friction, drag  float64
		load, least, settledPast float64 // [N·m], [rpm], [s]
	}{
		{"plain", 0.18, 22, 0.06, 20, 770, 1},
		{"heavy flywheel", 0.4, 30, 0.09, 30, 770, 1},
		{"racing", 0.06, 22, 0.03, 8, 770, 1},
		{"much friction", 0.05, 60, 0.1, 20, 750, 1},
	} {
		c := lone(t, func(p *Params) {
			p.EngineInertia, p.EngineFriction, p.EngineDrag = tt.inertia, tt.friction, tt.drag
		})
		s := c.Rest(50)
		least := revs(&s)
		for tick := range 60_000 {
			bench(c, &s, Input{}, tt.load)
			least = min(least, revs(&s))
			if past := float64(tick) * step; past > tt.settledPast && math.Abs(revs(&s)-850) > 12 {
				t.Fatalf("%s: %.1f rpm after %.2f s", tt.name, revs(&s), past)
			}
			if tick > 20_000 && math.Abs(revs(&s)-850) > 1e-6 { // no limit cycle
				t.Fatalf("%s: %.9f rpm after %d ms", tt.name, revs(&s), tick)
			}
		}
		if least < tt.least {
			t.Errorf("%s: fell to %.0f rpm, want %.0f or more", tt.name, least, tt.least)
		}
	}
}

// What overloads idle control stalls the engine, which then stands exactly; the starter
// turns it until it runs, and idle settles.
func TestAnEngineStallsAndStarts(t *testing.T) {
	c := lone(t, func(*Params) {})
	s := c.Rest(50)
	bench(c, &s, Input{}, 40)
	for range 2000 {
		bench(c, &s, Input{}, 40) // 0.3 of the full 183 N·m holds it
	}
	if !s.Engine.Running || revs(&s) < 800 {
		t.Fatalf("40 N·m: running %v at %.0f rpm", s.Engine.Running, revs(&s))
	}
	for s.Engine.Running && s.EngineSpeed > 0 {
		bench(c, &s, Input{}, 90)
	}
	near.Value(t, "speed at which it stalls", revs(&s), 0.3*850, 30)
	for range 2000 {
		bench(c, &s, Input{Throttle: 1}, 0)
	}
	if s.Engine.Running || s.EngineSpeed != 0 {
		t.Fatalf("running %v at %g rpm after a stall", s.Engine.Running, revs(&s))
	}
	ticks := 0
	for ; !s.Engine.Running && ticks < 5000; ticks++ {
		bench(c, &s, Input{Starter: true}, 0)
	}
	if took := float64(ticks) * step; took < 0.03 || took > 1 {
		t.Errorf("starts after %.2f s", took)
	}
	for range 3000 {
		bench(c, &s, Input{}, 0)
	}
	near.Value(t, "idle", revs(&s), 850, 1)
	for range 5000 {
		bench(c, &s, Input{IgnitionOff: true}, 0)
	}
	if s.Engine.Running || s.EngineSpeed != 0 {
		t.Errorf("running %v at %g rpm without ignition", s.Engine.Running, revs(&s))
	}
	for range 5000 {
		bench(c, &s, Input{IgnitionOff: true, Starter: true}, 0)
	}
	if s.Engine.Running || revs(&s) < 300 {
		t.Errorf("running %v at %g rpm by the starter without ignition", s.Engine.Running, revs(&s))
	}
}

// A starter's torque at speed w is m·(1-w/w0): against friction alone it turns the crank
// where that equals it.
func TestTheStarterTurnsAsFastAsFrictionLets(t *testing.T) {
	c := lone(t, func(p *Params) {
		p.Engine.StarterTorque, p.Engine.StarterRPM, p.Engine.CompressionTorque = 120, 500, 30
		p.EngineDrag = 0
	})
	s := c.Rest(50)
	s.Engine.Running, s.EngineSpeed = false, 0
	for range 5000 {
		bench(c, &s, Input{Starter: true, IgnitionOff: true}, 0)
	}
	near.Value(t, "speed", revs(&s), 500*(1-22.0/120), 1)
}

func TestTheLimiterKeepsTheMeanBelow(t *testing.T) {
	for _, kind := range []string{"hard", "soft", "off"} {
		c := lone(t, func(p *Params) { p.Engine.Limiter, p.Engine.LimiterRPM = kind, 6000 })
		s := c.Rest(50)
		most, least, sum := 0.0, math.Inf(1), 0.0
		for tick := range 5000 {
			bench(c, &s, Input{Throttle: 1}, 0)
			if tick >= 3000 {
				most, least, sum = max(most, revs(&s)), min(least, revs(&s)), sum+revs(&s)/2000
			}
		}
		switch kind {
		case "hard": // 300 N·m on 0.18 kg·m² are 16 rpm in a tick, 60 N·m of friction 3 rpm
			if sum >= 6000 || most > 6020 || least > 5885 || least < 5800 {
				t.Errorf("hard: %.0f to %.0f rpm, mean %.0f rpm", least, most, sum)
			}
		case "soft":
			if most >= 6000 || least < 5800 || most-least > 1e-6 {
				t.Errorf("soft: %.9g to %.9g rpm", least, most)
			}
		case "off":
			if least < 7000 {
				t.Errorf("off: %.0f rpm", least)
			}
		}
	}
}

// However soon the speed has fallen, the hard limiter cuts for its time.
func TestTheHardLimiterCutsForItsTime(t *testing.T) {
	c := lone(t, func(p *Params) { p.Engine.LimiterRPM, p.Engine.LimiterDropRPM, p.Engine.LimiterCutTime = 6000, 0, 0.1 })
	s := c.Rest(50)
	cut, longest := 0, 0
	for range 3000 {
		if bench(c, &s, Input{Throttle: 1}, 0); s.Engine.LimiterCut {
			cut++
		} else {
			cut = 0
		}
		longest = max(longest, cut)
	}
	near.Value(t, "time without torque in ms", float64(longest), 102, 2)
}

// At a steady speed a step of the throttle brings at once what needs no boost; the rest
// follows as 1-exp(-t/lag), with a lag that is half as long at twice the speed.
func TestATurboLags(t *testing.T) {
	for _, rpm := range []float64{2000, 4000} {
		c := lone(t, func(p *Params) {
			p.Turbo = Turbo{BoostShare: 0.4, LagTime: 0.5, LagRPM: 2000}
			p.TorqueCurve = []TorquePoint{{800, 200}, {7000, 200}}
		})
		s := c.Rest(50)
		lag := 0.5 * 2000 / rpm
		for tick := range 3000 {
			s.EngineSpeed = rpm * PerRPM
			got, _ := c.engineTorque(&s, &orders{Input: Input{Throttle: 1}})
			at := float64(tick) * step
			throttle := 1 - 0.4*math.Exp(-at/lag)
			friction := 22 + 0.06*rpm*math.Pi/30
			near.Value(t, fmt.Sprintf("%g rpm: torque after %.3f s", rpm, at), got, throttle*200-(1-throttle)*friction, 0.15)
		}
	}
}

// A throttle that needs no boost has none of its lag, and none builds up.
func TestPartThrottleNeedsNoBoost(t *testing.T) {
	c := lone(t, func(p *Params) { p.Turbo.BoostShare = 0.4 })
	s := c.Rest(50)
	for range 1000 {
		s.EngineSpeed = 300
		c.engineTorque(&s, &orders{Input: Input{Throttle: 0.6}})
	}
	near.Value(t, "boost", s.Engine.Boost, 0, 1e-12)
}

func mapped(p *Params) {
	p.Engine.Map = []EnginePoint{
		{0, 1000, -20}, {0, 3000, -30}, {0, 6000, -50},
		{0.4, 1000, 100}, {0.4, 3000, 120}, {0.4, 6000, 40},
		{1, 1000, 150}, {1, 3000, 200}, {1, 6000, 160},
	}
}

func TestAMapIsFollowedBetweenItsPoints(t *testing.T) {
	c := lone(t, mapped)
	for _, tt := range []struct{ throttle, rpm, want float64 }{
		{0, 3000, -30}, {0.4, 3000, 120}, {1, 3000, 200},
		{0.2, 3000, 45}, {0.7, 3000, 160}, {1, 2000, 175}, {0.4, 4500, 80},
		{0.7, 4500, 130},              // middle of 120, 40, 200, 160
		{1, 500, 150}, {1, 7000, 160}, // constant outside
	} {
		s := c.Rest(50)
		s.EngineSpeed = tt.rpm * PerRPM
		s.Engine.IdleIntegral = 0
		e := &c.engine
		got := e.throttleTorque(tt.throttle, s.EngineSpeed, e.closedTorque(s.EngineSpeed))
		near.Value(t, fmt.Sprintf("torque at %g and %g rpm", tt.throttle, tt.rpm), got, tt.want, 1e-9)
	}
	near.Value(t, "full throttle", c.engine.fullTorque(2000*PerRPM), 175, 1e-9)
	if got := c.p.TorqueCurve; !reflect.DeepEqual(got, []TorquePoint{{1000, 150}, {3000, 200}, {6000, 160}}) {
		t.Errorf("curve %v", got)
	}
	s := c.Rest(50)
	for range 20_000 {
		bench(c, &s, Input{}, 10)
	}
	near.Value(t, "idle under load", revs(&s), 850, 1e-3)
}

func TestTheThrottleCurveBendsThePedal(t *testing.T) {
	c := lone(t, func(p *Params) {
		p.Engine.ThrottleCurve = []ThrottlePoint{{0, 0}, {0.5, 0.2}, {1, 1}}
	})
	plain := lone(t, func(*Params) {})
	for _, at := range [][2]float64{{0.25, 0.1}, {0.5, 0.2}, {0.75, 0.6}, {1, 1}} {
		a, b := c.Rest(50), plain.Rest(50)
		a.EngineSpeed, b.EngineSpeed = 300, 300
		got, _ := c.engineTorque(&a, &orders{Input: Input{Throttle: at[0]}})
		want, _ := plain.engineTorque(&b, &orders{Input: Input{Throttle: at[1]}})
		near.Value(t, fmt.Sprintf("torque at pedal %g", at[0]), got, want, 1e-9)
	}
}

// A cut takes its share of what the throttle adds to a released one.
func TestACutTakesItsShare(t *testing.T) {
	c := lone(t, func(*Params) {})
	at := func(o orders) float64 {
		s := c.Rest(50)
		s.EngineSpeed = 300
		torque, _ := c.engineTorque(&s, &o)
		return torque
	}
	full, closed := at(orders{Input: Input{Throttle: 1}}), at(orders{})
	near.Value(t, "released", closed, -(22 + 0.06*300), 1e-9)
	near.Value(t, "a cut of 0.3", at(orders{Input: Input{Throttle: 1, TorqueCut: 0.3}}), closed+0.7*(full-closed), 1e-9)
	near.Value(t, "all cut", at(orders{Input: Input{Throttle: 1, TorqueCut: 1}}), closed, 1e-9)
}

func TestEnginesThatCannotBeAreRefused(t *testing.T) {
	for _, tt := range []struct {
		edit func(d *Params)
		want string
	}{
		{func(d *Params) { d.Engine.StallRPM = 800 }, "engine.stall_rpm = 800: must be 0 to 765"},
		{func(d *Params) { d.Engine.CatchRPM = 200 }, "engine.catch_rpm = 200: must be 255 to 807.5"},
		{func(d *Params) { d.Engine.LimiterRPM = 900 }, "engine.limiter_rpm = 900: must be 950 to 31000"},
		{func(d *Params) { d.Engine.Limiter = "firm" }, `engine.limiter = "firm": must be hard, off or soft`},
		{func(d *Params) { d.Engine.StarterTorque = 40 }, "engine.starter_nm = 40: leaves"},
		{func(d *Params) { d.Engine.OverrunFeedRPM = 500 }, "engine.overrun_feed_rpm = 500: must be 850 to 1550"},
		{func(d *Params) { d.Turbo.BoostShare = 0.9 }, "turbo.boost_share = 0.9: must be 0 to 0.8"},
		{func(d *Params) { d.Engine.Map = []EnginePoint{{0, 1000, 5}, {1, 1000, 5}, {1, 2000, 5}} },
			"engine.map lacks the point at throttle = 0 and rpm = 2000: give each throttle with each rpm"},
		{func(d *Params) { d.Engine.Map = []EnginePoint{{1, 1000, 5}, {1, 1000, 6}} },
			"engine.map[1] stands twice, at throttle = 1 and rpm = 1000: leave one out"},
		{func(d *Params) { d.Engine.Map = []EnginePoint{{0, 1000, 5}} },
			"engine.map has 0 points at throttle = 1: must be 1 to 64"},
		{func(d *Params) { d.Engine.ThrottleCurve = []ThrottlePoint{{0.5, 0}, {0.4, 1}} },
			"engine.throttle_curve[1].pedal = 0.4: must be 0.501 to 1"},
		{func(d *Params) { d.Motor.Torque = 0 }, "motor.torque_nm = 0: must be 1 to 5000"},
	} {
		p := Default()
		tt.edit(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}
