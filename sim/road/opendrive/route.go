package opendrive

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// leg is a road that is driven from one of its ends to the other.
type leg struct {
	road *Road
	back bool // from its end to its start
}

// onward is the link at the end of a leg, and its name.
func (l leg) onward() (Link, string) {
	if l.back {
		return l.road.Predecessor, "predecessor"
	}
	return l.road.Successor, "successor"
}

// pose is the middle of the lanes that are driven where a leg begins or ends, as seen by who
// drives it.
func (l leg) pose(end bool) Station {
	s := 0.0
	if end != l.back {
		s = l.road.Length
	}
	return l.seen(l.road.station(s))
}

// seen turns a station of the road to the way that the leg is driven.
func (l leg) seen(p Station) Station {
	if l.back {
		p.Heading += math.Pi
		p.Left, p.Right, p.Bank, p.Curvature = p.Right, p.Left, -p.Bank, -p.Curvature
	}
	return p
}

// router finds the way from road to road.
type router struct {
	file  string
	roads map[string]*Road
	from  map[[2]string][]Connection // by junction and incoming road
}

// Route samples the centre line along several roads in driving order, about every step metres.
// From one to the next it follows the file's links, also through junctions, whose connecting
// roads need not be named. A closed route leads back to the first road. A closed one of a single
// road that is no ring by itself follows the links ahead from its end until it is met again.
func (m *Map) Route(ids []string, closed bool, step float64) (Line, error) {
	r := &router{file: m.Name, roads: map[string]*Road{}, from: map[[2]string][]Connection{}}
	for _, road := range m.Roads {
		r.roads[road.ID] = road
	}
	for _, j := range m.Junctions {
		for _, c := range j.Connections {
			key := [2]string{j.ID, c.Incoming}
			r.from[key] = append(r.from[key], c)
		}
	}
	var named []*Road
	for _, id := range ids {
		if r.roads[id] == nil {
			return Line{}, &Fault{File: m.Name, Road: clip(id), Text: "no such road: name one that the file has"}
		}
		named = append(named, r.roads[id])
	}
	legs, err := r.legs(named, closed)
	if err != nil {
		return Line{}, err
	}
	return r.line(legs, closed, step)
}

// legs returns the roads of a route with those between them.
func (r *router) legs(named []*Road, closed bool) ([]leg, error) {
	first := leg{road: named[0]}
	switch {
	case len(named) > 1:
		return r.through(named, closed)
	case !closed || first.road.ring():
		return []leg{first}, nil
	}
	return r.ring(first)
}

// ring reports whether a road ends where it begins.
func (r *Road) ring() bool {
	const gap = 0.05 // [m]
	first, last := r.station(0), r.station(r.Length)
	return r.Length > 1 && r3.Norm(r3.Sub(first.Pos, last.Pos)) < gap && math.Abs(math.Remainder(last.Heading-first.Heading, 2*math.Pi)) < kink
}

// through finds the way through roads that are named. The first is driven the way that leads
// to the second.
func (r *router) through(named []*Road, closed bool) ([]leg, error) {
	var fault error
	for _, back := range [...]bool{false, true} {
		legs := []leg{{named[0], back}}
		targets := named[1:]
		if closed {
			targets = append(slices.Clone(targets), named[0])
		}
		var err error
		for i, target := range targets {
			var hop []leg
			if hop, err = r.towards(legs[len(legs)-1], target); err != nil {
				if i > 0 || fault == nil {
					fault = err
				}
				break
			}
			legs = append(legs, hop...)
		}
		if err != nil {
			continue
		}
		if !closed {
			return legs, nil
		}
		if legs[len(legs)-1] == legs[0] {
			return legs[:len(legs)-1], nil
		}
		fault = r.fault(legs[0].road, "", "the route comes back to it from its other end: a lap must drive it one way; name other roads")
	}
	return nil, fault
}

