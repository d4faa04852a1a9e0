package opendrive

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

func parts(t testing.TB) *Map {
	t.Helper()
	data, err := os.ReadFile("testdata/parts.xodr")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(data, "parts.xodr")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestParts(t *testing.T) {
	m := parts(t)
	if h := m.Header; h.Major != 1 || h.Minor != 7 || h.Vendor != "rig" || h.GeoReference != "+proj=tmerc +lat_0=48 +lon_0=11" {
		t.Errorf("header %+v", h)
	}
	r := m.Road("1")
	if r == nil || m.Road("3") != nil {
		t.Fatal("road 1 is not found, or road 3 is")
	}
	if r.Successor != (Link{"road", "2", "start"}) || m.Road("2").Junction != "9" || r.Junction != "" {
		t.Errorf("links %+v, junctions %q and %q", r.Successor, r.Junction, m.Road("2").Junction)
	}
	lane := &r.Sections[0].Left[0]
	for s, want := range map[float64]string{0: "asphalt", 29: "asphalt", 31: "concrete"} {
		if got := lane.Material(s).Surface; got != want {
			t.Errorf("at s %g it is made of %q, want %q", s, got, want)
		}
	}
	near.Value(t, "friction", lane.Material(31).Friction, 0.8, 0)
	near.Value(t, "paint", lane.Marks[0].Width, 0.12, 0)
	if got := r.Sections[0].Center[0].Type; got != "broken" {
		t.Errorf("paint in the middle %q", got)
	}
	if !slices.Equal(lane.Successors, []int{1}) {
		t.Errorf("lane 1 leads to %v", lane.Successors)
	}
	j := m.Junctions[0]
	if j.ID != "9" || j.Connections[0].Connecting != "2" || j.Connections[0].Lanes[0] != (LaneLink{-1, -1}) {
		t.Errorf("junction %+v", j)
	}
	want := []string{
		"parts.xodr: left out, as they are not part of the ground: <controller> 1, <object> 1, <signal> 2, <type> 1",
		"parts.xodr: <invented> in <road> left out, once: rig does not read it, and what it describes is missing",
	}
	if !slices.Equal(m.Warnings, want) {
		t.Errorf("warnings\n%s", strings.Join(m.Warnings, "\n"))
	}
}

func TestFaults(t *testing.T) {
	good := file(100, straight100, "", twoLanes)
	replaced := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "x.xodr: EOF: must be an XML file whose root is <OpenDRIVE>"},
		{"another root", "<svg/>", "x.xodr: expected element type <OpenDRIVE> but have <svg>: must be an XML file whose root is <OpenDRIVE>"},
		{"truncated", good[:200], "x.xodr: line 2: unexpected EOF: export the file again, or correct it"},
		{"utf-16", "\xff\xfe<\x00", "x.xodr: text in UTF-16: save it as UTF-8"},
		{"strange encoding", `<?xml version="1.0" encoding="Shift_JIS"?><OpenDRIVE/>`, `x.xodr: encoding "shift_jis": must be UTF-8, ISO 8859-1 or -15, or Windows-1252; save the file as UTF-8`},
		{"no road", "<OpenDRIVE/>", "x.xodr: no <road> in it: export the network again"},
		{"no id", replaced(`road id="1"`, `road`), "x.xodr: <road> 1: id is missing: add one"},
		{"no length", replaced(` length="100" junction`, ` junction`), "x.xodr: road 1: length is missing: add it"},
		{"not a number", replaced(`x="0"`, `x="east"`), `x.xodr: road 1: <geometry> 1: x is "east": must be a finite number`},
		{"NaN", replaced(`hdg="0"`, `hdg="NaN"`), `x.xodr: road 1: <geometry> 1: hdg is "NaN": must be a finite number`},
		{"infinite", replaced(`y="0"`, `y="-inf"`), `x.xodr: road 1: <geometry> 1: y is "-inf": must be a finite number`},
		{"absurd place", replaced(`y="0"`, `y="1e12"`), "x.xodr: road 1: <geometry> 1: y is 1e+12: must be -1e+08 to 1e+08; reproject to metres, or correct the unit"},
		{"absurd length", replaced(`length="100" junction`, `length="1e9" junction`), "x.xodr: road 1: length is 1e+09: must be from 0 to 1e+06"},
		{"absurd curvature", replaced(`<line/>`, `<arc curvature="500"/>`), "x.xodr: road 1: <geometry> 1: curvature is 500 over 100 m: winds round 7958 times; correct it"},
		{"no form", replaced(`<line/>`, `<nurbs/>`), "x.xodr: road 1: <geometry> 1: no known form in it: must hold <line>, <arc>, <spiral>, <poly3> or <paramPoly3>"},
		{"no geometry", replaced(straight100, ``), "x.xodr: road 1: <planView>: no <geometry> in it: a road needs a reference line"},
		{"range of a curve", replaced(`<line/>`, `<paramPoly3 aU="0" aV="0" pRange="half"/>`), `x.xodr: road 1: <geometry> 1: pRange is "half": must be arcLength or normalized`},
		{"no lanes", replaced(twoLanes, ``), "x.xodr: road 1: <lanes>: no <laneSection> along the road: a road needs lanes"},
		{"side", replaced(`id="-1"`, `id="2"`), "x.xodr: road 1: <laneSection> 1: lane 2: id is 2: must be above 0 on the left, below 0 on the right"},
		{"width", replaced(`a="3.5"`, `a="1e5"`), "x.xodr: road 1: lane 1 from s 0.000: reaches a width or border of 100000 m: must be at most 1000; correct its coefficients"},
		{"absurd climb", replaced(`<lanes>`, `<elevationProfile><elevation s="0" a="0" d="1"/></elevationProfile><lanes>`), "x.xodr: road 1: <elevation> 1: reaches 125000 m: must be at most 100000; correct its coefficients"},
		{"upside down", replaced(`<lanes>`, `<lateralProfile><superelevation s="0" a="2"/></lateralProfile><lanes>`), "x.xodr: road 1: <superelevation> 1: reaches 2 rad: must be at most 1.5; correct its coefficients"},
		{"absurd shape", replaced(`<lanes>`, `<lateralProfile><shape s="0" t="0" a="0" b="1e6"/></lateralProfile><lanes>`), "x.xodr: road 1: <lateralProfile>: is 3.5e+06 m above the banked plane at s 0.000: must be -1000 to 1000; correct its coefficients"},
	} {
		m, err := Parse([]byte(tt.text), "x.xodr")
		if err == nil {
			t.Errorf("%s: accepted, %+v", tt.name, m)
		} else if err.Error() != tt.want {
			t.Errorf("%s:\n%s, want\n%s", tt.name, err, tt.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	const then = `<geometry s="50" x="50.5" y="0" hdg="0.1" length="50"><line/></geometry>`
	half := geometry(0, 0, 0, 0, 50, "<line/>")
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"gap and kink", file(100, half+then, "", twoLanes), []string{
			"x.xodr: road 1: <geometry> 2: starts 0.500 m from the end of the previous geometry, at s 50.000: the road has a step there",
			"x.xodr: road 1: <geometry> 2: turned by 5.73° against the end of the previous geometry, at s 50.000: the road has a kink there",
		}},
		{"length", file(60, half, "", twoLanes), []string{
			"x.xodr: road 1: <planView>: ends at s 50.000, the road's length is 60.000: the shorter one holds",
		}},
		{"step up", file(50, half, `<elevationProfile><elevation s="0" a="0"/><elevation s="20" a="0.03"/></elevationProfile>`, twoLanes), []string{
			"x.xodr: road 1: <elevation> 2: starts with a jump of 0.03 m, at s 20.000",
		}},
		{"friction that is none", strings.Replace(file(50, half, "", twoLanes), `<width`, `<material friction="high"/><width`, 1), []string{
			`x.xodr: road 1: <laneSection> 1: lane 1: material: friction is "high": taken as not given`,
		}},
		{"version", strings.Replace(file(50, half, "", twoLanes), `revMinor="7"`, `revMinor="1"`, 1), []string{
			"x.xodr: <header>: version 1.1: read as 1.4 to 1.7, the known versions; check the result",
		}},
		{"surface of its own", strings.Replace(file(50, half, "", twoLanes), "</road>", `<surface><CRG file="a.crg" sStart="0"/></surface><include file="b.xml"/></road>`, 1), []string{
			"x.xodr: <CRG> in <surface> left out, once: the road stays smooth; use the OpenCRG file as a ground of its own",
			"x.xodr: <include> in <road> left out, once: merge the files",
		}},
		{"cross section of 1.8", file(50, half, `<lateralProfile><crossSectionSurface><tOffset/><tOffset/></crossSectionSurface><shape s="0" t="0" a="0"/></lateralProfile>`, twoLanes), []string{
			"x.xodr: <crossSectionSurface> in <lateralProfile> left out, once: the road is as its superelevation and shape alone say; export it as OpenDRIVE 1.7, with <shape>",
		}},
		{"lanes out of order", strings.Replace(file(50, half, "", twoLanes), `id="-1"`, `id="-3"`, 1), []string{
			"x.xodr: road 1: <laneSection> 1: lane -3 instead of -1: taken as the next one outwards",
		}},
		{"link to nothing", strings.Replace(file(50, half, "", twoLanes), "<planView>", `<link><successor elementType="road" elementId="5"/></link><planView>`, 1), []string{
			"x.xodr: road 1: <successor>: road 5 not found in the file: the road ends there",
		}},
		{"just a gap", file(100, half+`<geometry s="50" x="50.0102" y="0" hdg="0.0088" length="50"><line/></geometry>`, "", twoLanes), []string{
			"x.xodr: road 1: <geometry> 2: starts 0.010 m from the end of the previous geometry, at s 50.000: the road has a step there",
			"x.xodr: road 1: <geometry> 2: turned by 0.50° against the end of the previous geometry, at s 50.000: the road has a kink there",
		}},
		{"just not a gap", file(100, half+`<geometry s="50" x="50.0099" y="0" hdg="0.0087" length="50"><line/></geometry>`, "", twoLanes), nil},
	} {
		m, err := Parse([]byte(tt.text), "x.xodr")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if !slices.Equal(m.Warnings, tt.want) {
			t.Errorf("%s:\n%s", tt.name, strings.Join(m.Warnings, "\n"))
		}
	}
}

