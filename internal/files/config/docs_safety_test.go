package config

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each limit of the safety page that has a key states the key's default.
func TestLimitsOfSafetyAreTheDefaults(t *testing.T) {
	keys, err := Keys(Default())
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/safety.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n## Limits\n")
	text, _, _ = strings.Cut(text, "\n## ")
	number, name := regexp.MustCompile(`[0-9.]+`), regexp.MustCompile("`([a-z]+)\\.([a-z0-9_]+)`")
	checked := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(cells[3], -1) {
			table, _ := keys[m[1]].(map[string]any)
			value, found := table[m[2]]
			if !found {
				t.Errorf("docs/safety.md names %s.%s, which is no key", m[1], m[2])
				continue
			}
			if list, ok := value.([]any); ok {
				value = list[0] // one for each actuator
			}
			want := fmt.Sprint(value)
			if want == "0" || want == "false" {
				continue // off
			}
			stated := false
			for _, n := range number.FindAllString(cells[2], -1) {
				stated = stated || n == want
			}
			if !stated {
				t.Errorf("docs/safety.md: %s.%s is %s by default, its row says %q", m[1], m[2], want, strings.TrimSpace(cells[2]))
			}
			checked++
		}
	}
	if checked < 15 {
		t.Errorf("compared only %d keys", checked)
	}
}
