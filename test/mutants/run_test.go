package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// tiny creates a module in a temporary folder with one package and its tests, of which one fails if broken is set. What
// the runner reports goes to the builder.
func tiny(t *testing.T, broken bool) (*runner, *strings.Builder) {
	t.Helper()
	level.SkipIfQuick(t) // it compiles
	want := "3"
	if broken {
		want = "4"
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "p"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module tiny\n\ngo 1.25\n",
		"p/p.go": "package p\n\nconst limit = 3\n\nfunc Clamp(v int) int {\n\tif v > limit {\n\t\treturn limit\n\t}\n\treturn v\n}\n",
		"p/p_test.go": "package p\n\nimport \"testing\"\n\n" +
			"func TestClamps(t *testing.T) {\n\tif Clamp(9) != " + want + " {\n\t\tt.Error()\n\t}\n}\n\n" +
			"func TestNothing(t *testing.T) { Clamp(1) }\n\nfunc TestSkipped(t *testing.T) { t.Skip() }\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := &strings.Builder{}
	return &runner{root: root, tmp: t.TempDir(), jobs: 2, limit: time.Minute, out: out}, out
}

// clamp is a mutant of the tiny module.
func clamp(name, old, replacement, tests string) mutant {
	return mutant{name: name, file: "p/p.go", function: "Clamp", old: old, new: replacement, tests: tests}
}

func TestRunReportsEachMutant(t *testing.T) {
	r, out := tiny(t, false)
	ok := r.run([]mutant{
		clamp("noticed", "v > limit", "v < limit", "^TestClamps$"),
		clamp("a signature", "(v int)", "(v int, more ...int)", "^TestNothing$"),
		{name: "a constant", file: "p/p.go", old: "limit = 3", new: "limit = 5", tests: "^TestClamps$"},
		clamp("a panic", "return v\n", "panic(v)\n", "^TestNothing$"),
		clamp("not noticed", "v > limit", "v < limit", "^TestNothing$"),
		clamp("text not found", "v >= limit", "", "^TestClamps$"),
		clamp("twice", "limit", "", "^TestClamps$"),
		{name: "no file", file: "q.go", function: "Clamp", old: "limit", new: "", tests: "^TestClamps$"},
		clamp("does not parse", "v > limit", "v >", "^TestClamps$"),
		clamp("does not compile", "v > limit", "v > nobody", "^TestClamps$"),
		clamp("does not compile either", "v > limit", "v > 2*nobody", "^TestClamps$"),
		{name: "a constant that does not compile", file: "p/p.go", old: "limit = 3", new: "limit = three", tests: "^TestClamps$"},
		clamp("no such test", "v > limit", "v < limit", "^TestNobody$"),
		clamp("a test that is skipped", "v > limit", "v < limit", "^TestSkipped$"),
	})
	got := out.String()
	for _, want := range []string{
		"unchanged, 2 tests pass in p ",
		"killed   noticed: in ", "by TestClamps\n",
		"killed   a constant: in ",
		"killed   a panic: in ", "by TestNothing, a panic\n",
		"SURVIVED not noticed: in p/p.go, ^TestNothing$ of p passes",
		"SURVIVED a signature: in p/p.go, ",
		`ERROR    text not found: "v >= limit" occurs 0 times in Clamp of p/p.go, must be once`,
		`ERROR    twice: "limit" occurs 2 times in Clamp of p/p.go, must be once`,
		"ERROR    no file: ",
		"ERROR    does not parse: does not compile: ",
		"ERROR    does not compile: does not compile: undefined: nobody\n",
		"ERROR    does not compile either: does not compile: undefined: nobody\n",
		"ERROR    a constant that does not compile: does not compile: ", "undefined: three\n",
		`ERROR    no such test: no test of p that passes matches "^TestNobody$"`,
		"ERROR    a test that is skipped: no test of p that passes",
		"\n3 passed, 11 failed, 0 skipped\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing from the report", want)
		}
	}
	if ok || t.Failed() {
		t.Errorf("all was well, or a line is missing:\n%s", got)
	}
	if text, err := os.ReadFile(filepath.Join(r.root, "p/p.go")); err != nil || !strings.Contains(string(text), "v > limit") {
		t.Errorf("the tree was changed: %s %v", text, err)
	}
}

func TestAHangCountsAsDetected(t *testing.T) {
	r, out := tiny(t, false)
	r.limit = time.Second
	if !r.run([]mutant{clamp("endless", "return v\n", "select {}\n", "^TestNothing$")}) || !strings.Contains(out.String(), " by a hang\n") {
		t.Error(out)
	}
}

// TestWhatWasNotTriedHasNotFailed has a test that fails without a fault, and another that passes.
func TestWhatWasNotTriedHasNotFailed(t *testing.T) {
	r, out := tiny(t, true)
	ok := r.run([]mutant{
		clamp("not tried", "v > limit", "v < limit", "^TestClamps$"),
		clamp("nor this", "v > limit", "v == limit", "Test"),
		clamp("a panic", "return v\n", "panic(v)\n", "^TestNothing$"),
	})
	for _, want := range []string{
		"ERROR    without a fault, tests of p fail: ", "--- FAIL: TestClamps",
		`SKIPPED  not tried: a test of p that "^TestClamps$" names fails without it`,
		"SKIPPED  nor this: ", "killed   a panic: ",
		"tests that fail without a fault: 1; repair them first. Mutants that were not tried: 2\n1 passed, 1 failed, 2 skipped\n",
	} {
		if ok || !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing, or all was well:\n%s", want, out)
		}
	}
}

// TestWhatComesAfterAHangWasNotTried has a test that does not end without a fault, so that the next one does not run.
func TestWhatComesAfterAHangWasNotTried(t *testing.T) {
	r, out := tiny(t, false)
	r.limit = 100 * time.Millisecond
	text := "package p\n\nimport \"testing\"\n\nfunc TestAHang(t *testing.T) { select {} }\n"
	if err := os.WriteFile(filepath.Join(r.root, "p/a_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ok := r.run([]mutant{clamp("first", "v > limit", "v < limit", "^TestAHang$"), clamp("next", "v > limit", "v < limit", "^TestClamps$")})
	if ok || !strings.Contains(out.String(), "\n0 passed, 1 failed, 2 skipped\n") {
		t.Error(out)
	}
}

func TestNothingIsTriedIfTheTestsDoNotCompile(t *testing.T) {
	r, out := tiny(t, false)
	if err := os.WriteFile(filepath.Join(r.root, "p/q_test.go"), []byte("package p\n\nvar _ = nobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ok := r.run([]mutant{clamp("noticed", "v > limit", "v < limit", "^TestClamps$")})
	for _, want := range []string{"ERROR    no fault was planted: ", "undefined: nobody", "\n0 passed, 1 failed, 1 skipped\n"} {
		if ok || !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing, or all was well:\n%s", want, out)
		}
	}
}
