// Package scenery collects everything around the car that does not move, for a display to draw: the ground
// with its materials, walls, cones, the edges of the road and the racing line. It takes the circuit and the
// car of a drive, and returns one frame.Scene within the size limits of a page. It samples the ground from
// above. It never changes a circuit, and draws nothing itself.
package scenery

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/road"
)

// Scene returns everything that does not move: the ground along the line of a circuit or, if it has no line,
// around place [m, world]; walls and cones; the racing line; and the size of the car.
func Scene(setup *drive.Setup, place r3.Vec, line RacingLine) *frame.Scene {
	c := setup.Circuit
	s := Outline(setup)
	for _, at := range c.Cones[:min(len(c.Cones), frame.MaxCones)] {
		s.Cones = append(s.Cones, frame.Cone(at))
	}
	s.Walls = walls(c.Ground)
	if c.Line == nil || c.Roadless {
		low, high := groundExtent(c.Ground, place)
		s.Field = sampleField(c.Ground, low, high)
		return s
	}
	s.Sectors = c.Sectors[:min(len(c.Sectors), frame.MaxSectors)]
	s.Pit = frame.Pit{From: c.Pit.From, To: c.Pit.To, Right: c.Pit.Right, Left: c.Pit.Left}
	s.Points, s.Guides = points(c), guides(c.Ground, &line)
	low, high := surroundings(s.Points)
	s.Field = sampleField(c.Ground, low, high)
	return s
}

// Outline returns the scene without the shapes of ground, walls and road: the materials of the ground, the length of the
// center line, and the car.
func Outline(setup *drive.Setup) *frame.Scene {
	c := setup.Circuit
	s := &frame.Scene{Car: car(setup), Materials: materials(c)}
	if c.Line != nil && !c.Roadless {
		s.Closed, s.LapLength, s.Start = c.Closed(), c.Length(), c.Start
	}
	return s
}

// car returns the dimensions of the car, and what its instruments need to know.
func car(setup *drive.Setup) frame.Car {
	p := setup.Car.Params()
	curve := p.Driveline.TorqueCurve
	c := frame.Car{
		Length: p.Length, Width: p.Width, Height: p.Height, CGHeight: p.CGHeight, CGToFront: p.CGToFront,
		Wheelbase: p.Wheelbase, WheelRadius: p.Front.Radius(), SteerRatio: p.Steering.Ratio,
		Eye: [3]float64{p.Eye.Ahead, p.Eye.Left, p.Eye.Height}, SteerLock: setup.Car.Lock(), Radius: [2]float64{p.Front.Radius(), p.Rear.Radius()}, Travel: [2]float64{p.Front.Travel, p.Rear.Travel},
		IdleRPM: p.Driveline.IdleRPM, ShiftUpRPM: p.Driveline.ShiftUpRPM, MaxRPM: curve[len(curve)-1].RPM,
		ForwardGears: int64(len(p.Driveline.Gears)), FrontShare: p.Driveline.FrontShare, TankCapacity: p.TankCapacity(),
		Cylinders: int64(p.Driveline.Engine.Cylinders), PeakTorque: p.Driveline.PeakTorque(), Turbo: frame.OneIf(p.Driveline.Turbo.BoostShare > 0),
	}
	if p.Driveline.Motor.Enabled {
		c.TankCapacity, c.Electric, c.IdleRPM, c.Cylinders, c.Turbo = 0, 1, 0, 0, 0
	}
	return c
}

// materials lists the materials of the ground; asphalt if the ground has no list of surfaces.
func materials(c *road.Circuit) []frame.Material {
	list := c.Surfaces()
	if len(list) == 0 {
		tarmac, err := road.SurfaceNamed("tarmac")
		if err != nil {
			panic(err) // cannot happen: tarmac is a built-in surface
		}
		list = []road.Surface{tarmac}
	}
	var out []frame.Material
	for i := range list[:min(len(list), frame.MaxMaterials)] {
		out = append(out, material(&list[i]))
	}
	return out
}

