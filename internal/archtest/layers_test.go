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

// layers lists the layers of the module from top to bottom. A package imports only packages of lower layers.
// Groups of the same layer (the texts) do not import each other. Within a group, packages to the left of a >
// may import those to its right. A folder stands for all packages in it that are not named.
var layers = [][]string{
	{"cmd/rig"},
	{"internal/setup"},
	{"internal/replayview > internal/rig", "internal/check", "internal/bench", "internal/calibration", "internal/speed", "internal/session/work"},
	{"internal/replay > internal/assembly", "internal/scenery", "internal/outputs internal/session/member > internal/remote > internal/operator", "internal/playback", "internal/loopback", "internal/machine", "internal/signs", "internal/tunings", "internal/drivers", "internal/switches", "internal/watch", "internal/lab"},
	{"internal/circuit", "internal/lab/picture"},
	{"internal/lab/cells internal/lab/omct > internal/lab/chart", "internal/recording"},
	{"internal/config"},
	{
		"internal/channels > internal/drive > ffb cueing sim/maneuver > sim/driver > sim/trial > sim" +
			" > sim/assist > sim/suspension sim/driveline sim/brakes > sim/chassis sim/steering" +
			" > sim/road/crg sim/road/layout sim/road/racing sim/road/lap sim/road/mesh sim/road/opendrive sim/road/scan > sim/road > sim/tire > sim/curve",
		"devices/wheel devices/pedals devices/motion devices/estop" +
			" > devices/analog devices/levers devices/motion/smc3 devices/motion/thanos devices/motion/motion4sim devices/motion/template" +
			" > devices/motion/wire devices/motion/port devices/motion/simulated > internal/axis internal/usbserial > calib > internal/evdev internal/plausible",
		"display > display/hud display/pacing display/scene > display/model display/screens",
		"internal/session/host > internal/session/bus internal/session/server internal/session/results > internal/session/keys internal/session/race internal/session/clock internal/session/playout internal/session/packets",
		"internal/audio", "internal/dash", "internal/telemetry", "internal/games > internal/packets", "internal/sound",
	},
	{"internal/page > internal/frame", "internal/console", "internal/follow", "internal/guard", "internal/export > internal/drivelog", "internal/loop", "internal/rt", "internal/session", "internal/sink", "internal/source", "internal/version", "systemd"},
	{"internal/valid", "internal/printable", "internal/splitmix", "internal/latest", "internal/lifecycle", "internal/nodelock"},
}

// parentImports lists the packages that packages in their own folder may import, with the reason. child is one
// such package, or "" for all in the folder. No other package may import the package of a parent folder.
var parentImports = []struct{ parent, child, reason string }{
	{"sim/road", "", "it has the types of every ground and line"},
	{"internal/session", "", "it has the types of all messages"},
	{"sim", "sim/maneuver", "it drives a whole car"},
	{"sim", "sim/driver", "it drives a whole car"},
	{"sim", "sim/trial", "it records a whole car"},
}

// position is where a package is in layers: indices of the layer, of the group in it and of the step in the
// group.
type position struct{ layer, group, step int }

// positions returns the position of each package that layers names. It panics if one is named twice.
func positions(layers [][]string) map[string]position {
	found := map[string]position{}
	for layer, groups := range layers {
		for group, text := range groups {
			for step, names := range strings.Split(text, " > ") {
				for name := range strings.FieldsSeq(names) {
					if _, twice := found[name]; twice {
						panic("layers names twice: " + name)
					}
					found[name] = position{layer, group, step}
				}
			}
		}
	}
	return found
}

// positionOf returns the position of pkg, or else of the nearest folder that contains it.
func positionOf(at map[string]position, pkg string) (position, bool) {
	for name := pkg; name != "."; name = filepath.ToSlash(filepath.Dir(name)) {
		if p, ok := at[name]; ok {
			return p, true
		}
	}
	return position{}, false
}

// layerViolation returns the reason why pkg must not import own, a package of this module, or an empty string.
func layerViolation(at map[string]position, pkg, own string) string {
	if strings.HasPrefix(pkg, "test/") || isTestHelper(pkg) {
		return ""
	}
	if strings.HasPrefix(own, "test/") || isTestHelper(own) {
		return own + " is for tests"
	}
	from, known := positionOf(at, pkg)
	to, also := positionOf(at, own)
	switch {
	case !known:
		return pkg + " is in no layer"
	case !also:
		return own + " is in no layer"
	case strings.HasPrefix(pkg, own+"/") && !mayImportParent(pkg, own):
		return own + " is the package of a parent folder and not in parentImports"
	case from.layer > to.layer || from.layer == to.layer && from.group == to.group && from.step > to.step:
		return own + " is in a higher layer or step"
	case from.layer == to.layer && (from.group != to.group || from.step == to.step):
		return own + " is in the same layer and step"
	}
	return ""
}

