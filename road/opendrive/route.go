package opendrive

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/printable"
)

// routeLeg is a road that is driven from one of its ends to the other.
type routeLeg struct {
	road     *Road
	reversed bool // it is driven from its end to its start
}

// exitLink returns the link at the end of a leg, in driving direction, and the name of its element.
func (l routeLeg) exitLink() (Link, string) {
	if l.reversed {
		return l.road.Predecessor, "predecessor"
	}
	return l.road.Successor, "successor"
}

// endStation returns the middle of the driving lanes at the end of a leg, or at its start if atEnd is false, in
// driving direction.
func (l routeLeg) endStation(atEnd bool) Station {
	s := 0.0
	if atEnd != l.reversed {
		s = l.road.Length
	}
	return l.asDriven(l.road.station(s))
}

// asDriven converts a station of the road to the driving direction of the leg.
func (l routeLeg) asDriven(p Station) Station {
	if l.reversed {
		p.Heading += math.Pi
		p.Left, p.Right, p.Bank, p.Curvature = p.Right, p.Left, -p.Bank, -p.Curvature
	}
	return p
}

// router finds the route from road to road.
type router struct {
	file        string
	roads       map[string]*Road
	connections map[[2]string][]Connection // by junction and incoming road
}

// Route samples the line along several roads in driving order, about every step metres. From one road to
// the next it follows the file's links, also through junctions, whose connecting roads need not be named.
// A closed route leads back to the first road. A closed route of a single road that is no ring follows the
// links from its end until it returns.
func (m *Map) Route(ids []string, closed bool, step float64) (Line, error) {
	r := &router{file: m.Name, roads: map[string]*Road{}, connections: map[[2]string][]Connection{}}
	for _, road := range m.Roads {
		r.roads[road.ID] = road
	}
	for _, j := range m.Junctions {
		for _, c := range j.Connections {
			key := [2]string{j.ID, c.Incoming}
			r.connections[key] = append(r.connections[key], c)
		}
	}
	var named []*Road
	for _, id := range ids {
		if r.roads[id] == nil {
			return Line{}, &Fault{File: m.Name, Road: printable.Excerpt(id), Text: "road not found: name one of the file"}
		}
		named = append(named, r.roads[id])
	}
	legs, err := r.legs(named, closed)
	if err != nil {
		return Line{}, err
	}
	return r.line(legs, closed, step)
}

// legs returns the roads of a route with the connecting roads between them.
func (r *router) legs(named []*Road, closed bool) ([]routeLeg, error) {
	first := routeLeg{road: named[0]}
	switch {
	case len(named) > 1:
		return r.legsThrough(named, closed)
	case !closed || first.road.isRing():
		return []routeLeg{first}, nil
	}
	return r.followRing(first)
}

// isRing reports whether a road ends where it begins.
func (r *Road) isRing() bool {
	const gap = 0.05 // [m]
	first, last := r.station(0), r.station(r.Length)
	return r.Length > 1 && r3.Norm(r3.Sub(first.Pos, last.Pos)) < gap && math.Abs(math.Remainder(last.Heading-first.Heading, 2*math.Pi)) < maxKink
}

