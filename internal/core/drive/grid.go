package drive

import (
	"fmt"
	"math"
)

// Grid is a place on the grid: of the front axle, behind the start line along the center line and to the left of that [m].
// The zero value is none.
type Grid struct {
	Behind float64 `json:"behind_m"`
	Left   float64 `json:"left_m"`
}

// StartOnGrid puts the car at rest on a grid place. Call it before UseDriverModel and before the first tick. It returns an
// error if there is no road.
func (d *Drive) StartOnGrid(g Grid) error {
	c, s := d.Setup.Circuit, &d.State
	front := c.Start - g.Behind
	station := front - d.Setup.Car.Params().CGToFront
	switch at := c.At(station); {
	case c.Roadless || !c.Closed() && station < 0:
		return fmt.Errorf("%s: it has no road %.0f m before the start line, where the place on the grid is; move the line by start.at_m", c.Title, g.Behind)
	case g.Left > at.Left || -g.Left > at.Right:
		return fmt.Errorf("%s: the road is too narrow for a grid %.0f m before the start line", c.Title, g.Behind)
	default:
		s.Car = d.Setup.Car.Rest(at.Offset(g.Left), at.Heading)
		d.restartDriver()
	}
	d.Setup.Grid = g
	if s.Station = front; c.Closed() {
		s.Station = math.Mod(front+c.Length(), c.Length())
	}
	return nil
}
