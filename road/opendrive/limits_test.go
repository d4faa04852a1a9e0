package opendrive

import (
	"fmt"
	"strings"
	"testing"
)

// Files beyond a limit are refused with the limit and a remedy, before they cost more than
// it allows.
func TestFilesBeyondALimitAreRefused(t *testing.T) {
	few := limits{bytes: 10_000, elements: 100, used: 60, roads: 3, sections: 4, lanes: 20, pieces: 5, depth: 20}
	good := file(100, straight100, "", twoLanes)
	in := func(text string) string { return strings.Replace(good, "</road>", text+"</road>", 1) }
	section := `<laneSection s="%d" singleSide="%v"><left><lane id="1" type="driving"><width sOffset="0" a="1"/></lane></left></laneSection>`
	many := ""
	for i := range 5 {
		many += fmt.Sprintf(section, i, false)
	}
	wide := `<laneSection s="0"><left><lane id="1"/></left><right>`
	for i := range 9 {
		wide += fmt.Sprintf(`<lane id="%d"><width sOffset="0" a="1"/></lane>`, -1-i)
	}
	wide += "</right></laneSection>" + fmt.Sprintf(section, 1, true) + fmt.Sprintf(section, 2, true)
	for _, tt := range []struct{ name, text, want string }{
		{"bytes", good + strings.Repeat(" ", 10_000), "x.xodr: 0 MB: must be at most 0 MB; split the network"},
		{"elements", in(strings.Repeat("<a/>", 200)), "x.xodr: line 5: more than 100 elements: split the network, or leave out what is no road"},
		{"elements of a list", in("<objects>" + strings.Repeat("<object/>", 200) + "</objects>"), "more than 100 elements"},
		{"elements that are read", file(100, straight100, "<elevationProfile>"+strings.Repeat(`<elevation s="0" a="0"/>`, 70)+"</elevationProfile>", twoLanes), "more than 60 elements that describe roads: split the network, or leave roads out"},
		{"nesting of what is not read", in(strings.Repeat("<a>", 50)), "elements nested 21 deep: must be at most 20; export the file again"},
		{"roads", "<OpenDRIVE>" + strings.Repeat("<road/>", 4) + "</OpenDRIVE>", "x.xodr: line 1: more than 3 roads: split the network"},
		{"sections", file(100, straight100, "", many), "x.xodr: road 1: <lanes>: 5 <laneSection>: must be at most 4; join equal ones, or split the road"},
		{"lanes that a section takes over", file(100, straight100, "", wide), "x.xodr: road 1: <laneSection> 3: the network has more than 20 lanes in its sections: split it"},
		{"pieces of a shape", file(100, straight100, "<lateralProfile>"+strings.Repeat(`<shape s="1" t="0" a="0"/>`, 6)+"</lateralProfile>", twoLanes), "x.xodr: road 1: <lateralProfile>: more than 5 <shape> at s 1: remove some"},
		{"turns of a clothoid", file(100, geometry(0, 0, 0, 0, 100, `<spiral curvStart="0" curvEnd="-2"/>`), "", twoLanes), "curvEnd is -2 over 100 m: winds round 32 times; correct it"},
	} {
		_, err := parseWithin([]byte(tt.text), "x.xodr", few)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want\n%s", tt.name, err, tt.want)
		}
	}
	if _, err := parseWithin([]byte(good), "x.xodr", few); err != nil {
		t.Errorf("within all limits: %v", err)
	}
}

