package main

import (
	"fmt"
	"os"
	"path/filepath"

	"rig.example/rig/internal/connect/sections"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
)

// configuration reads the configuration file at path. If path is empty it reads the first of the
// usual files (see config.Find), or returns the defaults if there is none. It also returns the file's
// path, as load does.
func (s *streams) configuration(path string) (config.Config, string, error) {
	return s.chosenConfiguration(path, config.Choice{})
}

// chosenConfiguration reads the configuration as the method configuration does, with a choice in place of some of its keys.
func (s *streams) chosenConfiguration(path string, choice config.Choice) (config.Config, string, error) {
	path, note := configurationPath(path)
	return s.load(path, note, choice)
}

// configurationPath returns path or, if it is empty, the first of the usual files, "" if there is none. The note tells of
// a file that is ignored.
func configurationPath(path string) (found, note string) {
	if path != "" {
		return path, ""
	}
	path = config.Find(os.Getenv, os.Geteuid())
	if path == "rig.toml" {
		return path, ""
	}
	return path, ignoredFileNote()
}

// load reads a configuration file, or returns the defaults if path is empty. It returns the absolute
// path and prints it to stderr with a note, before any output of the command.
func (s *streams) load(path, note string, choice config.Choice) (cfg config.Config, from string, err error) {
	from = "built-in defaults"
	if path == "" {
		cfg, err = config.LoadChosen("", choice, sections.All()...)
	} else {
		if from, err = filepath.Abs(path); err != nil {
			from = path
		}
		cfg, err = config.LoadChosen(from, choice, sections.All()...)
	}
	if flags := choice.String(); flags != "" {
		note += "; " + printable.Line(flags)
	}
	if err == nil {
		fmt.Fprintf(s.err, "rig: configuration: %s%s\n", printable.Name(from), note)
	}
	return cfg, from, err
}

// ignoredFileNote returns a note about a rig.toml in the working folder that is ignored, or "".
func ignoredFileNote() string {
	if _, err := os.Lstat("rig.toml"); err != nil {
		return ""
	}
	return "; ./rig.toml is ignored (root and the service do not read it, and it must be a regular file): use --config to read it"
}
