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

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/cells"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/sink"
	"rig.example/rig/internal/source"
)

// ErrProbeInterrupted ends a table of places before its end.
var ErrProbeInterrupted = errors.New("road: interrupted before the end of the points; run it again")

// Places says where a table of places comes from and where the answers go.
type Places struct {
	From      string // a file; "-" is In
	In        io.Reader
	Out       io.Writer
	JSON      bool            // one object a line, in place of a table
	Interrupt <-chan struct{} // ends the work when it closes
}

// Probed is how many places were answered, and how many of them are off the ground.
type Probed struct{ Points, Off int }

// mostAway is how far from 0 a place's coordinates may be [m]: grids of countries have 1e7.
const mostAway = 1e8

// answers are the columns that are appended.
const answers = ",height_m,normal_x,normal_y,normal_z,rough_m,surface,area,station_m,lateral_m,note"

// offGround is the note of a place without ground.
const offGround = "no ground"

// Answer reads a table with the columns x_m, y_m and, if it is there, z_m, line by line, and
// writes the lines with what the ground is like there. Other columns are carried along.
func (p *Prober) Answer(t Places) (done Probed, err error) {
	wait := sink.Interrupt{Told: t.Interrupt, Err: ErrProbeInterrupted}
	name, in := "stdin", t.In
	if t.From != "-" {
		f, _, err := source.Stream(t.From, source.Table)
		if err != nil {
			return done, &config.Problem{File: t.From, Text: "cannot be read: " + err.Error()}
		}
		defer f.Close()
		name, in = t.From, f
	}
	rows := cells.New(name, sink.Reader(wait, in), ErrProbeInterrupted)
	at, err := columnsOf(rows)
	if err == nil {
		err = plainText(rows)
	}
	if err != nil {
		return done, err
	}
	err = sink.Sink{By: "road", Path: "-", Out: t.Out, Interrupt: wait}.Fill(func(w io.Writer) error {
		out := bufio.NewWriterSize(w, cells.LongestLine)
		if !t.JSON {
			out.Write(append(slices.Clone(rows.Text), answers+"\n"...)) // Flush tells
		}
		if err := p.answer(rows, at, out, t.JSON, &done); err != nil {
			_ = out.Flush() // of a fault that is told, the lines before stay
			return err
		}
		return out.Flush()
	})
	return done, err
}

// plainText refuses a line that a terminal would not print as it is: it is carried along.
func plainText(rows *cells.Reader) error {
	hidden := func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }
	if i := bytes.IndexFunc(rows.Text, hidden); i >= 0 || !utf8.Valid(rows.Text) {
		return rows.Fault(max(i, 0)+1, "the line has a character that is not printed, or is not UTF-8; take it out")
	}
	return nil
}

// axes are where the columns of a place stand; -1 is nowhere.
type axes struct{ x, y, z, count int }

// columnsOf reads the header.
func columnsOf(rows *cells.Reader) (axes, error) {
	const needs = "needed are x_m and y_m, separated by commas, and if you like z_m, the height to look down from"
	if err := rows.Next(); err == io.EOF {
		rows.Line = 1
		return axes{}, rows.Fault(1, "the table is empty; begin with the columns' names: %s", needs)
	} else if err != nil {
		return axes{}, err
	}
	place := map[string]int{"x_m": -1, "y_m": -1, "z_m": -1}
	for i, c := range rows.Cells {
		name := string(c.Text)
		before, ours := place[name]
		if ours && before >= 0 {
			return axes{}, rows.Fault(c.Column, "the column %s is there twice; take one away", name)
		}
		if ours {
			place[name] = i
		}
	}
	for _, name := range [...]string{"x_m", "y_m"} {
		if place[name] < 0 {
			return axes{}, rows.Fault(1, "the column %s is missing%s; %s", name, rows.Instead(), needs)
		}
	}
	return axes{place["x_m"], place["y_m"], place["z_m"], len(rows.Cells)}, nil
}

