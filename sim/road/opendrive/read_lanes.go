package opendrive

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// sections reads the lanes along the road.
func (f *form) sections(raw []rawSection, r *Road) {
	if f.element = "<lanes>"; len(raw) > f.limits.sections {
		f.fail("%d <laneSection>: must be at most %d; join those that are alike, or cut the road in two", len(raw), f.limits.sections)
	}
	for i := range raw {
		f.element = fmt.Sprintf("<laneSection> %d", i+1)
		if f.fault != nil {
			return
		}
		sec := f.section(&raw[i], r)
		if n := len(r.Sections); n > 0 && sec.S <= r.Sections[n-1].S {
			if sec.S < r.Sections[n-1].S {
				f.fail("s is %g, before the section in front: sort them by s", sec.S)
			}
			r.Sections = r.Sections[:n-1] // without length
		}
		if sec.S >= r.Length {
			f.warn("starts at s %.3f, the road ends at %.3f: passed over", sec.S, r.Length)
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

func (f *form) section(raw *rawSection, r *Road) Section {
	sec := Section{S: f.need(raw.S, "s", -joint, maxLength)}
	sec.S = max(sec.S, 0)
	if len(r.Sections) == 0 && sec.S > joint {
		f.warn("the first one starts at s %.3f: taken from 0 on", sec.S)
	}
	sec.Left = f.lanes(raw.Left, sec.S, 1)
	sec.Right = f.lanes(raw.Right, sec.S, -1)
	if one := raw.SingleSide; (one == "true" || one == "1") && len(r.Sections) > 0 {
		last := &r.Sections[len(r.Sections)-1]
		if len(raw.Left) == 0 {
			sec.Left = last.Left
		} else if len(raw.Right) == 0 {
			sec.Right = last.Right
		}
	}
	if f.lanesRead += len(sec.Left) + len(sec.Right); f.lanesRead > f.limits.lanes {
		f.fail("the network has more than %d lanes in its sections: split it", f.limits.lanes)
	}
	for i := range raw.Center {
		sec.Centre = append(sec.Centre, f.marks(raw.Center[i].Marks)...)
	}
	return sec
}

// lanes reads one side from the middle outwards; sign is that of its ids.
func (f *form) lanes(raw []rawLane, start float64, sign int) []Lane {
	if len(raw) > maxLanes {
		f.fail("%d lanes on a side: must be at most %d", len(raw), maxLanes)
		return nil
	}
	var list []Lane
	section := f.element
	for i := range raw {
		f.element = fmt.Sprintf("%s: lane %s", section, clip(raw[i].ID.text))
		id := f.whole(raw[i].ID, "id", -1000, 1000)
		if id*sign <= 0 && f.fault == nil {
			f.fail("id is %d: must be above 0 on the left, below 0 on the right", id)
		}
		list = append(list, f.lane(&raw[i], id, start))
	}
	f.element = section
	slices.SortStableFunc(list, func(a, b Lane) int { return cmp.Compare(a.ID*sign, b.ID*sign) })
	for i := range list {
		switch want := (i + 1) * sign; {
		case i > 0 && list[i].ID == list[i-1].ID:
			f.fail("two lanes %d: number them from the middle", list[i].ID)
		case list[i].ID != want:
			f.warn("lane %d where %d belongs: taken as the next one outwards", list[i].ID, want)
		}
	}
	return list
}

func (f *form) lane(raw *rawLane, id int, start float64) Lane {
	where := f.element
	l := Lane{ID: id, Type: raw.Type, Level: raw.Level == "true" || raw.Level == "1", start: start}
	for _, b := range raw.Before {
		l.Predecessors = f.link(l.Predecessors, b.ID)
	}
	for _, a := range raw.After {
		l.Successors = f.link(l.Successors, a.ID)
	}
	l.width = f.profile(raw.Width, where+": <width>")
	if len(l.width) == 0 {
		l.border = f.profile(raw.Border, where+": <border>")
		if len(l.border) == 0 {
			f.element = where
			f.warn("neither <width> nor <border>: taken as 0 m wide")
			l.width = profile{{}}
		}
	}
	f.element = where
	l.Materials = f.materials(raw.Materials)
	l.Marks = f.marks(raw.Marks)
	l.heights = f.heights(raw.Heights)
	return l
}

func (f *form) link(list []int, n num) []int {
	if id := f.hintID(n); id != 0 {
		return append(list, id)
	}
	return list
}

// hintID reads a lane's id that nothing but driving directions needs.
func (f *form) hintID(n num) int {
	id, err := strconv.Atoi(n.text)
	if err != nil && n.given {
		f.warn("link to lane %q: passed over", clip(n.text))
	}
	return id
}

func (f *form) materials(raw []rawMaterial) []Material {
	var list []Material
	for i := range raw {
		list = append(list, Material{
			Offset:    f.hint(raw[i].SOffset, "material: sOffset", maxLength),
			Surface:   raw[i].Surface,
			Friction:  f.hint(raw[i].Friction, "material: friction", 100),
			Roughness: f.hint(raw[i].Roughness, "material: roughness", 1e6),
		})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Offset < list[j].Offset })
	return list
}

func (f *form) marks(raw []rawMark) []Mark {
	var list []Mark
	for i := range raw {
		list = append(list, Mark{
			Offset:   f.hint(raw[i].SOffset, "roadMark: sOffset", maxLength),
			Type:     raw[i].Type,
			Color:    raw[i].Color,
			Material: raw[i].Material,
			Width:    f.hint(raw[i].Width, "roadMark: width", maxWide),
		})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Offset < list[j].Offset })
	return list
}

func (f *form) heights(raw []rawHeight) []height {
	var list []height
	where := f.element
	for i := range raw {
		f.element = fmt.Sprintf("%s: <height> %d", where, i+1)
		list = append(list, height{
			start: f.need(raw[i].SOffset, "sOffset", -joint, maxLength),
			inner: f.may(raw[i].Inner, "inner", -100, 100),
			outer: f.may(raw[i].Outer, "outer", -100, 100),
		})
	}
	f.element = where
	f.ascending(len(list), func(i, j int) bool { return list[i].start < list[j].start })
	sort.SliceStable(list, func(i, j int) bool { return list[i].start < list[j].start })
	return list
}
