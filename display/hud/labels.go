package hud

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// MaxLabels is how many other cars have a label at most.
const MaxLabels = 8

// Label is where a label of another car points in the picture.
type Label struct {
	X, Y     float64 // shares of the width and height, from the upper left
	Wide     float64 // width of the car below, as a share of the width
	Distance float64 // from the own car [m]
	Car      *frame.OtherCar
}

// labelHeight is the height of a label, in units of the panels.
const labelHeight = 30

// placedLabel is a label that has found room.
type placedLabel struct {
	*Label
	place
	text []byte
}

// drawLabels draws a label with name and distance above each car that has room for one: on no panel, and on no nearer car and its
// label. A line leads to the car.
func drawLabels(c *Canvas, s *Status) {
	defer func(v view) { c.view = v }(c.view)
	c.view = view{c.shown.view.scale, 0, 0}
	list := c.placeLabels(s.Labels[:min(len(s.Labels), MaxLabels)])
	for i := range list {
		l := &list[i]
		x, bottom := l.x+l.w/2, l.y+l.h
		c.line(x, bottom, x, float32(l.Y)*Height/c.view.scale, 2, carColor(l.Car.Slot))
	}
	for i := range list {
		l := &list[i]
		c.panel(l.x, l.y, l.w, l.h, 8, panelColor)
		c.rect(l.x+8, l.y+l.h-4, l.x+l.w-8, l.y+l.h-1, carColor(l.Car.Slot))
		c.write(smallType, l.x+12, l.y+21, alignLeft, l.text, textColor)
	}
}

// placeLabels returns the labels that have room. The list is valid until the next picture.
func (c *Canvas) placeLabels(labels []Label) []placedLabel {
	k := c.view.scale
	c.labels = c.labels[:0]
	for i := range labels {
		l := &labels[i]
		text := c.labelText(l)
		w := c.atlas.width(smallType, text) + 24
		p := place{float32(l.X)*c.width/k - w/2, float32(l.Y)*Height/k - labelHeight, w, labelHeight}
		if c.freeAbove(&p) {
			c.occupy(p)
			c.labels = append(c.labels, placedLabel{l, p, text})
		}
		wide := float32(valid.Clamp(l.Wide, 0, 1)) * c.width
		c.panels = append(c.panels, place{float32(l.X)*c.width - wide/2, float32(l.Y) * Height, wide, wide * float32(l.Car.Height/l.Car.Width)})
	}
	return c.labels
}

// labelText returns what a label says: name, distance, full laps between the cars, and whether the car is in the pit lane.
func (c *Canvas) labelText(l *Label) []byte {
	start := len(c.texts)
	c.texts = l.Car.Name.AppendTo(c.texts)
	c.texts = appendFigures(c.texts, "  %.0f m", gapOf(l))
	switch laps := float64(l.Car.LapsAhead); {
	case laps > 0:
		c.texts = appendFigures(c.texts, ", laps ahead: %.0f", laps)
	case laps < 0:
		c.texts = appendFigures(c.texts, ", laps behind: %.0f", -laps)
	}
	if l.Car.InPit != 0 {
		c.texts = append(c.texts, ", pit"...)
	}
	return c.texts[start:len(c.texts):len(c.texts)]
}

// gapOf returns how far a car is away [m]: along the circuit if that is known.
func gapOf(l *Label) float64 {
	if !math.IsNaN(l.Car.Gap) && math.Abs(l.Car.Gap) > l.Distance {
		return min(math.Abs(l.Car.Gap), 9999)
	}
	return valid.Clamp(l.Distance, 0, 9999)
}

// freeAbove moves p up until it is free, a little at most, and reports whether it is.
func (c *Canvas) freeAbove(p *place) bool {
	for range 5 {
		if c.isFree(c.view.in(*p)) {
			return true
		}
		p.y -= labelHeight + 4
	}
	return false
}

// isFree reports whether p is in the picture, and on no panel and none of the cars that have their labels.
func (c *Canvas) isFree(p place) bool {
	if p.x < 0 || p.y < 0 || p.x+p.w > c.width || p.y+p.h > Height {
		return false
	}
	for _, o := range c.panels {
		if p.x < o.x+o.w && o.x < p.x+p.w && p.y < o.y+o.h && o.y < p.y+p.h {
			return false
		}
	}
	return true
}

// carColor returns the color of another car.
func carColor(slot uint64) rgba {
	color := frame.OtherColor(slot)
	return rgba{float32(color[0]), float32(color[1]), float32(color[2]), 1}
}

// spot is a car on the map.
type spot struct {
	x, y  float32
	place uint64 // in the classification; 0: no number is drawn
	color rgba
}

// drawMapCars draws a dot for each car, with its place where that does not cover another number; the own car is on top.
func drawMapCars(c *Canvas, room place, f *frame.Frame, o *frame.Others) {
	c.spots = c.spots[:0]
	c.addSpot(room, [2]float64{f.Pos[0], f.Pos[1]}, o.Session.Place, alarmColor)
	for i := range o.Count {
		car := &o.Cars[i]
		c.addSpot(room, [2]float64{car.Pos[0], car.Pos[1]}, car.Place, carColor(car.Slot))
	}
	for i := len(c.spots) - 1; i >= 0; i-- {
		c.spots[i].draw(c)
	}
}

// addSpot adds a car on the map, without a number if that has no room.
func (c *Canvas) addSpot(room place, at [2]float64, rank uint64, color rgba) {
	if !valid.Finite(at[0]) || !valid.Finite(at[1]) {
		return
	}
	const wide, high = 26, 24 // room of a number
	x, y := c.circuit.spot(room, c.circuit.plan(at))
	for i := range c.spots {
		if o := &c.spots[i]; o.place > 0 && math.Abs(float64(o.x-x)) < wide && math.Abs(float64(o.y-y)) < high {
			rank = 0
		}
	}
	if rank > 99 {
		rank = 0
	}
	c.spots = append(c.spots, spot{x, y, rank, color})
}

// draw draws the dot of a car and its place.
func (s *spot) draw(c *Canvas) {
	radius := float32(7)
	if s.place > 0 {
		radius = 13
	}
	c.panel(s.x-radius-2, s.y-radius-2, 2*radius+4, 2*radius+4, radius+2, darkColor)
	c.panel(s.x-radius, s.y-radius, 2*radius, 2*radius, radius, s.color)
	if s.place == 0 {
		return
	}
	letters := textColor
	if 0.3*s.color[0]+0.59*s.color[1]+0.11*s.color[2] > 0.45 {
		letters = darkColor
	}
	c.write(smallType, s.x, s.y+7, alignCenter, c.figures("%.0f", float64(s.place)), letters)
}
