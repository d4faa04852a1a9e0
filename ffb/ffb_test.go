package ffb

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim"
	"rig/sim/road"
)

const dt = 1e-3

// plain passes column torque on one to one, but for the limits.
func plain(t testing.TB) *Feel {
	t.Helper()
	f, err := New(Config{FullScale: 10, Gain: 1, MaxTorque: 10, Slew: 0.5, Standing: 0}, dt)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// held returns the torque after the slew limit has no more say.
func held(f *Feel, s sim.State, rated float64) (torque float64) {
	for range 1000 {
		torque = f.Torque(&s, rated)
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
			got := held(f, sim.State{ColumnTorque: tt.column, Speed: tt.speed}, tt.rated)
			if math.Abs(got-tt.want) > 1e-12 || f.Clipping() != tt.clipping || f.Fault() {
				t.Errorf("torque %g N·m, clipping %t, fault %t; want %g, %t", got, f.Clipping(), f.Fault(), tt.want, tt.clipping)
			}
		})
	}
}

func TestTorqueGrowsNoFasterThanTheSlewLimit(t *testing.T) {
	f := plain(t)
	s := sim.State{ColumnTorque: 10, Speed: 20}
	for i := 1; i <= 20; i++ {
		if got, want := f.Torque(&s, 10), 0.5*float64(i); math.Abs(got-want) > 1e-12 {
			t.Fatalf("tick %d: %g N·m, want %g N·m", i, got, want)
		}
	}
	f.Reset()
	if got := f.Torque(&s, 10); got != 0.5 {
		t.Errorf("after a reset %g N·m, want 0.5 N·m", got)
	}
}

func TestDampingResistsTheRim(t *testing.T) {
	f, err := New(Config{FullScale: 10, Gain: 1, MaxTorque: 10, Slew: 0.5, Damping: 0.5}, dt)
	if err != nil {
		t.Fatal(err)
	}
	var got float64
	for i := range 500 {
		got = f.Torque(&sim.State{Steer: 3 * float64(i) * dt}, 10) // turned left at 3 rad/s
	}
	if math.Abs(got+1.5) > 1e-6 {
		t.Errorf("torque %g N·m, want -1.5 N·m", got)
	}
}

func TestNotANumberGivesNoTorque(t *testing.T) {
	good := sim.State{ColumnTorque: 10, Speed: 20}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, s := range map[string]sim.State{
			"column": {ColumnTorque: bad, Speed: 20},
			"speed":  {ColumnTorque: 5, Speed: bad},
			"steer":  {ColumnTorque: 5, Speed: 20, Steer: bad},
		} {
			f := plain(t)
			held(f, good, 10)
			if got := f.Torque(&s, 10); got != 0 || !f.Fault() {
				t.Errorf("%s %g: torque %g N·m, fault %t", name, bad, got, f.Fault())
			}
			if got := f.Torque(&good, 10); got != 0.5 || f.Fault() {
				t.Errorf("%s %g: afterwards %g N·m, fault %t", name, bad, got, f.Fault())
			}
		}
		f := plain(t)
		if got := f.Torque(&good, bad); got != 0 || !f.Fault() {
			t.Errorf("rated for %g: torque %g N·m, fault %t", bad, got, f.Fault())
		}
	}
}

func TestTorqueFollowsTheFrontTiresAndFallsWhenTheySlide(t *testing.T) {
	car, err := sim.New(sim.DefaultCar(), road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(DefaultConfig(), dt)
	if err != nil {
		t.Fatal(err)
	}
	s := car.Rest(r3.Vec{}, 0)
	corner := func(steer, seconds float64) (torque float64) {
		for range int(seconds / dt) {
			throttle := min(max(0.2+0.3*(18-s.Speed), 0), 0.7)
			car.Step(&s, sim.Input{Steer: steer, Throttle: throttle, Gear: 1, Assists: sim.Assists{Clutch: true, Shifting: true}})
			torque = f.Torque(&s, 8)
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

func FuzzTorque(f *testing.F) {
	f.Add(5.0, 20.0, 0.1, 8.0, -5.0, 20.0, -0.1, 2.0)
	f.Add(math.NaN(), 1.0, 1.0, 1.0, math.Inf(1), 1.0, 1.0, -1.0)
	f.Add(1e308, 1e308, 1e308, 1e308, -1e308, -1e308, -1e308, 1e308)
	f.Fuzz(func(t *testing.T, c1, v1, a1, r1, c2, v2, a2, r2 float64) {
		feel, err := New(DefaultConfig(), dt)
		if err != nil {
			t.Fatal(err)
		}
		one := sim.State{ColumnTorque: c1, Speed: v1, Steer: a1}
		two := sim.State{ColumnTorque: c2, Speed: v2, Steer: a2}
		last := 0.0
		for i := range 60 {
			s, rated := &one, r1
			if i/20 == 1 {
				s, rated = &two, r2
			}
			got := feel.Torque(s, rated)
			most := min(max(rated, 0), 8)
			if math.IsNaN(got) || (!math.IsNaN(most) && math.Abs(got) > most) {
				t.Fatalf("torque %g N·m of %g rated", got, rated)
			}
			if feel.Fault() {
				if got != 0 {
					t.Fatalf("torque %g N·m in fault", got)
				}
			} else if math.Abs(got) > math.Abs(last)+0.5+1e-9 || (math.Abs(got-last) > 0.5+1e-9 && math.Abs(got) < most) {
				t.Fatalf("torque jumps from %g to %g N·m", last, got)
			}
			last = got
		}
	})
}

func TestTorqueAllocatesNothing(t *testing.T) {
	f := plain(t)
	s := sim.State{ColumnTorque: 3, Speed: 20}
	if n := testing.AllocsPerRun(100, func() { f.Torque(&s, 8) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestConfigNamesEveryBadField(t *testing.T) {
	c := DefaultConfig()
	c.Slew, c.Gain = 0, math.NaN()
	err := c.Validate()
	if err == nil || !strings.Contains(err.Error(), "slew_nm_per_ms = 0: allowed is 0.01 to 10") ||
		!strings.Contains(err.Error(), "gain = NaN") {
		t.Errorf("error %v", err)
	}
	if _, err := New(c, dt); err == nil || !strings.HasPrefix(err.Error(), "ffb: ") {
		t.Errorf("error %v", err)
	}
}

func TestAdjustStaysWithinTheKeysLimits(t *testing.T) {
	f, err := New(DefaultConfig(), 0.001)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ step, want float64 }{
		{0.05, 1.05}, {-0.05, 1}, {-0.05, 0.95}, {math.NaN(), 0.95}, {math.Inf(1), 0.95}, {-5, 0}, {0.05, 0.05}, {50, 2},
	} {
		if f.Adjust(tt.step); f.Gain() != tt.want {
			t.Errorf("gain %g after a step of %g, want %g", f.Gain(), tt.step, tt.want)
		}
	}
}
