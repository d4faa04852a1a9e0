package deb

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// testUnit runs the test of test/deb/service as the guest's only job, and ends the machine.
const testUnit = `[Unit]
After=basic.target
[Service]
Type=oneshot
Environment=RIG_SERVICE_TEST=1 HOME=/root
ExecStart=/bin/sh -c '/service.test -test.v >/dev/ttyS1 2>&1; echo "status $?" >/dev/ttyS1; poweroff -ff'
[Install]
WantedBy=multi-user.target
`

// TestTheServiceUnderSystemd boots a clean Debian system that has the package installed, with Debian's kernel from
// test/vm/kernel.sh, and runs the service there. Its clock counts instructions, so a busy host changes nothing.
func TestTheServiceUnderSystemd(t *testing.T) {
	s := clean(t, "")
	need(t, "cpio", "qemu-system-x86_64")
	s.put(built(t, "amd64"), "rig.deb")
	s.run(`apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd-sysv udev kmod /rig.deb >/dev/null &&
rm -rf /rig.deb /var/lib/apt/lists /var/cache/apt /usr/share/doc /usr/share/locale /usr/share/man`)
	kernel := s.kernel()
	must(t, []string{"CGO_ENABLED=0"}, "go", "test", "-c", "-o", filepath.Join(s.dir, "service.test"), "./test/deb/service")
	write(t, filepath.Join(s.dir, "etc/systemd/system/rig-test.service"), testUnit, 0o644)
	s.run("systemctl enable rig-test.service 2>/dev/null && ln -s /lib/systemd/systemd /init")
	dir := t.TempDir()
	initrd := filepath.Join(dir, "initrd")
	must(t, nil, "sh", "-c", `cd "$0" && find . -xdev -print0 | cpio --null -o -H newc --quiet >"$1"`, s.dir, initrd)
	out := boot(t, dir, kernel, initrd)
	t.Log(out)
	if !strings.HasSuffix(out, "status 0\r\n") && !strings.HasSuffix(out, "status 0\n") {
		t.Error("the test in the machine failed")
	}
}

// kernel gives the system the modules of the kernel in the cache of test/vm, and returns the kernel's path.
func (s system) kernel() string {
	s.t.Helper()
	cache := os.Getenv("RIG_VM_CACHE")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			s.t.Fatal(err)
		}
		cache = filepath.Join(home, ".cache/rig/vm")
	}
	kernel := filepath.Join(cache, "std/vmlinux")
	image, err := os.ReadFile(kernel)
	if err != nil {
		s.t.Skipf("%v: run test/vm/kernel.sh", err)
	}
	version := regexp.MustCompile(`Linux version (\S+) `).FindSubmatch(image)
	if version == nil {
		s.t.Fatalf("%s has no version", kernel)
	}
	modules := "lib/modules/" + string(version[1])
	s.run("mkdir -p /" + modules)
	must(s.t, nil, "cp", "-r", filepath.Join(cache, "std/modules")+"/.", filepath.Join(s.dir, modules))
	s.run("depmod " + string(version[1]) + " 2>/dev/null")
	write(s.t, filepath.Join(s.dir, "etc/modules-load.d/test.conf"), "evdev\nusbhid\nhid-generic\nhid-logitech\nvhci-hcd\n", 0o644)
	return kernel
}

// boot runs a machine until it ends, and returns what the test in it printed. If that is nothing, it fails the test with the
// machine's console.
func boot(t *testing.T, dir, kernel, initrd string) string {
	t.Helper()
	const limit = time.Hour // after which a machine counts as hung
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	console, output := filepath.Join(dir, "console"), filepath.Join(dir, "output")
	cmd := exec.CommandContext(ctx, "qemu-system-x86_64", "-M", "q35", "-accel", "tcg", "-cpu", "max", "-m", "3072", "-smp", "1",
		"-icount", "shift=1,sleep=off", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-kernel", kernel, "-initrd", initrd,
		"-append", "console=ttyS0 panic=-1 random.trust_cpu=on mitigations=off", "-serial", "file:"+console, "-serial", "file:"+output)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	told, err := cmd.CombinedOutput()
	printed, _ := os.ReadFile(output)
	if err != nil || len(printed) == 0 {
		shown, _ := os.ReadFile(console)
		t.Fatalf("the machine ended with %v, %s\nconsole:\n%s\noutput:\n%s", err, told, shown[max(0, len(shown)-8000):], printed)
	}
	return string(printed)
}
