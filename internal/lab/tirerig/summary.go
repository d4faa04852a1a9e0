package tirerig

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"rig.example/rig/internal/printable"
	"rig.example/rig/sim/tire"
)

// Summary is what one wants to know of a tire first. Where it does not say
// otherwise it holds at the nominal load and on the bench's surface.
type Summary struct {
	Name        string    `json:"name"`
	Model       string    `json:"model"`
	Size        string    `json:"size,omitempty"`
	Load        float64   `json:"nominal_load_n"`
	LoadRange   []float64 `json:"load_range_n,omitempty"` // that it was measured in, least and most; missing where it is not known
	PressureKPa float64   `json:"pressure_kpa,omitempty"`
	Speed       float64   `json:"speed_mps,omitempty"`
	Radius      float64   `json:"unloaded_radius_m"`
	Vertical    float64   `json:"vertical_stiffness_n_per_m,omitempty"` // standing; missing where it is not known
	Rolls       float64   `json:"effective_radius_m,omitempty"`         // at the speed; missing where it is not known
	Surface     string    `json:"surface"`

	Cornering   float64  `json:"cornering_stiffness_n_per_rad"`
	Slip        float64  `json:"slip_stiffness_n"` // over the slip ratio
	Driving     Peak     `json:"peak_driving"`
	Braking     Peak     `json:"peak_braking"`
	Left        Peak     `json:"peak_left"` // force to the left
	Right       Peak     `json:"peak_right"`
	Trail       float64  `json:"pneumatic_trail_m"` // at small slip angles
	Aligning    Aligning `json:"aligning"`
	RelaxationX float64  `json:"relaxation_length_x_m,omitempty"`
	RelaxationY float64  `json:"relaxation_length_y_m,omitempty"`
	Rolling     float64  `json:"rolling_resistance"` // moment over load and unloaded radius
	Notices     []string `json:"notices"`
	Unused      []string `json:"unused_keys,omitempty"` // of the file, that the model has no use for
}

// Summary measures the tire.
func (b *Bench) Summary() Summary {
	t := b.Tire
	r, seen := b.result(Sweep{}), b.tally()
	seen.see(Point{Load: t.Load})
	can := t.Model.Capacity(b.contact(Point{Load: t.Load}))
	s := Summary{
		Name: t.Name, Model: t.Kind, Size: t.Size, Load: t.Load,
		PressureKPa: r.PressureKPa, Speed: r.Speed, Radius: t.Radius, Surface: b.SurfaceName,
		Cornering: can.StiffnessY, Slip: can.StiffnessX,
		Trail:       b.trail(t.Load),
		RelaxationX: can.RelaxationX, RelaxationY: can.RelaxationY,
		Notices: append(r.Notices, seen.notices()...), Unused: t.Unused,
	}
	if t.LoadMax > 0 {
		s.LoadRange = []float64{t.LoadMin, t.LoadMax}
	}
	s.Vertical, s.Rolls = b.vertical()
	if t.Load > 0 && t.Radius > 0 {
		s.Rolling = can.Rolling / (t.Load * t.Radius)
	}
	s.Driving = b.peak(alongSlip(1), func(f tire.Forces) float64 { return f.Fx })
	s.Braking = b.peak(alongSlip(-1), func(f tire.Forces) float64 { return -f.Fx })
	s.Left = b.peak(alongAngle(-1), func(f tire.Forces) float64 { return f.Fy })
	s.Right = b.peak(alongAngle(1), func(f tire.Forces) float64 { return -f.Fy })
	s.Aligning = b.aligning(Point{Load: t.Load})
	return s
}

// vertical returns the standing tire's rate [N/m] and the rolling one's
// effective radius [m] at the nominal load; 0 where the tire brings no spring
// of its own.
func (b *Bench) vertical() (rate, radius float64) {
	v, err := tire.NewVertical(b.Tire.Vertical)
	if err != nil {
		return 0, 0
	}
	rate = v.Rate(v.Deflection(b.Tire.Load), tire.Running{Pressure: b.Pressure})
	return rate, v.EffectiveRadius(b.Tire.Load, felt(b.Speed, b.Tire.Speed)/b.Tire.Vertical.Radius)
}

// trail is the slope of Mz over that of -Fy at no slip [m]; shifts of the
// curves, as plysteer, cancel.
func (b *Bench) trail(load float64) float64 {
	const alpha = 1e-6
	left, right := b.Forces(Point{Alpha: alpha, Load: load}), b.Forces(Point{Alpha: -alpha, Load: load})
	if left.Fy == right.Fy {
		return 0
	}
	return -(left.Mz - right.Mz) / (left.Fy - right.Fy)
}

// Line is the summary on one line.
func (s Summary) Line() string {
	return printable.Sprintf("%-10s %-12s %-14s %5.0f N nominal, %.0f kN/rad, mu %.2f ahead and %.2f sideways", s.Name, s.Model, s.Size,
		s.Load, s.Cornering/1e3, s.Driving.Mu, max(s.Left.Mu, s.Right.Mu))
}

