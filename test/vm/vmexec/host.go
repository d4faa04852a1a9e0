package main

import (
	"bufio"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// run boots a virtual machine that runs the test, and returns the test's status.
func run(ctx context.Context, o options) (int, error) {
	k, err := findKernel(o.kernel)
	if err != nil {
		return 0, err
	}
	tmp, err := os.MkdirTemp("", "vmexec-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	vm := machine{
		kernel: k.image,
		initrd: filepath.Join(tmp, "initrd"),
		tmp:    tmp,
		icount: o.icount,
		cpus:   o.cpus,
		memory: o.memory,
	}
	if err := pack(vm.initrd, k, o); err != nil {
		return 0, err
	}
	if o.hash {
		return 0, vm.printHash()
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	return vm.run(ctx, o.output())
}

// kernel holds the paths of a kernel in the cache, which test/vm/kernel.sh fills.
type kernel struct {
	image   string // file with the uncompressed kernel
	modules string // folder with its modules
}

// findKernel returns the cached kernel with this name, "std" or "rt".
func findKernel(name string) (kernel, error) {
	if name != "std" && name != "rt" {
		return kernel{}, fmt.Errorf("kernel %q: must be std or rt", name)
	}
	cache := os.Getenv("RIG_VM_CACHE")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return kernel{}, fmt.Errorf("%w; set RIG_VM_CACHE to the folder with the kernels", err)
		}
		cache = filepath.Join(home, ".cache/rig/vm")
	}
	k := kernel{filepath.Join(cache, name, "vmlinux"), filepath.Join(cache, name, "modules")}
	if _, err := os.Stat(k.image); err != nil {
		return kernel{}, fmt.Errorf("no kernel %s; run test/vm/kernel.sh %s", k.image, name)
	}
	return k, nil
}

// pack writes the guest's file system to path.
func pack(path string, k kernel, o options) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	a := newArchive(w)
	if err := fill(a, k, o); err != nil {
		return err
	}
	if err := a.close(); err != nil {
		return err
	}
	return w.Flush()
}

// fill adds everything that the guest needs to a: vmexec as its first process, the tests, their testdata, the kernel
// modules, the files of the -file flags and the job.
func fill(a *archive, k kernel, o options) error {
	for _, d := range []string{"dev", "proc", "sys", "tmp", "root", "run"} {
		a.dir(d)
	}
	a.file("/etc/hosts", 0o644, []byte("127.0.0.1 localhost\n"))
	self, err := os.Executable()
	if err != nil {
		return err
	}
	programs := files{{self, "/init", 0o755}}
	all := slices.Clone(o.files)
	j := job{Env: environment(o)}
	for i, t := range o.tests {
		dir, err := filepath.Abs(t.dir)
		if err != nil {
			return err
		}
		a.dir(dir)
		if all, err = testdata(all, dir); err != nil {
			return err
		}
		path := fmt.Sprint(testFile, i)
		programs = append(programs, file{t.args[0], path, 0o755})
		j.Runs = append(j.Runs, command{append([]string{path}, t.args[1:]...), dir})
	}
	for _, f := range programs {
		if err := checkStatic(f.host); err != nil {
			return err
		}
	}
	for _, f := range append(programs, all...) {
		data, err := os.ReadFile(f.host)
		if err != nil {
			return err
		}
		a.file(f.guest, uint32(f.mode.Perm()), data)
	}
	if j.Modules, err = fillModules(a, k, o.modules); err != nil {
		return err
	}
	text, err := json.Marshal(j)
	a.file(jobFile, 0o644, text)
	return err
}

// checkStatic returns an error for a program that needs a dynamic linker, because the guest has none.
func checkStatic(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return fmt.Errorf("%s is linked dynamically; build it with CGO_ENABLED=0", path)
		}
	}
	return nil
}

// environment returns the environment of the guest: the host's variables for Go and rig, and those by which tests
// recognize the guest.
func environment(o options) []string {
	var env []string
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "GO") || strings.HasPrefix(e, "RIG_") {
			env = append(env, e)
		}
	}
	clock := "host"
	if o.icount {
		clock = "virtual"
	}
	return append(env, "HOME=/root", "USER=root", "PATH=/bin", "TMPDIR=/tmp",
		"RIG_VM=1", "RIG_VM_KERNEL="+o.kernel, "RIG_VM_CLOCK="+clock,
		"RIG_VM_LINE_A="+portLineA, "RIG_VM_LINE_B="+portLineB)
}

// testdata adds the files of the testdata folder of the package in dir, if it has one, at the same paths.
func testdata(list files, dir string) (files, error) {
	folder := filepath.Join(dir, "testdata")
	if _, err := os.Stat(folder); err != nil {
		return list, nil
	}
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, file{p, p, 0o644})
		}
		return err
	})
	return list, err
}

// fillModules adds the modules and those they depend on to a. wantedNames is separated by commas. It returns the
// file names in the order in which to load them.
func fillModules(a *archive, k kernel, wantedNames string) ([]string, error) {
	t, err := readModuleTree(k.modules)
	if err != nil {
		return nil, err
	}
	list, err := t.inLoadOrder(strings.Split(wantedNames, ","))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range list {
		name := m.name + ".ko"
		a.file(moduleDir+"/"+name, 0o644, m.elf)
		names = append(names, name)
	}
	return names, nil
}
