package maneuver

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// dry is a car on wheels whose friction is the same at any slip, without air and rolling
// resistance, and with brakes that lock every wheel.
func dry() sim.Params {
	p := sim.DefaultCar()
	p.DragArea = 0
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Tire.Model = "coulomb"
		a.Tire.Coulomb.RollingResistance = 0
	}
	p.Brakes.Torque = 20e3
	return p
}

// The pedal takes a tenth of a second, in which the car goes on as it was for about the
// part until the wheels lock.
func TestLockedWheelsOfDryFrictionStopByTheClosedForm(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := do(t, "brake", dry(), Options{Dt: 2e-3})
	want := (100 / 3.6) * (100 / 3.6) / (2 * 9.80665)
	near.Value(t, "peak friction", figure(t, r, "peak_mu"), 1, 0.005)
	near.Value(t, "ideal way", figure(t, r, "ideal_m"), want, 0.005*want)
	near.Value(t, "way of locked wheels", figure(t, r, "brake_100_0_no_abs_m"), want+0.04*100/3.6, 0.03*want)
	near.Value(t, "deceleration of locked wheels", figure(t, r, "mean_decel_no_abs_mps2"), 9.80665, 0.1)
	near.Value(t, "speed", figure(t, r, "from_kph"), 100, 1e-9)
	if foot, locked := figure(t, r, "brake_100_0_threshold_m"), figure(t, r, "brake_100_0_no_abs_m"); foot > locked {
		t.Errorf("a practised foot takes %.2f m, any foot %.2f m", foot, locked)
	}
}

func TestStoppingDistanceGrowsWithTheSquareOfTheSpeed(t *testing.T) {
	level.SkipIfQuick(t)
	tr, err := newRun(dry(), road.Asphalt(), Options{Dt: 2e-3, Rate: 100})
	if err != nil {
		t.Fatal(err)
	}
	short, long := tr.stop(60*kph, fullPedal(0)), tr.stop(120*kph, fullPedal(0))
	near.Value(t, "120 over 60 km/h", long.distance/short.distance, 4, 0.12)
	r := do(t, "brake", dry(), Options{Speed: 60 * kph, Dt: 2e-3})
	near.Value(t, "the same by its name", figure(t, r, "brake_60_0_no_abs_m"), short.distance, 1e-9)
}

func TestThresholdBrakingIsNotLongerThanLockedWheels(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := do(t, "brake", sim.DefaultCar(), Options{Dt: 2e-3})
	ideal, foot, locked := figure(t, r, "ideal_m"), figure(t, r, "brake_100_0_threshold_m"), figure(t, r, "brake_100_0_no_abs_m")
	if !(ideal < foot && foot <= locked) {
		t.Errorf("ideal %.2f m, a practised foot %.2f m, locked %.2f m", ideal, foot, locked)
	}
	if largest, mean := figure(t, r, "max_decel_mps2"), figure(t, r, "mean_decel_mps2"); largest < mean {
		t.Errorf("mean deceleration %.2f, largest %.2f", mean, largest)
	}
}

func TestSplitRoadHasLessGripOnTheLeft(t *testing.T) {
	g := newSplitRoad(0.3)
	for _, tt := range []struct {
		y, grip float64
	}{{1, 0.3}, {0.01, 0.3}, {-0.01, 1}, {-1, 1}} {
		c := g.Touch(r3.Vec{Y: tt.y, Z: -0.1})
		near.Value(t, fmt.Sprintf("grip at %g m", tt.y), c.Surface.Grip, tt.grip, 0)
		near.Value(t, "depth", c.Depth, 0.1, 1e-12)
	}
}

// A constant deceleration of 8 m/s² from 20 m/s.
func TestMeanDecelerationOfAnEvenStop(t *testing.T) {
	var rows []trial.Row
	for i := range 501 {
		now := float64(i) / 200
		rows = append(rows, trial.Row{T: now, X: 20*now - 4*now*now, Vx: 20 - 8*now, Ax: -8})
	}
	near.Value(t, "by way", meanFullyDevelopedDecel(rows, 20), 8, 1e-3)
	near.Value(t, "largest", -minMeanAx(rows), 8, 1e-9)
	if !math.IsNaN(meanFullyDevelopedDecel(rows[:100], 20)) {
		t.Error("a stop that never ended has a mean")
	}
}

func TestIdealStoppingDistanceShrinksWithDragAndDownforce(t *testing.T) {
	for _, tt := range []struct {
		name string
		g    gripEstimate
		want float64 // from 30 m/s
	}{
		{"none", gripEstimate{mu: 1, g: 9.80665}, 900 / (2 * 9.80665)},
		{"hardly any", gripEstimate{mu: 1, g: 9.80665, drag: 1e-12}, 900 / (2 * 9.80665)},
		// ln(1+0.001·900)/(2·0.001·g): a quarter shorter.
		{"as much downforce as nine tenths of the weight", gripEstimate{mu: 1, g: 9.80665, downforce: 0.001}, 32.725},
		{"the same by drag", gripEstimate{mu: 1, g: 9.80665, drag: 0.00980665}, 32.725},
	} {
		t.Run(tt.name, func(t *testing.T) { near.Value(t, "way", tt.g.stopDistance(30), tt.want, 0.01) })
	}
}
