package chart

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func sheet(series ...Series) Sheet {
	return Sheet{Title: "title", Subtitle: "conditions", Rows: [][]Panel{{{Title: "panel", X: "time [s]", Y: "speed [m/s]", Series: series}}}}
}

func render(t *testing.T, s Sheet, format string) string {
	t.Helper()
	data, err := s.Render(format)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFormats(t *testing.T) {
	for path, want := range map[string]string{"a.svg": "svg", "b.PNG": "png", "a.pdf": "", "svg": "", "a.svg/b": ""} {
		if got, ok := Format(path); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", path, got, ok)
		}
	}
}

func TestSheetsSayWhatTheyShow(t *testing.T) {
	s := sheet(Series{Name: "left", X: []float64{0, 1}, Y: []float64{0, 2}}, Series{Name: "right", X: []float64{0, 1}, Y: []float64{0, -2}})
	for _, shared := range []bool{false, true} {
		s.SharedLegend = shared
		got := render(t, s, "svg")
		for _, want := range []string{"title", "conditions", "panel", "time [s]", "speed [m/s]", "left", "right", "−2"} {
			if !strings.Contains(got, ">"+want+"<") {
				t.Errorf("shared %v: %q is not in the plot", shared, want)
			}
		}
	}
}

func TestEqualSheetsGiveEqualBytes(t *testing.T) {
	s := sheet(Series{X: []float64{1, 2}, Y: []float64{3, 4}, Dots: true}, Series{X: []float64{1, 2}, Y: []float64{3, 5}, Dashed: true})
	s.Rows = append(s.Rows, []Panel{{}}) // an empty place
	for _, format := range []string{"svg", "png"} {
		if a, b := render(t, s, format), render(t, s, format); a != b {
			t.Errorf("%s differs", format)
		}
	}
}

func TestNaNAndInfAreNotDrawn(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	got := render(t, sheet(Series{X: []float64{0, 1, nan, 3, 4}, Y: []float64{0, inf, 2, nan, 1}}), "svg")
	if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
		t.Error("the plot contains NaN or Inf")
	}
}

// A panel without any point has no axis, because its numbers would be made up.
func TestAPanelWithoutPointsHasNoAxis(t *testing.T) {
	nan := math.NaN()
	for _, empty := range []Series{{}, {X: []float64{nan}, Y: []float64{1}}, {X: []float64{1, 2}}} {
		for _, square := range []bool{false, true} {
			s := sheet(empty)
			s.Rows[0][0].LogX, s.Rows[0][0].Square, s.Rows[0][0].MinRange = !square, square, 20
			got := render(t, s, "svg")
			for _, axis := range []string{">0<", ">1<", ">0.5<", ">2<", ">10<"} {
				if strings.Contains(got, axis) {
					t.Errorf("%v: the plot has %q", empty, axis)
				}
			}
			if !strings.Contains(got, emptyText) || !strings.Contains(got, ">panel<") {
				t.Errorf("%v: the plot does not say that it is empty", empty)
			}
		}
	}
}

func TestNoiseLooksSmall(t *testing.T) {
	s := sheet(Series{X: []float64{0, 1}, Y: []float64{1e-17, -1e-17}})
	s.Rows[0][0].MinRange = 0.02
	if got := render(t, s, "svg"); !strings.Contains(got, ">0.010<") && !strings.Contains(got, ">0.01<") {
		t.Errorf("no tick at 0.01 in %s", got)
	}
}

func TestLogarithmicAxes(t *testing.T) {
	s := sheet(Series{X: []float64{0.2, 4}, Y: []float64{1, 2}})
	s.Rows[0][0].LogX = true
	got := render(t, s, "svg")
	for _, want := range []string{">0.2<", ">0.5<", ">1<", ">2<"} {
		if !strings.Contains(got, want) {
			t.Errorf("no tick %s", want)
		}
	}
}

func TestALegendWithoutRoomTakesAnotherLine(t *testing.T) {
	var p Panel
	for range 6 {
		p.Series = append(p.Series, Series{Name: strings.Repeat("name ", 5)})
	}
	list, lines := p.layoutLegend()
	if lines < 2 || lines > 6 {
		t.Fatalf("%d lines", lines)
	}
	for _, e := range list {
		if end := e.x + sampleLength + 3 + sansStyle(9).Width(e.name); end > panelWidth {
			t.Errorf("%q ends at %v of %v", e.name, end, panelWidth)
		}
	}
}

func TestPNGHasItsSignature(t *testing.T) {
	if got := render(t, sheet(Series{X: []float64{0, 1}, Y: []float64{0, 1}}), "png"); !bytes.HasPrefix([]byte(got), []byte("\x89PNG")) {
		t.Errorf("begins with %q", got[:8])
	}
}
