package ffb

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
)

const dt = 1e-3

// plain passes column torque on one to one, but for the limits.
func plain(t testing.TB) *testChain {
	t.Helper()
	return newTestChain(t, plainConfig())
}

func plainConfig() Config {
	c := DefaultConfig()
	c.FullScale, c.MaxTorque, c.Reconstruction, c.StandstillGain = 10, 10, 0, 0
	for _, table := range []string{"Effects", "Rim", "SoftLock"} {
		silence(&c, reflect.ValueOf(&c).Elem().FieldByName(table))
	}
	return c
}

// silence makes every key of a table 0 that may be.
func silence(c *Config, table reflect.Value) {
	for i := range table.NumField() {
		f := table.Field(i)
		if f.Kind() != reflect.Float64 {
			continue
		}
		was := f.Float()
		if f.SetFloat(0); c.Validate() != nil {
			f.SetFloat(was)
		}
	}
}

// anyCar has a lock that no test comes to.
var anyCar = Car{Lock: 9}

// testChain is a Chain with its state.
type testChain struct {
	*Chain
	State
}

func (f *testChain) Torque(car *sim.State, w Wheel) float64 { return f.Chain.Torque(&f.State, car, w) }
func (f *testChain) Reset()                                 { f.Chain.Reset(&f.State) }

func newTestChain(t testing.TB, c Config) *testChain {
	t.Helper()
	f, err := New(c, anyCar, dt)
	if err != nil {
		t.Fatal(err)
	}
	return &testChain{f, f.Start()}
}

// fast is a wheel that takes each tick.
func fast(rated float64) Wheel { return Wheel{Present: true, Rated: rated, Rate: 1000} }

// held returns the torque after the slew limit has no more say.
func held(f *testChain, s sim.State, rated float64) (torque float64) {
	for range 1000 {
		torque = f.Torque(&s, fast(rated))
	}
	return torque
}

func TestTorqueFollowsTheColumn(t *testing.T) {
	tests := []struct {
		name          string
		column, speed float64
		rated, want   float64
		clipping      bool
	}{
		{"to the right in a left bend", -4, 20, 10, -4, false},
		{"to the left", 4, 20, 10, 4, false},
		{"scaled to a small wheel", -5, 20, 2, -1, false},
		{"limited by the configuration", -30, 20, 25, -10, true},
		{"limited by the rating", 30, 20, 2, 2, true},
		{"full scale", 10, 20, 2, 2, false},
		{"at standstill", 8, 0, 10, 0, false},
		{"half faded at 1 m/s", 8, 1, 10, 4, false},
		{"in reverse", -8, -5, 10, 0, false},
		{"no wheel", 8, 20, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := plain(t)
			got := held(f, sim.State{ColumnTorque: tt.column, State: chassis.State{Speed: tt.speed}}, tt.rated)
			if math.Abs(got-tt.want) > 1e-12 || f.Clipping() != tt.clipping || f.Fault() {
				t.Errorf("torque %g N·m, clipping %t, fault %t; want %g, %t", got, f.Clipping(), f.Fault(), tt.want, tt.clipping)
			}
		})
	}
}

func TestTorqueGrowsNoFasterThanTheSlewLimit(t *testing.T) {
	f := plain(t)
	s := sim.State{ColumnTorque: 10, State: chassis.State{Speed: 20}}
	for i := 1; i <= 20; i++ {
		if got, want := f.Torque(&s, fast(10)), 0.5*float64(i); math.Abs(got-want) > 1e-12 {
			t.Fatalf("tick %d: %g N·m, want %g N·m", i, got, want)
		}
	}
	f.Reset()
	if got := f.Torque(&s, fast(10)); got != 0.5 {
		t.Errorf("after a reset %g N·m, want 0.5 N·m", got)
	}
}

func TestNaNGivesNoTorque(t *testing.T) {
	good := sim.State{ColumnTorque: 10, State: chassis.State{Speed: 20}}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, s := range map[string]sim.State{
			"column": {ColumnTorque: bad, State: chassis.State{Speed: 20}},
			"speed":  {ColumnTorque: 5, State: chassis.State{Speed: bad}},
		} {
			f := plain(t)
			held(f, good, 10)
			if got := f.Torque(&s, fast(10)); got != 0 || !f.Fault() {
				t.Errorf("%s %g: torque %g N·m, fault %t", name, bad, got, f.Fault())
			}
			if got := f.Torque(&good, fast(10)); got != 0.5 || f.Fault() {
				t.Errorf("%s %g: afterwards %g N·m, fault %t", name, bad, got, f.Fault())
			}
		}
		for name, w := range map[string]Wheel{
			"rating": {Rated: bad, Rate: 500}, "angle": {Rated: 5, Angle: bad},
			"rate": {Rated: 5, Rate: bad}, "delay": {Rated: 5, Delay: bad},
		} {
			f := plain(t)
			if got := f.Torque(&good, w); got != 0 || !f.Fault() {
				t.Errorf("%s %g: torque %g N·m, fault %t", name, bad, got, f.Fault())
			}
		}
	}
}

