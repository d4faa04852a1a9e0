// Package archtest tests the rules for the source code: which package may import which, how large a package
// may be, log keys, single implementations and the documents. It has tests only. It reads the files itself,
// because the result of a test that calls the go command would stay cached after a change.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pure packages are deterministic, together with every package of this module that they reach: no I/O, no clock,
// no goroutine, no log.
var pure = []string{
	"cueing", "display/hud", "display/model", "display/pacing", "display/scene", "display/screens", "ffb", "internal/core/channels", "internal/core/drive", "internal/core/follow", "internal/core/frame", "internal/core/guard", "internal/core/shown",
	"internal/core/loop", "internal/kit/humanmotion", "internal/kit/printable", "internal/connect/session", "internal/connect/session/race", "internal/connect/sound", "internal/kit/splitmix", "internal/kit/valid", "sim", "sim/assist", "sim/brakes",
	"sim/chassis", "sim/curve", "sim/driveline", "sim/driver", "sim/maneuver", "road", "road/crg",
	"road/gltfmesh", "road/lap", "road/layout", "road/mesh", "road/opendrive", "road/racing", "road/scan",
	"sim/steering", "sim/suspension", "sim/tire", "sim/trial",
}

// impure lists the packages, together with those below them, that a pure package must not import, except
// in tests.
var impure = []string{"os", "log", "sync", "io", "net", "syscall", "golang.org/x/sys", "math/rand", "crypto/rand", "runtime", "unsafe", "context", module + "devices"}

// impureExceptions lists the impure imports that a pure package may have, with the reason.
var impureExceptions = map[string]map[string]string{
	"internal/core/drive": {"unsafe": "it hashes its state, and looks for NaN and Inf in it, word by word"},
}

