package deb

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// system is a clean Debian system in a folder. Commands run in it with mounts of their own, which end with them.
type system struct {
	t   *testing.T
	dir string
}

// clean unpacks a clean Debian system. It skips the test unless RIG_DEB names the folder with the packages of scripts/deb.
func clean(t *testing.T, release string) system {
	t.Helper()
	packages := os.Getenv("RIG_DEB")
	if packages == "" {
		t.Skip("runs with RIG_DEB, the folder of the packages: scripts/prove deb")
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root, to install packages in a system of its own")
	}
	need(t, "mmdebstrap", "unshare")
	args := []string{}
	if release != "" {
		args = append(args, release)
	}
	cmd := exec.Command("test/deb/root.sh", args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	archive, err := cmd.Output()
	if err != nil {
		t.Fatalf("root.sh: %v", err)
	}
	s := system{t, t.TempDir()}
	must(t, nil, "tar", "-xf", strings.TrimSpace(string(archive)), "-C", s.dir)
	if resolve, err := os.ReadFile("/etc/resolv.conf"); err == nil {
		write(t, filepath.Join(s.dir, "etc/resolv.conf"), string(resolve), 0o644)
	}
	return s
}

// try runs a shell command in the system and returns its output and status.
func (s system) try(command string) (string, int) {
	s.t.Helper()
	const enter = `mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$0" sh -c "$1"`
	cmd := exec.Command("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, s.dir, command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// run is try for commands that may not fail.
func (s system) run(command string) string {
	s.t.Helper()
	out, status := s.try(command)
	if status != 0 {
		s.t.Fatalf("%s: status %d\n%s", command, status, out)
	}
	return out
}

// demo runs a drive that must end well and print want.
func (s system) demo(command, want string) {
	s.t.Helper()
	if out := s.run(command); !strings.Contains(out, want) {
		s.t.Errorf("the demo printed %s", out)
	}
}

// put copies a file of this machine into the system's root folder, under a new name.
func (s system) put(path, name string) {
	s.t.Helper()
	must(s.t, nil, "cp", path, filepath.Join(s.dir, name))
}

// files returns the system's files and folders outside of what apt and dpkg keep for themselves.
func (s system) files() []string {
	s.t.Helper()
	out := must(s.t, nil, "find", s.dir, "-xdev", "(",
		"-path", s.dir+"/var/lib/dpkg", "-o", "-path", s.dir+"/var/lib/apt", "-o", "-path", s.dir+"/var/cache", "-o",
		"-path", s.dir+"/var/log", "-o", "-path", s.dir+"/run/systemd", "-o", "-path", s.dir+"/dev", "-o", "-path", s.dir+"/proc", ")", "-prune", "-o", "-printf", "/%P\n")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(lines)
	return lines
}

// built returns the package of an architecture that scripts/deb made.
func built(t *testing.T, arch string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv("RIG_DEB"), "driving-rig_*_"+arch+".deb"))
	if err != nil || len(found) != 1 {
		t.Fatalf("packages of %s: %q, %v; want one in %s", arch, found, err, os.Getenv("RIG_DEB"))
	}
	return found[0]
}

// newer repacks a package with a higher version and another default configuration.
func newer(t *testing.T, pkg string) string {
	t.Helper()
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "newer.deb")
	must(t, nil, "dpkg-deb", "-R", pkg, dir)
	must(t, nil, "sed", "-i", `/^Version: /s/$/.1/`, filepath.Join(dir, "DEBIAN/control"))
	must(t, nil, "sed", "-i", `$a # a later default`, filepath.Join(dir, "etc/rig/rig.toml"), filepath.Join(dir, "etc/security/limits.d/rig.conf"))
	must(t, nil, "dpkg-deb", "--root-owner-group", "-Znone", "-b", dir, out)
	return out
}

