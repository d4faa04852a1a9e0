package survey

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/tools/lab/chart"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/road/racing"
)

// WritePicture writes a map of the circuit to a file whose name ends with .svg or .png.
func (r *Report) WritePicture(path string) error {
	return picture.Write(r.picture(), "picture", "--picture", path)
}

var (
	centerColour = color.RGBA{60, 130, 255, 255}
	racingColour = color.RGBA{255, 225, 60, 255}
	startColour  = color.RGBA{220, 20, 20, 255}
	pitColour    = color.RGBA{240, 150, 20, 255}
	wallColour   = color.RGBA{20, 20, 20, 255}
	coneColour   = color.RGBA{255, 110, 0, 255}
	faultColour  = color.RGBA{255, 0, 160, 255}
)

// picture returns the map of the circuit.
func (r *Report) picture() chart.Map {
	v, s := r.ground, r.site
	m := chart.Map{
		Title: r.Title, Ground: v.render(), SouthWest: [2]float64{v.low.X, v.low.Y},
		NorthEast: [2]float64{v.low.X + float64(v.nx)*v.size, v.low.Y + float64(v.ny)*v.size},
	}
	m.Subtitle = fmt.Sprintf("%s, %.0f m x %.0f m, heights %.1f to %.1f m", r.Kind, r.High[0]-r.Low[0], r.High[1]-r.Low[1], r.Low[2], r.High[2])
	if r.Line != nil {
		m.Subtitle += fmt.Sprintf(", line of %.0f m", r.Line.Length)
	}
	for _, u := range r.Surfaces {
		for i := range s.Surfaces {
			if s.Surfaces[i].Name == u.Name {
				k := &s.Surfaces[i]
				const plain = hatchPitch - 1 // a pixel between two lines
				w := chart.Swatch{Colour: displayColor(mapColour(k, plain, 0), 1), Name: u.Name}
				if k.Wet {
					w.Hatch = displayColor(hatchColour, 1)
				}
				m.Key = append(m.Key, w)
				break
			}
		}
	}
	if r.Line != nil {
		r.drawLine(&m)
	}
	r.drawObjects(&m)
	return m
}

// drawLine draws the racing line, the center line, the pit lane, the sectors and the start with an arrow in
// the direction of travel.
func (r *Report) drawLine(m *chart.Map) {
	c := r.site.Circuit
	along := func(from, to, left float64) (t chart.Trace) {
		n := max(int((to-from)/2), 2)
		for i := range n + 1 {
			p := c.At(from + (to-from)*float64(i)/float64(n))
			at := p.Offset(left)
			t.X, t.Y = append(t.X, at.X), append(t.Y, at.Y)
		}
		return t
	}
	drawAcross := func(at float64, colour color.Color, text string) {
		p := c.At(at)
		a, b := p.Offset(p.Left+4), p.Offset(-p.Right-4)
		m.Traces = append(m.Traces, chart.Trace{X: []float64{a.X, b.X}, Y: []float64{a.Y, b.Y}, Colour: colour, Width: 2})
		m.Labels = append(m.Labels, chart.Label{X: b.X, Y: b.Y, Text: text, Colour: colour})
	}
	r.drawRacing(m)
	center := along(0, c.Length(), 0)
	center.Colour, center.Width, center.Dashed = centerColour, 0.8, true
	m.Traces = append(m.Traces, center)
	m.Key = append(m.Key, chart.Swatch{Colour: centerColour, Name: "center line"})
	if p := c.Pit; p.Left > p.Right {
		to := p.To
		if to < p.From {
			to += c.Length()
		}
		for _, left := range [2]float64{p.Left, p.Right} {
			t := along(p.From, to, left)
			t.Colour, t.Width = pitColour, 0.8
			m.Traces = append(m.Traces, t)
		}
		m.Key = append(m.Key, chart.Swatch{Colour: pitColour, Name: "pit lane"})
	}
	for i, at := range c.Sectors {
		drawAcross(at, centerColour, fmt.Sprintf("sector %d", i+2))
	}
	drawAcross(c.Start, startColour, "start")
	p := c.At(c.Start + 0.03*c.Length()) // tip of the arrow
	sin, cos := math.Sincos(p.Heading)
	size := 0.012 * max(m.NorthEast[0]-m.SouthWest[0], m.NorthEast[1]-m.SouthWest[1])
	arrowEnd := func(side float64) (float64, float64) {
		return p.Pos.X - size*(cos+side*0.6*sin), p.Pos.Y - size*(sin-side*0.6*cos)
	}
	x0, y0 := arrowEnd(1)
	x1, y1 := arrowEnd(-1)
	m.Traces = append(m.Traces, chart.Trace{X: []float64{x0, p.Pos.X, x1}, Y: []float64{y0, p.Pos.Y, y1}, Colour: startColour, Width: 2})
}

// drawRacing draws the racing line, if the road has room for one.
func (r *Report) drawRacing(m *chart.Map) {
	const width = 1.8 // width of a usual car [m]
	l, err := racing.Line(r.site.Circuit.Line, racing.DefaultOptions(width))
	if err != nil {
		return
	}
	t := chart.Trace{Colour: racingColour, Width: 0.8}
	for at := 0.0; at <= l.Length(); at += 2 {
		p := l.At(at).Pos
		t.X, t.Y = append(t.X, p.X), append(t.Y, p.Y)
	}
	m.Traces = append(m.Traces, t)
	m.Key = append(m.Key, chart.Swatch{Colour: racingColour, Name: "racing line"})
}

// drawObjects draws walls, cones and faults, and the start of a circuit without a line.
func (r *Report) drawObjects(m *chart.Map) {
	c := r.site.Circuit
	for _, w := range c.Walls {
		m.Traces = append(m.Traces, chart.Trace{X: []float64{w.From.X, w.To.X}, Y: []float64{w.From.Y, w.To.Y}, Colour: wallColour, Width: 1.5})
	}
	const size = 0.3 // half the drawn size of a cone, larger than the real one [m]
	for _, k := range c.Cones {
		m.Traces = append(m.Traces, chart.Trace{X: []float64{k.X - size, k.X + size}, Y: []float64{k.Y, k.Y}, Colour: coneColour, Width: 1.5})
	}
	for _, f := range r.Checks {
		for _, p := range f.Places {
			m.Labels = append(m.Labels, chart.Label{X: p.At[0] - r.Origin[0], Y: p.At[1] - r.Origin[1], Text: f.Kind, Colour: faultColour, Cross: true})
		}
	}
	for _, k := range [...]struct {
		drawn  bool
		colour color.Color
		name   string
	}{{len(c.Walls) > 0, wallColour, "wall"}, {len(c.Cones) > 0, coneColour, "cone"}, {len(r.Checks) > 0, faultColour, "fault"}} {
		if k.drawn {
			m.Key = append(m.Key, chart.Swatch{Colour: k.colour, Name: k.name})
		}
	}
	if c.Roadless {
		p := c.At(0)
		ahead := r3.Add(p.Pos, r3.Scale(20, r3.Vec{X: math.Cos(p.Heading), Y: math.Sin(p.Heading)}))
		m.Labels = append(m.Labels, chart.Label{X: p.Pos.X, Y: p.Pos.Y, Text: "start", Colour: startColour})
		m.Traces = append(m.Traces, chart.Trace{X: []float64{p.Pos.X, ahead.X}, Y: []float64{p.Pos.Y, ahead.Y}, Colour: startColour, Width: 2})
	}
}
