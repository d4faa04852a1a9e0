package tirerig

import (
	"bytes"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"rig.example/rig/test/level"
	"rig.example/rig/test/plotfile"
)

// plotFile returns the bytes of the sweep's plot in a file of this name.
func plotFile(t *testing.T, r *Result, name string) []byte {
	t.Helper()
	return plotfile.WriteAndRead(t, name, r.WritePlot)
}

func TestPlotsSayWhatTheyShow(t *testing.T) {
	tests := []struct {
		s    Sweep
		want []string
		not  string
	}{
		{Sweep{Kind: "slip-angle", Gamma: 1}, []string{"brush, 205/60 R15", "slip-angle sweep", "surface dry", "γ = 1°", "slip angle α [deg]",
			"lateral force Fy [kN]", "aligning moment Mz [N·m]", "Fz 2 kN", "Fz 6 kN", "−10"}, "longitudinal force"},
		{Sweep{Kind: "slip-ratio"}, []string{"slip ratio κ", "longitudinal force Fx [kN]", "α = 0°", "Fz 4 kN"}, "lateral force"},
		{Sweep{Kind: "camber", Alphas: []float64{2}}, []string{"camber γ [deg]", "lateral force Fy [kN]", "α = 2°"}, "γ ="},
		{Sweep{Kind: "camber"}, []string{"lateral force Fy [kN]"}, "aligning"},
		{Sweep{Kind: "load"}, []string{"load Fz [kN]", "α 8°"}, "Fz ="},
		{Sweep{Kind: "combined"}, []string{"Fz = 2 kN", "Fz = 6 kN", "α −12°", "longitudinal force Fx [kN]", "slip ratio κ"}, "κ ="},
		{Sweep{Kind: "slip-angle", Loads: []float64{3500}}, []string{"Fz = 3.5 kN"}, "Fz 3.5"},
	}
	for _, tt := range tests {
		t.Run(tt.s.Kind, func(t *testing.T) {
			got := plotfile.Texts(t, plotFile(t, run(t, brush(t), tt.s), "a.svg"))
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in the plot", want)
				}
			}
			if strings.Contains(got, tt.not) {
				t.Errorf("%q is in the plot", tt.not)
			}
		})
	}
}

func TestSVGNamesFontsThatEveryoneHas(t *testing.T) {
	svg := string(plotFile(t, run(t, brush(t), Sweep{Kind: "camber"}), "a.svg"))
	if n := strings.Count(svg, "font-family"); n == 0 || n != strings.Count(svg, "font-family:Liberation Sans,Arial,Helvetica,sans-serif;") {
		t.Errorf("%d fonts in %.2000s", n, svg)
	}
}

func TestPNGIsAPicture(t *testing.T) {
	level.SkipIfQuick(t)
	for _, kind := range Kinds() {
		img, format, err := image.Decode(bytes.NewReader(plotFile(t, run(t, brush(t), Sweep{Kind: kind}), "a.PNG")))
		if err != nil || format != "png" {
			t.Fatalf("%s: %s, %v", kind, format, err)
		}
		if size := img.Bounds(); size.Dx() < 600 || size.Dy() < 400 {
			t.Errorf("%s: %v", kind, size)
		}
		inked := 0
		for x := 0; x < img.Bounds().Dx(); x += 4 {
			for y := 0; y < img.Bounds().Dy(); y += 4 {
				if img.At(x, y) != img.At(0, 0) {
					inked++
				}
			}
		}
		if inked < 200 {
			t.Errorf("%s: only %d of the points looked at are drawn on", kind, inked)
		}
	}
}

