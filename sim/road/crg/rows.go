package crg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// recordSize is the length of a record [bytes].
const recordSize = 80

// maxPoints bounds the grid: 1 GiB of heights.
const maxPoints = 1 << 28

// rowReader hands out rows of the data; it is either text or bytes.
type rowReader struct {
	data   []byte
	format numberFormat
	line   int // of the row's first record in text, else of the last line of the head
}

// size returns the length of a number [bytes].
func (c numberFormat) size() int {
	size := 4
	if c.text {
		size = 10
	}
	if c.wide {
		size *= 2
	}
	return size
}

// readRows reads the data into columns.
func (f *file) readRows(data []byte) error {
	r := rowReader{data: data, format: f.format, line: f.line}
	if err := f.countRows(&r); err != nil {
		return err
	}
	if f.rows > maxPoints/len(f.sections) {
		return f.fault(f.line, "%d cross sections of %d points; the most is %d points in all: split the road", f.rows, len(f.sections), maxPoints)
	}
	f.z = make([]float32, f.rows*len(f.sections))
	for _, c := range f.channels {
		switch c {
		case channelPhi:
			f.phi = make([]float64, f.rows)
		case channelBank:
			f.bank = make([]float64, f.rows)
		case channelSlope:
			f.rise = make([]float64, f.rows)
		}
	}
	row := make([]float64, len(f.channels))
	for i := range f.rows {
		if err := f.readRow(&r, row); err != nil {
			return err
		}
		if err := f.keep(i, row, r.line); err != nil {
			return err
		}
	}
	return nil
}

// countRows finds how many cross sections there are, and that they are those
// that the head promises.
func (f *file) countRows(r *rowReader) error {
	f.rows = r.rows(len(f.channels))
	if !f.has(sectionRoad, "REFERENCE_LINE_END_U") {
		if !f.format.text {
			f.rows -= r.padding(len(f.channels), f.rows)
		}
		return f.enough()
	}
	end := f.get(sectionRoad, "REFERENCE_LINE_END_U", 0)
	promised := (end-f.uBegin)/f.uStep + 1
	whole := math.Round(promised)
	switch line := f.at(sectionRoad, "REFERENCE_LINE_END_U"); {
	case math.Abs(promised-whole) > 1e-3*max(1, 1e-3*promised):
		return f.fault(line, "REFERENCE_LINE_END_U = %g is no whole number of steps of %g m from %g", end, f.uStep, f.uBegin)
	case whole > float64(f.rows):
		return f.fault(line, "the data have %d cross sections, REFERENCE_LINE_END_U = %g needs %.0f; the file is cut off or the end is wrong", f.rows, end, whole)
	case f.format.text && whole < float64(f.rows):
		return f.fault(line, "the data have %d cross sections, REFERENCE_LINE_END_U = %g allows %.0f; correct the end", f.rows, end, whole)
	}
	f.rows = int(whole)
	return f.enough()
}

// enough checks that the road is neither too short nor too long.
func (f *file) enough() error {
	const longest = 1e6 // [m]
	if f.rows < 2 {
		return f.fault(f.line, "the data have %d whole cross sections of %d channels; a road needs two", f.rows, len(f.channels))
	}
	if long := float64(f.rows-1) * f.uStep; long > longest {
		return f.fault(f.at(sectionRoad, "REFERENCE_LINE_INCREMENT"), "%d cross sections %g m apart make %g m; the most is %g m", f.rows, f.uStep, long, longest)
	}
	return nil
}

// rows counts the rows of so many numbers in the data.
func (r *rowReader) rows(channels int) int {
	if !r.format.text {
		return len(r.data) / (channels * r.format.size())
	}
	records := 0
	for rest := r.data; len(rest) > 0; {
		var line []byte
		if line, rest = cutLine(rest); len(bytes.TrimSpace(line)) > 0 {
			records++
		}
	}
	perRow := (channels*r.format.size() + recordSize - 1) / recordSize
	return (records + perRow - 1) / perRow
}

