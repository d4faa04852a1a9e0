package archtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// house is where packages stand, from top to bottom: one imports only from lines below its own.
// Parts of a line never see each other; in a part, what stands left of a > sees what stands
// right of it. A folder stands for all in it that is not named.
var house = [][]string{
	{"cmd/rig"},
	{"internal/rig", "internal/check", "internal/bench", "internal/calibration"},
	{"internal/assembly", "internal/scenery", "internal/operator", "internal/loopback", "internal/switches", "internal/usbserial", "internal/watch", "internal/lab"},
	{"internal/circuit"},
	{"internal/lab/cells internal/lab/omct > internal/lab/chart"},
	{"internal/config"},
	{
		"internal/drive > ffb cueing sim/maneuver > sim/driver > sim/trial > sim" +
			" > sim/assist > sim/suspension sim/driveline sim/brakes > sim/chassis sim/steering" +
			" > sim/road/crg sim/road/layout sim/road/racing sim/road/lap sim/road/mesh sim/road/opendrive sim/road/scan > sim/road > sim/tire > sim/curve",
		"devices/wheel devices/pedals devices/motion devices/estop" +
			" > devices/analog devices/levers devices/motion/smc3 devices/motion/thanos devices/motion/motion4sim devices/motion/template" +
			" > devices/motion/wire devices/motion/port devices/motion/simulated > internal/axis > calib > internal/evdev internal/plausible",
		"display > display/hud display/scene",
	},
	{"internal/page > internal/frame", "internal/guard", "internal/loop", "internal/rt", "internal/sink", "internal/source", "internal/version", "systemd"},
	{"internal/valid", "internal/printable"},
}

// kernels are the packages that those in their folder may import, and why; by is one of these,
// or "" for all. Other packages hand themselves to nothing that they own.
var kernels = []struct{ of, by, why string }{
	{"sim/road", "", "what every ground and line is made of"},
	{"sim", "sim/maneuver", "it drives a whole car"},
	{"sim", "sim/driver", "it drives a whole car"},
	{"sim", "sim/trial", "it records a whole car"},
}

// place is where a package stands: its line, its part of it, and how far right in that.
type place struct{ line, part, step int }

// places finds each package that house names, and panics where one is named twice.
func places(house [][]string) map[string]place {
	found := map[string]place{}
	for line, parts := range house {
		for part, text := range parts {
			for step, names := range strings.Split(text, " > ") {
				for name := range strings.FieldsSeq(names) {
					if _, twice := found[name]; twice {
						panic("the house has two places for " + name)
					}
					found[name] = place{line, part, step}
				}
			}
		}
	}
	return found
}

// placed returns where pkg stands, by its own name or else by that of the folder it is in.
func placed(at map[string]place, pkg string) (place, bool) {
	for name := pkg; name != "."; name = filepath.ToSlash(filepath.Dir(name)) {
		if p, ok := at[name]; ok {
			return p, true
		}
	}
	return place{}, false
}

// upward says why pkg may not import own, a package of this module, or nothing.
func upward(at map[string]place, pkg, own string) string {
	if strings.HasPrefix(pkg, "test/") || serves(pkg) {
		return ""
	}
	if strings.HasPrefix(own, "test/") || serves(own) {
		return own + " is for tests"
	}
	from, known := placed(at, pkg)
	to, also := placed(at, own)
	switch {
	case !known:
		return pkg + " has no place in the house"
	case !also:
		return own + " has no place in the house"
	case strings.HasPrefix(pkg, own+"/") && !isKernel(pkg, own):
		return own + " hands itself to what it owns, and is no kernel"
	case from.line > to.line || from.line == to.line && from.part == to.part && from.step > to.step:
		return own + " stands above"
	case from.line == to.line && (from.part != to.part || from.step == to.step):
		return own + " stands beside it"
	}
	return ""
}

// serves reports whether pkg is for the tests of others, by its name as net/http/httptest is.
func serves(pkg string) bool {
	name := filepath.Base(pkg)
	return strings.HasSuffix(name, "test") && strings.HasPrefix(name, filepath.Base(filepath.Dir(pkg)))
}

func isKernel(pkg, own string) bool {
	for _, k := range kernels {
		if k.of == own && (k.by == "" || k.by == pkg) {
			return true
		}
	}
	return false
}

