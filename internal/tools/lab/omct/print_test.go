package omct

import (
	"slices"
	"strings"
	"testing"
)

// made is a result by hand: one frequency, phases as given.
func made() *Result {
	r := &Result{Mode: "washout", Geometry: "hexapod", Size: 0.5}
	for i, c := range channels {
		t := Test{Number: i + 1, VehicleAxis: axisNames[c.from], PlatformAxis: axisNames[c.to], Direct: c.from == c.to, Unit: c.unit()}
		for k, omega := range []float64{0.1, 1, 10} {
			phase, distortion := []float64{150, -170, 160}[k], []float64{0, 0.2, 0}[k]
			p := Point{Omega: omega, Gain: 0.5, Phase: &phase, Distortion: &distortion, Scale: []float64{1, 1, 0.8}[k]}
			if c.to == yaw {
				p.Gain, p.Phase, p.Distortion = 0, nil, nil
			}
			t.Points = append(t.Points, p)
		}
		r.Tests = append(r.Tests, t)
	}
	return r
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	if err := made().Print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"washout cueing on a platform of kind hexapod, 0.5 of the standard's motion",
		"rad/s                      0.100   1.000  10.000\n",
		" 1 pitch → pitch gain       0.500   0.500~  0.500<\n",
		"                 phase       150°   -170°    160°\n",
		" 2 pitch → surge gain  ", "   m/s² per deg  phase  ", "   deg per m/s²  phase  ",
		" 5 yaw   → yaw   gain       0.000   0.000   0.000<\n                 phase          -       -       -\n",
		"< the workspace", "~ more than 10 % distorted",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}

// A phase that passes ±180° goes on in the diagram.
func TestSheet(t *testing.T) {
	s := made().Sheet()
	if len(s.Rows) != 2 || len(s.Rows[0]) != 4 || len(s.Rows[0][0].Series) != 3 {
		t.Fatalf("%d rows of %d panels", len(s.Rows), len(s.Rows[0]))
	}
	phase := s.Rows[1][0].Series[0]
	if phase.Name != "surge" || len(phase.Y) != 3 || phase.Y[0] != 150 || phase.Y[1] != 190 || phase.Y[2] != 160 {
		t.Errorf("%s: phases %v, want 150, 190, 160", phase.Name, phase.Y)
	}
	if yaw := s.Rows[1][1].Series[2]; len(yaw.X) != 0 {
		t.Errorf("a phase of what does not move: %v", yaw.Y)
	}
	if _, err := s.Render("svg"); err != nil {
		t.Error(err)
	}
}

// A high-pass of third order is ahead by almost three right angles at low frequencies, whatever
// turn the first phase was told in, and by little at high ones.
func TestPhaseAroundZero(t *testing.T) {
	var high Test
	for k, phase := range []float64{-111, -169, 133, 36} {
		high.Points = append(high.Points, Point{Omega: float64(k + 1), Gain: 1, Phase: &phase})
	}
	_, phase := high.series()
	if want := []float64{249, 191, 133, 36}; !slices.Equal(phase.Y, want) {
		t.Errorf("phases %v, want %v", phase.Y, want)
	}
}
