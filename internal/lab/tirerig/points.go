package tirerig

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/lab/cells"
)

// lines are those of a batch's table.
type lines struct{ *cells.Reader }

// columns tells where in a line the values of a point stand; -1 is nowhere.
type columns struct {
	kappa, alpha, gamma, load, speed, pressure int
	count                                      int
}

// Points evaluates a batch: a table with the columns kappa, alpha_rad,
// gamma_rad and fz_n in any order and, if they are there, vx_mps and
// pressure_kpa, where an empty cell is the bench's own value. The lines come
// out as they were, blank ones left out, with fx_n, fy_n, mx_nm, my_nm and
// mz_nm appended; other columns are carried along.
//
// It works line by line, in memory that does not grow with the table. name
// stands for the table in its faults, which are *config.Problem.
func (b *Bench) Points(name string, in io.Reader, out io.Writer) (Report, error) {
	seen := b.tally()
	cols, err := b.points(name, in, out, seen)
	if err != nil {
		return Report{}, err
	}
	return Report{seen.rows, slices.Concat(b.notices(), b.idle(cols), seen.notices())}, nil
}

// Report is what there is to say of a batch.
type Report struct {
	Rows    int
	Notices []string // what the tire's file left out, what was asked in vain and which ranges were left
}

// points answers line by line, and returns what the header said.
func (b *Bench) points(name string, in io.Reader, out io.Writer, seen *tally) (columns, error) {
	l := &lines{cells.New(name, in, errInterrupted)}
	cols, err := header(l)
	if err != nil {
		return cols, err
	}
	w := bufio.NewWriterSize(out, bufferSize)
	line := append(slices.Clone(l.Text), ","+strings.Join(answered, ",")+"\n"...)
	for {
		if _, err := w.Write(line); err != nil {
			return cols, err
		}
		if err := l.Next(); err == io.EOF {
			return cols, w.Flush()
		} else if err != nil {
			return cols, err
		}
		p, err := cols.point(l)
		if err != nil {
			return cols, err
		}
		seen.see(p)
		line = appendForces(append(line[:0], l.Text...), b.Forces(p))
	}
}

// idle names the columns that the tire does not ask for.
func (b *Bench) idle(c columns) (list []string) {
	const text = "the column %s changes nothing: the model %s does not ask for it"
	if c.pressure >= 0 && b.Tire.Pressure == 0 {
		list = append(list, fmt.Sprintf(text, "pressure_kpa", b.Tire.Kind))
	}
	if c.speed >= 0 && b.Tire.Speed == 0 {
		list = append(list, fmt.Sprintf(text, "vx_mps", b.Tire.Kind))
	}
	return list
}

// header finds the columns by their names.
func header(l *lines) (columns, error) {
	const needs = "needed are kappa, alpha_rad, gamma_rad and fz_n, separated by commas, and if you like vx_mps and pressure_kpa"
	if err := l.Next(); err == io.EOF {
		l.Line = 1
		return columns{}, l.Fault(1, "the table is empty; begin with the columns' names: %s", needs)
	} else if err != nil {
		return columns{}, err
	}
	place := map[string]int{}
	for i, c := range l.Cells {
		name := string(c.Text)
		if _, twice := place[name]; twice && (slices.Contains(asked, name) || slices.Contains(optional, name)) {
			return columns{}, l.Fault(c.Column, "the column %s is there twice; take one away", name)
		}
		place[name] = i
	}
	for _, name := range asked {
		if _, found := place[name]; !found {
			return columns{}, l.Fault(1, "the column %s is missing%s; %s", name, l.Instead(), needs)
		}
	}
	for _, name := range optional {
		if _, found := place[name]; !found {
			place[name] = -1
		}
	}
	return columns{
		kappa: place["kappa"], alpha: place["alpha_rad"], gamma: place["gamma_rad"], load: place["fz_n"],
		speed: place["vx_mps"], pressure: place["pressure_kpa"], count: len(l.Cells),
	}, nil
}

// point reads what the present line asks.
func (c *columns) point(l *lines) (p Point, err error) {
	if err := l.Count(c.count); err != nil {
		return p, err
	}
	if p.Kappa, err = l.within(c.kappa, "kappa", mostKappa); err != nil {
		return p, err
	}
	if p.Alpha, err = l.angle(c.alpha, "alpha_rad"); err != nil {
		return p, err
	}
	if p.Gamma, err = l.angle(c.gamma, "gamma_rad"); err != nil {
		return p, err
	}
	if p.Load, err = l.within(c.load, "fz_n", mostLoad); err != nil {
		return p, err
	}
	if p.Speed, err = l.ifGiven(c.speed, "vx_mps", badSpeed); err != nil {
		return p, err
	}
	kPa, err := l.ifGiven(c.pressure, "pressure_kpa", badPressure)
	p.Pressure = kPa * perKPa
	return p, err
}

// number reads a cell that must hold a finite number.
func (l *lines) number(i int, name string) (float64, error) { return l.Number(i, name, "0.05") }

// within reads a cell that must not be further from 0 than a tire ever is.
func (l *lines) within(i int, name string, most float64) (float64, error) {
	v, err := l.number(i, name)
	if err == nil && !(math.Abs(v) <= most) {
		return 0, l.Fault(l.Cells[i].Column, "%s: %g: allowed is %g to %g", name, v, -most, most)
	}
	return v, err
}

// angle reads a cell in radians, less than a right angle either way.
func (l *lines) angle(i int, name string) (float64, error) {
	v, err := l.number(i, name)
	if err == nil && !(math.Abs(v) < rightAngle) {
		return 0, l.Fault(l.Cells[i].Column, "%s: %g is a right angle or more; give radians between -1.57 and 1.57", name, v)
	}
	return v, err
}

// ifGiven reads a cell that may be empty or missing altogether, which is 0.
func (l *lines) ifGiven(i int, name string, bad func(float64) string) (float64, error) {
	if i < 0 || len(l.Cells[i].Text) == 0 {
		return 0, nil
	}
	v, err := l.number(i, name)
	if err != nil {
		return 0, err
	}
	if text := bad(v); text != "" {
		return 0, l.Fault(l.Cells[i].Column, "%s: %s", name, text)
	}
	return v, nil
}
