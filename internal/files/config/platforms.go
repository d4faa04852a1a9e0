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
func Platforms() []string { return builtinNames(platformFiles, "platforms") }

// platformFile is the file of a platform: its geometry, motion cueing and actuators. The serial port of the
// controller is set in the user's file.
type platformFile struct {
	Geometry cueing.Geometry `toml:"geometry"`
	Cueing   cueing.Config   `toml:"cueing"`
	Tuning   Tuning          `toml:"tuning"`
	Motion   motion.Config   `toml:"motion"`
}

// Validate reports every key that is out of range. The port may be empty.
func (p *platformFile) Validate() error {
	m := p.Motion
	m.Port = cmp.Or(m.Port, "of the user")
	return errors.Join(ValidateTable("geometry", p.Geometry), ValidateTable("cueing", p.Cueing),
		ValidateTable("tuning", p.Tuning), ValidateTable("motion", m))
}

// bases holds the names of the presets and of the platform that a file starts from.
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

// readBases returns the bases of a document; they are empty if it has errors, which Decode reports.
func readBases(data []byte) (b bases) {
	if decodeLenient(data, &b) != nil {
		return bases{}
	}
	return b
}

// applyBases applies what the user's file at path starts from: first the presets of washout and controller
// (those of the user's file, or else those of the platform's), and over them the platform's file: that which is
// chosen by --platform, or else that of the user's file. The keys of the user's file are applied later, by Load.
func (c *Config) applyBases(path string, data []byte, chosen string) error {
	ofFile := readBases(data)
	var text []byte
	var file string
	var err error
	if chosen != "" {
		if text, file, err = readPlatform(chosen, ""); err != nil {
			return ofFlag("--platform", err)
		}
	} else if text, file, err = readPlatform(ofFile.Platform, path); err != nil {
		return locateAtKey(path, data, "platform", err)
	}
	if err := c.applyPresets(ofFile, readBases(text), path); err != nil {
		return locateAtKey(path, data, "motion.preset", err)
	}
	if text == nil {
		return nil
	}
	return c.decodePlatform(file, text)
}

// applyPresets applies the presets of washout and controller of the user's file, or else those of the platform's. The path
// of a preset starts at the folder of the file from.
func (c *Config) applyPresets(ofFile, ofPlatform bases, from string) error {
	if set, err := cueing.Preset(cmp.Or(ofFile.Cueing.Washout.Set, ofPlatform.Cueing.Washout.Set)); err == nil {
		c.Cueing.Washout = set
	}
	return c.applyControllerPreset(cmp.Or(ofFile.Motion.Preset, ofPlatform.Motion.Preset), from)
}

// decodePlatform applies the text of a platform's file.
func (c *Config) decodePlatform(file string, text []byte) error {
	p := platformFile{c.Geometry, c.Cueing, c.Tuning, c.Motion}
	if err := Decode(file, text, &p); err != nil {
		return err
	}
	c.Geometry, c.Cueing, c.Tuning, c.Motion = p.Geometry, p.Cueing, p.Tuning, p.Motion
	return nil
}

// readPlatform returns the text of a platform and the file name to use in errors. A relative path starts at
// the folder of the file from; an empty name returns no text.
func readPlatform(name, from string) (data []byte, file string, err error) {
	file = "platforms/" + name + ".toml"
	if name == "" {
		return nil, file, nil
	}
	if data, err = platformFiles.ReadFile(file); err == nil {
		return data, file, nil
	}
	if !isPath(name) {
		text := "not found; choose " + strings.Join(Platforms(), ", ") + ", or name a file that ends with .toml"
		return nil, "", &Problem{File: name, Text: text}
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	data, err = readText(name)
	return data, name, err
}

// applyControllerPreset applies the preset of a controller, a built-in one or a file, to c.Motion. A relative
// path starts at the folder of the file from.
func (c *Config) applyControllerPreset(name, from string) error {
	if name == "" {
		return nil
	}
	file := "presets/" + name + ".toml"
	text, err := motion.Preset(name)
	switch {
	case err != nil && !isPath(name):
		return &Problem{File: name, Text: strings.TrimPrefix(err.Error(), fmt.Sprintf("motion: preset: %q ", name))}
	case err != nil:
		if file = name; !filepath.IsAbs(name) {
			file = filepath.Join(filepath.Dir(from), name)
		}
		if text, err = readText(file); err != nil {
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

// controllerFile is the file of a controller: the keys of [motion] except the key preset.
type controllerFile struct{ motion.Config }

// Validate reports every key that is out of range. The port may be empty.
func (p *controllerFile) Validate() error {
	if p.Preset != "" {
		return fmt.Errorf("preset = %q: a preset cannot start from another; give its keys here", p.Preset)
	}
	m := p.Config
	m.Port = cmp.Or(m.Port, "of the user")
	return m.Validate()
}
