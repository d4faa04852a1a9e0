package systemd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// exposure returns what `systemd-analyze security` says of rig.service, from 0 to 10, with the drop-ins of rig.service.d or
// without.
func exposure(t *testing.T, dropIns bool) (float64, string) {
	t.Helper()
	tool := need(t, "systemd-analyze")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rig.service"), []byte(content(t, "rig.service")), 0o644); err != nil {
		t.Fatal(err)
	}
	if dropIns {
		if err := os.CopyFS(filepath.Join(dir, "rig.service.d"), os.DirFS("rig.service.d")); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(tool, "security", "--offline=true", "--no-pager", filepath.Join(dir, "rig.service")).CombinedOutput()
	level := regexp.MustCompile(`Overall exposure level for rig.service: ([0-9.]+)`).FindSubmatch(out)
	if level == nil {
		t.Skipf("systemd-analyze has no security --offline before systemd 250: %v\n%s", err, out)
	}
	value, err := strconv.ParseFloat(string(level[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return value, string(out)
}

func TestServiceIsConfined(t *testing.T) {
	for _, tt := range []struct {
		name    string
		dropIns bool
		most    float64
	}{
		{"alone", false, 1.0},
		{"with the network", true, 1.8},
	} {
		level, report := exposure(t, tt.dropIns)
		if level > tt.most {
			t.Errorf("%s: exposure %g, at most %g is allowed\n%s", tt.name, level, tt.most, report)
		}
		t.Logf("%s: exposure %g", tt.name, level)
	}
	alone, _ := exposure(t, false)
	if open, _ := exposure(t, true); open <= alone {
		t.Errorf("exposure %g with network.conf, %g without: it opens nothing", open, alone)
	}
}
