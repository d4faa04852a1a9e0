package opendrive

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/printable"
)

// maxKink is the change of direction at a joint above which a warning is given [rad].
const maxKink = 0.5 * math.Pi / 180

// checkRoad fails if a value is out of range along the road, and adds warnings for its steps and kinks.
func (f *reader) checkRoad(r *Road) {
	f.checkJoints(r)
	f.checkProfile(r.elevation, r.Length, "<elevation>", "m", maxGap, maxElevation)
	f.checkProfile(r.superelevation, r.Length, "<superelevation>", "rad", maxKink, maxBank)
	f.checkProfile(r.laneOffset, r.Length, "<laneOffset>", "m", maxGap, 1e4)
	for side := range r.crossfall {
		f.checkProfile(r.crossfall[side], r.Length, "<crossfall>", "rad", maxKink, maxBank)
	}
	for i := range r.Sections {
		sec := &r.Sections[i]
		for _, lanes := range [][]Lane{sec.Left, sec.Right} {
			for j := range lanes {
				f.checkWidth(&lanes[j], sec)
			}
		}
	}
	f.element = ""
	if f.fault == nil {
		f.checkHeights(r)
	}
}

// checkHeights fails if the surface of the road is far from the banked plane.
func (f *reader) checkHeights(r *Road) {
	const limit = 1e3 // [m]
	f.element = "<lateralProfile>"
	for i := range r.Sections {
		sec := &r.Sections[i]
		for _, s := range shapeStations(r, sec) {
			x := r.crossSection(sec, s)
			for side := range x.sides {
				for k, sp := range x.sides[side] {
					if h := x.height(side, k, sp.outer); !(math.Abs(h) <= limit) {
						f.fail("is %.3g m above the banked plane at s %.3f: must be -%[3]g to %[3]g; correct its coefficients",
							h, s, limit)
						return
					}
				}
			}
		}
	}
	f.element = ""
}

// checkJoints compares each geometry's end with the start of the next.
func (f *reader) checkJoints(r *Road) {
	for i := 0; i+1 < len(r.plan); i++ {
		f.element = "<geometry> " + strconv.Itoa(i+2)
		a, b := r.plan[i].at(r.plan[i].s+r.plan[i].length), r.plan[i+1].at(r.plan[i+1].s)
		if gap := math.Hypot(b.x-a.x, b.y-a.y); gap > maxGap {
			f.warn("starts %.3f m from the end of the previous geometry, at s %.3f: the road has a step there",
				gap, r.plan[i+1].s)
		}
		if turn := math.Remainder(b.heading-a.heading, 2*math.Pi); math.Abs(turn) > maxKink {
			f.warn("turned by %.2f° against the end of the previous geometry, at s %.3f: the road has a kink there",
				turn*180/math.Pi, r.plan[i+1].s)
		}
	}
	for i := range r.plan {
		f.element = "<geometry> " + strconv.Itoa(i+1)
		c := &r.plan[i]
		p := c.at(c.s + c.length)
		if !(math.Hypot(p.x-c.start.x, p.y-c.start.y) <= 2*maxLength) {
			f.fail("ends %g m from its start: correct its coefficients", math.Hypot(p.x-c.start.x, p.y-c.start.y))
		}
	}
}

// checkProfile adds a warning if a profile jumps by more than step, and fails if its absolute value is above
// limit. unit is the unit in messages.
func (f *reader) checkProfile(p profile, length float64, element, unit string, step, limit float64) {
	for i := range p {
		if p[i].start > length {
			break
		}
		f.element = element + " " + strconv.Itoa(i+1)
		end := length
		if i+1 < len(p) {
			end = min(p[i+1].start, length)
		}
		const samples = 8
		for k := range samples + 1 {
			v := p[i].at((end - p[i].start) * float64(k) / samples)
			if !(math.Abs(v) <= limit) {
				f.fail("reaches %g %s: must be at most %g; correct its coefficients", v, unit, limit)
				return
			}
		}
		if i > 0 && math.Abs(p[i].a-p[i-1].at(p[i].start-p[i-1].start)) > step {
			f.warn("starts with a jump of %.4g %s, at s %.3f", p[i].a-p[i-1].at(p[i].start-p[i-1].start), unit, p[i].start)
		}
	}
}

// checkWidth checks a lane's width along its section.
func (f *reader) checkWidth(l *Lane, sec *Section) {
	f.element = "lane " + strconv.Itoa(l.ID) + " from s " + strconv.FormatFloat(sec.S, 'f', 3, 64)
	const samples = 8
	for k := range samples + 1 {
		s := sec.S + (sec.End-sec.S)*float64(k)/samples - l.start
		w := l.width.at(s)
		if !(math.Abs(w) <= maxLaneWidth) || !(math.Abs(l.border.at(s)) <= 10*maxLaneWidth) {
			f.fail("reaches a width or border of %g m: must be at most %g; correct its coefficients",
				max(math.Abs(w), math.Abs(l.border.at(s))), maxLaneWidth)
			return
		}
		if w < -maxGap {
			f.warn("has a width of %.3f m, %.3f m after its start: taken as 0", w, s)
			return
		}
	}
}

// checkLinks checks the links between roads.
func (f *reader) checkLinks(m *Map) {
	if f.fault != nil {
		return
	}
	byID := map[string]*Road{}
	for _, r := range m.Roads {
		byID[r.ID] = r
	}
	for _, r := range m.Roads {
		f.road = r.ID
		f.checkLink(byID, "predecessor", r.Predecessor, r.At(0, r.laneOffset.at(0)))
		f.checkLink(byID, "successor", r.Successor, r.At(r.Length, r.laneOffset.at(r.Length)))
	}
	f.road, f.element = "", ""
}

// checkLink adds a warning if a link leads to a missing road, or if the heights of two roads differ where they
// meet. end is the end of the road that has the link. Larger lateral offsets are allowed, because the reference
// lines of two roads can be on different lanes.
func (f *reader) checkLink(byID map[string]*Road, element string, l Link, end Pose) {
	if l.Kind != "road" {
		return
	}
	f.element = "<" + element + ">"
	to := byID[l.ID]
	if to == nil {
		f.warn("road %s not found in the file: the road ends there", printable.Excerpt(l.ID))
		return
	}
	s := 0.0
	if l.Contact == "end" {
		s = to.Length
	}
	start := to.At(s, to.laneOffset.at(s))
	gap := r3.Sub(start.Pos, end.Pos)
	if flat := math.Hypot(gap.X, gap.Y); flat < 0.5 && r3.Norm(gap) > maxGap {
		f.warn("road %s meets it %.3f m to the side and %.3f m higher", printable.Excerpt(l.ID), flat, gap.Z)
	}
}
