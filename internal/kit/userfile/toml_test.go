package userfile

import (
	"strings"
	"testing"
)

func TestTOML(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int // 0 if it is taken
	}{
		{"nothing", "", 0},
		{"as many as allowed", "a=1\n[b]\nc=1", 0},
		{"one too many", "a=1\n[b]\nc=1\nd=1", 4},
		{"a list over lines", "a=[\n1,\n[2],\n]\n[b]\n[c]\n", 0},
		{"in a comment and texts", "# = = = =\na = \"=\\\"=\"\nb='=='\nc='''\n=\n=\n=''' # =\n", 0},
		{"after a text over lines", "a=\"\"\"\n\n\"\"\"\nb=1\nc=1\nd=1", 6},
		{"a text without an end", "a='\nb=1\nc=1\nd=1", 4},
		{"numbers", "a=[" + strings.Repeat("1.5,", 100) + "]", 0},
		{"closed too often", "]]]]]\na=1", 0},
	} {
		text, line, err := TOML([]byte("\xef\xbb\xbf"+tt.text), 3)
		if line != tt.line || (err == nil) != (line == 0) || err == nil && string(text) != tt.text {
			t.Errorf("%s: line %d, %v, %q", tt.name, line, err, text)
		}
	}
}

func FuzzTOML(f *testing.F) {
	f.Add([]byte("a=[1,\n{b='''\n'''}]#\n[c.d]\n\"\\\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, line, err := TOML(data, 5); (err == nil) != (line == 0) {
			t.Errorf("line %d, %v", line, err)
		}
	})
}
