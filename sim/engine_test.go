package sim

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/test/near"
)

// engineCar returns a car with an engine of its own, on level asphalt.
func engineCar(t testing.TB, edit func(p *Params)) *Car {
	t.Helper()
	p := DefaultCar()
	edit(&p)
	c, err := New(p, road.Asphalt(), Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bench turns a free crank for a tick against a load [N·m], and returns the engine's torque.
func bench(c *Car, s *State, o orders, load float64) float64 {
	torque, held := c.give(s, &o)
	was := s.Driveline.Engine
	s.Driveline.Engine = toZero(c.line.crank*s.Driveline.Engine+torque-load, held) / c.line.crank
	given := c.line.crank*(s.Driveline.Engine-was) + load
	c.burn(s, given, (was+s.Driveline.Engine)/2)
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
		c := engineCar(t, func(p *Params) {
			p.Driveline.Inertia, p.Driveline.Friction, p.Driveline.Drag = tt.inertia, tt.friction, tt.drag
		})
		s := c.Rest(r3.Vec{}, 0)
		least := s.RPM()
		for tick := range 60_000 {
			bench(c, &s, orders{}, tt.load)
			least = min(least, s.RPM())
			if past := float64(tick) * Dt; past > tt.settledPast && math.Abs(s.RPM()-850) > 12 {
				t.Fatalf("%s: %.1f rpm after %.2f s", tt.name, s.RPM(), past)
			}
			if tick > 20_000 && math.Abs(s.RPM()-850) > 1e-6 { // no limit cycle
				t.Fatalf("%s: %.9f rpm after %d ms", tt.name, s.RPM(), tick)
			}
		}
		if least < tt.least {
			t.Errorf("%s: fell to %.0f rpm, want %.0f or more", tt.name, least, tt.least)
		}
	}
}

// An idle that nothing loads is where it was to the bit of its torque.
func TestIdleStandsStill(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 60, Input{})
	near.Value(t, "idle speed", s.RPM(), 850, 1e-9)
	near.Value(t, "integrator", s.Driveline.Power.Idle, 0, 1e-9)
}

// What overloads idle control stalls the engine, which then stands exactly; the starter
// turns it until it runs, and idle settles.
func TestAnEngineStallsAndStarts(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	bench(c, &s, orders{}, 40)
	for range 2000 {
		bench(c, &s, orders{}, 40) // 0.3 of the full 183 N·m holds it
	}
	if !s.Driveline.Power.Running || s.RPM() < 800 {
		t.Fatalf("40 N·m: running %v at %.0f rpm", s.Driveline.Power.Running, s.RPM())
	}
	for s.Driveline.Power.Running && s.Driveline.Engine > 0 {
		bench(c, &s, orders{}, 90)
	}
	near.Value(t, "speed at which it stalls", s.RPM(), 0.3*850, 30)
	for range 2000 {
		bench(c, &s, orders{throttle: 1}, 0)
	}
	if s.Driveline.Power.Running || s.Driveline.Engine != 0 {
		t.Fatalf("running %v at %g rpm after a stall", s.Driveline.Power.Running, s.RPM())
	}
	ticks := 0
	for ; !s.Driveline.Power.Running && ticks < 5000; ticks++ {
		bench(c, &s, orders{start: true}, 0)
	}
	if took := float64(ticks) * Dt; took < 0.03 || took > 1 {
		t.Errorf("starts after %.2f s", took)
	}
	for range 3000 {
		bench(c, &s, orders{}, 0)
	}
	near.Value(t, "idle", s.RPM(), 850, 1)
	for range 5000 {
		bench(c, &s, orders{off: true}, 0)
	}
	if s.Driveline.Power.Running || s.Driveline.Engine != 0 {
		t.Errorf("running %v at %g rpm without ignition", s.Driveline.Power.Running, s.RPM())
	}
	for range 5000 {
		bench(c, &s, orders{off: true, start: true}, 0)
	}
	if s.Driveline.Power.Running || s.RPM() < 300 {
		t.Errorf("running %v at %g rpm by the starter without ignition", s.Driveline.Power.Running, s.RPM())
	}
}

