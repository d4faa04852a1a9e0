package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Circuit is a ground with a line to drive on it.
type Circuit struct {
	Ground
	*Line // the centre line of the road

	Title    string
	Start    float64   // station of the line that starts a lap [m]
	Sectors  []float64 // stations where a sector ends and the next begins [m], in driving order
	Pit      Pit
	Cones    []r3.Vec // their feet, for the eye alone [m, world]
	Roadless bool     // nobody knows of a road: the line is straight, endlessly wide and only says where a car starts
	Walls    []Wall   // those that the ground is fenced with
	Areas    []string // names of the areas from 1 on
	Weather  Forecast // what happens to the areas' grip
}

// Pit is a lane beside the road.
type Pit struct {
	From, To    float64 // stations of its ends [m]
	Right, Left float64 // its sides beside the centre line, positive to the left [m]; both 0: there is none
	Limit       float64 // speed limit [m/s]
}

// Paving returns what the road is made of so far to the left of the centre line [m].
func (c *Circuit) Paving(station, left float64) tire.Surface {
	p := c.At(station)
	return c.Touch(r3.Add(p.Beside(left), r3.Vec{Z: 0.5})).Surface
}

// In tells whether a place of the road is in the pit lane; lap is the length of a
// closed line, 0 of an open one [m].
func (p *Pit) In(station, lateral, lap float64) bool {
	d, long := station-p.From, p.To-p.From
	if lap > 0 {
		d, long = math.Mod(d+lap, lap), math.Mod(long+lap, lap)
	}
	return p.Left > p.Right && lateral >= p.Right && lateral <= p.Left && d >= 0 && d <= long
}

// Surfaces lists what the ground is made of.
func (c *Circuit) Surfaces() []Surface { return SurfacesOf(c.Ground) }
