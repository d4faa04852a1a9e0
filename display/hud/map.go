package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// mapPoints is the highest number of points of the circuit's line on the map.
const mapPoints = 256

// circuitMap is the line of a circuit, seen from above with north (y) up, or with east (x) down if it is longer from north to south.
type circuitMap struct {
	points    [mapPoints][2]float64
	count     int
	closed    bool
	start     int // index of the point at the start line
	low, high [2]float64
	turned    bool
}

// SetScene gives the canvas the circuit that its map shows, and begins new traces.
func (c *Canvas) SetScene(s *frame.Scene) {
	c.circuit, c.trace, c.gScale = circuitMap{closed: s.Closed}, trace{}, 0
	m, n := &c.circuit, len(s.Points)
	if n < 2 {
		return
	}
	m.count = min(n, mapPoints)
	m.low, m.high = [2]float64{math.MaxFloat64, math.MaxFloat64}, [2]float64{-math.MaxFloat64, -math.MaxFloat64}
	var raw [mapPoints][2]float64
	for i := range m.count {
		p := &s.Points[i*(n-1)/max(m.count-1, 1)]
		raw[i] = [2]float64{p.X, p.Y}
		for k, v := range raw[i] {
			m.low[k], m.high[k] = min(m.low[k], v), max(m.high[k], v)
		}
	}
	if m.turned = m.high[1]-m.low[1] > m.high[0]-m.low[0]; m.turned {
		m.low, m.high = [2]float64{m.low[1], -m.high[0]}, [2]float64{m.high[1], -m.low[0]}
	}
	for i := range m.count {
		m.points[i] = m.plan(raw[i])
	}
	m.start = int(math.Round(valid.Clamp(s.Start/lapLength(s), 0, 1) * float64(m.count-1)))
}

// lapLength returns the length of a scene's center line [m].
func lapLength(s *frame.Scene) float64 {
	if s.LapLength > 0 {
		return s.LapLength
	}
	sum := 0.0
	for i := range s.Points[1:] {
		sum += math.Hypot(s.Points[i+1].X-s.Points[i].X, s.Points[i+1].Y-s.Points[i].Y)
	}
	return max(sum, 1)
}

// plan returns a point of the world to the right and up on the map [m].
func (m *circuitMap) plan(p [2]float64) [2]float64 {
	if m.turned {
		return [2]float64{p[1], -p[0]}
	}
	return p
}

// spot returns where a point of the plan is in room; a point off the map is at its edge.
func (m *circuitMap) spot(room place, p [2]float64) (x, y float32) {
	width, height := max(m.high[0]-m.low[0], 1), max(m.high[1]-m.low[1], 1)
	k := min(float64(room.w)/width, float64(room.h)/height)
	right := k * (p[0] - (m.low[0]+m.high[0])/2)
	up := k * (p[1] - (m.low[1]+m.high[1])/2)
	w, h := float64(room.w)/2, float64(room.h)/2
	return room.x + float32(w+valid.Clamp(right, -w, w)), room.y + float32(h-valid.Clamp(up, -h, h))
}

// Sizes of the page of the map.
const (
	mapWidth  = 380
	mapHeight = 200
	gRadius   = 74
)

// drawMapPage draws the circuit with the car and the ghost, and below it the g-g circle.
func drawMapPage(c *Canvas, room place, f *frame.Frame, s *Status) {
	const height = mapHeight + 2*gRadius + 76
	defer func(v view) { c.view = v }(c.fit(room, mapWidth, height, c.options.side()))
	c.card(mapWidth, height)
	drawMap(c, place{inset + 8, 20, mapWidth - 2*inset - 16, mapHeight}, f, s)
	drawCircle(c, inset+gRadius+4, mapHeight+gRadius+56, f)
}

