package layout

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// Ribbon is the ground along a road: the road, its kerbs, and verges that blend into open terrain. It is one
// smooth surface except at the sides of features.
type Ribbon struct {
	line       *road.Line
	plan       Plan // with the final lengths of the straights
	surfaces   []road.Surface
	vergeWidth float64    // width of the verge, from the road's edge to the open terrain [m]
	shoulder   float64    // width of the inner part of the verge that continues the road's plane [m]
	kerbWidth  float64    // width of a kerb outside its transitions [m]
	kerbHeight float64    // height of the back of the kerb above the road [m]
	terrain    *road.Grid // open terrain; nil if it is level at height 0
	parts      spanIndex[placedPart]
	features   spanIndex[placedFeature]
	plane      bool    // all of it is one plane
	steepest   float64 // slope of the ground at its steepest
}

// The materials that every ribbon has.
const (
	roadMaterial uint8 = iota
	kerbMaterial
	vergeMaterial
	builtinMaterials
)

// placedPart is a Part prepared for Touch.
type placedPart struct {
	span
	material, area uint8
}

// NewRibbon builds a closed road that starts at the origin along x. named finds surfaces by their names.
// It returns the names of the areas as well: area n is the n-th name, from 1, in the order of the parts.
func NewRibbon(l Plan, named func(string) (road.Surface, error)) (r *Ribbon, areas []string, err error) {
	r, areas, err = buildRibbon(l, named)
	if err != nil {
		return nil, nil, fmt.Errorf("road: layout: %w", err)
	}
	return r, areas, nil
}

// buildRibbon is NewRibbon without the package's name in its errors.
func buildRibbon(l Plan, named func(string) (road.Surface, error)) (*Ribbon, []string, error) {
	line, err := l.closedLine()
	if err != nil {
		return nil, nil, err
	}
	r := &Ribbon{
		line: line, plan: l, vergeWidth: l.VergeWidth, shoulder: l.Shoulder,
		kerbWidth: l.KerbWidth, kerbHeight: l.KerbHeight / 1e3,
	}
	if err := r.checkSelfDistance(); err != nil {
		return nil, nil, err
	}
	for _, name := range [builtinMaterials]string{roadMaterial: l.Road, kerbMaterial: "kerb", vergeMaterial: l.Verge} {
		s, err := named(name)
		if err != nil {
			return nil, nil, err
		}
		r.surfaces = append(r.surfaces, s)
	}
	areas, err := r.addParts(&l, named)
	if err != nil {
		return nil, nil, err
	}
	if err := r.addFeatures(&l); err != nil {
		return nil, nil, err
	}
	if !r.isFlat() {
		r.terrain, err = newTerrain(r.line)
	}
	r.findSteepest()
	r.plane = r.terrain == nil && len(l.Features) == 0 && (r.kerbHeight == 0 || !r.line.HasKerb())
	return r, areas, err
}

// Line returns the center line.
func (r *Ribbon) Line() *road.Line { return r.line }

// Station returns the station at a distance from the start of a named piece [m], or from the start of the
// road if the name is empty.
func (r *Ribbon) Station(on string, at float64) (float64, error) {
	start, err := r.plan.start(on)
	if err != nil {
		return 0, fmt.Errorf("road: %w", err)
	}
	return r.line.Wrap(start + at), nil
}

// Surfaces lists the surfaces of the ribbon.
func (r *Ribbon) Surfaces() []road.Surface { return r.surfaces }

// IsPlane reports whether all of it is one plane.
func (r *Ribbon) IsPlane() bool { return r.plane }

// Steepest returns the slope of the ground at its steepest, height over horizontal distance.
func (r *Ribbon) Steepest() float64 { return r.steepest }

// findSteepest finds the steepest slope among samples at the edges of the road, on the flanks of its kerbs, on its verges
// and beyond, adds half of it for what may lie between the samples, and that of features, which is known.
func (r *Ribbon) findSteepest() {
	const spacing, between = 2.0, 1.5 // [m], [-]
	sampled := 0.0
	for station := 0.0; station < r.line.Length(); station += spacing {
		p := r.line.At(station)
		for _, out := range [...]float64{0, 0.12, r.kerbWidth + 0.1, r.shoulder, (r.shoulder + r.vergeWidth) / 2, r.vergeWidth + 1} {
			for _, left := range [2]float64{p.Left + out, -p.Right - out} {
				at := p.Offset(left)
				up := r.Touch(at).Normal.Z
				sampled = max(sampled, math.Sqrt(1-up*up)/up)
			}
		}
	}
	r.steepest += between * sampled
}

