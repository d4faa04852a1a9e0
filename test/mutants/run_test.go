package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// tiny creates a module in a temporary folder with one function and its tests, of which one fails if broken is set.
func tiny(t *testing.T, broken bool) runner {
	t.Helper()
	level.SkipIfQuick(t) // it compiles
	want := "3"
	if broken {
		want = "4"
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module tiny\n\ngo 1.25\n",
		"p.go":   "package p\n\nconst limit = 3\n\nfunc Clamp(v int) int {\n\tif v > limit {\n\t\treturn limit\n\t}\n\treturn v\n}\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\n" +
			"func TestClamps(t *testing.T) {\n\tif Clamp(9) != " + want + " {\n\t\tt.Error()\n\t}\n}\n\n" +
			"func TestNothing(t *testing.T) { Clamp(1) }\n\nfunc TestSkipped(t *testing.T) { t.Skip() }\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return runner{root: root, jobs: 2, limit: time.Minute}
}

func TestRunReportsEachMutant(t *testing.T) {
	r := tiny(t, false)
	var out strings.Builder
	r.out = &out
	failed := r.run([]mutant{
		{name: "noticed", file: "p.go", function: "Clamp", old: "v > limit", new: "v < limit", tests: "^TestClamps$"},
		{name: "a constant", file: "p.go", old: "limit = 3", new: "limit = 5", tests: "^TestClamps$"},
		{name: "a panic", file: "p.go", function: "Clamp", old: "return v\n", new: "panic(v)\n", tests: "^TestNothing$"},
		{name: "not noticed", file: "p.go", function: "Clamp", old: "v > limit", new: "v < limit", tests: "^TestNothing$"},
		{name: "text not found", file: "p.go", function: "Clamp", old: "v >= limit", new: "", tests: "^TestClamps$"},
		{name: "twice", file: "p.go", function: "Clamp", old: "limit", new: "", tests: "^TestClamps$"},
		{name: "no file", file: "q.go", function: "Clamp", old: "limit", new: "", tests: "^TestClamps$"},
		{name: "does not compile", file: "p.go", function: "Clamp", old: "v > limit", new: "v > nobody", tests: "^TestClamps$"},
		{name: "no such test", file: "p.go", function: "Clamp", old: "v > limit", new: "v < limit", tests: "^TestNobody$"},
		{name: "a test that is skipped", file: "p.go", function: "Clamp", old: "v > limit", new: "v < limit", tests: "^TestSkipped$"},
	})
	got := out.String()
	for _, want := range []string{
		"unchanged, 2 tests pass in .\n",
		"killed   noticed: in ", "by TestClamps\n",
		"killed   a constant: in ",
		"killed   a panic: in ", "by TestNothing, a panic\n",
		"SURVIVED not noticed: in p.go, ^TestNothing$ passes",
		`ERROR    text not found: "v >= limit" occurs 0 times in Clamp of p.go, must be once`,
		`ERROR    twice: "limit" occurs 2 times in Clamp of p.go, must be once`,
		"ERROR    no file: ",
		"ERROR    does not compile: exit status 1\n", "undefined: nobody",
		`ERROR    no such test: no test of . that passes matches "^TestNobody$"`,
		"ERROR    a test that is skipped: no test of . that passes",
		"\n3 passed, 7 failed\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from the report", want)
		}
	}
	if failed != 7 || t.Failed() {
		t.Errorf("%d failed:\n%s", failed, got)
	}
	if text, err := os.ReadFile(filepath.Join(r.root, "p.go")); err != nil || !strings.Contains(string(text), "v > limit") {
		t.Errorf("the tree was changed: %s %v", text, err)
	}
}

func TestAHangCountsAsDetected(t *testing.T) {
	r := tiny(t, false)
	r.limit = time.Second
	by, err := r.plantAndTest(mutant{file: "p.go", function: "Clamp", old: "return v\n", new: "select {}\n", tests: "^TestNothing$"}, []string{"TestNothing"})
	if by != "a hang" || err != nil {
		t.Errorf("noticed by %q, %v", by, err)
	}
}

func TestNoFaultIsPlantedIfATestFails(t *testing.T) {
	r := tiny(t, true)
	var out strings.Builder
	r.out = &out
	failed := r.run([]mutant{{name: "noticed", file: "p.go", function: "Clamp", old: "v > limit", new: "v < limit", tests: "^TestClamps$"}})
	if got := out.String(); failed != 1 || !strings.Contains(got, "must pass before a fault is planted") || !strings.Contains(got, "\n0 passed, 1 failed\n") {
		t.Errorf("%d failed:\n%s", failed, got)
	}
}
