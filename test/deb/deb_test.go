package deb

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// root is the folder of the module.
const root = "../.."

// need skips the test unless the tools are installed.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed here", tool)
		}
	}
}

// output runs a command in the module's folder with more variables, NAME=VALUE, and returns what it prints and its error.
func output(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must is output for commands that may not fail.
func must(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	out, err := output(env, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// write writes a file, and its folders.
func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// build returns the folder of a build with programs that are text, as packaging/files and packaging/pack want it.
func build(t *testing.T, windowless bool) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "rig"), "#!/bin/sh\n", 0o755)
	if windowless {
		write(t, filepath.Join(dir, "rig-headless"), "#!/bin/sh\n", 0o755)
		write(t, filepath.Join(dir, "share/rig-headless.1.gz"), "page", 0o600)
		write(t, filepath.Join(dir, "libraries"), "libc6 (>= 2.34)\nlibgl1\n", 0o600)
	}
	for _, name := range []string{"rig.1.gz", "rig.bash", "_rig", "rig.fish", "THIRD-PARTY-LICENCES.gz"} {
		write(t, filepath.Join(dir, "share", name), name, 0o600)
	}
	return dir
}

// pack packs a build and returns the package's path.
func pack(t *testing.T, env []string, build, arch string) string {
	t.Helper()
	out := t.TempDir()
	must(t, env, "packaging/pack", build, arch, out)
	found, err := filepath.Glob(filepath.Join(out, "driving-rig_*_"+arch+".deb"))
	if err != nil || len(found) != 1 {
		t.Fatalf("packages %q, %v; want one", found, err)
	}
	return found[0]
}

func TestTheSameBuildMakesTheSamePackage(t *testing.T) {
	level.SkipIfQuick(t)
	need(t, "dpkg-deb", "git")
	one := build(t, true)
	const epoch = "SOURCE_DATE_EPOCH=4102444800" // later than now, because dpkg-deb lowers later times by itself
	first := pack(t, []string{epoch, "TZ=UTC"}, one, "amd64")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(one, "rig"), later, later); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(one, "share/rig.bash"), 0o664); err != nil {
		t.Fatal(err)
	}
	second := pack(t, []string{epoch, "TZ=Asia/Tokyo", "LC_ALL=C.UTF-8"}, one, "amd64")
	a, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) || filepath.Base(first) != filepath.Base(second) {
		t.Errorf("%s and %s differ", first, second)
	}
}

// members returns the files of a package, with mode and owner of each.
func members(t *testing.T, pkg string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for line := range strings.Lines(must(t, nil, "dpkg-deb", "-c", pkg)) {
		if f := strings.Fields(line); !strings.HasPrefix(line, "d") {
			files[strings.TrimPrefix(f[5], ".")] = f[0] + " " + f[1]
		}
	}
	return files
}

// packages are packed once for all tests that only read them: with a window for amd64, without for arm64.
var packages = map[string]string{}

// shared returns the package of an architecture in packages.
func shared(t *testing.T, arch string) string {
	t.Helper()
	need(t, "dpkg-deb", "git")
	if packages[arch] == "" {
		data, err := os.ReadFile(pack(t, nil, build(t, arch == "amd64"), arch))
		if err != nil {
			t.Fatal(err)
		}
		packages[arch] = string(data)
	}
	path := filepath.Join(t.TempDir(), arch+".deb")
	write(t, path, packages[arch], 0o644)
	return path
}

func TestPackagesHaveTheirFiles(t *testing.T) {
	level.SkipIfQuick(t)
	for arch, windowless := range map[string]bool{"amd64": true, "arm64": false} {
		files := members(t, shared(t, arch))
		for path, mode := range files {
			want := "-rw-r--r-- root/root"
			if strings.HasPrefix(path, "/usr/bin/") {
				want = "-rwxr-xr-x root/root"
			}
			if mode != want {
				t.Errorf("%s: %s is %s, want %s", arch, path, mode, want)
			}
		}
		for _, want := range []string{
			"/usr/bin/rig", "/etc/rig/rig.toml", "/etc/security/limits.d/rig.conf",
			"/usr/lib/systemd/system/rig.service", "/usr/lib/systemd/user/rig.service", "/usr/lib/udev/rules.d/70-rig.rules",
			"/usr/lib/sysusers.d/rig.conf", "/usr/lib/tmpfiles.d/rig.conf", "/usr/share/man/man1/rig.1.gz",
			"/usr/share/bash-completion/completions/rig", "/usr/share/zsh/vendor-completions/_rig",
			"/usr/share/fish/vendor_completions.d/rig.fish", "/usr/share/applications/driving-rig.desktop",
			"/usr/share/icons/hicolor/scalable/apps/driving-rig.svg",
			"/usr/share/doc/driving-rig/copyright", "/usr/share/doc/driving-rig/THIRD-PARTY-LICENCES.gz",
			"/usr/share/doc/driving-rig/changelog.gz", "/usr/share/doc/driving-rig/README.md",
			"/usr/share/doc/driving-rig/docs/service.md", "/usr/share/doc/driving-rig/docs/reference/rig.md",
			"/usr/share/doc/driving-rig/examples/cars/coupe.toml", "/usr/share/doc/driving-rig/examples/circuits/club.toml",
			"/usr/share/doc/driving-rig/examples/platforms/sfx100-4.toml", "/usr/share/doc/driving-rig/examples/wheels/belt.toml",
			"/usr/share/doc/driving-rig/examples/rig.service.d/network.conf",
		} {
			if files[want] == "" {
				t.Errorf("%s: no %s", arch, want)
			}
		}
		if has := files["/usr/bin/rig-headless"] != ""; has != windowless {
			t.Errorf("%s: rig-headless: %v, want %v", arch, has, windowless)
		}
	}
}

