package deb

import (
	"encoding/xml"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/test/level"
)

func TestMaintainerScriptsAreShellScripts(t *testing.T) {
	for _, name := range []string{"postinst", "prerm", "postrm"} {
		must(t, nil, "sh", "-n", "packaging/"+name)
		if out, err := output(nil, "sh", "packaging/"+name, "nonsense"); err == nil || !strings.Contains(out, "unknown argument 'nonsense'") {
			t.Errorf("%s nonsense: %v, %q", name, err, out)
		}
	}
}

// A rig that starts moves its platform: that is for a person to order.
func TestAnInstallationStartsAndEnablesNothing(t *testing.T) {
	dir := t.TempDir()
	calls := filepath.Join(dir, "calls")
	note := `echo "${0##*/} $*" >>` + calls
	fake := fakePath(t, map[string]string{"systemctl": note, "systemd-sysusers": note, "systemd-tmpfiles": note, "udevadm": note})
	must(t, []string{fake}, "sh", "packaging/postinst", "configure")
	must(t, []string{fake}, "sh", "packaging/prerm", "upgrade", "2")
	must(t, []string{fake}, "sh", "packaging/postrm", "upgrade", "2")
	data, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if !slices.Contains(lines, "systemd-sysusers rig.conf") || !slices.Contains(lines, "systemd-tmpfiles --create rig.conf") {
		t.Errorf("users and folders are not made: %q", lines)
	}
	for _, line := range lines {
		if args, ok := strings.CutPrefix(line, "systemctl "); ok && args != "daemon-reload" && args != "--quiet is-active rig.service" {
			t.Errorf("an installation or upgrade calls %s", line)
		}
	}
}

// tree returns the files below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestUninstallLeavesWhatUsersChanged(t *testing.T) {
	level.SkipIfQuick(t)
	dest, built := t.TempDir(), build(t, false)
	must(t, nil, "scripts/install", dest, "/usr/local", built)
	files := tree(t, dest)
	for _, want := range []string{
		"/usr/local/bin/rig", "/etc/systemd/system/rig.service", "/etc/systemd/user/rig.service", "/etc/udev/rules.d/70-rig.rules",
		"/etc/rig/rig.toml", "/usr/local/share/man/man1/rig.1.gz", "/usr/local/share/zsh/site-functions/_rig",
		"/usr/local/share/doc/driving-rig/docs/service.md",
	} {
		if !slices.Contains(files, want) {
			t.Errorf("make install leaves out %s", want)
		}
	}
	own := "car = \"hatch\"\n"
	write(t, filepath.Join(dest, "etc/rig/rig.toml"), own, 0o644)
	write(t, filepath.Join(dest, "var/lib/rig/profiles/g29.toml"), "", 0o644)
	must(t, nil, "scripts/install", dest, "/usr/local", built) // the next version
	if got, err := os.ReadFile(filepath.Join(dest, "etc/rig/rig.toml")); err != nil || string(got) != own {
		t.Errorf("make install replaced a changed configuration: %v, %q", err, got)
	}
	out := must(t, nil, "scripts/uninstall", dest, "/usr/local", "gone") // after make clean
	if !strings.Contains(out, "/etc/rig/rig.toml stays") {
		t.Errorf("make uninstall says %q", out)
	}
	if left, want := tree(t, dest), []string{"/etc/rig/rig.toml", "/var/lib/rig/profiles/g29.toml"}; !slices.Equal(left, want) {
		t.Errorf("make uninstall leaves %q, want %q", left, want)
	}
	if _, err := os.Stat(filepath.Join(dest, "usr/local/share/doc/driving-rig")); err == nil {
		t.Error("make uninstall leaves the folder of documents")
	}
}

func TestEveryModuleHasALicence(t *testing.T) {
	level.SkipIfQuick(t)
	need(t, "go")
	text := must(t, nil, "scripts/licences")
	for _, want := range []string{
		"Go standard library, go1.", "github.com/alecthomas/kong v", "glfw/LICENSE.md", "liberation v0.5.0: LICENSE-SIL",
		"Redistribution and use in source and binary forms",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the licences lack %q", want)
		}
	}
}

func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	free, bound := t.TempDir(), t.TempDir()
	write(t, filepath.Join(free, "LICENSE.txt"), "do what you like", 0o644)
	write(t, filepath.Join(bound, "testdata/LICENSE"), "of a test file", 0o644)
	fake := fakePath(t, map[string]string{"go": `case "$*" in
"env GOROOT") echo ` + free + ` ;;
list*) echo "example.org/free v1.0.0 ` + free + `"; [ -z "$BOUND" ] || echo "example.org/bound v1.2.3 $BOUND" ;;
esac`})
	write(t, filepath.Join(free, "LICENSE"), "of Go", 0o644)
	if text := must(t, []string{fake, "BOUND="}, "scripts/licences"); !strings.Contains(text, "do what you like") {
		t.Errorf("got %q", text)
	}
	if out, err := output([]string{fake, "BOUND=" + bound}, "scripts/licences"); err == nil || !strings.Contains(out, "example.org/bound v1.2.3 has no licence") {
		t.Errorf("a module without a licence: %v, %q", err, out)
	}
}

// A program without its own pages, as an old one, must not be packed with empty ones.
func TestPagesThatTheProgramLacksAreAnError(t *testing.T) {
	for _, missing := range []string{"man", "completion zsh"} {
		dir := t.TempDir()
		program := filepath.Join(dir, "rig")
		write(t, program, "#!/bin/sh\ncase \"$*\" in '"+missing+"') exit 2 ;; esac\necho page\n", 0o755)
		if out, err := output(nil, "scripts/share", program, filepath.Join(dir, "share")); err == nil || !strings.Contains(out, missing) {
			t.Errorf("no `rig %s`: %v, %q", missing, err, out)
		}
	}
}

func TestTheIconIsAPicture(t *testing.T) {
	data, err := os.ReadFile(root + "/packaging/driving-rig.svg")
	if err != nil {
		t.Fatal(err)
	}
	var picture struct {
		XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
	}
	if err := xml.Unmarshal(data, &picture); err != nil {
		t.Error(err)
	}
}

func TestTheDesktopEntryIsValid(t *testing.T) {
	need(t, "desktop-file-validate")
	if out := must(t, nil, "desktop-file-validate", "packaging/driving-rig.desktop"); out != "" {
		t.Error(out)
	}
}
