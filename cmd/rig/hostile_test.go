package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/test/hostile"
	"rig.example/rig/test/level"
)

// place is where a command reads a file.
type place struct {
	name string
	args string            // of the command
	file string            // that is spoiled, as it is in with
	nest string            // opens a level in its format
	fine string            // matches the ways to spoil it that leave it good, or good enough: status 0
	with map[string]string // good files
	few  bool              // only some of the ways that spoil every file
}

// Commands that take a configuration. None of them must begin.
var configured = []string{
	"run --headless --duration 1ms --page p", "check", "check --json", "latency --duration 1ms", "devices --json",
	"calibrate wheel --yes --page p", "calibrate pedals --yes", "calibrate ffb --yes --page p",
	"motion home --yes --page p", "motion park --yes --page p", "motion jog 1 --yes --page p", "motion sweep --yes --page p", "motion config --page p",
	"motion omct", "ffb test --yes --page p", "ffb map",
}

// places are all where files of strangers are read.
func places(t testing.TB) (list []place) {
	const obj, out = "a.obj", " --csv out.csv"
	const toml = "empty|CR LF|UTF-8 with a mark|nine tenths|[0-9]. number (0|1e-320)"                                            // each key has a default, and some may be 0
	const tir = "CR LF|UTF-8 with a mark|Latin-1|twice|a thousand times|deeply nested|unknown lines|[0-9]. number (0|-1|1e-320)" // a comment or a key too many does no harm
	const mesh = "a long word first|deeply nested"                                                                               // unknown lines and elements are left out
	car := func(text string) map[string]string {
		return map[string]string{"car.toml": text, "in.csv": inputTable, "hull.obj": hullMesh, "a.tir": stripped(t, "sim/tire/data/road.tir")}
	}
	config := func(text, name, seed string) map[string]string {
		return map[string]string{"rig.toml": text, name: seed}
	}
	const drive = "maneuver open-loop --car car.toml --input in.csv" + out
	cached, entry := cachedMesh(t, obj)
	add := func(p place) { list = append(list, p) }
	add(place{name: "configuration", args: "devices --config rig.toml", file: "rig.toml", nest: "[", fine: toml, with: map[string]string{"rig.toml": configSeed}})
	for _, command := range configured {
		add(place{name: "configuration of " + command, args: command + " --config rig.toml", file: "rig.toml", nest: "[", with: map[string]string{"rig.toml": configSeed}, few: true})
	}
	add(place{name: "car", args: drive, file: "car.toml", nest: "[", with: car(stripped(t, "internal/files/config/cars/pickup.toml"))})
	add(place{name: "car's tire", args: drive, file: "a.tir", nest: "[", with: car("base = \"coupe\"\n[tires]\nmodel = \"a.tir\"\n")})
	add(place{name: "hull", args: drive, file: "hull.obj", nest: "(", with: car("base = \"coupe\"\n[hull]\nmesh = \"hull.obj\"\n")})
	add(place{name: "inputs", args: drive, file: "in.csv", nest: "\"", with: car("base = \"coupe\"\n")})
	add(place{name: "reference", args: "maneuver open-loop --input in.csv --compare ref.csv" + out, file: "ref.csv", nest: "\"", with: map[string]string{"in.csv": inputTable, "ref.csv": "time_s,x_m,y_m\n0,0,0\n0.05,0,0\n0.1,0,0\n"}})
	add(place{name: "tire", args: "tire a.tir", file: "a.tir", nest: "[", fine: tir, with: car("")})
	add(place{name: "points", args: "tire road --points in.csv" + out, file: "in.csv", nest: "\"", with: map[string]string{"in.csv": "kappa,alpha_deg,fz_n\n0,1,3000\n0.1,2,4000\n"}})
	add(place{name: "preset", args: "devices --config rig.toml", file: "p.toml", nest: "[", fine: toml, with: config("[ffb]\npreset = \"p.toml\"\n", "p.toml", stripped(t, "internal/files/config/presets/belt.toml"))})
	add(place{name: "platform", args: "devices --config rig.toml", file: "p.toml", nest: "[", fine: toml, with: config("platform = \"p.toml\"\n", "p.toml", stripped(t, "internal/files/config/platforms/hexapod-6.toml"))})
	add(place{name: "controller", args: "devices --config rig.toml", file: "p.toml", nest: "[", fine: toml, with: config("[motion]\npreset = \"p.toml\"\nport = \"/dev/null\"\n", "p.toml", stripped(t, "devices/motion/presets/eh-msc.toml"))})
	add(place{name: "port", args: "motion park --yes --page p --config rig.toml", file: "port", nest: "(", with: config("[motion]\nprotocol = \"smc3\"\nport = \"port\"\n", "port", "text")})
	add(place{name: "page", args: "watch --page port", file: "port", nest: "(", with: map[string]string{"port": "text"}})
	add(place{name: "cache", args: "maneuver lap --track a.obj" + out, file: cached, nest: "(", with: map[string]string{obj: objRoad("a"), cached: entry}})
	add(place{name: "circuit", args: "maneuver lap --track c.toml" + out, file: "c.toml", nest: "[", with: map[string]string{"c.toml": circuitSeed, obj: objRoad("a"), "l.csv": lineTable}})
	add(place{name: "buffer", args: "maneuver lap --track a.gltf" + out, file: "a.bin", nest: "(", few: true, with: bufferedRoad()})
	add(place{name: "line", args: "maneuver lap --track c.toml" + out, file: "l.csv", nest: "\"", with: map[string]string{"c.toml": circuitSeed, obj: objRoad("a"), "l.csv": lineTable}})
	for name, road := range map[string][2]string{
		obj: {objRoad("a"), "("}, "a.gltf": {gltfRoad("a"), "["}, "a.glb": {glbRoad("a"), "["}, "a.asc": {ascRoad(), "("}, "a.xodr": {xodrRoad("a"), "<road>"}, "a.crg": {crgRoad("a"), "$"},
	} {
		with := map[string]string{name: road[0]}
		add(place{name: "ground " + name, args: "maneuver lap --track " + name + out, file: name, nest: road[1], with: with}) // ends at a good one, too: it is no ring
		add(place{name: "rig road " + name, args: "road " + name, file: name, nest: road[1], with: with, fine: mesh, few: true})
	}
	return list
}

