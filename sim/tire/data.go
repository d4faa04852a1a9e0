package tire

import (
	"embed"
	"strings"
)

// files holds the built-in Magic Formula tires, each a property file that names
// the ranges it was made for.
//
//go:embed data/*.tir
var files embed.FS

// set returns the built-in tire of a file.
func set(name string) (*Tire, error) {
	text, err := files.ReadFile("data/" + name + ".tir")
	if err != nil {
		return nil, err
	}
	t, err := Parse(name+".tir", text)
	if err != nil {
		return nil, err
	}
	if t.Name = name; !strings.Contains(string(text), "TYRESIDE") {
		t.Side = Either // they are symmetric
	}
	return t, nil
}
