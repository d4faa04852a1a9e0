// Package console writes the output of a command that must never wait for its reader: log lines and, on a terminal, a
// block of lines below them that shows the present state. Its inputs are texts and lines; its output goes to a terminal, a
// pipe or a file. It also has the form that a log takes for people. It knows nothing of what the lines say.
package console

import (
	"os"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"rig.example/rig/internal/kit/printable"
)

// Tone is how urgent a line is. It is shown by color, so the words of the line must say it too.
type Tone int

const (
	Plain Tone = iota
	Title      // heads the block
	Warning
	Failure
)

// Line is a line of a block.
type Line struct {
	Text string
	Tone Tone
}

// codes holds the escape sequence that begins each tone.
var codes = [...]string{Plain: "", Title: "\x1b[1m", Warning: "\x1b[33m", Failure: "\x1b[1;31m"}

const codeEnd = "\x1b[0m"

// colored returns text in a tone.
func colored(text string, tone Tone) string {
	if codes[tone] == "" {
		return text
	}
	return codes[tone] + text + codeEnd
}

// Plainly returns texts as lines without a tone.
func Plainly(texts []string) []Line {
	lines := make([]Line, len(texts))
	for i, text := range texts {
		lines[i].Text = text
	}
	return lines
}

// Size returns the width and the height of a terminal, or 80 and 24 if they are not known.
func Size(f *os.File) (columns, rows int) {
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// Fit returns a line without control characters, cut to one column less than a terminal's width, so that it does not wrap.
func Fit(line string, terminal *os.File) string {
	columns, _ := Size(terminal)
	return Cut(printable.Line(line), columns-1)
}

// Cut returns the start of a text that is at most that many columns wide.
func Cut(text string, columns int) string {
	width, state, rest := 0, -1, text
	for rest != "" {
		var w int
		_, next, w, newState := uniseg.FirstGraphemeClusterInString(rest, state)
		if width+w > columns {
			return text[:len(text)-len(rest)]
		}
		width, rest, state = width+w, next, newState
	}
	return text
}

// Width returns how many columns a text takes.
func Width(text string) int { return uniseg.StringWidth(text) }

// Wrap returns text in lines of at most that many columns, broken at spaces where it can be.
func Wrap(text string, columns int) (lines []string) {
	for columns > 0 && Width(text) > columns {
		line := Cut(text, columns)
		if line == "" { // a character is wider than the line
			break
		}
		if at := strings.LastIndexByte(line, ' '); at > 0 {
			line = line[:at]
		}
		lines = append(lines, line)
		text = strings.TrimPrefix(text[len(line):], " ")
	}
	return append(lines, text)
}

// Dumb reports whether the terminal takes no control sequences, as the environment says.
func Dumb() bool { return slices.Contains([]string{"", "dumb"}, os.Getenv("TERM")) }

// Colors reports whether colors are wanted on a terminal, as the environment says (no-color.org).
func Colors() bool { return os.Getenv("NO_COLOR") == "" && !Dumb() }

// inForeground reports whether this process may draw on the terminal: another job of the same shell may have it.
func inForeground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp() // an error: it is not the terminal that controls this process
}

// typedBytes returns the length of the lines that were typed at the terminal and not read.
func typedBytes(f *os.File) int {
	n, _ := unix.IoctlGetInt(int(f.Fd()), unix.TIOCINQ)
	return n
}

// takes reports whether a write to f would not have to wait.
func takes(f *os.File) bool {
	poll := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	n, err := unix.Poll(poll, 0)
	return err != nil || n > 0
}
