package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The examples of TOML on the pages about rig.toml and about cars can be copied as they stand.
func TestTheExamplesOfThePagesLoad(t *testing.T) {
	block := regexp.MustCompile(`(?m)(?:^    .*\n|^\n)+`)
	isTOML := regexp.MustCompile(`^\s*(\[|[a-z_]+ = )`)
	for _, page := range []struct {
		file string
		load func(text string) error
	}{
		{"configuration.md", loadRig}, {"controls.md", loadRig}, {"cars.md", loadCar},
	} {
		data, err := os.ReadFile(filepath.Join("../../../docs", page.file))
		if err != nil {
			t.Fatal(err)
		}
		loaded := 0
		for _, text := range block.FindAllString(string(data), -1) {
			text = strings.TrimLeft(text, "\n")
			if !isTOML.MatchString(text) {
				continue
			}
			text = strings.ReplaceAll(text, "model = \"front.tir\"", "model = \"road\"") // no such file is here
			if err := page.load(text); err != nil {
				t.Errorf("%s: %v in the example\n%s", page.file, err, text)
			}
			loaded++
		}
		if loaded == 0 {
			t.Errorf("%s has no example", page.file)
		}
	}
}

func loadRig(text string) error {
	cfg := Default()
	return Decode("rig.toml", []byte(text), &cfg)
}

func loadCar(text string) error {
	_, err := decodeCar("my.toml", []byte(text), readBuiltinFile)
	return err
}
