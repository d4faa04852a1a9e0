package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

// A map of 200 m by 100 m: its ground is blue, a red trace runs along y = 50 m.
func example() Map {
	ground := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for i := range ground.Pix {
		ground.Pix[i] = [4]uint8{0, 0, 255, 255}[i%4]
	}
	red := color.RGBA{255, 0, 0, 255}
	return Map{
		Title: "title", Subtitle: "conditions", Ground: ground, SouthWest: [2]float64{100, 0}, NorthEast: [2]float64{300, 100},
		Traces: []Trace{{X: []float64{100, 300}, Y: []float64{50, 50}, Colour: red, Width: 4}},
		Labels: []Label{{X: 120, Y: 80, Text: "here", Colour: red}, {X: 200, Y: 20, Text: "there", Colour: red, Cross: true}},
		Key:    []Swatch{{Colour: color.RGBA{0, 0, 255, 255}, Name: "water"}},
	}
}

func TestMapsSayWhatTheyShow(t *testing.T) {
	data, err := example().Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"title", "conditions", "here", "there", "water", "20 m"} {
		if !strings.Contains(string(data), ">"+want+"<") {
			t.Errorf("%q is not in the map", want)
		}
	}
	again, err := example().Render("svg")
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("the same map has other bytes, %v", err)
	}
}

// The ground keeps its shape, and a trace lies where it says.
func TestMapsAreToScale(t *testing.T) {
	data, err := example().Render("png")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	box, trace := image.Rectangle{Min: image.Pt(1e6, 1e6)}, image.Rectangle{Min: image.Pt(1e6, 1e6)}
	grow := func(r *image.Rectangle, x, y int) {
		r.Min, r.Max = image.Pt(min(r.Min.X, x), min(r.Min.Y, y)), image.Pt(max(r.Max.X, x+1), max(r.Max.Y, y+1))
	}
	width := img.Bounds().Dx() - 220 // left of the key
	for y := range img.Bounds().Dy() {
		for x := range width {
			switch r, _, b, _ := img.At(x, y).RGBA(); {
			case b > 0xf000 && r < 0x1000:
				grow(&box, x, y)
			case r > 0xf000 && b < 0x1000 && x < 40:
				grow(&trace, x, y)
			}
		}
	}
	if shape := float64(box.Dx()) / float64(box.Dy()); math.Abs(shape-2) > 0.02 {
		t.Errorf("the ground is %v: %.3f as wide as high, want 2", box, shape)
	}
	middle := (box.Min.Y + box.Max.Y) / 2
	if got := (trace.Min.Y + trace.Max.Y) / 2; got < middle-2 || got > middle+2 {
		t.Errorf("the trace is at %d, want %d", got, middle)
	}
}
