package printable

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct{ name, s, want string }{
		{"plain", `a "quoted" \ path, 62 % of 1 N·m`, `a "quoted" \ path, 62 % of 1 N·m`},
		{"escape sequence", "\x1b[2J", `\x1b[2J`},
		{"forged line", "a\nrig: done\r", `a\nrig: done\r`},
		{"NUL", "a\x00b", `a\x00b`},
		{"C1 control", "\u009b2J", `\u009b2J`},
		{"direction", "\u202egpj.exe", `\u202egpj.exe`},
		{"not UTF-8", "\xff\xfe", `\xff\xfe`},
	} {
		if got := Line(tt.s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestLongTextKeepsBothEnds(t *testing.T) {
	got := Line("rig.toml:1:2: key " + strings.Repeat("ä", 5<<20) + " not found; choose a")
	if len(got) > 3*maxLine || !strings.HasPrefix(got, "rig.toml:1:2: key ä") || !strings.HasSuffix(got, "ä not found; choose a") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := Name(strings.Repeat("a", 1000)); len(got) > 2*maxName || !strings.HasSuffix(got, "a") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func TestExcerpt(t *testing.T) {
	for s, want := range map[string]string{
		"a\tb\x7fc": "a b c", "a\u009bb\u202ec\u2028": "a b c ", strings.Repeat("ä", 80): strings.Repeat("ä", 80), strings.Repeat("ä", 81): strings.Repeat("ä", 80) + "…",
	} {
		if got := Excerpt(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestSprintfCleansWhatIsPutIn(t *testing.T) {
	got := Sprintf("%-5s|%v|%v|%.1f\n", "a\nb", errors.New("c\x1b[2J"), stringer("d\r"), 1.25)
	if want := `a\nb |c\x1b[2J|d\r|1.2` + "\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Sprintf("%s", strings.Repeat("long", 1<<20)); len(got) > 3*maxLine {
		t.Errorf("%d bytes", len(got))
	}
}

type stringer string

func (s stringer) String() string { return string(s) }

func TestTextKeepsLinesAndJSON(t *testing.T) {
	for s, want := range map[string]string{
		"a\n\tb äöü │█ µ":    "a\n\tb äöü │█ µ",
		"a\x1b[2J\r\x00\x7f": `a\u001b[2J\u000d\u0000\u007f`,
		"\u009b\u202e\u2028": `\u009b\u202e\u2028`,
		"\U000e0001":         `\udb40\udc01`,
		"\x9b":               `\x9b`,
	} {
		if got := Text(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// JSON that goes through Text means the same.
func FuzzText(f *testing.F) {
	f.Add("a\x1b\n\u202e\U000e0001\x7f")
	f.Fuzz(func(t *testing.T, s string) {
		coded, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		if err := errors.Join(json.Unmarshal(coded, &want), json.Unmarshal([]byte(Text(string(coded))), &got)); err != nil || got != want {
			t.Errorf("%q became %q, %v", want, got, err)
		}
		if clean := Text(s); strings.ContainsFunc(clean, controlsTerminal) || !utf8.ValidString(clean) {
			t.Errorf("%q", clean)
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add("a\x1b\n\u202e\xff")
	f.Add(strings.Repeat("\x00", 2000))
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Line(s), Name(s)} {
			if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) || len(got) > 11*maxLine {
				t.Errorf("%q of %d bytes", got, len(got))
			}
		}
	})
}
