package config

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The cockpits of the document can be copied as they stand.
func TestTheCockpitsOfTheDocumentLoad(t *testing.T) {
	page, err := os.ReadFile("../../../docs/controls.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## Ten cockpits\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	parts := strings.Split(section, "\n### ")[1:]
	if len(parts) != 10 {
		t.Errorf("%d cockpits, want 10", len(parts))
	}
	for _, part := range parts {
		title, _, _ := strings.Cut(part, "\n")
		var file strings.Builder
		for line := range strings.Lines(part) {
			if code, ok := strings.CutPrefix(line, "    "); ok {
				file.WriteString(code)
			}
		}
		cfg := Default()
		if err := Decode("rig.toml", []byte(file.String()), &cfg); err != nil {
			t.Errorf("%s: %v", title, err)
		}
		if fmt.Sprint(cfg) == fmt.Sprint(Default()) {
			t.Errorf("%s: says nothing", title)
		}
	}
}