// allowed lists for each package the packages of this module that it may import in addition to those in its
// own folder. A package that is not listed may import no others; "*" stands for all.
var allowed = map[string][]string{
	"calib":                               {"internal/kit/evdev", "internal/kit/sink", "internal/kit/userfile", "calib/dialog"},
	"cmd/rig":                             {"*"},
	"cueing":                              {"sim", "sim/tire"},
	"devices/analog":                      {"calib", "devices/axis", "internal/kit/evdev", "internal/kit/latest", "internal/kit/lifecycle"},
	"devices/estop":                       {"internal/kit/lifecycle"},
	"devices/levers":                      {"calib", "devices/axis", "internal/kit/evdev", "internal/kit/lifecycle", "internal/kit/humanmotion"},
	"devices/motion/port":                 {"internal/kit/nodelock"},
	"devices/motion":                      {"internal/kit/evdev", "internal/kit/latest", "internal/kit/lifecycle", "internal/kit/usbserial"},
	"devices/motion/motion4sim":           {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/motiontest":           {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/settings":             {"devices/motion/motion4sim", "devices/motion/port", "devices/motion/smc3", "devices/motion/thanos", "devices/motion/wire"},
	"devices/motion/smc3":                 {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/template":             {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/thanos":               {"devices/motion/simulated", "devices/motion/wire"},
	"devices/pedals":                      {"calib", "devices/analog", "devices/levers", "devices/axis", "internal/kit/evdev", "internal/kit/lifecycle", "internal/kit/humanmotion"},
	"devices/wheel":                       {"calib", "internal/kit/evdev", "internal/kit/latest", "internal/kit/lifecycle", "internal/kit/humanmotion"},
	"display":                             {"display/screens", "internal/core/frame", "internal/core/framepage", "internal/kit/printable", "internal/kit/sink", "internal/kit/userfile"},
	"display/displaytest":                 {"internal/core/frame"},
	"display/hud":                         {"display/screens", "internal/core/frame", "internal/core/guard"},
	"display/pacing":                      {"internal/core/frame", "internal/core/loop"},
	"display/model":                       {"road/gltfmesh"},
	"display/model/modeltest":             {"road/gltfmesh/gltfmeshtest"},
	"display/scene":                       {"display/model", "display/screens", "internal/core/frame"},
	"ffb":                                 {"sim", "sim/brakes", "sim/chassis", "sim/tire"},
	"internal/files/drivesetup":           {"cueing", "devices/motion", "devices/motion/motion4sim", "ffb", "internal/files/circuit", "internal/files/config", "internal/core/drive", "sim", "sim/assist", "sim/driver", "road"},
	"internal/connect/audio":              {},
	"devices/axis":                        {"calib", "internal/kit/humanmotion"},
	"internal/tools/exercise":             {"calib", "cueing", "devices/estop", "devices/motion", "devices/motion/settings", "devices/motion/wire", "devices/wheel", "internal/files/drivesetup", "internal/files/config", "internal/live/console", "internal/kit/evdev", "internal/core/guard", "internal/tools/lab/chart", "internal/tools/lab/omct", "internal/kit/latest", "internal/core/loop", "internal/live/loopback", "internal/live/operator", "internal/kit/rt", "internal/live/switches", "internal/kit/usbserial", "internal/tools/watch", "sim", "internal/files/tunings", "calib/dialog", "internal/live/ticks"},
	"internal/tools/calibration":          {"calib", "devices/analog", "devices/pedals", "devices/wheel", "internal/files/config", "internal/kit/evdev", "calib/dialog"},
	"internal/core/channels":              {"cueing", "ffb", "internal/core/drive", "internal/core/frame", "internal/core/guard", "sim", "sim/chassis", "road/lap", "sim/suspension", "sim/tire", "sim/trial"},
	"internal/tools/check":                {"calib", "cueing", "devices/analog", "devices/estop", "devices/levers", "devices/pedals", "devices/wheel", "display", "internal/files/drivesetup", "internal/files/circuit", "internal/files/config", "internal/files/drivers", "internal/kit/evdev", "internal/core/guard", "internal/live/machine", "internal/files/recording", "internal/kit/rt", "internal/live/switches", "internal/kit/usbserial", "devices/motion"},
	"internal/files/circuit":              {"internal/files/config", "internal/kit/sink", "internal/kit/userfile", "road", "road/crg", "road/layout", "road/mesh", "road/opendrive", "road/scan", "sim/tire"},
	"internal/files/config":               {"calib", "cueing", "display/model", "display/screens", "devices/estop", "devices/motion", "devices/pedals", "devices/wheel", "ffb", "internal/core/guard", "internal/core/loop", "internal/kit/rt", "internal/kit/userfile", "sim", "road", "road/layout", "sim/suspension", "sim/tire"},
	"internal/connect/dash":               {"internal/core/shown", "internal/core/frame"},
	"internal/core/drive":                 {"cueing", "ffb", "internal/core/follow", "internal/core/frame", "internal/core/guard", "sim", "sim/assist", "sim/driveline", "sim/driver", "road", "road/lap", "sim/steering"},
	"internal/kit/evdev":                  {"internal/kit/lifecycle", "internal/kit/nodelock"},
	"internal/files/export":               {"internal/files/drivelog"},
	"internal/tools/lab/cells":            {"internal/files/config", "internal/kit/sink"},
	"internal/tools/lab/drivereport":      {"internal/files/drivelog", "internal/core/loop", "internal/kit/reportstyle"},
	"internal/tools/lab/omct":             {"cueing", "internal/tools/lab/chart"},
	"internal/tools/lab/picture":          {"internal/files/config", "internal/tools/lab/chart", "internal/kit/sink"},
	"internal/tools/lab/rimlab":           {"ffb", "internal/files/config", "internal/tools/lab/chart", "internal/tools/lab/picture", "internal/kit/sink", "sim"},
	"internal/tools/lab/spectrum":         {"internal/tools/lab/chart"},
	"internal/tools/lab/survey":           {"internal/files/circuit", "internal/files/config", "internal/tools/lab/cells", "internal/tools/lab/chart", "internal/tools/lab/picture", "internal/kit/sink", "internal/kit/userfile", "road", "road/crg", "road/mesh", "road/racing", "road/scan"},
	"internal/tools/lab/sweep":            {"internal/files/circuit", "internal/files/config", "internal/tools/lab/chart", "internal/tools/lab/picture", "internal/kit/sink", "internal/kit/userfile", "sim/assist", "sim/maneuver"},
	"internal/tools/lab/testrun":          {"internal/core/channels", "internal/files/config", "internal/tools/lab/chart", "internal/tools/lab/picture", "internal/kit/sink", "internal/kit/userfile", "sim", "sim/assist", "sim/maneuver", "sim/trial"},
	"internal/tools/lab/tirerig":          {"internal/files/config", "internal/tools/lab/cells", "internal/tools/lab/chart", "internal/tools/lab/picture", "internal/kit/sink", "internal/kit/userfile", "sim/tire"},
	"internal/live/machine":               {"devices/wheel", "internal/kit/evdev"},
	"internal/live/loopback":              {"devices/motion", "devices/motion/motion4sim", "devices/motion/port", "devices/motion/simulated", "devices/motion/smc3", "devices/motion/template", "devices/motion/thanos"},
	"internal/live/loopback/loopbacktest": {"devices/motion", "devices/motion/motion4sim", "devices/motion/simulated", "internal/live/loopback"},
	"internal/core/framepage":             {"internal/core/frame", "internal/kit/latest"},
	"internal/core/shown":                 {"internal/core/frame"},
	"internal/files/recording":            {"internal/core/channels", "internal/files/config", "internal/core/drive", "internal/files/drivelog", "internal/core/follow", "internal/core/frame", "internal/core/guard", "internal/kit/sink", "internal/kit/userfile", "road/lap"},
	"internal/files/replay":               {"ffb", "internal/files/drivesetup", "internal/core/channels", "internal/files/circuit", "internal/files/config", "internal/core/drive", "internal/files/drivelog", "internal/core/follow", "internal/core/frame", "internal/files/recording", "internal/kit/version", "sim"},
	"internal/files/replay/replaytest":    {"internal/files/drivesetup", "internal/core/channels", "internal/files/circuit", "internal/files/config", "internal/core/drive", "internal/core/guard", "internal/files/recording", "internal/files/replay"},
	"internal/tools/replayview":           {"internal/files/config", "internal/files/drivelog", "internal/core/frame", "internal/core/framepage", "internal/files/recording", "internal/files/replay", "internal/live/rig", "sim"},
	"internal/live/rig":                   {"cueing", "devices/estop", "devices/motion", "devices/motion/wire", "devices/pedals", "devices/wheel", "display", "ffb", "internal/files/drivesetup", "internal/core/channels", "internal/files/circuit", "internal/files/config", "internal/core/drive", "internal/files/drivers", "internal/kit/evdev", "internal/core/follow", "internal/core/frame", "internal/core/guard", "internal/kit/latest", "internal/core/loop", "internal/live/loopback", "internal/live/machine", "internal/live/operator", "internal/core/framepage", "internal/files/recording", "internal/files/replay", "internal/kit/rt", "internal/files/scenery", "internal/kit/userfile", "internal/live/switches", "internal/kit/usbserial", "internal/kit/version", "sim", "sim/driver", "systemd", "internal/files/tunings", "road", "internal/live/ticks"},
	"internal/files/scenery":              {"internal/files/circuit", "internal/core/drive", "internal/core/frame", "sim/driver", "road", "road/racing"},
	"internal/connect/session/bus":        {"internal/connect/session", "internal/connect/session/keys"},
	"internal/connect/session/clock":      {"internal/connect/session"},
	"internal/connect/session/host":       {"internal/connect/session", "internal/connect/session/keys", "internal/connect/session/packets", "internal/connect/session/race", "road"},
	"internal/connect/session/keys":       {"internal/connect/session", "internal/kit/sink", "internal/kit/userfile"},
	"internal/connect/session/member":     {"internal/files/config", "internal/core/frame", "internal/core/guard", "internal/live/operator", "internal/core/framepage", "internal/kit/rt", "internal/connect/session", "internal/connect/session/bus", "internal/connect/session/clock", "internal/connect/session/keys", "internal/connect/session/packets", "internal/connect/session/playout", "internal/core/drive", "internal/files/circuit", "internal/kit/version", "road", "internal/kit/userfile"},
	"internal/connect/session/packets":    {"internal/connect/session"},
	"internal/connect/session/playout":    {"internal/connect/session"},
	"internal/connect/session/race":       {"internal/connect/session"},
	"internal/connect/session/results":    {"internal/connect/session", "internal/connect/session/race", "internal/kit/reportstyle"},
	"internal/connect/session/server":     {"internal/connect/session", "internal/connect/session/keys"},
	"internal/connect/session/work":       {"internal/connect/session", "internal/connect/session/bus", "internal/connect/session/keys"},
	"internal/tools/setup":                {"calib", "devices/motion", "devices/motion/settings", "devices/motion/wire", "devices/pedals", "devices/wheel", "display", "display/screens", "internal/tools/exercise", "internal/tools/calibration", "internal/tools/check", "internal/files/config", "internal/live/console", "internal/kit/evdev", "internal/live/operator", "internal/kit/sink", "internal/kit/userfile", "calib/dialog"},
	"internal/live/switches":              {"devices/estop"},
	"internal/live/ticks":                 {"internal/core/guard", "internal/core/loop", "internal/files/config", "internal/kit/rt", "internal/live/switches", "sim"},
	"internal/connect/outputs":            {"internal/files/config", "internal/connect/dash", "internal/live/operator", "internal/core/framepage", "internal/connect/telemetry"},
	"internal/live/operator":              {"internal/core/drive", "internal/core/guard"},
	"internal/connect/soundplayer":        {"internal/files/config", "internal/connect/audio", "internal/core/frame", "internal/kit/latest", "internal/core/framepage", "internal/connect/sound"},
	"internal/connect/sound":              {"internal/core/frame", "internal/core/guard"},
	"internal/connect/telemetry":          {"internal/connect/packets", "internal/core/shown", "internal/core/frame", "internal/core/guard"},
	"internal/connect/games":              {"internal/files/config", "internal/core/follow", "internal/kit/latest", "internal/connect/packets"},
	"internal/connect/sections":           {"internal/connect/games", "internal/connect/outputs", "internal/connect/soundplayer", "internal/connect/session/member", "internal/files/config"},
	"internal/connect/axissigns":          {"internal/files/config", "internal/core/follow", "internal/connect/games", "internal/kit/sink", "internal/kit/userfile", "sim"},
	"internal/files/drivers":              {"cueing", "internal/files/config", "internal/core/drive", "internal/core/frame", "internal/kit/sink", "internal/kit/userfile"},
	"internal/files/tunings":              {"internal/files/config", "internal/kit/sink", "internal/kit/userfile", "cueing", "internal/core/drive"},
	"internal/kit/usbserial":              {"internal/kit/evdev"},
	"internal/tools/benchmark":            {"cueing", "ffb", "internal/files/drivesetup", "internal/files/circuit", "internal/files/config", "internal/core/drive", "internal/core/guard", "internal/core/framepage", "sim", "sim/driver", "road", "road/lap", "road/mesh"},
	"internal/tools/watch":                {"cueing", "internal/core/drive", "internal/core/shown", "devices/motion", "devices/motion/wire", "devices/wheel", "ffb", "internal/files/config", "internal/live/console", "internal/kit/evdev", "internal/core/follow", "internal/core/frame", "internal/core/guard", "internal/kit/lifecycle"},
	"sim":                                 {"road", "road/lap"},
	"sim/assist":                          {"sim/curve", "sim/driveline", "sim/steering", "sim/tire"},
	"sim/brakes":                          {"sim/curve", "sim/tire"},
	"sim/chassis":                         {"sim/curve", "road", "sim/tire"},
	"sim/driveline":                       {"sim/curve", "sim/tire"},
	"sim/driver":                          {"sim", "sim/assist", "sim/brakes", "sim/driveline", "road", "road/racing", "sim/tire", "sim/trial"},
	"sim/maneuver":                        {"sim", "sim/assist", "sim/driver", "road", "road/lap", "sim/tire", "sim/trial"},
	"road":                                {"sim/curve", "sim/tire"},
	"road/crg":                            {"road", "sim/tire"},
	"road/lap":                            {"road"},
	"road/layout":                         {"road"},
	"road/mesh":                           {"road", "sim/tire"},
	"road/opendrive":                      {"road"},
	"road/racing":                         {"road"},
	"road/scan":                           {"road", "road/gltfmesh"},
	"sim/steering":                        {"sim/curve", "sim/tire"},
	"sim/suspension":                      {"sim/chassis", "sim/curve", "road", "sim/steering", "sim/tire"},
	"sim/tire":                            {"sim/curve"},
	"sim/trial":                           {"sim", "sim/assist", "road", "sim/tire"},
}

// allowedForAll lists the packages that every package may import.
var allowedForAll = []string{"internal/kit/valid", "internal/kit/printable", "internal/kit/splitmix"}

// owners lists for each third-party module the only packages that may import it.
var owners = map[string][]string{
	"github.com/go-gl/gl":                {"display"},
	"github.com/go-gl/glfw":              {"display"},
	"github.com/go-gl/mathgl":            {"display", "display/model", "display/scene"},
	"go.bug.st/serial":                   {"devices/motion/port"},
	"github.com/holoplot/go-evdev":       {"internal/kit/evdev"},
	"periph.io/":                         {"devices/wheel", "devices/analog", "devices/estop"},
	"github.com/markus-wa/quickhull-go/": {"sim/chassis"},
	"github.com/golang/geo/":             {"sim/chassis"},
	"github.com/alecthomas/kong":         {"cmd/rig"},
	"gonum.org/v1/plot":                  {"internal/tools/lab/chart"},
	"github.com/schollz/progressbar/":    {"internal/tools/lab/tirerig", "internal/tools/lab/testrun"},
	"github.com/qmuntal/gltf":            {"road/gltfmesh"},
	"github.com/foxglove/mcap/":          {"internal/files/recording"},
	"github.com/klauspost/compress/":     {"internal/files/recording"},
	"google.golang.org/protobuf/":        {"internal/files/recording"},
	"rsc.io/qr":                          {"cmd/rig"},
	"github.com/go-audio/":               {"internal/connect/soundplayer"},
	"github.com/rivo/uniseg":             {"internal/live/console"},
	"github.com/jfreymuth/pulse":         {"internal/connect/audio", "internal/connect/audio/audiotest"},
	"github.com/nats-io/":                {"internal/connect/session/bus", "internal/connect/session/keys", "internal/connect/session/server"},
}

const module = "rig.example/rig/"

func TestImports(t *testing.T) {
	files := 0
	for file, imports := range sources(t) {
		files++
		pkg := filepath.ToSlash(filepath.Dir(file))
		for _, imp := range imports {
			if reason := forbidden(pkg, imp); reason != "" {
				t.Errorf("%s imports %s: %s", file, imp, reason)
			}
		}
	}
	if files < 20 {
		t.Errorf("only %d files were read; is the test run in its folder?", files)
	}
}

// forbidden returns the reason why pkg must not import imp, or an empty string.
func forbidden(pkg, imp string) string {
	if strings.HasPrefix(pkg, "test/") {
		return "" // test tools may import everything
	}
	if own, ok := strings.CutPrefix(imp, module); ok {
		list := allowed[pkg]
		if !slices.Contains(slices.Concat(list, allowedForAll), own) && !slices.Contains(list, "*") && !strings.HasPrefix(own, pkg+"/") {
			return "not in its entry of the table allowed, which has: " + strings.Join(list, ", ")
		}
	}
	if slices.Contains(pure, pkg) && isImpureImport(pkg, imp) {
		return pkg + " is pure, and this import is not"
	}
	for prefix, who := range owners {
		if strings.HasPrefix(imp, prefix) && !slices.Contains(who, pkg) {
			return "only " + strings.Join(who, ", ") + " may import it"
		}
	}
	return ""
}

// isImpureImport reports whether importing imp makes pkg impure.
func isImpureImport(pkg, imp string) bool {
	if impureExceptions[pkg][imp] != "" {
		return false
	}
	return slices.ContainsFunc(impure, func(bad string) bool { return imp == bad || strings.HasPrefix(imp, bad+"/") })
}

func TestPurePackagesReachNothingImpure(t *testing.T) {
	files := sources(t)
	imports := map[string][]string{} // by package: the packages of this module that it imports
	faults := map[string][]string{}  // by package: its impure imports, goroutines and uses of the clock
	for _, file := range slices.Sorted(maps.Keys(files)) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		for _, imp := range files[file] {
			if own, ok := strings.CutPrefix(imp, module); ok {
				imports[pkg] = append(imports[pkg], own)
			}
			if isImpureImport(pkg, imp) {
				faults[pkg] = append(faults[pkg], "imports "+imp)
			}
		}
		faults[pkg] = append(faults[pkg], impurities(t, filepath.Join("..", "..", file), nil)...)
	}
	for _, pkg := range pure {
		if _, read := faults[pkg]; !read {
			t.Errorf("%s in the list pure: package not found", pkg)
		}
		for _, chain := range importChains(pkg, imports) {
			found := slices.Compact(slices.Sorted(slices.Values(faults[chain[len(chain)-1]])))
			if len(found) > 0 {
				t.Errorf("%s %s", strings.Join(chain, " → "), strings.Join(found, ", "))
			}
		}
	}
}

// importChains returns a shortest chain of imports from pkg to each package that it imports directly or
// indirectly. The first chain is pkg itself.
func importChains(pkg string, imports map[string][]string) [][]string {
	chains, visited := [][]string{{pkg}}, map[string]bool{pkg: true}
	for i := 0; i < len(chains); i++ {
		chain := chains[i]
		for _, next := range imports[chain[len(chain)-1]] {
			if !visited[next] {
				visited[next] = true
				chains = append(chains, append(slices.Clone(chain), next))
			}
		}
	}
	return chains
}

func TestImportChainsFollowEveryImport(t *testing.T) {
	imports := map[string][]string{"a": {"b", "d"}, "b": {"c", "a"}, "d": {"c", "e"}, "x": {"a"}}
	want := [][]string{{"a"}, {"a", "b"}, {"a", "d"}, {"a", "b", "c"}, {"a", "d", "e"}}
	if got := importChains("a", imports); !reflect.DeepEqual(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// sources returns the imports of each Go file of the module, except tests.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, rel := range filesNamed(t, ".go") {
		if !strings.HasSuffix(rel, "_test.go") {
			found[rel] = importsOf(t, filepath.Join("..", "..", rel))
		}
	}
	return found
}

// filesNamed returns the paths in the module of all files with one of the extensions, except in hidden folders.
func filesNamed(t *testing.T, extensions ...string) (found []string) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !slices.Contains(extensions, filepath.Ext(path)) {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		found = append(found, rel)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func importsOf(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, imp)
	}
	return list
}

