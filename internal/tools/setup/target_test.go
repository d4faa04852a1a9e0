package setup

import (
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A file that `rig run` takes instead, or took so far, is named, with the command that drives with the new one.
func TestAnotherFileThatMattersIsNamed(t *testing.T) {
	const place = "rig/rig.toml"
	tests := []struct {
		name      string
		here, own bool
		config    string
		note, run string // parts of them; HOME and HERE stand for the folders
	}{
		{"a first file", false, false, "", "", "rig run"},
		{"one that exists", false, true, "", "", "rig run"},
		{"one in the working folder", true, false, "", "takes HERE/rig.toml instead of it", "rig run --config HOME/" + place},
		{"a named one elsewhere", true, true, "other.toml", "", "rig run --config HERE/other.toml"},
		{"that of the working folder, named", true, true, "rig.toml", "", "rig run"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home, here := t.TempDir(), t.TempDir()
			t.Chdir(here)
			for path, exists := range map[string]bool{filepath.Join(here, "rig.toml"): tt.here, filepath.Join(home, place): tt.own} {
				if !exists {
					continue
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := findTarget(tt.config, func(key string) string { return map[string]string{"XDG_CONFIG_HOME": home}[key] }, 1000)
			fill := strings.NewReplacer("HOME", home, "HERE", here).Replace
			if err != nil || !strings.Contains(got.note, fill(tt.note)) || tt.note == "" && got.note != "" || got.run != fill(tt.run) {
				t.Errorf("%v: note %q, run %q", err, got.note, got.run)
			}
		})
	}
}

func TestRootWritesTheFileOfTheService(t *testing.T) {
	if _, err := os.Stat("/etc/rig"); err == nil {
		t.Skip("this machine has a configuration of its own")
	}
	got, err := findTarget("", func(string) string { return "" }, 0)
	if got.path != "/etc/rig/rig.toml" || !got.ofService || os.Geteuid() == 0 && err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAFileThatCannotBeWrittenIsRefusedFirst(t *testing.T) {
	for _, path := range []string{"/dev/null/rig.toml", "/dev/null/a/rig.toml", t.TempDir()} {
		if _, err := findTarget(path, os.Getenv, 1000); err == nil {
			t.Errorf("%s would be written", path)
		}
	}
}

// A link stays a link, and the file behind it is replaced.
func TestALinkIsFollowed(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.toml"), filepath.Join(dir, "b.toml")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.toml", link); err != nil {
		t.Fatal(err)
	}
	previous, err := target{path: link}.write([]byte("new"))
	now, _ := os.ReadFile(file)
	before, _ := os.ReadFile(previous)
	if to, linkErr := os.Readlink(link); err != nil || linkErr != nil || to != "a.toml" || string(now) != "new" || string(before) != "old" {
		t.Errorf("%v, %v: a link to %q, now %q, before %q in %s", err, linkErr, to, now, before, previous)
	}
}

// The beginning of a monitor's description: 52 by 32 cm, and the first detailed timing, which says 518 by 324 mm.
const (
	edidHead   = "00ffffffffffff0010ac7ba04c4b53311a160103803420"
	edidTiming = "283c80a070b023403020360006442100001a"
)

func TestMonitorsTellTheirSize(t *testing.T) {
	head, err := hex.DecodeString(edidHead)
	if err != nil {
		t.Fatal(err)
	}
	timing, err := hex.DecodeString(edidTiming)
	if err != nil {
		t.Fatal(err)
	}
	full := make([]byte, 128)
	copy(full, head)
	copy(full[54:], timing)
	withoutTiming := append([]byte(nil), full...)
	clear(withoutTiming[54:])
	folder := t.TempDir()
	for name, files := range map[string][2]string{
		"card0-DP-1":     {"connected\n", string(full)},
		"card0-HDMI-A-1": {"disconnected\n", string(full)},
		"card0-DVI-D-1":  {"connected\n", string(withoutTiming)},
		"card1-Virtual":  {"connected\n", ""},
	} {
		for i, file := range []string{"status", "edid"} {
			path := filepath.Join(folder, name, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(files[i]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := map[string][2]float64{"DP-1": {0.518, 0.324}, "DVI-D-1": {0.52, 0.32}, "Virtual": {}}
	got := monitors(folder)
	for _, m := range got {
		if w, ok := want[m.Name]; !ok || math.Abs(m.Width-w[0])+math.Abs(m.Height-w[1]) > 1e-9 {
			t.Errorf("%+v, want %v", m, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d monitors, want %d", len(got), len(want))
	}
}

func TestPresetsNeedOneOrThreeEqualMonitors(t *testing.T) {
	a, b := Monitor{"a", 0.6, 0.34}, Monitor{"b", 0.5, 0.3}
	for _, tt := range []struct {
		list []Monitor
		want string
	}{{nil, ""}, {[]Monitor{a}, "single"}, {[]Monitor{a, a}, ""}, {[]Monitor{a, a, a}, "triple"}, {[]Monitor{a, b, a}, ""}, {[]Monitor{{Name: "c"}}, ""}} {
		if got := presetOf(tt.list); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.list, got, tt.want)
		}
	}
}

// The file that root replaces stays that of its user, and so does the one before.
func TestTheOwnerStays(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can write the files of others and keep their owner")
	}
	const owner = 12345
	path := filepath.Join(t.TempDir(), "rig.toml")
	if err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chown(path, owner, owner)); err != nil {
		t.Fatal(err)
	}
	previous, err := target{path: path}.write([]byte("new"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, previous} {
		var st unix.Stat_t
		if err := unix.Stat(file, &st); err != nil || st.Uid != owner || st.Gid != owner || st.Mode&0o777 != 0o600 {
			t.Errorf("%s: %v, owner %d:%d, mode %o", file, err, st.Uid, st.Gid, st.Mode)
		}
	}
}
