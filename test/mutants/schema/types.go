package schema

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Broken returns why faults do not compile, by their number. They must be switchable. It checks types from
// the sources of the module, which takes seconds. It returns an error if the module itself does not compile.
func (c *Compiler) Broken(list []Fault) (map[int]error, error) {
	files, err := schemas(c.Root, list)
	if err != nil {
		return nil, err
	}
	dirs := map[string]bool{"os": true, "strconv": true} // selectorFile imports these
	for _, f := range list {
		dirs["./"+path.Dir(f.File)] = true
	}
	own, others, err := c.dependencies(slices.Sorted(maps.Keys(dirs)))
	if err != nil {
		return nil, err
	}
	k := checker{files: files, set: token.NewFileSet(), done: map[string]*types.Package{}, read: map[string]bool{}, broken: map[int]error{}}
	k.others = importer.ForCompiler(k.set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(others[path])
	})
	for _, p := range own {
		if err := k.check(p); err != nil {
			return nil, err
		}
	}
	for _, f := range list {
		if !k.read[filepath.Join(c.Root, f.File)] {
			k.broken[f.Number] = errors.New("no program contains its file when it is built without cgo")
		}
	}
	return k.broken, nil
}

// sourcePackage is a package of the module: the absolute paths of its files.
type sourcePackage struct {
	path  string
	files []string
}

// dependencies returns the module's packages that those in the folders need, each after what it imports, and for all
// others the file with what they export.
func (c *Compiler) dependencies(dirs []string) (own []sourcePackage, others map[string]string, err error) {
	const format = `{{if and .Module .Module.Main}}own{{else if ne .ImportPath "unsafe"}}other{{end}}` + "\t{{.ImportPath}}\t{{.Dir}}\t{{join .GoFiles \"\t\"}}"
	out, err := c.run(append([]string{"list", "-deps", "-f", format}, dirs...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n%s", err, out)
	}
	var imports []string
	for line := range strings.Lines(out) {
		switch field := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); field[0] {
		case "own":
			p := sourcePackage{path: field[1]}
			for _, name := range field[3:] {
				p.files = append(p.files, filepath.Join(field[2], name))
			}
			own = append(own, p)
		case "other":
			imports = append(imports, field[1])
		}
	}
	others = map[string]string{}
	if out, err = c.run(append([]string{"list", "-export", "-f", "export\t{{.ImportPath}}\t{{.Export}}"}, imports...)...); err != nil {
		return nil, nil, fmt.Errorf("%w\n%s", err, out)
	}
	for line := range strings.Lines(out) {
		if field := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); field[0] == "export" {
			others[field[1]] = field[2]
		}
	}
	return own, others, nil
}

// checker checks the types of packages, one after the other.
type checker struct {
	files  map[string][]byte // what replaces files, and the files that are added
	set    *token.FileSet
	others types.Importer
	done   map[string]*types.Package
	read   map[string]bool // files of the packages that were checked
	broken map[int]error
}

// Import implements types.Importer.
func (k *checker) Import(path string) (*types.Package, error) {
	if p := k.done[path]; p != nil {
		return p, nil
	}
	return k.others.Import(path)
}

// check checks p. An error in the copy of a function makes its fault broken; any other is returned.
func (k *checker) check(p sourcePackage) (err error) {
	names := p.files
	added := filepath.Join(filepath.Dir(names[0]), selectorName)
	if k.files[added] != nil {
		names = append(names, added)
	}
	var files []*ast.File
	for _, name := range names {
		var text any // nil: the file itself
		if k.files[name] != nil {
			text = k.files[name]
		}
		file, err := parser.ParseFile(k.set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
		k.read[name] = true
	}
	config := types.Config{
		Importer:         k,
		IgnoreFuncBodies: k.files[added] == nil,
		Sizes:            types.SizesFor("gc", runtime.GOARCH),
		Error: func(found error) {
			var e types.Error
			if !errors.As(found, &e) {
				err = found
				return
			}
			copied, isCopy := strings.CutPrefix(filepath.Base(k.set.Position(e.Pos).Filename), copyPrefix)
			if number, wrong := strconv.Atoi(copied); isCopy && wrong == nil {
				k.broken[number] = fmt.Errorf("does not compile: %s", e.Msg)
			} else {
				err = found
			}
		},
	}
	k.done[p.path], _ = config.Check(p.path, k.set, files, nil)
	return err
}
