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

// defaultPreset is used if neither the user nor the wheel's known model names a preset.
const defaultPreset = "natural"

// Presets lists the built-in force feedback presets.
func Presets() []string { return builtinNames(presetFiles, "presets") }

// presetFile is the file of a preset: the keys of [ffb] except the key preset.
type presetFile struct{ ffb.Config }

// Validate reports every key that is out of range.
func (p *presetFile) Validate() error {
	if p.Preset != "" {
		return fmt.Errorf("preset = %q: a preset cannot start from another; give its keys here", p.Preset)
	}
	return p.Config.Validate()
}

// LoadPreset returns the force feedback configuration of a preset: a built-in one, or a file that changes
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

// readPreset returns the text of a preset and the file name to use in errors.
func readPreset(name string) (data []byte, file string, err error) {
	file = "presets/" + name + ".toml"
	if data, err = presetFiles.ReadFile(file); err == nil {
		return data, file, nil
	}
	if !isPath(name) {
		text := "not found; choose " + strings.Join(Presets(), ", ") + ", or name a file that ends with .toml"
		return nil, "", &Problem{File: name, Text: text}
	}
	data, err = readText(name)
	return data, name, err
}

// Force returns the force feedback configuration for a wheel whose model has the preset wheelPreset ("" if it
// has none): the preset that the user's file names, or else wheelPreset, or else the default preset, overlaid
// by the keys of the file's own [ffb].
func (c *Config) Force(wheelPreset string) (ffb.Config, error) {
	if c.FFB.Preset != "" {
		return c.FFB, nil // Load has applied the preset
	}
	if wheelPreset == "" {
		wheelPreset = defaultPreset
	}
	return c.overlayPreset(wheelPreset)
}

// overlayPreset returns the preset of this name, overlaid by the [ffb] keys of the user's file, and by those of the driver.
func (c *Config) overlayPreset(name string) (ffb.Config, error) {
	preset, err := LoadPreset(name)
	if err != nil {
		return ffb.Config{}, err
	}
	own := struct {
		FFB ffb.Config `toml:"ffb"`
	}{preset}
	for _, text := range [][]byte{c.text, c.driver} {
		if err := decodeLenient(text, &own); err != nil {
			return ffb.Config{}, decodeProblem(c.file, err, reflect.TypeFor[Config]())
		}
	}
	own.FFB.Preset = name
	return own.FFB, nil
}

// applyPreset replaces c.FFB by the preset that the file names, overlaid by the file's own keys. A relative
// path starts at the folder of that file.
func (c *Config) applyPreset() error {
	name := c.FFB.Preset
	if name == "" {
		return nil
	}
	if isPath(name) && !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(c.file), name)
	}
	force, err := c.overlayPreset(name)
	if err != nil {
		return locateAtKey(c.file, c.text, "ffb.preset", err)
	}
	c.FFB = force
	return nil
}