// legsThrough returns the legs through named roads. The first road is driven in the direction that leads
// to the second.
func (r *router) legsThrough(named []*Road, closed bool) ([]routeLeg, error) {
	var fault error
	for _, reversed := range [...]bool{false, true} {
		legs := []routeLeg{{named[0], reversed}}
		targets := named[1:]
		if closed {
			targets = append(slices.Clone(targets), named[0])
		}
		var err error
		for i, target := range targets {
			var next []routeLeg
			if next, err = r.legsTo(legs[len(legs)-1], target); err != nil {
				if i > 0 || fault == nil {
					fault = err
				}
				break
			}
			legs = append(legs, next...)
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
		fault = r.fault(legs[0].road, "", "the route returns to its other end: a lap must drive it in one direction; name other roads")
	}
	return nil, fault
}

// legsTo returns the legs from the end of a leg to a target, inclusive.
func (r *router) legsTo(at routeLeg, target *Road) ([]routeLeg, error) {
	var best []routeLeg
	for _, path := range r.continuations(at) {
		if i := slices.IndexFunc(path, func(l routeLeg) bool { return l.road == target }); i >= 0 {
			if path = path[:i+1]; best == nil || r.sumOfGaps(at, path) < r.sumOfGaps(at, best) {
				best = path
			}
		}
	}
	if best == nil {
		_, link := at.exitLink()
		return nil, r.fault(at.road, link, "does not lead to road %s, whose nearest end is %.2f m away: "+
			"link the roads, or name those between them", printable.Excerpt(target.ID), at.distanceTo(target))
	}
	return best, nil
}

// followRing follows the links from road to road until it returns to the first.
func (r *router) followRing(first routeLeg) ([]routeLeg, error) {
	legs, visited := []routeLeg{first}, map[*Road]bool{first.road: true}
	for {
		at := legs[len(legs)-1]
		_, link := at.exitLink()
		next, others := r.onlyContinuation(at)
		switch {
		case len(others) > 0:
			return nil, r.fault(at.road, link, "leads to several roads, %s: name the route, as line.roads = [\"%s\", \"%s\", …]", strings.Join(others, ", "), printable.Excerpt(first.road.ID), others[0])
		case next == nil:
			return nil, r.fault(at.road, link, "leads nowhere, and the road ends %.2f m from road %s, where the ring began: link them, or leave closed out", at.distanceTo(first.road), printable.Excerpt(first.road.ID))
		}
		for _, l := range next {
			if l == first {
				return legs, nil
			}
			if visited[l.road] {
				return nil, r.fault(at.road, link, "leads to road %s once more before the ring is closed, and road %s lies %.2f m away: name the route with line.roads", printable.Excerpt(l.road.ID), printable.Excerpt(first.road.ID), at.distanceTo(first.road))
			}
			visited[l.road] = true
			legs = append(legs, l)
		}
	}
}

// onlyContinuation returns the legs after a leg. If they lead to several roads, others lists these roads.
func (r *router) onlyContinuation(at routeLeg) (best []routeLeg, others []string) {
	const limit = 10
	for _, path := range r.continuations(at) {
		id := printable.Excerpt(path[len(path)-1].road.ID)
		if best == nil || r.sumOfGaps(at, path) < r.sumOfGaps(at, best) {
			best = path
		}
		if !slices.Contains(others, id) && len(others) < limit {
			others = append(others, id)
		}
	}
	if len(others) == 1 {
		others = nil
	}
	return best, others
}

// continuations lists the legs to which the end of a leg leads: to a road, or through a connecting road to one.
func (r *router) continuations(at routeLeg) [][]routeLeg {
	link, _ := at.exitLink()
	if link.Kind != "junction" {
		if next, ok := r.enter(at, link.ID, link.Contact); ok && link.Kind == "road" {
			return [][]routeLeg{{next}}
		}
		return nil
	}
	var list [][]routeLeg
	for _, c := range r.connections[[2]string{link.ID, at.road.ID}] {
		connecting, ok := r.enter(at, c.Connecting, c.Contact)
		if !ok {
			continue
		}
		path := []routeLeg{connecting}
		if link, _ := connecting.exitLink(); link.Kind == "road" {
			if next, ok := r.enter(connecting, link.ID, link.Contact); ok {
				path = append(path, next)
			}
		}
		list = append(list, path)
	}
	return list
}

// enter returns the leg that begins at an end of a road: at contact, "start" or "end", else at the end that is
// nearer to at. It returns false if the road does not exist.
func (r *router) enter(at routeLeg, id, contact string) (routeLeg, bool) {
	road := r.roads[id]
	if road == nil {
		return routeLeg{}, false
	}
	next := routeLeg{road, contact == "end"}
	if contact != "start" && contact != "end" {
		other := routeLeg{road, true}
		next.reversed = distance(at.endStation(true), other.endStation(false)) < distance(at.endStation(true), next.endStation(false))
	}
	return next, true
}

// distance returns the distance between two stations [m].
func distance(a, b Station) float64 { return r3.Norm(r3.Sub(a.Pos, b.Pos)) }

// distanceTo returns the distance from the end of a leg to the nearer end of a road [m].
func (l routeLeg) distanceTo(to *Road) float64 {
	end := l.endStation(true)
	return min(distance(end, routeLeg{to, false}.endStation(false)), distance(end, routeLeg{to, true}.endStation(false)))
}

// sumOfGaps returns the sum of the gaps between the lines of consecutive legs [m].
func (r *router) sumOfGaps(at routeLeg, path []routeLeg) float64 {
	sum := 0.0
	for _, next := range path {
		sum += distance(at.endStation(true), next.endStation(false))
		at = next
	}
	return sum
}

// fault returns an error about a road, and about one of its links if link is not empty.
func (r *router) fault(road *Road, link, format string, args ...any) error {
	f := &Fault{File: r.file, Road: printable.Excerpt(road.ID), Text: fmt.Sprintf(format, args...)}
	if link != "" {
		f.Element = "<" + link + ">"
	}
	return f
}
