package tirerig

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/sim/tire"
)

// Summary holds the main characteristics of a tire, at the nominal load and on the bench's surface
// unless stated otherwise.
type Summary struct {
	Name              string    `json:"name"`
	Model             string    `json:"model"`
	Size              string    `json:"size,omitempty"`
	NominalLoad       float64   `json:"nominal_load_n"`
	LoadRange         []float64 `json:"load_range_n,omitempty"` // measured range, least and greatest; missing if unknown
	PressureKPa       float64   `json:"pressure_kpa,omitempty"`
	Speed             float64   `json:"speed_mps,omitempty"`
	Radius            float64   `json:"unloaded_radius_m"`
	VerticalStiffness float64   `json:"vertical_stiffness_n_per_m,omitempty"` // vertical stiffness at standstill; missing if unknown
	EffectiveRadius   float64   `json:"effective_radius_m,omitempty"`         // effective rolling radius at the speed; missing if unknown
	Surface           string    `json:"surface"`

	CorneringStiffness float64  `json:"cornering_stiffness_n_per_rad"`
	SlipStiffness      float64  `json:"slip_stiffness_n"` // slope over the slip ratio
	Driving            Peak     `json:"peak_driving"`
	Braking            Peak     `json:"peak_braking"`
	Left               Peak     `json:"peak_left"` // force to the left
	Right              Peak     `json:"peak_right"`
	Trail              float64  `json:"pneumatic_trail_m"` // pneumatic trail at small slip angles
	Aligning           Aligning `json:"aligning"`
	RelaxationX        float64  `json:"relaxation_length_x_m,omitempty"`
	RelaxationY        float64  `json:"relaxation_length_y_m,omitempty"`
	RollingResistance  float64  `json:"rolling_resistance"` // moment over load and unloaded radius
	Notices            []string `json:"notices"`
	UnusedKeys         []string `json:"unused_keys,omitempty"` // keys of the file that the model does not use
}

// Summary measures the main characteristics of the tire.
func (b *Bench) Summary() Summary {
	t := b.Tire
	r, ranges := b.result(Sweep{}), b.newRangeCheck()
	ranges.add(Point{Load: t.NominalLoad})
	capacity := t.Model.Capacity(b.contact(Point{Load: t.NominalLoad}))
	s := Summary{
		Name: t.Name, Model: t.Kind, Size: t.Size, NominalLoad: t.NominalLoad,
		PressureKPa: r.PressureKPa, Speed: r.Speed, Radius: t.Radius, Surface: b.SurfaceName,
		CorneringStiffness: capacity.StiffnessY, SlipStiffness: capacity.StiffnessX,
		Trail:       b.pneumaticTrail(t.NominalLoad),
		RelaxationX: capacity.RelaxationX, RelaxationY: capacity.RelaxationY,
		Notices: append(r.Notices, ranges.notices()...), UnusedKeys: t.UnusedKeys,
	}
	if t.LoadMax > 0 {
		s.LoadRange = []float64{t.LoadMin, t.LoadMax}
	}
	s.VerticalStiffness, s.EffectiveRadius = b.verticalStiffness()
	if t.NominalLoad > 0 && t.Radius > 0 {
		s.RollingResistance = capacity.Rolling / (t.NominalLoad * t.Radius)
	}
	s.Driving = b.findPeak(kappaPath(1), func(f tire.Forces) float64 { return f.Fx })
	s.Braking = b.findPeak(kappaPath(-1), func(f tire.Forces) float64 { return -f.Fx })
	s.Left = b.findPeak(alphaPath(-1), func(f tire.Forces) float64 { return f.Fy })
	s.Right = b.findPeak(alphaPath(1), func(f tire.Forces) float64 { return -f.Fy })
	s.Aligning = b.findAligning(Point{Load: t.NominalLoad})
	return s
}

// verticalStiffness returns the vertical stiffness at standstill [N/m] and the effective rolling radius
// [m] at the nominal load; 0 for a tire without VerticalParams.
func (b *Bench) verticalStiffness() (rate, radius float64) {
	v, err := tire.NewVertical(b.Tire.Vertical)
	if err != nil {
		return 0, 0
	}
	rate = v.Rate(v.Deflection(b.Tire.NominalLoad), tire.VerticalInput{Pressure: b.Pressure})
	return rate, v.EffectiveRadius(b.Tire.NominalLoad, effective(b.Speed, b.Tire.MeasuredSpeed)/b.Tire.Vertical.Radius)
}

// pneumaticTrail returns the slope of Mz over that of -Fy at zero slip [m]. Offsets of the curves, such
// as plysteer, cancel.
func (b *Bench) pneumaticTrail(load float64) float64 {
	const alpha = 1e-6
	left, right := b.Forces(Point{Alpha: alpha, Load: load}), b.Forces(Point{Alpha: -alpha, Load: load})
	if left.Fy == right.Fy {
		return 0
	}
	return -(left.Mz - right.Mz) / (left.Fy - right.Fy)
}

// Line returns the summary on one line.
func (s Summary) Line() string {
	return printable.Sprintf("%-10s %-12s %-14s %5.0f N nominal, %.0f kN/rad, mu %.2f ahead and %.2f sideways", s.Name, s.Model, s.Size,
		s.NominalLoad, s.CorneringStiffness/1e3, s.Driving.Mu, max(s.Left.Mu, s.Right.Mu))
}

