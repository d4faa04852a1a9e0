package maneuver

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/driver"
	"rig.example/rig/test/club"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func lapOf(t *testing.T, cfg driver.Config, c *road.Circuit) *Result {
	t.Helper()
	o, err := Options{Circuit: c, Dt: milliseconds(2, 1)}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	r, err := lapWith(cfg, sim.DefaultCar(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// driveFastLap drives the lap of the usual driver, once for all tests.
var driveFastLap = sync.OnceValues(func() (*Result, error) {
	c, err := club.LoadOnce()
	if err != nil {
		return nil, err
	}
	done := 0.0
	r, err := Do("lap", sim.DefaultCar(), Options{Circuit: c, Dt: milliseconds(2, 1), Progress: func(d float64) { done = d }})
	if err == nil && done != 1 {
		err = fmt.Errorf("%g of the lap is done", done)
	}
	return r, err
})

func fastLap(t *testing.T) *Result {
	t.Helper()
	r, err := driveFastLap()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLapMetricsAreConsistent(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := fastLap(t)
	sound(t, r)
	duration := figure(t, r, "lap_s")
	near.Value(t, "sectors", figure(t, r, "sector_1_s")+figure(t, r, "sector_2_s")+figure(t, r, "sector_3_s"), duration, 1e-9)
	length := club.Circuit(t).Length()
	near.Value(t, "mean speed", figure(t, r, "mean_speed_kph"), length/duration*3.6, 1e-9)
	first, last := r.Rows[0], r.Rows[len(r.Rows)-1]
	near.Value(t, "recorded time", last.T-first.T, duration, 0.012)
	behind := sim.DefaultCar().CGToFront // the front axle is what is timed
	if math.Abs(first.X+behind) > 0.1 || math.Abs(last.X+behind) > 1 || math.Abs(last.Y-first.Y) > 0.5 {
		t.Errorf("the recording goes from %.2f m to %.2f, %.2f m", first.X, last.X, last.Y)
	}
	if off, offset := figure(t, r, "off_track_s"), figure(t, r, "max_offset_m"); off != 0 || offset > 1.3 {
		t.Errorf("%.2f s off the track, %.2f m from the line", off, offset)
	}
	top, mean := figure(t, r, "top_speed_kph"), figure(t, r, "mean_speed_kph")
	if duration < 110 || duration > 140 || top < 1.3*mean || figure(t, r, "min_ax_mps2") > -5.5 || figure(t, r, "max_ay_mps2") < 6.5 {
		t.Errorf("lap of %.2f s, %.0f km/h at most, %+v", duration, top, r.Metrics)
	}
}

func TestTheRacingLineIsFaster(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	center := driver.LapConfig()
	center.Line = driver.LineCenter
	slow, fast := figure(t, lapOf(t, center, club.Circuit(t)), "lap_s"), figure(t, fastLap(t), "lap_s")
	if fast > 0.96*slow {
		t.Errorf("%.2f s, and %.2f s in the middle of the road", fast, slow)
	}
}

func TestLapRepeatsBitForBit(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c := round(t, true)
	if level.All() {
		c = club.Circuit(t)
	}
	a, b := lapOf(t, driver.LapConfig(), c), lapOf(t, driver.LapConfig(), c)
	if !reflect.DeepEqual(a.Rows, b.Rows) || !slices.Equal(a.Metrics, b.Metrics) {
		t.Error("two laps differ")
	}
}

func TestLessEffortIsSlower(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c := round(t, true)
	if level.All() {
		c = club.Circuit(t)
	}
	last := 0.0
	for _, effort := range []float64{1, 0.95, 0.8, 0.6} {
		cfg := driver.LapConfig()
		cfg.Effort = effort
		r := lapOf(t, cfg, c)
		duration := figure(t, r, "lap_s")
		if duration <= last+0.3 || figure(t, r, "off_track_s") > 0 {
			t.Errorf("effort %g: %.2f s after %.2f s, %.2f s off the track", effort, duration, last, figure(t, r, "off_track_s"))
		}
		last = duration
	}
}

func TestUnfinishedLapHasANote(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Driveline.TorqueCurve = []driveline.TorquePoint{{RPM: 1000, Torque: 0}}
	r := do(t, "lap", p, Options{Rate: 1, Dt: 5e-3, Circuit: round(t, true)})
	sound(t, r)
	if !slices.Contains(r.Notes, "lap_s: not reached in this run") {
		t.Errorf("notes %v", r.Notes)
	}
}

// pan is level ground that ends 30 m beside a place.
type pan struct {
	road.Flat
	middle r3.Vec
}

func (p pan) Touch(at r3.Vec) road.Contact {
	c := p.Flat.Touch(at)
	if r3.Norm(r3.Sub(c.Point, p.middle)) > 90 {
		c.Depth -= 1000
	}
	return c
}

// round is a circle of 60 m on a pan far from the origin.
func round(t *testing.T, closed bool) *road.Circuit {
	t.Helper()
	middle := r3.Vec{X: 500, Y: -300}
	var places []road.Waypoint
	for i := range 40 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 40)
		places = append(places, road.Waypoint{Pos: r3.Add(middle, r3.Vec{X: 60 * cos, Y: 60 * sin}), Left: 5, Right: 5})
	}
	l, err := road.LineThrough(places, closed)
	if err != nil {
		t.Fatal(err)
	}
	return &road.Circuit{Ground: pan{road.Asphalt(), middle}, Line: l, Title: "round"}
}

func TestLapStartsAtTheStartLine(t *testing.T) {
	t.Parallel()
	r := do(t, "lap", sim.DefaultCar(), Options{Rate: 1, Dt: 2e-3, Circuit: round(t, true)})
	if duration := figure(t, r, "lap_s"); !(duration > 14 && duration < 25) { // 2π·60 m at 0.4 to 1.2 g
		t.Errorf("%.2f s", duration)
	}
}

func TestLapNeedsALineThatCloses(t *testing.T) {
	free := round(t, true)
	free.Roadless = true
	for name, c := range map[string]*road.Circuit{"open": round(t, false), "without a road": free} {
		if _, err := Do("lap", sim.DefaultCar(), Options{Circuit: c}); err == nil || err.Error() != "maneuver: lap: round has no closed center line to lap on; give it [line] with closed = true" {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A lap that never begins burns what the car burns, not what is in its tank.
func TestFuelIsWhatBurnsEvenIfNoLapBegins(t *testing.T) {
	level.SkipIfQuick(t)
	for _, electric := range []bool{false, true} {
		o, err := Options{Circuit: club.Circuit(t)}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		p := sim.DefaultCar()
		p.Driveline.Motor.Enabled = electric
		tr, err := newRun(p, o.Circuit, o)
		if err != nil {
			t.Fatal(err)
		}
		d, err := driver.New(driver.LapConfig(), tr.Car, o.Circuit, o.Dt)
		if err != nil {
			t.Fatal(err)
		}
		clock, err := lap.NewTiming(o.Circuit.Line, 0, nil, o.Circuit.Pit)
		if err != nil {
			t.Fatal(err)
		}
		tr.PlaceAtRestOn(o.Circuit.At(0))
		tr.State.Tick = uint64((maxLapTime - 3) / tr.Dt) // three seconds are left
		run := &lapRun{run: tr, driver: d, circuit: o.Circuit, clock: clock, memory: d.Start(&tr.State)}
		run.drive(func(float64) {})
		name, largest := "fuel_l", 0.1
		if electric {
			name = "energy_kwh"
		}
		if run.lap.Running {
			t.Fatal("a lap has begun")
		}
		if used := figure(t, run.result(), name); !(used > 0 && used < largest) {
			t.Errorf("%s = %g", name, used)
		}
	}
}
