package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/version"
)

func TestVersionIsOneLine(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"version"}, {"run", "--version", "--demo"}} {
		status, out, errs := rigCommand(t, args...)
		if status != exitDone || errs != "" || out != version.Current().String()+"\n" || !strings.HasPrefix(out, "rig ") || strings.Count(out, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", args, status, out, errs)
		}
	}
	if status, _, _ := rigCommand(t, "version", "1.2"); status != exitUsage {
		t.Errorf("an argument too many: status %d", status)
	}
}

func TestVersionForScripts(t *testing.T) {
	status, out, errs := rigCommand(t, "version", "--json")
	var got map[string]string
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone {
		t.Fatalf("%v, status %d: %s%s", err, status, out, errs)
	}
	want := version.Current()
	if len(got) != 3 || got["version"] != want.Version || got["commit"] != want.Commit || got["target"] != want.Target {
		t.Errorf("got %v, want %+v", got, want)
	}
	if !strings.HasPrefix(got["target"], runtime.GOOS+"/"+runtime.GOARCH+" ") || !strings.HasSuffix(got["target"], " "+runtime.Version()) {
		t.Errorf("target %q is not this program's", got["target"])
	}
}
