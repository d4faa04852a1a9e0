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

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/road/opendrive"
)

// Limits of the table of a line.
const (
	maxTableBytes = 128 << 20
	maxWaypoints  = 1 << 20
)

// lineFromTable builds the line through the points of a table.
func (s *Site) lineFromTable() error {
	f := &s.file.Line
	data, err := s.read(f.File, maxTableBytes)
	if err != nil {
		return s.file.Locate(fmt.Errorf("line.file = %q: cannot be read: %w", f.File, err))
	}
	t, err := readTable(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	if err := s.checkTable(t); err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	s.line, err = road.LineThrough(s.waypoints(t), f.Closed)
	if err != nil {
		return fmt.Errorf("%s: %w", f.File, err)
	}
	return nil
}

// checkTable returns an error if the points are too far apart to be meters, or too far from the ground.
func (s *Site) checkTable(t table) error {
	inf := math.Inf(1)
	low, high := r3.Vec{X: inf, Y: inf}, r3.Vec{X: -inf, Y: -inf}
	for i := range t {
		x, y := t[i][0], t[i][1]
		low.X, low.Y, high.X, high.Y = min(low.X, x), min(low.Y, y), max(high.X, x), max(high.Y, y)
	}
	if len(t) == 0 {
		return nil // LineThrough returns an error for an empty table
	}
	if _, err := road.Origin(low, high); err != nil {
		return err
	}
	low.Z, high.Z = s.Origin.Z, s.Origin.Z
	if far := max(axisDistance(low, s.Origin), axisDistance(high, s.Origin)); far > road.MaxFromOrigin {
		return fmt.Errorf("its points are up to %.0f km away from the ground; give x and y in the coordinates of %s [m]",
			far/1e3, s.file.Ground.File)
	}
	return nil
}

// columns holds the names of each column of a table. The last names of a column are those of TU Munich's racetrack
// database.
var columns = [...][]string{
	{"x", "x_m"}, {"y", "y_m"}, {"z", "z_m"},
	{"left", "left_m", "w_tr_left_m"}, {"right", "right_m", "w_tr_right_m"}, {"bank_deg"},
}

// table holds a row for each point of a line, in the order of columns; missing columns are NaN.
type table [][len(columns)]float64

// readTable parses a CSV table with a header. The separator is a comma, a semicolon or a tab.
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
	at, err := columnIndices(header)
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
			return nil, fmt.Errorf("line %d: %d values, but the header has %d columns; give as many", line, len(fields), len(header))
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		row, err := readRow(fields, at)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if t = append(t, row); len(t) > maxWaypoints {
			return nil, fmt.Errorf("line %d: more than %d points; leave some out", line, maxWaypoints)
		}
	}
}

// columnIndices returns the index in the header of each of columns, -1 if it is missing.
func columnIndices(header []string) (at [len(columns)]int, err error) {
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
			return at, fmt.Errorf("unknown column %q: must be x, y, z, left, right or bank_deg", name)
		}
	}
	if at[0] < 0 || at[1] < 0 {
		return at, errors.New("columns x and y not found; begin with a header such as x,y,z,left,right")
	}
	return at, nil
}

