package circuit

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/test/near"
)

// ringXODR is a ring of four linked roads: two straights of 100 m and two half circles of 30 m.
func ringXODR() string {
	const lanes = `<lanes><laneSection s="0"><left><lane id="1" type="driving"><width sOffset="0" a="3.5"/></lane></left>
<right><lane id="-1" type="driving"><width sOffset="0" a="3.5"/></lane></right></laneSection></lanes>`
	bend := fmt.Sprintf(`<arc curvature="%.17g"/>`, 1./30)
	text := `<OpenDRIVE><header revMajor="1" revMinor="7"/>`
	for i, g := range []struct {
		x, y, hdg, length float64
		form              string
	}{{0, 0, 0, 100, "<line/>"}, {100, 0, 0, 30 * math.Pi, bend}, {100, 60, math.Pi, 100, "<line/>"}, {0, 60, math.Pi, 30 * math.Pi, bend}} {
		text += fmt.Sprintf(`<road id="%d" length="%.17g" junction="-1"><link><successor elementType="road" elementId="%d" contactPoint="start"/></link>
<planView><geometry s="0" x="%g" y="%g" hdg="%.17g" length="%.17g">%s</geometry></planView>%s</road>`, i+1, g.length, (i+1)%4+1, g.x, g.y, g.hdg, g.length, g.form, lanes)
	}
	return text + "</OpenDRIVE>"
}

func TestLinkedRoadsAreLapped(t *testing.T) {
	for name, line := range map[string]string{
		"ring":           "closed = true\n",
		"ring of a road": "road = \"3\"\nclosed = true\n",
		"route":          "roads = [\"2\", \"3\", \"4\", \"1\"]\nclosed = true\n",
	} {
		dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.xodr\"\n[line]\n" + line, "a.xodr": ringXODR()})
		c, warnings := load(t, filepath.Join(dir, "c.toml"), Options{})
		if !c.Closed() || len(warnings) > 0 {
			t.Errorf("%s: closed %v, %q", name, c.Closed(), warnings)
		}
		near.Value(t, name+": length", c.Length(), 200+60*math.Pi, 0.1)
	}
}

func TestRoutesAreRefusedInOneLine(t *testing.T) {
	open := strings.Replace(ringXODR(), `elementId="4" contactPoint="start"`, `elementId="1" contactPoint="start"`, 1)
	many := strings.Repeat(`"1", `, 1001)
	for _, tt := range []struct{ name, line, text, want string }{
		{"gap", "closed = true\n", open, "c.toml:4:1: line.closed = true: a.xodr: road 3: <successor>: road 1 begins 60.00 m from its end"},
		{"route", "roads = [\"1\", \"3\"]\n", ringXODR(), "c.toml:4:1: line.roads = [\"1\" \"3\"]: a.xodr: road 1: <successor>: does not lead to road 3, whose nearest end is 60.00 m away: link the roads"},
		{"no such road", "roads = [\"1\", \"9\"]\n", ringXODR(), `c.toml:4:1: line.roads = ["1" "9"]: road "9" not found in a.xodr; the roads are 1, 2, 3, 4`},
		{"both", "roads = [\"1\"]\nroad = \"1\"\n", ringXODR(), "c.toml:4:1: line.roads = [\"1\"]: conflicts with road and file; remove one of them"},
		{"many", "roads = [" + many + "]\n", ringXODR(), "c.toml:4:1: line.roads: has 1001 entries; give up to 1000"},
	} {
		dir := circuittest.Folder(t, map[string]string{"c.toml": "[ground]\nfile = \"a.xodr\"\n[line]\n" + tt.line, "a.xodr": tt.text})
		_, _, err := Load(filepath.Join(dir, "c.toml"), Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want\n%s", tt.name, err, tt.want)
		}
	}
}

// A network of many roads names the first of them alone.
func TestManyRoadsAreNotAllNamed(t *testing.T) {
	text := ringXODR()
	one := text[strings.Index(text, "<road "):strings.Index(text, "</road>")]
	for i := range 100 {
		text = strings.Replace(text, "</OpenDRIVE>", strings.Replace(one, `id="1"`, fmt.Sprintf(`id="n%d"`, i), 1)+"</road></OpenDRIVE>", 1)
	}
	dir := circuittest.Folder(t, map[string]string{"a.xodr": text})
	_, warnings := load(t, filepath.Join(dir, "a.xodr"), Options{})
	if len(warnings) != 1 || !strings.Contains(warnings[0], "a.xodr has 104 roads: for laps, name one with line.road or several with line.roads; the roads are 1, 2, 3, 4, n0") || !strings.HasSuffix(warnings[0], ", and 84 more") {
		t.Errorf("%q", warnings)
	}
}
