package maneuver

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/trial"
)

// signal selects one value of a recorded row, such as the yaw rate.
type signal func(r *trial.Row) float64

// The signals that several manoeuvres look at.
func timeOf(r *trial.Row) float64    { return r.T }       // [s]
func xOf(r *trial.Row) float64       { return r.X }       // [m]
func yOf(r *trial.Row) float64       { return r.Y }       // [m]
func vxOf(r *trial.Row) float64      { return r.Vx }      // [m/s]
func axOf(r *trial.Row) float64      { return r.Ax }      // [m/s²]
func ayOf(r *trial.Row) float64      { return r.Ay }      // lateral acceleration [m/s²]
func yawRateOf(r *trial.Row) float64 { return r.YawRate } // [rad/s]
func rollOf(r *trial.Row) float64    { return r.Roll }    // [rad]
func betaOf(r *trial.Row) float64    { return r.Beta }    // sideslip angle [rad]
func steerOf(r *trial.Row) float64   { return r.Steer }   // mean angle of the front road wheels [rad]

// rowsBetween returns the rows between two times [s].
func rowsBetween(rows []trial.Row, from, to float64) []trial.Row {
	const slack = 1e-9
	for len(rows) > 0 && rows[0].T < from-slack {
		rows = rows[1:]
	}
	for len(rows) > 0 && rows[len(rows)-1].T > to+slack {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// mean returns the mean of a signal, NaN without rows.
func mean(rows []trial.Row, f signal) float64 { return stat.Mean(values(rows, f), nil) }

// values returns a signal of all rows.
func values(rows []trial.Row, f signal) []float64 {
	v := make([]float64, len(rows))
	for i := range rows {
		v[i] = f(&rows[i])
	}
	return v
}

// peak returns the largest value of a signal and its time, NaN without rows.
func peak(rows []trial.Row, f signal) (value, at float64) {
	value, at = math.NaN(), math.NaN()
	for i := range rows {
		if v := f(&rows[i]); !(v <= value) {
			value, at = v, rows[i].T
		}
	}
	return value, at
}

// maxAbs returns the largest absolute value of a signal, NaN without rows.
func maxAbs(rows []trial.Row, f signal) float64 {
	value, _ := peak(rows, func(q *trial.Row) float64 { return math.Abs(f(q)) })
	return value
}

// firstTime returns when a signal first reaches a level, interpolated linearly between rows; NaN if it
// never does.
func firstTime(rows []trial.Row, f signal, level float64) float64 {
	for i := range rows {
		v := f(&rows[i])
		if v < level {
			continue
		}
		if i == 0 {
			return rows[0].T
		}
		previous := f(&rows[i-1])
		return rows[i-1].T + (rows[i].T-rows[i-1].T)*(level-previous)/(v-previous)
	}
	return math.NaN()
}

// valueAt returns a signal at a time [s], interpolated linearly between rows; NaN outside of them.
func valueAt(rows []trial.Row, f signal, when float64) float64 {
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		if when >= a.T && when <= b.T {
			return f(a) + (f(b)-f(a))*(when-a.T)/(b.T-a.T)
		}
	}
	return math.NaN()
}

// gradient returns the slope of y over x by least squares, from the rows whose x is between low and
// high; NaN with less than three rows.
func gradient(rows []trial.Row, y, x signal, low, high float64) float64 {
	var xs, ys []float64
	for i := range rows {
		if v := x(&rows[i]); v >= low && v <= high {
			xs, ys = append(xs, v), append(ys, y(&rows[i]))
		}
	}
	if len(xs) < 3 {
		return math.NaN()
	}
	_, slope := stat.LinearRegression(xs, ys, nil, false)
	return slope
}

// add appends a metric, or a note if the value is NaN or Inf because the run did not get that far.
func (r *Result) add(name string, value float64, unit, text string) {
	if !valid.Finite(value) {
		r.Notes = append(r.Notes, name+": not reached in this run")
		return
	}
	r.Metrics = append(r.Metrics, Metric{name, value, unit, text})
}

// addVerdict appends a metric that is true or false.
func (r *Result) addVerdict(name string, value bool, text string) {
	r.Metrics = append(r.Metrics, Metric{name, value, "", text})
}

// line returns one signal over another as a line of a plot, both scaled.
func line(name string, rows []trial.Row, x signal, byX float64, y signal, byY float64) Series {
	s := Series{Name: name, X: values(rows, x), Y: values(rows, y)}
	for i := range s.X {
		s.X[i] *= byX
		s.Y[i] *= byY
	}
	return s
}
