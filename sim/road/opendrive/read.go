package opendrive

import (
	"fmt"
	"sort"
	"strings"
)

// Limits of what is read; beyond them a file is taken as damaged.
const (
	maxCoordinate = 1e8  // [m]; grids of countries have 1e7
	maxLength     = 1e6  // of a road [m]
	maxCurvature  = 1e3  // [1/m]
	maxTurn       = 100  // of one geometry [rad]: 16 times round; a piece of curve is integrated a radian at a time
	maxPower      = 1e9  // of a cubic's coefficients
	maxLanes      = 200  // of a side
	maxWide       = 1e3  // of one lane [m]
	maxHigh       = 1e5  // of elevations [m]
	maxBank       = 1.5  // [rad]
	maxSteep      = 1e3  // slope of a poly3 against its u axis
	joint         = 0.01 // gaps that are told [m]
)

func (f *form) network(raw *rawMap) *Map {
	m := &Map{}
	f.header(raw, m)
	seen := map[string]bool{}
	for i := range raw.Roads {
		r := &raw.Roads[i]
		f.road, f.element = r.ID, ""
		if r.ID == "" {
			f.element = fmt.Sprintf("<road> %d", i+1)
			f.fail("id is missing: write one")
		}
		if seen[r.ID] {
			f.fail("two roads have this id: rename one")
		}
		seen[r.ID] = true
		if f.fault != nil {
			return nil
		}
		m.Roads = append(m.Roads, f.oneRoad(r))
	}
	f.road, f.element = "", ""
	if len(m.Roads) == 0 {
		f.fail("no <road> in it: export the network again")
	}
	for i := range raw.Junctions {
		m.Junctions = append(m.Junctions, f.junction(&raw.Junctions[i]))
	}
	f.checkLinks(m)
	f.metres(m)
	return m
}

func (f *form) header(raw *rawMap, m *Map) {
	f.element = "<header>"
	h := &raw.Header
	m.Header = Header{
		Major: int(f.hint(h.Major, "revMajor", 99)), Minor: int(f.hint(h.Minor, "revMinor", 99)),
		Name: h.Name, Vendor: h.Vendor, GeoReference: strings.TrimSpace(h.GeoReference),
	}
	if m.Header.Major != 1 || m.Header.Minor < 4 || m.Header.Minor > 7 {
		f.warn("version %d.%d: read as 1.4 to 1.7, which are known; look at the result", m.Header.Major, m.Header.Minor)
	}
	f.element = ""
}

func (f *form) oneRoad(raw *rawRoad) *Road {
	r := &Road{
		ID: raw.ID, Name: raw.Name, Predecessor: Link(raw.Link.Predecessor), Successor: Link(raw.Link.Successor),
	}
	if raw.Junction != "-1" {
		r.Junction = raw.Junction
	}
	r.Length = f.need(raw.Length, "length", 0, maxLength)
	f.plan(raw.Plan, r)
	r.elevation = f.profile(raw.Elevation, "<elevation>")
	r.superelevation = f.profile(raw.Superelevation, "<superelevation>")
	f.crossfall(raw.Crossfall, r)
	r.shape = f.shape(raw.Shape)
	r.offset = f.profile(raw.LaneOffset, "<laneOffset>")
	f.sections(raw.Sections, r)
	f.element = ""
	if f.fault == nil {
		f.check(r)
	}
	return r
}

// profile reads cubics over s.
func (f *form) profile(raw []rawPoly, element string) profile {
	p := make(profile, 0, len(raw))
	for i := range raw {
		f.element = fmt.Sprintf("%s %d", element, i+1)
		start := raw[i].S
		key := "s"
		if raw[i].SOffset.given {
			start, key = raw[i].SOffset, "sOffset"
		}
		p = append(p, piece{f.need(start, key, -joint, maxLength), f.cubic(&raw[i])})
	}
	f.element = element
	f.ascending(len(p), func(i, j int) bool { return p[i].start < p[j].start })
	sort.SliceStable(p, func(i, j int) bool { return p[i].start < p[j].start })
	return p
}

// ascending tells of elements out of order; the caller sorts them.
func (f *form) ascending(n int, less func(i, j int) bool) {
	for i := 1; i < n; i++ {
		if less(i, i-1) {
			f.warn("number %d starts before the one in front of it: sorted", i+1)
			return
		}
	}
}

func (f *form) cubic(raw *rawPoly) cubic {
	return cubic{
		f.need(raw.A, "a", -maxPower, maxPower),
		f.may(raw.B, "b", -maxPower, maxPower),
		f.may(raw.C, "c", -maxPower, maxPower),
		f.may(raw.D, "d", -maxPower, maxPower),
	}
}

// crossfall reads the slopes that fall away from the reference line, as 1.4 has them.
func (f *form) crossfall(raw []rawPoly, r *Road) {
	var of [2][]rawPoly
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
	r.crossfall[left] = f.profile(of[left], "left <crossfall>")
	r.crossfall[right] = f.profile(of[right], "right <crossfall>")
}

// shape gathers the cubics over t of each s.
func (f *form) shape(raw []rawPoly) []row {
	list := make([]struct {
		s float64
		piece
	}, len(raw))
	for i := range raw {
		f.element = fmt.Sprintf("<shape> %d", i+1)
		list[i].s = f.need(raw[i].S, "s", -joint, maxLength)
		list[i].piece = piece{f.need(raw[i].T, "t", -1e4, 1e4), f.cubic(&raw[i])}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.s < b.s || a.s == b.s && a.start < b.start
	})
	var rows []row
	for i := range list {
		if n := len(rows); n == 0 || rows[n-1].s != list[i].s {
			rows = append(rows, row{s: list[i].s})
		}
		at := &rows[len(rows)-1]
		if at.t = append(at.t, list[i].piece); len(at.t) > f.limits.pieces {
			f.element = "<lateralProfile>"
			f.fail("more than %d <shape> at s %g: leave some out", f.limits.pieces, at.s)
			return nil
		}
	}
	return rows
}

func (f *form) junction(raw *rawJunction) Junction {
	j := Junction{ID: raw.ID, Name: raw.Name}
	for i := range raw.Connections {
		c := &raw.Connections[i]
		f.element = "junction " + clip(raw.ID)
		out := Connection{ID: c.ID, Incoming: c.Incoming, Connecting: c.Connecting, Contact: c.Contact}
		for _, l := range c.Lanes {
			from, to := f.hintID(l.From), f.hintID(l.To)
			if from != 0 && to != 0 {
				out.Lanes = append(out.Lanes, LaneLink{from, to})
			}
		}
		j.Connections = append(j.Connections, out)
	}
	f.element = ""
	return j
}