func TestArrowsPointDown(t *testing.T) {
	at := places(house)
	for file, imports := range sources(t) {
		for _, imp := range imports {
			if own, ok := strings.CutPrefix(imp, module); ok {
				if why := upward(at, filepath.ToSlash(filepath.Dir(file)), own); why != "" {
					t.Errorf("%s imports %s: %s", file, own, why)
				}
			}
		}
	}
}

func TestTheHouseForbids(t *testing.T) {
	at := places(house)
	for _, tt := range []struct{ pkg, own, why string }{
		{"sim/suspension", "sim", "hands itself"},
		{"sim/road/crg/inner", "sim", "hands itself"},
		{"devices/motion/smc3", "devices/motion", "hands itself"},
		{"sim/tire", "sim/road", "above"},
		{"sim/road", "sim/road/crg", "above"},
		{"calib", "devices/wheel", "above"},
		{"internal/config", "internal/rig", "above"},
		{"internal/frame", "internal/page", "above"},
		{"devices/wheel", "sim", "beside"},
		{"display", "devices/wheel", "beside"},
		{"sim", "calib", "beside"},
		{"devices/wheel", "devices/motion", "beside"},
		{"devices/motion/smc3", "devices/motion/thanos", "beside"},
		{"sim/footing", "sim/tire", ""},
		{"internal/new", "sim", "internal/new has no place"},
		{"cmd/rig", "internal/new", "internal/new has no place"},
		{"internal/rig", "test/level", "for tests"},
		{"devices/motion", "devices/motion/motiontest", "for tests"},
		{"devices/motion/motiontest", "devices/motion", ""},
		{"test/vm/drive", "cmd/rig", ""},
		{"sim/road/mesh", "sim/road", ""},
		{"sim/driver", "sim", ""},
		{"sim", "sim/suspension", ""},
		{"sim", "internal/valid", ""},
		{"internal/rig", "devices/motion/smc3", ""},
	} {
		if got := upward(at, tt.pkg, tt.own); (got == "") != (tt.why == "") || !strings.Contains(got, tt.why) {
			t.Errorf("%s imports %s: %q, want %q", tt.pkg, tt.own, got, tt.why)
		}
	}
}

// A package is a room that somebody reads in an evening.
const (
	mostLines = 4000 // without tests
	mostFiles = 30
)

// large lists the packages that are larger, and why.
var large = map[string]string{
	"sim/tire": "the equations of five tire models as published, and what all wheels share",
}

// oversize finds the packages that are too large without a reason, and reasons that are no
// longer needed. lines has those of each file.
func oversize(lines map[string]int, large map[string]string) (faults []string) {
	sum, files := map[string]int{}, map[string]int{}
	for file, n := range lines {
		pkg := filepath.ToSlash(filepath.Dir(file))
		sum[pkg] += n
		files[pkg]++
	}
	for pkg, n := range sum {
		if too := n > mostLines || files[pkg] > mostFiles; too && large[pkg] == "" {
			faults = append(faults, fmt.Sprintf("%s has %d lines in %d files: split it, or give the reason; without one %d lines and %d files are allowed", pkg, n, files[pkg], mostLines, mostFiles))
		} else if !too && large[pkg] != "" {
			faults = append(faults, pkg+" is small enough: take its reason out")
		}
	}
	for pkg := range large {
		if files[pkg] == 0 {
			faults = append(faults, pkg+" is no package: take its reason out")
		}
	}
	return slices.Sorted(slices.Values(faults))
}

func TestPackagesAreSmall(t *testing.T) {
	lines := map[string]int{}
	for file := range sources(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		lines[file] = bytes.Count(text, []byte("\n"))
	}
	for _, fault := range oversize(lines, large) {
		t.Error(fault)
	}
}

func TestLargePackagesAreFound(t *testing.T) {
	lines := map[string]int{"long/a.go": 3000, "long/b.go": 1001, "full/a.go": 4000, "kept/a.go": 9000, "shrunk/a.go": 10}
	for i := range 31 {
		lines[fmt.Sprintf("many/%d.go", i)] = 1
		if i > 0 {
			lines[fmt.Sprintf("enough/%d.go", i)] = 1
		}
	}
	got := oversize(lines, map[string]string{"kept": "a reason", "shrunk": "a reason", "gone": "a reason"})
	want := []string{"gone is no package", "long has 4001 lines in 2 files", "many has 31 lines in 31 files", "shrunk is small enough"}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got %q, want %q", got, want)
	}
}
