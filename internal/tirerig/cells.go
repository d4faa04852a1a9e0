package tirerig

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"rig/internal/config"
	"rig/internal/sink"
)

// bufferSize bounds a line, and with it the memory that a batch takes.
const bufferSize = 64 << 10

// lines cuts comma-separated values into lines and cells, without copying.
type lines struct {
	name  string // of the file, in errors
	in    *bufio.Reader
	line  int    // number of the present one, from 1
	text  []byte // the present line without its end
	cells []cell
}

// cell is one value of a line.
type cell struct {
	text   []byte // without quotes and blanks around
	column int    // of its first byte, from 1
}

func newLines(name string, in io.Reader) *lines {
	return &lines{name: name, in: bufio.NewReaderSize(in, bufferSize)}
}

// next reads the next line that is not blank. After the last one it returns
// io.EOF.
func (l *lines) next() error {
	for {
		l.line++
		raw, err := l.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return l.fault(1, "the line is longer than %d bytes; is this a table of comma-separated values?", bufferSize)
		case err == io.EOF && len(raw) == 0:
			return io.EOF
		case err != nil && err != io.EOF:
			return unreadable(l.name, err)
		}
		raw = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
		if l.line == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(raw)) > 0 {
			l.text = raw
			return l.split()
		}
	}
}

// split finds the cells of the line. A quoted cell may hold commas and, as "",
// quotes, but no end of line.
func (l *lines) split() error {
	l.cells = l.cells[:0]
	for at := 0; ; {
		end, err := l.endOfCell(at)
		if err != nil {
			return err
		}
		text := bytes.TrimSpace(l.text[at:end])
		if len(text) > 1 && text[0] == '"' {
			text = bytes.TrimSpace(text[1 : len(text)-1])
		}
		l.cells = append(l.cells, cell{text, at + 1})
		if end == len(l.text) {
			return nil
		}
		at = end + 1
	}
}

// endOfCell returns where the comma after the cell at an offset stands, or the
// line's length.
func (l *lines) endOfCell(at int) (int, error) {
	rest := l.text[at:]
	comma := bytes.IndexByte(rest, ',')
	if comma < 0 {
		comma = len(rest)
	}
	blanks := len(rest) - len(bytes.TrimLeft(rest, " \t"))
	if blanks == len(rest) || rest[blanks] != '"' {
		return at + comma, nil
	}
	for i := blanks + 1; i < len(rest); i++ {
		switch {
		case rest[i] != '"':
		case i+1 < len(rest) && rest[i+1] == '"':
			i++
		default:
			tail := bytes.TrimLeft(rest[i+1:], " \t")
			if len(tail) > 0 && tail[0] != ',' {
				return 0, l.fault(at+i+2, "a comma must follow the closing quote")
			}
			return len(l.text) - len(tail), nil
		}
	}
	return 0, l.fault(at+blanks+1, "the quote is not closed on its line; close it or take it away")
}

func (l *lines) fault(column int, format string, args ...any) error {
	return &config.Problem{File: l.name, Line: l.line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// unreadable says that a file cannot be read, without naming it twice.
func unreadable(name string, err error) error {
	if errors.Is(err, errInterrupted) {
		return err
	}
	return &config.Problem{File: name, Text: fmt.Sprintf("cannot be read: %v", sink.Bare(err))}
}
