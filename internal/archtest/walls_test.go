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

// floors lists the wings of the house from bottom to top: a package imports its own wing and what is on lower floors.
// Two wings of a floor do not see each other; folders that stand in one text are one wing.
var floors = [][]string{
	{"internal/kit systemd"},
	{"sim road"},
	{"ffb", "cueing"},
	{"internal/core"},
	{"calib"},
	{"devices", "display"},
	{"internal/files"},
	{"internal/live"},
	{"internal/connect", "internal/tools"},
	{"cmd/rig"},
}

// parentImports lists the packages that packages in their own folder may import, with the reason. child is one
// such package, or "" for all in the folder. No other package may import the package of a parent folder.
var parentImports = []struct{ parent, child, reason string }{
	{"road", "", "it has the types of every ground and line"},
	{"internal/connect/session", "", "it has the types of all messages"},
	{"sim", "sim/maneuver", "it drives a whole car"},
	{"sim", "sim/driver", "it drives a whole car"},
	{"sim", "sim/trial", "it records a whole car"},
}

// place is where a wing is: the indices of its floor, and of the wing on it.
type place struct{ floor, wing int }

// placeOf returns the place of the wing that contains a package.
func placeOf(pkg string) (place, bool) {
	folder := wingOf(pkg)
	for floor, texts := range floors {
		for wing, folders := range texts {
			if slices.Contains(strings.Fields(folders), folder) {
				return place{floor, wing}, true
			}
		}
	}
	return place{}, false
}

// wallViolation returns the reason why pkg must not import own, a package of this module, or an empty string.
func wallViolation(pkg, own string) string {
	if strings.HasPrefix(pkg, "test/") || isTestHelper(pkg) {
		return ""
	}
	if strings.HasPrefix(own, "test/") || isTestHelper(own) {
		return own + " is for tests"
	}
	from, known := placeOf(pkg)
	to, also := placeOf(own)
	switch {
	case !known:
		return pkg + " is in no wing"
	case !also:
		return own + " is in no wing"
	case strings.HasPrefix(pkg, own+"/") && !mayImportParent(pkg, own):
		return own + " is the package of a parent folder and not in parentImports"
	case from.floor < to.floor:
		return own + " is on a higher floor"
	case from.floor == to.floor && from.wing != to.wing:
		return own + " is in another wing of the same floor"
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
	for file, imports := range sources(t) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		for _, imp := range imports {
			own, ok := strings.CutPrefix(imp, module)
			if !ok {
				continue
			}
			if reason := wallViolation(pkg, own); reason != "" {
				t.Errorf("%s imports %s: %s", file, own, reason)
			}
		}
	}
}

// The running rig is built without any guest: what cmd/rig plugs in, and no package below it, knows connect and tools.
func TestTheRigReachesNoGuest(t *testing.T) {
	imports := map[string][]string{}
	for file, list := range sources(t) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		imports[pkg] = append(imports[pkg], list...)
	}
	seen := map[string]bool{}
	var visit func(pkg string)
	visit = func(pkg string) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		for _, imp := range imports[pkg] {
			own, ok := strings.CutPrefix(imp, module)
			switch wing := wingOf(own); {
			case !ok:
			case wing == "internal/connect" || wing == "internal/tools":
				t.Errorf("%s imports %s", pkg, own)
			default:
				visit(own)
			}
		}
	}
	if visit("internal/live/rig"); !seen["internal/core/drive"] {
		t.Errorf("the rig reaches only %d packages", len(seen))
	}
}

func TestWallViolationsAreFound(t *testing.T) {
	for _, tt := range []struct{ pkg, own, why string }{
		{"sim/suspension", "sim", "parent folder"},
		{"road/crg/inner", "road", ""},
		{"sim/road/crg", "sim", "parent folder"},
		{"devices/motion/smc3", "devices/motion", "parent folder"},
		{"calib", "devices/wheel", "higher floor"},
		{"display", "devices/wheel", "another wing"},
		{"ffb", "cueing", "another wing"},
		{"sim/tire", "ffb", "higher floor"},
		{"internal/core/drive", "devices/motion", "higher floor"},
		{"calib", "internal/live/rig", "higher floor"},
		{"internal/files/config", "internal/live/rig", "higher floor"},
		{"internal/core/drive", "internal/connect/session", "higher floor"},
		{"sim", "calib", "higher floor"},
		{"internal/kit/valid", "sim", "higher floor"},
		{"internal/live/rig", "internal/connect/sound", "higher floor"},
		{"internal/tools/lab/chart", "internal/connect/sound", "another wing"},
		{"internal/connect/dash", "internal/tools/watch", "another wing"},
		{"internal/new", "sim", "internal/new is in no wing"},
		{"cmd/rig", "internal/new", "internal/new is in no wing"},
		{"internal/live/rig", "test/level", "for tests"},
		{"devices/motion", "devices/motion/motiontest", "for tests"},
		{"devices/motion/motiontest", "devices/motion", ""},
		{"test/vm/drive", "cmd/rig", ""},
		{"road/mesh", "road", ""},
		{"sim/driver", "sim", ""},
		{"sim", "sim/suspension", ""},
		{"sim", "internal/kit/valid", ""},
		{"internal/live/rig", "devices/motion/smc3", ""},
		{"cmd/rig", "internal/tools/setup", ""},
	} {
		if got := wallViolation(tt.pkg, tt.own); (got == "") != (tt.why == "") || !strings.Contains(got, tt.why) {
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

// sourceLines returns the number of lines of each file.
func sourceLines(t *testing.T) map[string]int {
	t.Helper()
	lines := map[string]int{}
	for file := range sources(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		lines[file] = bytes.Count(text, []byte("\n"))
	}
	return lines
}

func TestPackagesAreSmall(t *testing.T) {
	for _, fault := range oversize(sourceLines(t), large) {
		t.Error(fault)
	}
}

// wings has the most lines of each wing, without tests: those that it has, and a few more. Who needs more takes something away,
// or raises the figure in a commit that says what came in and why nothing could go.
var wings = map[string]int{
	"internal/kit": 5200, "sim": 22350, "road": 16100, "ffb": 2050, "cueing": 2900, "internal/core": 7600, "devices": 17300,
	"calib": 1850, "display": 12350, "internal/files": 11200, "internal/live": 5400, "internal/connect": 17000,
	"internal/tools": 15900, "cmd/rig": 8200, "systemd": 50, "test": 11600,
}

// wingOf returns the folder of wings that is a path or contains it, or "".
func wingOf(path string) string {
	for wing := range wings {
		if path == wing || strings.HasPrefix(path, wing+"/") {
			return wing
		}
	}
	return ""
}

// overgrown returns the wings that have more lines than they may. lines has the number of lines of each file.
func overgrown(lines map[string]int) (faults []string) {
	sum := map[string]int{}
	for file, n := range lines {
		sum[wingOf(file)] += n
	}
	for wing, n := range sum {
		if n > wings[wing] {
			faults = append(faults, fmt.Sprintf("%q has %d lines, and may have %d: take something away", wing, n, wings[wing]))
		}
	}
	return slices.Sorted(slices.Values(faults))
}

func TestWingsDoNotGrow(t *testing.T) {
	for _, fault := range overgrown(sourceLines(t)) {
		t.Error(fault)
	}
}

func TestOvergrownWingsAreFound(t *testing.T) {
	got := overgrown(map[string]int{"sim/a.go": wings["sim"], "ffb/a.go": wings["ffb"], "ffb/inner/b.go": 1, "elsewhere/a.go": 1})
	if want := []string{`"" has 1 lines`, `"ffb" has`}; !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("got %q, want %q", got, want)
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