// What triangles cost is bounded before they are made, whatever the road is like.
func TestWorkOnTrianglesIsBounded(t *testing.T) {
	length := func(form, profiles string) string {
		return file(1e5, geometry(0, 0, 0, 0, 1e5, form), profiles, twoLanes)
	}
	lateral := func(in string) string { return "<lateralProfile>" + in + "</lateralProfile>" }
	var sections strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&sections, `<laneSection s="%d">%s`, i, strings.TrimPrefix(twoLanes, `<laneSection s="0">`))
	}
	for name, text := range map[string]string{
		"clothoid":    length(`<spiral curvStart="0" curvEnd="0.0009"/>`, ""),
		"arc":         length(`<arc curvature="0.0009"/>`, ""),
		"steep cubic": length(`<paramPoly3 pRange="normalized" aU="0" bU="1e5" cU="0" dU="0" aV="0" bV="1e6" cV="-1e6" dV="1e3"/>`, ""),
		"shape":       file(100, straight100, lateral(`<shape s="0" t="-9" a="0" d="0.1"/><shape s="50" t="-9" a="0" d="-0.05"/>`), strings.ReplaceAll(twoLanes, "3.5", "3.5\" c=\"0.0001")),
		"sections":    file(5000, geometry(0, 0, 0, 0, 5000, "<line/>"), "", sections.String()),
	} {
		m := parse(t, text)
		b := &builder{options: DefaultOptions(), surfaceIDs: map[Surface]uint16{}}
		b.options.MaxWork = 10_000
		b.addRoad(m.Roads[0])
		const last = 100 // what is under way when the limit is met
		if !strings.HasPrefix(b.fault, "more than 10000 lanes of cross sections to look at for triangles within 0.002 m of the road: raise chord_mm, make its curves smoother, or cut the network into parts") || b.work > b.options.MaxWork+last {
			t.Errorf("%s: looked at %d lanes, %d triangles: %q", name, b.work, len(b.mesh.Surface), b.fault)
		}
	}
}

// A network of curved roads meets the limit of triangles, which is what it costs, and not that of
// work, long before.
func TestCurvedRoadsMayHaveAllTheirTriangles(t *testing.T) {
	m := parse(t, file(300, geometry(0, 0, 0, 0, 300, `<arc curvature="0.02"/>`), "", twoLanes))
	o := DefaultOptions()
	b := &builder{options: o, surfaceIDs: map[Surface]uint16{}}
	b.addRoad(m.Roads[0])
	if n := len(b.mesh.Surface); n < 1000 || float64(o.MaxTriangles)/float64(n)*float64(b.work) > float64(o.MaxWork) || o.MaxTriangles < 10_000_000 {
		t.Errorf("%d triangles for %d lanes of cross sections", n, b.work)
	}
}

// Every element that has no reader is counted, wherever it stands.
func TestEveryElementThatIsNotReadIsCounted(t *testing.T) {
	places := 0
	var with func(k *elementType) string
	with = func(k *elementType) string {
		text := ""
		for name, inner := range k.children {
			places++
			text += fmt.Sprintf("<%s><strange><a/><b/></strange>%s</%s>", name, with(inner), name)
		}
		return text
	}
	text := with(documentType)
	f := &reader{file: "x", limits: defaultLimits, unused: map[[2]string]int{}}
	f.decode([]byte(text), new(rawMap))
	if f.fault != nil || places < 25 {
		t.Fatalf("%v in %d places", f.fault, places)
	}
	counted := 0
	for key, n := range f.unused {
		if counted += n; key[1] != "strange" {
			t.Errorf("<%s> in <%s> is counted", key[1], key[0])
		}
	}
	if counted != places {
		t.Errorf("%d elements of %d are counted: %v", counted, places, f.unused)
	}
}

// However many names strangers give, they take 51 lines.
func TestManyNamesAreCountedTogether(t *testing.T) {
	text := ""
	for i := range 300 {
		text += fmt.Sprintf("<n%d/>", i)
	}
	m := parse(t, strings.Replace(file(100, straight100, "", twoLanes), "</road>", text+"</road>", 1))
	if n := len(m.Warnings); n != 51 || m.Warnings[0] != "test.xodr: 250 elements with other names ignored: rig does not know them" {
		t.Errorf("%d warnings: %s", n, m.Warnings[0])
	}
}