// cachedMesh returns what a first look at a road leaves in the cache, and its name.
func cachedMesh(t testing.TB, road string) (name, entry string) {
	dir := put(t, t.TempDir(), map[string]string{road: objRoad("a")})
	if _, _, err := circuit.Load(filepath.Join(dir, road), circuit.Options{Cache: circuit.Cache(func(key string) string {
		return map[string]string{"XDG_CACHE_HOME": dir, "HOME": dir}[key]
	})}); err != nil {
		t.Fatal(err)
	}
	var found []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".mesh") {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("the cache has %q, %v", found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	name, err = filepath.Rel(dir, found[0])
	if err != nil {
		t.Fatal(err)
	}
	return name, string(text)
}

const configSeed = `car = "coupe"
track = "skidpad"
[guard]
engage_s = 2
max_torque_nm = 8
[wheel]
max_torque_nm = 4
[cueing]
mode = "washout"
[geometry]
kind = "seat"
[motion]
protocol = "smc3"
port = "/dev/null"
min_share = [0.1, 0.1]
`

const hullMesh = "v -1 -1 0.2\nv 1 -1 0.2\nv 1 1 0.2\nv -1 1 0.2\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"

const circuitSeed = "title = \"c\"\n[ground]\nfile = \"a.obj\"\nup = \"y\"\nscale = 1\n[line]\nfile = \"l.csv\"\nclosed = false\nwidth_m = 8\n"

// everyFile are ways that spoil a file of any kind; the nodes do, too.
var everyFile = []string{"binary", "deeply nested", "a long word first", "UTF-16, small end first"}

// stripped is a file of this repository without its comments, whose numbers mean nothing.
func stripped(t testing.TB, path string) string {
	var b strings.Builder
	for line := range strings.Lines(ofRepository(t, path)) {
		if strings.HasSuffix(path, ".tir") {
			line, _, _ = strings.Cut(line, "$")
		} else {
			line, _, _ = strings.Cut(line, "#")
		}
		if line = strings.TrimSpace(line); line != "" && line[0] != '!' {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// attempt is a file that is spoiled in one way.
type attempt struct {
	place
	hostile.Input
}

// attempts are those of this run: all in `make test-all`, and each way in several places before, since most of them meet the
// same opener and the same limits of a format.
func attempts(t testing.TB) (list []attempt) {
	n := 0
	for _, p := range places(t) {
		for _, in := range hostile.Inputs(p.with[p.file], p.nest) {
			any := in.Special || slices.Contains(everyFile, in.Name)
			n++
			if any && !p.few && n%level.Pick(4, 3, 1) == 0 || any && p.few && n%level.Pick(9, 5, 1) == 0 || !p.few && n%level.Pick(12, 9, 1) == 0 {
				list = append(list, attempt{p, in})
			}
		}
	}
	return list
}

const (
	mostMemory = 300 << 20 // that a command may have taken at its end [bytes]
	mostLines  = 11        // of errors: ten faults, and how many more there are

	hostileFiles = "RIG_TEST_HOSTILE_FILES" // is set for the process that starts the commands
)

// No file that somebody sends makes rig crash, hang, take the machine's memory, or say anything
// but what is wrong with it.
func TestHostileFiles(t *testing.T) {
	level.SkipIfQuick(t)
	// The kernel counts the memory of the process that starts a command as the command's. So a new one does it, not
	// that of all tests.
	if os.Getenv(hostileFiles) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", fmt.Sprintf("-test.short=%t", testing.Short()))
		cmd.Env = append(os.Environ(), hostileFiles+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		runtime.LockOSThread() // the end of the thread that starts it would end it
		defer runtime.UnlockOSThread()
		out, err := cmd.CombinedOutput()
		if t.Logf("%s", out); err != nil || !bytes.Contains(out, []byte(" hostile inputs in ")) {
			t.Error("not all was tried:", err)
		}
		return
	}
	program := filepath.Join(t.TempDir(), "rig")
	build := exec.Command("go", "build", "-o", program, ".") // which has no race detector: its memory is measured
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list := attempts(t)
	if least := level.Pick(250, 300, 1000); len(list) < least {
		t.Errorf("%d hostile inputs, want at least %d", len(list), least)
	}
	var next, most atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := next.Add(1); i <= int64(len(list)); i = next.Add(1) {
				a := list[i-1]
				o, err := a.run(t, program)
				if err != nil {
					t.Errorf("%s, %s: %v", a.name, a.Name, err)
					continue
				}
				for _, fault := range append(a.judge(o), a.left(o)...) {
					t.Errorf("%s: %s: %s\n%.1500q", a.place.name, a.Name, fault, o.err.String())
				}
				most.Store(max(most.Load(), o.memory))
				os.RemoveAll(o.dir)
			}
		}()
	}
	workers.Wait()
	t.Logf("%d hostile inputs in %d places; the most memory that one took is %d MB", len(list), len(places(t)), most.Load()>>20)
}

// outcome is what came of an attempt.
type outcome struct {
	dir      string
	status   int
	out, err bytes.Buffer
	memory   int64 // most that it took [bytes]
	ended    string
}

// run starts the command on the spoiled file, within limits that only guard the machine.
func (a attempt) run(t testing.TB, program string) (*outcome, error) {
	dir, err := os.MkdirTemp("", "rig") // short, for a socket's name
	if err != nil {
		return nil, err
	}
	put(t, dir, a.with)
	put(t, dir, map[string]string{"out.csv": "before"})
	path := filepath.Join(dir, a.file)
	if err := errors.Join(os.Remove(path), a.Create(path)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o := &outcome{dir: dir}
	cmd := exec.CommandContext(ctx, program, strings.Fields(a.args)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &o.out, &o.err
	cmd.Env = []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "PATH=" + os.Getenv("PATH")}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	const space, seconds = 8 << 30, 60
	_ = unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: space, Max: space}, nil)
	_ = unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds}, nil)
	_ = cmd.Wait()
	o.status, o.ended = cmd.ProcessState.ExitCode(), cmd.ProcessState.String()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.memory = u.Maxrss << 10
	}
	return o, ctx.Err()
}

