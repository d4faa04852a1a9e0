package survey

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
	"rig.example/rig/road/scan"
)

// Finding is one kind of fault and where the circuit has it.
type Finding struct {
	Kind   string  `json:"kind"`   // what is wrong, for example "step"
	Count  int     `json:"count"`  // number of places with this fault
	Capped bool    `json:"more"`   // whether the search stopped before its end, so that there may be more
	Places []Place `json:"places"` // places of the first few faults
	Remedy string  `json:"remedy"` // what is wrong and how to correct it, as a sentence
}

// Place is where a fault is.
type Place struct {
	At       [3]float64 `json:"at_m"`                // x, y and z in the coordinates of the ground's file
	Station  *float64   `json:"station_m,omitempty"` // distance along the line
	Triangle *int       `json:"triangle,omitempty"`  // index in the ground's file, from 0
	Material string     `json:"material,omitempty"`  // material of the triangle
	Size     float64    `json:"size_m,omitempty"`    // size of the fault, for example the height of a step
}

// String returns the finding as one line of text.
func (f Finding) String() string {
	var at []string
	for _, p := range f.Places {
		text := fmt.Sprintf("%.1f, %.1f, %.2f m", p.At[0], p.At[1], p.At[2])
		if p.Station != nil {
			text = fmt.Sprintf("%.0f m along the line", *p.Station)
		}
		if p.Material != "" {
			text += " (" + p.Material + ")"
		}
		at = append(at, text)
	}
	if f.Count > len(f.Places) {
		at = append(at, "…")
	}
	return fmt.Sprintf("%s: %d, at %s. %s", f.Kind, f.Count, strings.Join(at, "; "), f.Remedy)
}

// maxPlaces is the number of places that are listed for each kind.
const maxPlaces = 5

// add counts a fault, and lists its place if fewer than maxPlaces are listed.
func (f *Finding) add(p Place) {
	if f.Count++; f.Count <= maxPlaces {
		f.Places = append(f.Places, p)
	}
}