func TestNamesInLatin1(t *testing.T) {
	text := `<?xml version="1.0" encoding="ISO-8859-1"?>` + strings.Replace(file(100, straight100, "", twoLanes), "<road ", "<road name=\"N\xfcrburg\" ", 1)
	if got := parse(t, text).Roads[0].Name; got != "Nürburg" {
		t.Errorf("name %q", got)
	}
}

func FuzzParseXODR(f *testing.F) {
	data, err := os.ReadFile("testdata/parts.xodr")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(file(100, straight100, "", twoLanes)))
	f.Add([]byte(file(30, geometry(0, 0, 0, 0, 30, `<poly3 a="0" b="1" c="0.1" d="-0.01"/>`), `<lateralProfile><shape s="0" t="-1" a="0.1"/></lateralProfile>`, twoLanes)))
	f.Add([]byte(file(30, geometry(0, 0, 0, 0, 30, `<paramPoly3 aU="0" bU="30" cU="0" dU="0" aV="0" bV="0" cV="5" dV="1"/>`), "", twoLanes)))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := Parse(in, "fuzz")
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		for _, r := range m.Roads[:min(len(m.Roads), 3)] {
			p := r.At(r.Length/3, 1)
			if x := p.Pos.X + p.Pos.Y + p.Pos.Z + p.Normal.Z; math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("road %q: %+v", r.ID, p)
			}
		}
		o := DefaultOptions()
		o.MaxTriangles, o.MaxWork = 2000, 100_000
		mesh, err := m.Mesh(o)
		if err != nil {
			return
		}
		if len(mesh.Indices) != 3*len(mesh.Surface) {
			t.Errorf("%d indices for %d surfaces", len(mesh.Indices), len(mesh.Surface))
		}
		for _, i := range mesh.Indices {
			p := mesh.Positions[i]
			if x := p.X + p.Y + p.Z; math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("vertex %d at %v", i, p)
			}
		}
	})
}
