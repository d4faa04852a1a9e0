package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// Parked in gear on a slope of 20 % an engine whose ignition is off holds the car, whether
// the driver or the automatic works its clutch. The driver lets the brake go within a second: released within a
// tick, the car falls through the play of its driveline and may turn the engine over.
func TestParkedInGearStays(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for i, kind := range []string{"synchro", "sequential", "dual clutch", "single"} {
		for k, gear := range []int8{1, -1} {
			for l, to := range []float64{0, 0.8, math.Pi} {
				if l != (i+k)%3 && !level.All() {
					continue // in `make test` each gear holds the car in one direction, and each gearbox in two
				}
				p := boxed(kind)
				c, err := New(p, slope(math.Atan(0.2)), Dt)
				if err != nil {
					t.Fatal(err)
				}
				s := c.Rest(r3.Vec{}, to)
				own := assist.Switches{AutoClutch: true}
				run(c, &s, 1, Input{Gear: gear, Brake: 1, Assists: own})
				run(c, &s, 2, Input{Gear: gear, Brake: 1, Assists: own, IgnitionOff: true})
				for brake := 1.0; brake > 0; brake -= Dt {
					c.Step(&s, Input{Gear: gear, Brake: brake, Assists: own, IgnitionOff: true})
				}
				run(c, &s, 9, Input{Gear: gear, Assists: own, IgnitionOff: true})
				was := s.Pos
				run(c, &s, 5, Input{Gear: gear, Assists: own, IgnitionOff: true})
				near.Value(t, fmt.Sprintf("%s, gear %d, heading %.1f: drift [m]", kind, gear, to), r3.Norm(r3.Sub(s.Pos, was)), 0, 1e-6)
				if c.Step(&s, Input{Gear: gear, Brake: 1, Assists: own}); s.Driveline.Engine.Running {
					t.Errorf("%s: runs without having been turned", kind)
				}
			}
		}
	}
}

// A stopped engine that the wheels turn runs again, with its ignition on and fuel.
func TestRollingStartsAnEngine(t *testing.T) {
	for _, tt := range []struct {
		name string
		off  bool
		fuel float64
		runs bool
	}{
		{"ignition on", false, 10, true},
		{"ignition off", true, 10, false},
		{"without fuel", false, 0, false},
	} {
		c := newCar(t, DefaultCar(), Dt)
		s := rolling(c, 5, 0)
		run(c, &s, 4, Input{Clutch: 1, IgnitionOff: true})
		s.Driveline.Fuel = tt.fuel
		run(c, &s, 1, Input{Gear: 2, Clutch: 1, IgnitionOff: tt.off})
		if s.Driveline.Engine.Running || s.Driveline.EngineSpeed != 0 {
			t.Fatalf("%s: %.0f rpm before", tt.name, s.RPM())
		}
		run(c, &s, 2, Input{Gear: 2, IgnitionOff: tt.off})
		if s.Driveline.Engine.Running != tt.runs {
			t.Errorf("%s: running %v at %.0f rpm", tt.name, s.Driveline.Engine.Running, s.RPM())
		}
	}
}

// A converter that would give more power than it takes, at a point or on a line between
// two, is refused; so are an engine and oil that are too strong for the tick.
func TestPartsThatWouldGivePowerAreRefused(t *testing.T) {
	for _, tt := range []struct {
		change func(*driveline.Params)
		want   string
	}{
		{func(d *driveline.Params) { // 3 · 0.6 on the line from 5 at 0.2 to 1 at 1
			d.Converter.Points = []driveline.ConverterPoint{{SpeedRatio: 0, Capacity: 4e-3, TorqueRatio: 5}, {SpeedRatio: 0.2, Capacity: 4e-3, TorqueRatio: 5}, {SpeedRatio: 1, Capacity: 0, TorqueRatio: 1}}
		}, "driveline.converter.points[2].torque_ratio = 1: at speed_ratio 0.60, on the line from the point before, it gives 1.80 times"},
		{func(d *driveline.Params) {
			d.EngineInertia, d.TorqueCurve = 0.01, []driveline.TorquePoint{{RPM: 1000, Torque: 1000}}
		}, "driveline.engine_inertia_kgm2 = 0.01: too light for 1000 N·m at steps of 1 ms: raise it to 0.011"},
		{func(d *driveline.Params) { d.SpinLoss = 500 }, "driveline.spin_loss_nm = 500: too much for what turns there, 0.12 kg·m², at steps of 1 ms: lower it to 120"},
	} {
		p := boxed("automatic")
		tt.change(&p.Driveline)
		if _, err := New(p, road.Asphalt(), Dt); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}
