// Package scenery gathers what stands still around the car, for a display to draw: the ground with
// what it is made of, walls, cones, the road's edges and the racing line. In go a drive's circuit and
// car; out comes one frame.Scene, of the size that a page has room for. It looks at the ground from
// above and changes nothing.
package scenery

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/frame"
	"rig.example/rig/sim/road"
)

// Scene returns what stands still: the ground about the line of a circuit, or about a place where it
// has none, what is on it, the line to drive, and the size of the car.
func Scene(setup *drive.Setup, place r3.Vec, line Line) *frame.Scene {
	c := setup.Circuit
	s := &frame.Scene{Car: Size(setup)}
	s.Materials = materials(c)
	for _, at := range c.Cones[:min(len(c.Cones), frame.MaxCones)] {
		s.Cones = append(s.Cones, frame.Cone(at))
	}
	s.Walls = walls(c.Ground)
	if c.Line == nil || c.Roadless {
		low, high := reach(c.Ground, place)
		s.Field = survey(c.Ground, low, high)
		return s
	}
	s.Closed, s.Lap, s.Start = c.Closed(), c.Length(), c.Start
	s.Sectors = c.Sectors[:min(len(c.Sectors), frame.MaxSectors)]
	s.Pit = frame.Pit{From: c.Pit.From, To: c.Pit.To, Right: c.Pit.Right, Left: c.Pit.Left}
	s.Points, s.Guides = points(c), guides(c.Ground, &line)
	low, high := around(s.Points)
	s.Field = survey(c.Ground, low, high)
	return s
}

// Size returns the size of the car.
func Size(setup *drive.Setup) frame.Car {
	p := setup.Car.Params()
	return frame.Car{
		Length: p.Length, Width: p.Width, Height: p.Height, CGHeight: p.CGHeight, CGToFront: p.CGToFront,
		Wheelbase: p.Wheelbase, WheelRadius: p.Front.Radius(), SteerRatio: p.Steering.Ratio,
	}
}

// materials lists what the ground is made of, asphalt where it does not tell.
func materials(c *road.Circuit) []frame.Material {
	list := c.Surfaces()
	if len(list) == 0 {
		tarmac, err := road.SurfaceNamed("tarmac")
		if err != nil {
			panic(err) // it is built in
		}
		list = []road.Surface{tarmac}
	}
	var out []frame.Material
	for _, s := range list[:min(len(list), frame.MaxMaterials)] {
		out = append(out, frame.Material{Name: s.Name, Colour: s.Colour})
	}
	return out
}

// walls lists the walls of a ground; nil if it has none.
func walls(g road.Ground) []frame.Wall {
	fenced := road.FenceOf(g)
	if fenced == nil {
		return nil
	}
	var out []frame.Wall
	blocks := fenced.Blocks()
	for i := range blocks[:min(len(blocks), frame.MaxWalls)] {
		feet, top := blocks[i].Edges()
		w := frame.Wall{Foot: min(feet[0].Z, feet[1].Z), Top: top}
		for k, from := range [4]int{2, 3, 1, 0} {
			w.Corners[k] = [2]float64{feet[from].X, feet[from].Y}
		}
		out = append(out, w)
	}
	return out
}

// points samples the road and its verges along a circuit's line.
func points(c *road.Circuit) []frame.Point {
	const spacing = 2.0 // [m]
	n := max(min(int(c.Length()/spacing), frame.MaxPoints), 2)
	intervals := n - 1
	if c.Closed() {
		intervals = n
	}
	out := make([]frame.Point, n)
	for i := range out {
		out[i] = point(c, float64(i)/float64(intervals)*c.Length())
	}
	return out
}

// point samples the road and its verges at a station.
func point(c *road.Circuit, station float64) frame.Point {
	at := c.At(station)
	p := frame.Point{
		X: at.Pos.X, Y: at.Pos.Y, Left: at.Left, Right: at.Right, KerbLeft: at.KerbLeft, KerbRight: at.KerbRight,
		VergeLeft: verge(at.Left, at.KerbLeft, at.Curvature, c.Pit.Left), VergeRight: verge(at.Right, at.KerbRight, -at.Curvature, -c.Pit.Right),
	}
	for k, d := range p.Offsets() {
		on := at.Beside(d)
		p.Heights[k], _ = below(c.Ground, on)
		if math.IsNaN(p.Heights[k]) {
			p.Heights[k] = on.Z
		}
	}
	for k := range p.Paint {
		d := p.PaintOffset(k)
		if beyond := 0.3; d > at.Left && d < at.Left+at.KerbLeft { // kerbs have colours of their own
			d = at.Left + at.KerbLeft + beyond
		} else if d < -at.Right && d > -at.Right-at.KerbRight {
			d = -at.Right - at.KerbRight - beyond
		}
		_, p.Paint[k] = below(c.Ground, at.Beside(d))
	}
	return p
}

// guides samples the racing line; there are none where there is no such line.
func guides(g road.Ground, r *Line) []frame.Guide {
	const spacing, coasts = 2.0, 0.5 // [m], less than so much is neither driving nor braking [m/s²]
	if r.line == nil {
		return nil
	}
	long := r.line.Length()
	out := make([]frame.Guide, max(min(int(long/spacing), frame.MaxGuides-1), 1)+1)
	for i := range out {
		s := float64(i) / float64(len(out)-1) * long
		at := r.line.At(s).Pos
		out[i] = frame.Guide{X: at.X, Y: at.Y, Z: at.Z, Pace: frame.Coasting}
		if z, _ := below(g, at); z == z {
			out[i].Z = z
		}
		switch _, ahead := r.speeds.At(s); {
		case ahead > coasts:
			out[i].Pace = frame.Driving
		case ahead < -coasts:
			out[i].Pace = frame.Braking
		}
	}
	return out
}

// verge returns how far beyond the road's edge the verge is drawn with the road [m]: as
// far as the pit lane if that lies there, and nowhere beyond the middle of a bend.
// curvature is positive where the bend's inside is on this side.
func verge(edge, kerb, curvature, pit float64) float64 {
	const usual, beside, inside = 12.0, 1.5, 0.85 // [m], [m] beside the pit lane, share of the radius
	wide := max(usual, pit-edge+beside)
	if curvature > 0 {
		wide = min(wide, inside/curvature-edge)
	}
	return max(wide, kerb+0.5)
}

// below returns the height of the ground above or below a place, and its material. The
// height is not a number where there is no ground.
func below(g road.Ground, p r3.Vec) (z float64, material uint8) {
	const above, nowhere = 0.5, 900.0 // [m]; grounds are a kilometre down where there is none
	p.Z += above
	c := g.Touch(p)
	z = p.Z + c.Depth/c.Normal.Z
	if !(p.Z-z < nowhere) {
		return math.NaN(), c.Material
	}
	for range 3 { // what lies on a slope is exact from nearby alone
		p.Z = z
		c = g.Touch(p)
		z += c.Depth / c.Normal.Z
	}
	return z, c.Material
}
