package driver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/racing"
)

// The lines that a driver can follow.
const (
	LineRacing = "racing" // of least curvature between the road's edges
	LineCentre = "centre" // the middle of the road
)

// usual returns a level ground of what most of a circuit's road is made of: that whose
// grip is the middle one.
func usual(c *road.Circuit) road.Flat {
	const places = 400
	found := make([]road.Flat, places)
	for i := range found {
		found[i].Surface = c.Paving(c.Length()*float64(i)/places, 0)
	}
	slices.SortStableFunc(found, func(a, b road.Flat) int { return cmp.Compare(a.Surface.Grip, b.Surface.Grip) })
	return found[places/2]
}

// choose gives the driver a line along the circuit, and notes its grip.
func (d *Model) choose() error {
	d.line = d.circuit.Line
	if d.cfg.Line == LineRacing {
		o := racing.DefaultOptions(d.p.Width)
		o.Margin = d.margin()
		line, err := racing.Line(d.circuit.Line, o)
		if err != nil {
			return fmt.Errorf("%w; or drive on the centre line: line = %q", err, LineCentre)
		}
		d.line = line
	}
	d.feel()
	return nil
}

// margin is what the driver keeps to the road's edges [m]: more in a car that answers late.
func (d *Model) margin() float64 {
	const usual, late = 0.8, 8.0 // [m]
	return usual + late*d.late()
}

// feel notes the grip along the line, in shares of that of the ground where the trials
// were: the least of where wheels are, and a little before and behind.
func (d *Model) feel() {
	const about = 4 // [m]
	n := int(math.Ceil(d.line.Length()))
	found, hint := make([]float64, n), math.NaN()
	for i := range found {
		p := d.line.At(float64(i))
		s, left := d.circuit.Nearest(p.Pos, hint)
		hint = s
		half := d.p.Width / 2
		found[i] = min(d.paving(s, left-half), d.paving(s, left+half))
	}
	d.grips = make([]float64, n)
	for i := range found {
		least := found[i]
		for k := -about; k <= about; k++ {
			least = min(least, found[((i+k)%n+n)%n])
		}
		d.grips[i] = least
	}
}

// paving returns the grip of a place of the road, in shares of that of the trials' ground.
func (d *Model) paving(station, left float64) float64 {
	return d.circuit.Paving(station, left).Grip / max(d.ground.Surface.Grip, 0.01)
}

// grip returns the share of the trials' grip that the road has at a station of the line.
func (d *Model) grip(s float64) float64 { return d.grips[d.metre(s)] }

// metre returns the number of the line's metre at a station.
func (d *Model) metre(s float64) int {
	length := d.line.Length()
	s = finite(s, 0)
	s -= math.Floor(s/length) * length
	return min(max(int(s), 0), len(d.grips)-1)
}

// beyond returns how far a place beside the centre line is beyond the road's edge [m],
// negative on the road.
func (d *Model) beyond(station, lateral float64) float64 {
	p := d.circuit.At(station)
	return max(lateral-p.Left, -p.Right-lateral)
}

// Line returns the line that the driver follows.
func (d *Model) Line() *road.Line { return d.line }

// Speeds returns the speed that the driver plans along the line, while the brakes are cold.
func (d *Model) Speeds() *racing.Speeds { return d.plans[0] }
