package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// module is a kernel module to load.
type module struct {
	name string // the kernel's name of it, with underscores instead of hyphens
	elf  []byte // uncompressed ELF file
}

// moduleTree lists the modules of one kernel, from its folder lib/modules/VERSION.
type moduleTree struct {
	files   map[string]string // module name to path
	builtin map[string]bool   // modules that are part of the kernel itself
}

// readModuleTree returns the modules in the folder dir and below it.
func readModuleTree(dir string) (moduleTree, error) {
	t := moduleTree{map[string]string{}, map[string]bool{}}
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

// moduleName returns the kernel's name of the module in a file: hid_lg for kernel/drivers/hid/hid-lg.ko.xz.
func moduleName(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// inLoadOrder returns the wanted modules and all modules they depend on, each after its own dependencies.
func (t moduleTree) inLoadOrder(wanted []string) ([]module, error) {
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

// readModule reads a module, decompresses it and removes its signature. It also returns the names of the modules that it depends on.
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
	return module{name, withoutSignature(data)}, needs, nil
}

// withoutSignature returns the module file ko without the signature at its end. The kernel loads such modules too,
// and the check of signatures would take a fifth of its start.
func withoutSignature(ko []byte) []byte {
	const sizes = 12 // bytes of struct module_signature, which ends with the signature's size
	rest, signed := bytes.CutSuffix(ko, []byte("~Module signature appended~\n"))
	if !signed || len(rest) < sizes {
		return ko
	}
	size := sizes + int64(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	return rest[:max(0, int64(len(rest))-size)]
}

// dependencies returns the names of the modules that the module file ko needs. They are in its .modinfo section,
// which consists of strings key=value with a zero byte after each.
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

// compressions lists the compressions that Debian uses, with the first bytes of the compressed data and the
// program that decompresses it.
var compressions = []struct{ magic, tool, pkg string }{
	{"\xfd7zXZ\x00", "xz", "xz-utils"},
	{"\x28\xb5\x2f\xfd", "zstd", "zstd"},
}

// decompress returns the decompressed data if it was compressed by xz or zstd, and otherwise data itself.
func decompress(data []byte) ([]byte, error) {
	for _, p := range compressions {
		if !bytes.HasPrefix(data, []byte(p.magic)) {
			continue
		}
		tool, err := exec.LookPath(p.tool)
		if err != nil {
			return nil, fmt.Errorf("%s not found; apt-get install -y --no-install-recommends %s", p.tool, p.pkg)
		}
		var stderr bytes.Buffer
		cmd := exec.Command(tool, "-dc")
		cmd.Stdin, cmd.Stderr = bytes.NewReader(data), &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", p.tool, err, bytes.TrimSpace(stderr.Bytes()))
		}
		return out, nil
	}
	return data, nil
}
