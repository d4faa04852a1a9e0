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
	"cueing", "display/hud", "display/model", "display/pacing", "display/scene", "display/screens", "ffb", "internal/channels", "internal/drive", "internal/follow", "internal/frame", "internal/guard",
	"internal/loop", "internal/plausible", "internal/printable", "internal/session", "internal/session/race", "internal/sound", "internal/splitmix", "internal/valid", "sim", "sim/assist", "sim/brakes",
	"sim/chassis", "sim/curve", "sim/driveline", "sim/driver", "sim/maneuver", "sim/road", "sim/road/crg",
	"sim/road/lap", "sim/road/layout", "sim/road/mesh", "sim/road/opendrive", "sim/road/racing", "sim/road/scan",
	"sim/steering", "sim/suspension", "sim/tire", "sim/trial",
}

// impure lists the packages, together with those below them, that a pure package must not import, except
// in tests.
var impure = []string{"os", "log", "sync", "io", "net", "syscall", "golang.org/x/sys", "math/rand", "crypto/rand", "runtime", "unsafe", "context", module + "devices"}

// impureExceptions lists the impure imports that a pure package may have, with the reason.
var impureExceptions = map[string]map[string]string{
	"internal/drive": {"unsafe": "it hashes its state, and looks for NaN and Inf in it, word by word"},
}