// Print writes the summary for people.
func (s Summary) Print(to io.Writer) error {
	w := new(bytes.Buffer) // whose writes do not fail
	line := func(what, format string, args ...any) {
		w.WriteString(printable.Sprintf("  %-22s %s\n", what, minus(fmt.Sprintf(format, args...))))
	}
	w.WriteString(printable.Sprintf("%s\n", strings.Join(named(s.Name, s.Size, s.Model), ", ")))
	if len(s.LoadRange) == 2 {
		line("load range", "%.0f to %.0f N", s.LoadRange[0], s.LoadRange[1])
	}
	line("nominal load", "%.0f N", s.Load)
	if s.PressureKPa > 0 {
		line("pressure", "%.0f kPa", s.PressureKPa)
	}
	if s.Speed > 0 {
		line("speed", "%.1f m/s", s.Speed)
	}
	line("unloaded radius", "%.4f m", s.Radius)
	if s.Vertical > 0 {
		line("effective radius", "%.4f m", s.Rolls)
		line("vertical stiffness", "%.1f kN/m", s.Vertical/1e3)
	}
	fmt.Fprintf(w, "at the nominal load on the surface %q:\n", s.Surface)
	line("cornering stiffness", "%.1f kN/rad = %.0f N/deg, %.1f per rad over load", s.Cornering/1e3, s.Cornering*perDegree, s.Cornering/s.Load)
	line("slip stiffness", "%.1f kN, %.1f over load", s.Slip/1e3, s.Slip/s.Load)
	line("peak mu driving", "%.3f at a slip ratio of %.3f", s.Driving.Mu, s.Driving.Slip)
	line("peak mu braking", "%.3f at a slip ratio of %s", s.Braking.Mu, minus(fmt.Sprintf("%.3f", s.Braking.Slip)))
	line("peak mu to the left", "%.3f at a slip angle of %s", s.Left.Mu, degrees(s.Left.Slip))
	line("peak mu to the right", "%.3f at a slip angle of %s", s.Right.Mu, degrees(s.Right.Slip))
	line("pneumatic trail", "%.1f mm", s.Trail*1e3)
	if s.Aligning.Ratio > 0 {
		line("aligning torque", "%s", s.Aligning)
	}
	s.printRolling(line)
	for _, n := range printable.Few(s.Notices) {
		w.WriteString(printable.Sprintf("note: %s\n", n))
	}
	if n := len(s.Unused); n > 0 {
		fmt.Fprintf(w, "note: %d numbers of the file have no use here; --json lists them\n", n)
	}
	_, err := w.WriteTo(to)
	return err
}

func (s Summary) printRolling(line func(what, format string, args ...any)) {
	if s.RelaxationX > 0 {
		line("relaxation length", "%.3f m along, %.3f m sideways", s.RelaxationX, s.RelaxationY)
	}
	line("rolling resistance", "%.2f %% of the load", s.Rolling*100)
}

func degrees(rad float64) string { return minus(fmt.Sprintf("%.1f°", rad/perDegree)) }

// named leaves out what is not known, and what says the same again.
func named(list ...string) (found []string) {
	for _, s := range list {
		if s != "" && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	return found
}

// Peak is where a force is greatest over one slip.
type Peak struct {
	Mu   float64 `json:"mu"`   // the force over the load
	Slip float64 `json:"slip"` // slip ratio, or slip angle [rad]
}

// alongSlip and alongAngle walk from no slip to a locked or spinning wheel, and
// to 60°, for a share from 0 to 1.
func alongSlip(sign float64) func(share float64) Point {
	return func(share float64) Point { return Point{Kappa: sign * share} }
}

func alongAngle(sign float64) func(share float64) Point {
	return func(share float64) Point { return Point{Alpha: sign * share * 60 * perDegree} }
}

// peak finds the greatest force on a walk at the nominal load.
func (b *Bench) peak(walk func(share float64) Point, force func(tire.Forces) float64) Peak {
	most, p := b.crest(func(share float64) Point {
		p := walk(share)
		p.Load = b.Tire.Load
		return p
	}, force)
	return Peak{Mu: most / b.Tire.Load, Slip: p.Kappa + p.Alpha}
}

// crest finds the greatest value on a walk, and the least slip that reaches it:
// a tire that slides holds its peak from there on.
func (b *Bench) crest(walk func(share float64) Point, value func(tire.Forces) float64) (most float64, where Point) {
	at := func(share float64) float64 { return value(b.Forces(walk(share))) }
	const scan = 1000
	top := 0
	for i := 1; i <= scan; i++ {
		if at(float64(i)/scan) > at(float64(top)/scan) {
			top = i
		}
	}
	share, most := climb(at, math.Max(0, float64(top-1)/scan), math.Min(1, float64(top+1)/scan))
	return most, walk(foot(at, share, most*(1-1e-9)))
}

// climb finds the greatest value between low and high, where f has one hill:
// the golden section.
func climb(f func(float64) float64, low, high float64) (x, most float64) {
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

// foot finds the least x up to high where f, which rises, reaches enough.
func foot(f func(float64) float64, high, enough float64) float64 {
	low := 0.0
	for range 60 {
		middle := (low + high) / 2
		if f(middle) >= enough {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