// A starter's torque at speed w is m·(1-w/w0): against friction alone it turns the crank
// where that equals it.
func TestTheStarterTurnsAsFastAsFrictionLets(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		p.Driveline.Engine.Starter, p.Driveline.Engine.StartFree, p.Driveline.Engine.Hold = 120, 500, 30
		p.Driveline.Drag = 0
	})
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Power.Running, s.Driveline.Engine = false, 0
	for range 5000 {
		bench(c, &s, orders{start: true, off: true}, 0)
	}
	near.Value(t, "speed", s.RPM(), 500*(1-22.0/120), 1)
}

// An engine that stands holds the car in gear on a slope, without creeping.
func TestAStoppedEngineHoldsTheCarInGear(t *testing.T) {
	c, err := New(DefaultCar(), slope(0.05), Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{}, 0)
	s.Driveline.Engine, s.Driveline.Box.Shaft = 0, 0
	in := Input{Gear: 1, Off: true}
	run(c, &s, 20, in)
	start := s.Pos
	run(c, &s, 60, in)
	if moved := r3.Norm(r3.Sub(s.Pos, start)); moved > 1e-6 || s.Driveline.Engine != 0 {
		t.Errorf("moved %.3g m in 60 s, crank at %.3g rad/s", moved, s.Driveline.Engine)
	}
}

