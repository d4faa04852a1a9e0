package main

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// module is one kernel module, ready to load.
type module struct {
	name string // with underscores, as the kernel names it
	elf  []byte // uncompressed
}

// tree is the modules of one kernel, as lib/modules/VERSION holds them.
type tree struct {
	files   map[string]string // module name to path
	builtin map[string]bool   // modules that are part of the kernel itself
}

// readTree finds the modules under dir.
func readTree(dir string) (tree, error) {
	t := tree{map[string]string{}, map[string]bool{}}
	list, err := os.ReadFile(filepath.Join(dir, "modules.builtin"))
	if err != nil {
		return t, err
	}
	for _, line := range strings.Fields(string(list)) {
		t.builtin[moduleName(line)] = true
	}
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), ".ko") {
			t.files[moduleName(p)] = p
		}
		return err
	})
	return t, err
}

// moduleName is the kernel's name of a module file: kernel/drivers/hid/hid-lg.ko.xz is hid_lg.
func moduleName(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// order returns the wanted modules and all they depend on, each after its own
// dependencies.
func (t tree) order(wanted []string) ([]module, error) {
	var list []module
	done := map[string]bool{}
	var add func(name string) error
	add = func(name string) error {
		if done[name] || t.builtin[name] {
			return nil
		}
		done[name] = true
		file, ok := t.files[name]
		if !ok {
			return fmt.Errorf("module %s is not in the kernel's folder; remove the folder and run test/vm/kernel.sh again", name)
		}
		m, needs, err := readModule(name, file)
		if err != nil {
			return err
		}
		for _, n := range needs {
			if err := add(n); err != nil {
				return err
			}
		}
		list = append(list, m)
		return nil
	}
	for _, w := range wanted {
		if err := add(moduleName(w)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readModule reads and uncompresses one module and tells which it depends on.
func readModule(name, file string) (module, []string, error) {
	data, err := os.ReadFile(file)
	if err == nil {
		data, err = decompress(data)
	}
	if err != nil {
		return module{}, nil, fmt.Errorf("module %s: %w", file, err)
	}
	needs, err := dependencies(data)
	if err != nil {
		return module{}, nil, fmt.Errorf("module %s: %w", file, err)
	}
	return module{name, data}, needs, nil
}

// dependencies reads the modules that ko needs from its .modinfo section:
// strings key=value, each ended by a zero byte.
func dependencies(ko []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(ko))
	if err != nil {
		return nil, err
	}
	section := f.Section(".modinfo")
	if section == nil {
		return nil, fmt.Errorf("no .modinfo section")
	}
	info, err := section.Data()
	if err != nil {
		return nil, err
	}
	for _, pair := range strings.Split(string(info), "\x00") {
		if list, ok := strings.CutPrefix(pair, "depends="); ok && list != "" {
			return strings.Split(strings.ReplaceAll(list, "-", "_"), ","), nil
		}
	}
	return nil, nil
}

// packers are the compressions Debian uses, by the bytes that begin the data.
var packers = []struct{ magic, tool, pkg string }{
	{"\xfd7zXZ\x00", "xz", "xz-utils"},
	{"\x28\xb5\x2f\xfd", "zstd", "zstd"},
}

// decompress returns data as it was before xz or zstd, or as it is if neither
// has packed it.
func decompress(data []byte) ([]byte, error) {
	for _, p := range packers {
		if !bytes.HasPrefix(data, []byte(p.magic)) {
			continue
		}
		tool, err := exec.LookPath(p.tool)
		if err != nil {
			return nil, fmt.Errorf("%s not found; apt-get install -y --no-install-recommends %s", p.tool, p.pkg)
		}
		var complaint bytes.Buffer
		cmd := exec.Command(tool, "-dc")
		cmd.Stdin, cmd.Stderr = bytes.NewReader(data), &complaint
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", p.tool, err, bytes.TrimSpace(complaint.Bytes()))
		}
		return out, nil
	}
	return data, nil
}
