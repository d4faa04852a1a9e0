package config

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
)

//go:embed platforms/*.toml
var platformFiles embed.FS

// Platforms lists the built-in motion platforms.
func Platforms() []string { return builtin(platformFiles, "platforms") }

// platformFile is what a platform's file may say: how it is built, how it moves, and what
// its actuators may do. The line to its controller is the user's.
type platformFile struct {
	Geometry cueing.Geometry `toml:"geometry"`
	Cueing   cueing.Config   `toml:"cueing"`
	Tuning   Tuning          `toml:"tuning"`
	Motion   motion.Config   `toml:"motion"`
}

// Validate reports every key that is out of range; that no port is named is none.
func (p *platformFile) Validate() error {
	m := p.Motion
	m.Port = cmp.Or(m.Port, "of the user")
	return errors.Join(section("geometry", p.Geometry), section("cueing", p.Cueing), section("tuning", p.Tuning), section("motion", m))
}

// bases are the names of what lies below the keys of a file.
type bases struct {
	Platform string `toml:"platform"`
	Cueing   struct {
		Washout struct {
			Set string `toml:"set"`
		} `toml:"washout"`
	} `toml:"cueing"`
	Motion struct {
		Preset string `toml:"preset"`
	} `toml:"motion"`
}

// basesOf reads them leniently.
func basesOf(data []byte) (b bases) {
	if peek(data, &b) != nil {
		return bases{}
	}
	return b
}

// underlay puts below the keys of the user's file what it names: first the sets of parameters
// of washout and controller, on them the platform, whose own names of sets count where the
// user's file has none.
func (c *Config) underlay(path string, data []byte) error {
	own := basesOf(data)
	text, file, err := readPlatform(own.Platform, path)
	if err != nil {
		return named(path, data, "platform", err)
	}
	below := basesOf(text)
	if set, err := cueing.Preset(cmp.Or(own.Cueing.Washout.Set, below.Cueing.Washout.Set)); err == nil {
		c.Cueing.Washout = set
	}
	if err := c.controller(cmp.Or(own.Motion.Preset, below.Motion.Preset), path); err != nil {
		return named(path, data, "motion.preset", err)
	}
	if text == nil {
		return nil
	}
	p := platformFile{c.Geometry, c.Cueing, c.Tuning, c.Motion}
	if err := Decode(file, text, &p); err != nil {
		return err
	}
	c.Geometry, c.Cueing, c.Tuning, c.Motion = p.Geometry, p.Cueing, p.Tuning, p.Motion
	return nil
}

// readPlatform returns the text of a platform and what stands for it in faults. Its path is
// one from beside the file that names it; no name is no text.
func readPlatform(name, from string) (data []byte, file string, err error) {
	file = "platforms/" + name + ".toml"
	if name == "" {
		return nil, file, nil
	}
	if data, err = platformFiles.ReadFile(file); err == nil {
		return data, file, nil
	}
	if !isFile(name) {
		text := "is no platform; choose " + strings.Join(Platforms(), ", ") + ", or name a file that ends with .toml"
		return nil, "", &Problem{File: name, Text: text}
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	data, err = readAll(name)
	return data, name, err
}

// controller lays the preset of a controller, a built-in one or a file, below the keys of
// [motion].
func (c *Config) controller(name, from string) error {
	if name == "" {
		return nil
	}
	file := "presets/" + name + ".toml"
	text, err := motion.Preset(name)
	switch {
	case err != nil && !isFile(name):
		return &Problem{File: name, Text: strings.TrimPrefix(err.Error(), fmt.Sprintf("motion: preset: %q ", name))}
	case err != nil:
		if file = name; !filepath.IsAbs(name) {
			file = filepath.Join(filepath.Dir(from), name)
		}
		if text, err = readAll(file); err != nil {
			return err
		}
	}
	p := controllerFile{c.Motion}
	if err := Decode(file, text, &p); err != nil {
		return err
	}
	c.Motion = p.Config
	return nil
}

// controllerFile is a controller's file: the keys of [motion], but for the one that names a
// preset.
type controllerFile struct{ motion.Config }

// Validate reports every key that is out of range; that no port is named is none.
func (p *controllerFile) Validate() error {
	if p.Preset != "" {
		return fmt.Errorf("preset = %q: a preset cannot start from another; give its keys here", p.Preset)
	}
	m := p.Config
	m.Port = cmp.Or(m.Port, "of the user")
	return m.Validate()
}
