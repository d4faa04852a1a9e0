package testrun_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/test/level"
)

// Of every car on tires with aligning torque the steering goes light before its front
// axle has no more grip to give.
func TestSteeringTorqueFallsBeforeTheFrontSlides(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range config.Cars() {
		f := figuresOf(t, "steer-torque", name)
		t.Logf("%-13s parked %5.1f N·m; %5.1f N·m at %5.1f° (slip %4.1f°), the force's peak at %5.1f° (%4.1f°): ratio %.2f (%.2f), %.0f %% left",
			name, f["parking_torque_nm"], f["peak_torque_nm"], f["torque_peak_wheel_deg"], f["torque_peak_slip_deg"],
			f["force_peak_wheel_deg"], f["force_peak_slip_deg"], f["wheel_angle_ratio"], f["slip_angle_ratio"], f["torque_left_pct"])
		switch name {
		case "raycast", "wheelcollider": // their tires have none
			if f["slip_angle_ratio"] != 0 || f["torque_left_pct"] < 95 {
				t.Errorf("%s warns by a ratio of %.2f", name, f["slip_angle_ratio"])
			}
		case "reference": // it rolls over first
			if f["rolled_over"] != 1 {
				t.Errorf("%s stays on its wheels", name)
			}
		default:
			if r := f["wheel_angle_ratio"]; !(r > 0.2 && r < 0.75) {
				t.Errorf("%s: ratio of the steering wheel angles %.2f", name, r)
			}
			if r := f["slip_angle_ratio"]; !(r > 0.25 && r < 0.6) || f["torque_left_pct"] > 80 {
				t.Errorf("%s: ratio of the slip angles %.2f, %.0f %% of the torque left", name, r, f["torque_left_pct"])
			}
		}
	}
}

// Cars with power assist park with 2 to 6 N·m, as drivers of such cars know them, and take several times that without
// it. On centre, measured as ISO 13674-1 does, their torque grows by 10 to 30 N·m/g and friction keeps 0.5 to 2.5 N·m:
// these limits are estimates for the class.
func TestSteeringFeelsAsInRealCars(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range []string{"coupe", "hatch", "gt", "pickup"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := maneuver.Options{Dt: coarse()}
			with := figuresOf(t, "steer-torque", name)["parking_torque_nm"]
			without := figures(t, "steer-torque", loaded(t, name, "steering.assist.enabled=false"), o)["parking_torque_nm"]
			inside(t, "parking torque [N·m]", with, [2]float64{2, 6})
			inside(t, "share of it that the driver holds", with/without, [2]float64{0.05, 0.3})
			weave := figuresOf(t, "weave", name)
			inside(t, "torque at 0 g [N·m]", weave["torque_0g_nm"], [2]float64{0.5, 2.5})
			inside(t, "torque gradient at 0 g [N·m/g]", weave["torque_gradient_0g_nm_per_g"], [2]float64{10, 30})
			inside(t, "lateral acceleration without torque [g]", weave["ay_0nm_g"], [2]float64{0.02, 0.1})
			inside(t, "sensitivity [g/100°]", weave["sensitivity_g_per_100deg"], [2]float64{1, 3.5})
		})
	}
}

// inclined is a plane that rises along the world's x.
type inclined struct {
	road.Flat
	normal r3.Vec
}

// Touch returns the plane below p.
func (g inclined) Touch(p r3.Vec) road.Contact {
	c := g.Flat.Touch(p)
	above := r3.Dot(p, g.normal)
	c.Point, c.Normal, c.Depth = r3.Sub(p, r3.Scale(above, g.normal)), g.normal, -above
	return c
}

