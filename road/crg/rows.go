package crg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// recordSize is the length of a record of the data [bytes].
const recordSize = 80

// maxPoints is the maximum number of points of a grid: 1 GiB of heights.
const maxPoints = 1 << 28

// rowReader reads rows of the data, which are text or binary.
type rowReader struct {
	data   []byte
	format numberFormat
	line   int // line of the current row's first record in text data, else the last line of the header
}

// size returns the length of one number [bytes].
func (c numberFormat) size() int {
	size := 4
	if c.isText {
		size = 10
	}
	if c.isDouble {
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
	if f.rowCount > maxPoints/len(f.sections) {
		return f.errorAt(f.line, "%d cross sections of %d points: must be at most %d points in total; split the road",
			f.rowCount, len(f.sections), maxPoints)
	}
	f.z = make([]float32, f.rowCount*len(f.sections))
	for _, c := range f.channels {
		switch c {
		case channelPhi:
			f.phi = make([]float64, f.rowCount)
		case channelBank:
			f.banking = make([]float64, f.rowCount)
		case channelSlope:
			f.slope = make([]float64, f.rowCount)
		}
	}
	row := make([]float64, len(f.channels))
	for i := range f.rowCount {
		if err := f.readRow(&r, row); err != nil {
			return err
		}
		if err := f.storeRow(i, row, r.line); err != nil {
			return err
		}
	}
	return nil
}

// countRows sets f.rowCount to the number of cross sections in the data, and compares it with the header.
func (f *file) countRows(r *rowReader) error {
	f.rowCount = r.countRows(len(f.channels))
	if !f.has(sectionRoad, "REFERENCE_LINE_END_U") {
		if !f.format.isText {
			f.rowCount -= r.paddingRows(len(f.channels), f.rowCount)
		}
		return f.checkRowCount()
	}
	end := f.get(sectionRoad, "REFERENCE_LINE_END_U", 0)
	wanted := (end-f.uBegin)/f.uStep + 1
	wantedRows := math.Round(wanted)
	switch line := f.lineOf(sectionRoad, "REFERENCE_LINE_END_U"); {
	case math.Abs(wanted-wantedRows) > 1e-3*max(1, 1e-3*wanted):
		return f.errorAt(line, "REFERENCE_LINE_END_U = %g: must be a whole number of steps of %g m from %g",
			end, f.uStep, f.uBegin)
	case wantedRows > float64(f.rowCount):
		return f.errorAt(line, "the data have %d cross sections, REFERENCE_LINE_END_U = %g needs %.0f; "+
			"the file is cut off or the end is wrong", f.rowCount, end, wantedRows)
	case f.format.isText && wantedRows < float64(f.rowCount):
		return f.errorAt(line, "the data have %d cross sections, REFERENCE_LINE_END_U = %g allows %.0f; correct the end",
			f.rowCount, end, wantedRows)
	}
	f.rowCount = int(wantedRows)
	return f.checkRowCount()
}

// checkRowCount checks that the road is neither too short nor too long.
func (f *file) checkRowCount() error {
	const longest = 1e6 // [m]
	if f.rowCount < 2 {
		return f.errorAt(f.line, "the data have %d whole cross sections of %d channels: must be at least 2",
			f.rowCount, len(f.channels))
	}
	if length := float64(f.rowCount-1) * f.uStep; length > longest {
		return f.errorAt(f.lineOf(sectionRoad, "REFERENCE_LINE_INCREMENT"),
			"%d cross sections %g m apart make %g m: must be at most %g m", f.rowCount, f.uStep, length, longest)
	}
	return nil
}

// countRows returns the number of rows in the data, which have a number for each channel.
func (r *rowReader) countRows(channels int) int {
	if !r.format.isText {
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

// paddingRows returns the number of rows at the end of binary data that are only padding of the last record:
// all their numbers are NaN.
func (r *rowReader) paddingRows(channels, rows int) int {
	row := channels * r.format.size()
	n := 0
	for ; n < rows && (n+1)*row < recordSize; n++ {
		at := (rows - n - 1) * row
		for i := 0; i < row; i += r.format.size() {
			if !math.IsNaN(r.format.decode(r.data[at+i:])) {
				return n
			}
		}
	}
	return n
}

// decode returns the first number of binary data.
func (c numberFormat) decode(data []byte) float64 {
	if c.isDouble {
		return math.Float64frombits(binary.BigEndian.Uint64(data))
	}
	return float64(math.Float32frombits(binary.BigEndian.Uint32(data)))
}

// readRow reads the next row into row, which has an element for each channel.
func (f *file) readRow(r *rowReader, row []float64) error {
	if f.format.isText {
		return f.readText(r, row)
	}
	size := f.format.size()
	for i := range row {
		row[i] = f.format.decode(r.data[i*size:])
	}
	r.data = r.data[len(row)*size:]
	return nil
}

// readText reads a row of text: numbers of a fixed width without separators, in as many records as needed.
func (f *file) readText(r *rowReader, row []float64) error {
	size := f.format.size()
	r.line = 0
	for len(row) > 0 {
		var line []byte
		for len(bytes.TrimSpace(line)) == 0 {
			if len(r.data) == 0 {
				return f.errorAt(f.line, "the last cross section lacks %d of its numbers; the file is cut off", len(row))
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
			return f.errorAt(f.line, "the record has %d numbers, must be %d; write each %d characters wide",
				i, len(row), size)
		}
		if field[0] == '*' || bytes.EqualFold(field, []byte("nan")) {
			row[i] = math.NaN()
			continue
		}
		var ok bool
		if row[i], ok = parseNumber(string(field)); !ok {
			return f.errorAt(f.line, "%.20q at column %d is not a number; "+
				"write each %d characters wide, and *missing* for none", field, i*size+1, size)
		}
	}
	if rest := bytes.TrimSpace(line[min(len(row)*size, len(line)):]); len(rest) > 0 {
		return f.errorAt(f.line, "%.20q follows the %d numbers of %d characters; make the D: lines and the columns agree",
			rest, len(row), size)
	}
	return nil
}

// remedy returns the advice for a number that cannot be used. It is text if the data are text; binary data can
// only be copied or exported again.
func (f *file) remedy(text string) string {
	if f.format.isText {
		return text
	}
	return "the data are damaged or not in the format that the file names; " +
		"copy the file again in binary mode, or export it again"
}

// storeRow stores row i in the columns. Direction and slope of the first row are not used, because they hold
// for the piece before their row. line is the line of the row in the file.
func (f *file) storeRow(i int, row []float64, line int) error {
	const highest = 1e5 // [m]
	for c, v := range row {
		var column []float64
		var name string
		limit := 1.0
		switch f.channels[c] {
		case channelPhi:
			column, name, limit = f.phi, "phi", 1e3
		case channelBank:
			column, name = f.banking, "banking"
		case channelSlope:
			column, name = f.slope, "slope"
		default:
			continue
		}
		if i == 0 && f.channels[c] != channelBank {
			continue
		}
		if !(math.Abs(v) <= limit) { // also true for NaN
			return f.errorAt(line, "reference line %s is %g in cross section %d; %s",
				name, v, i+1, f.remedy(fmt.Sprintf("must be -%g to %g", limit, limit)))
		}
		column[i] = v
	}
	for j, s := range f.sections {
		v := row[s.column]
		if math.Abs(v) > highest {
			return f.errorAt(line, "a height of %g m in cross section %d: must be at most %g m; %s",
				v, i+1, highest, f.remedy("write * for none"))
		}
		f.z[i*len(f.sections)+j] = float32(v)
	}
	return nil
}
