package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"rig.example/rig/internal/connect/sections"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

type configCmd struct {
	Upgrade configUpgradeCmd `cmd:"" help:"Replace keys of earlier versions in the configuration and in the car, circuit and platform that it names. Keep the files as they were beside them."`
}

type configUpgradeCmd struct {
	Config string   `type:"path" placeholder:"F" help:"Upgrade this configuration file. Default: the one that rig run reads."`
	Car    []string `type:"path" placeholder:"F" help:"Upgrade this car's file too."`
	Track  []string `type:"path" placeholder:"F" help:"Upgrade this circuit's file too."`
	DryRun bool     `name:"dry-run" help:"Print the changes, and make none. Exit status 1 if there are any."`
}

// upgrading is a file that is upgraded.
type upgrading struct {
	path string
	kind config.FileKind
	text []byte // as it is
	config.Upgraded
}

func (c *configUpgradeCmd) Run(s *streams) error {
	files, err := c.files(s)
	if err != nil {
		return err
	}
	var changed []*upgrading
	for _, f := range files {
		if len(f.Changes) == 0 {
			fmt.Fprintf(s.out, "%s: no keys of earlier versions\n", printable.Name(f.path))
			continue
		}
		changed = append(changed, f)
		if err := f.print(s.out); err != nil {
			return err
		}
		if err := config.CheckText(f.kind, f.path, f.Text, sections.All()...); err != nil {
			return errors.Join(&config.Problem{File: f.path, Text: "nothing was changed, because the result would not load; fix this first (lines are those of the result):"}, err)
		}
	}
	if c.DryRun && len(changed) > 0 {
		return fmt.Errorf("keys of earlier versions in %d of %d files; run `rig config upgrade` without --dry-run", len(changed), len(files))
	}
	for _, f := range changed {
		before, err := f.replace()
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		fmt.Fprintf(s.out, "%s: upgraded; as it was: %s\n", printable.Name(f.path), printable.Name(before))
	}
	return nil
}

// files returns the upgrades of the configuration, of the files that it names, and of those of the flags.
func (c *configUpgradeCmd) files(s *streams) (list []*upgrading, err error) {
	done := map[string]bool{}
	add := func(path string, kind config.FileKind) (*upgrading, error) {
		path, err := resolved(path)
		if err != nil || done[path] {
			return nil, err
		}
		done[path] = true
		f, err := readUpgrading(path, kind)
		list = append(list, f)
		return f, err
	}
	if path, note := configurationPath(c.Config); path != "" {
		rig, err := add(path, config.RigFile)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(s.err, "rig: configuration: %s%s\n", printable.Name(path), note)
		for _, named := range config.NamedFiles(rig.path, rig.text) {
			if _, err := add(named.Path, named.Kind); err != nil {
				return nil, err
			}
		}
	}
	for _, path := range c.Car {
		if _, err := add(path, config.CarFile); err != nil {
			return nil, err
		}
	}
	for _, path := range c.Track {
		if _, err := add(path, config.CircuitFile); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, wrongUsage(errors.New("there is no configuration file; name one by --config"))
	}
	return list, nil
}

// resolved returns the absolute path of a file without links, so that a link stays one when its file is replaced.
func resolved(path string) (string, error) {
	real, err := filepath.Abs(path)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", &config.Problem{File: path, Text: fmt.Sprintf("cannot be read: %v", err)}
	}
	return real, nil
}

// readUpgrading reads and upgrades a file.
func readUpgrading(path string, kind config.FileKind) (*upgrading, error) {
	text, err := userfile.Read(path, userfile.MaxText)
	if err != nil {
		return nil, &config.Problem{File: path, Text: fmt.Sprintf("cannot be read: %v", err)}
	}
	f := &upgrading{path: path, kind: kind, text: text}
	f.Upgraded, err = config.Upgrade(kind, path, text)
	return f, err
}

// print prints the changes as a diff with line numbers.
func (f *upgrading) print(w io.Writer) error {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: splitLines(f.text), FromFile: printable.Line(f.path),
		B: splitLines(f.Text), ToFile: printable.Line(f.path) + " (upgraded)",
		Context: 1,
	})
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}

// splitLines returns the lines of a text as a terminal may show them, each with its end.
func splitLines(text []byte) []string {
	list := slices.Collect(strings.Lines(printable.Text(string(text))))
	if last := len(list) - 1; last >= 0 && !strings.HasSuffix(list[last], "\n") {
		list[last] += "\n"
	}
	return list
}

// replace replaces the file, and returns the path of the copy of the file before.
func (f *upgrading) replace() (before string, err error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return "", err
	}
	if before, err = f.keep(info); err != nil {
		return "", err
	}
	return before, sink.Replace(f.path, info.Mode().Perm(), func(to *os.File) error { return sink.FillLike(to, f.Text, info) })
}

// keep copies the file to a new one beside it, and returns its path. It never replaces one.
func (f *upgrading) keep(info fs.FileInfo) (string, error) {
	for n := 1; ; n++ {
		path := f.path + ".before"
		if n > 1 {
			path = fmt.Sprintf("%s-%d", path, n)
		}
		to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = errors.Join(sink.FillLike(to, f.text, info), to.Sync(), to.Close())
		}
		return path, err
	}
}
