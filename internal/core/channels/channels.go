// Package channels lists the quantities of a car and of a whole drive that can be recorded, exported or shown, with
// names, units and meanings, and reads their values.
//
// Its input is a Point: a car after a step, or a drive after a tick. Reading a value allocates nothing, so that the
// loop may do it. Names are lower case and have no unit; units are those of SI, but °C for temperatures and L for
// fuel. Axes and signs are those of ISO 8855: x forward, y to the left, z up. A value that is not known is NaN.
package channels

import (
	"math"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
)

// Point is what channels are read from: a car after a step.
type Point struct {
	Car   *sim.Car
	State *sim.State
	Input *sim.Input // input of the step
	Tick  *Tick      // nil if only a car was simulated
}

// Tick is a drive after a tick.
type Tick struct {
	In     *drive.Inputs
	State  *drive.State
	Out    *drive.Outputs
	Setup  *drive.Setup
	Timing *lap.Timing // gives lap_delta, which is NaN if this is nil
}

// OfDrive returns the point of a drive, which is valid after every tick. in must hold the inputs of each tick, and
// out its outputs.
func OfDrive(d *drive.Drive, in *drive.Inputs, out *drive.Outputs) *Point {
	return &Point{Car: d.Setup.Car, State: &d.State.Car, Input: &d.State.Input,
		Tick: &Tick{In: in, State: &d.State, Out: out, Setup: &d.Setup, Timing: d.Timing()}}
}

// Channel is one quantity.
type Channel struct {
	Name     string // such as speed or wheel_fl_load
	Unit     string // symbol such as m/s or N·m; "" for a number without a unit
	Group    string // one of Groups
	About    string // what it is, with its sign
	MoTeC    string // name that MoTeC's own loggers use, such as "Ground Speed"; "" if there is none
	Decimals int    // decimals worth showing

	value     func(p *Point) float64
	needsTick bool
}

// NeedsTick reports whether the channel needs Point.Tick.
func (c *Channel) NeedsTick() bool { return c.needsTick }

// Value returns the channel's value. It is NaN if the channel needs a tick and p has none.
func (c *Channel) Value(p *Point) float64 {
	if c.needsTick && p.Tick == nil {
		return math.NaN()
	}
	return c.value(p)
}

// All returns all channels in their fixed order, group by group.
func All() []Channel {
	var all []Channel
	for _, part := range [][]Channel{
		chassisChannels(), inputChannels(), cockpitChannels(), wheelChannels(), barChannels(), aeroChannels(),
		drivelineChannels(), energyChannels(), assistChannels(), steeringChannels(),
		forceChannels(), platformChannels(), lapChannels(), safetyChannels(), loopChannels(),
	} {
		all = append(all, part...)
	}
	return all
}

// Groups returns the names of the groups in the order of All.
func Groups() (groups []string) {
	for _, c := range All() {
		if n := len(groups); n == 0 || groups[n-1] != c.Group {
			groups = append(groups, c.Group)
		}
	}
	return groups
}

// row is a line of a table of channels.
type row struct {
	name, unit string
	decimals   int
	motec      string
	about      string
	value      func(p *Point) float64
}

// ofCar returns channels that need a car alone.
func ofCar(group string, rows ...row) []Channel {
	list := make([]Channel, len(rows))
	for i, r := range rows {
		list[i] = Channel{Name: r.name, Unit: r.unit, Group: group, About: r.about, MoTeC: r.motec, Decimals: r.decimals, value: r.value}
	}
	return list
}

// ofDrive returns channels that need a whole tick.
func ofDrive(group string, rows ...row) []Channel {
	list := ofCar(group, rows...)
	for i := range list {
		list[i].needsTick = true
	}
	return list
}

// bit returns 1 if on, otherwise 0.
func bit(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
