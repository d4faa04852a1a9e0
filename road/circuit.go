package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Circuit is a ground with a line to drive on it.
type Circuit struct {
	Ground
	*Line // center line of the road

	Title    string
	Start    float64   // station of the start line [m]
	Sectors  []float64 // stations where a sector ends and the next begins [m], in driving order
	Pit      PitLane
	Cones    []r3.Vec // positions of cones on the ground [m, world]; they are drawn and have no effect on the car
	Roadless bool     // no road is known: Line is straight and only gives the car's start position
	Walls    []Wall   // walls of the ground
	Areas    []string // names of the areas, from area 1 on
	Weather  Forecast // changes of the areas' grip
}

// PitLane is a lane beside the road.
type PitLane struct {
	From, To    float64 // stations of its ends [m]
	Right, Left float64 // lateral positions of its sides, positive left of the center line [m]; both 0: no pit lane
	Limit       float64 // speed limit [m/s]
}

// SurfaceAt returns the surface at a station and at a distance left of the center line [m].
func (c *Circuit) SurfaceAt(station, left float64) tire.Surface {
	p := c.At(station)
	return c.Touch(r3.Add(p.Offset(left), r3.Vec{Z: 0.5})).Surface
}

// Contains reports whether a position on the road is in the pit lane. lap is the length of a closed line,
// 0 for an open one [m].
func (p *PitLane) Contains(station, lateral, lap float64) bool {
	d, length := station-p.From, p.To-p.From
	if lap > 0 {
		d, length = math.Mod(d+lap, lap), math.Mod(length+lap, lap)
	}
	return p.Left > p.Right && lateral >= p.Right && lateral <= p.Left && d >= 0 && d <= length
}

// Surfaces lists the surfaces of the ground.
func (c *Circuit) Surfaces() []Surface { return SurfacesOf(c.Ground) }
