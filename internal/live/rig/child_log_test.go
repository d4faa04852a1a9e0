package rig

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
)

func TestTheReasonOfADisplaysEnd(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	for _, tt := range []struct {
		name, said, want string
	}{
		{"nothing", "", ""},
		{"its own words", "rig: display: no window\n", "display: no window"},
		{"a library before them", "MESA: error: no driver\nlibGL error\nrig: display: no window\n", "display: no window"},
		{"a library alone", "X connection to :0 broken (explicit kill or server shutdown).\r\n", "X connection to :0 broken (explicit kill or server shutdown)."},
		{"a panic", "panic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: nil map"},
		{"no end of a line", "rig: display: gone", "display: gone"},
		{"raw text", "\x1b[2Jred\n", `\x1b[2Jred`},
	} {
		for _, step := range []int{1, 7, 1 << 20} { // as it may arrive
			w := &childLog{name: "display", log: slog.New(slog.DiscardHandler)}
			for said := tt.said; said != ""; {
				n := min(step, len(said))
				io.WriteString(w, said[:n])
				said = said[n:]
			}
			if got := w.reason(); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
	}
	w := &childLog{name: "display", log: slog.New(slog.DiscardHandler)}
	for range 100 {
		fmt.Fprint(w, long)
	}
	if len(w.line) > maxLine || len(w.reason()) > maxLine {
		t.Errorf("%d bytes are kept", len(w.line))
	}
}

// A child's log records keep their level and attributes; text that only looks like one does not become one.
func TestRecordsOfAChildAreLoggedAgain(t *testing.T) {
	var out strings.Builder
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	w := &childLog{name: "outputs", log: log}
	slog.New(slog.NewJSONHandler(w, nil)).Warn("nobody listens", "address", "10.0.0.1:4444")
	io.WriteString(w, `{"level":"WARN"}`+"\n"+`{"level":"loud","msg":"x"}`+"\n{broken\nrig: no port\n")
	if want := "level=WARN msg=\"nobody listens\" address=10.0.0.1:4444\n"; out.String() != want {
		t.Errorf("logged %q, want %q", out.String(), want)
	}
	if got := w.reason(); got != "no port" {
		t.Errorf("reason %q", got)
	}
}