// Print writes the summary for people.
func (s Summary) Print(to io.Writer) error {
	w := new(bytes.Buffer) // writing to it never fails
	line := func(what, format string, args ...any) {
		w.WriteString(printable.Sprintf("  %-22s %s\n", what, printable.Minus(fmt.Sprintf(format, args...))))
	}
	w.WriteString(printable.Sprintf("%s\n", strings.Join(distinctNonEmpty(s.Name, s.Size, s.Model), ", ")))
	if len(s.LoadRange) == 2 {
		line("load range", "%.0f to %.0f N", s.LoadRange[0], s.LoadRange[1])
	}
	line("nominal load", "%.0f N", s.NominalLoad)
	if s.PressureKPa > 0 {
		line("pressure", "%.0f kPa", s.PressureKPa)
	}
	if s.Speed > 0 {
		line("speed", "%.1f m/s", s.Speed)
	}
	line("unloaded radius", "%.4f m", s.Radius)
	if s.VerticalStiffness > 0 {
		line("effective radius", "%.4f m", s.EffectiveRadius)
		line("vertical stiffness", "%.1f kN/m", s.VerticalStiffness/1e3)
	}
	fmt.Fprintf(w, "at the nominal load on the surface %q:\n", s.Surface)
	line("cornering stiffness", "%.1f kN/rad = %.0f N/deg, %.1f per rad over load", s.CorneringStiffness/1e3, s.CorneringStiffness*perDegree, s.CorneringStiffness/s.NominalLoad)
	line("slip stiffness", "%.1f kN, %.1f over load", s.SlipStiffness/1e3, s.SlipStiffness/s.NominalLoad)
	line("peak mu driving", "%.3f at a slip ratio of %.3f", s.Driving.Mu, s.Driving.Slip)
	line("peak mu braking", "%.3f at a slip ratio of %s", s.Braking.Mu, printable.Minus(fmt.Sprintf("%.3f", s.Braking.Slip)))
	line("peak mu to the left", "%.3f at a slip angle of %s", s.Left.Mu, degrees(s.Left.Slip))
	line("peak mu to the right", "%.3f at a slip angle of %s", s.Right.Mu, degrees(s.Right.Slip))
	line("pneumatic trail", "%.1f mm", s.Trail*1e3)
	if s.Aligning.PeakAngleRatio > 0 {
		line("aligning torque", "%s", s.Aligning)
	}
	s.printRolling(line)
	for _, n := range printable.FirstLines(s.Notices) {
		w.WriteString(printable.Sprintf("note: %s\n", n))
	}
	if n := len(s.UnusedKeys); n > 0 {
		fmt.Fprintf(w, "note: %d numbers of the file have no use here; --json lists them\n", n)
	}
	_, err := w.WriteTo(to)
	return err
}

// printRolling prints the relaxation lengths and the rolling resistance by calling line.
func (s Summary) printRolling(line func(what, format string, args ...any)) {
	if s.RelaxationX > 0 {
		line("relaxation length", "%.3f m along, %.3f m sideways", s.RelaxationX, s.RelaxationY)
	}
	line("rolling resistance", "%.2f %% of the load", s.RollingResistance*100)
}

// degrees formats an angle [rad] in degrees.
func degrees(rad float64) string { return printable.Minus(fmt.Sprintf("%.1f°", rad/perDegree)) }

// distinctNonEmpty returns the strings without empty ones and repetitions.
func distinctNonEmpty(list ...string) (found []string) {
	for _, s := range list {
		if s != "" && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// Peak is the largest force over one slip.
type Peak struct {
	Mu   float64 `json:"mu"`   // force over load
	Slip float64 `json:"slip"` // slip ratio, or slip angle [rad]
}

// kappaPath returns a function that maps a share of 0 to 1 to a slip ratio of 0 to 1, or with sign -1 to
// one of 0 to -1, a locked wheel.
func kappaPath(sign float64) func(share float64) Point {
	return func(share float64) Point { return Point{Kappa: sign * share} }
}

// alphaPath returns a function that maps a share of 0 to 1 to a slip angle of 0 to 60°, or with sign -1
// of 0 to -60°.
func alphaPath(sign float64) func(share float64) Point {
	return func(share float64) Point { return Point{Alpha: sign * share * 60 * perDegree} }
}

// findPeak finds the largest force along a path at the nominal load.
func (b *Bench) findPeak(path func(share float64) Point, force func(tire.Forces) float64) Peak {
	largest, p := b.maximum(func(share float64) Point {
		p := path(share)
		p.Load = b.Tire.NominalLoad
		return p
	}, force)
	return Peak{Mu: largest / b.Tire.NominalLoad, Slip: p.Kappa + p.Alpha}
}

// maximum finds the largest value along a path, and the point of the smallest slip that reaches it,
// because the value of a sliding tire may stay at its peak.
func (b *Bench) maximum(path func(share float64) Point, value func(tire.Forces) float64) (largest float64, where Point) {
	at := func(share float64) float64 { return value(b.Forces(path(share))) }
	const scan = 1000
	best := 0
	for i := 1; i <= scan; i++ {
		if at(float64(i)/scan) > at(float64(best)/scan) {
			best = i
		}
	}
	share, largest := maximize(at, math.Max(0, float64(best-1)/scan), math.Min(1, float64(best+1)/scan))
	return largest, path(firstReach(at, share, largest*(1-1e-9)))
}

// maximize finds the largest value between low and high by the golden section search. f must have one
// maximum there.
func maximize(f func(float64) float64, low, high float64) (x, largest float64) {
	const golden = 0.618033988749895
	for range 60 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if f(a) >= f(b) {
			high = b
		} else {
			low = a
		}
	}
	x = (low + high) / 2
	return x, f(x)
}

// firstReach finds the smallest x of 0 to high at which f, which must be rising, reaches level.
func firstReach(f func(float64) float64, high, level float64) float64 {
	low := 0.0
	for range 60 {
		middle := (low + high) / 2
		if f(middle) >= level {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
