package circuit

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/printable"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/opendrive"
)

// Limits of a line's table.
const (
	lineBytes  = 128 << 20
	linePlaces = 1 << 20
)

// lineOfTable lays the line through the places of a table.
func (s *Site) lineOfTable() error {
	f := &s.file.Line
	data, err := s.read(f.File, lineBytes)
	if err != nil {
		return s.file.Fault(fmt.Errorf("line.file = %q: cannot be read: %w", f.File, err))
	}
	t, err := readTable(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	if err := s.fits(t); err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	s.line, err = road.Through(s.vias(t), f.Closed)
	if err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	return nil
}

// fits checks that a line's places are metres, and in the coordinates of the ground.
func (s *Site) fits(t table) error {
	inf := math.Inf(1)
	low, high := r3.Vec{X: inf, Y: inf}, r3.Vec{X: -inf, Y: -inf}
	for i := range t {
		x, y := t[i][0], t[i][1]
		low.X, low.Y, high.X, high.Y = min(low.X, x), min(low.Y, y), max(high.X, x), max(high.Y, y)
	}
	if len(t) == 0 {
		return nil // Through tells
	}
	if _, err := road.Origin(low, high); err != nil {
		return err
	}
	low.Z, high.Z = s.Origin.Z, s.Origin.Z
	if far := max(away(low, s.Origin), away(high, s.Origin)); far > road.MostAway {
		return fmt.Errorf("its places lie up to %.0f km from the ground; give x and y in the coordinates of %s [m]", far/1e3, s.file.Ground.File)
	}
	return nil
}

// columns are those of a line's table, and what else they are called: the second names
// are those of the racetrack database of TU München.
var columns = [...][]string{
	{"x", "x_m"}, {"y", "y_m"}, {"z", "z_m"}, {"left", "left_m", "w_tr_left_m"}, {"right", "right_m", "w_tr_right_m"}, {"bank_deg"},
}

// table has the columns of a line; those that are missing are NaN.
type table [][len(columns)]float64

// readTable reads numbers with a header above them; commas, semicolons and tabs part
// them.
func readTable(data []byte) (table, error) {
	data = bytes.TrimPrefix(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), []byte("#"))
	first, _, _ := bytes.Cut(data, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment, r.TrimLeadingSpace, r.ReuseRecord = '#', true, true
	for _, c := range ";\t" {
		if bytes.ContainsRune(first, c) {
			r.Comma = c
		}
	}
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("no header: %w; begin with a line such as x,y,z,left,right", err)
	}
	at, err := places(header)
	if err != nil {
		return nil, err
	}
	var t table
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if errors.Is(err, csv.ErrFieldCount) {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("line %d: %d values below a header of %d columns; give as many", line, len(fields), len(header))
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		row, err := readRow(fields, at)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if t = append(t, row); len(t) > linePlaces {
			return nil, fmt.Errorf("line %d: more than %d places: leave some out", line, linePlaces)
		}
	}
}

// places finds the columns in a header.
func places(header []string) (at [len(columns)]int, err error) {
	for i := range at {
		at[i] = -1
	}
	for k, name := range header {
		known := false
		for i, names := range columns {
			for _, n := range names {
				if !strings.EqualFold(strings.TrimSpace(name), n) {
					continue
				}
				if at[i] >= 0 {
					return at, fmt.Errorf("columns %d and %d are both %s; leave one out", at[i]+1, k+1, names[0])
				}
				at[i], known = k, true
			}
		}
		if !known {
			return at, fmt.Errorf("column %q is not known; there are x, y, z, left, right and bank_deg", name)
		}
	}
	if at[0] < 0 || at[1] < 0 {
		return at, errors.New("no columns x and y: give them a header such as x,y,z,left,right")
	}
	return at, nil
}

