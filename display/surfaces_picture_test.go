//go:build cgo

package display

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/stat"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/display/scene"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/road"
)

// surfacesScene returns level ground of squares of 12 m, one of each of the built-in surfaces, six in a row.
func surfacesScene(t *testing.T) (*frame.Scene, []string) {
	t.Helper()
	s := displaytest.Oval()
	s.Points, s.Materials = nil, nil
	names := road.SurfaceNames()
	for _, name := range names {
		surface, err := road.SurfaceNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		m := frame.Material{Name: name, Colour: surface.Colour, Sound: surface.Sound}
		if surface.Wet {
			m.Wet = 1
		}
		s.Materials = append(s.Materials, m)
	}
	rows := (len(names) + sheetColumns - 1) / sheetColumns
	f := frame.Field{CellSize: 1, NX: rows*sheetSquare + 1, NY: sheetColumns*sheetSquare + 1}
	for k := range f.NX * f.NY {
		i, j := min(k%f.NX/sheetSquare, rows-1), min(k/f.NX/sheetSquare, sheetColumns-1)
		f.Heights = append(f.Heights, 0)
		f.Materials = append(f.Materials, uint8(min(i*sheetColumns+j, len(names)-1)))
	}
	s.Field = f
	return s, names
}

const sheetColumns, sheetSquare = 6, 12 // squares in a row; edge of a square [m]

// Every built-in surface can be told from every other in the picture, in all qualities.
func TestEverySurfaceLooksDifferent(t *testing.T) {
	s, names := surfacesScene(t)
	_, r := testRenderer(t, 1280, 720)
	r.setScene(s)
	p := testPicture(r, &frame.Frame{Att: [4]float64{1}, Pos: [3]float64{-300, 0, 0}}, Chase)
	p.bare = true
	for quality, d := range details {
		if err := r.setQuality(quality); err != nil {
			t.Fatal(err)
		}
		looks := make([]look, len(names))
		sheet := image.NewRGBA(image.Rect(0, 0, sheetColumns*sheetPixels, (len(names)+sheetColumns-1)/sheetColumns*sheetPixels))
		for i := range names {
			p.eye = sheetEye(i)
			img, err := imageOf(r, p, sheetPixels, sheetPixels)
			if err != nil {
				t.Fatal(err)
			}
			looks[i] = lookOf(img)
			draw.Draw(sheet, img.Bounds().Add(image.Pt(i%sheetColumns*sheetPixels, i/sheetColumns*sheetPixels)), img, image.Point{}, draw.Src)
		}
		for i := range names {
			for k := range i {
				if d := looks[i].difference(&looks[k]); d < 4 { // an eye just sees 2.3
					t.Errorf("%s: %s and %s differ by %.1f, want 4 or more: %.1f, %.1f", details[quality].name, names[i], names[k], d, looks[i], looks[k])
				}
			}
		}
		if d.name == Medium {
			golden(t, "surfaces", sheet)
		}
		if folder := os.Getenv("DISPLAY_PICTURES"); folder != "" {
			if err := writePNG(filepath.Join(folder, "surfaces-"+d.name+".png"), sheet); err != nil {
				t.Fatal(err)
			}
		}
	}
}

const sheetPixels = 208 // edge of a surface's picture

// sheetEye looks at the middle of square i, as a driver looks at the road some meters ahead.
func sheetEye(i int) scene.Eye {
	middle := mgl64.Vec3{(float64(i/sheetColumns) + 0.5) * sheetSquare, (float64(i%sheetColumns) + 0.5) * sheetSquare, 0}
	return scene.Eye{Pos: middle.Add(mgl64.Vec3{-9, 0, 4}), Target: middle, Up: mgl64.Vec3{0, 0, 1}, FOV: 0.45, Near: 0.3}
}

// look is what an eye sees of a surface: the mean color in CIELAB, and the standard deviations of lightness from pixel to pixel
// and between squares of 8 by 8 pixels.
type look [5]float64

func (a *look) difference(b *look) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(sum)
}

// lookOf returns the look of the middle of a picture.
func lookOf(img *image.RGBA) (l look) {
	const from, to, block = 64, 144, 8
	var fine, coarse []float64
	for y := from; y < to; y += block {
		for x := from; x < to; x += block {
			sum := 0.0
			for i := range block * block {
				lab := labOf(img.RGBAAt(x+i%block, y+i/block))
				for k, v := range lab {
					l[k] += v / (to - from) / (to - from)
				}
				fine, sum = append(fine, lab[0]), sum+lab[0]
			}
			coarse = append(coarse, sum/block/block)
		}
	}
	l[3], l[4] = stat.StdDev(fine, nil), stat.StdDev(coarse, nil)
	return l
}

// labOf returns a color in CIELAB (D65, 2°).
func labOf(c color.RGBA) [3]float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	x, y, z := f((0.4124*r+0.3576*g+0.1805*b)/0.9505), f(0.2126*r+0.7152*g+0.0722*b), f((0.0193*r+0.1192*g+0.9505*b)/1.0888)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
