package opendrive

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"rig.example/rig/internal/kit/printable"
)

// readSections reads the lanes along the road.
func (f *reader) readSections(raw []rawSection, r *Road) {
	if f.element = "<lanes>"; len(raw) > f.limits.sections {
		f.fail("%d <laneSection>: must be at most %d; join equal ones, or split the road", len(raw), f.limits.sections)
	}
	for i := range raw {
		f.element = fmt.Sprintf("<laneSection> %d", i+1)
		if f.fault != nil {
			return
		}
		sec := f.readSection(&raw[i], r)
		if n := len(r.Sections); n > 0 && sec.S <= r.Sections[n-1].S {
			if sec.S < r.Sections[n-1].S {
				f.fail("s is %g, before the previous section: sort them by s", sec.S)
			}
			r.Sections = r.Sections[:n-1] // the previous section has no length
		}
		if sec.S >= r.Length {
			f.warn("starts at s %.3f, the road ends at %.3f: ignored", sec.S, r.Length)
			continue
		}
		r.Sections = append(r.Sections, sec)
	}
	f.element = "<lanes>"
	if len(r.Sections) == 0 {
		f.fail("no <laneSection> along the road: a road needs lanes")
		return
	}
	r.Sections[0].S = 0
	for i := range r.Sections {
		r.Sections[i].End = r.Length
		if i+1 < len(r.Sections) {
			r.Sections[i].End = r.Sections[i+1].S
		}
	}
}

// readSection reads one lane section.
func (f *reader) readSection(raw *rawSection, r *Road) Section {
	sec := Section{S: f.requiredNumber(raw.S, "s", -maxGap, maxLength)}
	sec.S = max(sec.S, 0)
	if len(r.Sections) == 0 && sec.S > maxGap {
		f.warn("the first one starts at s %.3f: taken from 0 on", sec.S)
	}
	sec.Left = f.readLanes(raw.Left, sec.S, 1)
	sec.Right = f.readLanes(raw.Right, sec.S, -1)
	if one := raw.SingleSide; (one == "true" || one == "1") && len(r.Sections) > 0 {
		last := &r.Sections[len(r.Sections)-1]
		if len(raw.Left) == 0 {
			sec.Left = last.Left
		} else if len(raw.Right) == 0 {
			sec.Right = last.Right
		}
	}
	if f.laneCount += len(sec.Left) + len(sec.Right); f.laneCount > f.limits.lanes {
		f.fail("the network has more than %d lanes in its sections: split it", f.limits.lanes)
	}
	for i := range raw.Center {
		sec.Center = append(sec.Center, f.readMarks(raw.Center[i].Marks)...)
	}
	return sec
}

// readLanes reads the lanes of one side, and returns them from lane 0 outwards. start is s of the section [m];
// sign is the sign of the lanes' ids.
func (f *reader) readLanes(raw []rawLane, start float64, sign int) []Lane {
	if len(raw) > maxLanes {
		f.fail("%d lanes on a side: must be at most %d", len(raw), maxLanes)
		return nil
	}
	var list []Lane
	section := f.element
	for i := range raw {
		f.element = fmt.Sprintf("%s: lane %s", section, printable.Excerpt(raw[i].ID.text))
		id := f.integer(raw[i].ID, "id", -1000, 1000)
		if id*sign <= 0 && f.fault == nil {
			f.fail("id is %d: must be above 0 on the left, below 0 on the right", id)
		}
		list = append(list, f.readLane(&raw[i], id, start))
	}
	f.element = section
	slices.SortStableFunc(list, func(a, b Lane) int { return cmp.Compare(a.ID*sign, b.ID*sign) })
	for i := range list {
		switch want := (i + 1) * sign; {
		case i > 0 && list[i].ID == list[i-1].ID:
			f.fail("two lanes %d: number them from the middle", list[i].ID)
		case list[i].ID != want:
			f.warn("lane %d instead of %d: taken as the next one outwards", list[i].ID, want)
		}
	}
	return list
}

// readLane reads one lane.
func (f *reader) readLane(raw *rawLane, id int, start float64) Lane {
	where := f.element
	l := Lane{ID: id, Type: raw.Type, Level: raw.Level == "true" || raw.Level == "1", start: start}
	for _, b := range raw.Before {
		l.Predecessors = f.appendLaneID(l.Predecessors, b.ID)
	}
	for _, a := range raw.After {
		l.Successors = f.appendLaneID(l.Successors, a.ID)
	}
	l.width = f.readProfile(raw.Width, where+": <width>")
	if len(l.width) == 0 {
		l.border = f.readProfile(raw.Border, where+": <border>")
		if len(l.border) == 0 {
			f.element = where
			f.warn("neither <width> nor <border>: taken as 0 m wide")
			l.width = profile{{}}
		}
	}
	f.element = where
	l.Materials = f.readMaterials(raw.Materials)
	l.Marks = f.readMarks(raw.Marks)
	l.heights = f.readHeights(raw.Heights)
	return l
}

// appendLaneID appends the id of a linked lane to list.
func (f *reader) appendLaneID(list []int, n numberText) []int {
	if id := f.laneID(n); id != 0 {
		return append(list, id)
	}
	return list
}

// laneID reads the id of a linked lane. An id that is not a number gives a warning and 0, because the surface of
// the road does not depend on it.
func (f *reader) laneID(n numberText) int {
	id, err := strconv.Atoi(n.text)
	if err != nil && n.given {
		f.warn("link to lane %q: ignored", printable.Excerpt(n.text))
	}
	return id
}

// readMaterials reads the materials of a lane.
func (f *reader) readMaterials(raw []rawMaterial) []Material {
	var list []Material
	for i := range raw {
		list = append(list, Material{
			Offset:    f.lenientNumber(raw[i].SOffset, "material: sOffset", maxLength),
			Surface:   raw[i].Surface,
			Friction:  f.lenientNumber(raw[i].Friction, "material: friction", 100),
			Roughness: f.lenientNumber(raw[i].Roughness, "material: roughness", 1e6),
		})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Offset < list[j].Offset })
	return list
}

// readMarks reads road marks.
func (f *reader) readMarks(raw []rawMark) []Mark {
	var list []Mark
	for i := range raw {
		list = append(list, Mark{
			Offset:   f.lenientNumber(raw[i].SOffset, "roadMark: sOffset", maxLength),
			Type:     raw[i].Type,
			Color:    raw[i].Color,
			Material: raw[i].Material,
			Width:    f.lenientNumber(raw[i].Width, "roadMark: width", maxLaneWidth),
		})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Offset < list[j].Offset })
	return list
}

// readHeights reads the rises of a lane above the road's surface.
func (f *reader) readHeights(raw []rawHeight) []laneHeight {
	var list []laneHeight
	where := f.element
	for i := range raw {
		f.element = fmt.Sprintf("%s: <height> %d", where, i+1)
		list = append(list, laneHeight{
			start: f.requiredNumber(raw[i].SOffset, "sOffset", -maxGap, maxLength),
			inner: f.optionalNumber(raw[i].Inner, "inner", -100, 100),
			outer: f.optionalNumber(raw[i].Outer, "outer", -100, 100),
		})
	}
	f.element = where
	f.warnIfUnsorted(len(list), func(i, j int) bool { return list[i].start < list[j].start })
	sort.SliceStable(list, func(i, j int) bool { return list[i].start < list[j].start })
	return list
}
