// Package version says which program this is: its version, the commit it was built from and its target.
//
// scripts/build writes version and commit into the program; of one that the go command built
// alone, the build information that Go keeps in every program is what counts. The target always
// comes from there: nobody can name another one than the instructions were made for. The
// package reads no file and starts nothing.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// dirty ends the commit of a tree that had changes.
const dirty = "-dirty"

// Info is what the program knows of its making.
type Info struct {
	Version string `json:"version"` // such as v1.2.0, or "devel"
	Commit  string `json:"commit"`  // of git, with -dirty where its tree had changes; "" is unknown
	Target  string `json:"target"`  // such as "linux/amd64 v1 go1.26.8": the same drive leaves the same bits on one target
}

// version and commit are set by scripts/build (go build -ldflags=-X), and else empty.
var version, commit string

// Current returns what this program knows of its making.
func Current() Info {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		b = &debug.BuildInfo{}
	}
	return from(version, commit, b)
}

// from returns what is known by the linker's version and commit, and by Go's own information.
func from(version, commit string, b *debug.BuildInfo) Info {
	set := map[string]string{}
	for _, s := range b.Settings {
		set[s.Key] = s.Value
	}
	if commit == "" && set["vcs"] == "git" {
		commit = set["vcs.revision"]
		if set["vcs.modified"] == "true" {
			commit += dirty
		}
	}
	target := runtime.GOOS + "/" + runtime.GOARCH
	if l := level(set); l != "" {
		target += " " + l
	}
	return Info{
		Version: cmp.Or(version, strings.Trim(b.Main.Version, "()"), "devel"), // Go writes (devel)
		Commit:  commit,
		Target:  target + " " + runtime.Version(),
	}
}

// level returns which instructions of its architecture a program uses, such as v1, and "" if
// nobody wrote that down.
func level(set map[string]string) string {
	arch := strings.TrimSuffix(strings.ToUpper(runtime.GOARCH), "LE") // mipsle and ppc64le share their sisters' variable
	return set["GO"+arch]
}

// String returns one line for people.
func (i Info) String() string {
	id, changed := strings.CutSuffix(i.Commit, dirty)
	of := "no commit: built without git"
	if id != "" {
		of = fmt.Sprintf("commit %.12s", id)
	}
	if changed {
		of += dirty
	}
	return fmt.Sprintf("rig %s (%s) %s", i.Version, of, i.Target)
}
