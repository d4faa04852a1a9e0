package survey

import (
	"math"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
)

// Outline is the entry of a built-in circuit in the list of `rig road`.
type Outline struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Kind  string `json:"kind"` // layout
	Line  struct {
		Length float64    `json:"length_m"`
		Closed bool       `json:"closed"`
		Width  [2]float64 `json:"width_m"` // minimum and maximum
	} `json:"line"`
}

// List returns the outlines of the built-in circuits. It builds their lines but not their grounds.
func List() ([]Outline, error) {
	var list []Outline
	for _, name := range config.Circuits() {
		file, err := config.LoadCircuit(name)
		if err != nil {
			return nil, err
		}
		line, err := file.Layout.Line()
		if err != nil {
			return nil, file.Locate(err)
		}
		o := Outline{Name: name, Title: file.Title, Kind: circuit.Layout}
		o.Line.Length, o.Line.Closed = line.Length(), line.Closed()
		o.Line.Width = [2]float64{math.Inf(1), math.Inf(-1)}
		for at := 0.0; at < line.Length(); at++ {
			p := line.At(at)
			o.Line.Width[0], o.Line.Width[1] = min(o.Line.Width[0], p.Left+p.Right), max(o.Line.Width[1], p.Left+p.Right)
		}
		list = append(list, o)
	}
	return list, nil
}

// String returns the outline as one line of text.
func (o *Outline) String() string {
	return printable.Sprintf("%-16s %s, %.0f m, %.0f to %.0f m wide", o.Name, o.Title, o.Line.Length, o.Line.Width[0], o.Line.Width[1])
}
