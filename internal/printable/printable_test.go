package printable

import (
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
	got := Line("rig.toml:1:2: key " + strings.Repeat("ä", 5<<20) + " is not known; choose a")
	if len(got) > 3*longestLine || !strings.HasPrefix(got, "rig.toml:1:2: key ä") || !strings.HasSuffix(got, "ä is not known; choose a") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := Quote(strings.Repeat("a", 1000)); len(got) > 2*longestName || !strings.HasSuffix(got, `a"`) {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\x1b\n\u202e\xff")
	f.Add(strings.Repeat("\x00", 2000))
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Line(s), Name(s), Quote(s)} {
			if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) || len(got) > 11*longestLine {
				t.Errorf("%q of %d bytes", got, len(got))
			}
		}
	})
}
