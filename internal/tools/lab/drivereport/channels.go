package drivereport

import (
	"math"
	"strconv"
)

// Names of the channels that have a meaning of their own here.
const (
	speed    = "speed"
	station  = "station"
	posX     = "position_x"
	posY     = "position_y"
	accelX   = "longitudinal_acceleration"
	accelY   = "lateral_acceleration"
	torque   = "rim_torque"
	asked    = "rim_torque_requested"
	lateness = "lateness"

	// Made here, not read from the log.
	clipped    = "clipped"    // 1 while less torque is sent than requested, otherwise 0
	difference = "difference" // time that the compared lap has lost [s]; computed in the page
)

// plot is a plot of channels over time or distance, with one vertical axis.
type plot struct {
	ID    string
	Title string
	Unit  string // in which the log's SI values are shown
	Note  string
	Lines []line
	Range []float64 // limits of the vertical axis, otherwise those of the values
	Steps bool      // values jump
	Shade string    // channel that shades the plot where it is not 0
	Low   bool      // a low plot is enough

	Sparse bool // a line that is always 0 is left out: an axis that a platform does not have
}

// line is a channel in a plot. Lines with the same label share an entry in the legend.
type line struct {
	Channel string
	Label   string
	Broad   bool // a broad pale line, behind the others: what was requested
	Color   int  // number in the palette
}

// plots has every plot over time in the order of the page, with the names of its channels. All but posX, posY and
// station are named here.
var plots = []plot{
	{ID: "speed", Title: "Speed", Unit: "km/h", Lines: lines(speed, "")},
	{ID: "difference", Title: "Time difference, B − A", Unit: "s", Note: "B loses time where it rises", Lines: lines(difference, "")},
	{ID: "pedals", Title: "Pedals", Unit: "%", Range: []float64{0, 100}, Lines: []line{
		{Channel: "throttle", Label: "throttle", Color: 2}, {Channel: "brake", Label: "brake", Color: 1}, {Channel: "clutch", Label: "clutch"}}},
	{ID: "steering", Title: "Steering angle, + left", Unit: "°", Lines: lines("steering_wheel_angle", "")},
	{ID: "gear", Title: "Gear", Steps: true, Low: true, Lines: lines("gear", "")},
	{ID: "engine", Title: "Engine speed", Unit: "rpm", Lines: lines("engine_speed", "")},
	{ID: "accelerations", Title: "Acceleration", Unit: "g", Lines: lines(accelX, "forward", accelY, "left")},
	{ID: "yaw", Title: "Yaw rate, + left", Unit: "°/s", Low: true, Lines: lines("yaw_rate", "")},
	{ID: "torque", Title: "Rim torque, + left", Unit: "N·m", Shade: clipped, Note: "shaded: clipped", Lines: []line{
		{Channel: asked, Label: "requested", Broad: true, Color: 1}, {Channel: torque, Label: "sent"}}},
	{ID: "travel", Title: "Suspension travel", Unit: "mm", Lines: wheels("travel")},
	{ID: "load", Title: "Wheel load", Unit: "kN", Lines: wheels("load")},
	{ID: "slip-ratio", Title: "Slip ratio", Unit: "%", Lines: wheels("slip_ratio")},
	{ID: "slip-angle", Title: "Slip angle", Unit: "°", Lines: wheels("slip_angle")},
	{ID: "platform-position", Title: "Platform position", Sparse: true, Note: measured, Unit: "mm", Lines: platform("surge", "sway", "heave")},
	{ID: "platform-angle", Title: "Platform angle", Sparse: true, Note: measured, Unit: "°", Lines: platform("roll", "pitch", "yaw")},
	{ID: "actuators", Title: "Actuators, of the stroke", Sparse: true, Note: measured, Unit: "%", Lines: actuators(8)},
	{ID: "lateness", Title: "Loop lateness", Unit: "µs", Low: true, Lines: lines(lateness, "")},
}

// pairs lists the channels whose values are read together, sample by sample.
var pairs = []string{station, posX, posY, accelX, accelY}

// lines returns lines for pairs of a channel's name and label.
func lines(names ...string) (list []line) {
	for i := 0; i < len(names); i += 2 {
		list = append(list, line{Channel: names[i], Label: names[i+1], Color: i / 2})
	}
	return list
}

func wheels(quantity string) []line {
	name := func(wheel string) string { return "wheel_" + wheel + "_" + quantity }
	return lines(name("fl"), "front left", name("fr"), "front right", name("rl"), "rear left", name("rr"), "rear right")
}

const measured = "broad: demand, thin: measured"

// platform returns the lines of the platform's axes.
func platform(axes ...string) (list []line) {
	for i, axis := range axes {
		list = append(list, line{"platform_" + axis, axis, true, i}, line{"platform_measured_" + axis, axis, false, i})
	}
	return list
}

func actuators(n int) (list []line) {
	for i := range n {
		number := strconv.Itoa(i + 1)
		list = append(list, line{"actuator_" + number + "_target", number, true, i}, line{"actuator_" + number + "_feedback", number, false, i})
	}
	return list
}

// factors has the factor from one unit to another.
var factors = map[[2]string]float64{
	{"m/s", "km/h"}:  3.6,
	{"rad", "°"}:     180 / math.Pi,
	{"rad/s", "°/s"}: 180 / math.Pi,
	{"rad/s", "rpm"}: 30 / math.Pi,
	{"m/s²", "g"}:    1 / 9.80665,
	{"m", "mm"}:      1000,
	{"N", "kN"}:      0.001,
	{"s", "µs"}:      1e6,
	{"", "%"}:        100,
}

// shown returns the unit in which a channel of a unit is shown, and the factor to it. It is the channel's own unit
// if there is no factor to the wanted one.
func shown(unit, wanted string) (string, float64) {
	if f, ok := factors[[2]string{unit, wanted}]; ok {
		return wanted, f
	}
	return unit, 1
}

// Channels returns the names of the channels that a report draws.
func Channels() (names []string) {
	names = append(names, station, posX, posY)
	for i := range plots {
		for _, l := range plots[i].Lines {
			if l.Channel != difference {
				names = append(names, l.Channel)
			}
		}
	}
	return names
}
