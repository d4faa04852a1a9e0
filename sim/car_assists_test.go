package sim

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// slippery returns a car on level ground with a share of dry asphalt's grip.
func slippery(t testing.TB, p Params, grip float64) *Car {
	t.Helper()
	c, err := New(p, road.Flat{Surface: tire.Surface{Grip: grip, Stiffness: 1, Rolling: 1}}, Dt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// allHelp is every assist at once, with a clutch that works itself.
func allHelp() assist.Switches {
	return assist.Switches{AutoClutch: true, Traction: 5, Stability: 5, Launch: true, PitLimiter: true, YawAid: 0.5, LowSpeedAid: 0.5}
}

func TestAssistsThatAreOffForgetAll(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.3)
	s := rolling(c, 10, 1)
	run(c, &s, 1, Input{Gear: 1, Throttle: 1, Steer: 2, Assists: allHelp()})
	if s.Assist == (assist.State{}) {
		t.Fatal("nothing helped")
	}
	c.Step(&s, Input{Gear: 1, Throttle: 1, Steer: 2})
	if s.Assist != (assist.State{}) {
		t.Errorf("off, and remembers %+v", s.Assist)
	}
}

// Whatever goes off first, the same state is left behind.
func TestTheOrderInWhichAssistsGoOffLeavesNoTrace(t *testing.T) {
	off := []func(*assist.Switches){
		func(a *assist.Switches) { a.Traction = 0 },
		func(a *assist.Switches) { a.Stability = 0 },
		func(a *assist.Switches) { a.Launch = false },
		func(a *assist.Switches) { a.PitLimiter = false },
		func(a *assist.Switches) { a.LowSpeedAid = 0 },
	}
	in := Input{Gear: 3, Throttle: 0.2, Steer: 0.3}
	with := allHelp()
	with.YawAid = 0 // it always works
	hashes := map[uint64][]int{}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}, {3, 1, 0, 4, 2}, {1, 2, 3, 4, 0}} {
		c := coupe(t)
		s := rolling(c, 12, 3)
		in.Assists = with
		run(c, &s, 1, in)
		for _, i := range order {
			off[i](&in.Assists)
			run(c, &s, 0.05, in)
		}
		hashes[s.Hash()] = order
	}
	c := coupe(t)
	s := rolling(c, 12, 3)
	in.Assists = assist.Switches{AutoClutch: true}
	run(c, &s, 1.25, in)
	hashes[s.Hash()] = nil
	if len(hashes) != 1 {
		t.Errorf("different ends: %v", hashes)
	}
}

// Nor does the order matter after all of them have worked, once the car goes on in peace.
func TestTheOrderLeavesNoTraceAfterHelp(t *testing.T) {
	off := []func(*assist.Switches){
		func(a *assist.Switches) { a.ABS = 0 },
		func(a *assist.Switches) { a.Traction = 0 },
		func(a *assist.Switches) { a.Stability = 0 },
		func(a *assist.Switches) { a.PitLimiter = false },
	}
	c := coupe(t)
	s := rolling(c, 30, 3)
	in := Input{Gear: 1, Assists: assist.Switches{ABS: 5, Traction: 5, Stability: 5, PitLimiter: true, AutoClutch: true, AutoShift: true}}
	braked, cut, turned := false, false, false
	for tick := range 12_000 {
		switch { // braking in a bend to a stop, away in a bend at full throttle, peace
		case tick < 3000:
			in.Brake, in.Steer = 1, 2
		case tick < 9000:
			in.Brake, in.Throttle, in.Steer = 0, 1, 2.5
		default:
			in.Throttle, in.Steer = 0.1, 0
		}
		c.Step(&s, in)
		braked, cut, turned = braked || s.Brakes.PedalPulse > 0, cut || s.Assist.Traction.IsActive(), turned || s.Assist.Stability.IsActive()
	}
	if !braked || !cut || !turned {
		t.Fatalf("ABS worked: %v, traction control: %v, stability control: %v", braked, cut, turned)
	}
	hashes := map[uint64][]int{}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
		end, calm := s, in
		for _, i := range order {
			off[i](&calm.Assists)
			run(c, &end, 0.05, calm)
		}
		hashes[end.Hash()] = order
	}
	if len(hashes) != 1 {
		t.Errorf("different ends: %v", hashes)
	}
}

func TestAssistsTakeAnyInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	c := coupe(t)
	s := rolling(c, 20, 3)
	strange := allHelp()
	strange.Traction, strange.Stability, strange.ABS = 255, 255, 255
	for tick := range 4000 {
		strange.YawAid, strange.LowSpeedAid = []float64{nan, inf, -inf, 7}[tick%4], []float64{inf, nan, 3, -inf}[tick%4]
		c.Step(&s, Input{Steer: []float64{nan, inf, -inf}[tick/500%3], Throttle: inf, Brake: nan, Clutch: nan, Gear: 127, Assists: strange})
		c.Step(&s, Input{Steer: 3, Throttle: 1, Handbrake: float64(tick / 1000 % 2), Gear: int8(tick/900) - 1, Assists: strange})
	}
	if !finite(reflect.ValueOf(s)) {
		t.Errorf("state %+v", s)
	}
}

