package tirerig

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/tools/lab/cells"
)

// tableReader reads the lines of a batch's table.
type tableReader struct{ *cells.Reader }

// columns are the indices of a point's values in a line; -1 is a missing column.
type columns struct {
	kappa, alpha, gamma, load, speed, pressure int
	count                                      int
}

// EvaluateTable evaluates a batch: a table with the columns kappa, alpha_rad, gamma_rad and fz_n in any order
// and, optionally, vx_mps and pressure_kpa, where an empty cell is the bench's value. The lines are
// copied to the output, without blank ones, with fx_n, fy_n, mx_nm, my_nm and mz_nm appended; other
// columns are kept.
//
// It works line by line, so memory does not grow with the table. name is the table's name in errors,
// which are *config.Problem.
func (b *Bench) EvaluateTable(name string, in io.Reader, out io.Writer) (Report, error) {
	ranges := b.newRangeCheck()
	cols, err := b.evaluate(name, in, out, ranges)
	if err != nil {
		return Report{}, err
	}
	return Report{ranges.rows, slices.Concat(b.tireNotices(), b.unusedColumns(cols), ranges.notices())}, nil
}

// Report is the result of a batch besides its table.
type Report struct {
	Rows    int
	Notices []string // what the tire's file lacks, what had no effect, and which ranges were exceeded
}

// evaluate writes the result of each line, and returns the columns of the header.
func (b *Bench) evaluate(name string, in io.Reader, out io.Writer, ranges *rangeCheck) (columns, error) {
	l := &tableReader{cells.New(name, in, errInterrupted)}
	cols, err := readHeader(l)
	if err != nil {
		return cols, err
	}
	w := bufio.NewWriterSize(out, bufferSize)
	line := append(slices.Clone(l.Text), ","+strings.Join(forceColumns, ",")+"\n"...)
	for {
		if _, err := w.Write(line); err != nil {
			return cols, err
		}
		if err := l.Next(); err == io.EOF {
			return cols, w.Flush()
		} else if err != nil {
			return cols, err
		}
		p, err := cols.readPoint(l)
		if err != nil {
			return cols, err
		}
		ranges.add(p)
		line = appendForces(append(line[:0], l.Text...), b.Forces(p))
	}
}

// unusedColumns returns a notice for each column on which the tire does not depend.
func (b *Bench) unusedColumns(c columns) (list []string) {
	const text = "the column %s has no effect: the model %s does not depend on it"
	if c.pressure >= 0 && b.Tire.Pressure == 0 {
		list = append(list, fmt.Sprintf(text, "pressure_kpa", b.Tire.Kind))
	}
	if c.speed >= 0 && b.Tire.MeasuredSpeed == 0 {
		list = append(list, fmt.Sprintf(text, "vx_mps", b.Tire.Kind))
	}
	return list
}

// readHeader finds the columns by their names.
func readHeader(l *tableReader) (columns, error) {
	const requirements = "required are kappa, alpha_rad, gamma_rad and fz_n, separated by commas; vx_mps and pressure_kpa are optional"
	if err := l.Next(); err == io.EOF {
		l.Line = 1
		return columns{}, l.Fault(1, "the table is empty; begin with a header line: %s", requirements)
	} else if err != nil {
		return columns{}, err
	}
	index := map[string]int{}
	for i, c := range l.Cells {
		name := string(c.Text)
		if _, exists := index[name]; exists && (slices.Contains(inputColumns, name) || slices.Contains(optionalColumns, name)) {
			return columns{}, l.Fault(c.Column, "the column %s occurs twice; remove one", name)
		}
		index[name] = i
	}
	for _, name := range inputColumns {
		if _, found := index[name]; !found {
			return columns{}, l.Fault(1, "the column %s is missing%s; %s", name, l.SeparatorHint(), requirements)
		}
	}
	for _, name := range optionalColumns {
		if _, found := index[name]; !found {
			index[name] = -1
		}
	}
	return columns{
		kappa: index["kappa"], alpha: index["alpha_rad"], gamma: index["gamma_rad"], load: index["fz_n"],
		speed: index["vx_mps"], pressure: index["pressure_kpa"], count: len(l.Cells),
	}, nil
}

// readPoint reads the point of the current line.
func (c *columns) readPoint(l *tableReader) (p Point, err error) {
	if err := l.CheckCount(c.count); err != nil {
		return p, err
	}
	if p.Kappa, err = l.numberWithin(c.kappa, "kappa", maxKappa); err != nil {
		return p, err
	}
	if p.Alpha, err = l.angle(c.alpha, "alpha_rad"); err != nil {
		return p, err
	}
	if p.Gamma, err = l.angle(c.gamma, "gamma_rad"); err != nil {
		return p, err
	}
	if p.Load, err = l.numberWithin(c.load, "fz_n", maxLoad); err != nil {
		return p, err
	}
	if p.Speed, err = l.optionalNumber(c.speed, "vx_mps", speedProblem); err != nil {
		return p, err
	}
	kPa, err := l.optionalNumber(c.pressure, "pressure_kpa", pressureProblem)
	p.Pressure = kPa * perKPa
	return p, err
}

// number parses cell i, which must hold a finite number. name is the column's name in errors.
func (l *tableReader) number(i int, name string) (float64, error) { return l.Number(i, name, "0.05") }

// numberWithin parses cell i, which must hold a number within ±limit.
func (l *tableReader) numberWithin(i int, name string, limit float64) (float64, error) {
	v, err := l.number(i, name)
	if err == nil && !(math.Abs(v) <= limit) {
		return 0, l.Fault(l.Cells[i].Column, "%s: %g: must be %g to %g", name, v, -limit, limit)
	}
	return v, err
}

// angle parses cell i, an angle [rad] between -90° and 90°.
func (l *tableReader) angle(i int, name string) (float64, error) {
	v, err := l.number(i, name)
	if err == nil && !(math.Abs(v) < rightAngle) {
		return 0, l.Fault(l.Cells[i].Column, "%s: %g: must be between -1.57 and 1.57 rad", name, v)
	}
	return v, err
}

// optionalNumber parses cell i. It returns 0 for an empty cell and for a missing column, whose i is -1.
// problem returns what is wrong with a value, "" if nothing is.
func (l *tableReader) optionalNumber(i int, name string, problem func(float64) string) (float64, error) {
	if i < 0 || len(l.Cells[i].Text) == 0 {
		return 0, nil
	}
	v, err := l.number(i, name)
	if err != nil {
		return 0, err
	}
	if text := problem(v); text != "" {
		return 0, l.Fault(l.Cells[i].Column, "%s: %s", name, text)
	}
	return v, nil
}
