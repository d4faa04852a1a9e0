package opendrive

import (
	"fmt"
	"sort"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// Limits of values. A file that exceeds them is an error, because it must be damaged.
const (
	maxLength      = 1e6  // of a road [m]
	maxCurvature   = 1e3  // [1/m]
	maxTurn        = 100  // maximum change of heading along one geometry [rad], which bounds the time to integrate it
	maxCoefficient = 1e9  // of a cubic
	maxLanes       = 200  // number of lanes on one side
	maxLaneWidth   = 1e3  // [m]
	maxElevation   = 1e5  // [m]
	maxBank        = 1.5  // [rad]
	maxPoly3Slope  = 1e3  // slope of a poly3 relative to its u axis
	maxGap         = 0.01 // larger gaps give a warning [m]
)

// readNetwork reads the whole file.
func (f *reader) readNetwork(raw *rawMap) *Map {
	m := &Map{}
	f.readHeader(raw, m)
	known := map[string]bool{}
	for i := range raw.Roads {
		r := &raw.Roads[i]
		f.road, f.element = r.ID, ""
		if r.ID == "" {
			f.element = fmt.Sprintf("<road> %d", i+1)
			f.fail("id is missing: add one")
		}
		if known[r.ID] {
			f.fail("two roads have this id: rename one")
		}
		known[r.ID] = true
		if f.fault != nil {
			return nil
		}
		m.Roads = append(m.Roads, f.readRoad(r))
	}
	f.road, f.element = "", ""
	if len(m.Roads) == 0 {
		f.fail("no <road> in it: export the network again")
	}
	for i := range raw.Junctions {
		m.Junctions = append(m.Junctions, f.readJunction(&raw.Junctions[i]))
	}
	f.checkLinks(m)
	f.checkMetres(m)
	return m
}

// readHeader reads the header of the network.
func (f *reader) readHeader(raw *rawMap, m *Map) {
	f.element = "<header>"
	h := &raw.Header
	m.Header = Header{
		Major: int(f.lenientNumber(h.Major, "revMajor", 99)), Minor: int(f.lenientNumber(h.Minor, "revMinor", 99)),
		Name: h.Name, Vendor: h.Vendor, GeoReference: strings.TrimSpace(h.GeoReference),
	}
	if m.Header.Major != 1 || m.Header.Minor < 4 || m.Header.Minor > 7 {
		f.warn("version %d.%d: read as 1.4 to 1.7, the known versions; check the result", m.Header.Major, m.Header.Minor)
	}
	f.element = ""
}

// readRoad reads and checks a road.
func (f *reader) readRoad(raw *rawRoad) *Road {
	r := &Road{
		ID: raw.ID, Name: raw.Name, Predecessor: Link(raw.Link.Predecessor), Successor: Link(raw.Link.Successor),
	}
	if raw.Junction != "-1" {
		r.Junction = raw.Junction
	}
	r.Length = f.requiredNumber(raw.Length, "length", 0, maxLength)
	f.readPlan(raw.Plan, r)
	r.elevation = f.readProfile(raw.Elevation, "<elevation>")
	r.superelevation = f.readProfile(raw.Superelevation, "<superelevation>")
	f.readCrossfall(raw.Crossfall, r)
	r.shape = f.readShape(raw.Shape)
	r.laneOffset = f.readProfile(raw.LaneOffset, "<laneOffset>")
	f.readSections(raw.Sections, r)
	f.element = ""
	if f.fault == nil {
		f.checkRoad(r)
	}
	return r
}

// readProfile reads cubics over s.
func (f *reader) readProfile(raw []rawCubic, element string) profile {
	p := make(profile, 0, len(raw))
	for i := range raw {
		f.element = fmt.Sprintf("%s %d", element, i+1)
		start := raw[i].S
		key := "s"
		if raw[i].SOffset.given {
			start, key = raw[i].SOffset, "sOffset"
		}
		p = append(p, piece{f.requiredNumber(start, key, -maxGap, maxLength), f.readCubic(&raw[i])})
	}
	f.element = element
	f.warnIfUnsorted(len(p), func(i, j int) bool { return p[i].start < p[j].start })
	sort.SliceStable(p, func(i, j int) bool { return p[i].start < p[j].start })
	return p
}

// warnIfUnsorted adds a warning if n elements are not in ascending order. The caller sorts them.
func (f *reader) warnIfUnsorted(n int, less func(i, j int) bool) {
	for i := 1; i < n; i++ {
		if less(i, i-1) {
			f.warn("number %d starts before the previous one: sorted", i+1)
			return
		}
	}
}

// readCubic returns the cubic with the coefficients a, b, c and d of an element; b, c and d are optional.
func (f *reader) readCubic(raw *rawCubic) cubic {
	return cubic{
		f.requiredNumber(raw.A, "a", -maxCoefficient, maxCoefficient),
		f.optionalNumber(raw.B, "b", -maxCoefficient, maxCoefficient),
		f.optionalNumber(raw.C, "c", -maxCoefficient, maxCoefficient),
		f.optionalNumber(raw.D, "d", -maxCoefficient, maxCoefficient),
	}
}

// readCrossfall reads the angles of both sides down from the reference line, an element of version 1.4.
func (f *reader) readCrossfall(raw []rawCubic, r *Road) {
	var of [2][]rawCubic
	for i := range raw {
		switch raw[i].Side {
		case "left":
			of[left] = append(of[left], raw[i])
		case "right":
			of[right] = append(of[right], raw[i])
		default:
			of[left] = append(of[left], raw[i])
			of[right] = append(of[right], raw[i])
		}
	}
	r.crossfall[left] = f.readProfile(of[left], "left <crossfall>")
	r.crossfall[right] = f.readProfile(of[right], "right <crossfall>")
}

// readShape groups the cubics over t by their s.
func (f *reader) readShape(raw []rawCubic) []shapeRow {
	list := make([]struct {
		s float64
		piece
	}, len(raw))
	for i := range raw {
		f.element = fmt.Sprintf("<shape> %d", i+1)
		list[i].s = f.requiredNumber(raw[i].S, "s", -maxGap, maxLength)
		list[i].piece = piece{f.requiredNumber(raw[i].T, "t", -1e4, 1e4), f.readCubic(&raw[i])}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.s < b.s || a.s == b.s && a.start < b.start
	})
	var rows []shapeRow
	for i := range list {
		if n := len(rows); n == 0 || rows[n-1].s != list[i].s {
			rows = append(rows, shapeRow{s: list[i].s})
		}
		at := &rows[len(rows)-1]
		if at.t = append(at.t, list[i].piece); len(at.t) > f.limits.pieces {
			f.element = "<lateralProfile>"
			f.fail("more than %d <shape> at s %g: remove some", f.limits.pieces, at.s)
			return nil
		}
	}
	return rows
}

// readJunction reads a junction.
func (f *reader) readJunction(raw *rawJunction) Junction {
	j := Junction{ID: raw.ID, Name: raw.Name}
	for i := range raw.Connections {
		c := &raw.Connections[i]
		f.element = "junction " + printable.Excerpt(raw.ID)
		out := Connection{ID: c.ID, Incoming: c.Incoming, Connecting: c.Connecting, Contact: c.Contact}
		for _, l := range c.Lanes {
			from, to := f.laneID(l.From), f.laneID(l.To)
			if from != 0 && to != 0 {
				out.Lanes = append(out.Lanes, LaneLink{from, to})
			}
		}
		j.Connections = append(j.Connections, out)
	}
	f.element = ""
	return j
}