// findFaults returns the faults of the mesh and of the line.
func findFaults(s *circuit.Site) ([]Finding, error) {
	found := []Finding{}
	if _, ok := s.Bare.(*mesh.Mesh); ok {
		list, err := checkMesh(s)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	if !s.Circuit.Roadless {
		l := s.Circuit.Line
		for _, f := range [...]Finding{findTightBends(l), findOffGround(s), findSelfApproach(l), findSteps(l, s.Bare)} {
			if f.Count > 0 {
				found = append(found, f)
			}
		}
	}
	toFileCoordinates(found, s.Origin)
	return found, nil
}

// toFileCoordinates converts the places of findings to coordinates of the ground's file.
func toFileCoordinates(list []Finding, origin r3.Vec) {
	for i := range list {
		for k := range list[i].Places {
			at := &list[i].Places[k].At
			*at = [3]float64{at[0] + origin.X, at[1] + origin.Y, at[2] + origin.Z}
		}
	}
}

// checkMesh returns the faults of the triangles in the ground's file.
func checkMesh(s *circuit.Site) ([]Finding, error) {
	scene, err := s.Triangles()
	if err != nil {
		return nil, err
	}
	limits := scan.DefaultLimits()
	limits.Places = maxPlaces
	report := scan.Check(scene, limits)
	var found []Finding
	for _, f := range report.Findings {
		out := Finding{Kind: string(f.Kind), Count: f.Count, Capped: f.Capped, Remedy: f.Remedy}
		for _, p := range f.Places {
			out.Places = append(out.Places, Place{
				At: [3]float64{p.Position.X, p.Position.Y, p.Position.Z}, Triangle: &p.Triangle, Material: scene.Names[p.Material], Size: p.Size,
			})
		}
		found = append(found, out)
	}
	return found, nil
}

// placeOnLine returns a place on the line; size is the size of the fault there [m].
func placeOnLine(p road.Point, station, size float64) Place {
	return Place{At: [3]float64{p.Pos.X, p.Pos.Y, p.Pos.Z}, Station: &station, Size: size}
}

// findTightBends finds bends whose inner edge is at or beyond the bend's center.
func findTightBends(l *road.Line) Finding {
	const share = 0.95 // largest distance of the inner edge from the line, as a share of the radius
	f := Finding{Kind: "tight", Remedy: "Widen the bend or narrow the road: its inner edge is at the bend's center."}
	last := math.Inf(-1)
	for at := 0.0; at < l.Length(); at++ {
		p := l.At(at)
		inside := p.Left
		if p.Curvature < 0 {
			inside = p.Right
		}
		if math.Abs(p.Curvature)*inside > share && at-last > 20 {
			f.add(placeOnLine(p, at, 1/math.Abs(p.Curvature)))
			last = at
		}
	}
	return f
}

// findOffGround finds places of the line that have no ground, or are more than 0.3 m above or below it.
func findOffGround(s *circuit.Site) Finding {
	const tolerance = 0.3 // [m]
	f := Finding{Kind: "off the ground", Remedy: "Move the line to the road's middle, or correct its heights: where there is no ground the car falls."}
	if s.Kind == circuit.Layout { // a layout is built along its line; higher ground is a feature
		return f
	}
	l, lastStation := s.Circuit.Line, math.Inf(-1)
	for at := 0.0; at < l.Length(); at++ {
		p := l.At(at)
		z, ok := circuit.HeightBelow(s.Bare, p.Pos.X, p.Pos.Y, p.Pos.Z+2)
		if off := math.Abs(z - p.Pos.Z); (!ok || off > tolerance) && at-lastStation > 20 {
			f.add(placeOnLine(p, at, off))
			lastStation = at
		}
	}
	return f
}

// maxComparisons is the number of pairs of places that findSelfApproach compares before it gives up.
const maxComparisons = 20_000_000

// findSelfApproach finds places where the road overlaps another part of itself at nearly the same height.
func findSelfApproach(l *road.Line) Finding {
	const step, bridge = 5.0, 3.5 // [m]
	f := Finding{Kind: "self-approach", Remedy: "Move the parts away from each other or narrow the road: their edges overlap, so it is not clear on which one a car is."}
	n := int(l.Length() / step)
	cells := map[[2]int][]int{}
	size := 50.0 // size of a cell: at least the width of two parts of the road [m]
	places := make([]road.Point, n)
	for i := range places {
		places[i] = l.At(float64(i) * step)
		size = max(size, 2*max(places[i].Left, places[i].Right))
	}
	cell := func(p r3.Vec) [2]int { return [2]int{int(math.Floor(p.X / size)), int(math.Floor(p.Y / size))} }
	last, comparisonsLeft := math.Inf(-1), maxComparisons
	for i := range n {
		a := &places[i]
		c := cell(a.Pos)
		if comparisonsLeft <= 0 {
			f.Capped = true
			return f
		}
		for k := range 9 {
			neighbours := cells[[2]int{c[0] + k/3 - 1, c[1] + k%3 - 1}]
			comparisonsLeft -= len(neighbours)
			for _, j := range neighbours {
				b := &places[j]
				reach := max(a.Left, a.Right) + max(b.Left, b.Right)
				alongLine := float64(i-j) * step
				if l.Closed() {
					alongLine = min(alongLine, l.Length()-alongLine)
				}
				if alongLine > 3*reach+10 && math.Hypot(a.Pos.X-b.Pos.X, a.Pos.Y-b.Pos.Y) < reach && math.Abs(a.Pos.Z-b.Pos.Z) < bridge && float64(i)*step-last > 20 {
					f.add(placeOnLine(*a, float64(i)*step, reach))
					last = float64(i) * step
				}
			}
		}
		cells[c] = append(cells[c], i)
	}
	return f
}

// findSteps finds steps of the ground along the line, higher than 8 cm within 25 cm.
func findSteps(l *road.Line, ground road.Ground) Finding {
	const step, tolerance = 0.25, 0.08 // [m]
	f := Finding{Kind: "step", Remedy: "Smooth the ground: it rises or falls by this much within a quarter of a metre of the line."}
	lastHeight, hasLast, last := 0.0, false, math.Inf(-1)
	for at := 0.0; at < l.Length(); at += step {
		p := l.At(at)
		z, ok := circuit.HeightBelow(ground, p.Pos.X, p.Pos.Y, p.Pos.Z+2)
		jump := math.Abs(z - lastHeight - step*p.Slope)
		if ok && hasLast && jump > tolerance && at-last > 20 {
			f.add(placeOnLine(p, at, jump))
			last = at
		}
		lastHeight, hasLast = z, ok
	}
	return f
}
