package config

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each example of a circuit in the guides loads; parts of a file follow the first layout.
func TestCircuitsOfTheGuidesLoad(t *testing.T) {
	fence := regexp.MustCompile("(?s)```toml\n(.*?)```")
	layout := ""
	for _, page := range []string{"tracks.md", "grounds.md"} {
		text, err := os.ReadFile("../../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		examples := fence.FindAllStringSubmatch(string(text), -1)
		if len(examples) == 0 {
			t.Errorf("%s has no example", page)
		}
		for _, m := range examples {
			example := m[1]
			switch {
			case regexp.MustCompile(`(?m)^\[ground\]`).MatchString(example):
			case layout == "":
				layout = example
			default:
				example = layout + example
			}
			path := filepath.Join(t.TempDir(), "circuit.toml")
			if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := LoadCircuit(path); err != nil {
				t.Errorf("%s: %v\n%s", page, err, m[1])
			}
		}
	}
}