func TestTorqueFollowsTheFrontTiresAndFallsWhenTheySlide(t *testing.T) {
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	f := newTestChain(t, DefaultConfig())
	s := car.Rest(r3.Vec{}, 0)
	corner := func(steer, seconds float64) (torque float64) {
		for range int(seconds / dt) {
			throttle := min(max(0.2+0.3*(18-s.Speed), 0), 0.7)
			car.Step(&s, sim.Input{Steer: steer, Throttle: throttle, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}})
			torque = f.Torque(&s, fast(8))
		}
		return torque
	}
	straight := corner(0, 10)
	mild := corner(0.2, 2)
	firm := corner(0.6, 2)
	most := corner(1, 1.5)
	sliding := corner(3, 1.5)
	if straight != 0 || !(mild < -0.3) || !(firm < 1.3*mild) || !(sliding < 0 && sliding > 0.85*most) {
		t.Errorf("straight %.2f, mild %.2f, firm %.2f, most %.2f, sliding %.2f N·m", straight, mild, firm, most, sliding)
	}
	if right := corner(-0.6, 5); right < 1 {
		t.Errorf("to the right %.2f N·m", right)
	}
}

func TestConfigNamesEveryBadField(t *testing.T) {
	c := DefaultConfig()
	c.SlewRate, c.Gain, c.Strength, c.Reconstruction = 0, math.NaN(), "loud", 0.7
	err := c.Validate()
	if err == nil || !strings.Contains(err.Error(), "slew_nm_per_ms = 0: must be 0.01 to 10") ||
		!strings.Contains(err.Error(), "gain = NaN") || !strings.Contains(err.Error(), `strength = "loud": must be share, peak or auto`) ||
		!strings.Contains(err.Error(), "reconstruction = 0.7: must be 0 (off) or 0.1 to 0.5") {
		t.Errorf("error %v", err)
	}
	if _, err := New(c, anyCar, dt); err == nil || !strings.HasPrefix(err.Error(), "ffb: ") {
		t.Errorf("error %v", err)
	}
}

func TestAdjustStaysWithinTheKeysLimits(t *testing.T) {
	f := newTestChain(t, DefaultConfig())
	for _, tt := range []struct{ step, want float64 }{
		{0.05, 1.05}, {-0.05, 1}, {-0.05, 0.95}, {math.NaN(), 0.95}, {math.Inf(1), 0.95}, {-5, 0}, {0.05, 0.05}, {50, 2},
	} {
		if f.Adjust(tt.step); f.Gain() != tt.want {
			t.Errorf("gain %g after a step of %g, want %g", f.Gain(), tt.step, tt.want)
		}
	}
}

// Putting a car back on its wheels takes its torque away at once. The lead would answer
// with a blow to the other side.
func TestACarPutElsewhereStrikesNoBlow(t *testing.T) {
	blow := func(tell bool) (most float64) {
		c := DefaultConfig()
		c.SlewRate = 2
		f := newTestChain(t, c)
		w := Wheel{Angle: 1.75, Present: true, Rated: 8, Rate: 1000, Delay: 3e-3}
		s := sim.State{State: chassis.State{Speed: 11}, ColumnTorque: -10}
		for range 1000 {
			f.Torque(&s, w)
		}
		before := f.Trace().Sent
		if s = (sim.State{}); tell {
			f.Teleported(&f.State)
		}
		for i := range 50 {
			got := f.Torque(&s, w)
			if i == 0 && math.Abs(got-before-c.SlewRate) > 1e-9 {
				t.Errorf("%.2f N·m became %.2f N·m, want the slew limit kept", before, got)
			}
			most = max(most, got)
		}
		return most
	}
	if got := blow(true); got > 0.1 {
		t.Errorf("%.2f N·m to the other side", got)
	}
	if got := blow(false); got < 2 {
		t.Errorf("untold it is %.2f N·m: the test proves nothing", got)
	}
}

// An absent wheel may give no torque, but the torque of the tires is still computed.
func TestAnAbsentWheelClipsNothing(t *testing.T) {
	c := plainConfig()
	c.Strength = Share
	f := newTestChain(t, c)
	for i := range 200 {
		s := sim.State{Tick: uint64(i), ColumnTorque: 8, State: chassis.State{Speed: 20}}
		if got := f.Torque(&s, Wheel{}); got != 0 || f.Clipping() || f.Trace().Asked != 8 {
			t.Fatalf("tick %d: %g of %g N·m, clipping %t", i, got, f.Trace().Asked, f.Clipping())
		}
	}
	if share := f.Trace().Clipped; share != 0 {
		t.Errorf("%g of the time clipped", share)
	}
}

// The car's end stop is for the driver of the car: a real wheel has a soft lock, and would get both.
func TestTheCarsEndStopIsNotFelt(t *testing.T) {
	force := func(stop float64) float64 {
		car := sim.State{ColumnTorque: 4 + stop, State: chassis.State{Speed: 20}}
		car.Steering.Stop = stop
		return held(plain(t), car, 10)
	}
	if with, without := force(-200), force(0); math.Abs(with-without) > 1e-12 || math.Abs(without-4) > 1e-12 {
		t.Errorf("%g N·m with an end stop of 200 N·m, %g N·m without", with, without)
	}
}
