package main

import (
	"fmt"
	"os"
	"path/filepath"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/printable"
)

// configuration reads the file named, or the first of the usual ones, or returns the defaults;
// and which, as load does.
func (s *streams) configuration(path string) (config.Config, string, error) {
	if path != "" {
		return s.load(path, "")
	}
	path = config.Find(os.Getenv, os.Geteuid())
	if path == "rig.toml" {
		return s.load(path, "")
	}
	return s.load(path, passedOver())
}

// load reads a file, or returns the defaults where there is none. It returns which, as a path
// from the root, and says so on stderr, before all that the command has to say.
func (s *streams) load(path, note string) (cfg config.Config, from string, err error) {
	cfg, from = config.Default(), "built-in defaults"
	if path != "" {
		if from, err = filepath.Abs(path); err != nil {
			from = path
		}
		cfg, err = config.Load(from)
	}
	if err == nil {
		fmt.Fprintf(s.err, "rig: configuration: %s%s\n", printable.Name(from), note)
	}
	return cfg, from, err
}

// passedOver tells of a file in the working folder that is not read.
func passedOver() string {
	if _, err := os.Lstat("rig.toml"); err != nil {
		return ""
	}
	return "; ./rig.toml is not read by root or by the service, and only if it is a regular file: name it by --config if you mean it"
}
