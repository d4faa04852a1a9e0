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
			w := &displayLog{log: slog.New(slog.DiscardHandler)}
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
	w := &displayLog{log: slog.New(slog.DiscardHandler)}
	for range 100 {
		fmt.Fprint(w, long)
	}
	if len(w.line) > maxLine || len(w.reason()) > maxLine {
		t.Errorf("%d bytes are kept", len(w.line))
	}
}