// turned turns the steering wheel slowly from lock to lock at a speed [m/s], 0 with the
// brakes on, and returns the column's torque of one time round, a row a tick.
func turned(c *sim.Car, speed float64) []float64 {
	const settles, period = 2000, 1 << 14
	p := c.Params()
	lock := p.Steering.Ratio * p.Steering.MaxSteer * degree
	s := c.Rest(r3.Vec{}, 0)
	var torque []float64
	push := 0.0
	for tick := range settles + period/2 + period {
		in := sim.Input{}
		if tick > settles {
			in.Steer = lock * math.Sin(2*math.Pi*float64(tick-settles)/period)
		}
		if speed == 0 {
			in.Brake = 1
		} else {
			late := p.Mass * (speed*min(float64(tick)/settles, 1) - s.Speed)
			push += late / 5
			in.PushForce = push + 5*late
		}
		if c.Step(&s, in); tick >= settles+period/2 {
			torque = append(torque, s.ColumnTorque)
		}
	}
	return torque
}

// above returns the greatest line of a spectrum from 5 Hz on, the largest value of
// their sum, and the largest value of all. A straight-line drift over the rows is removed first.
func above(rows []float64) (line, together, largest float64) {
	n := len(rows)
	for _, v := range rows {
		largest = max(largest, math.Abs(v))
	}
	drift := (rows[n-1] - rows[0]) / float64(n-1)
	level := make([]float64, n)
	for i := range rows {
		level[i] = rows[i] - drift*float64(i)
	}
	f := fourier.NewFFT(n)
	c := f.Coefficients(nil, level)
	for k := range c {
		if f.Freq(k)/sim.Dt < 5 {
			c[k] = 0
		}
		line = max(line, 2*cmplx.Abs(c[k])/float64(n))
	}
	for _, v := range f.Sequence(nil, c) {
		together = max(together, math.Abs(v)/float64(n))
	}
	return line, together, largest
}

// Turning the wheel of a car that stands or walks takes a smooth torque: the contact's
// twist neither grips nor lets go in turns, on the level, uphill, downhill and backward.
func TestSteeringAtWalkingPaceDoesNotOscillate(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, name := range config.Cars() {
		both := name == "coupe" || name == "gt" // unless all tests run, the others only stand on the level
		for _, slope := range []float64{0, 8} {
			g := inclined{road.Asphalt(), r3.Vec{X: -math.Sin(slope * degree), Z: math.Cos(slope * degree)}}
			shipped := built(t, g, name)
			// The assist's curve and the rack's friction bend a smooth torque by themselves.
			c := built(t, g, name, "steering.assist.enabled=false", "steering.rack_friction_n=0")
			for _, speed := range []float64{0, 0.1, 0.5, 1, 2, -0.5} {
				if !level.All() && (slope != 0 && !both || speed != 0 && (name != "coupe" || math.Abs(speed) == 0.5 || speed == 2)) {
					continue // standing will do
				}
				if slope == 0 || speed == 0 {
					smooth(t, name, slope, speed, turned(c, speed))
					if !level.All() && !both {
						continue // its assist and its friction alone differ
					}
					if line, _, largest := above(turned(shipped, speed)); !(line < 0.005*largest) {
						t.Errorf("%s as it is, %g° at %g m/s: %.2f %% of its peak in a line from 5 Hz on", name, slope, speed, 100*line/largest)
					}
				}
			}
		}
	}
}

// smooth reports a torque that holds more than 0.5 % of its peak in a line from 5 Hz on, or more than 2 % together.
// Tires that stand are springs with dry friction, whose torque has a corner where they begin to slide: 5 % together.
// Dry friction alone takes hold at once, as the raycast car's, and wheels that stand at 60°, as the reference's, stop
// and start: theirs are single steps.
func smooth(t *testing.T, name string, slope, speed float64, rows []float64) {
	t.Helper()
	line, together, largest := above(rows)
	what := fmt.Sprintf("%s, %g° at %g m/s: peak %.2f N·m, from 5 Hz on %.2f %% in a line, %.2f %% together",
		name, slope, speed, largest, 100*line/largest, 100*together/largest)
	t.Log(what)
	steps := name == "raycast" || name == "reference"
	limit := 0.02
	if speed == 0 {
		limit = 0.05
	}
	if !(line < 0.005*largest) || !steps && !(together < limit*largest) {
		t.Error(what)
	}
}