// padding counts the rows at the end of bytes that only fill the last record.
func (r *rowReader) padding(channels, rows int) int {
	row := channels * r.format.size()
	n := 0
	for ; n < rows && (n+1)*row < recordSize; n++ {
		at := (rows - n - 1) * row
		for i := 0; i < row; i += r.format.size() {
			if !math.IsNaN(r.format.number(r.data[at+i:])) {
				return n
			}
		}
	}
	return n
}

// number returns the first number of bytes.
func (c numberFormat) number(data []byte) float64 {
	if c.wide {
		return math.Float64frombits(binary.BigEndian.Uint64(data))
	}
	return float64(math.Float32frombits(binary.BigEndian.Uint32(data)))
}

// readRow reads the next row.
func (f *file) readRow(r *rowReader, row []float64) error {
	if f.format.text {
		return f.readText(r, row)
	}
	size := f.format.size()
	for i := range row {
		row[i] = f.format.number(r.data[i*size:])
	}
	r.data = r.data[len(row)*size:]
	return nil
}

// readText reads a row of text: numbers of a fixed width without anything in
// between, in as many records as they need.
func (f *file) readText(r *rowReader, row []float64) error {
	size := f.format.size()
	r.line = 0
	for len(row) > 0 {
		var line []byte
		for len(bytes.TrimSpace(line)) == 0 {
			if len(r.data) == 0 {
				return f.fault(f.line, "the last cross section lacks %d of its numbers; the file is cut off", len(row))
			}
			line, r.data = cutLine(r.data)
			f.line++
		}
		if r.line == 0 {
			r.line = f.line
		}
		n := min(len(row), recordSize/size)
		if err := f.readRecord(line, row[:n], size); err != nil {
			return err
		}
		row = row[n:]
	}
	return nil
}

// readRecord reads one record of text.
func (f *file) readRecord(line []byte, row []float64, size int) error {
	for i := range row {
		field := bytes.TrimSpace(line[min(i*size, len(line)):min((i+1)*size, len(line))])
		if len(field) == 0 {
			return f.fault(f.line, "the record has %d numbers, %d are due; write each %d characters wide", i, len(row), size)
		}
		if field[0] == '*' || bytes.EqualFold(field, []byte("nan")) {
			row[i] = math.NaN()
			continue
		}
		var ok bool
		if row[i], ok = parseNumber(string(field)); !ok {
			return f.fault(f.line, "%.20q at column %d is no number; write each %d characters wide, and *missing* for none", field, i*size+1, size)
		}
	}
	if rest := bytes.TrimSpace(line[min(len(row)*size, len(line)):]); len(rest) > 0 {
		return f.fault(f.line, "%.20q is left over after %d numbers %d characters wide; make the D: lines and the columns agree", rest, len(row), size)
	}
	return nil
}

// remedy returns what to do about a number that cannot be: in text, correct it; bytes can only be
// copied or written anew.
func (f *file) remedy(text string) string {
	if f.format.text {
		return text
	}
	return "the data are damaged, or not of the format that the file names; copy the file again byte by byte, or export it anew"
}

// keep stores a row. The line's direction and slope of the first are unused: they
// hold from the cross section before.
func (f *file) keep(i int, row []float64, line int) error {
	const highest = 1e5 // [m]
	for c, v := range row {
		var column []float64
		var name string
		limit := 1.0
		switch f.channels[c] {
		case channelPhi:
			column, name, limit = f.phi, "phi", 1e3
		case channelBank:
			column, name = f.bank, "banking"
		case channelSlope:
			column, name = f.rise, "slope"
		default:
			continue
		}
		if i == 0 && f.channels[c] != channelBank {
			continue
		}
		if !(math.Abs(v) <= limit) { // also true for NaN
			return f.fault(line, "reference line %s is %g in cross section %d; %s", name, v, i+1, f.remedy(fmt.Sprintf("give -%g to %g", limit, limit)))
		}
		column[i] = v
	}
	for j, s := range f.sections {
		v := row[s.column]
		if math.Abs(v) > highest {
			return f.fault(line, "a height of %g m in cross section %d; the most is %g m: %s", v, i+1, highest, f.remedy("write a * for none"))
		}
		f.z[i*len(f.sections)+j] = float32(v)
	}
	return nil
}
