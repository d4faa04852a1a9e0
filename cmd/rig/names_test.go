package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// Names as only somebody who means harm, or a damaged file, has them.
const (
	forged = "\nFORGED: all is well"
	acting = "\x1b]0;title\x07\x1b[2J\u009b1A\u202e\x7f"
	wicked = "a" + acting + forged
)

// shown reports what is wrong with the output of a command for people.
func shown(out string) (faults []string) {
	for i, line := range strings.Split(out, "\n") {
		if len(line) > 12_000 {
			faults = append(faults, "a line of "+strings.Repeat("very ", 3)+"many bytes")
		}
		if i > 0 && strings.HasPrefix(line, "FORGED") {
			faults = append(faults, "a forged line")
		}
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf) }) {
			faults = append(faults, "control characters")
		}
	}
	return faults
}

func TestNamesOfStrangersStayWithinTheirLine(t *testing.T) {
	level.SkipIfQuick(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	long := strings.Repeat("long ", 1<<20)
	word := strings.NewReplacer("\n", "\x0b", " ", "_").Replace(wicked) // within one word of a line
	attribute := strings.NewReplacer("\n", "&#10;", "\x1b", "", "\x07", "", "\x7f", "").Replace(wicked)
	quoted := func(s string) string {
		coded, _ := json.Marshal(strings.ReplaceAll(s, "\x7f", ""))
		return string(coded)
	}
	tir := ofRepository(t, "sim/tire/data/road.tir")
	tir = strings.Replace(tir, "[MODEL]", "[MODEL]\nNAME = 'x"+acting+"'\n", 1)
	dir := put(t, t.TempDir(), map[string]string{
		"a.obj": objRoad(word), "long.obj": objRoad(strings.ReplaceAll(long, " ", "_")), "a.gltf": gltfRoad(wicked), "a.glb": glbRoad(wicked + long),
		"a.xodr": xodrRoad(attribute), "a.crg": crgRoad(acting), "a\x1b[2J\n.asc": ascRoad(),
		"c.toml":            "title = " + quoted(wicked) + "\n[ground]\nfile = \"a.obj\"\n[materials]\n" + quoted(wicked) + " = \"kerb\"\n[areas]\n" + quoted(wicked+"b") + " = " + quoted(wicked) + "\n",
		"title.toml":        "title = " + quoted(long) + "\n[ground]\nfile = \"a.obj\"\n",
		"a\x1b[2J\nb.tir":   tir,
		"car\x1b[2J\n.toml": "base = \"coupe\"\n[tires]\nmodel = " + quoted("a\x1b[2J\nb.tir") + "\n",
		"rig.toml":          "profiles_dir = " + quoted(wicked+long) + "\ntrack = \"c.toml\"\n[wheel]\ndevice = " + quoted(wicked) + "\n[motion]\nport = " + quoted("/dev/"+wicked) + "\nprotocol = \"smc3\"\n[estop]\npin = " + quoted(wicked+":1") + "\n",
	})
	t.Chdir(dir)
	run := func(wants []int, args ...string) {
		t.Helper()
		status, out, errs := rigCommand(t, args...)
		found := shown(errs)
		if slices.Contains(args, "--json") { // whose values are as long as they are
			if out != "" && !json.Valid([]byte(out)) || strings.ContainsAny(out, "\x1b\u009b\u202e\x7f") {
				found = append(found, "no JSON")
			}
		} else {
			found = append(found, shown(out)...)
		}
		if wants[0] != status && wants[len(wants)-1] != status {
			found = append(found, "another status")
		}
		if len(found) > 0 {
			t.Errorf("%q: %s; status %d\n%.3000q\n%.3000q", args, strings.Join(found, ", "), status, out, errs)
		}
	}
	done, any := []int{exitDone}, []int{exitFailed, exitUsage}
	roads := []string{"c.toml", "a.xodr", "long.obj", "a.gltf", "a.crg", "a\x1b[2J\n.asc", "title.toml", "a.glb", "a.obj"}
	for _, name := range roads[:level.Pick(2, 4, len(roads))] {
		run(done, "road", name)
		if level.All() || name == roads[0] {
			run(any, "maneuver", "lap", "--track", name)
		}
	}
	run(done, "road", "a.glb", "--json")
	run(any, "ffb", "map", "--car", "car"+acting)
	run(done, "tire", "a\x1b[2J\nb.tir")
	run(done, "tire", "a\x1b[2J\nb.tir", "--json")
	run(done, "tire", "a\x1b[2J\nb.tir", "--sweep", "slip-angle", "--fz", "3000", "--from=-1", "--to", "1", "--step", "1")
	put(t, dir, map[string]string{"in.csv": inputTable, "bad.csv": wicked + "," + wicked + "\n1,2\n"})
	run([]int{exitDone, exitUsage}, "maneuver", "open-loop", "--car", "car\x1b[2J\n.toml", "--input", "in.csv", "--compare", "in.csv")
	run([]int{exitDone, exitUsage}, "maneuver", "open-loop", "--car", "car\x1b[2J\n.toml", "--input", "in.csv", "--csv", "-")
	run(any, "maneuver", "open-loop", "--input", "bad.csv")
	run(any, "tire", "road", "--points", "bad.csv")
	run([]int{exitDone, exitFailed}, "check", "--config", "rig.toml")
	run([]int{exitDone, exitFailed}, "check", "--config", "rig.toml", "--json")
	run(done, "devices", "--config", "rig.toml")
	run(any, "motion", "home", "--yes", "--config", "rig.toml", "--page", socketPath(t))
	run(any, "calibrate", "pedals", "--yes", "--config", "rig.toml")
	run(any, "calibrate", "wheel", "--yes", "--device", wicked, "--page", socketPath(t))
	run(any, "run", "--headless", "--config", "rig.toml", "--page", socketPath(t))
}

// Another rig, which may be another user's, says what it likes.
func TestWhatARunningRigSaysStaysWithinItsLine(t *testing.T) {
	path := socketPath(t)
	socket, err := framepage.Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	defer socket.Close() // before the page that it gives away
	p.SetNotice(wicked)
	if err := p.SetScene(&frame.Scene{Names: frame.Names{Actuators: []string{"a\x1b[2J" + forged, "b"}}, Materials: []frame.Material{{Name: acting}}}); err != nil {
		t.Fatal(err)
	}
	if found := shown(p.Notice()); len(found) > 0 || strings.Contains(p.Notice(), "\n") {
		t.Errorf("the notice has %q", found)
	}
	scene, ok := p.Scene()
	if !ok || strings.ContainsAny(scene.Names.Actuators[0]+scene.Materials[0].Name, "\x1b\n") {
		t.Errorf("the scene has %q", scene.Names.Actuators)
	}
	p.Publish(&frame.Frame{State: uint64(guard.Stopped)})
	if err := socket.Serve(p); err != nil {
		t.Fatal(err)
	}
	p.End(wicked) // or the watchers wait for more
	for _, command := range [][]string{{"watch"}, {"motion", "watch"}, {"ffb"}} {
		status, out, errs := rigCommand(t, append(command, "--page", filepath.Clean(path))...)
		if found := append(shown(out), shown(errs)...); len(found) > 0 || status != exitDone {
			t.Errorf("%q: status %d, %q: %q%q", command, status, found, out, errs)
		}
	}
}