func TestEqualSweepsGiveEqualPlots(t *testing.T) {
	for _, name := range []string{"a.svg", "a.png"} {
		a := plotFile(t, run(t, brush(t), Sweep{Kind: "combined"}), name)
		if b := plotFile(t, run(t, brush(t), Sweep{Kind: "combined"}), name); !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestPlotOfNothingIsStillAPlot(t *testing.T) {
	flat := brush(t)
	flat.Surface.Grip = 0
	for _, s := range []Sweep{{Kind: "slip-angle"}, {Kind: "combined"}, {Kind: "load"}, {Kind: "slip-ratio", From: at(0), To: at(0)}} {
		plotFile(t, run(t, flat, s), "a.svg")
	}
}

// What is written stands within the sheet, and beside no other line of the
// legend.
func TestPlotsHaveRoomForTheirTexts(t *testing.T) {
	angles := make([]float64, 20)
	for i := range angles {
		angles[i] = float64(i) - 12.3456
	}
	long := brush(t)
	long.Tire.Name = "/tmp/" + strings.Repeat("a name that is far too long ", 9) + ".tir"
	tests := []struct {
		name string
		b    *Bench
		s    Sweep
	}{
		{"long names", brush(t), Sweep{Kind: "slip-ratio", Loads: []float64{1234.56, 23456.7}, Alphas: []float64{-12.3456, -23.4567}, Gamma: -2}},
		{"40 curves", brush(t), Sweep{Kind: "slip-ratio", Loads: []float64{1234.56, 23456.7}, Alphas: angles}},
		{"40 curves in a single diagram", brush(t), Sweep{Kind: "combined", Loads: []float64{4000}, Alphas: append(angles, angles...)}},
		{"long heading", long, Sweep{Kind: "camber", Loads: []float64{1234.56}, Alphas: []float64{-12.3456}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { fits(t, plotFile(t, run(t, tt.b, tt.s), "a.svg")) })
	}
}

var (
	sheetSize = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
	textPlace = regexp.MustCompile(`<text x="([-0-9.]+)" y="([-0-9.]+)"[^>]*font-size:([0-9]+)px[^>]*>([^<]*(?:Fz|sweep| R15)[^<]*)</text>`)
)

// fits checks the heading and the names of the loads in an SVG.
func fits(t *testing.T, svg []byte) {
	t.Helper()
	number := func(text []byte) float64 {
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	sheet := sheetSize.FindSubmatch(svg)
	ends := map[string]float64{} // of the texts that begin at a place
	places := textPlace.FindAllSubmatch(svg, -1)
	if sheet == nil || len(places) < 2 {
		t.Fatalf("%d texts in %.500s", len(places), svg)
	}
	for _, p := range places {
		style := text.Style{Font: font.From(plot.DefaultFont, vg.Length(number(p[3]))), Handler: plot.DefaultTextHandler}
		style.Font.Variant = "Sans"
		end := number(p[1]) + style.Width(string(p[4])).Points()
		if end > number(sheet[1]) || -number(p[2]) > number(sheet[2]) || number(p[2]) > 0 {
			t.Errorf("%q at %s, %s to %.0f is cut off at %s, %s", p[4], p[1], p[2], end, sheet[1], sheet[2])
		}
		if place := string(p[1]) + " " + string(p[2]); ends[place] > 0 {
			t.Errorf("%q stands on another text", p[4])
		} else {
			ends[place] = end
		}
	}
}

func TestHeadingsShortenLongNames(t *testing.T) {
	tests := []struct{ tire, want string }{
		{"/tmp/α.tir", "α.tir"},
		{strings.Repeat("ä", 46) + ".tir", strings.Repeat("ä", 46) + ".tir"},
		{strings.Repeat("ä", 47) + ".tir", strings.Repeat("ä", 24) + "…" + strings.Repeat("ä", 20) + ".tir"},
	}
	for _, tt := range tests {
		if got := (&Result{Tire: tt.tire}).headline(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestSinglePointsAreDrawn(t *testing.T) {
	one := Sweep{Kind: "slip-ratio", Loads: []float64{2000, 4000}, From: at(0.07), To: at(0.07)}
	svg := string(plotFile(t, run(t, brush(t), one), "a.svg"))
	// Either curve has a dot in the diagram and one in the legend, of two arcs.
	if n := strings.Count(svg, "A3,3"); n != 8 {
		t.Errorf("%d arcs", n)
	}
}

func TestUnreadablePlotsAreRejected(t *testing.T) {
	refused(t, run(t, brush(t), Sweep{Kind: "combined"}).WritePlot("a.pdf"), `--plot: "a.pdf"`, ".svg or .png")
	path := filepath.Join(t.TempDir(), "a.svg")
	many := make([]float64, 60)
	for i := range many {
		many[i] = float64(i + 1)
	}
	refused(t, run(t, brush(t), Sweep{Kind: "combined", Loads: many[:7]}).WritePlot(path), "7 diagrams", "at most 6")
	refused(t, run(t, brush(t), Sweep{Kind: "slip-angle", Loads: many}).WritePlot(path), "60 curves", "at most 40")
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file")
	}
}
