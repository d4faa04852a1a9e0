package survey

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/mesh"
	"rig.example/rig/sim/road/scan"
)

// Finding is all faults of a kind that a circuit has.
type Finding struct {
	Kind   string  `json:"kind"`
	Count  int     `json:"count"`
	Most   bool    `json:"more"`   // there may be more
	Places []Place `json:"places"` // the first few
	Remedy string  `json:"remedy"`
}

// Place is where a fault is.
type Place struct {
	At       [3]float64 `json:"at_m"`
	Station  *float64   `json:"station_m,omitempty"` // along the line
	Triangle *int       `json:"triangle,omitempty"`  // of the file's ground, counted from 0
	Material string     `json:"material,omitempty"`
	Size     float64    `json:"size_m,omitempty"`
}

// String is a finding on a line.
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

// shown is how many places of a kind are told.
const shown = 5

func (f *Finding) add(p Place) {
	if f.Count++; f.Count <= shown {
		f.Places = append(f.Places, p)
	}
}

// check looks for what would trouble a car: in the mesh, and along the line.
func check(s *circuit.Site) ([]Finding, error) {
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
		for _, f := range [...]Finding{tight(l), lost(s), apart(l), bumpy(l, s.Bare)} {
			if f.Count > 0 {
				found = append(found, f)
			}
		}
	}
	inFile(found, s.Origin)
	return found, nil
}

// inFile moves the places of findings to where the file has them.
func inFile(list []Finding, origin r3.Vec) {
	for i := range list {
		for k := range list[i].Places {
			at := &list[i].Places[k].At
			*at = [3]float64{at[0] + origin.X, at[1] + origin.Y, at[2] + origin.Z}
		}
	}
}

// checkMesh looks for faults of the triangles in the file.
func checkMesh(s *circuit.Site) ([]Finding, error) {
	scene, err := s.Triangles()
	if err != nil {
		return nil, err
	}
	limits := scan.DefaultLimits()
	limits.Places = shown
	report := scan.Check(scene, limits)
	var found []Finding
	for _, f := range report.Findings {
		out := Finding{Kind: string(f.Kind), Count: f.Count, Most: f.Capped, Remedy: f.Remedy}
		for _, p := range f.Places {
			out.Places = append(out.Places, Place{
				At: [3]float64{p.Position.X, p.Position.Y, p.Position.Z}, Triangle: &p.Triangle, Material: scene.Names[p.Material], Size: p.Size,
			})
		}
		found = append(found, out)
	}
	return found, nil
}

// place is one of the line's.
func place(p road.Point, station, size float64) Place {
	return Place{At: [3]float64{p.Pos.X, p.Pos.Y, p.Pos.Z}, Station: &station, Size: size}
}

// tight finds bends whose inner edge folds over.
func tight(l *road.Line) Finding {
	const share = 0.95 // of the radius that the edge may be inside
	f := Finding{Kind: "tight", Remedy: "Widen the bend or narrow the road: its inner edge is at the bend's centre."}
	last := math.Inf(-1)
	for at := 0.0; at < l.Length(); at++ {
		p := l.At(at)
		inside := p.Left
		if p.Curvature < 0 {
			inside = p.Right
		}
		if math.Abs(p.Curvature)*inside > share && at-last > 20 {
			f.add(place(p, at, 1/math.Abs(p.Curvature)))
			last = at
		}
	}
	return f
}

// lost finds places of the line without ground, or at another height than that.
func lost(s *circuit.Site) Finding {
	const most = 0.3 // [m]
	f := Finding{Kind: "off the ground", Remedy: "Move the line to the road's middle, or correct its heights: where there is no ground the car falls."}
	if s.Kind == circuit.Layout { // built along its line; what is higher was put there
		return f
	}
	l, last := s.Circuit.Line, math.Inf(-1)
	for at := 0.0; at < l.Length(); at++ {
		p := l.At(at)
		z, ok := circuit.HeightBelow(s.Bare, p.Pos.X, p.Pos.Y, p.Pos.Z+2)
		if off := math.Abs(z - p.Pos.Z); (!ok || off > most) && at-last > 20 {
			f.add(place(p, at, off))
			last = at
		}
	}
	return f
}

// apartEffort is how many pairs of places apart compares, of all that are near each other.
const apartEffort = 20_000_000

// apart finds where the road runs into another part of itself.
func apart(l *road.Line) Finding {
	const every, bridge = 5.0, 3.5 // [m]
	f := Finding{Kind: "self-approach", Remedy: "Move the parts away from each other or narrow the road: their edges overlap, so nobody can tell on which one a car is."}
	n := int(l.Length() / every)
	cells := map[[2]int][]int{}
	size := 50.0 // of a cell [m], at least what two parts of the road need
	for i := range n {
		p := l.At(float64(i) * every)
		size = max(size, 2*max(p.Left, p.Right))
	}
	cell := func(p r3.Vec) [2]int { return [2]int{int(math.Floor(p.X / size)), int(math.Floor(p.Y / size))} }
	last, left := math.Inf(-1), apartEffort
	for i := range n {
		a := l.At(float64(i) * every)
		c := cell(a.Pos)
		if left <= 0 {
			f.Most = true
			return f
		}
		for k := range 9 {
			beside := cells[[2]int{c[0] + k/3 - 1, c[1] + k%3 - 1}]
			left -= len(beside)
			for _, j := range beside {
				b := l.At(float64(j) * every)
				need := max(a.Left, a.Right) + max(b.Left, b.Right)
				way := float64(i-j) * every
				if l.Closed() {
					way = min(way, l.Length()-way)
				}
				if way > 3*need+10 && math.Hypot(a.Pos.X-b.Pos.X, a.Pos.Y-b.Pos.Y) < need && math.Abs(a.Pos.Z-b.Pos.Z) < bridge && float64(i)*every-last > 20 {
					f.add(place(a, float64(i)*every, need))
					last = float64(i) * every
				}
			}
		}
		cells[c] = append(cells[c], i)
	}
	return f
}

// bumpy finds steps of the ground along the middle of the road.
func bumpy(l *road.Line, ground road.Ground) Finding {
	const every, most = 0.25, 0.08 // [m]
	f := Finding{Kind: "step", Remedy: "Smooth the ground: it rises or falls by this much within a quarter of a metre of the line."}
	before, known, last := 0.0, false, math.Inf(-1)
	for at := 0.0; at < l.Length(); at += every {
		p := l.At(at)
		z, ok := circuit.HeightBelow(ground, p.Pos.X, p.Pos.Y, p.Pos.Z+2)
		jump := math.Abs(z - before - every*p.Slope)
		if ok && known && jump > most && at-last > 20 {
			f.add(place(p, at, jump))
			last = at
		}
		before, known = z, ok
	}
	return f
}
