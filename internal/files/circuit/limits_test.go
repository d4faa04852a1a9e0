package circuit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/circuit/circuittest"
	"rig.example/rig/road/opendrive"
	"rig.example/rig/test/level"
)

// What a few lines can ask for is bounded, and the fault names the bound.
func TestWhatACircuitAsksForIsBounded(t *testing.T) {
	level.SkipIfQuick(t)
	const ring = "[layout]\nverge_m = 5\n[[layout.piece]]\nturn_deg = 360\nradius_m = 3000\n"
	for name, tt := range map[string]struct{ toml, want string }{
		"cones":    {ring + strings.Repeat("[[cone]]\nto_m = 18000\nevery_m = 3\n", 4), "cone[1].from_m: this entry makes 12002 of them: must be at most 10000"},
		"walls":    {ring + strings.Repeat("[[wall]]\nto_m = 18000\nside = \"left\"\n", 20), "of them: must be at most 10000"},
		"parts":    {ring + strings.Repeat("[[layout.part]]\nto_m = 20\nsurface = \"ice\"\n", 65), "part: 65 of them near 0 m from the start: must be at most 64"},
		"features": {ring + strings.Repeat("[[layout.feature]]\nfrom_m = 100\nto_m = 120\nkind = \"bump\"\nheight_mm = 5\n", 65), "feature: 65 of them near"},
		"many":     {strings.Repeat("[[layout.piece]]\nturn_deg = 999\n", 1001), "layout.piece: has 1001 entries; give up to 1000"},
		"entries":  {ring + strings.Repeat("[[wall]]\noffset_m = -1\n", 2001) + strings.Repeat("[[cone]]\n", 2000), "sector, wall, cone and change: 4001 entries in total: must be at most 4000"},
		"arc":      {"[[layout.piece]]\nturn_deg = 573000\nradius_m = 5\n", "layout.piece[0].turn_deg = 573000: must be -720 to 720"},
	} {
		_, _, err := Load(filepath.Join(circuittest.Folder(t, map[string]string{"c.toml": tt.toml}), "c.toml"), Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

// Ten faults are enough: each is looked up in the whole file.
func TestFaultsOfWallsAndSectorsAreTen(t *testing.T) {
	for _, entry := range []string{"[[wall]]\nfrom_m = 1\nto_m = 9e4\nside = \"left\"\n", "[[sector]]\non = \"none\"\n"} {
		_, _, err := Load(filepath.Join(circuittest.Folder(t, map[string]string{"c.toml": circle + strings.Repeat(entry, 1000)}), "c.toml"), Options{})
		if err == nil || strings.Count(err.Error(), "\n") != 9 {
			t.Errorf("%.300v", err)
		}
	}
}

// A few kilobytes of a network ask for no more than some two million triangles.
func TestWhatANetworkMayAskForGrowsWithItsFile(t *testing.T) {
	few, many, most := networkOptions(15_000), networkOptions(500_000), opendrive.DefaultOptions()
	if few.MaxTriangles != 2_120_000 || few.MaxWork != 12_720_000 || many.MaxTriangles != 6_000_000 || many.MaxWork != 36_000_000 || networkOptions(1<<30).MaxWork != most.MaxWork {
		t.Errorf("limits for 15 kB: %+v; for 500 kB: %+v", few, many)
	}
	level.SkipUnlessAll(t, "the limits for a file's size are checked, and road/opendrive checks that a network ends at them")
	lanes := ""
	for id := -200; id < 0; id++ {
		lanes = fmt.Sprintf(`<lane id="%d" type="driving"><width sOffset="0" a="1" b="0" c="0" d="0"/></lane>`, id) + lanes
	}
	xodr := `<OpenDRIVE><road id="1" length="9000"><planView><geometry s="0" x="0" y="0" hdg="0" length="9000"><arc curvature="0.01"/></geometry></planView>` +
		`<lanes><laneSection s="0"><center><lane id="0" type="none"/></center><right>` + lanes + `</right></laneSection></lanes></road></OpenDRIVE>`
	dir := circuittest.Folder(t, map[string]string{"a.xodr": xodr})
	_, _, err := Load(filepath.Join(dir, "a.xodr"), Options{})
	if err == nil || !strings.Contains(err.Error(), "chord_mm") || !strings.Contains(err.Error(), "more than 127") {
		t.Errorf("%v", err)
	}
}
