package version_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/version"
	"rig.example/rig/test/level"
)

// tree is a module with this package, the scripts that build it, and a program that prints what
// it knows of itself.
type tree struct {
	t   *testing.T
	dir string
}

const program = `package main

import ("fmt"; "rig.example/rig/internal/kit/version")

func main() { i := version.Current(); fmt.Printf("{%q:%q,%q:%q,%q:%q}", "version", i.Version, "commit", i.Commit, "target", i.Target) }
`

func newTree(t *testing.T) tree {
	t.Helper()
	level.SkipIfQuick(t)
	r := tree{t, t.TempDir()}
	r.write("go.mod", "module rig.example/rig\n\ngo 1.25.0\n")
	r.write("cmd/rig/main.go", program)
	r.write(".gitignore", "/bin/\n")
	for _, name := range []string{"scripts/build", "scripts/target", "internal/kit/version/version.go"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		r.write(name, string(text))
	}
	return r
}

func (r tree) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

// run runs a command in the tree, by somebody who asked Go for newer processors.
func (r tree) run(args ...string) string {
	r.t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "GOAMD64=v2", "CGO_ENABLED=0", "GOENV=off", "GOFLAGS=", "GOTOOLCHAIN=local", "GOWORK=off", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		r.t.Fatalf("%q: %v\n%s%s", args, err, out, errs.Bytes())
	}
	return strings.TrimSpace(string(out))
}

func (r tree) commit() (id string) {
	r.t.Helper()
	r.run("git", "init", "-q")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-qm", "first")
	return r.run("git", "rev-parse", "HEAD")
}

// built is what the program says that command built as bin/rig.
func (r tree) built(command ...string) (i version.Info) {
	r.t.Helper()
	r.run(command...)
	out := r.run(filepath.Join(r.dir, "bin", "rig"))
	if err := json.Unmarshal([]byte(out), &i); err != nil {
		r.t.Fatalf("%v in %s", err, out)
	}
	return i
}

// target is what a program of this machine says whose instructions are of a level.
func target(level string) string {
	if runtime.GOARCH != "amd64" {
		return version.Current().Target
	}
	return runtime.GOOS + "/amd64 " + level + " " + runtime.Version()
}

func TestScriptsBuildNamesTheCommit(t *testing.T) {
	r := newTree(t)
	want := version.Info{Version: "devel", Target: target("v1")}
	check := func(name string) {
		t.Helper()
		if got := r.built("scripts/build", "bin/rig"); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	check("without a repository")
	id := r.commit()
	want.Commit = id
	check("a commit")
	r.run("git", "tag", "v1.2.0")
	want.Version = "v1.2.0"
	check("a version")
	r.write("internal/other.txt", "")
	want.Commit = id + "-dirty"
	check("a file that git does not know")
	r.run("git", "add", "-A")
	check("a file of the next commit")
}

// A tree without a repository in a folder with one is not of that one's commit.
func TestAnothersRepositoryIsNotTheTrees(t *testing.T) {
	outer := newTree(t)
	outer.commit()
	inner := newTree(t)
	at := filepath.Join(outer.dir, "inner")
	if err := os.CopyFS(at, os.DirFS(inner.dir)); err != nil {
		t.Fatal(err)
	}
	inner.dir = at
	if got := inner.built("bash", "scripts/build", "bin/rig"); got.Commit != "" {
		t.Errorf("of commit %s", got.Commit)
	}
}

// A program that was not built by scripts/build says so.
func TestPlainGoBuildTellsItsTrueTarget(t *testing.T) {
	r := newTree(t)
	id := r.commit()
	got := r.built("go", "build", "-o", "bin/rig", "./cmd/rig")
	if got.Commit != id || got.Target != target("v2") || !strings.HasPrefix(got.Version, "v0.0.0-") && got.Version != "devel" {
		t.Errorf("%+v, want commit %s and target %s", got, id, target("v2"))
	}
}

func TestTheSameTreeIsTheSameProgramAnywhere(t *testing.T) {
	var all [2][]byte
	for i := range all {
		r := newTree(t)
		r.built("scripts/build", "bin/rig")
		var err error
		if all[i], err = os.ReadFile(filepath.Join(r.dir, "bin", "rig")); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(all[i], []byte(r.dir)) {
			t.Error("the program holds the path of its tree")
		}
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Error("two folders make two programs")
	}
}

// A program that is built by hand has neither the target nor the commit.
func TestTheProgramIsBuiltInOnePlace(t *testing.T) {
	var found []string
	for _, pattern := range []string{"Makefile", "scripts/*", ".ci/*", "test/vm/*.sh"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s, %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, "go build") && strings.Contains(line, "cmd/rig") {
					found = append(found, filepath.Base(file))
				}
			}
		}
	}
	if len(found) != 1 || found[0] != "build" {
		t.Errorf("built by %v, want scripts/build alone", found)
	}
}
