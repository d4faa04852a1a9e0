package config

import (
	"os"
	"strings"
	"testing"
)

// The page of the rim says what each key of [ffb] and of its tables does.
func TestThePageOfTheRimHasEveryKeyOfTheForce(t *testing.T) {
	keys, err := Keys(Default())
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/rim.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n## Presets\n")
	text, _, _ := strings.Cut(rest, "\n## What keeps")
	checked := 0
	var check func(table map[string]any)
	check = func(table map[string]any) {
		for key, value := range table {
			if inner, ok := value.(map[string]any); ok {
				check(inner)
				continue
			}
			if !strings.Contains(text, "`"+key+"`") && !strings.Contains(text, "."+key+"`") {
				t.Errorf("docs/rim.md does not say what %s does", key)
			}
			checked++
		}
	}
	force, _ := keys["ffb"].(map[string]any)
	check(force)
	if checked < 30 {
		t.Errorf("found only %d keys", checked)
	}
}
