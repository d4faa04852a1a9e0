package motion

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed presets/*.toml
var presetFiles embed.FS

// Presets returns the names of the built-in presets.
func Presets() []string {
	files, err := fs.Glob(presetFiles, "presets/*.toml")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(file, "presets/"), ".toml")
	}
	return files
}

// Preset returns the text of a built-in preset: TOML with keys of Config, except the port, which
// must be configured.
func Preset(name string) ([]byte, error) {
	text, err := presetFiles.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("motion: preset: %q not found; choose %s, or name a file that ends with .toml",
			name, strings.Join(Presets(), ", "))
	}
	return text, nil
}
