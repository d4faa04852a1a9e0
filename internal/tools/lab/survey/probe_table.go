package survey

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/tools/lab/cells"
	"rig.example/rig/road"
)

// ErrProbeInterrupted is returned when a table is interrupted before its end.
var ErrProbeInterrupted = errors.New("road: interrupted before the end of the points; run it again")

// TableOptions says where a table of points comes from and where the results go.
type TableOptions struct {
	From      string // a file; "-" is In
	In        io.Reader
	Out       io.Writer
	JSON      bool            // one JSON object per line instead of a table
	Interrupt <-chan struct{} // ends the work when it closes
}

// ProbeCounts holds the number of points, and of those without ground.
type ProbeCounts struct{ Points, WithoutGround int }

// addedColumns is the header of the appended columns.
const addedColumns = ",height_m,normal_x,normal_y,normal_z,rough_m,surface,area,station_m,lateral_m,note"

// offGround is the note of a point without ground.
const offGround = "no ground"

// ProbeTable reads a table with the columns x_m, y_m and optionally z_m, line by line, and writes each line with
// the ground at its point. Other columns are copied.
func (p *Prober) ProbeTable(t TableOptions) (done ProbeCounts, err error) {
	interrupt := sink.Interrupt{Done: t.Interrupt, Err: ErrProbeInterrupted}
	name, in := "stdin", t.In
	if t.From != "-" {
		f, _, err := userfile.Stream(t.From, userfile.MaxDataFile)
		if err != nil {
			return done, &config.Problem{File: t.From, Text: "cannot be read: " + err.Error()}
		}
		defer f.Close()
		name, in = t.From, f
	}
	rows := cells.New(name, sink.Reader(interrupt, in), ErrProbeInterrupted)
	cols, err := readHeader(rows)
	if err == nil {
		err = checkPrintable(rows)
	}
	if err != nil {
		return done, err
	}
	err = sink.Sink{Command: "road", Path: "-", Out: t.Out, Interrupt: interrupt}.Fill(func(w io.Writer) error {
		out := bufio.NewWriterSize(w, cells.MaxLine)
		if !t.JSON {
			out.Write(append(slices.Clone(rows.Text), addedColumns+"\n"...)) // Flush returns the error
		}
		if err := p.writeResults(rows, cols, out, t.JSON, &done); err != nil {
			_ = out.Flush() // keep the lines before the error
			return err
		}
		return out.Flush()
	})
	return done, err
}

// checkPrintable returns an error for a line with control characters, because it would be copied to a terminal.
func checkPrintable(rows *cells.Reader) error {
	hidden := func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }
	if i := bytes.IndexFunc(rows.Text, hidden); i >= 0 || !utf8.Valid(rows.Text) {
		return rows.Fault(max(i, 0)+1, "the line has a control character or is not UTF-8; remove it")
	}
	return nil
}

// columns holds the indices of the columns, -1 if missing, and the number of all columns.
type columns struct{ x, y, z, count int }

// readHeader finds the columns in the header.
func readHeader(rows *cells.Reader) (columns, error) {
	const requirements = "give x_m and y_m, separated by commas, and optionally z_m, the height to look down from"
	if err := rows.Next(); err == io.EOF {
		rows.Line = 1
		return columns{}, rows.Fault(1, "the table is empty; begin with a header: %s", requirements)
	} else if err != nil {
		return columns{}, err
	}
	index := map[string]int{"x_m": -1, "y_m": -1, "z_m": -1}
	for i, c := range rows.Cells {
		name := string(c.Text)
		previous, isKnown := index[name]
		if isKnown && previous >= 0 {
			return columns{}, rows.Fault(c.Column, "column %s appears twice; remove one", name)
		}
		if isKnown {
			index[name] = i
		}
	}
	for _, name := range [...]string{"x_m", "y_m"} {
		if index[name] < 0 {
			return columns{}, rows.Fault(1, "column %s not found%s; %s", name, rows.SeparatorHint(), requirements)
		}
	}
	return columns{index["x_m"], index["y_m"], index["z_m"], len(rows.Cells)}, nil
}