func readRow(fields []string, at [len(columns)]int) (row [len(columns)]float64, err error) {
	for i, k := range at {
		if k < 0 {
			row[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(fields[k]), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return row, fmt.Errorf("%s: %q is no number; give one, as 12.5", columns[i][0], fields[k])
		}
		row[i] = v
	}
	return row, nil
}

// vias returns the places of a table, with what it does not say from the ground.
func (s *Site) vias(t table) []road.Via {
	list := make([]road.Via, len(t))
	high := 1e5
	for i := range t {
		r := &t[i]
		v := road.Via{Pos: r3.Sub(r3.Vec{X: r[0], Y: r[1], Z: r[2]}, s.Origin), Left: r[3], Right: r[4], Bank: r[5] * math.Pi / 180}
		if math.IsNaN(v.Pos.Z) {
			z, ok := HeightBelow(s.Bare, v.Pos.X, v.Pos.Y, high)
			if !ok {
				z = 0
			}
			v.Pos.Z, high = z, z+3 // the same deck as that before, where there are several
		}
		half := s.half()
		if math.IsNaN(v.Left) {
			v.Left = half
		}
		if math.IsNaN(v.Right) {
			v.Right = half
		}
		list[i] = v
	}
	for i := range list {
		if math.IsNaN(list[i].Bank) {
			list[i].Bank = s.bank(list, i)
		}
	}
	return list
}

// half returns half of the road's width where nothing says it [m].
func (s *Site) half() float64 {
	if w := s.file.Line.Width; w > 0 {
		return w / 2
	}
	return s.file.Layout.Width / 2
}

// bank returns how the ground leans from edge to edge.
func (s *Site) bank(list []road.Via, i int) float64 {
	const steepest = 1.0 // [rad]: more is a step beside the road
	a, b := &list[max(i-1, 0)], &list[min(i+1, len(list)-1)]
	way := r3.Sub(b.Pos, a.Pos)
	way.Z = 0
	n := r3.Norm(way)
	if n == 0 {
		return 0
	}
	left := r3.Vec{X: -way.Y / n, Y: way.X / n}
	v := &list[i]
	const inside = 0.95 // of the road: edges are rounded
	p, q := r3.Add(v.Pos, r3.Scale(inside*v.Left, left)), r3.Sub(v.Pos, r3.Scale(inside*v.Right, left))
	zLeft, okLeft := HeightBelow(s.Bare, p.X, p.Y, v.Pos.Z+3)
	zRight, okRight := HeightBelow(s.Bare, q.X, q.Y, v.Pos.Z+3)
	bank := math.Atan2(zLeft-zRight, inside*(v.Left+v.Right))
	if !okLeft || !okRight || !(math.Abs(bank) < steepest) {
		return 0
	}
	return bank
}

// HeightBelow returns the height of the ground below a place that is that high [m], and false
// where there is none.
func HeightBelow(g road.Ground, x, y, high float64) (float64, bool) {
	c := g.Touch(r3.Vec{X: x, Y: y, Z: high})
	if c.Depth <= -999 && high < 900 || c.Normal.Z < 1e-3 {
		return 0, false
	}
	const above = 0.2 // [m]: from nearby it is exact
	z := high + c.Depth/c.Normal.Z + above
	c = g.Touch(r3.Vec{X: x, Y: y, Z: z})
	return z + c.Depth/c.Normal.Z, math.Abs(c.Depth) < 1 && z-z == 0
}

// lineOfRoad lays the line along roads of a network: those that are named, the one that is, or
// the only one. A closed line of one road that is no ring goes on along its links.
func (s *Site) lineOfRoad(network *opendrive.Map) error {
	f := &s.file.Line
	if f.File != "" {
		return nil
	}
	key, ids := fmt.Sprintf("line.roads = %q", f.Roads), f.Roads
	switch {
	case len(ids) > 0:
	case f.Road != "":
		key, ids = fmt.Sprintf("line.road = %q", f.Road), []string{f.Road}
	case f.Closed || len(network.Roads) == 1:
		key, ids = fmt.Sprintf("line.closed = %v", f.Closed), []string{first(network.Roads)}
	default:
		s.warn("%s has %d roads: name one with line.road, or several with line.roads, for laps; there are %s", s.file.Ground.File, len(network.Roads), some(network.Roads))
		return nil
	}
	for _, id := range ids {
		if network.Road(id) == nil {
			return s.file.Fault(fmt.Errorf("%s: %s has no road %q; there are %s", key, s.file.Ground.File, id, some(network.Roads)))
		}
	}
	line, err := alongRoads(network, ids, f.Closed)
	if err != nil && len(f.Roads) == 0 && f.Road == "" && !f.Closed {
		s.warn("no line: %v; there are no laps", err)
		return nil
	}
	if s.line = line; err != nil {
		return s.file.Fault(fmt.Errorf("%s: %w", key, err))
	}
	return nil
}

func alongRoads(network *opendrive.Map, ids []string, closed bool) (*road.Line, error) {
	const every = 2.0 // [m]
	l, err := network.Route(ids, closed, every)
	if err != nil {
		return nil, err
	}
	var list []road.Via
	for _, p := range l.Points {
		list = append(list, road.Via{Pos: p.Pos, Left: p.Left, Right: p.Right, Bank: p.Bank})
	}
	return road.Through(list, l.Closed)
}

// first returns the first road that is not within a junction, or the first of all.
func first(roads []*opendrive.Road) string {
	for _, r := range roads {
		if r.Junction == "" {
			return r.ID
		}
	}
	return roads[0].ID
}

// some names the first of the roads.
func some(roads []*opendrive.Road) string {
	const most = 20
	var ids []string
	for _, r := range roads[:min(most, len(roads))] {
		ids = append(ids, printable.Name(r.ID))
	}
	if rest := len(roads) - most; rest > 0 {
		ids = append(ids, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(ids, ", ")
}
