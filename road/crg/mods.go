package crg

import "math"

// The modes of GRID_NAN_MODE: what holes in the grid become.
const (
	holeKeep = iota
	holeZero
	holeLast
)

// scale applies the scaling modifiers. A factor of 0 is valid: it makes the road flat, as in the standard's own
// tools.
func (f *file) scale() {
	f.scaleHeights()
	if k := f.get(sectionModifiers, "SCALE_WIDTH", 1); k != 1 {
		for i := range f.v {
			f.v[i] *= k
		}
	}
	if k := f.get(sectionModifiers, "SCALE_LENGTH", 1); k != 1 {
		f.uStep *= k
		for _, end := range [...]string{"X", "Y", "Z"} {
			f.scaleEnd(end, k)
		}
	}
	if k := f.get(sectionModifiers, "SCALE_CURVATURE", 1); k != 1 && f.phi != nil {
		scaleCurvature(f.phi[1:], k)
		delete(f.values[sectionRoad], "REFERENCE_LINE_END_X")
		delete(f.values[sectionRoad], "REFERENCE_LINE_END_Y")
		delete(f.values[sectionRoad], "REFERENCE_LINE_END_PHI")
	}
}

// scaleHeights scales everything that adds to the height.
func (f *file) scaleHeights() {
	if k := f.get(sectionModifiers, "SCALE_Z_GRID", 1); k != 1 {
		for i := range f.z {
			f.z[i] *= float32(k)
		}
	}
	if k := f.get(sectionModifiers, "SCALE_SLOPE", 1); k != 1 {
		f.scaleColumn(f.slope, "S", k)
		f.scaleEnd("Z", k)
	}
	if k := f.get(sectionModifiers, "SCALE_BANKING", 1); k != 1 {
		f.scaleColumn(f.banking, "B", k)
	}
}

// scaleColumn scales a channel, and the values for the start and end in the header. letter is the last letter
// of their keys.
func (f *file) scaleColumn(column []float64, letter string, k float64) {
	for i := range column {
		column[i] *= k
	}
	for _, key := range [...]string{"REFERENCE_LINE_START_" + letter, "REFERENCE_LINE_END_" + letter} {
		if v, ok := f.values[sectionRoad][key]; ok {
			f.values[sectionRoad][key] = headValue{v.v * k, v.line}
		}
	}
}

// scaleEnd scales the distance of the line's end from its begin along an axis: X, Y or Z.
func (f *file) scaleEnd(axis string, k float64) {
	key := "REFERENCE_LINE_END_" + axis
	begin := f.get(sectionRoad, "REFERENCE_LINE_START_"+axis, 0)
	if v, ok := f.values[sectionRoad][key]; ok {
		f.values[sectionRoad][key] = headValue{begin + k*(v.v-begin), v.line}
	}
}

// scaleCurvature scales the curvature of the line: it multiplies each change of the direction phi [rad] by k
// and keeps the first direction.
func scaleCurvature(phi []float64, k float64) {
	last, direction := phi[0], phi[0]
	for i, p := range phi {
		direction += k * math.Remainder(p-last, 2*math.Pi)
		last = p
		phi[i] = direction
	}
}

// fillHoles fills the holes of the grid as the modifier GRID_NAN_MODE demands.
func (f *file) fillHoles() error {
	mode := holeKeep
	if f.values[sectionModifiers] == nil || f.has(sectionModifiers, "GRID_NAN_OFFSET") {
		mode = holeLast
	}
	mode = int(f.get(sectionModifiers, "GRID_NAN_MODE", float64(mode)))
	if mode == holeKeep {
		return nil
	}
	offset := float32(f.get(sectionModifiers, "GRID_NAN_OFFSET", 0))
	n := len(f.sections)
	for i := range f.rowCount {
		if !fillRow(f.z[i*n:(i+1)*n], mode, offset) {
			return f.errorAt(f.line, "cross section %d has no height; add one, or set GRID_NAN_MODE = 0 or 1 in $ROAD_CRG_MODS", i+1)
		}
	}
	return nil
}

