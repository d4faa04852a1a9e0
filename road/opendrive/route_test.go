package opendrive

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// The ring has two straights of 100 m and two half circles of 30 m, 7 m wide. Roads 1 and
// 3 are the straights; 3 is described against the way that it is driven.
const half = 30 * math.Pi

func ringRoad(id int, links, lanes string) string {
	plan := [...]string{
		geometry(0, 0, 0, 0, 100, "<line/>"),
		geometry(0, 100, 0, 0, half, fmt.Sprintf(`<arc curvature="%.17g"/>`, 1./30)),
		geometry(0, 0, 60, 0, 100, "<line/>"),
		geometry(0, 0, 60, math.Pi, half, fmt.Sprintf(`<arc curvature="%.17g"/>`, 1./30)),
	}[id-1]
	length := [...]float64{100, half, 100, half}[id-1]
	return fmt.Sprintf(`<road id="%d" length="%.17g" junction="-1"><link>%s</link><planView>%s</planView><elevationProfile><elevation s="0" a="2"/></elevationProfile><lanes>%s</lanes></road>`, id, length, links, plan, lanes)
}

func link(element string, id int, contact string) string {
	return fmt.Sprintf(`<%s elementType="road" elementId="%d" contactPoint="%s"/>`, element, id, contact)
}

// ringFile is a ring whose links run ahead.
func ringFile() string {
	return `<OpenDRIVE><header revMajor="1" revMinor="7"/>` +
		ringRoad(1, link("predecessor", 4, "end")+link("successor", 2, "start"), twoLanes) +
		ringRoad(2, link("predecessor", 1, "end")+link("successor", 3, "end"), twoLanes) +
		ringRoad(3, link("predecessor", 4, "start")+link("successor", 2, "end"), twoLanes) +
		ringRoad(4, link("predecessor", 3, "start")+link("successor", 1, "start"), twoLanes) + `</OpenDRIVE>`
}

// offRing is how far a place lies beside the middle of the ring, seen from above.
func offRing(p r3.Vec) float64 {
	x := math.Max(math.Max(-p.X, p.X-100), 0)
	return math.Abs(math.Hypot(x, p.Y-30) - 30)
}

func TestLinkedRoadsAreARing(t *testing.T) {
	m := parse(t, ringFile())
	if len(m.Warnings) > 0 {
		t.Fatal(m.Warnings)
	}
	for _, tt := range []struct {
		name   string
		ids    []string
		closed bool
		length float64
		wrong  bool // the ring is driven clockwise
	}{
		{"one road of it", []string{"1"}, true, 200 + 2*half, false},
		{"another", []string{"4"}, true, 200 + 2*half, false},
		{"from the one that is described the other way", []string{"3"}, true, 200 + 2*half, true},
		{"all are named", []string{"1", "2", "3", "4"}, true, 200 + 2*half, false},
		{"the other way round", []string{"4", "3", "2", "1"}, true, 200 + 2*half, true},
		{"not closed", []string{"2", "3", "4"}, false, 100 + 2*half, false},
		{"one alone", []string{"2"}, false, half, false},
	} {
		line, err := m.Route(tt.ids, tt.closed, 2)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		near.Value(t, tt.name+": length", line.Length, tt.length, 0.1)
		if line.Closed != tt.closed {
			t.Errorf("%s: closed %v", tt.name, line.Closed)
		}
		turned := 0.0
		for i, p := range line.Points {
			if off := offRing(p.Pos); off > 1e-6 || math.Abs(p.Pos.Z-2) > 1e-9 || math.Abs(p.Left-3.5) > 1e-9 || math.Abs(p.Right-3.5) > 1e-9 {
				t.Errorf("%s: %+v lies %g m beside the ring", tt.name, p, off)
			}
			if i > 0 {
				turned += math.Remainder(p.Heading-line.Points[i-1].Heading, 2*math.Pi)
			}
		}
		if len(tt.ids) == 4 && (turned < 0) != tt.wrong {
			t.Errorf("%s: turned by %g", tt.name, turned)
		}
	}
}