// durations lists the names of package time that a pure package may use.
var durations = []string{"Duration", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour"}

// impurities returns the goroutines and uses of the clock in a file, or in the source text src if it is not nil.
func impurities(t *testing.T, file string, src any) (found []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if n.Path.Value == `"time"` && n.Name != nil {
				found = append(found, "gives package time another name")
			}
		case *ast.GoStmt:
			found = append(found, "starts a goroutine")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && !slices.Contains(durations, n.Sel.Name) {
				found = append(found, "uses time."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}

func TestImpuritiesAreFound(t *testing.T) {
	const src = "package p\nimport \"time\"\nvar d = 3 * time.Second\nfunc f() { go f(); time.Sleep(d); _ = time.Since }\n"
	want := []string{"starts a goroutine", "uses time.Sleep", "uses time.Since"}
	if got := impurities(t, "p.go", src); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := impurities(t, "p.go", "package p\nimport clock \"time\"\nvar f = clock.Now\n"); len(got) != 1 {
		t.Errorf("found %q in a file that hides the clock, want its import", got)
	}
}

func TestForbiddenImportsAreFound(t *testing.T) {
	for _, tt := range []struct{ pkg, imp string }{
		{"sim", "os"},
		{"sim", "math/rand/v2"},
		{"internal/core/frame", "golang.org/x/sys/unix"},
		{"sim", "rig.example/rig/devices/wheel"},
		{"display", "rig.example/rig/sim"},
		{"display/hud", "rig.example/rig/display"},
		{"display/scene", "github.com/go-gl/gl/v3.3-core/gl"},
		{"devices/wheel", "rig.example/rig/devices/motion"},
		{"internal/live/rig", "rig.example/rig/internal/tools/exercise"},
		{"internal/tools/exercise", "rig.example/rig/internal/live/rig"},
		{"devices/wheel", "go.bug.st/serial"},
		{"internal/kit/rt", "github.com/go-gl/glfw/v3.3/glfw"},
		{"internal/live/rig", "github.com/jfreymuth/pulse/proto"},
	} {
		if forbidden(tt.pkg, tt.imp) == "" {
			t.Errorf("%s may import %s", tt.pkg, tt.imp)
		}
	}
}
