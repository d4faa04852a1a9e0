package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// Every point of a sweep is the single run of its values, to the last bit, whatever the number of workers.
func TestASweepEqualsSingleRuns(t *testing.T) {
	level.SkipIfQuick(t)
	sweep := func(workers string) string {
		status, out, errs := rigCommand(t, "maneuver", "step-steer", "--car", "hatch", "--assists", "stability=5", "--sweep", "mass_kg=1100,1250.5",
			"--sweep", "speed=60..80:2", "--csv", "-", "--workers", workers)
		if status != exitDone || errs != "" {
			t.Fatalf("status %d, %s", status, errs)
		}
		return out
	}
	table := sweep("1")
	for _, workers := range []string{"2", "7"} {
		if got := sweep(workers); got != table {
			t.Errorf("%s workers: %s, want %s", workers, got, table)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != 5 || len(rows[0]) < 15 {
		t.Fatalf("%v, %s", err, table)
	}
	for _, row := range rows[1:] {
		out, _ := done(t, "maneuver", "step-steer", "--car", "hatch", "--assists", "stability=5", "--set", "mass_kg="+row[0], "--speed", row[1], "--json")
		var single map[string]any
		if err := json.Unmarshal([]byte(out), &single); err != nil {
			t.Fatal(err)
		}
		for k, name := range rows[0][2 : len(row)-1] {
			cell := row[k+2]
			if v, ok := single[name].(float64); ok && cell != strconv.FormatFloat(v, 'g', -1, 64) || !ok && cell != strconv.FormatBool(single[name].(bool)) {
				t.Errorf("%s at %v: %s, alone %v", name, row[:2], cell, single[name])
			}
		}
	}
}

func TestAPointThatFails(t *testing.T) {
	status, out, errs := rigCommand(t, "maneuver", "drop", "--sweep", "mass_kg=50,1200", "--csv", filepath.Join(t.TempDir(), "a.csv"))
	if want := "rig: maneuver: 1 of 2 points failed; the column error of --csv says why\n"; status != exitFailed || errs != want {
		t.Errorf("status %d, %s", status, errs)
	}
	if !strings.Contains(out, `failed: --set "mass_kg=50": mass_kg = 50: must be 100 to 20000; `) {
		t.Error(out)
	}
}

// Ctrl-C ends a sweep with what is done, and the same command goes on from there.
func TestAnInterruptedSweepGoesOn(t *testing.T) {
	level.SkipIfQuick(t)
	file := filepath.Join(t.TempDir(), "sweep.jsonl")
	args := []string{"maneuver", "drop", "--sweep", "mass_kg=1000..1500:60", "--resume", file, "--workers", "1", "--csv"}
	cmd := rigProcess(append(args, "-")...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := func() int {
		text, _ := os.ReadFile(file)
		return strings.Count(string(text), "\n")
	}
	for lines() < 3 {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	kept := lines() - 1
	if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(errs.String(), "of 60 points are not done; the same command goes on from "+file) {
		t.Fatalf("%v, %d points, %s", err, kept, errs.String())
	}
	if n := strings.Count(out.String(), "\n") - 1; n != kept {
		t.Errorf("a table of %d points, %d are kept", n, kept)
	}
	whole, _ := done(t, append(args, "-")...)
	if got, _ := done(t, "maneuver", "drop", "--sweep", "mass_kg=1000..1500:60", "--csv", "-"); got != whole || lines() != 61 {
		t.Errorf("%d lines, another table than without an interruption", lines())
	}
	status, _, errText := rigCommand(t, "maneuver", "drop", "--sweep", "mass_kg=1000..1500:61", "--resume", file)
	if status != exitUsage || !strings.Contains(errText, "sweep.jsonl:1:1: belongs to another sweep (drop, coupe: 60 points of mass_kg 1000 to 1500 (60))") {
		t.Errorf("status %d, %s", status, errText)
	}
}

func TestSweepsAsTextAndJSON(t *testing.T) {
	plot := filepath.Join(t.TempDir(), "a.svg")
	random := []string{"maneuver", "drop", "--sweep", "mass_kg=1100..1300", "--random", "4", "--seed", "3", "--metric", "bounce_m", "--plot", plot}
	out, _ := done(t, random...)
	for _, want := range []string{"drop, coupe: 4 random points (seed 3) of mass_kg from 1100 to 1300\n", "\nmetric ", "\npoints by bounce_m\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q lacks %q", out, want)
		}
	}
	if text, err := os.ReadFile(plot); err != nil || !strings.Contains(string(text), ">bounce_m [m]<") {
		t.Errorf("%v", err)
	}
	var got struct{ Points, Done int }
	out, _ = done(t, append(random, "--json")...)
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Points != 4 || got.Done != 4 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSweepWrongUsage(t *testing.T) {
	masses := []string{"drop", "--sweep", "mass_kg=1200,1300"}
	with := func(more ...string) []string { return append(masses[:len(masses):len(masses)], more...) }
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no manoeuvre", []string{"--sweep", "mass_kg=1,2"}, "nothing to drive"},
		{"no sweep", []string{"drop", "--random", "5"}, "--random: belongs to --sweep"},
		{"nothing to resume", []string{"drop", "--resume", "a"}, "--resume: belongs to --sweep"},
		{"open-loop", []string{"open-loop", "--input", "a.csv", "--sweep", "mass_kg=1,2"}, "--sweep: open-loop drives one table"},
		{"bad range", []string{"drop", "--sweep", "mass_kg=1..2"}, `--sweep "mass_kg=1..2": say how many`},
		{"unknown key", []string{"drop", "--sweep", "mass=1,2"}, `--sweep mass: unknown key "mass"; did you mean "mass_kg"?`},
		{"no workers", with("--workers", "0"), "must be 1 to"},
		{"unknown metric", with("--metric", "speed"), `--metric: "speed" not found; choose min_clearance_m`},
		{"channels", with("--csv", "-", "--channels", "speed"), "--channels: a sweep keeps metrics"},
		{"a seed of nothing", with("--seed", "4"), "--seed: belongs to --random"},
		{"one file for both", with("--csv", "a.csv", "--resume", "./a.csv"), "--resume: goes into the same file"},
		{"stdin", with("--resume", "-"), "--resume: must be a file"},
		{"unknown car", with("--car", "spaceship"), "spaceship: not found"},
	} {
		status, out, errs := rigCommand(t, append([]string{"maneuver"}, tt.args...)...)
		if status != exitUsage || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: status %d, %q, %q", tt.name, status, out, errs)
		}
	}
}
