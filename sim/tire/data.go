package tire

import (
	"embed"
	"strings"
)

// builtinFiles holds the built-in Magic Formula tires as .tir files. Each states the ranges for which it
// was made.
//
//go:embed data/*.tir
var builtinFiles embed.FS

// builtinFile returns the built-in tire of data/NAME.tir.
func builtinFile(name string) (*Tire, error) {
	text, err := builtinFiles.ReadFile("data/" + name + ".tir")
	if err != nil {
		return nil, err
	}
	t, err := Parse(name+".tir", text)
	if err != nil {
		return nil, err
	}
	if t.Name = name; !strings.Contains(string(text), "TYRESIDE") {
		t.Side = Symmetric // files without TYRESIDE are symmetric
	}
	return t, nil
}
