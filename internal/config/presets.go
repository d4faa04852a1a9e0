package config

import (
	"embed"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"rig.example/rig/ffb"
)

//go:embed presets/*.toml
var presetFiles embed.FS

// plainPreset is taken where neither the user nor the wheel's table names one.
const plainPreset = "natural"

// Presets lists the built-in presets of the force.
func Presets() []string { return builtin(presetFiles, "presets") }

// presetFile is a preset's file: the keys of [ffb], but for the one that names a preset.
type presetFile struct{ ffb.Config }

// Validate reports every key that is out of range.
func (p *presetFile) Validate() error {
	if p.Preset != "" {
		return fmt.Errorf("preset = %q: a preset cannot start from another; give its keys here", p.Preset)
	}
	return p.Config.Validate()
}

// LoadPreset returns the force of a preset: a built-in one, or a file that changes
// some keys of the default.
func LoadPreset(name string) (ffb.Config, error) {
	data, file, err := readPreset(name)
	if err != nil {
		return ffb.Config{}, err
	}
	p := presetFile{ffb.DefaultConfig()}
	if err := Decode(file, data, &p); err != nil {
		return ffb.Config{}, err
	}
	p.Preset = name
	return p.Config, nil
}

// readPreset returns the text of a preset and what stands for it in faults.
func readPreset(name string) (data []byte, file string, err error) {
	file = "presets/" + name + ".toml"
	if data, err = presetFiles.ReadFile(file); err == nil {
		return data, file, nil
	}
	if !isFile(name) {
		text := "is no preset; choose " + strings.Join(Presets(), ", ") + ", or name a file that ends with .toml"
		return nil, "", &Problem{File: name, Text: text}
	}
	data, err = readAll(name)
	return data, name, err
}

// Force returns what the force is to be at a wheel whose table names the preset
// ofWheel, or none: the preset that the user's file names, or else that one, and on
// top of it what the file's own [ffb] says.
func (c *Config) Force(ofWheel string) (ffb.Config, error) {
	if c.FFB.Preset != "" {
		return c.FFB, nil // Load has put it together
	}
	if ofWheel == "" {
		ofWheel = plainPreset
	}
	return c.over(ofWheel)
}

// over lays the keys of the user's file over those of a preset.
func (c *Config) over(name string) (ffb.Config, error) {
	start, err := LoadPreset(name)
	if err != nil {
		return ffb.Config{}, err
	}
	own := struct {
		FFB ffb.Config `toml:"ffb"`
	}{start}
	if err := peek(c.text, &own); err != nil {
		return ffb.Config{}, syntax(c.file, err, reflect.TypeFor[Config]())
	}
	own.FFB.Preset = name
	return own.FFB, nil
}

// preset puts the preset that the file names below the file's own keys. Its path is
// one from beside that file.
func (c *Config) preset() error {
	name := c.FFB.Preset
	if name == "" {
		return nil
	}
	if isFile(name) && !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(c.file), name)
	}
	force, err := c.over(name)
	if err != nil {
		return named(c.file, c.text, "ffb.preset", err)
	}
	c.FFB = force
	return nil
}
