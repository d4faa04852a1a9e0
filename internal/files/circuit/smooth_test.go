package circuit

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/road/opendrive"
)

// The ground that is felt lies near the road that the file describes, also where that has
// kinks: the smooth surface must not swing beside them.
func TestTheGroundOfARoadLiesNearIt(t *testing.T) {
	const lanes = `<laneSection s="0"><left><lane id="1" type="driving"><width sOffset="0" a="3.5"/></lane>%s</left>
<right><lane id="-1" type="driving"><width sOffset="0" a="3.5"/></lane></right></laneSection>`
	const straight = `<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry>`
	for _, tt := range []struct{ name, plan, profiles, lane string }{
		{"crown", straight, `<lateralProfile><crossfall s="0" side="both" a="0.025"/></lateralProfile>`, ""},
		{"shape", straight, `<lateralProfile><shape s="0" t="-9" a="0" b="0.03"/><shape s="0" t="1" a="0.3" b="-0.03"/></lateralProfile>`, ""},
		{"kinks of elevation", straight, `<elevationProfile><elevation s="0" a="0"/><elevation s="30" a="0" b="0.06"/><elevation s="60" a="1.8" b="-0.1"/></elevationProfile>`, ""},
		{"kinks of a banked bend", `<geometry s="0" x="0" y="0" hdg="0" length="100"><arc curvature="0.01"/></geometry>`,
			`<lateralProfile><superelevation s="0" a="0"/><superelevation s="30" a="0" b="0.003"/><superelevation s="60" a="0.09"/></lateralProfile>`, ""},
		{"end of a bend on a slope", `<geometry s="0" x="0" y="0" hdg="0" length="40"><arc curvature="0.025"/></geometry><geometry s="40" x="33.658839392" y="18.387907765" hdg="1" length="60"><line/></geometry>`,
			`<elevationProfile><elevation s="0" a="9" b="-0.09"/></elevationProfile>`, ""},
		{"lane that is lowered", straight, "", `<lane id="2" type="sidewalk"><width sOffset="0" a="2"/><height sOffset="0" inner="0.02" outer="0.12"/><height sOffset="40" inner="0.02" outer="0.12"/><height sOffset="42" inner="0.12" outer="0.12"/></lane>`},
		{"lane that stays level", straight, `<lateralProfile><superelevation s="0" a="0.06"/></lateralProfile>`, `<lane id="2" type="shoulder" level="true"><width sOffset="0" a="3"/></lane>`},
	} {
		text := fmt.Sprintf(`<OpenDRIVE><header revMajor="1" revMinor="7"/><road id="1" length="100" junction="-1"><planView>%s</planView>%s<lanes>%s</lanes></road></OpenDRIVE>`,
			tt.plan, tt.profiles, fmt.Sprintf(lanes, tt.lane))
		m, err := opendrive.Parse([]byte(text), "a.xodr")
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(filepath.Join(circuittest.Folder(t, map[string]string{"a.xodr": text}), "a.xodr"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		worst, where := 0.0, ""
		for k := range 8000 {
			at, beside := 100*float64(k)/8000, -3.45+8.9*math.Mod(float64(k)*0.6180339887, 1)
			p := m.Roads[0].At(at, beside)
			if p.Lane == 0 || math.Abs(beside-3.5) < 0.02 { // the face of the kerb
				continue
			}
			z, ok := HeightBelow(s.Bare, p.Pos.X, p.Pos.Y, p.Pos.Z+1)
			if off := math.Abs(z-p.Pos.Z) * p.Normal.Z; !ok || off > worst {
				worst, where = off, fmt.Sprintf("s %.2f t %.2f", at, beside)
			}
		}
		t.Logf("%s: %.2f mm at %s", tt.name, 1000*worst, where)
		if !(worst < 0.002) {
			t.Errorf("%s: the ground is %.1f mm beside the road at %s", tt.name, 1000*worst, where)
		}
	}
}

// Where connecting roads of a junction lie over each other at several heights, the highest is
// the ground.
func TestWhereRoadsOverlapTheHighestIsTheGround(t *testing.T) {
	over := func(id int, x, y, hdg float64, elevation string) string {
		return fmt.Sprintf(`<road id="%d" length="40" junction="9"><planView><geometry s="0" x="%g" y="%g" hdg="%.17g" length="40"><line/></geometry></planView>
<elevationProfile>%s</elevationProfile><lanes><laneSection s="0"><right><lane id="-1" type="driving"><width sOffset="0" a="3.5"/></lane></right></laneSection></lanes></road>`, id, x, y, hdg, elevation)
	}
	text := `<OpenDRIVE><header revMajor="1" revMinor="4"/>` +
		over(1, 0, 1.75, 0, `<elevation s="0" a="0.02" b="0.001"/>`) +
		over(2, 18.25, -20, math.Pi/2, `<elevation s="0" a="0" b="0" c="0.0003" d="-0.000005"/>`) +
		over(3, 5, -15, math.Pi/4, `<elevation s="0" a="0.15" b="-0.006"/>`) + "</OpenDRIVE>"
	m, err := opendrive.Parse([]byte(text), "a.xodr")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(filepath.Join(circuittest.Folder(t, map[string]string{"a.xodr": text}), "a.xodr"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	several, differ, worst := 0, 0, 0.0
	for k := range 9000 {
		own := m.Roads[k%3].At(40*math.Mod(float64(k)*0.7548776662, 1), -3.49*math.Mod(float64(k)*0.5698402910, 1)-0.005)
		highest, n := math.Inf(-1), 0
		for i, r := range m.Roads { // all are straight, so their places are found in closed form
			hdg := [...]float64{0, math.Pi / 2, math.Pi / 4}[i]
			o := r.At(0, 0).Pos
			sin, cos := math.Sincos(hdg)
			at, beside := (own.Pos.X-o.X)*cos+(own.Pos.Y-o.Y)*sin, (own.Pos.Y-o.Y)*cos-(own.Pos.X-o.X)*sin
			if at >= 0 && at <= 40 && beside >= -3.5 && beside <= 0 {
				highest = max(highest, r.At(at, beside).Pos.Z)
				n++
			}
		}
		z, ok := HeightBelow(s.Bare, own.Pos.X, own.Pos.Y, own.Pos.Z+0.5)
		if !ok || math.Abs(z-highest) > 0.002 {
			t.Fatalf("at %v the ground is at %.4f m, the highest road at %.4f", own.Pos, z, highest)
		}
		if n > 1 {
			several++
			worst = max(worst, z-own.Pos.Z)
			if z-own.Pos.Z > 0.005 {
				differ++
			}
		}
	}
	t.Logf("%d places on several roads, %d of them more than 5 mm below the ground, up to %.0f mm", several, differ, 1000*worst)
	if several < 1000 || differ < several/4 || worst < 0.05 {
		t.Errorf("%d places on several roads, %d differ, up to %.3f m: the roads do not lie over each other", several, differ, worst)
	}
}
