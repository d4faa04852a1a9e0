package testrun

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/valid"
)

// timeColumn is required in every table.
const timeColumn = "t_s"

// Limits of tables, which are held in memory. An hour at 100 rows per second is within them.
const (
	maxBytes      = 256 << 20
	maxRows       = 500_000
	maxLineLength = 64 << 10 // bytes; also for a row whose cells contain line ends
	maxColumns    = 100      // largest number of columns
)

// table is the content of a file of comma-separated values.
type table struct {
	name    string
	header  []string
	ignored []string    // unknown columns, where these are allowed
	columns []string    // the other columns, in the order of the header
	rows    [][]float64 // values in the order of columns; NaN for an empty cell
	lines   []int       // line number of each row in the file
}

// tableFormat says what a table may hold.
type tableFormat struct {
	known   []string
	strict  bool                                  // unknown columns and empty cells are errors
	problem func(column string, v float64) string // returns what is wrong with a value, "" if nothing is
}

// columnIndex returns the index of a column in the header, -1 if there is none.
func (t *table) columnIndex(name string) int { return slices.Index(t.header, name) }

// value returns a cell, NaN if the table has no such column.
func (t *table) value(row []float64, column string) float64 {
	if i := slices.Index(t.columns, column); i >= 0 {
		return row[i]
	}
	return math.NaN()
}

// reader reads one table.
type reader struct {
	csv *csv.Reader
	tableFormat
	table
	last float64 // time of the row before
}

// readTable reads a table. Its errors are *config.Problem, with their places.
func readTable(name string, in io.Reader, f tableFormat) (table, error) {
	r := &reader{csv: csv.NewReader(&lineLimiter{in: skipByteOrderMark(in), line: 1}), tableFormat: f, table: table{name: name}, last: math.Inf(-1)}
	r.csv.FieldsPerRecord, r.csv.TrimLeadingSpace, r.csv.ReuseRecord = -1, true, true
	if err := r.readHeader(); err != nil {
		return table{}, err
	}
	for {
		cells, err := r.csv.Read()
		switch {
		case err == io.EOF && len(r.rows) == 0:
			return table{}, &config.Problem{File: name, Text: "no row below the header; at least one is required"}
		case err == io.EOF:
			return r.table, nil
		case err != nil:
			return table{}, r.syntaxError(err)
		}
		if len(r.rows) == maxRows {
			return table{}, r.fault(0, "the table has more than %d rows; remove some, for example every second, or split it", maxRows)
		}
		if err := r.readRow(cells); err != nil {
			return table{}, err
		}
	}
}

// skipByteOrderMark skips a UTF-8 byte order mark, which some programs write before a text.
func skipByteOrderMark(in io.Reader) io.Reader {
	b, mark := bufio.NewReader(in), []byte("\xef\xbb\xbf")
	if head, err := b.Peek(len(mark)); err == nil && bytes.Equal(head, mark) {
		b.Discard(len(mark))
	}
	return b
}

// lineLimiter is a reader that fails at a line of more than maxLineLength bytes. A line break within
// quotes does not end a line.
type lineLimiter struct {
	in     io.Reader
	line   int  // number of the line, from 1
	length int  // length of the line so far
	quoted bool // whether the position is within quotes
}

// Read implements io.Reader.
func (s *lineLimiter) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	for _, c := range p[:n] {
		s.length++
		switch c {
		case '"':
			s.quoted = !s.quoted
		case '\n':
			s.line++
			if !s.quoted {
				s.length = 0
			}
		}
		if s.length > maxLineLength {
			return 0, fmt.Errorf("line %d has more than %d bytes; is this a table of comma-separated values?", s.line, maxLineLength)
		}
	}
	return n, err
}

// readHeader reads the header and sets r.header, r.columns and r.ignored.
func (r *reader) readHeader() error {
	cells, err := r.csv.Read()
	if err == io.EOF {
		return &config.Problem{File: r.name, Text: "is empty; begin with a header line, with columns of " + strings.Join(r.known, ", ")}
	}
	if err != nil {
		return r.syntaxError(err)
	}
	if len(cells) > maxColumns {
		return r.fault(maxColumns, "the table has %d columns; give up to %d", len(cells), maxColumns)
	}
	for i, cell := range cells {
		name := strings.TrimSpace(cell)
		switch {
		case slices.Contains(r.header, name):
			return r.fault(i, "the column %q occurs twice; remove one", name)
		case !slices.Contains(r.known, name) && r.strict:
			return r.fault(i, "unknown column %q; known are %s", name, strings.Join(r.known, ", "))
		case !slices.Contains(r.known, name):
			r.ignored = append(r.ignored, name)
		default:
			r.columns = append(r.columns, name)
		}
		r.header = append(r.header, name)
	}
	if r.columnIndex(timeColumn) < 0 {
		return r.fault(0, "the column %s is missing; add the times [s], and separate columns by commas", timeColumn)
	}
	return nil
}

// readRow parses the cells of a line and appends them to r.rows.
func (r *reader) readRow(cells []string) error {
	if len(cells) != len(r.header) {
		return r.fault(min(len(cells), len(r.header))-1, "the line has %d cells, but the header %d", len(cells), len(r.header))
	}
	row := make([]float64, 0, len(r.columns))
	for i, cell := range cells {
		if !slices.Contains(r.known, r.header[i]) {
			continue
		}
		v, text := r.number(r.header[i], strings.TrimSpace(cell))
		if text != "" {
			return r.fault(i, "%s: %s", r.header[i], text)
		}
		row = append(row, v)
	}
	time := r.value(row, timeColumn)
	if !(time > r.last) {
		return r.fault(r.columnIndex(timeColumn), "%s = %g: times must rise from line to line; the one before is %g", timeColumn, time, r.last)
	}
	r.last = time
	line, _ := r.csv.FieldPos(0)
	r.rows, r.lines = append(r.rows, row), append(r.lines, line)
	return nil
}

// number parses a cell, and returns what is wrong with it, "" if nothing is.
func (r *reader) number(column, cell string) (float64, string) {
	if cell == "" && !r.strict && column != timeColumn {
		return math.NaN(), ""
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil || !valid.Finite(v):
		if !r.strict && math.IsNaN(v) && column != timeColumn {
			return v, ""
		}
		return 0, fmt.Sprintf("%q: must be a number, for example 0.25 or 2.5e-1", cell)
	case r.problem != nil:
		return v, r.problem(column, v)
	}
	return v, ""
}

// fault returns an error at a cell of the row that was read last.
func (r *reader) fault(cell int, format string, args ...any) error {
	line, column := r.csv.FieldPos(cell)
	return &config.Problem{File: r.name, Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// syntaxError returns an error of the CSV reader with its place, or an error about reading.
func (r *reader) syntaxError(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return &config.Problem{File: r.name, Line: p.Line, Column: p.Column, Text: fmt.Sprintf("%v; close it, or write \"\" for a quote within quotes", p.Err)}
	}
	return readError(r.name, err)
}

// readError returns an error about a file that cannot be read.
func readError(name string, err error) error {
	return &config.Problem{File: name, Text: fmt.Sprintf("cannot be read: %v", sink.WithoutPath(err))}
}