func TestThePackageSaysWhatItNeeds(t *testing.T) {
	level.SkipIfQuick(t)
	const ofSystem = "systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles"
	window, none := shared(t, "amd64"), shared(t, "arm64")
	if got, want := must(t, nil, "dpkg-deb", "-f", window, "Depends"), "libc6 (>= 2.34), libgl1, "+ofSystem+"\n"; got != want {
		t.Errorf("with a window: %q, want %q", got, want)
	}
	if got := must(t, nil, "dpkg-deb", "-f", none, "Depends"); got != ofSystem+"\n" {
		t.Errorf("without a window: %q, want %q", got, ofSystem)
	}
	control := t.TempDir()
	must(t, nil, "dpkg-deb", "-e", window, control)
	conffiles, err := os.ReadFile(filepath.Join(control, "conffiles"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(conffiles), "/etc/rig/rig.toml\n/etc/security/limits.d/rig.conf\n"; got != want {
		t.Errorf("configuration files %q, want %q", got, want)
	}
	unit := t.TempDir()
	must(t, nil, "dpkg-deb", "-x", window, unit)
	for _, kind := range []string{"system", "user"} {
		text, err := os.ReadFile(filepath.Join(unit, "usr/lib/systemd", kind, "rig.service"))
		if err != nil || !bytes.Contains(text, []byte("ExecStart=/usr/bin/rig run")) || bytes.Contains(text, []byte("/usr/local")) {
			t.Errorf("the %s unit does not start /usr/bin/rig, or names another: %v", kind, err)
		}
	}
}

// Debian's Rig makes up names of people, and has the same program.
func TestThePackageKeepsAwayFromTheOtherRig(t *testing.T) {
	level.SkipIfQuick(t)
	pkg := shared(t, "arm64")
	if got := must(t, nil, "dpkg-deb", "-f", pkg, "Package", "Conflicts"); got != "Package: driving-rig\nConflicts: rig\n" {
		t.Errorf("got %q", got)
	}
}

func TestVersionsAreInDebiansOrder(t *testing.T) {
	level.SkipIfQuick(t)
	need(t, "dpkg-deb", "git")
	one := build(t, false)
	fake := fakePath(t, map[string]string{"git": `case $1 in
describe) [ -z "$DESCRIBE" ] || echo "$DESCRIBE"; [ -n "$DESCRIBE" ] ;;
rev-parse) [ "$2" = --show-toplevel ] && pwd || echo 0123456789ab ;;
log) echo 1700000000 ;;
status) printf '%s' "$CHANGES" ;;
esac`})
	last := ""
	for _, tt := range []struct{ describe, changes, want string }{
		{"", "", "0~20231114.221320.0123456789ab"},
		{"", " M x", "0~20231114.221320.0123456789ab+dirty"},
		{"v1.2.0-rc1", "", "1.2.0~rc1"},
		{"v1.2.0", "", "1.2.0"},
		{"v1.2.0-14-g0123456", "", "1.2.0+14.g0123456"},
		{"v1.2.1", "", "1.2.1"},
	} {
		pkg := pack(t, []string{fake, "DESCRIBE=" + tt.describe, "CHANGES=" + tt.changes}, one, "arm64")
		got := strings.TrimSpace(must(t, nil, "dpkg-deb", "-f", pkg, "Version"))
		if got != tt.want {
			t.Errorf("%s: version %s, want %s", tt.describe, got, tt.want)
		}
		if last != "" {
			if _, err := output(nil, "dpkg", "--compare-versions", last, "lt", got); err != nil {
				t.Errorf("%s is not before %s", last, got)
			}
		}
		last = got
	}
}

// fakePath returns a PATH that finds programs of the test first. Each is a name and the text of a shell script.
func fakePath(t *testing.T, programs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range programs {
		write(t, filepath.Join(dir, name), "#!/bin/sh\n"+text+"\n", 0o755)
	}
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}
