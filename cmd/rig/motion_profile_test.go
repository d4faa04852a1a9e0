package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// A tuning is saved from the configuration or from a running rig, used by a car, listed, and applied to its drives.
func TestSavedTunings(t *testing.T) {
	level.SkipIfQuick(t)
	conf := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(conf, []byte(fmt.Sprintf("profiles_dir = %q\ncar = \"hatch\"\n[tuning]\nsurge = 0.5\n", t.TempDir())), 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(t.TempDir(), "page")
	profile := func(args ...string) (out, errs string) {
		t.Helper()
		return done(t, append(append([]string{"motion", "profile"}, args...), "--config", conf)...)
	}
	if out, _ := profile("list"); !strings.Contains(out, "no saved tunings") {
		t.Errorf("nothing saved: %q", out)
	}
	if out, _ := profile("save", "soft", "--page", none); !strings.Contains(out, "saved the tuning of the configuration: ") {
		t.Errorf("save: %q", out)
	}
	p, socket := publish(t)
	f := frame.Frame{}
	for i := range f.Motion.Tuning {
		f.Motion.Tuning[i] = 1
	}
	f.Motion.Tuning[0] = 0.25
	p.Publish(&f)
	if out, _ := profile("save", "quick", "--page", socket); !strings.Contains(out, "saved the tuning of the running rig: ") {
		t.Errorf("save of a running rig: %q", out)
	}
	profile("use", "soft")
	profile("use", "quick", "--car", "hatch")
	out, _ := profile("list", "--json")
	var list []savedTuning
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 2 || list[0].Name != "quick" || !slices.Equal(list[0].Cars, []string{"hatch"}) ||
		!slices.Equal(list[0].Factors, []string{"[tuning]", "gain = 0.25"}) || !slices.Equal(list[1].Cars, []string{""}) {
		t.Errorf("%v: %+v", err, list)
	}
	if out, _ := profile("list"); !strings.Contains(out, "quick [hatch]: gain = 0.25\n") || !strings.Contains(out, "soft [all other cars]: surge = 0.5\n") {
		t.Errorf("list: %q", out)
	}
	_, errs := done(t, "run", "--demo", "--headless", "--duration", "100ms", "--config", conf, "--page", socketPath(t))
	if !strings.Contains(errs, "motion tuned by the profile quick") {
		t.Errorf("a drive says\n%s", errs)
	}
	if status, _, errs := rigCommand(t, "motion", "profile", "use", "other", "--config", conf); status == exitDone || !strings.Contains(errs, "not found; choose quick, soft") {
		t.Errorf("a tuning that there is not: status %d, %q", status, errs)
	}
}
