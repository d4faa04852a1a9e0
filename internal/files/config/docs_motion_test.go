package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Configurations of the platform's page can be copied as they stand.
func TestTheConfigurationsOfThePlatformsPageLoad(t *testing.T) {
	blocks := regexp.MustCompile("(?s:```toml\n(.*?)```)|(?m:^(?:    .*\n|\n)+)")
	text, err := os.ReadFile("../../../docs/platforms.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
		code := block[1]
		if code == "" {
			code = strings.ReplaceAll("\n"+block[0], "\n    ", "\n")
		}
		if !strings.Contains(code, "\n[motion]\n") {
			continue // a command, or what it prints
		}
		count++
		path := filepath.Join(t.TempDir(), "rig.toml")
		if err := os.WriteFile(path, []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err != nil {
			t.Errorf("%v in\n%s", err, code)
		}
	}
	if count != 3 {
		t.Errorf("%d configurations, want 3", count)
	}
}
