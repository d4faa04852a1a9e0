package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestNothingThatATerminalActsOnGetsThrough(t *testing.T) {
	const text = "a\x1b[2J\r\n\tä │█ \u202e\u009b\x00\xff ○\xe2\x97"
	const want = `a\u001b[2J\u000d` + "\n\tä │█ " + `\u202e\u009b\u0000\xff ○\xe2\x97`
	for _, size := range []int{1, 2, 3, 7, len(text)} {
		var out bytes.Buffer
		s := &screen{w: &out}
		for from := 0; from < len(text); from += size {
			part := text[from:min(from+size, len(text))]
			if n, err := io.WriteString(s, part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		s.end()
		if out.String() != want {
			t.Errorf("%d bytes at a time: %q, want %q", size, out.String(), want)
		}
	}
}

func TestLogsAreOneShortLineEach(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&screen{w: &out}, &slog.HandlerOptions{ReplaceAttr: cleanAttr}))
	long := strings.Repeat("long", 1<<20)
	log.Info("a\nlevel=ERROR msg=forged\x1b[2J"+long, "device", "b\x1b"+long, "error", errors.New("c\n"+long), "state", odd(long),
		"list", []string{long}, "n", 3, "of", time.Second, "none", nil, slog.Group("g", "x", "\x1b"+long))
	line := out.String()
	if strings.Count(line, "\n") != 1 || len(line) > 20_000 || strings.ContainsAny(line, "\x1b\x00") || !utf8.ValidString(line) {
		t.Errorf("%d bytes: %.3000s", len(line), line)
	}
	for _, part := range []string{" n=3 ", " of=1s ", " none=<nil> "} {
		if !strings.Contains(line, part) {
			t.Errorf("%q is not in the log", part)
		}
	}
}

type odd string

func (o odd) String() string { return "\x1b" + string(o) }

// JSON means the same on a screen.
func TestJSONStaysWhatItIs(t *testing.T) {
	want := "a\x1b\u202e\"\x7f\U000e0001\n"
	var out bytes.Buffer
	if err := json.NewEncoder(&screen{w: &out}).Encode(want); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got != want {
		t.Errorf("%q, %v, of %q", got, err, out.String())
	}
}
