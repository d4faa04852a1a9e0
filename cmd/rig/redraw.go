package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"rig.example/rig/internal/watch"
)

// redraw writes lines to a terminal over those that it wrote before.
type redraw struct {
	out  *os.File
	rows int // lines written before
}

// columns returns the terminal's width, or 80 if it is not known.
func (r *redraw) columns() int {
	if width, _, err := term.GetSize(int(r.out.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// show writes the lines, cut to the terminal's size: a line that wraps or scrolls could not be
// overwritten.
func (r *redraw) show(lines []string) error {
	var b strings.Builder
	if r.rows == 0 {
		b.WriteString("\x1b[?25l") // no cursor
	} else {
		fmt.Fprintf(&b, "\r\x1b[%dA", r.rows)
	}
	if _, height, err := term.GetSize(int(r.out.Fd())); err == nil && height > 1 {
		lines = lines[:min(len(lines), height-1)]
	}
	for _, l := range lines {
		b.WriteString("\x1b[K" + watch.Fit(l, r.out) + "\n")
	}
	b.WriteString("\x1b[J")
	r.rows = len(lines)
	_, err := io.WriteString(r.out, b.String())
	return err
}

// end shows the cursor again.
func (r *redraw) end() {
	if r.rows > 0 {
		_, _ = io.WriteString(r.out, "\x1b[?25h")
	}
}
