package opendrive

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"
)

// kink is the change of direction at a joint that is told [rad].
const kink = 0.5 * math.Pi / 180

// check refuses absurd values along the road and tells of its steps.
func (f *form) check(r *Road) {
	f.joints(r)
	f.steps(r.elevation, r.Length, "<elevation>", "m", joint, maxHigh)
	f.steps(r.superelevation, r.Length, "<superelevation>", "rad", kink, maxBank)
	f.steps(r.offset, r.Length, "<laneOffset>", "m", joint, 1e4)
	for side := range r.crossfall {
		f.steps(r.crossfall[side], r.Length, "<crossfall>", "rad", kink, maxBank)
	}
	for i := range r.Sections {
		sec := &r.Sections[i]
		for _, lanes := range [][]Lane{sec.Left, sec.Right} {
			for j := range lanes {
				f.wide(&lanes[j], sec)
			}
		}
	}
	f.element = ""
	if f.fault == nil {
		f.flat(r)
	}
}

// flat refuses roads whose surface leaves the banked plane altogether.
func (f *form) flat(r *Road) {
	const most = 1e3 // [m]
	f.element = "<lateralProfile>"
	for i := range r.Sections {
		sec := &r.Sections[i]
		for _, s := range sampled(r, sec) {
			x := r.cross(sec, s)
			for side := range x.side {
				for k, sp := range x.side[side] {
					if h := x.height(side, k, sp.out); !(math.Abs(h) <= most) {
						f.fail("lies %.3g m beside the banked plane at s %.3f: must be at most %g; correct its coefficients", h, s, most)
						return
					}
				}
			}
		}
	}
	f.element = ""
}

// joints compares each geometry's end with the next one's start.
func (f *form) joints(r *Road) {
	for i := 0; i+1 < len(r.plan); i++ {
		f.element = "<geometry> " + strconv.Itoa(i+2)
		a, b := r.plan[i].at(r.plan[i].s+r.plan[i].length), r.plan[i+1].at(r.plan[i+1].s)
		if gap := math.Hypot(b.x-a.x, b.y-a.y); gap > joint {
			f.warn("starts %.3f m beside the end of the one in front, at s %.3f: the road has a step there", gap, r.plan[i+1].s)
		}
		if turn := math.Remainder(b.heading-a.heading, 2*math.Pi); math.Abs(turn) > kink {
			f.warn("turned by %.2f° against the end of the one in front, at s %.3f: the road has a kink there", turn*180/math.Pi, r.plan[i+1].s)
		}
	}
	for i := range r.plan {
		f.element = "<geometry> " + strconv.Itoa(i+1)
		c := &r.plan[i]
		p := c.at(c.s + c.length)
		if !(math.Hypot(p.x-c.start.x, p.y-c.start.y) <= 2*maxLength) {
			f.fail("leads %g m away: correct its coefficients", math.Hypot(p.x-c.start.x, p.y-c.start.y))
		}
	}
}

// steps tells of jumps of a profile by more than step, and refuses values
// beyond most.
func (f *form) steps(p profile, length float64, element, unit string, step, most float64) {
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
			if !(math.Abs(v) <= most) {
				f.fail("reaches %g %s: must be at most %g; correct its coefficients", v, unit, most)
				return
			}
		}
		if i > 0 && math.Abs(p[i].a-p[i-1].at(p[i].start-p[i-1].start)) > step {
			f.warn("starts with a jump of %.4g %s, at s %.3f", p[i].a-p[i-1].at(p[i].start-p[i-1].start), unit, p[i].start)
		}
	}
}

// wide checks a lane's width along its section.
func (f *form) wide(l *Lane, sec *Section) {
	f.element = "lane " + strconv.Itoa(l.ID) + " from s " + strconv.FormatFloat(sec.S, 'f', 3, 64)
	const samples = 8
	for k := range samples + 1 {
		s := sec.S + (sec.End-sec.S)*float64(k)/samples - l.start
		w := l.width.at(s)
		if !(math.Abs(w) <= maxWide) || !(math.Abs(l.border.at(s)) <= 10*maxWide) {
			f.fail("reaches a width or border of %g m: must be at most %g; correct its coefficients", max(math.Abs(w), math.Abs(l.border.at(s))), maxWide)
			return
		}
		if w < -joint {
			f.warn("has a width of %.3f m at %.3f m into it: taken as 0", w, s)
			return
		}
	}
}

// checkLinks compares the ends of roads that join each other.
func (f *form) checkLinks(m *Map) {
	if f.fault != nil {
		return
	}
	byID := map[string]*Road{}
	for _, r := range m.Roads {
		byID[r.ID] = r
	}
	for _, r := range m.Roads {
		f.road = r.ID
		f.linked(byID, "predecessor", r.Predecessor, r.At(0, r.offset.at(0)))
		f.linked(byID, "successor", r.Successor, r.At(r.Length, r.offset.at(r.Length)))
	}
	f.road, f.element = "", ""
}

// linked tells of a link that leads nowhere and of a step in height where two
// roads meet. Sideways they may: their reference lines can lie on other lanes.
func (f *form) linked(byID map[string]*Road, element string, l Link, end Pose) {
	if l.Kind != "road" {
		return
	}
	f.element = "<" + element + ">"
	to := byID[l.ID]
	if to == nil {
		f.warn("road %s is not in the file: the road ends there", clip(l.ID))
		return
	}
	s := 0.0
	if l.Contact == "end" {
		s = to.Length
	}
	start := to.At(s, to.offset.at(s))
	gap := r3.Sub(start.Pos, end.Pos)
	if flat := math.Hypot(gap.X, gap.Y); flat < 0.5 && r3.Norm(gap) > joint {
		f.warn("road %s meets it %.3f m aside and %.3f m higher", clip(l.ID), flat, gap.Z)
	}
}
