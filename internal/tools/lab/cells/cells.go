// Package cells reads tables of comma-separated values line by line, without copying and in constant memory.
package cells

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/valid"
)

// MaxLine is the size of the longest line, and with it the memory that reading takes [bytes].
const MaxLine = 64 << 10

// Reader splits a table into lines and cells. Text and Cells are valid until the next call of Next.
type Reader struct {
	Line  int    // number of the current line, from 1
	Text  []byte // the current line without its line break
	Cells []Cell

	name        string // name of the table in errors
	in          *bufio.Reader
	passThrough error // if reading fails with this error, Next returns it unchanged; may be nil
}

// Cell is one value of a line.
type Cell struct {
	Text   []byte // without surrounding quotes and blanks
	Column int    // column of the cell's first byte in the line, counted from 1
}

// New returns a reader of a table. name is the table's name in errors, which are *config.Problem. Only a
// read error that wraps passThrough is returned unchanged; passThrough may be nil.
func New(name string, in io.Reader, passThrough error) *Reader {
	return &Reader{name: name, in: bufio.NewReaderSize(in, MaxLine), passThrough: passThrough}
}

// Next reads the next line that is not blank. After the last line it returns io.EOF.
func (l *Reader) Next() error {
	for {
		l.Line++
		raw, err := l.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return l.Fault(1, "the line is longer than %d bytes; is this a table of comma-separated values?", MaxLine)
		case err == io.EOF && len(raw) == 0:
			return io.EOF
		case err != nil && err != io.EOF:
			if l.passThrough != nil && errors.Is(err, l.passThrough) {
				return err
			}
			return &config.Problem{File: l.name, Text: fmt.Sprintf("cannot be read: %v", sink.WithoutPath(err))}
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

// NextMayWait reports whether no whole line is buffered, so that Next must read from the input and may wait. A
// caller that answers line by line flushes its output before.
func (l *Reader) NextMayWait() bool {
	buffered, _ := l.in.Peek(l.in.Buffered())
	return bytes.IndexByte(buffered, '\n') < 0
}

// split finds the cells of the line. A quoted cell may contain commas and, as "", quotes, but no line break.
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

// endOfCell returns the offset of the comma after the cell that begins at the offset at, or the length of
// the line for its last cell.
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
	return 0, l.Fault(at+blanks+1, "the quote is not closed on its line; close it or remove it")
}

// Fault returns a *config.Problem at a column of the current line, counted in bytes from 1.
func (l *Reader) Fault(column int, format string, args ...any) error {
	return &config.Problem{File: l.name, Line: l.Line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// CheckCount returns an error unless the line has as many cells as the header.
func (l *Reader) CheckCount(header int) error {
	if len(l.Cells) != header {
		return l.Fault(1, "the line has %d cells, but the header has %d; give one for each column", len(l.Cells), header)
	}
	return nil
}

// Number parses cell i, which must be a finite number. name and example are for the error.
func (l *Reader) Number(i int, name, example string) (float64, error) {
	c := l.Cells[i]
	v, err := strconv.ParseFloat(string(c.Text), 64)
	if err == nil && valid.Finite(v) {
		return v, nil
	}
	if len(c.Text) == 0 {
		return 0, l.Fault(c.Column, "%s is empty; give a number", name)
	}
	return 0, l.Fault(c.Column, "%s: %.40q must be a finite number; give one such as %s", name, c.Text, example)
}

// SeparatorHint returns a text that names the separator of the line if it does not seem to be a comma.
func (l *Reader) SeparatorHint() string {
	for _, s := range []struct{ sign, name string }{{";", "semicolons"}, {"\t", "tabs"}, {"|", "bars"}} {
		if bytes.Contains(l.Text, []byte(s.sign)) {
			return ": the names are separated by " + s.name
		}
	}
	return ""
}
