package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The cockpits of the document can be copied as they stand.
func TestTheCockpitsOfTheDocumentLoad(t *testing.T) {
	_, text, _ := strings.Cut(textOf(t, "controls.md"), "## Ten cockpits\n")
	text, _, _ = strings.Cut(text, "\n## ")
	parts := strings.Split(text, "\n**")[1:]
	if len(parts) != 10 {
		t.Errorf("%d cockpits, want 10", len(parts))
	}
	for _, part := range parts {
		title, _, _ := strings.Cut(part, "**")
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

// The tables of [wheel] and [estop] name the defaults and the ranges that hold.
func TestTablesOfControlsAreTrue(t *testing.T) {
	_, stop, _ := strings.Cut(textOf(t, "controls.md"), "### Settings, table `[estop]`")
	stop, _, _ = strings.Cut(stop, "\n### ")
	_, wheel, _ := strings.Cut(textOf(t, "configuration.md"), "\n| **`[wheel]`**")
	wheel, _, _ = strings.Cut("| "+wheel, "\n| **`[buttons]`**")
	keys, err := Keys(Default())
	if err != nil {
		t.Fatal(err)
	}
	limits := regexp.MustCompile(`([0-9.]+)\.\.([0-9.]+)`)
	for table, text := range map[string]string{"estop": stop, "wheel": wheel} {
		for key, value := range keys[table].(map[string]any) {
			row := rowWith(text, key)
			if row == nil {
				t.Errorf("no row has %s.%s", table, key)
				continue
			}
			if got, want := strings.Trim(strings.TrimSpace(row[2]), "`"), fmt.Sprint(value); strings.Trim(got, `"`) != want {
				t.Errorf("%s.%s is %s by default, the document says %s", table, key, want, got)
			}
			if m := limits.FindStringSubmatch(strings.Join(row[3:], "|")); m != nil {
				outside(t, table, key, m[2])
			}
		}
	}
}

// rowWith finds the cells of a key's row.
func rowWith(text, key string) []string {
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && strings.Contains(cells[1], "`"+key+"`") {
			return cells
		}
	}
	return nil
}

// outside tells of a key that takes more than the document says, or not as much.
func outside(t *testing.T, table, key, most string) {
	t.Helper()
	at, err := strconv.ParseFloat(most, 64)
	if err != nil {
		t.Fatal(err)
	}
	for value, takes := range map[float64]bool{at: true, 1.001 * at: false} {
		cfg := Default()
		err := Decode("f.toml", fmt.Appendf(nil, "[%s]\n%s = %g\n", table, key, value), &cfg)
		if (err == nil) != takes {
			t.Errorf("%s.%s = %g: %v; the document says %s at most", table, key, value, err, most)
		}
	}
}
