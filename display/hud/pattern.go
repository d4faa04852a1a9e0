package hud

import (
	"fmt"
	"math"

	"rig.example/rig/display/screens"
)

// Size of a bank card (ISO/IEC 7810, ID-1) [m].
const (
	cardWidth  = 0.0856
	cardHeight = 0.05398
)

// Pattern lays out what shows whether screens are described as they stand: the horizon, marks at every 15° of it, and a floor of
// squares of 1 m, 1.2 m below the eye. Lines go on from one screen to the next. The result is valid until the next call.
func (c *Canvas) Pattern(l *screens.Lens, aspect float64) []Vertex {
	const below, far, step = -1.2, 30, 0.25 // [m]
	c.vertices, c.width = c.vertices[:0], float32(Height*aspect)
	for i := -far; i <= far; i++ {
		for s := 0.0; s < far; s += step {
			for _, side := range [2]float64{1, -1} { // short pieces, because what is behind the eye cannot be drawn
				c.sight(l, [3]float64{side * s, float64(i), below}, [3]float64{side * (s + step), float64(i), below}, 1, dimColor)
				c.sight(l, [3]float64{float64(i), side * s, below}, [3]float64{float64(i), side * (s + step), below}, 1, dimColor)
			}
		}
	}
	const mark = 15 // [°]
	for a := -180.0; a < 180; a++ {
		c.sight(l, direction(a, 0), direction(a+1, 0), 3, accentColor)
		if math.Mod(a, mark) == 0 {
			c.sight(l, direction(a, -2), direction(a, 2), 2, okColor)
			if x, y, ok := c.spot(l, direction(a, 3)); ok {
				c.text(smallType, x, y, alignCenter, fmt.Sprintf("%.0f°", math.Abs(a)), textColor)
			}
		}
	}
	c.sight(l, direction(0, -8), direction(0, 8), 2, warnColor)
	return c.vertices
}

// Card lays out a bank card in its true size in the middle of a flat screen of this size [m]. The result is valid until the next
// call.
func (c *Canvas) Card(width, height, aspect float64) []Vertex {
	c.vertices, c.width = c.vertices[:0], float32(Height*aspect)
	w, h := c.width*float32(cardWidth/width), float32(Height*cardHeight/height)
	x, y := c.width/2-w/2, Height*0.25-h/2
	c.rect(x, y, x+w, y+h, panelColor)
	for _, e := range [4][4]float32{{x, y, x + w, y}, {x, y + h, x + w, y + h}, {x, y, x, y + h}, {x + w, y, x + w, y + h}} {
		c.line(e[0], e[1], e[2], e[3], 2, warnColor)
	}
	c.text(smallType, c.width/2, y+h/2-4, alignCenter, "a bank card: 85.6 mm", textColor)
	c.text(smallType, c.width/2, y+h/2+14, alignCenter, "by 54.0 mm", textColor)
	return c.vertices
}

// direction returns the direction at angles to the left and up [°].
func direction(left, up float64) [3]float64 {
	sl, cl := math.Sincos(left * math.Pi / 180)
	su, cu := math.Sincos(up * math.Pi / 180)
	return [3]float64{cl * cu, sl * cu, su}
}

// spot returns where a point from the eye is in the picture.
func (c *Canvas) spot(l *screens.Lens, at [3]float64) (x, y float32, ok bool) {
	px, py, ok := l.Place(at)
	return float32(px) * c.width, float32(1-py) * Height, ok && px > -1 && px < 2 && py > -1 && py < 2
}

// sight adds a line between two points from the eye, if it is near the picture.
func (c *Canvas) sight(l *screens.Lens, a, b [3]float64, thick float32, color rgba) {
	x0, y0, ok0 := c.spot(l, a)
	x1, y1, ok1 := c.spot(l, b)
	if ok0 && ok1 {
		c.line(x0, y0, x1, y1, thick, color)
	}
}