func TestAssistsAllocateNothing(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.3)
	s := rolling(c, 10, 1)
	if n := testing.AllocsPerRun(1000, func() {
		c.Step(&s, Input{Gear: 1, Throttle: 1, Steer: 2, Assists: allHelp()})
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestValidateNamesBadAssists(t *testing.T) {
	tests := []struct {
		change func(*assist.Params)
		want   string
	}{
		{func(a *assist.Params) { a.Traction.AllowedSlip = -1 }, "assists.traction.slip = -1: must be 0 to 1"},
		{func(a *assist.Params) { a.Stability.OversteerBand = 0 }, "assists.stability.oversteer_deg_per_s = 0: must be 0.5 to 60"},
		{func(a *assist.Params) { a.Launch.CloseTime = 0 }, "assists.launch.close_s = 0: must be 0.05 to 5"},
		{func(a *assist.Params) { a.PitLimit = math.NaN() }, "assists.pit_limit_kph = NaN: must be 10 to 200"},
		{func(a *assist.Params) { a.YawAidAccel = -1 }, "assists.yaw_torque_rad_per_s2 = -1: must be 0 to 20"},
		{func(a *assist.Params) { a.Pedals.Brake.PressRate = 0 }, "assists.pedal_keys.brake.press_per_s = 0: must be 0.2 to 1000"},
	}
	for _, tt := range tests {
		p := DefaultCar()
		tt.change(&p.Assists)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

// The reference speed of a car with wheels that roll freely is theirs; with all driven
// and spinning, or all braked and locked, it stays near the car's.
func TestTheReferenceSpeedIsTheCars(t *testing.T) {
	tests := []struct {
		name  string
		front float64
		grip  float64
		in    Input
		most  float64 // [m/s]
	}{
		{"rolling", 0, 1, Input{}, 0.05},
		{"in a bend", 0, 1, Input{Steer: 1}, 0.15},
		{"rear wheels spin", 0, 0.3, Input{Gear: 1, Throttle: 1}, 0.05},
		{"front wheels spin", 1, 0.3, Input{Gear: 1, Throttle: 1}, 0.05},
		{"all wheels spin", 0.5, 0.2, Input{Gear: 1, Throttle: 1}, 0.6},
		{"all wheels locked", 0, 0.3, Input{Brake: 1}, 0.6},
	}
	for _, tt := range tests {
		p := DefaultCar()
		p.Driveline.FrontShare = tt.front
		c := slippery(t, p, tt.grip)
		s := rolling(c, 12, tt.in.Gear)
		tt.in.Assists.Stability = 1
		run(c, &s, 2, tt.in)
		near.Value(t, tt.name+": reference speed", s.Assist.Reference, s.Speed, tt.most)
	}
}

func TestSteeringLockDoesNotLookLikeSlip(t *testing.T) {
	p := DefaultCar()
	p.Driveline.FrontShare = 1
	c := newCar(t, p, Dt)
	s := rolling(c, 3, 1)
	for range 4000 {
		c.Step(&s, Input{Steer: 7, Gear: 1, Throttle: valid.Clamp(0.5*(3-s.Speed), 0, 0.3), Assists: assist.Switches{Traction: 5, AutoClutch: true}})
		if s.Assist.Traction.IsActive() {
			t.Fatalf("traction control works while crawling at full lock: %+v", s.Assist.Traction)
		}
	}
}

// BenchmarkAssists is what the electronics take of a tick.
func BenchmarkAssists(b *testing.B) {
	for _, bb := range []struct {
		name string
		with assist.Switches
	}{{"off", assist.Switches{}}, {"on", allHelp()}} {
		b.Run(bb.name, func(b *testing.B) {
			c := coupe(b)
			s := rolling(c, 20, 3)
			in := Input{Gear: 3, Throttle: 0.3, Steer: 0.4, Assists: bb.with}
			run(c, &s, 1, in)
			var o assist.Orders
			for b.Loop() {
				o = assist.Orders{}
				c.stepAssist(&s, &in, &o)
			}
			_ = o
		})
	}
}

// driving returns a car at rest, driven straight ahead at full throttle in first gear.
func driving(c *Car, seconds float64, level uint8, watch func(s *State)) State {
	s := c.Rest(r3.Vec{}, 0)
	for i := range int(seconds / Dt) {
		throttle := min(float64(i)*0.005, 1)
		c.Step(&s, Input{Gear: 1, Throttle: throttle, Assists: assist.Switches{AutoClutch: true, Traction: level}})
		watch(&s)
	}
	return s
}