// drawMap draws the circuit, its start line, the ghost and the car.
func drawMap(c *Canvas, room place, f *frame.Frame, s *Status) {
	m := &c.circuit
	if m.count == 0 {
		c.text(smallType, room.x+room.w/2, room.y+room.h/2, alignCenter, "no circuit", dimColor)
		return
	}
	last := m.count - 1
	if m.closed {
		last++
	}
	x0, y0 := m.spot(room, m.points[0])
	for i := 1; i <= last; i++ {
		x, y := m.spot(room, m.points[i%m.count])
		c.line(x0, y0, x, y, 5, dimColor)
		x0, y0 = x, y
	}
	x, y := m.spot(room, m.points[m.start])
	c.rect(x-2, y-10, x+2, y+10, textColor)
	if s.Ghost {
		c.dot(room, s.GhostAt, 7, ghostColor)
	}
	if s.Others != nil {
		drawMapCars(c, room, f, s.Others)
		return
	}
	c.dot(room, [2]float64{f.Pos[0], f.Pos[1]}, 8, alarmColor)
}

var (
	ghostColor = rgba{0.62, 0.80, 1, 1}
	gridColor  = rgba{0.70, 0.75, 0.81, 0.45}
)

// dot adds a round mark at a place of the world on the map; none if that is NaN or Inf.
func (c *Canvas) dot(room place, at [2]float64, radius float32, color rgba) {
	if !valid.Finite(at[0]) || !valid.Finite(at[1]) {
		return
	}
	x, y := c.circuit.spot(room, c.circuit.plan(at))
	c.panel(x-radius-2, y-radius-2, 2*radius+4, 2*radius+4, radius+2, darkColor)
	c.panel(x-radius, y-radius, 2*radius, 2*radius, radius, color)
}

// gTrail is how many samples of the acceleration the g-g circle shows: 3 s.
const gTrail = 60

// drawCircle draws the g-g circle around x, y: the acceleration of the car, forward up and to the left to the left, with its trail, and in
// words beside it.
func drawCircle(c *Canvas, x, y float32, f *frame.Frame) {
	forward, left := f.Acc[0]/gravity, f.Acc[1]/gravity
	for full := max(math.Ceil(min(math.Hypot(clampForText(forward), clampForText(left)), 6)-0.05), 1); c.gScale < full; {
		c.gScale = full
	}
	for k := 1.0; k <= c.gScale; k++ {
		c.ring(x, y, gRadius*float32(k/c.gScale), 2, gridColor)
	}
	c.line(x-gRadius, y, x+gRadius, y, 1, gridColor)
	c.line(x, y-gRadius, x, y+gRadius, 1, gridColor)
	for i := min(c.trace.count, gTrail) - 1; i >= 0; i-- {
		color := accentColor
		color[3] = 0.8 - 0.7*float32(i)/gTrail
		c.gDot(x, y, c.trace.at(i).acc, 3, color)
	}
	c.gDot(x, y, [2]float32{figure32(forward), figure32(left)}, 7, textColor)
	text := x + gRadius + 18
	c.write(smallType, text, y-gRadius+16, alignLeft, c.figures("g-g, ring: %.0f g", c.gScale), dimColor)
	c.write(smallType, text, y-8, alignLeft, c.directed("%.2f g", bounded(left, 99), "left", "right"), textColor)
	c.write(smallType, text, y+22, alignLeft, c.directed("%.2f g", bounded(forward, 99), "forward", "braking"), textColor)
}

// gDot adds a round mark for an acceleration forward and to the left [g].
func (c *Canvas) gDot(x, y float32, acc [2]float32, radius float32, color rgba) {
	k := gRadius / float32(c.gScale)
	dx, dy := -acc[1]*k, -acc[0]*k
	if l := float32(math.Hypot(float64(dx), float64(dy))); l > gRadius {
		dx, dy = dx*gRadius/l, dy*gRadius/l
	}
	c.panel(x+dx-radius, y+dy-radius, 2*radius, 2*radius, radius, color)
}