// Bank and heading are given in the direction of travel.
func TestARoadDrivenBackLeansTheOtherWay(t *testing.T) {
	const uneven = `<laneSection s="0"><left><lane id="1" type="driving"><width sOffset="0" a="3"/></lane></left>
		<right><lane id="-1" type="driving"><width sOffset="0" a="5"/></lane></right></laneSection>`
	text := `<OpenDRIVE><header revMajor="1" revMinor="7"/>`
	for i, links := range []string{link("predecessor", 2, "start"), link("predecessor", 1, "start")} {
		text += fmt.Sprintf(`<road id="%d" length="50" junction="-1"><link>%s</link><planView>%s</planView><lateralProfile><superelevation s="0" a="%g"/></lateralProfile><lanes>%s</lanes></road>`,
			i+1, links, geometry(0, 0, 0, float64(i+1)*math.Pi, 50, "<line/>"), 0.1-0.2*float64(i), [...]string{uneven, strings.NewReplacer(`a="3"`, `a="5"`, `a="5"`, `a="3"`).Replace(uneven)}[i])
	}
	line, err := parse(t, text+"</OpenDRIVE>").Route([]string{"1", "2"}, false, 2)
	if err != nil {
		t.Fatal(err)
	}
	near.Value(t, "length", line.Length, 100, 1e-6)
	for _, p := range line.Points {
		near.Value(t, "left", p.Left, 4, 1e-9)
		near.Value(t, "right", p.Right, 4, 1e-9)
		near.Value(t, "bank", p.Bank, -0.1, 1e-9)
		near.Value(t, "heading", math.Remainder(p.Heading, 2*math.Pi), 0, 1e-9)
	}
}

// A junction with a connecting road of one lane for each direction joins roads of two lanes:
// the line moves to the lane and back, and the edges stay.
func TestARingGoesThroughAJunction(t *testing.T) {
	const lane = `<laneSection s="0"><right><lane id="-1" type="driving"><width sOffset="0" a="3.5"/></lane></right></laneSection>`
	over := func(id, from, to int, x, hdg, y float64, enter, leave string) string {
		return fmt.Sprintf(`<road id="%d" length="20" junction="9"><link>%s%s</link><planView>%s</planView><elevationProfile><elevation s="0" a="2"/></elevationProfile><lanes>%s</lanes></road>`,
			id, link("predecessor", from, enter), link("successor", to, leave), geometry(0, x, y, hdg, 20, "<line/>"), lane)
	}
	text := ringFile()
	text = strings.Replace(text, link("successor", 2, "start"), `<successor elementType="junction" elementId="9"/>`, 1)
	text = strings.Replace(text, `length="100" junction="-1"><link>`+link("predecessor", 4, "end"), `length="80" junction="-1"><link>`+link("predecessor", 4, "end"), 1)
	text = strings.Replace(text, `length="100"><line/></geometry></planView>`, `length="80"><line/></geometry></planView>`, 1)
	text = strings.Replace(text, "</OpenDRIVE>",
		over(11, 1, 2, 80, 0, 0, "end", "start")+over(12, 2, 1, 100, math.Pi, 0, "start", "end")+
			`<junction id="9"><connection id="0" incomingRoad="1" connectingRoad="11" contactPoint="start"/>
			<connection id="1" incomingRoad="2" connectingRoad="12" contactPoint="start"/></junction></OpenDRIVE>`, 1)
	m := parse(t, text)
	for _, ids := range [][]string{{"1"}, {"1", "2", "3", "4"}} {
		line, err := m.Route(ids, true, 2)
		if err != nil {
			t.Fatal(err)
		}
		near.Value(t, "length", line.Length, 200+2*half, 1)
		moved := false
		for i, p := range line.Points {
			if i > 0 {
				d := r3.Sub(p.Pos, line.Points[i-1].Pos)
				if turn := math.Remainder(math.Atan2(d.Y, d.X)-p.Heading, 2*math.Pi); math.Abs(turn) > 0.25 {
					t.Errorf("%v: swerves by %.2f rad at %v", ids, turn, p.Pos)
				}
			}
			over := p.Pos.Y < 20 && p.Pos.X > 79.9 && p.Pos.X < 99.9
			if moved = moved || over; over {
				near.Value(t, "middle of the lane", p.Pos.Y, -1.75, 1e-9)
				near.Value(t, "its width", p.Left+p.Right, 3.5, 1e-9)
			} else {
				near.Value(t, "width", p.Left+p.Right, 7, 1e-9)
			}
		}
		if !moved {
			t.Error("no place in the junction")
		}
	}
}