func TestTheLimiterKeepsTheMeanBelow(t *testing.T) {
	for _, kind := range []string{"hard", "soft", "off"} {
		c := engineCar(t, func(p *Params) { p.Driveline.Engine.Limiter, p.Driveline.Engine.Limit = kind, 6000 })
		s := c.Rest(r3.Vec{}, 0)
		most, least, sum := 0.0, math.Inf(1), 0.0
		for tick := range 5000 {
			bench(c, &s, orders{throttle: 1}, 0)
			if tick >= 3000 {
				most, least, sum = max(most, s.RPM()), min(least, s.RPM()), sum+s.RPM()/2000
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

// At a steady speed a step of the throttle brings at once what needs no boost; the rest
// follows as 1-exp(-t/lag), with a lag that is half as long at twice the speed.
func TestATurboLags(t *testing.T) {
	for _, rpm := range []float64{2000, 4000} {
		c := engineCar(t, func(p *Params) {
			p.Driveline.Turbo = Turbo{Share: 0.4, Lag: 0.5, At: 2000}
			p.Driveline.Torque = []TorquePoint{{800, 200}, {7000, 200}}
		})
		s := c.Rest(r3.Vec{}, 0)
		lag := 0.5 * 2000 / rpm
		for tick := range 3000 {
			s.Driveline.Engine = rpm * perRPM
			got, _ := c.give(&s, &orders{throttle: 1})
			at := float64(tick) * Dt
			throttle := 1 - 0.4*math.Exp(-at/lag)
			friction := 22 + 0.06*rpm*math.Pi/30
			near.Value(t, fmt.Sprintf("%g rpm: torque after %.3f s", rpm, at), got, throttle*200-(1-throttle)*friction, 0.15)
		}
	}
}

// A throttle that needs no boost has none of its lag, and none builds up.
func TestPartThrottleNeedsNoBoost(t *testing.T) {
	c := engineCar(t, func(p *Params) { p.Driveline.Turbo.Share = 0.4 })
	s := c.Rest(r3.Vec{}, 0)
	for range 1000 {
		s.Driveline.Engine = 300
		c.give(&s, &orders{throttle: 0.6})
	}
	near.Value(t, "boost", s.Driveline.Power.Boost, 0, 1e-12)
}

func mapped(p *Params) {
	p.Driveline.Engine.Map = []EnginePoint{
		{0, 1000, -20}, {0, 3000, -30}, {0, 6000, -50},
		{0.4, 1000, 100}, {0.4, 3000, 120}, {0.4, 6000, 40},
		{1, 1000, 150}, {1, 3000, 200}, {1, 6000, 160},
	}
}

func TestAMapIsFollowedBetweenItsPoints(t *testing.T) {
	c := engineCar(t, mapped)
	for _, tt := range []struct{ throttle, rpm, want float64 }{
		{0, 3000, -30}, {0.4, 3000, 120}, {1, 3000, 200},
		{0.2, 3000, 45}, {0.7, 3000, 160}, {1, 2000, 175}, {0.4, 4500, 80},
		{0.7, 4500, 130},              // middle of 120, 40, 200, 160
		{1, 500, 150}, {1, 7000, 160}, // constant outside
	} {
		s := c.Rest(r3.Vec{}, 0)
		s.Driveline.Engine = tt.rpm * perRPM
		s.Driveline.Power.Idle = 0
		e := &c.engine
		got := e.pulls(tt.throttle, s.Driveline.Engine, e.closed(s.Driveline.Engine))
		near.Value(t, fmt.Sprintf("torque at %g and %g rpm", tt.throttle, tt.rpm), got, tt.want, 1e-9)
	}
	near.Value(t, "full throttle", c.engine.full(2000*perRPM), 175, 1e-9)
	if got := c.Params().Driveline.Torque; !reflect.DeepEqual(got, []TorquePoint{{1000, 150}, {3000, 200}, {6000, 160}}) {
		t.Errorf("curve %v", got)
	}
	s := c.Rest(r3.Vec{}, 0)
	for range 20_000 {
		bench(c, &s, orders{}, 10)
	}
	near.Value(t, "idle under load", s.RPM(), 850, 1e-3)
}

func TestTheThrottleCurveBendsThePedal(t *testing.T) {
	c := engineCar(t, func(p *Params) {
		p.Driveline.Engine.Response = []ThrottlePoint{{0, 0}, {0.5, 0.2}, {1, 1}}
	})
	plain := engineCar(t, func(*Params) {})
	for _, at := range [][2]float64{{0.25, 0.1}, {0.5, 0.2}, {0.75, 0.6}, {1, 1}} {
		a, b := c.Rest(r3.Vec{}, 0), plain.Rest(r3.Vec{}, 0)
		a.Driveline.Engine, b.Driveline.Engine = 300, 300
		got, _ := c.give(&a, &orders{throttle: at[0]})
		want, _ := plain.give(&b, &orders{throttle: at[1]})
		near.Value(t, fmt.Sprintf("torque at pedal %g", at[0]), got, want, 1e-9)
	}
}

// A cut takes its share of what the throttle adds to a released one.
func TestACutTakesItsShare(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	at := func(o orders) float64 {
		s := c.Rest(r3.Vec{}, 0)
		s.Driveline.Engine = 300
		torque, _ := c.give(&s, &o)
		return torque
	}
	full, closed := at(orders{throttle: 1}), at(orders{})
	near.Value(t, "released", closed, -(22 + 0.06*300), 1e-9)
	near.Value(t, "a cut of 0.3", at(orders{throttle: 1, cut: 0.3}), closed+0.7*(full-closed), 1e-9)
	near.Value(t, "all cut", at(orders{throttle: 1, cut: 1}), closed, 1e-9)
}

func TestEnginesStayFinite(t *testing.T) {
	for name, edit := range engineKinds() {
		c := engineCar(t, edit)
		s := c.Rest(r3.Vec{}, 0)
		for i, v := range []float64{math.Inf(1), math.NaN(), math.Inf(-1), 1e300, 0.5, -1} {
			for _, gear := range []int8{-1, 0, 1, 3, 127} {
				run(c, &s, 0.2, Input{
					Throttle: v, Brake: -v, Clutch: v / 2, Gear: gear, Start: i%2 == 0, Off: i%3 == 2, Steer: v,
				})
			}
		}
		if !finite(reflect.ValueOf(s)) {
			t.Errorf("%s: not finite: %.300v", name, s)
		}
	}
}

func engineKinds() map[string]func(p *Params) {
	return map[string]func(p *Params){
		"plain":  func(*Params) {},
		"mapped": mapped,
		"turbo and soft": func(p *Params) {
			p.Driveline.Turbo.Share, p.Driveline.Engine.Limiter = 0.5, "soft"
		},
		"nearly empty": func(p *Params) { p.Fuel.Level = 0.1 },
		"motor":        func(p *Params) { p.Driveline.Motor.Enabled = true },
		"free motor": func(p *Params) {
			p.Driveline.Motor = Motor{true, 5e3, 3e3, 30e3, 5e3, 3e3, 1, 0.3, nil, 0.01, 1, 0}
			p.Driveline.Inertia = 0.01
		},
		"wild": func(p *Params) {
			p.Driveline.Inertia, p.Driveline.Drag, p.Driveline.Friction = 0.05, 10, 1e3
		},
	}
}

func TestEnginesAllocateNothing(t *testing.T) {
	for name, edit := range engineKinds() {
		c := engineCar(t, edit)
		s := c.Rest(r3.Vec{}, 0)
		tick := 0
		if n := testing.AllocsPerRun(300, func() { c.Step(&s, drive(tick%16_000)); tick++ }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

func TestEnginesThatCannotBeAreRefused(t *testing.T) {
	for _, tt := range []struct {
		edit func(d *Driveline)
		want string
	}{
		{func(d *Driveline) { d.Engine.Stall = 800 }, "engine.stall_rpm = 800: allowed is 0 to 765"},
		{func(d *Driveline) { d.Engine.Catch = 200 }, "engine.catch_rpm = 200: allowed is 255 to 807.5"},
		{func(d *Driveline) { d.Engine.Limit = 900 }, "engine.limiter_rpm = 900: allowed is 950 to 31000"},
		{func(d *Driveline) { d.Engine.Limiter = "firm" }, `engine.limiter = "firm" is not known; choose hard, off, soft`},
		{func(d *Driveline) { d.Engine.Starter = 40 }, "engine.starter_nm = 40: leaves"},
		{func(d *Driveline) { d.Engine.FeedBelow = 500 }, "engine.overrun_feed_rpm = 500: allowed is 850 to 1550"},
		{func(d *Driveline) { d.Turbo.Share = 0.9 }, "turbo.boost_share = 0.9: allowed is 0 to 0.8"},
		{func(d *Driveline) { d.Engine.Map = []EnginePoint{{0, 1000, 5}, {1, 1000, 5}, {1, 2000, 5}} },
			"engine.map lacks the point at throttle = 0 and rpm = 2000: give each throttle with each rpm"},
		{func(d *Driveline) { d.Engine.Map = []EnginePoint{{1, 1000, 5}, {1, 1000, 6}} },
			"engine.map[1] stands twice, at throttle = 1 and rpm = 1000: leave one out"},
		{func(d *Driveline) { d.Engine.Map = []EnginePoint{{0, 1000, 5}} },
			"engine.number of map points at throttle = 1 = 0: allowed is 1 to 64"},
		{func(d *Driveline) { d.Engine.Response = []ThrottlePoint{{0.5, 0}, {0.4, 1}} },
			"engine.throttle_curve[1].pedal = 0.4: allowed is 0.501 to 1"},
		{func(d *Driveline) { d.Motor.Torque = 0 }, "motor.torque_nm = 0: allowed is 1 to 5000"},
	} {
		p := DefaultCar()
		tt.edit(&p.Driveline)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "driveline."+tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

// A clutch that is let in at idle, without throttle, stalls the engine; with the pedal
// down it starts again in gear.
func TestLettingInTheClutchStalls(t *testing.T) {
	c := engineCar(t, func(*Params) {})
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 0.5, Input{Gear: 1, Brake: 0.3, Clutch: 1})
	run(c, &s, 3, Input{Gear: 1, Brake: 0.3})
	if s.Driveline.Power.Running || s.Driveline.Engine != 0 {
		t.Fatalf("running %v at %.0f rpm", s.Driveline.Power.Running, s.RPM())
	}
	run(c, &s, 1, Input{Gear: 1, Brake: 0.3, Clutch: 1, Start: true})
	run(c, &s, 3, Input{Gear: 1, Brake: 0.3, Clutch: 1})
	near.Value(t, "idle", s.RPM(), 850, 1)
}