// isTestHelper reports whether pkg is meant for the tests of other packages: its name is that of its folder
// with the suffix test, such as net/http/httptest.
func isTestHelper(pkg string) bool {
	name := filepath.Base(pkg)
	return strings.HasSuffix(name, "test") && strings.HasPrefix(name, filepath.Base(filepath.Dir(pkg)))
}

// mayImportParent reports whether parentImports allows pkg to import own.
func mayImportParent(pkg, own string) bool {
	for _, p := range parentImports {
		if p.parent == own && (p.child == "" || p.child == pkg) {
			return true
		}
	}
	return false
}

func TestImportsPointDown(t *testing.T) {
	at := positions(layers)
	for file, imports := range sources(t) {
		for _, imp := range imports {
			if own, ok := strings.CutPrefix(imp, module); ok {
				if reason := layerViolation(at, filepath.ToSlash(filepath.Dir(file)), own); reason != "" {
					t.Errorf("%s imports %s: %s", file, own, reason)
				}
			}
		}
	}
}

func TestLayerViolationsAreFound(t *testing.T) {
	at := positions(layers)
	for _, tt := range []struct{ pkg, own, why string }{
		{"sim/suspension", "sim", "parent folder"},
		{"sim/road/crg/inner", "sim", "parent folder"},
		{"devices/motion/smc3", "devices/motion", "parent folder"},
		{"sim/tire", "sim/road", "higher layer"},
		{"sim/road", "sim/road/crg", "higher layer"},
		{"calib", "devices/wheel", "higher layer"},
		{"internal/config", "internal/rig", "higher layer"},
		{"internal/frame", "internal/page", "higher layer"},
		{"devices/wheel", "sim", "same layer"},
		{"display", "devices/wheel", "same layer"},
		{"sim", "calib", "same layer"},
		{"devices/wheel", "devices/motion", "same layer"},
		{"devices/motion/smc3", "devices/motion/thanos", "same layer"},
		{"sim/footing", "sim/tire", ""},
		{"internal/new", "sim", "internal/new is in no layer"},
		{"cmd/rig", "internal/new", "internal/new is in no layer"},
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
		if got := layerViolation(at, tt.pkg, tt.own); (got == "") != (tt.why == "") || !strings.Contains(got, tt.why) {
			t.Errorf("%s imports %s: %q, want %q", tt.pkg, tt.own, got, tt.why)
		}
	}
}

// Largest size of a package, so that it can be read in an evening.
const (
	maxPackageLines = 4000 // without tests
	maxPackageFiles = 30
)

// large lists the packages that may be larger, with the reason.
var large = map[string]string{
	"cmd/rig":      "a file for each command",
	"test/mutants": "a list: one fault for each branch that people's safety needs",
	"sim/tire":     "the equations of five tire models as published, and what all wheels share",
	"sim/maneuver": "twenty standard manoeuvres, a file or two each, on one kind of run",
}

// oversize returns the packages that are too large and not in large, and the entries of large that are no
// longer needed. lines has the number of lines of each file.
func oversize(lines map[string]int, large map[string]string) (faults []string) {
	sum, files := map[string]int{}, map[string]int{}
	for file, n := range lines {
		pkg := filepath.ToSlash(filepath.Dir(file))
		sum[pkg] += n
		files[pkg]++
	}
	for pkg, n := range sum {
		if too := n > maxPackageLines || files[pkg] > maxPackageFiles; too && large[pkg] == "" {
			faults = append(faults, fmt.Sprintf("%s has %d lines in %d files: split it, or add it to large with the reason; otherwise %d lines and %d files are allowed", pkg, n, files[pkg], maxPackageLines, maxPackageFiles))
		} else if !too && large[pkg] != "" {
			faults = append(faults, pkg+" is small enough: remove it from large")
		}
	}
	for pkg := range large {
		if files[pkg] == 0 {
			faults = append(faults, pkg+" is not a package: remove it from large")
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
	want := []string{"gone is not a package", "long has 4001 lines in 2 files", "many has 31 lines in 31 files", "shrunk is small enough"}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got %q, want %q", got, want)
	}
}