// judge returns what is wrong with what the command said and took.
func (a attempt) judge(o *outcome) (faults []string) {
	errs := said(o.err.String())
	good := o.status == exitDone && a.fine != "" && regexp.MustCompile("^(?:"+a.fine+")$").MatchString(a.Name)
	if !good && o.status != exitFailed && o.status != exitUsage {
		faults = append(faults, "it ended with "+o.ended)
	}
	if lines := strings.Count(errs, "\n"); !good && (lines < 1 || lines > mostLines) {
		faults = append(faults, fmt.Sprintf("%d lines of error", lines))
	}
	if strings.Contains(errs, "goroutine ") || strings.Contains(errs, "panic") {
		faults = append(faults, "a panic")
	}
	faults = append(faults, shown(errs)...)
	if !strings.Contains(a.args, "--json") {
		faults = append(faults, shown(o.out.String())...)
	}
	if o.memory > mostMemory {
		faults = append(faults, fmt.Sprintf("it took %d MB", o.memory>>20))
	}
	return faults
}

// left returns what is wrong with the files after the command.
func (a attempt) left(o *outcome) (faults []string) {
	if text, err := os.ReadFile(filepath.Join(o.dir, "out.csv")); err != nil || o.status != exitDone && string(text) != "before" {
		faults = append(faults, fmt.Sprintf("the result of before is now %.50q, %v", text, err))
	}
	if rest, _ := filepath.Glob(filepath.Join(o.dir, ".rig-*")); len(rest) > 0 {
		faults = append(faults, fmt.Sprintf("%d files are left over", len(rest)))
	}
	return faults
}
