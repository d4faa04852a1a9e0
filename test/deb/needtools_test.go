package deb

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// bare returns a folder with the tools that scripts/need-tools takes from every Debian, but none of those it looks for.
func bare(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range []string{"bash", "sh", "env", "sed", "dirname", "cat", "chmod", "cp"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGoIsInstalledWhereAptHasANewOne(t *testing.T) {
	const goOf = `case "$1 $GOTOOLCHAIN" in "env local") echo %OWN ;; env*) echo %FETCHED ;; esac`
	goCommand := func(own, fetched string) string {
		return strings.NewReplacer("%OWN", own, "%FETCHED", fetched).Replace(goOf)
	}
	tests := []struct {
		name, goText, policy string
		installs, fails      bool
		says                 string
	}{
		{"a new one is there", goCommand("go1.26.8", "go1.26.8"), "2:1.19~1", false, false, ""},
		{"one that fetches a new one is there", goCommand("go1.21.0", "go1.25.0"), "2:1.19~1", false, false, ""},
		{"one that may not fetch", goCommand("go1.21.0", "go1.21.0"), "2:1.19~1", false, true, "rig needs Go 1.25 or later, this is go1.21.0: see https://go.dev/doc/install"},
		{"apt has a new one", "", "2:1.24~2", true, false, ""},
		{"an old one is there, and apt has a new one", goCommand("go1.19.8", "go1.19.8"), "2:1.24~2", true, false, ""},
		{"apt has an old one", "", "2:1.19~1", false, true, "rig needs Go 1.25, or any from 1.21 on, which fetches it; here is none, and apt has 2:1.19~1: see https://go.dev/doc/install"},
		{"an old one is there, and apt has no other", goCommand("go1.19.8", "go1.19.8"), "2:1.19~1", false, true, "here is go1.19.8, and apt has 2:1.19~1"},
		{"apt knows none", "", "(none)", false, true, "here is none, and apt has (none)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := bare(t)
			calls := filepath.Join(dir, "calls")
			program := func(name, text string) { write(t, filepath.Join(dir, name), "#!/bin/sh\n"+text+"\n", 0o755) }
			for _, name := range []string{"git", "make", "dpkg-query"} {
				program(name, "exit 0")
			}
			program("apt-cache", "echo '  Candidate: "+tt.policy+"'")
			program("sudo", `"$@"`)
			write(t, filepath.Join(dir, "go-of-apt"), "#!/bin/sh\n"+goCommand("go1.24.4", "go1.25.0")+"\n", 0o755)
			program("apt-get", `echo "$*" >>`+calls+`
case "$*" in *golang-go*) cp `+dir+`/go-of-apt `+dir+`/go ;; esac`)
			if tt.goText != "" {
				program("go", tt.goText)
			}
			out, err := output([]string{"PATH=" + dir, "GOTOOLCHAIN=auto"}, "scripts/need-tools")
			if (err != nil) != tt.fails || !strings.Contains(out, tt.says) || tt.fails && strings.Count(out, "\n") != 1 {
				t.Errorf("ended with %v and said %q, want failure %v and %q", err, out, tt.fails, tt.says)
			}
			called, _ := os.ReadFile(calls) // no file, no call
			if installs := strings.Contains(string(called), "install -y -qq --no-install-recommends golang-go"); installs != tt.installs {
				t.Errorf("called apt-get with %q; installs %v, want %v", called, installs, tt.installs)
			}
		})
	}
}
