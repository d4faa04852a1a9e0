package testrun

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

// inputColumns returns the columns that a file of inputs may have.
func inputColumns() []string {
	return []string{timeColumn, "steer_wheel_rad", "steer_road_rad", "throttle", "brake", "gear", "clutch", "handbrake", "speed_mps", "ax_mps2"}
}

// ReadInputs reads the inputs of an open-loop run, for a car with a number of gears. The path "-" reads
// stdin. Its errors are *config.Problem.
func ReadInputs(path string, stdin io.Reader, gears int) ([]maneuver.Input, error) {
	check := func(column string, v float64) string { return inputProblem(column, v, gears) }
	t, err := readFile(path, stdin, tableFormat{known: inputColumns(), strict: true, problem: check})
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

// maxDuration is the longest duration of inputs [s].
const maxDuration = 3600

// checkInputs returns an error for columns that exclude each other, and for too few rows or too long
// inputs.
func (t *table) checkInputs() error {
	has := func(column string) bool { return t.columnIndex(column) >= 0 }
	pedal := slices.IndexFunc(t.header, func(c string) bool {
		return slices.Contains([]string{"throttle", "brake", "gear", "clutch", "handbrake"}, c)
	})
	at, text := 1, ""
	first, last := t.value(t.rows[0], timeColumn), t.value(t.rows[len(t.rows)-1], timeColumn)
	switch {
	case has("steer_wheel_rad") && has("steer_road_rad"):
		text = "steer_wheel_rad and steer_road_rad exclude each other; remove one"
	case !has("steer_wheel_rad") && !has("steer_road_rad"):
		text = "no steering column; add steer_wheel_rad or steer_road_rad, with zeros to drive straight ahead"
	case has("speed_mps") && has("ax_mps2"):
		text = "speed_mps and ax_mps2 exclude each other; remove one"
	case pedal >= 0 && (has("speed_mps") || has("ax_mps2")):
		text = "speed_mps and ax_mps2 are held without pedals and gears; remove the column " + t.header[pedal]
	case len(t.rows) < 2:
		at, text = t.lines[0], "only one row; give two or more"
	case last-first > maxDuration:
		at, text = t.lines[len(t.lines)-1], fmt.Sprintf("the inputs take %g s: must be at most %d s; t_s is in seconds", last-first, maxDuration)
	default:
		return nil
	}
	return &config.Problem{File: t.name, Line: at, Column: 1, Text: text}
}

// inputProblem returns what is wrong with a value of a column of inputs, "" if nothing is. gears is the
// number of the car's forward gears.
func inputProblem(column string, v float64, gears int) string {
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
			return fmt.Sprintf("%g: gears must be -1 for reverse, 0 for neutral, 1 and up", v)
		}
	case "speed_mps":
		low, high = 0, 500/3.6
	case "ax_mps2":
		low, high = -50, 50
	}
	if v >= low && v <= high {
		return ""
	}
	return fmt.Sprintf("%g: must be %g to %g", v, low, high)
}

// Reference is a trajectory with which a run is compared.
type Reference struct {
	Name    string      // name of the file
	Rows    []trial.Row // NaN for missing values
	Columns []string    // columns of the file, without the time
	Ignored []string    // columns of the file that a recording does not have
}

// ReadReference reads a trajectory: the time and any of a recording's columns. The path "-" reads stdin.
// Its errors are *config.Problem.
func ReadReference(path string, stdin io.Reader) (*Reference, error) {
	known := trial.Columns()
	t, err := readFile(path, stdin, tableFormat{known: known, problem: referenceProblem})
	if err != nil {
		return nil, err
	}
	r := &Reference{Name: t.name, Ignored: t.ignored}
	for _, name := range known {
		if name != timeColumn && t.columnIndex(name) >= 0 {
			r.Columns = append(r.Columns, name)
		}
	}
	if len(r.Columns) == 0 {
		return nil, &config.Problem{File: t.name, Line: 1, Column: 1, Text: "nothing to compare; besides t_s, add at least one of " + strings.Join(known[1:], ", ")}
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

// has reports whether the reference has a column.
func (r *Reference) has(column string) bool { return slices.Contains(r.Columns, column) }

// rowFrom returns the row whose Values are v: the inverse of Row.Values.
func rowFrom(v []float64) trial.Row {
	return trial.Row{
		T: v[0], X: v[1], Y: v[2], Z: v[3], Vx: v[4], Vy: v[5], YawRate: v[6], Roll: v[7], Pitch: v[8],
		Ax: v[9], Ay: v[10], Steer: v[11], Beta: v[12], Fz: [4]float64(v[13:17]), RackForce: v[17], ColumnTorque: v[18],
		Engine: v[19], Gear: v[20], Throttle: v[21], Brake: v[22], Clutch: v[23],
	}
}

// readFile reads the table of a file, or of stdin for "-".
func readFile(path string, stdin io.Reader, f tableFormat) (table, error) {
	if path == "-" {
		return readTable("stdin", userfile.LimitReader(stdin, maxBytes), f)
	}
	file, _, err := userfile.Stream(path, maxBytes)
	if err != nil {
		return table{}, readError(path, err)
	}
	defer file.Close()
	return readTable(path, file, f)
}

// referenceProblem returns what is wrong with a value of a trajectory, "" if nothing is. Values must be
// within ±1e9, so that no difference overflows.
func referenceProblem(_ string, v float64) string {
	const limit = 1e9
	if math.Abs(v) <= limit {
		return ""
	}
	return fmt.Sprintf("%g: must be %g to %g", v, -limit, limit)
}
