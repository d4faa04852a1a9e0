package main

import (
	"os"
	"strings"
	"testing"

	"rig.example/rig/internal/core/framepage"
)

// A window maps what it inherits before it looks for a screen: with the other cars of a session as descriptor 5, or not at all.
func TestAWindowInheritsTheOthersOfASession(t *testing.T) {
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	o, err := framepage.NewOthers()
	if err != nil {
		t.Fatal(err)
	}
	p.ShareOthers(o)
	files := p.Files()
	for _, tt := range []struct {
		name  string
		files []*os.File
		args  []string
		want  string
	}{
		{"a session", files, []string{"--others"}, "no DISPLAY"},
		{"none", files[:2], nil, "no DISPLAY"},
		{"the page in place of the others", []*os.File{files[0], files[1], files[0]}, []string{"--others"}, "not the memory of other cars"},
	} {
		cmd := rigProcess(append([]string{"display", "--inherited"}, tt.args...)...)
		cmd.ExtraFiles = tt.files
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %v, %q, want %q", tt.name, err, out, tt.want)
		}
	}
}
