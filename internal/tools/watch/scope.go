package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/frame"
)

// Axis is what a scope shows over time: an actuator, in percent of its stroke, or a degree of freedom of the platform, in mm
// or °.
type Axis struct {
	Name string
	Unit string
	at   func(f *frame.Frame) (target, feedback float64) // feedback is NaN if it is not measured
}

// poseAxes are the degrees of freedom by name, with their unit and its factor.
var poseAxes = [frame.PoseAxes]struct {
	name, unit string
	factor     float64
}{
	{"surge", "mm", 1000}, {"sway", "mm", 1000}, {"heave", "mm", 1000}, {"roll", "°", degrees}, {"pitch", "°", degrees}, {"yaw", "°", degrees},
	{"slide", "mm", 1000}, {"belt", "", 1},
}

const strokePercent = 100

// ScopeAxes returns the axes of a platform whose actuators have the given names: the actuators, then the degrees of freedom.
func ScopeAxes(actuators []string) (all []Axis) {
	for i, name := range actuators[:min(len(actuators), frame.MaxLegs)] {
		all = append(all, Axis{name, "%", func(f *frame.Frame) (float64, float64) {
			return strokePercent * f.Motion.Target[i], strokePercent * f.LegsFeedback[i]
		}})
	}
	for i, a := range poseAxes[:frame.Slide] {
		all = append(all, Axis{a.name, a.unit, func(f *frame.Frame) (float64, float64) {
			return a.factor * f.Pose[i], a.factor * f.Motion.Measured[i]
		}})
	}
	return all
}

// ChooseAxes returns the named ones of all axes; all actuators if no name is given.
func ChooseAxes(all []Axis, actuators int, names []string) (chosen []Axis, err error) {
	if len(names) == 0 {
		return all[:actuators], nil
	}
	for _, name := range names {
		found := false
		for _, a := range all {
			if a.Name == name {
				chosen, found = append(chosen, a), true
			}
		}
		if !found {
			var known []string
			for _, a := range all {
				known = append(known, a.Name)
			}
			return nil, fmt.Errorf("axis %q: not found; choose %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// Scope keeps the course of axes over time.
type Scope struct {
	Axes   []Axis
	Times  []float64   // since the first sample [s]
	Values [][]float64 // for each axis its targets, then its feedback
	first  uint64      // tick of the first sample
}

// NewScope returns a scope of axes.
func NewScope(axes []Axis) *Scope { return &Scope{Axes: axes, Values: make([][]float64, 2*len(axes))} }

// Add adds a frame, number frames of 1 ms after the start of the page.
func (s *Scope) Add(f *frame.Frame, number uint64) {
	if len(s.Times) == 0 {
		s.first = number
	}
	s.Times = append(s.Times, float64(number-s.first)/1000)
	for i, a := range s.Axes {
		target, feedback := a.at(f)
		s.Values[2*i], s.Values[2*i+1] = append(s.Values[2*i], target), append(s.Values[2*i+1], feedback)
	}
}

// Row returns the newest sample, as RowAt does.
func (s *Scope) Row() []float64 { return s.RowAt(len(s.Times) - 1) }

// RowAt returns sample n: its time, then for each axis target, feedback and the error, feedback less target.
func (s *Scope) RowAt(n int) []float64 {
	row := []float64{s.Times[n]}
	for i := range s.Axes {
		target, feedback := s.Values[2*i][n], s.Values[2*i+1][n]
		row = append(row, target, feedback, feedback-target)
	}
	return row
}

// Columns returns the names of the values of Row, with their units.
func (s *Scope) Columns() []string {
	names := []string{"time_s"}
	for _, a := range s.Axes {
		unit := map[string]string{"%": "percent", "°": "deg"}[a.Unit]
		if unit == "" {
			unit = a.Unit
		}
		for _, what := range []string{"target", "feedback", "error"} {
			names = append(names, strings.ReplaceAll(a.Name, " ", "_")+"_"+what+"_"+unit)
		}
	}
	return names
}

func last(list []float64) float64 { return list[len(list)-1] }

// Lines returns a screen of the given number of columns: for each axis its newest values and, if it is measured, the course of
// target above feedback.
func (s *Scope) Lines(columns int) (lines []string) {
	for i, a := range s.Axes {
		target, feedback := s.Values[2*i], s.Values[2*i+1]
		text := fmt.Sprintf("%-12s target %8.2f %s", a.Name, last(target), a.Unit)
		measured := !math.IsNaN(last(feedback))
		if measured {
			text += fmt.Sprintf(", feedback %8.2f, error %+.2f", last(feedback), last(feedback)-last(target))
		}
		lines = append(lines, text)
		low, high := extent(target, feedback)
		lines = append(lines, "  "+course(target, low, high, columns-4))
		if measured {
			lines = append(lines, "  "+course(feedback, low, high, columns-4))
		}
	}
	return lines
}

// extent returns the lowest and the highest value of both lists.
func extent(lists ...[]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, v := range list {
			if v == v {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}

// course draws the newest values as a line of bars between low and high.
func course(list []float64, low, high float64, width int) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range list[max(len(list)-max(width, 1), 0):] {
		switch share := (v - low) / (high - low); {
		case v != v:
			b.WriteRune(' ')
		case high-low < 1e-9:
			b.WriteRune(bars[len(bars)/2])
		default:
			b.WriteRune(bars[min(int(share*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}