// fillRow fills the holes of a cross section with offset [m], in the mode holeLast added to the last value on
// their right; holes at the right border get the first value. It returns false for a cross section without any
// value.
func fillRow(z []float32, mode int, offset float32) bool {
	fill := float32(0)
	if mode == holeLast {
		first := 0
		for first < len(z) && z[first] != z[first] {
			first++
		}
		if first == len(z) {
			return false
		}
		fill = z[first]
	}
	for j, v := range z {
		switch {
		case v != v:
			z[j] = fill + offset
		case mode == holeLast:
			fill = v
		}
	}
	return true
}

// rigidMotion is a motion of the road: the point from moves to the point to, the road rotates around it by
// angle [rad, positive to the left], and rises by rise [m].
type rigidMotion struct {
	from, to    point
	angle, rise float64
}

// modifierMotion returns the motion that the modifiers of the header demand.
func (f *file) modifierMotion(g *Road) (rigidMotion, error) {
	get := func(key string) float64 { return f.get(sectionModifiers, key, 0) }
	offset := f.hasAny(sectionModifiers, "REFLINE_OFFSET_X", "REFLINE_OFFSET_Y", "REFLINE_OFFSET_Z", "REFLINE_OFFSET_PHI")
	if f.hasAny(sectionModifiers, "REFPOINT_U", "REFPOINT_U_FRACTION", "REFPOINT_U_OFFSET",
		"REFPOINT_V", "REFPOINT_V_FRACTION", "REFPOINT_V_OFFSET",
		"REFPOINT_X", "REFPOINT_Y", "REFPOINT_Z", "REFPOINT_PHI") {
		if offset {
			f.warn(f.line, "REFLINE_OFFSET_... are ignored, because REFPOINT_... are given")
		}
		return f.referencePointMotion(g)
	}
	if !offset {
		return rigidMotion{}, nil
	}
	center := point{
		f.get(sectionModifiers, "REFLINE_ROTCENTER_X", g.line.start.at.x),
		f.get(sectionModifiers, "REFLINE_ROTCENTER_Y", g.line.start.at.y),
	}
	shift := point{get("REFLINE_OFFSET_X"), get("REFLINE_OFFSET_Y")}
	return rigidMotion{center, center.plus(shift), get("REFLINE_OFFSET_PHI"), get("REFLINE_OFFSET_Z")}, nil
}

// referencePointMotion returns the motion that moves the reference point to its given position.
func (f *file) referencePointMotion(g *Road) (rigidMotion, error) {
	get := func(key string) float64 { return f.get(sectionModifiers, key, 0) }
	u := f.get(sectionModifiers, "REFPOINT_U", g.uAxis.low+get("REFPOINT_U_FRACTION")*(g.uAxis.high-g.uAxis.low))
	v := get("REFPOINT_V")
	if f.has(sectionModifiers, "REFPOINT_V_FRACTION") {
		v = g.vAxis.low + get("REFPOINT_V_FRACTION")*(g.vAxis.high-g.vAxis.low)
	}
	u, v = u+get("REFPOINT_U_OFFSET"), v+get("REFPOINT_V_OFFSET")
	at, ok := g.At(u, v)
	if !ok {
		return rigidMotion{}, f.errorAt(f.line, "the reference point at u = %g, v = %g has no ground; move it onto the road", u, v)
	}
	direction := g.line.heading(u)
	return rigidMotion{
		point{at.X, at.Y}, point{get("REFPOINT_X"), get("REFPOINT_Y")},
		get("REFPOINT_PHI") - math.Atan2(direction.y, direction.x), get("REFPOINT_Z") - at.Z,
	}, nil
}

// move moves and rotates the line in plan view. The tree must be built again afterwards.
func (l *refLine) move(m rigidMotion) {
	sin, cos := math.Sincos(m.angle)
	turn := func(d point) point { return point{cos*d.x - sin*d.y, sin*d.x + cos*d.y} }
	for i, p := range l.points {
		l.points[i] = m.to.plus(turn(p.minus(m.from)))
	}
	for _, e := range [...]*lineEnd{&l.start, &l.end} {
		e.at, e.dir = m.to.plus(turn(e.at.minus(m.from))), turn(e.dir)
	}
}

// raise moves the reference line upwards [m].
func (g *Road) raise(rise float64) {
	g.zBegin += rise
	g.zEnd += rise
	for i := range g.refZ {
		g.refZ[i] += rise
	}
}
