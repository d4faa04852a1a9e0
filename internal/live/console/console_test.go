package console

import (
	"bytes"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/kit/printable"
)

func TestCutCountsColumns(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"abc", 0, ""}, {"abc", -1, ""},
		{"▁▂▃▄", 3, "▁▂▃"}, {"車輪車", 4, "車輪"}, {"車輪車", 5, "車輪"}, {"e\u0301e\u0301", 1, "e\u0301"},
	} {
		if got := Cut(tt.text, tt.columns); got != tt.want {
			t.Errorf("%q in %d columns: %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}

func TestWrapBreaksAtSpaces(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 5, []string{""}}, {"one two three", 20, []string{"one two three"}}, {"one two three", 8, []string{"one two", "three"}}, {"one two three", 7, []string{"one", "two", "three"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}}, {"車", 1, []string{"車"}}, {"a", 0, []string{"a"}},
	} {
		if got := Wrap(tt.text, tt.columns); !slices.Equal(got, tt.want) {
			t.Errorf("%q in %d columns: %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}

// clean makes attributes safe as rig does.
func clean(_ []string, a slog.Attr) slog.Attr {
	if v := a.Value.Resolve(); v.Kind() == slog.KindString || v.Kind() == slog.KindAny {
		a.Value = slog.StringValue(printable.Line(v.String()))
	}
	return a
}

func TestTheLogForPeople(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(NewLog(&b, LogOptions{Level: slog.LevelInfo, ReplaceAttr: clean}))
	log.Debug("not shown")
	log.Info("rig ready", "from", "homing", "cause", "platform homed")
	log.With("device", "G29").WithGroup("g").Warn("lost", "n", 3, "after", time.Second)
	log.Error("a\n12:00:00  ERROR  forged \x1b[2J", "error", errors.New("b\x1b[2J \\x1b[2J\nc"), "key\x1b[2J", "d")
	want := regexp.MustCompile(`^\d\d:\d\d:\d\d  info     rig ready  from=homing cause="platform homed"
\d\d:\d\d:\d\d  WARNING  lost  device=G29 g\.n=3 g\.after=1s
\d\d:\d\d:\d\d  ERROR    a\\n12:00:00  ERROR  forged \\x1b\[2J  error="b\\\\x1b\[2J \\\\x1b\[2J\\\\nc" "key\\x1b\[2J"=d
$`)
	if !want.MatchString(b.String()) {
		t.Errorf("%q", b.String())
	}
}

// Colors mark the level and nothing that came from outside makes any.
func TestTheLogsColors(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(NewLog(&b, LogOptions{Level: slog.LevelDebug, Color: true, ReplaceAttr: clean}))
	log.Debug("d", "error", `\x1b[2J "quoted" \x1b[2J`)
	log.Info("i")
	log.Warn("w")
	log.Error("e")
	text := regexp.MustCompile(`\d\d:\d\d:\d\d`).ReplaceAllString(b.String(), "T")
	want := "\x1b[2mT\x1b[0m  debug    d  error=" + `"\\x1b[2J \"quoted\" \\x1b[2J"` + "\n\x1b[2mT\x1b[0m  info     i\n" +
		"\x1b[2mT\x1b[0m  \x1b[33mWARNING  w\x1b[0m\n\x1b[2mT\x1b[0m  \x1b[1;31mERROR    e\x1b[0m\n"
	if text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if got := withoutCodes(strings.TrimSpace(text)); strings.Contains(got, "\x1b") {
		t.Errorf("%q has codes", got)
	}
}

func TestTheEnvironmentChooses(t *testing.T) {
	for _, tt := range []struct {
		term, noColor string
		dumb, colors  bool
	}{
		{"xterm-256color", "", false, true}, {"xterm", "1", false, false}, {"dumb", "", true, false}, {"", "", true, false},
	} {
		t.Setenv("TERM", tt.term)
		t.Setenv("NO_COLOR", tt.noColor)
		if Dumb() != tt.dumb || Colors() != tt.colors {
			t.Errorf("TERM=%q NO_COLOR=%q: dumb %v, colors %v", tt.term, tt.noColor, Dumb(), Colors())
		}
	}
}