func TestThePackageInACleanSystem(t *testing.T) {
	s := clean(t, "")
	s.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd man-db >/dev/null") // what stays
	before := s.files()
	s.put(built(t, "amd64"), "rig.deb")
	t.Run("installed", func(t *testing.T) { installed(system{t, s.dir}) })
	if t.Failed() {
		return
	}
	t.Run("upgraded", func(t *testing.T) {
		s := system{t, s.dir}
		s.run("echo '# mine' >>/etc/rig/rig.toml")
		s.put(newer(t, built(t, "amd64")), "newer.deb")
		s.run("apt-get install -y -qq -o Dpkg::Options::=--force-confold /newer.deb >/dev/null")
		if text := s.run("cat /etc/rig/rig.toml /etc/security/limits.d/rig.conf"); !strings.Contains(text, "# mine") || strings.Count(text, "a later default") != 1 {
			t.Errorf("after an upgrade, with one file of two changed:\n%s", text)
		}
		s.run("rig --version")
	})
	t.Run("removed", func(t *testing.T) { removed(system{t, s.dir}, before) })
}

// installed installs the package and checks that what it brings works.
func installed(s system) {
	t := s.t
	s.run("apt-get install -y -qq --no-install-recommends /rig.deb >/dev/null")
	if out := s.run("rig --version && rig-headless --version"); strings.Count(out, "rig ") != 2 || !strings.Contains(out, "linux/amd64 v1") {
		t.Errorf("versions %q", out)
	}
	s.demo("rig-headless run --demo --headless --duration 2s --json", `"ticks":2000`)
	if out, status := s.try("rig check"); status > 1 || !strings.Contains(out, "real time") {
		t.Errorf("rig check: status %d, %s", status, out)
	}
	s.demo("mkdir -m 777 /tmp/driver && cd /tmp/driver && setpriv --reuid 4242 --regid 4242 --clear-groups env HOME=/tmp/driver rig run --demo --headless --duration 1s --json; status=$?; rm -r /tmp/driver; exit $status", `"ticks":1000`)
	if missing := s.run("ldd /usr/bin/rig"); strings.Contains(missing, "not found") {
		t.Errorf("libraries are missing:\n%s", missing)
	}
	if out, status := s.try("ldd /usr/bin/rig-headless"); status == 0 {
		t.Errorf("rig-headless is not static: %s", out)
	}
	s.run("man -w rig && man -w rig-headless && man rig | grep -q rig")
	s.run("systemd-analyze verify --man=yes /usr/lib/systemd/system/rig.service")
	s.run("bash -n /usr/share/bash-completion/completions/rig")
	if state, _ := s.try("systemctl is-enabled rig.service"); strings.TrimSpace(state) != "disabled" {
		t.Errorf("the service is %q after an installation, want disabled", state)
	}
	if state, _ := s.try("systemctl --global is-enabled rig.service"); strings.TrimSpace(state) != "static" {
		t.Errorf("the user's service is %q, want static: it cannot be enabled", state)
	}
	for _, path := range []string{"/usr/bin/rig", "/etc/rig/rig.toml", "/usr/lib/udev/rules.d/70-rig.rules"} {
		if owner := s.run("dpkg-query -S " + path); !strings.HasPrefix(owner, "driving-rig: ") {
			t.Errorf("%s belongs to %s", path, owner)
		}
	}
	if out := s.run("id -nG rig && stat -c '%U %a' /var/lib/rig/profiles && dpkg --verify driving-rig"); out != "rig dialout input realtime\nrig 755\n" {
		t.Errorf("groups of the user rig, owner and mode of the profiles, changed files: %q", out)
	}
}

// removed removes and purges the package, and checks that only what users have is left.
func removed(s system, before []string) {
	t := s.t
	s.run("systemctl enable rig.service 2>/dev/null && echo profile >/var/lib/rig/profiles/g29.toml")
	s.run("apt-get remove -y -qq driving-rig >/dev/null")
	s.run("grep -q '# mine' /etc/rig/rig.toml && test ! -e /usr/bin/rig && test ! -e /etc/systemd/system/multi-user.target.wants/rig.service")
	s.run("apt-get purge -y -qq driving-rig >/dev/null && apt-get autoremove --purge -y -qq >/dev/null && rm /rig.deb /newer.deb")
	allowed := []string{"/var/lib/rig", "/var/lib/rig/profiles", "/var/lib/rig/profiles/g29.toml"}
	for _, path := range s.files() {
		if _, found := slices.BinarySearch(before, path); !found && !slices.Contains(allowed, path) && !strings.HasPrefix(path, "/tmp/") {
			t.Errorf("a purge leaves %s", path)
		}
	}
	s.run("test -e /var/lib/rig/profiles/g29.toml")
}

