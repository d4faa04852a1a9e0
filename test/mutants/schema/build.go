package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Compiler compiles tests with faults in them, without cgo and without the race detector, and runs them.
type Compiler struct {
	Root string        // the module's root, absolute
	Tmp  string        // folder for overlays and test binaries
	Cost time.Duration // processor time of what it ran
}

// Check reports whether f is switchable: a running program can choose it. It returns an error if f does not apply, or does
// not parse.
func (c *Compiler) Check(f Fault) (switchable bool, err error) {
	source, err := os.ReadFile(filepath.Join(c.Root, f.File))
	if err != nil {
		return false, err
	}
	text, err := f.variant(source)
	return text != "", err
}

// Alone compiles the tests of a folder with f in them, which need not be switchable, and returns the path of the binary.
func (c *Compiler) Alone(dir string, f Fault) (string, error) {
	file := filepath.Join(c.Root, f.File)
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	changed, err := f.apply(source)
	if err != nil {
		return "", err
	}
	list, err := c.writeOverlay(f.copyName(), map[string][]byte{file: changed})
	if err != nil {
		return "", err
	}
	binary := filepath.Join(c.Tmp, f.copyName()+".test")
	if out, err := c.compile(list, "-o", binary, "./"+dir); err != nil {
		return "", fmt.Errorf("does not compile: %w\n%s", err, out)
	}
	return binary, nil
}

// Binaries compiles the tests of the folders once, with all these switchable faults in them, and returns the path of each
// test binary by its folder.
func (c *Compiler) Binaries(dirs []string, list []Fault) (paths map[string]string, err error) {
	files, err := schemas(c.Root, list)
	if err != nil {
		return nil, err
	}
	overlay, err := c.writeOverlay("all", files)
	if err != nil {
		return nil, err
	}
	paths = map[string]string{}
	for round := 0; len(dirs) > 0; round++ { // the go command does not write two binaries of the same name
		folder := filepath.Join(c.Tmp, "binaries", strconv.Itoa(round))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		names, later := map[string]bool{}, dirs[:0:0]
		arguments := []string{"-o", folder + "/"}
		for _, dir := range dirs {
			name := path.Base(dir) + ".test"
			if names[name] {
				later = append(later, dir)
				continue
			}
			names[name] = true
			paths[dir] = filepath.Join(folder, name)
			arguments = append(arguments, "./"+dir)
		}
		if out, err := c.compile(overlay, arguments...); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
		dirs = later
	}
	return paths, nil
}

// compile runs go test -c, and returns its output.
func (c *Compiler) compile(overlay string, arguments ...string) (string, error) {
	return c.run(append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay=" + overlay}, arguments...)...)
}

// writeOverlay writes files, and the list for the go command that replaces the real files by them. It returns the path
// of the list.
func (c *Compiler) writeOverlay(name string, files map[string][]byte) (string, error) {
	folder := filepath.Join(c.Tmp, name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range files {
		copied := filepath.Join(folder, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(copied, text, 0o600); err != nil {
			return "", err
		}
		replace[file] = copied
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	list := filepath.Join(folder, "overlay.json")
	return list, errors.Join(err, os.WriteFile(list, text, 0o600))
}

// schemas returns the files that replace those of the module in root, by path: a schema for each file that has faults, and
// for each of their packages the variable that the schema looks at.
func schemas(root string, list []Fault) (map[string][]byte, error) {
	byFile := map[string][]Fault{}
	for _, m := range list {
		byFile[m.File] = append(byFile[m.File], m)
	}
	files := map[string][]byte{}
	for name, mutants := range byFile {
		path := filepath.Join(root, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if files[path], err = schema(path, source, mutants); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		file, err := parse(source)
		if err != nil {
			return nil, err
		}
		files[filepath.Join(filepath.Dir(path), selectorName)] = fmt.Appendf(nil, selectorFile, file.Name.Name)
	}
	return files, nil
}
