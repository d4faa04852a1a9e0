package main

import (
	"encoding/json"
	"strings"
	"testing"

	"rig.example/rig/test/level"
)

func TestBenchPrintsItsFigures(t *testing.T) {
	level.SkipIfQuick(t)
	var out, errs strings.Builder
	if code := realMain([]string{"bench", "--json", "--duration", "5s"}, strings.NewReader(""), &out, &errs); code != exitDone {
		t.Fatalf("status %d, %s", code, errs.String())
	}
	var r benchReport
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 3 || !(r.Tick.Nanoseconds > 0) || r.Loop.Ticks == 0 || r.Processors == 0 || r.Program.Target == "" || r.Verdict == "" {
		t.Errorf("%s", out.String())
	}
	var text strings.Builder
	r.print(&text)
	for _, want := range []string{"real time", "driver model", "triangles", "rays", "actuators", "wake lateness", r.Verdict} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the text:\n%s", want, text.String())
		}
	}
}

func TestBenchRefusesATimeTooShort(t *testing.T) {
	var out, errs strings.Builder
	if code := realMain([]string{"bench", "--duration", "1s"}, strings.NewReader(""), &out, &errs); code != exitUsage || !strings.Contains(errs.String(), "must be 5s to 10m") {
		t.Errorf("status %d, %q", code, errs.String())
	}
}