func material(s *road.Surface) frame.Material {
	profile := &s.Profile
	m := frame.Material{
		Name: s.Name, Colour: s.Colour, Sound: s.Sound, Rumble: frame.OneIf(profile.Kind == "kerb" || profile.Kind == "rumble"), Wet: frame.OneIf(s.Wet),
	}
	if profile.IsPeriodic() {
		m.Pitch, m.Height = profile.Pitch, profile.Height
	}
	return m
}

// walls lists the walls of a ground; nil if it has none.
func walls(g road.Ground) []frame.Wall {
	walled := road.WallsOf(g)
	if walled == nil {
		return nil
	}
	var out []frame.Wall
	boxes := walled.Boxes()
	for i := range boxes[:min(len(boxes), frame.MaxWalls)] {
		feet, top := boxes[i].Edges()
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
		VergeLeft:  vergeWidth(at.Left, at.KerbLeft, at.Curvature, c.Pit.Left),
		VergeRight: vergeWidth(at.Right, at.KerbRight, -at.Curvature, -c.Pit.Right),
	}
	for k, d := range p.HeightOffsets() {
		on := at.Offset(d)
		p.Heights[k], _ = groundAt(c.Ground, on)
		if math.IsNaN(p.Heights[k]) {
			p.Heights[k] = on.Z
		}
	}
	for k := range p.Materials {
		d := p.MaterialOffset(k)
		const besideKerb = 0.3 // a sample on a kerb is moved this far outside it [m], because kerbs have their own colours
		if d > at.Left && d < at.Left+at.KerbLeft {
			d = at.Left + at.KerbLeft + besideKerb
		} else if d < -at.Right && d > -at.Right-at.KerbRight {
			d = -at.Right - at.KerbRight - besideKerb
		}
		_, p.Materials[k] = groundAt(c.Ground, at.Offset(d))
	}
	return p
}

// guides samples the racing line; nil if there is none.
func guides(g road.Ground, r *RacingLine) []frame.Guide {
	const spacing = 2.0  // approximate distance between samples [m]
	const coasting = 0.5 // smaller accelerations are neither driving nor braking [m/s²]
	if r.line == nil {
		return nil
	}
	long := r.line.Length()
	out := make([]frame.Guide, max(min(int(long/spacing), frame.MaxGuides-1), 1)+1)
	for i := range out {
		s := float64(i) / float64(len(out)-1) * long
		at := r.line.At(s).Pos
		out[i] = frame.Guide{X: at.X, Y: at.Y, Z: at.Z, Phase: frame.Coasting}
		if z, _ := groundAt(g, at); z == z {
			out[i].Z = z
		}
		switch _, accel := r.speeds.At(s); {
		case accel > coasting:
			out[i].Phase = frame.Accelerating
		case accel < -coasting:
			out[i].Phase = frame.Braking
		}
	}
	return out
}

// vergeWidth returns the width of the verge that is drawn beside one edge of the road [m]. It includes the pit
// lane if there is one, and does not reach the center of a bend. edge and pit are the distances of the road's
// edge and of the pit lane's side from the center line [m]. curvature is positive if the inside of the bend is
// on this side [1/m].
func vergeWidth(edge, kerb, curvature, pit float64) float64 {
	const usualWidth = 12.0        // [m]
	const pitMargin = 1.5          // width of verge outside the pit lane [m]
	const maxRadiusFraction = 0.85 // maximum distance to the inside of a bend, as a fraction of its radius
	width := max(usualWidth, pit-edge+pitMargin)
	if curvature > 0 {
		width = min(width, maxRadiusFraction/curvature-edge)
	}
	return max(width, kerb+0.5)
}

// groundAt returns the height of the ground straight above or below a point [m], and its material. The height
// is NaN if there is no ground.
func groundAt(g road.Ground, p r3.Vec) (z float64, material uint8) {
	const above = 0.5         // height above the point from which the ground is sampled [m]
	const maxDistance = 900.0 // if the contact is further below, there is no ground (road.NoGroundDepth) [m]
	p.Z += above
	c := g.Touch(p)
	z = p.Z + c.Depth/c.Normal.Z
	if !(p.Z-z < maxDistance) {
		return math.NaN(), c.Material
	}
	for range 3 { // on a slope, the tangent plane gives the exact height only from nearby
		p.Z = z
		c = g.Touch(p)
		z += c.Depth / c.Normal.Z
	}
	return z, c.Material
}
