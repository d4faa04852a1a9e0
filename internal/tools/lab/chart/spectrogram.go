package chart

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Spectrogram is a picture of a sound: time to the right, frequency upwards on a logarithmic axis, levels as colors.
type Spectrogram struct {
	Title, Subtitle string
	Seconds         float64     // length [s]
	Low, High       float64     // frequencies of the lowest and of the highest row [Hz]
	Levels          [][]float64 // by column, then row from the lowest, evenly spaced on a logarithmic axis [dB]
	Floor           float64     // level of the darkest color [dB]; 0 dB is the brightest
}

// Render returns the spectrogram in a format: svg or png.
func (s Spectrogram) Render(format string) ([]byte, error) {
	const width, height, axis = 24 * vg.Centimeter, 12 * vg.Centimeter, 1.4 * vg.Centimeter
	out, all := newPage(format, s.Title, s.Subtitle, width+axis+margin, height+axis)
	low := vg.Point{X: all.Min.X + axis, Y: all.Max.Y - headHeight - height}
	all.DrawImage(vg.Rectangle{Min: low, Max: vg.Point{X: low.X + width, Y: low.Y + height}}, s.image())
	line := draw.LineStyle{Color: color.Gray{0x60}, Width: 0.6}
	for _, hz := range [...]float64{20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000} {
		if hz < s.Low || hz > s.High {
			continue
		}
		y := low.Y + height*vg.Length(math.Log(hz/s.Low)/math.Log(s.High/s.Low))
		all.StrokeLines(line, []vg.Point{{X: low.X - 4, Y: y}, {X: low.X, Y: y}})
		style := smallStyle()
		style.XAlign = draw.XRight
		all.FillText(style, vg.Point{X: low.X - 6, Y: y}, strconv.FormatFloat(hz, 'f', -1, 64)+" Hz")
	}
	for _, tick := range (ticks{}).Ticks(0, s.Seconds) { // none for an empty sound
		x := low.X + width*vg.Length(tick.Value/s.Seconds)
		all.StrokeLines(line, []vg.Point{{X: x, Y: low.Y - 4}, {X: x, Y: low.Y}})
		style := smallStyle()
		style.XAlign = draw.XCenter
		all.FillText(style, vg.Point{X: x, Y: low.Y - 12}, tick.Label+" s")
	}
	return encode(out, format)
}

// image returns the levels as colors, from black over red to white.
func (s *Spectrogram) image() image.Image {
	rows := len(s.Levels[0])
	img := image.NewRGBA(image.Rect(0, 0, len(s.Levels), rows))
	for x, column := range s.Levels {
		for row, level := range column {
			v := min(max(1-level/s.Floor, 0), 1)
			ramp := func(from float64) uint8 { return uint8(255 * min(max((v-from)*2.5, 0), 1)) }
			img.SetRGBA(x, rows-1-row, color.RGBA{ramp(0), ramp(0.35), ramp(0.6), 255})
		}
	}
	return img
}
