// Package cells reads tables of comma-separated values line by line, without copying and in
// memory that does not grow with them.
package cells

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/sink"
)

// LongestLine bounds a line, and with it the memory that a table takes [bytes].
const LongestLine = 64 << 10

// Reader cuts a table into lines and cells. What it has of a line holds until the next one.
type Reader struct {
	Line  int    // number of the present line, from 1
	Text  []byte // the present line without its end
	Cells []Cell

	name    string // of the file, in errors
	in      *bufio.Reader
	stopped error // an error of in that is passed on as it is
}

// Cell is one value of a line.
type Cell struct {
	Text   []byte // without quotes and blanks around
	Column int    // of its first byte, from 1
}

// New returns a reader of a table. name stands for it in faults, which are *config.Problem; an
// error of in that is stopped, which may be nil, is passed on as it is.
func New(name string, in io.Reader, stopped error) *Reader {
	return &Reader{name: name, in: bufio.NewReaderSize(in, LongestLine), stopped: stopped}
}

// Next reads the next line that is not blank. After the last one it returns
// io.EOF.
func (l *Reader) Next() error {
	for {
		l.Line++
		raw, err := l.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return l.Fault(1, "the line is longer than %d bytes; is this a table of comma-separated values?", LongestLine)
		case err == io.EOF && len(raw) == 0:
			return io.EOF
		case err != nil && err != io.EOF:
			if l.stopped != nil && errors.Is(err, l.stopped) {
				return err
			}
			return &config.Problem{File: l.name, Text: fmt.Sprintf("cannot be read: %v", sink.Bare(err))}
		}
		raw = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
		if l.Line == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(raw)) > 0 {
			l.Text = raw
			return l.split()
		}
	}
}

// Waits reports whether Next has to read more: who answers line by line writes before that.
func (l *Reader) Waits() bool { return l.in.Buffered() == 0 }

// split finds the cells of the line. A quoted cell may hold commas and, as "",
// quotes, but no end of line.
func (l *Reader) split() error {
	l.Cells = l.Cells[:0]
	for at := 0; ; {
		end, err := l.endOfCell(at)
		if err != nil {
			return err
		}
		text := bytes.TrimSpace(l.Text[at:end])
		if len(text) > 1 && text[0] == '"' {
			text = bytes.TrimSpace(text[1 : len(text)-1])
		}
		l.Cells = append(l.Cells, Cell{text, at + 1})
		if end == len(l.Text) {
			return nil
		}
		at = end + 1
	}
}

// endOfCell returns where the comma after the cell at an offset stands, or the
// line's length.
func (l *Reader) endOfCell(at int) (int, error) {
	rest := l.Text[at:]
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
				return 0, l.Fault(at+i+2, "a comma must follow the closing quote")
			}
			return len(l.Text) - len(tail), nil
		}
	}
	return 0, l.Fault(at+blanks+1, "the quote is not closed on its line; close it or take it away")
}

// Fault is wrong at a column of the present line.
func (l *Reader) Fault(column int, format string, args ...any) error {
	return &config.Problem{File: l.name, Line: l.Line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// Count refuses a line with more or fewer cells than the header has.
func (l *Reader) Count(header int) error {
	if len(l.Cells) != header {
		return l.Fault(1, "the line has %d cells and the header %d; give one for each column", len(l.Cells), header)
	}
	return nil
}

// Number reads a cell that must hold a finite number, such as the example.
func (l *Reader) Number(i int, name, example string) (float64, error) {
	c := l.Cells[i]
	v, err := strconv.ParseFloat(string(c.Text), 64)
	if err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v, nil
	}
	if len(c.Text) == 0 {
		return 0, l.Fault(c.Column, "%s is empty; give a number", name)
	}
	return 0, l.Fault(c.Column, "%s: %.40q must be a finite number; give one such as %s", name, c.Text, example)
}

// Instead tells what the cells of the line seem to be separated by, if not by commas.
func (l *Reader) Instead() string {
	for _, s := range []struct{ sign, name string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		if bytes.Contains(l.Text, []byte(s.sign)) {
			return ": the names are separated by " + s.name
		}
	}
	return ""
}
