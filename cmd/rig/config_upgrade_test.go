package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeFiles writes files into a new folder, which becomes the working folder.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
}

// mustRead returns the text of a file.
func mustRead(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const oldRig = "# mine\ncar = \"c.toml\"\n[wheel]\nshift_up_button = \"BTN_4\" # right paddle\n"

func TestConfigUpgrade(t *testing.T) {
	const oldCar, newCar = "base = \"coupe\"\n[front.tire]\nfriction = 1.1 # hot\n", "base = \"coupe\"\n[front.tire]\nbrush.friction = 1.1 # hot\n"
	writeFiles(t, map[string]string{"real.toml": oldRig, "c.toml": oldCar, "rig.toml.before": "an earlier one"})
	if err := os.Symlink("real.toml", "rig.toml"); err != nil {
		t.Fatal(err)
	}
	status, _, errs := rigCommand(t, "check", "--config", "rig.toml")
	if status != exitUsage || !strings.Contains(errs, "run `rig config upgrade`") {
		t.Errorf("check: status %d, %s", status, errs)
	}
	status, out, errs := rigCommand(t, "config", "upgrade", "--config", "rig.toml", "--dry-run")
	if status != exitFailed || !strings.Contains(errs, "keys of earlier versions in 2 of 2 files") || mustRead(t, "real.toml") != oldRig || mustRead(t, "c.toml") != oldCar {
		t.Errorf("dry run: status %d, %s", status, errs)
	}
	for _, line := range []string{"@@ -3,2 +3,4 @@\n", "-shift_up_button = \"BTN_4\" # right paddle\n", "+[buttons]\n", "+shift_up = \"BTN_4\" # right paddle\n", "+brush.friction = 1.1 # hot\n"} {
		if !strings.Contains(out, line) {
			t.Errorf("the changes lack %q:\n%s", line, out)
		}
	}
	if status, _, errs = rigCommand(t, "config", "upgrade", "--config", "rig.toml"); status != exitDone {
		t.Fatalf("status %d, %s", status, errs)
	}
	if got := mustRead(t, "real.toml"); got != "# mine\ncar = \"c.toml\"\n[wheel]\n\n[buttons]\nshift_up = \"BTN_4\" # right paddle\n" {
		t.Errorf("the configuration is\n%s", got)
	}
	if info, err := os.Lstat("rig.toml"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if info, err := os.Stat("real.toml"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its rights are %v", info.Mode())
	}
	if mustRead(t, "real.toml.before") != oldRig || mustRead(t, "c.toml.before") != oldCar || mustRead(t, "c.toml") != newCar {
		t.Error("the files as they were are not kept, or the car is not upgraded")
	}
	status, out, _ = rigCommand(t, "config", "upgrade", "--config", "rig.toml", "--dry-run")
	if status != exitDone || strings.Count(out, "no keys of earlier versions") != 2 {
		t.Errorf("afterwards: status %d, %s", status, out)
	}
	if status, _, errs = rigCommand(t, "devices", "--config", "rig.toml", "--json"); status != exitDone {
		t.Errorf("it does not load: %s", errs)
	}
}

func TestConfigUpgradeReplacesNoEarlierCopy(t *testing.T) {
	writeFiles(t, map[string]string{"rig.toml": "[seat]\nstroke_m = 0.1\n", "rig.toml.before": "first", "rig.toml.before-2": "second"})
	if status, _, errs := rigCommand(t, "config", "upgrade", "--config", "rig.toml"); status != exitDone {
		t.Fatal(errs)
	}
	if mustRead(t, "rig.toml.before") != "first" || mustRead(t, "rig.toml.before-2") != "second" || mustRead(t, "rig.toml.before-3") != "[seat]\nstroke_m = 0.1\n" {
		t.Error("an earlier copy was replaced")
	}
}

// A file that would not load afterwards stays as it is, and so do the others.
func TestConfigUpgradeProvesTheResult(t *testing.T) {
	writeFiles(t, map[string]string{"rig.toml": oldRig + "[ffb]\nfoo = 1\n", "c.toml": "[front.tire]\nfriction = 1\n"})
	status, _, errs := rigCommand(t, "config", "upgrade", "--config", "rig.toml")
	if status != exitUsage || !strings.Contains(errs, "nothing was changed") || !strings.Contains(errs, `unknown key "ffb.foo"`) {
		t.Errorf("status %d, %s", status, errs)
	}
	if mustRead(t, "c.toml") != "[front.tire]\nfriction = 1\n" {
		t.Error("the car was upgraded")
	}
	if left, _ := filepath.Glob("*.before*"); len(left) > 0 {
		t.Errorf("there are copies: %v", left)
	}
}

func TestConfigUpgradeOfSingleFiles(t *testing.T) {
	writeFiles(t, map[string]string{"a.toml": "[rear.tire]\nfriction = 1\n", "b.toml": "title = \"b\"\n", "rig.toml": ""})
	status, out, errs := rigCommand(t, "config", "upgrade", "--config", "rig.toml", "--car", "a.toml", "--track", "b.toml")
	if status != exitDone || mustRead(t, "a.toml") != "[rear.tire]\nbrush.friction = 1\n" || strings.Count(out, "no keys of earlier versions") != 2 {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	for _, missing := range [][]string{{"--config", "none.toml"}, {"--config", "rig.toml", "--car", "none.toml"}} {
		if status, _, errs := rigCommand(t, append([]string{"config", "upgrade"}, missing...)...); status != exitUsage || !strings.Contains(errs, "none.toml: cannot be read") {
			t.Errorf("%v: status %d, %s", missing, status, errs)
		}
	}
}

// The platform's file is upgraded too, and the files come in the same order each time.
func TestConfigUpgradeOfAllNamedFiles(t *testing.T) {
	files := map[string]string{
		"rig.toml": "platform = \"p.toml\"\ntrack = \"t.toml\"\ncar = \"c.toml\"\n",
		"c.toml":   "", "t.toml": "", "c2.toml": "", "t2.toml": "", "p.toml": "[cueing]\nroll_gain = 0.5 # soft\n",
	}
	for range 8 { // a map would hardly give the same order as often
		writeFiles(t, files)
		status, out, errs := rigCommand(t, "config", "upgrade", "--config", "rig.toml", "--track", "t2.toml", "--car", "c2.toml")
		if status != exitDone {
			t.Fatalf("status %d, %s", status, errs)
		}
		last := 0
		for _, name := range []string{"/rig.toml: no", "/c.toml: no", "/t.toml: no", "/p.toml (upgraded)", "/c2.toml: no", "/t2.toml: no", "/p.toml: upgraded"} {
			at := strings.Index(out, name)
			if at < last {
				t.Fatalf("%s is not there, or too early:\n%s", name, out)
			}
			last = at
		}
	}
	if got := mustRead(t, "p.toml"); got != "[cueing]\ndirect.roll_gain = 0.5 # soft\n" {
		t.Errorf("the platform is\n%s", got)
	}
}
