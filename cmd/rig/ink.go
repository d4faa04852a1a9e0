package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/tools/check"
)

// Colors of a terminal (ECMA-48, select graphic rendition).
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[33m"
	green  = "\x1b[32m"
	cyan   = "\x1b[36m"
	bold   = "\x1b[1m"
	plain  = "\x1b[0m"
)

var levelColors = map[check.Level]string{check.Error: red, check.Warning: yellow, check.Note: cyan}

// ink prints text, in color on a terminal that has colors.
type ink struct {
	w       io.Writer
	colored bool
}

// newInk returns the ink for a command's output w. Color is off elsewhere than on a terminal, and where console.Colors
// says so.
func newInk(w io.Writer) *ink {
	if file := terminal(w); file != nil && console.Colors() {
		return &ink{file, true}
	}
	return &ink{w, false}
}

// print prints a text in a color, or plainly if color is "". Arguments become one line each, without control
// characters.
func (k *ink) print(color, format string, args ...any) {
	text := printable.Sprintf(format, args...)
	if k.colored && color != "" {
		text = color + text + plain
	}
	_, _ = io.WriteString(k.w, text) // stdoutWriter keeps the error; a terminal that is closed has no reader
}

// progressAfter returns a function that is told what a command does next, and shows it on the terminal w once the
// command has taken longer than d. end removes the line; it must be called. Nothing is shown elsewhere.
func progressAfter(w io.Writer, d time.Duration) (next func(part string), end func()) {
	file := terminal(w)
	if file == nil {
		return nil, func() {}
	}
	var mu sync.Mutex
	var current string
	isDue, isShown := false, false
	show := func() {
		isShown = true
		fmt.Fprintf(file, "\r\x1b[Krig: checking %s …", current)
	}
	timer := time.AfterFunc(d, func() {
		mu.Lock()
		defer mu.Unlock()
		if isDue = true; current != "" {
			show()
		}
	})
	next = func(part string) {
		mu.Lock()
		defer mu.Unlock()
		if current = part; isDue {
			show()
		}
	}
	return next, func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		if current = ""; isShown {
			fmt.Fprint(file, "\r\x1b[K")
		}
	}
}
