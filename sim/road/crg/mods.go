package crg

import "math"

// The modes of GRID_NAN_MODE: what becomes of holes in the grid.
const (
	holeKeep = iota
	holeZero
	holeLast
)

// scale applies the scaling modifiers. A factor of 0 makes flat, as in the
// standard's own tools.
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
		bend(f.phi[1:], k)
		delete(f.values[sectionRoad], "REFERENCE_LINE_END_X")
		delete(f.values[sectionRoad], "REFERENCE_LINE_END_Y")
		delete(f.values[sectionRoad], "REFERENCE_LINE_END_PHI")
	}
}

// scaleHeights scales all that adds up to the height.
func (f *file) scaleHeights() {
	if k := f.get(sectionModifiers, "SCALE_Z_GRID", 1); k != 1 {
		for i := range f.z {
			f.z[i] *= float32(k)
		}
	}
	if k := f.get(sectionModifiers, "SCALE_SLOPE", 1); k != 1 {
		f.scaleColumn(f.rise, "S", k)
		f.scaleEnd("Z", k)
	}
	if k := f.get(sectionModifiers, "SCALE_BANKING", 1); k != 1 {
		f.scaleColumn(f.bank, "B", k)
	}
}

// scaleColumn scales a channel, and the constant and end that the head gives.
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

// scaleEnd moves the line's end along an axis towards or from its begin.
func (f *file) scaleEnd(axis string, k float64) {
	key := "REFERENCE_LINE_END_" + axis
	begin := f.get(sectionRoad, "REFERENCE_LINE_START_"+axis, 0)
	if v, ok := f.values[sectionRoad][key]; ok {
		f.values[sectionRoad][key] = headValue{begin + k*(v.v-begin), v.line}
	}
}

// bend scales how directions turn from the first one on.
func bend(phi []float64, k float64) {
	last, turned := phi[0], phi[0]
	for i, p := range phi {
		turned += k * math.Remainder(p-last, 2*math.Pi)
		last = p
		phi[i] = turned
	}
}

// fillHoles does what GRID_NAN_MODE says.
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
	for i := range f.rows {
		if !fillRow(f.z[i*n:(i+1)*n], mode, offset) {
			return f.fault(f.line, "cross section %d has no height at all; give one, or GRID_NAN_MODE = 0 or 1 in $ROAD_CRG_MODS", i+1)
		}
	}
	return nil
}

// fillRow fills the holes of a cross section by 0 or by the last value on their
// right, those at the right border by the first value. It is false for a section
// without any value to fill in.
func fillRow(z []float32, mode int, offset float32) bool {
	last := float32(0)
	if mode == holeLast {
		first := 0
		for first < len(z) && z[first] != z[first] {
			first++
		}
		if first == len(z) {
			return false
		}
		last = z[first]
	}
	for j, v := range z {
		switch {
		case v != v:
			z[j] = last + offset
		case mode == holeLast:
			last = v
		}
	}
	return true
}

// movement tells how the road is moved: p comes to lie at to, and all is turned
// about it by an angle [rad], and raised [m].
type movement struct {
	p, to       point
	angle, rise float64
}

// move returns what the positioning modifiers ask for.
func (f *file) move(g *Road) (movement, error) {
	get := func(key string) float64 { return f.get(sectionModifiers, key, 0) }
	offset := f.hasAny(sectionModifiers, "REFLINE_OFFSET_X", "REFLINE_OFFSET_Y", "REFLINE_OFFSET_Z", "REFLINE_OFFSET_PHI")
	if f.hasAny(sectionModifiers, "REFPOINT_U", "REFPOINT_U_FRACTION", "REFPOINT_U_OFFSET", "REFPOINT_V", "REFPOINT_V_FRACTION",
		"REFPOINT_V_OFFSET", "REFPOINT_X", "REFPOINT_Y", "REFPOINT_Z", "REFPOINT_PHI") {
		if offset {
			f.warn(f.line, "REFLINE_OFFSET_... are passed over, for REFPOINT_... are given")
		}
		return f.moveTo(g)
	}
	if !offset {
		return movement{}, nil
	}
	centre := point{
		f.get(sectionModifiers, "REFLINE_ROTCENTER_X", g.line.head.at.x),
		f.get(sectionModifiers, "REFLINE_ROTCENTER_Y", g.line.head.at.y),
	}
	shift := point{get("REFLINE_OFFSET_X"), get("REFLINE_OFFSET_Y")}
	return movement{centre, centre.plus(shift), get("REFLINE_OFFSET_PHI"), get("REFLINE_OFFSET_Z")}, nil
}

// moveTo returns the move that brings the reference point where it should be.
func (f *file) moveTo(g *Road) (movement, error) {
	get := func(key string) float64 { return f.get(sectionModifiers, key, 0) }
	u := f.get(sectionModifiers, "REFPOINT_U", g.length.low+get("REFPOINT_U_FRACTION")*(g.length.high-g.length.low))
	v := get("REFPOINT_V")
	if f.has(sectionModifiers, "REFPOINT_V_FRACTION") {
		v = g.width.low + get("REFPOINT_V_FRACTION")*(g.width.high-g.width.low)
	}
	u, v = u+get("REFPOINT_U_OFFSET"), v+get("REFPOINT_V_OFFSET")
	at, ok := g.Place(u, v)
	if !ok {
		return movement{}, f.fault(f.line, "the reference point at u = %g, v = %g has no ground; put it on the road", u, v)
	}
	dir := g.line.heading(u)
	return movement{
		point{at.X, at.Y}, point{get("REFPOINT_X"), get("REFPOINT_Y")},
		get("REFPOINT_PHI") - math.Atan2(dir.y, dir.x), get("REFPOINT_Z") - at.Z,
	}, nil
}

// move moves the line in the plane.
func (l *refLine) move(m movement) {
	sin, cos := math.Sincos(m.angle)
	turn := func(d point) point { return point{cos*d.x - sin*d.y, sin*d.x + cos*d.y} }
	for i, p := range l.points {
		l.points[i] = m.to.plus(turn(p.minus(m.p)))
	}
	for _, e := range [...]*lineEnd{&l.head, &l.tail} {
		e.at, e.dir = m.to.plus(turn(e.at.minus(m.p))), turn(e.dir)
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
