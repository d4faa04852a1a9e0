package driver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"rig.example/rig/road"
	"rig.example/rig/road/racing"
)

// The lines that a driver can follow.
const (
	LineRacing = "racing" // line of least curvature between the road's edges
	LineCenter = "centre" // center line of the road
)

// typicalGround returns level ground with the median grip of the circuit's road.
func typicalGround(c *road.Circuit) road.Flat {
	const places = 400
	samples := make([]road.Flat, places)
	for i := range samples {
		samples[i].Surface = c.SurfaceAt(c.Length()*float64(i)/places, 0)
	}
	slices.SortStableFunc(samples, func(a, b road.Flat) int { return cmp.Compare(a.Surface.Grip, b.Surface.Grip) })
	return samples[places/2]
}

// chooseLine sets the line that the driver follows, and the grip of the road along that line.
func (d *Model) chooseLine() error {
	d.line = d.circuit.Line
	if d.cfg.Line == LineRacing {
		o := racing.DefaultOptions(d.params.Width)
		o.Margin = d.edgeMargin()
		line, err := racing.Line(d.circuit.Line, o)
		if err != nil {
			return fmt.Errorf("%w; or drive on the center line: line = %q", err, LineCenter)
		}
		d.line = line
	}
	d.setGrips()
	return nil
}

// edgeMargin returns the distance that the driver keeps from the road's edges [m]: more in a car that
// responds slowly.
func (d *Model) edgeMargin() float64 {
	const base, lagMargin = 0.8, 8.0 // [m]
	return base + lagMargin*d.lagShare()
}

// setGrips sets d.grips, the grip along the line over that of the ground of the trials. It is the lowest
// grip below the left and right wheels within 4 m ahead and behind.
func (d *Model) setGrips() {
	const reach = 4 // [m]
	n := int(math.Ceil(d.line.Length()))
	grips, hint := make([]float64, n), math.NaN()
	for i := range grips {
		p := d.line.At(float64(i))
		s, lateral := d.circuit.Nearest(p.Pos, hint)
		hint = s
		half := d.params.Width / 2
		grips[i] = min(d.gripAt(s, lateral-half), d.gripAt(s, lateral+half))
	}
	d.grips = make([]float64, n)
	for i := range grips {
		lowest := grips[i]
		for k := -reach; k <= reach; k++ {
			lowest = min(lowest, grips[((i+k)%n+n)%n])
		}
		d.grips[i] = lowest
	}
}

// gripAt returns the grip at a place of the road, over that of the ground of the trials.
func (d *Model) gripAt(station, lateral float64) float64 {
	return d.circuit.SurfaceAt(station, lateral).Grip / max(d.ground.Surface.Grip, 0.01)
}

// lineGrip returns the grip at a station s [m] of the line, over that of the ground of the trials.
func (d *Model) lineGrip(s float64) float64 { return d.grips[d.lineIndex(s)] }

// lineIndex returns the index of the metre of the line that contains a station.
func (d *Model) lineIndex(s float64) int {
	length := d.line.Length()
	s = finite(s, 0)
	s -= math.Floor(s/length) * length
	return min(max(int(s), 0), len(d.grips)-1)
}

// beyondEdge returns how far a place is beyond the road's edge [m]. It is negative on the road.
func (d *Model) beyondEdge(station, lateral float64) float64 {
	p := d.circuit.At(station)
	return max(lateral-p.Left, -p.Right-lateral)
}

// Line returns the line that the driver follows.
func (d *Model) Line() *road.Line { return d.line }

// PlannedSpeeds returns the planned speeds along the line with cold brakes.
func (d *Model) PlannedSpeeds() *racing.Speeds { return d.plans[0] }