// isFlat reports whether the road is level at height 0.
func (r *Ribbon) isFlat() bool {
	for i := range r.line.Points() {
		if p := &r.line.Points()[i]; p.Pos.Z != 0 || p.Slope != 0 || p.Bank != 0 {
			return false
		}
	}
	return true
}

// checkSelfDistance returns an error if the verge of one part of the road reaches another part.
func (r *Ribbon) checkSelfDistance() error {
	const spacing = 5.0 // [m]
	l := r.line
	n := int(l.Length() / spacing)
	points := make([]road.Point, n)
	for i := range points {
		points[i] = l.At(float64(i) * spacing)
	}
	for i := range n {
		a := &points[i]
		for j := i + 1; j < n; j++ {
			b := &points[j]
			apart := min(float64(j-i), float64(n-j+i)) * spacing
			minDistance := max(a.Left, a.Right) + max(b.Left, b.Right) + 2*r.kerbWidth + r.vergeWidth
			if distance := math.Hypot(a.Pos.X-b.Pos.X, a.Pos.Y-b.Pos.Y); distance < minDistance && apart > 3*minDistance {
				return fmt.Errorf("the road comes within %.1f m of itself at %.0f m and %.0f m: must be at least %.1f m; "+
					"move a piece or make the verges narrower",
					distance, float64(i)*spacing, float64(j)*spacing, minDistance)
			}
		}
	}
	return nil
}

// addParts adds the plan's parts to the index and returns the names of the areas.
func (r *Ribbon) addParts(l *Plan, named func(string) (road.Surface, error)) ([]string, error) {
	var areas []string
	r.parts = newSpanIndex[placedPart](r.line.Length())
	for i, p := range l.Parts {
		at, err := l.span(&p.Stretch, r.line)
		if err != nil {
			return nil, valid.WithPrefix(fmt.Sprintf("part[%d]", i), err)
		}
		s := placedPart{span: at}
		if s.material, err = r.material(p.Surface, named); err != nil {
			return nil, valid.WithPrefix(fmt.Sprintf("part[%d]", i), err)
		}
		if s.area, areas, err = areaNumber(areas, p.AreaName); err != nil {
			return nil, valid.WithPrefix(fmt.Sprintf("part[%d]", i), err)
		}
		r.parts.add(s.span, s)
		if err := r.parts.checkCount("part"); err != nil {
			return nil, err
		}
	}
	return areas, nil
}

// material returns the material number of a surface, and adds the surface to the list if it is new. An empty
// name means the road's surface.
func (r *Ribbon) material(name string, named func(string) (road.Surface, error)) (uint8, error) {
	if name == "" {
		return roadMaterial, nil
	}
	for i := range r.surfaces {
		if r.surfaces[i].Name == name {
			return uint8(i), nil
		}
	}
	s, err := named(name)
	if err != nil {
		return 0, err
	}
	if len(r.surfaces) > math.MaxUint8 {
		return 0, errors.New("more than 256 surfaces: use fewer")
	}
	r.surfaces = append(r.surfaces, s)
	return uint8(len(r.surfaces) - 1), nil
}

// areaNumber returns the number of an area, from 1, and the list of areas, to which it adds the name if it is
// new. An empty name has the number 0.
func areaNumber(areas []string, name string) (uint8, []string, error) {
	if name == "" {
		return 0, areas, nil
	}
	for i := range areas {
		if areas[i] == name {
			return uint8(i + 1), areas, nil
		}
	}
	if len(areas) == road.AreaCount-1 {
		return 0, nil, fmt.Errorf("area %q: there are already %d others, the maximum; remove some", name, road.AreaCount-1)
	}
	return uint8(len(areas) + 1), append(areas, name), nil
}

// addFeatures adds the plan's features to the index.
func (r *Ribbon) addFeatures(l *Plan) error {
	r.features = newSpanIndex[placedFeature](r.line.Length())
	for i, f := range l.Features {
		at, err := l.span(&f.Stretch, r.line)
		if err == nil {
			err = f.checkLength(at)
		}
		if err != nil {
			return valid.WithPrefix(fmt.Sprintf("feature[%d]", i), err)
		}
		placed := placeFeature(&f, at)
		r.features.add(at, placed)
		r.steepest = max(r.steepest, placed.steepest())
		if err := r.features.checkCount("feature"); err != nil {
			return err
		}
	}
	return nil
}