func TestRoutesThatDoNotHold(t *testing.T) {
	good := ringFile()
	with := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for _, tt := range []struct {
		name, text string
		ids        []string
		want       string
	}{
		{"missing link", with(link("successor", 3, "end"), ""), []string{"1"}, "test.xodr: road 2: <successor>: leads nowhere, and the road ends 60.00 m from road 1, where the ring began: link them, or leave closed out"},
		{"missing link of a route", with(link("successor", 3, "end"), ""), []string{"1", "2", "3", "4"}, "test.xodr: road 2: <successor>: does not lead to road 3, whose nearest end is 0.00 m away: link the roads, or name those between them"},
		{"link to an end that is far", with(link("successor", 3, "end"), link("successor", 3, "start")), []string{"1"}, "test.xodr: road 3: <successor>: leads to road 2 once more before the ring is closed, and road 1 lies 60.00 m away: name the route with line.roads"},
		{"link to a road that is far", with(link("successor", 2, "start"), link("successor", 4, "start")), []string{"1"}, "test.xodr: road 1: <successor>: road 4 begins 116.62 m from its end (-100.00 m ahead, 60.00 m to the left, 0.00 m higher): correct the link or the roads"},
		{"gap", strings.ReplaceAll(strings.Replace(good, `id="1" length="100"`, `id="1" length="99"`, 1), `hdg="0" length="100"><line/></geometry></planView><elevationProfile><elevation s="0" a="2"/></elevationProfile><lanes>`+twoLanes+`</lanes></road><road id="2"`,
			`hdg="0" length="99"><line/></geometry></planView><elevationProfile><elevation s="0" a="2"/></elevationProfile><lanes>`+twoLanes+`</lanes></road><road id="2"`), []string{"1"},
			"test.xodr: road 1: <successor>: road 2 begins 1.00 m from its end (1.00 m ahead, 0.00 m to the left, 0.00 m higher): correct the link or the roads"},
		{"angle", strings.Replace(good, `x="100" y="0" hdg="0"`, `x="100" y="0" hdg="0.7"`, 1), []string{"1"}, "test.xodr: road 1: <successor>: road 2 goes on at 40° to it, 0.00 m from its end: correct the link or the roads"},
		{"step", strings.Replace(good, `a="2"`, `a="2.5"`, 1), []string{"1"}, "test.xodr: road 1: <successor>: road 2 begins 0.50 m from its end (0.00 m ahead, 0.00 m to the left, -0.50 m higher): correct the link or the roads"},
		{"ring beside the road", with(link("successor", 1, "start"), link("successor", 3, "start")), []string{"1"}, "test.xodr: road 4: <successor>: leads to road 3 once more before the ring is closed, and road 1 lies 0.00 m away: name the route with line.roads"},
		{"no such road", good, []string{"1", "7"}, "test.xodr: road 7: road not found: name one of the file"},
		{"not in order", good, []string{"1", "3"}, "test.xodr: road 1: <successor>: does not lead to road 3, whose nearest end is 60.00 m away: link the roads, or name those between them"},
		{"too long", file(1e6, geometry(0, 0, 0, 0, 1e6, "<line/>"), "", twoLanes), []string{"1"}, "test.xodr: road 1: the line would be longer than 200 km: name fewer roads, or shorten them"},
	} {
		_, err := parse(t, tt.text).Route(tt.ids, tt.name != "too long", 2)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want\n%s", tt.name, err, tt.want)
		}
	}
}

// Where links leave a choice, the route must be named.
func TestAForkIsNotGuessed(t *testing.T) {
	text := strings.Replace(ringFile(), link("successor", 2, "start"), `<successor elementType="junction" elementId="9"/>`, 1)
	text = strings.Replace(text, "</OpenDRIVE>", `<junction id="9"><connection id="0" incomingRoad="1" connectingRoad="2" contactPoint="start"/>
		<connection id="1" incomingRoad="1" connectingRoad="3" contactPoint="start"/></junction></OpenDRIVE>`, 1)
	m := parse(t, text)
	const want = `test.xodr: road 1: <successor>: leads to several roads, 3, 2: name the route, as line.roads = ["1", "3", …]`
	if _, err := m.Route([]string{"1"}, true, 2); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if line, err := m.Route([]string{"1", "2", "3"}, true, 2); err == nil {
		t.Errorf("%+v", line.Length)
	}
	if _, err := m.Route([]string{"1", "2", "3", "4"}, true, 2); err != nil {
		t.Error(err)
	}
}
