package layout

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/road"
)

// Ribbon is a road along a line with verges that pass over into open terrain. All of it
// is one smooth surface but for what is laid on it.
type Ribbon struct {
	line     *road.Line
	layout   Plan // with the straights as long as they are
	surfaces []road.Surface
	verge    float64    // from the road's edge to the open terrain [m]
	shoulder float64    // of that what is the road's plane [m]
	kerb     float64    // width of a whole kerb [m]
	back     float64    // height of its back [m]
	terrain  *road.Grid // nil: level at height 0
	parts    lots[strip]
	features lots[feature]
	level    bool
}

// The first three surfaces of a ribbon.
const (
	ofRoad uint8 = iota
	ofKerb
	ofVerge
	others
)

// strip is a part as a tick needs it.
type strip struct {
	span
	material, area uint8
}

// NewRibbon builds a closed road that starts at the origin along x. named finds
// surfaces by their names. Areas are numbered from 1 in the order of their first
// part, and returned.
func NewRibbon(l Plan, named func(string) (road.Surface, error)) (r *Ribbon, areas []string, err error) {
	r, areas, err = newRibbon(l, named)
	if err != nil {
		return nil, nil, fmt.Errorf("road: layout: %w", err)
	}
	return r, areas, nil
}

func newRibbon(l Plan, named func(string) (road.Surface, error)) (*Ribbon, []string, error) {
	line, err := l.close()
	if err != nil {
		return nil, nil, err
	}
	r := &Ribbon{line: line, layout: l, verge: l.VergeWidth, shoulder: l.Shoulder, kerb: l.KerbWidth, back: l.KerbHeight / 1e3}
	if err := r.apart(); err != nil {
		return nil, nil, err
	}
	for _, name := range [others]string{ofRoad: l.Road, ofKerb: "kerb", ofVerge: l.Verge} {
		s, err := named(name)
		if err != nil {
			return nil, nil, err
		}
		r.surfaces = append(r.surfaces, s)
	}
	areas, err := r.lay(&l, named)
	if err != nil {
		return nil, nil, err
	}
	if err := r.raise(&l); err != nil {
		return nil, nil, err
	}
	if !r.flat() {
		r.terrain, err = newTerrain(r.line)
	}
	r.level = r.terrain == nil && len(l.Features) == 0 && (r.back == 0 || !r.line.Kerbed())
	return r, areas, err
}

// Line returns the centre line.
func (r *Ribbon) Line() *road.Line { return r.line }

// Station returns the station so far from the start of a named piece [m], or of the
// road without a name.
func (r *Ribbon) Station(on string, at float64) (float64, error) {
	start, err := r.layout.start(on)
	if err != nil {
		return 0, fmt.Errorf("road: %w", err)
	}
	return r.line.Wrap(start + at), nil
}

// Surfaces lists what the ribbon is made of.
func (r *Ribbon) Surfaces() []road.Surface { return r.surfaces }

// Level reports whether all of it is one plane.
func (r *Ribbon) Level() bool { return r.level }

// flat tells whether the road is level and lies at height 0.
func (r *Ribbon) flat() bool {
	for i := range r.line.Points() {
		if p := &r.line.Points()[i]; p.Pos.Z != 0 || p.Slope != 0 || p.Bank != 0 {
			return false
		}
	}
	return true
}

// apart checks that the verge of one part of the road nowhere reaches another part.
func (r *Ribbon) apart() error {
	const every = 5.0 // [m]
	l := r.line
	n := int(l.Length() / every)
	points := make([]road.Point, n)
	for i := range points {
		points[i] = l.At(float64(i) * every)
	}
	for i := range n {
		a := &points[i]
		for j := i + 1; j < n; j++ {
			b := &points[j]
			way := min(float64(j-i), float64(n-j+i)) * every
			need := max(a.Left, a.Right) + max(b.Left, b.Right) + 2*r.kerb + r.verge
			if far := math.Hypot(a.Pos.X-b.Pos.X, a.Pos.Y-b.Pos.Y); far < need && way > 3*need {
				return fmt.Errorf("the road comes within %.1f m of itself at %.0f m and %.0f m: needs %.1f m, or narrower verges",
					far, float64(i)*every, float64(j)*every, need)
			}
		}
	}
	return nil
}

// lay puts the parts on the road and returns the names of the areas.
func (r *Ribbon) lay(l *Plan, named func(string) (road.Surface, error)) ([]string, error) {
	var areas []string
	r.parts = newLots[strip](r.line.Length())
	for i, p := range l.Parts {
		at, err := l.span(&p.Stretch, r.line)
		if err != nil {
			return nil, valid.Within(fmt.Sprintf("part[%d]", i), err)
		}
		s := strip{span: at}
		if s.material, err = r.material(p.Surface, named); err != nil {
			return nil, valid.Within(fmt.Sprintf("part[%d]", i), err)
		}
		if s.area, areas, err = numbered(areas, p.Area); err != nil {
			return nil, valid.Within(fmt.Sprintf("part[%d]", i), err)
		}
		r.parts.add(s.span, s)
		if err := r.parts.crowded("part"); err != nil {
			return nil, err
		}
	}
	return areas, nil
}

// material returns the number of a surface, which joins the list if it is new. No name
// is that of the road.
func (r *Ribbon) material(name string, named func(string) (road.Surface, error)) (uint8, error) {
	if name == "" {
		return ofRoad, nil
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
		return 0, errors.New("more than 256 surfaces")
	}
	r.surfaces = append(r.surfaces, s)
	return uint8(len(r.surfaces) - 1), nil
}

// numbered returns the number of an area, which joins the list if it is new.
func numbered(areas []string, name string) (uint8, []string, error) {
	if name == "" {
		return 0, areas, nil
	}
	for i := range areas {
		if areas[i] == name {
			return uint8(i + 1), areas, nil
		}
	}
	if len(areas) == road.Areas-1 {
		return 0, nil, fmt.Errorf("area %q: there are %d others already, which is the most", name, road.Areas-1)
	}
	return uint8(len(areas) + 1), append(areas, name), nil
}

// raise puts the features on the road.
func (r *Ribbon) raise(l *Plan) error {
	r.features = newLots[feature](r.line.Length())
	for i, f := range l.Features {
		at, err := l.span(&f.Stretch, r.line)
		if err == nil {
			err = f.fits(at)
		}
		if err != nil {
			return valid.Within(fmt.Sprintf("feature[%d]", i), err)
		}
		r.features.add(at, newFeature(&f, at))
		if err := r.features.crowded("feature"); err != nil {
			return err
		}
	}
	return nil
}
