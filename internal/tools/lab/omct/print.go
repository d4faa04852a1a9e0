package omct

import (
	"fmt"
	"io"
	"math"
	"strings"

	"rig.example/rig/internal/tools/lab/chart"
)

// MaxDistortion is the distortion above which a gain says little, because the response is not linear.
const MaxDistortion = 0.1

// Print prints gain and phase of each test at each frequency, for people.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Objective motion cueing test: %s cueing on a platform of kind %s", r.Mode, r.Geometry)
	if r.Tuned != "" {
		fmt.Fprintf(&b, ", tuned %s", r.Tuned)
	}
	if r.Size != 1 {
		fmt.Fprintf(&b, ", %g of the standard's motion", r.Size)
	}
	fmt.Fprintf(&b, "\n%s\n\n%-24s", r.Summary, "rad/s")
	for _, p := range r.Tests[0].Points {
		fmt.Fprintf(&b, "%8.3f", p.Omega)
	}
	b.WriteString("\n")
	for _, t := range r.Tests {
		t.print(&b)
	}
	b.WriteString(r.legend())
	_, err := io.WriteString(w, b.String())
	return err
}

// print writes a line of gains and a line of phases.
func (t Test) print(b *strings.Builder) {
	fmt.Fprintf(b, "%2d %-5s → %-5s gain     ", t.Number, t.VehicleAxis, t.PlatformAxis)
	for _, p := range t.Points {
		fmt.Fprintf(b, "%7.3f%s", p.Gain, p.limitMark())
	}
	unit := ""
	if !t.Direct {
		unit = t.Unit
	}
	fmt.Fprintf(b, "\n   %-13s phase   ", unit)
	for _, p := range t.Points {
		if p.Phase == nil {
			fmt.Fprintf(b, "%8s", "-")
			continue
		}
		fmt.Fprintf(b, "%7.0f°", *p.Phase)
	}
	b.WriteString("\n")
}

// limitMark marks a point at which a limit is active.
func (p Point) limitMark() string {
	switch {
	case p.Scale < 1:
		return "<"
	case p.Distortion != nil && *p.Distortion > MaxDistortion:
		return "~"
	}
	return " "
}

// legend explains the marks that were used.
func (r *Result) legend() string {
	found := map[string]bool{}
	for _, t := range r.Tests {
		for _, p := range t.Points {
			found[p.limitMark()] = true
		}
	}
	text := "\nGain 1 and phase 0° are as in the vehicle. Actuators' lag and line are not in it.\n"
	if found["<"] {
		text += "< the workspace's edge made the motion smaller\n"
	}
	if found["~"] {
		text += fmt.Sprintf("~ more than %.0f %% distorted: a limit of speed, tilt or acceleration is at work\n", 100*MaxDistortion)
	}
	return text
}

// groups are the columns of panels in the sheet, each with the numbers of its tests.
var groups = [...]struct {
	title string
	gain  string
	tests []int
}{
	{"Specific force", "gain", []int{6, 8, 10}},
	{"Rotation", "gain", []int{3, 1, 5}},
	{"Force by rotation", "gain [m/s² per deg]", []int{2, 4}},
	{"Rotation by force", "gain [deg per m/s²]", []int{7, 9}},
}

// Sheet returns the Bode diagram of all tests: gain and, below it, phase over frequency.
func (r *Result) Sheet() chart.Sheet {
	s := chart.Sheet{
		Title:    fmt.Sprintf("Objective motion cueing test: %s cueing, platform of kind %s", r.Mode, r.Geometry),
		Subtitle: r.Summary + " Without the actuators' lag and the line; gain 1 and phase 0° are as in the vehicle",
		Rows:     make([][]chart.Panel, 2),
	}
	for _, g := range groups {
		gain := chart.Panel{Title: g.title, X: "frequency [rad/s]", Y: g.gain, LogX: true, MinRange: 0.1}
		phase := chart.Panel{X: gain.X, Y: "phase [°]", LogX: true, MinRange: 20}
		for i, number := range g.tests {
			a, b := r.Tests[number-1].series()
			a.Dashed, b.Dashed = i == 1, i == 1 // often the same as its neighbour
			gain.Series, phase.Series = append(gain.Series, a), append(phase.Series, b)
		}
		s.Rows[0], s.Rows[1] = append(s.Rows[0], gain), append(s.Rows[1], phase)
	}
	return s
}

// series returns gain and phase over frequency [rad/s]. The phase is unwrapped, so that it has no jumps of
// 360°, and shifted by whole turns so that its mean is near 0.
func (t Test) series() (gain, phase chart.Series) {
	name := t.PlatformAxis
	if !t.Direct {
		name = t.VehicleAxis + " → " + t.PlatformAxis
	}
	gain.Name, phase.Name = name, name
	last, turns := 0.0, 0.0
	for _, p := range t.Points {
		gain.X, gain.Y = append(gain.X, p.Omega), append(gain.Y, p.Gain)
		if p.Phase == nil {
			continue
		}
		if step := *p.Phase - last; len(phase.X) > 0 && (step > 180 || step < -180) {
			turns -= 360 * sign(step)
		}
		last = *p.Phase
		phase.X, phase.Y = append(phase.X, p.Omega), append(phase.Y, last+turns)
	}
	centerTurns(phase.Y)
	return gain, phase
}

// centerTurns shifts phases [°] by the number of whole turns that brings their mean nearest to 0.
func centerTurns(phases []float64) {
	sum := 0.0
	for _, v := range phases {
		sum += v
	}
	turns := 360 * math.Round(sum/float64(max(len(phases), 1))/360)
	for i := range phases {
		phases[i] -= turns
	}
}

// sign returns -1 for negative v, and 1 otherwise, also for 0.
func sign(v float64) float64 {
	if v < 0 {
		return -1
	}
	return 1
}