// readRow parses the fields of a row; at holds the index of each column.
func readRow(fields []string, at [len(columns)]int) (row [len(columns)]float64, err error) {
	for i, k := range at {
		if k < 0 {
			row[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(fields[k]), 64)
		if err != nil || !valid.Finite(v) {
			return row, fmt.Errorf("%s: %q is not a number; give one such as 12.5", columns[i][0], fields[k])
		}
		row[i] = v
	}
	return row, nil
}

// waypoints returns the points of a table. Missing heights and bank angles are those of the ground.
func (s *Site) waypoints(t table) []road.Waypoint {
	list := make([]road.Waypoint, len(t))
	high := 1e5
	for i := range t {
		r := &t[i]
		v := road.Waypoint{Pos: r3.Sub(r3.Vec{X: r[0], Y: r[1], Z: r[2]}, s.Origin), Left: r[3], Right: r[4], Bank: r[5] * math.Pi / 180}
		if math.IsNaN(v.Pos.Z) {
			z, ok := HeightBelow(s.Bare, v.Pos.X, v.Pos.Y, high)
			if !ok {
				z = 0
			}
			v.Pos.Z, high = z, z+3 // the next point is on the same level: below a bridge or on it
		}
		half := s.halfWidth()
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

// halfWidth returns half the width of the road for rows without a width [m].
func (s *Site) halfWidth() float64 {
	if w := s.file.Line.Width; w > 0 {
		return w / 2
	}
	return s.file.Layout.Width / 2
}

// bank returns the bank angle of the ground between the edges of the road at waypoint i [rad], 0 if it is not
// known.
func (s *Site) bank(list []road.Waypoint, i int) float64 {
	const steepest = 1.0 // maximum bank angle of a road; a larger one is a step beside the road [rad]
	a, b := &list[max(i-1, 0)], &list[min(i+1, len(list)-1)]
	tangent := r3.Sub(b.Pos, a.Pos)
	tangent.Z = 0
	n := r3.Norm(tangent)
	if n == 0 {
		return 0
	}
	left := r3.Vec{X: -tangent.Y / n, Y: tangent.X / n}
	v := &list[i]
	const inside = 0.95 // fraction of the width between the points that are measured, because edges are rounded
	p, q := r3.Add(v.Pos, r3.Scale(inside*v.Left, left)), r3.Sub(v.Pos, r3.Scale(inside*v.Right, left))
	zLeft, okLeft := HeightBelow(s.Bare, p.X, p.Y, v.Pos.Z+3)
	zRight, okRight := HeightBelow(s.Bare, q.X, q.Y, v.Pos.Z+3)
	bank := math.Atan2(zLeft-zRight, inside*(v.Left+v.Right))
	if !okLeft || !okRight || !(math.Abs(bank) < steepest) {
		return 0
	}
	return bank
}

// HeightBelow returns the height of the ground straight below the point x, y, high [m], and false if there is
// none.
func HeightBelow(g road.Ground, x, y, high float64) (float64, bool) {
	c := g.Touch(r3.Vec{X: x, Y: y, Z: high})
	if c.Depth <= -999 && high < 900 || c.Normal.Z < 1e-3 {
		return 0, false
	}
	const above = 0.2 // the second contact is taken from so far above the ground, where it is exact [m]
	z := high + c.Depth/c.Normal.Z + above
	c = g.Touch(r3.Vec{X: x, Y: y, Z: z})
	return z + c.Depth/c.Normal.Z, math.Abs(c.Depth) < 1 && valid.Finite(z)
}

// lineFromRoads builds the line along roads of a network: the roads that the file names, or the only one. A
// closed line along a single road that is not a ring goes on along the road's links.
func (s *Site) lineFromRoads(network *opendrive.Map) error {
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
		key, ids = fmt.Sprintf("line.closed = %v", f.Closed), []string{defaultRoad(network.Roads)}
	default:
		s.warnf("%s has %d roads: for laps, name one with line.road or several with line.roads; the roads are %s",
			s.file.Ground.File, len(network.Roads), listRoads(network.Roads))
		return nil
	}
	for _, id := range ids {
		if network.Road(id) == nil {
			return s.file.Locate(fmt.Errorf("%s: road %[3]q not found in %[2]s; the roads are %[4]s",
				key, s.file.Ground.File, id, listRoads(network.Roads)))
		}
	}
	line, err := routeLine(network, ids, f.Closed)
	if err != nil && len(f.Roads) == 0 && f.Road == "" && !f.Closed {
		s.warnf("no line, so no laps: %v", err)
		return nil
	}
	if s.line = line; err != nil {
		return s.file.Locate(fmt.Errorf("%s: %w", key, err))
	}
	return nil
}

// routeLine returns the line along roads with these IDs.
func routeLine(network *opendrive.Map, ids []string, closed bool) (*road.Line, error) {
	const every = 2.0 // [m]
	l, err := network.Route(ids, closed, every)
	if err != nil {
		return nil, err
	}
	var list []road.Waypoint
	for _, p := range l.Points {
		list = append(list, road.Waypoint{Pos: p.Pos, Left: p.Left, Right: p.Right, Bank: p.Bank})
	}
	return road.LineThrough(list, l.Closed)
}

// defaultRoad returns the ID of the first road outside of junctions, or else of the first road.
func defaultRoad(roads []*opendrive.Road) string {
	for _, r := range roads {
		if r.Junction == "" {
			return r.ID
		}
	}
	return roads[0].ID
}

// listRoads returns the IDs of the first 20 roads for a message.
func listRoads(roads []*opendrive.Road) string {
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
