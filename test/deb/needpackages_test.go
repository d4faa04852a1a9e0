package deb

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// notDebian returns a folder with the tools that the scripts take from every system, without Debian's. programs are added
// to them, each a script of that text.
func notDebian(t *testing.T, programs map[string]string) (path string) {
	t.Helper()
	dir := t.TempDir()
	for _, tool := range []string{"bash", "sh", "env", "sed", "dirname", "mkdir", "rm", "mktemp", "ar", "tar", "cp"} {
		found, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("%s is not installed here", tool)
		}
		if err := os.Symlink(found, filepath.Join(dir, tool)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range programs {
		write(t, filepath.Join(dir, name), "#!/bin/sh\n"+text+"\n", 0o755)
	}
	return dir
}

// Without Debian's tools what the packages provide counts: with it the commands go on, without it one line names it.
func TestPackagesOfAnotherSystem(t *testing.T) {
	packages := []string{"gcc", "libc6-dev", "pkg-config", "xorg-dev", "libgl1-mesa-dev", "libgl1-mesa-dri", "qemu-system-x86", "xvfb", "zstd"}
	all := map[string]string{"gcc": "exit 0", "pkg-config": "exit 0", "qemu-system-x86_64": "", "Xvfb": "", "xvfb-run": "", "zstd": ""}
	without := func(edit func(map[string]string)) map[string]string {
		programs := map[string]string{}
		for name, text := range all {
			programs[name] = text
		}
		edit(programs)
		return programs
	}
	for _, tt := range []struct {
		name     string
		programs map[string]string
		want     string // part of the one line; "" if nothing is missing
	}{
		{"all there", all, ""},
		{"no compiler", without(func(p map[string]string) { delete(p, "gcc") }), "rig needs gcc, the C headers (stdlib.h), the X11 headers (Xlib.h,"},
		{"no headers", without(func(p map[string]string) {
			p["gcc"] = "while read -r line; do case $line in *X11*) exit 1 ;; esac; done"
		}), "rig needs the X11 headers (Xlib.h,"},
		{"no OpenGL", without(func(p map[string]string) { p["pkg-config"] = "exit 1" }), "rig needs OpenGL (gl.pc): install what provides that here (on Debian, as root: apt-get install libgl1-mesa-dev)"},
		{"no programs", without(func(p map[string]string) { delete(p, "qemu-system-x86_64"); delete(p, "xvfb-run") }), "rig needs qemu-system-x86_64, Xvfb with xvfb-run: "},
	} {
		out, err := output([]string{"PATH=" + notDebian(t, tt.programs)}, "scripts/need-packages", packages...)
		if (err != nil) != (tt.want != "") || !strings.HasPrefix(out, tt.want) || strings.Count(out, "\n") != min(len(tt.want), 1) {
			t.Errorf("%s: ended with %v and said %q, want %q", tt.name, err, out, tt.want)
		}
	}
}

// Debian without a way to become root is as another system.
func TestPackagesWithoutRoot(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root installs them")
	}
	dir := notDebian(t, map[string]string{"dpkg-query": "exit 1", "apt-get": "exit 1", "zstd": ""})
	if out, err := output([]string{"PATH=" + dir}, "scripts/need-packages", "zstd"); err != nil || out != "" {
		t.Errorf("%v, %q", err, out)
	}
}

// A kernel that is in the cache needs no Debian; without one the line says where to put it.
func TestKernelsOfAnotherSystem(t *testing.T) {
	cache := t.TempDir()
	env := []string{"PATH=" + notDebian(t, map[string]string{"go": ""}), "RIG_VM_CACHE=" + cache}
	write(t, filepath.Join(cache, "std", "vmlinux"), "", 0o644)
	if out, err := output(env, "test/vm/kernel.sh", "std"); err != nil || out != "" {
		t.Errorf("with one: %v, %q", err, out)
	}
	out, err := output(env, "test/vm/kernel.sh", "rt")
	if want := "put the package that Debian's linux-image-rt-amd64 depends on there as " + cache + "/rt.deb"; err == nil || !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
		t.Errorf("without one: %v, %q, want %q", err, out, want)
	}
}