// writeResults reads the points and writes a line for each. It counts them in done.
func (p *Prober) writeResults(rows *cells.Reader, cols columns, out *bufio.Writer, asJSON bool, done *ProbeCounts) error {
	for {
		if rows.NextMayWait() {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if err := rows.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		x, y, z, err := cols.coordinates(rows)
		if err != nil {
			return err
		}
		point, ok := p.At(x, y, z)
		if done.Points++; !ok {
			done.WithoutGround++
		}
		line := out.AvailableBuffer()
		if asJSON {
			line, err = point.appendJSON(line, x, y, z, ok)
		} else {
			line = point.appendCells(append(line, rows.Text...), ok)
		}
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
}

// coordinates parses the coordinates of a line; z is NaN if it is missing.
func (a columns) coordinates(rows *cells.Reader) (x, y, z float64, err error) {
	if err := checkPrintable(rows); err != nil {
		return 0, 0, 0, err
	}
	if err := rows.CheckCount(a.count); err != nil {
		return 0, 0, 0, err
	}
	read := func(i int, name string) float64 {
		if err != nil || i < 0 || name == "z_m" && len(rows.Cells[i].Text) == 0 {
			return math.NaN()
		}
		v, fault := rows.Number(i, name, "12.5")
		if fault == nil && !(math.Abs(v) <= road.MaxCoordinate) {
			fault = rows.Fault(rows.Cells[i].Column, "%s = %g: must be %g to %g", name, v, -float64(road.MaxCoordinate), float64(road.MaxCoordinate))
		}
		err = fault
		return v
	}
	x, y, z = read(a.x, "x_m"), read(a.y, "y_m"), read(a.z, "z_m")
	return x, y, z, err
}

// appendCells appends the result to a line of the table.
func (s *GroundPoint) appendCells(line []byte, ok bool) []byte {
	if !ok {
		return append(line, strings.Repeat(",", strings.Count(addedColumns, ","))+offGround...)
	}
	for _, v := range [...]float64{s.Height, s.Normal.X, s.Normal.Y, s.Normal.Z, s.RoughnessHeight} {
		line = appendFixed(append(line, ','), v)
	}
	for _, name := range [...]string{s.Surface, s.Area} {
		line = append(append(line, ','), csvQuoted(name)...)
	}
	for _, v := range [...]float64{s.Station, s.Lateral} {
		if line = append(line, ','); !math.IsNaN(v) {
			line = appendFixed(line, v)
		}
	}
	return append(line, ',')
}

// appendFixed appends a number with six decimals.
func appendFixed(line []byte, v float64) []byte {
	const resolution = 1e-6
	return strconv.AppendFloat(line, math.Round(v/resolution)*resolution+0, 'f', 6, 64) // never -0
}

// csvQuoted returns a name as a CSV cell.
func csvQuoted(name string) string {
	name = printable.Name(name)
	if strings.ContainsAny(name, `",`) {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// appendJSON appends the result as a JSON object.
func (s *GroundPoint) appendJSON(line []byte, x, y, z float64, ok bool) ([]byte, error) {
	number := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	o := struct {
		X               float64     `json:"x_m"`
		Y               float64     `json:"y_m"`
		From            *float64    `json:"z_m"`
		Ground          bool        `json:"ground"`
		Height          *float64    `json:"height_m"`
		Normal          *[3]float64 `json:"normal"`
		RoughnessHeight *float64    `json:"rough_m"`
		Surface         string      `json:"surface"`
		Area            string      `json:"area"`
		Station         *float64    `json:"station_m"`
		Lateral         *float64    `json:"lateral_m"`
	}{X: x, Y: y, From: number(z), Ground: ok}
	if ok {
		o.Height, o.RoughnessHeight, o.Normal = &s.Height, &s.RoughnessHeight, &[3]float64{s.Normal.X, s.Normal.Y, s.Normal.Z}
		o.Surface, o.Area, o.Station, o.Lateral = s.Surface, s.Area, number(s.Station), number(s.Lateral)
	}
	data, err := json.Marshal(&o)
	return append(line, data...), err
}
