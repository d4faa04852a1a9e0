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

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/sink"
)

// timeColumn must be in every table.
const timeColumn = "t_s"

// Tables are held in memory. Their limits are above an hour at 100 rows a second.
const (
	mostBytes = 256 << 20
	mostRows  = 500_000
	mostLine  = 64 << 10 // bytes, also of a row whose cells hold line ends
	mostCells = 100      // in a row
)

// table is what a file of comma-separated values holds.
type table struct {
	name    string
	header  []string
	ignored []string    // columns that are not known, where that is no fault
	held    []string    // the other columns, in the header's order
	rows    [][]float64 // in the order of held; NaN where a cell is empty
	lines   []int       // where in the file they stand
}

// form says what a table may hold.
type form struct {
	known  []string
	strict bool // other columns and empty cells are faults
	check  func(column string, v float64) string
}

// column returns where a column stands, -1 for nowhere.
func (t *table) column(name string) int { return slices.Index(t.header, name) }

// value returns a cell, NaN where the table has no such column.
func (t *table) value(row []float64, column string) float64 {
	if i := slices.Index(t.held, column); i >= 0 {
		return row[i]
	}
	return math.NaN()
}

// reader reads one table and knows where it is.
type reader struct {
	csv *csv.Reader
	form
	table
	last float64 // time of the line before
}

// readTable reads a table. Its faults are *config.Problem, with their places.
func readTable(name string, in io.Reader, f form) (table, error) {
	r := &reader{csv: csv.NewReader(&shortLines{in: plain(in), line: 1}), form: f, table: table{name: name}, last: math.Inf(-1)}
	r.csv.FieldsPerRecord, r.csv.TrimLeadingSpace, r.csv.ReuseRecord = -1, true, true
	if err := r.readHeader(); err != nil {
		return table{}, err
	}
	for {
		cells, err := r.csv.Read()
		switch {
		case err == io.EOF && len(r.rows) == 0:
			return table{}, &config.Problem{File: name, Text: "holds no line below its header; give at least one"}
		case err == io.EOF:
			return r.table, nil
		case err != nil:
			return table{}, r.broken(err)
		}
		if len(r.rows) == mostRows {
			return table{}, r.fault(0, "the table has more than %d rows; leave some out, as every second, or split it", mostRows)
		}
		if err := r.readRow(cells); err != nil {
			return table{}, err
		}
	}
}

// plain takes off the mark that some programs put before a text.
func plain(in io.Reader) io.Reader {
	b, mark := bufio.NewReader(in), []byte("\xef\xbb\xbf")
	if head, err := b.Peek(len(mark)); err == nil && bytes.Equal(head, mark) {
		b.Discard(len(mark))
	}
	return b
}

// shortLines ends a text with an error in a line that is too long to be one of a table. A line
// end within quotes ends none.
type shortLines struct {
	in     io.Reader
	line   int // from 1
	length int // of it so far
	quoted bool
}

func (s *shortLines) Read(p []byte) (int, error) {
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
		if s.length > mostLine {
			return 0, fmt.Errorf("line %d has more than %d bytes; is this a table of comma-separated values?", s.line, mostLine)
		}
	}
	return n, err
}

func (r *reader) readHeader() error {
	cells, err := r.csv.Read()
	if err == io.EOF {
		return &config.Problem{File: r.name, Text: "is empty; begin with the columns' names, of " + strings.Join(r.known, ", ")}
	}
	if err != nil {
		return r.broken(err)
	}
	if len(cells) > mostCells {
		return r.fault(mostCells, "the table has %d columns; give up to %d", len(cells), mostCells)
	}
	for i, cell := range cells {
		name := strings.TrimSpace(cell)
		switch {
		case slices.Contains(r.header, name):
			return r.fault(i, "the column %q is there twice; take one away", name)
		case !slices.Contains(r.known, name) && r.strict:
			return r.fault(i, "unknown column %q; known are %s", name, strings.Join(r.known, ", "))
		case !slices.Contains(r.known, name):
			r.ignored = append(r.ignored, name)
		default:
			r.held = append(r.held, name)
		}
		r.header = append(r.header, name)
	}
	if r.column(timeColumn) < 0 {
		return r.fault(0, "the column %s is missing; give the times [s], and separate columns by commas", timeColumn)
	}
	return nil
}

func (r *reader) readRow(cells []string) error {
	if len(cells) != len(r.header) {
		return r.fault(min(len(cells), len(r.header))-1, "the line has %d cells, the header %d; make them equal", len(cells), len(r.header))
	}
	row := make([]float64, 0, len(r.held))
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
	now := r.value(row, timeColumn)
	if !(now > r.last) {
		return r.fault(r.column(timeColumn), "%s = %g: times must rise from line to line; the one before is %g", timeColumn, now, r.last)
	}
	r.last = now
	line, _ := r.csv.FieldPos(0)
	r.rows, r.lines = append(r.rows, row), append(r.lines, line)
	return nil
}

// number reads a cell, or says what is wrong with it.
func (r *reader) number(column, cell string) (float64, string) {
	if cell == "" && !r.strict && column != timeColumn {
		return math.NaN(), ""
	}
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		if !r.strict && math.IsNaN(v) && column != timeColumn {
			return v, ""
		}
		return 0, fmt.Sprintf("%q is no number; write it as 0.25 or 2.5e-1", cell)
	case r.check != nil:
		return v, r.check(column, v)
	}
	return v, ""
}

// fault is wrong at a cell of the line that was read last.
func (r *reader) fault(cell int, format string, args ...any) error {
	line, column := r.csv.FieldPos(cell)
	return &config.Problem{File: r.name, Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// broken gives what is no table its place, or tells that it cannot be read.
func (r *reader) broken(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return &config.Problem{File: r.name, Line: p.Line, Column: p.Column, Text: fmt.Sprintf("%v; close it, or write \"\" for a quote within quotes", p.Err)}
	}
	return unreadable(r.name, err)
}

func unreadable(name string, err error) error {
	return &config.Problem{File: name, Text: fmt.Sprintf("cannot be read: %v", sink.Bare(err))}
}