// towards returns the roads from the end of a leg to a target, the latter included.
func (r *router) towards(at leg, target *Road) ([]leg, error) {
	var best []leg
	for _, hop := range r.hops(at) {
		if i := slices.IndexFunc(hop, func(l leg) bool { return l.road == target }); i >= 0 {
			if hop = hop[:i+1]; best == nil || r.aside(at, hop) < r.aside(at, best) {
				best = hop
			}
		}
	}
	if best == nil {
		_, link := at.onward()
		return nil, r.fault(at.road, link, "does not lead to road %s, whose nearest end is %.2f m away: link them, or name the roads between them", clip(target.ID), at.away(target))
	}
	return best, nil
}

// ring follows the links from road to road until the first is met again.
func (r *router) ring(first leg) ([]leg, error) {
	legs, met := []leg{first}, map[*Road]bool{first.road: true}
	for {
		at := legs[len(legs)-1]
		_, link := at.onward()
		hop, others := r.only(at)
		switch {
		case len(others) > 0:
			return nil, r.fault(at.road, link, "leads to several roads, %s: name the route, as line.roads = [\"%s\", \"%s\", …]", strings.Join(others, ", "), clip(first.road.ID), others[0])
		case hop == nil:
			return nil, r.fault(at.road, link, "leads nowhere, and the road ends %.2f m from road %s, where the ring began: link them, or leave closed out", at.away(first.road), clip(first.road.ID))
		}
		for _, l := range hop {
			if l == first {
				return legs, nil
			}
			if met[l.road] {
				return nil, r.fault(at.road, link, "leads to road %s once more before the ring is closed, and road %s lies %.2f m away: name the route with line.roads", clip(l.road.ID), clip(first.road.ID), at.away(first.road))
			}
			met[l.road] = true
			legs = append(legs, l)
		}
	}
}

// only returns the one way on from a leg, or the roads that there are to choose from.
func (r *router) only(at leg) (best []leg, others []string) {
	const most = 10
	for _, hop := range r.hops(at) {
		id := clip(hop[len(hop)-1].road.ID)
		if best == nil || r.aside(at, hop) < r.aside(at, best) {
			best = hop
		}
		if !slices.Contains(others, id) && len(others) < most {
			others = append(others, id)
		}
	}
	if len(others) == 1 {
		others = nil
	}
	return best, others
}

// hops lists where the end of a leg leads: to a road, or over a connecting road to one.
func (r *router) hops(at leg) [][]leg {
	link, _ := at.onward()
	if link.Kind != "junction" {
		if next, ok := r.enter(at, link.ID, link.Contact); ok && link.Kind == "road" {
			return [][]leg{{next}}
		}
		return nil
	}
	var list [][]leg
	for _, c := range r.from[[2]string{link.ID, at.road.ID}] {
		over, ok := r.enter(at, c.Connecting, c.Contact)
		if !ok {
			continue
		}
		hop := []leg{over}
		if link, _ := over.onward(); link.Kind == "road" {
			if next, ok := r.enter(over, link.ID, link.Contact); ok {
				hop = append(hop, next)
			}
		}
		list = append(list, hop)
	}
	return list
}

// enter returns the leg that begins at an end of a road; without a contact it is the nearer one.
func (r *router) enter(at leg, id, contact string) (leg, bool) {
	road := r.roads[id]
	if road == nil {
		return leg{}, false
	}
	next := leg{road, contact == "end"}
	if contact != "start" && contact != "end" {
		other := leg{road, true}
		next.back = gap(at.pose(true), other.pose(false)) < gap(at.pose(true), next.pose(false))
	}
	return next, true
}

func gap(a, b Station) float64 { return r3.Norm(r3.Sub(a.Pos, b.Pos)) }

// away returns how far the end of a leg is from the nearer end of a road [m].
func (l leg) away(to *Road) float64 {
	end := l.pose(true)
	return min(gap(end, leg{to, false}.pose(false)), gap(end, leg{to, true}.pose(false)))
}

// aside is how far the lines of the legs of a hop begin beside each other, in all [m].
func (r *router) aside(at leg, hop []leg) float64 {
	sum := 0.0
	for _, next := range hop {
		sum += gap(at.pose(true), next.pose(false))
		at = next
	}
	return sum
}

func (r *router) fault(road *Road, link, format string, args ...any) error {
	f := &Fault{File: r.file, Road: clip(road.ID), Text: fmt.Sprintf(format, args...)}
	if link != "" {
		f.Element = "<" + link + ">"
	}
	return f
}
