package motion

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed presets/*.toml
var presetFiles embed.FS

// Presets lists the built-in presets of platforms by name.
func Presets() []string {
	files, err := fs.Glob(presetFiles, "presets/*.toml")
	if err != nil {
		panic(err) // the pattern stands above
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(file, "presets/"), ".toml")
	}
	return files
}

// Preset returns the text of a built-in preset: TOML with keys of Config, all
// but the port, which everybody has to name.
func Preset(name string) ([]byte, error) {
	text, err := presetFiles.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("motion: preset: %q is not known; choose %s, or name a file that ends with .toml",
			name, strings.Join(Presets(), ", "))
	}
	return text, nil
}