// answer writes a line for each place.
func (p *Prober) answer(rows *cells.Reader, at axes, out *bufio.Writer, asJSON bool, done *Probed) error {
	for {
		if rows.Waits() {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if err := rows.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		x, y, z, err := at.place(rows)
		if err != nil {
			return err
		}
		spot, ok := p.At(x, y, z)
		if done.Points++; !ok {
			done.Off++
		}
		line := out.AvailableBuffer()
		if asJSON {
			line, err = spot.json(line, x, y, z, ok)
		} else {
			line = spot.cells(append(line, rows.Text...), ok)
		}
		if err == nil {
			_, err = out.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
}

// place reads the coordinates of a line; z is NaN where there is none.
func (a axes) place(rows *cells.Reader) (x, y, z float64, err error) {
	if err := plainText(rows); err != nil {
		return 0, 0, 0, err
	}
	if err := rows.Count(a.count); err != nil {
		return 0, 0, 0, err
	}
	read := func(i int, name string) float64 {
		if err != nil || i < 0 || name == "z_m" && len(rows.Cells[i].Text) == 0 {
			return math.NaN()
		}
		v, fault := rows.Number(i, name, "12.5")
		if fault == nil && !(math.Abs(v) <= mostAway) {
			fault = rows.Fault(rows.Cells[i].Column, "%s: %g: allowed is %g to %g", name, v, -mostAway, mostAway)
		}
		err = fault
		return v
	}
	x, y, z = read(a.x, "x_m"), read(a.y, "y_m"), read(a.z, "z_m")
	return x, y, z, err
}

// cells appends the answer to a line of the table.
func (s *Spot) cells(line []byte, ok bool) []byte {
	if !ok {
		return append(line, strings.Repeat(",", strings.Count(answers, ","))+offGround...)
	}
	for _, v := range [...]float64{s.Height, s.Normal.X, s.Normal.Y, s.Normal.Z, s.Rough} {
		line = fixed(append(line, ','), v)
	}
	for _, name := range [...]string{s.Surface, s.Area} {
		line = append(append(line, ','), quoted(name)...)
	}
	for _, v := range [...]float64{s.Station, s.Lateral} {
		if line = append(line, ','); !math.IsNaN(v) {
			line = fixed(line, v)
		}
	}
	return append(line, ',')
}

// fixed appends a number to the micrometre, which is finer than a mesh is.
func fixed(line []byte, v float64) []byte {
	const finest = 1e-6
	return strconv.AppendFloat(line, math.Round(v/finest)*finest+0, 'f', 6, 64) // never -0
}

// quoted is a name as a cell.
func quoted(name string) string {
	name = printable.Name(name)
	if strings.ContainsAny(name, `",`) {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// json appends the answer as an object.
func (s *Spot) json(line []byte, x, y, z float64, ok bool) ([]byte, error) {
	number := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	o := struct {
		X       float64     `json:"x_m"`
		Y       float64     `json:"y_m"`
		From    *float64    `json:"z_m"`
		Ground  bool        `json:"ground"`
		Height  *float64    `json:"height_m"`
		Normal  *[3]float64 `json:"normal"`
		Rough   *float64    `json:"rough_m"`
		Surface string      `json:"surface"`
		Area    string      `json:"area"`
		Station *float64    `json:"station_m"`
		Lateral *float64    `json:"lateral_m"`
	}{X: x, Y: y, From: number(z), Ground: ok}
	if ok {
		o.Height, o.Rough, o.Normal = &s.Height, &s.Rough, &[3]float64{s.Normal.X, s.Normal.Y, s.Normal.Z}
		o.Surface, o.Area, o.Station, o.Lateral = s.Surface, s.Area, number(s.Station), number(s.Lateral)
	}
	data, err := json.Marshal(&o)
	return append(line, data...), err
}
