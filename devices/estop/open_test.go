package estop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLinesAreFoundByNameAndByChip(t *testing.T) {
	chips := []chipInfo{
		{name: "gpiochip0", label: "pinctrl-bcm2711", lines: []string{"ID_SDA", "GPIO17", "odd:1", ""}},
		{name: "gpiochip1", label: "cp2112_gpio", lines: []string{"", ""}},
		{name: "gpiochip2", label: "twin", lines: []string{"X"}},
		{name: "gpiochip3", label: "twin", lines: []string{"X"}},
	}
	tests := []struct {
		name       string
		chip, line int
		err        string // part of it, empty if found
	}{
		{"GPIO17", 0, 1, ""},
		{"gpiochip0:1", 0, 1, ""},
		{"pinctrl-bcm2711:3", 0, 3, ""},
		{"cp2112_gpio:1", 1, 1, ""},
		{"odd:1", 0, 2, ""},
		{"gpiochip3:0", 3, 0, ""},
		{"cp2112_gpio:2", 0, 0, "there are pinctrl-bcm2711:0..3 (gpiochip0), cp2112_gpio:0..1 (gpiochip1)"},
		{"cp2112_gpio:01", 0, 0, "not found"},
		{"cp2112_gpio:-1", 0, 0, "not found"},
		{"cp2112_gpio", 0, 0, "not found"},
		{":0", 0, 0, "not found"},
		{"", 0, 0, "not found"},
		{"twin:0", 0, 0, "there are 2 lines"},
		{"X", 0, 0, "name one by its chip, as in gpiochip3:0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, l, err := locateLine(tt.name, chips)
			if tt.err == "" && (err != nil || c != tt.chip || l != tt.line) {
				t.Errorf("found %d, %d, %v; want %d, %d", c, l, err, tt.chip, tt.line)
			}
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestOneLineUnderTwoNamesIsRefused(t *testing.T) {
	chips := []chipInfo{{name: "gpiochip0", label: "pinctrl-bcm2711", lines: []string{"ID_SDA", "GPIO17", "GPIO27"}}}
	tests := []struct {
		name  string
		lines []string
		err   string // part of it, empty if they may be used
	}{
		{"three lines", []string{"GPIO17", "gpiochip0:2", "pinctrl-bcm2711:0"}, ""},
		{"the relay is the switch", []string{"GPIO17", "gpiochip0:1"}, `"GPIO17" and "gpiochip0:1" are one line`},
		{"the relay is the second contact", []string{"ID_SDA", "GPIO27", "pinctrl-bcm2711:2"}, `"GPIO27" and "pinctrl-bcm2711:2" are one line`},
		{"one is not there", []string{"GPIO17", "GPIO18"}, "not found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := findLineIDs(tt.lines, chips)
			if tt.err == "" && (err != nil || len(got) != len(tt.lines)) {
				t.Errorf("got %v, %v", got, err)
			}
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func FuzzLocate(f *testing.F) {
	for _, s := range []string{"GPIO17", "gpiochip0:1", "a:b:0", ":", "twin:0", "gpiochip0:18446744073709551616", ""} {
		f.Add(s, "GPIO17")
	}
	f.Fuzz(func(t *testing.T, name, line string) {
		chips := []chipInfo{{name: "gpiochip0", label: "a:b", lines: []string{line, ""}}, {name: "gpiochip1", label: "twin", lines: []string{line}}}
		c, l, err := locateLine(name, chips)
		if err == nil && (name == "" || !chips[c].isLine(l, name)) {
			t.Errorf("%q is line %d of chip %d", name, l, c)
		}
		if _, err := findLineIDs([]string{name, name}, chips); err == nil {
			t.Errorf("%q twice is accepted", name)
		}
	})
}

func TestMissingChipsAreExplained(t *testing.T) {
	dir := t.TempDir()
	if err := noChipError(dir); !strings.Contains(err.Error(), "plug the adapter in") {
		t.Errorf("empty folder: %v", err)
	}
	node := filepath.Join(dir, "gpiochip0")
	if err := os.WriteFile(node, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := noChipError(dir); !strings.Contains(err.Error(), "udev rule") {
		t.Errorf("unusable node: %v", err)
	}
}

func TestOpenWithoutLinesNeedsNoAdapter(t *testing.T) {
	s, err := Open(DefaultConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if stopped, cause := s.State(); stopped {
		t.Errorf("stopped: %v", cause)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