// allowed lists for each package the packages of this module that it may import in addition to those in its
// own folder. A package that is not listed may import no others; "*" stands for all.
var allowed = map[string][]string{
	"calib":                          {"internal/evdev", "internal/sink", "internal/source"},
	"cmd/rig":                        {"*"},
	"cueing":                         {"sim", "sim/tire"},
	"devices/analog":                 {"calib", "internal/axis", "internal/evdev", "internal/latest", "internal/lifecycle"},
	"devices/estop":                  {"internal/lifecycle"},
	"devices/levers":                 {"calib", "internal/axis", "internal/evdev", "internal/lifecycle", "internal/plausible"},
	"devices/motion/port":            {"internal/nodelock"},
	"devices/motion":                 {"internal/evdev", "internal/latest", "internal/lifecycle", "internal/usbserial"},
	"devices/motion/motion4sim":      {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/motiontest":      {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/settings":        {"devices/motion/motion4sim", "devices/motion/port", "devices/motion/smc3", "devices/motion/thanos", "devices/motion/wire"},
	"devices/motion/smc3":            {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/template":        {"devices/motion/simulated", "devices/motion/wire"},
	"devices/motion/thanos":          {"devices/motion/simulated", "devices/motion/wire"},
	"devices/pedals":                 {"calib", "devices/analog", "devices/levers", "internal/axis", "internal/evdev", "internal/lifecycle", "internal/plausible"},
	"devices/wheel":                  {"calib", "internal/evdev", "internal/latest", "internal/lifecycle", "internal/plausible"},
	"display":                        {"display/screens", "internal/frame", "internal/page", "internal/printable", "internal/sink", "internal/source"},
	"display/displaytest":            {"internal/frame"},
	"display/hud":                    {"display/screens", "internal/frame", "internal/guard"},
	"display/pacing":                 {"internal/frame", "internal/loop"},
	"display/scene":                  {"display/model", "display/screens", "internal/frame"},
	"ffb":                            {"sim", "sim/brakes", "sim/chassis", "sim/tire"},
	"internal/assembly":              {"cueing", "devices/motion", "devices/motion/motion4sim", "ffb", "internal/circuit", "internal/config", "internal/drive", "sim", "sim/assist", "sim/driver", "sim/road"},
	"internal/audio":                 {},
	"internal/axis":                  {"calib", "internal/plausible"},
	"internal/bench":                 {"calib", "cueing", "devices/estop", "devices/motion", "devices/motion/settings", "devices/motion/wire", "devices/wheel", "internal/assembly", "internal/config", "internal/console", "internal/evdev", "internal/guard", "internal/lab/chart", "internal/lab/omct", "internal/latest", "internal/loop", "internal/loopback", "internal/operator", "internal/rt", "internal/sink", "internal/switches", "internal/usbserial", "internal/watch", "sim"},
	"internal/calibration":           {"calib", "devices/analog", "devices/pedals", "devices/wheel", "internal/config", "internal/evdev"},
	"internal/channels":              {"cueing", "ffb", "internal/drive", "internal/frame", "internal/guard", "sim", "sim/chassis", "sim/road/lap", "sim/suspension", "sim/tire", "sim/trial"},
	"internal/check":                 {"calib", "cueing", "devices/analog", "devices/estop", "devices/levers", "devices/pedals", "devices/wheel", "display", "internal/assembly", "internal/audio", "internal/circuit", "internal/config", "internal/drivers", "internal/evdev", "internal/follow", "internal/games", "internal/guard", "internal/machine", "internal/playback", "internal/recording", "internal/rt", "internal/session", "internal/session/keys", "internal/switches", "internal/usbserial", "internal/watch"},
	"internal/circuit":               {"internal/config", "internal/sink", "internal/source", "sim/road", "sim/road/crg", "sim/road/layout", "sim/road/mesh", "sim/road/opendrive", "sim/road/scan", "sim/tire"},
	"internal/config":                {"calib", "cueing", "display/model", "display/screens", "devices/estop", "devices/motion", "devices/pedals", "devices/wheel", "ffb", "internal/dash", "internal/games", "internal/guard", "internal/loop", "internal/rt", "internal/sound", "internal/source", "internal/telemetry", "sim", "sim/road", "sim/road/layout", "sim/suspension", "sim/tire"},
	"internal/dash":                  {"internal/frame"},
	"internal/drive":                 {"cueing", "ffb", "internal/follow", "internal/frame", "internal/guard", "sim", "sim/assist", "sim/driveline", "sim/driver", "sim/road", "sim/road/lap", "sim/steering"},
	"internal/evdev":                 {"internal/lifecycle", "internal/nodelock"},
	"internal/export":                {"internal/drivelog"},
	"internal/lab/cells":             {"internal/config", "internal/sink"},
	"internal/lab/drivereport":       {"internal/drivelog", "internal/loop"},
	"internal/lab/omct":              {"cueing", "internal/lab/chart"},
	"internal/lab/picture":           {"internal/config", "internal/lab/chart", "internal/sink"},
	"internal/lab/rimlab":            {"ffb", "internal/config", "internal/lab/chart", "internal/lab/picture", "internal/sink", "sim"},
	"internal/lab/spectrum":          {"internal/lab/chart"},
	"internal/lab/survey":            {"internal/circuit", "internal/config", "internal/lab/cells", "internal/lab/chart", "internal/lab/picture", "internal/sink", "internal/source", "sim/road", "sim/road/crg", "sim/road/mesh", "sim/road/racing", "sim/road/scan"},
	"internal/lab/sweep":             {"internal/circuit", "internal/config", "internal/lab/chart", "internal/lab/picture", "internal/sink", "internal/source", "sim/assist", "sim/maneuver"},
	"internal/lab/testrun":           {"internal/channels", "internal/config", "internal/lab/chart", "internal/lab/picture", "internal/sink", "internal/source", "sim", "sim/assist", "sim/maneuver", "sim/trial"},
	"internal/lab/tirerig":           {"internal/config", "internal/lab/cells", "internal/lab/chart", "internal/lab/picture", "internal/sink", "internal/source", "sim/tire"},
	"internal/machine":               {"devices/wheel", "internal/evdev"},
	"internal/loopback":              {"devices/motion", "devices/motion/motion4sim", "devices/motion/port", "devices/motion/simulated", "devices/motion/smc3", "devices/motion/template", "devices/motion/thanos"},
	"internal/loopback/loopbacktest": {"devices/motion", "devices/motion/motion4sim", "devices/motion/simulated", "internal/loopback"},
	"internal/page":                  {"internal/frame", "internal/latest"},
	"internal/recording":             {"internal/channels", "internal/config", "internal/drive", "internal/drivelog", "internal/follow", "internal/frame", "internal/guard", "internal/sink", "internal/source", "sim/road/lap"},
	"internal/replay":                {"ffb", "internal/assembly", "internal/channels", "internal/circuit", "internal/config", "internal/drive", "internal/drivelog", "internal/follow", "internal/frame", "internal/recording", "internal/version", "sim"},
	"internal/replay/replaytest":     {"internal/assembly", "internal/channels", "internal/circuit", "internal/config", "internal/drive", "internal/guard", "internal/recording", "internal/replay"},
	"internal/replayview":            {"internal/config", "internal/drivelog", "internal/frame", "internal/page", "internal/recording", "internal/replay", "internal/rig", "sim"},
	"internal/rig":                   {"cueing", "devices/estop", "devices/motion", "devices/motion/wire", "devices/pedals", "devices/wheel", "display", "display/model", "ffb", "internal/assembly", "internal/channels", "internal/circuit", "internal/config", "internal/drive", "internal/drivers", "internal/evdev", "internal/follow", "internal/frame", "internal/guard", "internal/latest", "internal/loop", "internal/loopback", "internal/machine", "internal/operator", "internal/outputs", "internal/page", "internal/playback", "internal/recording", "internal/remote", "internal/replay", "internal/rt", "internal/scenery", "internal/session", "internal/session/keys", "internal/session/member", "internal/source", "internal/switches", "internal/usbserial", "internal/version", "internal/watch", "sim", "sim/driver", "sim/road", "systemd"},
	"internal/scenery":               {"internal/circuit", "internal/drive", "internal/frame", "sim/driver", "sim/road", "sim/road/racing"},
	"internal/session/bus":           {"internal/session", "internal/session/keys"},
	"internal/session/clock":         {"internal/session"},
	"internal/session/host":          {"internal/session", "internal/session/bus", "internal/session/keys", "internal/session/packets", "internal/session/race", "internal/session/server"},
	"internal/session/keys":          {"internal/session", "internal/sink", "internal/source"},
	"internal/session/member":        {"internal/frame", "internal/guard", "internal/operator", "internal/page", "internal/remote", "internal/rt", "internal/session", "internal/session/bus", "internal/session/clock", "internal/session/keys", "internal/session/packets", "internal/session/playout"},
	"internal/session/packets":       {"internal/session"},
	"internal/session/playout":       {"internal/session"},
	"internal/session/race":          {"internal/session"},
	"internal/session/results":       {"internal/session", "internal/session/race"},
	"internal/session/server":        {"internal/session", "internal/session/keys"},
	"internal/session/work":          {"internal/lab/sweep", "internal/session", "internal/session/bus", "internal/session/keys"},
	"internal/setup":                 {"calib", "devices/motion", "devices/motion/settings", "devices/motion/wire", "devices/pedals", "devices/wheel", "display", "display/screens", "internal/bench", "internal/calibration", "internal/check", "internal/config", "internal/console", "internal/evdev", "internal/operator", "internal/sink", "internal/source"},
	"internal/switches":              {"devices/estop"},
	"internal/outputs":               {"internal/dash", "internal/operator", "internal/page", "internal/remote", "internal/telemetry"},
	"internal/playback":              {"internal/audio", "internal/frame", "internal/latest", "internal/page", "internal/sound"},
	"internal/remote":                {"internal/operator"},
	"internal/sound":                 {"internal/frame", "internal/guard"},
	"internal/telemetry":             {"internal/frame", "internal/guard"},
	"internal/games":                 {"internal/follow", "internal/latest", "internal/packets"},
	"internal/signs":                 {"internal/config", "internal/follow", "internal/games", "internal/sink", "internal/source", "sim"},
	"internal/drivers":               {"cueing", "internal/config", "internal/drive", "internal/frame", "internal/sink", "internal/source"},
	"internal/tunings":               {"internal/config", "internal/sink", "internal/source"},
	"internal/usbserial":             {"internal/evdev"},
	"internal/speed":                 {"cueing", "ffb", "internal/assembly", "internal/circuit", "internal/config", "internal/drive", "internal/guard", "internal/page", "sim", "sim/driver", "sim/road", "sim/road/lap", "sim/road/mesh"},
	"internal/watch":                 {"cueing", "devices/motion", "devices/motion/wire", "devices/wheel", "ffb", "internal/config", "internal/console", "internal/drive", "internal/evdev", "internal/follow", "internal/frame", "internal/guard", "internal/lifecycle"},
	"sim":                            {},
	"sim/assist":                     {"sim/curve", "sim/driveline", "sim/steering", "sim/tire"},
	"sim/brakes":                     {"sim/curve", "sim/tire"},
	"sim/chassis":                    {"sim/curve", "sim/road", "sim/tire"},
	"sim/driveline":                  {"sim/curve", "sim/tire"},
	"sim/driver":                     {"sim", "sim/assist", "sim/brakes", "sim/driveline", "sim/road", "sim/road/racing", "sim/tire", "sim/trial"},
	"sim/maneuver":                   {"sim", "sim/assist", "sim/driver", "sim/road", "sim/road/lap", "sim/tire", "sim/trial"},
	"sim/road":                       {"sim/curve", "sim/tire"},
	"sim/road/crg":                   {"sim/road", "sim/tire"},
	"sim/road/lap":                   {"sim/road"},
	"sim/road/layout":                {"sim/road"},
	"sim/road/mesh":                  {"sim/road", "sim/tire"},
	"sim/road/opendrive":             {"sim/road"},
	"sim/road/racing":                {"sim/road"},
	"sim/road/scan":                  {"sim/road"},
	"sim/steering":                   {"sim/curve", "sim/tire"},
	"sim/suspension":                 {"sim/chassis", "sim/curve", "sim/road", "sim/steering", "sim/tire"},
	"sim/tire":                       {"sim/curve"},
	"sim/trial":                      {"sim", "sim/assist", "sim/road", "sim/tire"},
}

// allowedForAll lists the packages that every package may import.
var allowedForAll = []string{"internal/valid", "internal/printable", "internal/splitmix"}

// owners lists for each third-party module the only packages that may import it.
var owners = map[string][]string{
	"github.com/go-gl/gl":                {"display"},
	"github.com/go-gl/glfw":              {"display"},
	"github.com/go-gl/mathgl":            {"display", "display/model", "display/scene"},
	"go.bug.st/serial":                   {"devices/motion/port"},
	"github.com/holoplot/go-evdev":       {"internal/evdev"},
	"periph.io/":                         {"devices/wheel", "devices/analog", "devices/estop"},
	"github.com/markus-wa/quickhull-go/": {"sim/chassis"},
	"github.com/golang/geo/":             {"sim/chassis"},
	"github.com/alecthomas/kong":         {"cmd/rig"},
	"gonum.org/v1/plot":                  {"internal/lab/chart"},
	"github.com/schollz/progressbar/":    {"internal/lab/tirerig", "internal/lab/testrun"},
	"github.com/qmuntal/gltf":            {"display/model", "sim/road/scan"},
	"github.com/foxglove/mcap/":          {"internal/recording"},
	"github.com/klauspost/compress/":     {"internal/recording"},
	"google.golang.org/protobuf/":        {"internal/recording"},
	"rsc.io/qr":                          {"cmd/rig"},
	"github.com/pmezard/go-difflib/":     {"cmd/rig"},
	"github.com/go-audio/":               {"internal/playback"},
	"github.com/rivo/uniseg":             {"internal/console"},
	"github.com/jfreymuth/pulse":         {"internal/audio", "internal/audio/audiotest"},
	"github.com/nats-io/":                {"internal/session/bus", "internal/session/keys", "internal/session/server"},
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
		{"internal/frame", "golang.org/x/sys/unix"},
		{"sim", "rig.example/rig/devices/wheel"},
		{"display", "rig.example/rig/sim"},
		{"display/hud", "rig.example/rig/display"},
		{"display/scene", "github.com/go-gl/gl/v3.3-core/gl"},
		{"devices/wheel", "rig.example/rig/devices/motion"},
		{"internal/rig", "rig.example/rig/internal/bench"},
		{"internal/bench", "rig.example/rig/internal/rig"},
		{"devices/wheel", "go.bug.st/serial"},
		{"internal/rt", "github.com/go-gl/glfw/v3.3/glfw"},
		{"internal/rig", "github.com/jfreymuth/pulse/proto"},
	} {
		if forbidden(tt.pkg, tt.imp) == "" {
			t.Errorf("%s may import %s", tt.pkg, tt.imp)
		}
	}
}