func TestLintianFindsNothing(t *testing.T) {
	if os.Getenv("RIG_DEB") == "" {
		t.Skip("runs with RIG_DEB")
	}
	need(t, "lintian")
	for _, arch := range []string{"amd64", "arm64"} {
		if out, err := output(nil, "lintian", "--allow-root", "--fail-on", "error,warning", built(t, arch)); err != nil {
			t.Errorf("%s: %v\n%s", arch, err, out)
		}
	}
}

// The program for ARM runs on an emulated processor.
func TestTheProgramForARM(t *testing.T) {
	if os.Getenv("RIG_DEB") == "" {
		t.Skip("runs with RIG_DEB")
	}
	need(t, "qemu-aarch64-static")
	dir := t.TempDir()
	must(t, nil, "dpkg-deb", "-x", built(t, "arm64"), dir)
	program := filepath.Join(dir, "usr/bin/rig")
	if out := must(t, nil, "qemu-aarch64-static", program, "--version"); !strings.Contains(out, "linux/arm64") {
		t.Errorf("version %q", out)
	}
	out := must(t, nil, "qemu-aarch64-static", program, "maneuver", "brake")
	if !strings.Contains(out, "brake_100_0_m") {
		t.Errorf("a manoeuvre printed %s", out)
	}
	t.Run("demo", func(t *testing.T) {
		env := []string{"HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
		out, err := output(env, "qemu-aarch64-static", program, "run", "--demo", "--headless", "--duration", "1s", "--json")
		if err != nil || !strings.Contains(out, `"ticks":1000`) {
			t.Errorf("%v, the demo printed %s", err, out)
		}
	})
}

// Debian 12 has Go 1.19, which is too old; Debian 13 has one that fetches what go.mod names.
func TestGoInCleanSystems(t *testing.T) {
	for release, says := range map[string]string{"bookworm": "here is none, and apt has 2:1.19", "trixie": ""} {
		t.Run(release, func(t *testing.T) {
			s := clean(t, release)
			s.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends git make ca-certificates >/dev/null")
			for _, name := range []string{"scripts", "go.mod"} {
				must(t, nil, "cp", "-r", name, filepath.Join(s.dir, name))
			}
			certificates := "/etc/ssl/certs/ca-certificates.crt" // this machine may reach the proxy by an authority of its own
			if own := os.Getenv("SSL_CERT_FILE"); own != "" {
				certificates = own
			}
			s.put(certificates, "etc/ssl/certs/ca-certificates.crt")
			proxy := must(t, nil, "go", "env", "GOPROXY", "GONOSUMDB", "GOSUMDB", "GOFLAGS")
			v := strings.Split(proxy, "\n")
			out, status := s.try("export GOPROXY='" + v[0] + "' GONOSUMDB='" + v[1] + "' GOSUMDB='" + v[2] + "' GOFLAGS='" + v[3] + "'; /scripts/need-tools && cd / && go env GOVERSION")
			if says == "" && (status != 0 || !strings.Contains(out, "go1.2")) {
				t.Errorf("status %d, %s", status, out)
			}
			if says != "" && (status != 1 || !strings.Contains(out, says)) {
				t.Errorf("status %d, %s, want %s", status, out, says)
			}
		})
	}
}

func TestTheSameCommitMakesTheSamePackages(t *testing.T) {
	packages := os.Getenv("RIG_DEB")
	if packages == "" {
		t.Skip("runs with RIG_DEB")
	}
	if strings.Contains(built(t, "amd64"), "+dirty") {
		t.Skip("the tree had changes when the packages were built")
	}
	clone, out := filepath.Join(t.TempDir(), "elsewhere"), t.TempDir()
	must(t, nil, "git", "clone", "-q", ".", clone)
	must(t, nil, filepath.Join(clone, "scripts/deb"), out)
	must(t, nil, "diff", "-r", packages, out)
}
