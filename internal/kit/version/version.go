// Package version returns the program's version, the git commit it was built from and its target.
//
// Version and commit come from the linker flags that scripts/build sets. Without them, and always for
// the target, they come from the build information that the go command stores in every program. The
// package never reads a file and never starts a program.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// dirty is the suffix of a commit when the working tree had uncommitted changes.
const dirty = "-dirty"

// Info describes how the program was built.
type Info struct {
	Version string `json:"version"` // such as v1.2.0, or "devel"
	Commit  string `json:"commit"`  // git commit, with the suffix -dirty for uncommitted changes; "" if unknown

	// Target is the system, the processor's instruction set and the Go version, such as
	// "linux/amd64 v1 go1.26.8". Results of a drive are bit-identical only on the same target.
	Target string `json:"target"`
}

// version and commit are set by scripts/build (go build -ldflags=-X). They are empty in other builds.
var version, commit string

// Current returns how this program was built.
func Current() Info {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		b = &debug.BuildInfo{}
	}
	return infoFrom(version, commit, b)
}

// infoFrom combines version and commit from the linker flags with Go's build information b.
func infoFrom(version, commit string, b *debug.BuildInfo) Info {
	buildSettings := map[string]string{}
	for _, s := range b.Settings {
		buildSettings[s.Key] = s.Value
	}
	if commit == "" && buildSettings["vcs"] == "git" {
		commit = buildSettings["vcs.revision"]
		if buildSettings["vcs.modified"] == "true" {
			commit += dirty
		}
	}
	target := runtime.GOOS + "/" + runtime.GOARCH
	if l := instructionLevel(buildSettings); l != "" {
		target += " " + l
	}
	return Info{
		Version: cmp.Or(version, strings.Trim(b.Main.Version, "()"), "devel"), // Go's own version text is "(devel)"
		Commit:  commit,
		Target:  target + " " + runtime.Version(),
	}
}

// IsClean reports whether the commit says what the program was built from: it is known, and nothing had changed since.
func (i Info) IsClean() bool { return i.Commit != "" && !strings.HasSuffix(i.Commit, dirty) }

// instructionLevel returns the instruction set level that a program was built for, such as v1 for
// GOAMD64=v1, or "" if the build settings do not have it.
func instructionLevel(buildSettings map[string]string) string {
	// The variables GOMIPS and GOPPC64 also apply to mipsle and ppc64le.
	arch := strings.TrimSuffix(strings.ToUpper(runtime.GOARCH), "LE")
	return buildSettings["GO"+arch]
}

// String returns the line that `rig version` prints.
func (i Info) String() string {
	id, changed := strings.CutSuffix(i.Commit, dirty)
	commitText := "no commit: built without git"
	if id != "" {
		commitText = fmt.Sprintf("commit %.12s", id)
	}
	if changed {
		commitText += dirty
	}
	return fmt.Sprintf("rig %s (%s) %s", i.Version, commitText, i.Target)
}
