package testrun

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/source"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// inputColumns are what a file of inputs may hold.
func inputColumns() []string {
	return []string{timeColumn, "steer_wheel_rad", "steer_road_rad", "throttle", "brake", "gear", "clutch", "handbrake", "speed_mps", "ax_mps2"}
}

// ReadInputs reads what an open-loop run of a car with so many gears is driven by;
// "-" is stdin. Its faults are *config.Problem.
func ReadInputs(path string, stdin io.Reader, gears int) ([]maneuver.Input, error) {
	check := func(column string, v float64) string { return checkInput(column, v, gears) }
	t, err := open(path, stdin, form{known: inputColumns(), strict: true, check: check})
	if err != nil {
		return nil, err
	}
	if err := t.checkInputs(); err != nil {
		return nil, err
	}
	list := make([]maneuver.Input, len(t.rows))
	for i, row := range t.rows {
		at := func(column string) float64 { return t.value(row, column) }
		list[i] = maneuver.Input{
			T: at(timeColumn), SteerWheel: at("steer_wheel_rad"), SteerRoad: at("steer_road_rad"),
			Throttle: at("throttle"), Brake: at("brake"), Gear: at("gear"), Clutch: at("clutch"), Handbrake: at("handbrake"),
			Speed: at("speed_mps"), Ax: at("ax_mps2"),
		}
	}
	return list, nil
}

// longest is how long inputs may take [s].
const longest = 3600

// checkInputs refuses columns that have no meaning together, and too little or
// too much to drive.
func (t *table) checkInputs() error {
	has := func(column string) bool { return t.column(column) >= 0 }
	pedal := slices.IndexFunc(t.header, func(c string) bool {
		return slices.Contains([]string{"throttle", "brake", "gear", "clutch", "handbrake"}, c)
	})
	at, text := 1, ""
	first, last := t.value(t.rows[0], timeColumn), t.value(t.rows[len(t.rows)-1], timeColumn)
	switch {
	case has("steer_wheel_rad") && has("steer_road_rad"):
		text = "steer_wheel_rad and steer_road_rad are both there; keep the one that is to be driven"
	case !has("steer_wheel_rad") && !has("steer_road_rad"):
		text = "no column steers; give steer_wheel_rad or steer_road_rad, of zeros to drive straight on"
	case has("speed_mps") && has("ax_mps2"):
		text = "speed_mps and ax_mps2 are both there; keep the one that is to be held"
	case pedal >= 0 && (has("speed_mps") || has("ax_mps2")):
		text = "speed_mps and ax_mps2 are held without pedals and gears; leave the column " + t.header[pedal] + " out"
	case len(t.rows) < 2:
		at, text = t.lines[0], "a single line lasts no time; give two or more"
	case last-first > longest:
		at, text = t.lines[len(t.lines)-1], fmt.Sprintf("the inputs take %g s: allowed is up to %d s; t_s is in seconds", last-first, longest)
	default:
		return nil
	}
	return &config.Problem{File: t.name, Line: at, Column: 1, Text: text}
}

// checkInput says what is wrong with an input, or nothing.
func checkInput(column string, v float64, gears int) string {
	low, high := -1e9, 1e9
	switch column {
	case "throttle", "brake", "clutch", "handbrake":
		low, high = 0, 1
	case "steer_wheel_rad":
		low, high = -100, 100
	case "steer_road_rad":
		low, high = -1.5, 1.5
	case "gear":
		if low, high = -1, float64(gears); v != math.Trunc(v) {
			return fmt.Sprintf("%g is no gear; give -1 for reverse, 0 for neutral, 1 and up", v)
		}
	case "speed_mps":
		low, high = 0, 500/3.6
	case "ax_mps2":
		low, high = -50, 50
	}
	if v >= low && v <= high {
		return ""
	}
	return fmt.Sprintf("%g: allowed is %g to %g", v, low, high)
}

// Reference is a trajectory that a run is compared with.
type Reference struct {
	Name    string      // of its file
	Rows    []trial.Row // NaN where there is no value
	Columns []string    // that it has, without the time
	Ignored []string    // other columns of the file
}

// ReadReference reads a trajectory; "-" is stdin. It has the time and any of a
// recording's columns. Its faults are *config.Problem.
func ReadReference(path string, stdin io.Reader) (*Reference, error) {
	known := trial.Columns()
	t, err := open(path, stdin, form{known: known, check: checkReference})
	if err != nil {
		return nil, err
	}
	r := &Reference{Name: t.name, Ignored: t.ignored}
	for _, name := range known {
		if name != timeColumn && t.column(name) >= 0 {
			r.Columns = append(r.Columns, name)
		}
	}
	if len(r.Columns) == 0 {
		return nil, &config.Problem{File: t.name, Line: 1, Column: 1, Text: "nothing to compare; beside t_s give at least one of " + strings.Join(known[1:], ", ")}
	}
	for _, row := range t.rows {
		values := make([]float64, len(known))
		for i, name := range known {
			values[i] = t.value(row, name)
		}
		r.Rows = append(r.Rows, rowFrom(values))
	}
	return r, nil
}

// has tells whether the reference has a column.
func (r *Reference) has(column string) bool { return slices.Contains(r.Columns, column) }

// rowFrom is the inverse of Row.Values.
func rowFrom(v []float64) trial.Row {
	return trial.Row{
		T: v[0], X: v[1], Y: v[2], Z: v[3], Vx: v[4], Vy: v[5], YawRate: v[6], Roll: v[7], Pitch: v[8],
		Ax: v[9], Ay: v[10], Steer: v[11], Beta: v[12], Fz: [4]float64(v[13:17]), RackForce: v[17], ColumnTorque: v[18],
		Engine: v[19], Gear: v[20], Throttle: v[21], Brake: v[22], Clutch: v[23],
	}
}

func open(path string, stdin io.Reader, f form) (table, error) {
	if path == "-" {
		return readTable("stdin", source.Limit(stdin, mostBytes), f)
	}
	file, _, err := source.Stream(path, mostBytes)
	if err != nil {
		return table{}, unreadable(path, err)
	}
	defer file.Close()
	return readTable(path, file, f)
}

// checkReference says what is wrong with a value of a trajectory, or nothing: with much
// greater ones no difference is a number.
func checkReference(_ string, v float64) string {
	const most = 1e9
	if math.Abs(v) <= most {
		return ""
	}
	return fmt.Sprintf("%g: allowed is %g to %g", v, -most, most)
}
