// Package survey tells what a circuit is like before anyone drives on it, as `rig road` prints it:
// in goes a circuit's name or file; out come a report with the faults of ground and line, a picture
// from above, and the ground's height, normal and surface at places that are asked for. It shows
// what package circuit built, and never changes it.
package survey

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/printable"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/mesh"
)

// Report is what `rig road` tells of a circuit.
type Report struct {
	Name      string             `json:"name"`
	Title     string             `json:"title"`
	Kind      string             `json:"kind"`     // layout, mesh, OpenDRIVE, OpenCRG or height grid
	Sources   []string           `json:"sources"`  // files beside the circuit's own
	Origin    [3]float64         `json:"origin_m"` // the place of the ground's file that is 0, 0, 0 in a drive
	LoadTime  float64            `json:"load_s"`
	Cached    bool               `json:"cached"` // the mesh was taken from the cache
	Low       [3]float64         `json:"low_m"`  // corners of the box about it, of the file, as all places here
	High      [3]float64         `json:"high_m"`
	Triangles int                `json:"triangles"`
	Dropped   int                `json:"dropped"`   // triangles without area
	Bytes     int                `json:"bytes"`     // that the mesh takes
	Materials []circuit.Material `json:"materials"` // of the mesh
	Surfaces  []OfSurface        `json:"surfaces"`
	Line      *OfLine            `json:"line"` // null where there is none
	Pit       *OfPit             `json:"pit"`
	Walls     int                `json:"walls"`
	Cones     int                `json:"cones"`
	Areas     []string           `json:"areas"`
	Checks    []Finding          `json:"checks"`
	Warnings  []string           `json:"warnings"`
	site      *circuit.Site
	ground    *aerial
}

// OfSurface is what one surface covers, seen from above, of what the picture shows.
type OfSurface struct {
	Name      string  `json:"name"`
	Area      float64 `json:"area_m2"`
	Grip      float64 `json:"grip"`
	Roughness string  `json:"roughness"` // class of ISO 8608, or empty
	Profile   string  `json:"profile"`
}

// OfLine is a centre line.
type OfLine struct {
	Length   float64    `json:"length_m"`
	Closed   bool       `json:"closed"`
	Width    [2]float64 `json:"width_m"`  // least and greatest
	Height   [2]float64 `json:"height_m"` // the same
	Slope    [2]float64 `json:"slope_percent"`
	Bank     [2]float64 `json:"bank_deg"`          // positive where the left side is higher
	Radius   float64    `json:"tightest_radius_m"` // 0: it is straight
	RadiusAt float64    `json:"tightest_at_m"`
	Start    float64    `json:"start_m"`
	Sectors  []float64  `json:"sectors_m"` // their lengths, from the start on
}

// OfPit is a pit lane.
type OfPit struct {
	From  float64 `json:"from_m"`
	To    float64 `json:"to_m"`
	Width float64 `json:"width_m"`
	Limit float64 `json:"limit_kph"`
}

// Look loads a circuit and finds out all about it. pixels are those of a picture's longer side; 0
// is 1500.
func Look(name string, o circuit.Options, pixels int) (*Report, error) {
	began := time.Now()
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	s, err := circuit.Open(name, o)
	if err != nil {
		return nil, err
	}
	c := s.Circuit
	r := &Report{
		Name: name, Title: c.Title, Kind: s.Kind, Origin: [3]float64{s.Origin.X, s.Origin.Y, s.Origin.Z}, Sources: append([]string{}, s.Sources...), LoadTime: time.Since(began).Seconds(), Cached: s.Cached,
		Dropped: s.Dropped, Materials: append([]circuit.Material{}, s.Materials...), Walls: len(c.Walls), Cones: len(c.Cones),
		Areas: append([]string{}, c.Areas...), site: s,
	}
	if m, ok := s.Bare.(*mesh.Mesh); ok {
		r.Triangles, r.Bytes = m.Triangles(), m.Bytes()
	}
	o.Tell("looking at it from above")
	r.ground = newAerial(s, pixels)
	r.Surfaces = r.ground.surfaces()
	low, high := r.ground.box()
	low, high = r3.Add(low, s.Origin), r3.Add(high, s.Origin)
	r.Low, r.High = [3]float64{low.X, low.Y, low.Z}, [3]float64{high.X, high.Y, high.Z}
	if !c.Roadless {
		r.Line = ofLine(c, s.Origin.Z)
	}
	if p := c.Pit; p.Left > p.Right {
		r.Pit = &OfPit{p.From, p.To, p.Left - p.Right, p.Limit * 3.6}
	}
	o.Tell("looking for faults")
	r.Checks, err = check(s)
	r.Warnings = append([]string{}, s.Warnings...)
	return r, err
}

// ofLine tells of the line of a circuit whose heights count from a height of the file.
func ofLine(c *road.Circuit, above float64) *OfLine {
	inf := math.Inf(1)
	l := &OfLine{Length: c.Length(), Closed: c.Closed(), Start: c.Start, Sectors: []float64{}}
	l.Width, l.Height, l.Slope, l.Bank = [2]float64{inf, -inf}, [2]float64{inf, -inf}, [2]float64{inf, -inf}, [2]float64{inf, -inf}
	widen := func(to *[2]float64, v float64) { to[0], to[1] = min(to[0], v), max(to[1], v) }
	tightest := 1e-6 // [1/m]; less is straight
	for at := 0.0; at < c.Length(); at++ {
		p := c.At(at)
		widen(&l.Width, p.Left+p.Right)
		widen(&l.Height, p.Pos.Z+above)
		widen(&l.Slope, 100*p.Slope)
		widen(&l.Bank, p.Bank*180/math.Pi)
		if k := math.Abs(p.Curvature); k > tightest {
			tightest, l.Radius, l.RadiusAt = k, 1/k, at
		}
	}
	before, whole := 0.0, c.Length()
	if !c.Closed() {
		whole -= c.Start
	}
	for _, at := range c.Sectors {
		far := at - c.Start
		if far < 0 {
			far += c.Length()
		}
		l.Sectors = append(l.Sectors, far-before)
		before = far
	}
	l.Sectors = append(l.Sectors, whole-before)
	return l
}

// Print tells it to people.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	b.WriteString(printable.Sprintf("%s: %s, %s\n", r.Name, r.Title, r.Kind))
	row := func(name, format string, args ...any) {
		b.WriteString(printable.Sprintf("  %-10s %s\n", name, fmt.Sprintf(format, args...)))
	}
	for _, path := range r.Sources {
		if st, err := os.Stat(path); err == nil {
			row("file", "%s, %.1f MB", path, float64(st.Size())/1e6)
		}
	}
	row("extent", "%.0f m x %.0f m, heights %.2f to %.2f m", r.High[0]-r.Low[0], r.High[1]-r.Low[1], r.Low[2], r.High[2])
	if o := r.Origin; o != [3]float64{} {
		row("origin", "%s, %s, %s m of the file is 0, 0, 0 in a drive", plain(o[0]), plain(o[1]), plain(o[2]))
	}
	from := "built"
	if r.Cached {
		from = "taken from the cache"
	}
	if r.Triangles > 0 {
		row("mesh", "%d triangles, %.1f MB (%.0f bytes each), %d without area left out; %s", r.Triangles, float64(r.Bytes)/1e6,
			float64(r.Bytes)/float64(r.Triangles), r.Dropped, from)
	}
	row("loaded in", "%.2f s", r.LoadTime)
	r.printLine(row)
	for _, u := range r.Surfaces {
		row("surface", "%-14s %9.0f m²  grip %.2f%s", u.Name, u.Area, u.Grip, laid(u))
	}
	for _, m := range r.Materials {
		if m.Triangles == 0 {
			continue
		}
		row("material", "%-24s %9.0f m²  %d triangles", m.Name, m.Area, m.Triangles)
	}
	if r.Walls+r.Cones > 0 {
		row("on it", "%d walls, %d cones", r.Walls, r.Cones)
	}
	if len(r.Areas) > 0 {
		row("areas", "%s", strings.Join(r.Areas, ", "))
	}
	for _, t := range printable.Few(r.Warnings) {
		row("warning", "%s", t)
	}
	for _, f := range r.Checks {
		row("check", "%s", f)
	}
	if len(r.Checks) == 0 {
		row("check", "no faults found")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// plain writes a number with all its digits and without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// laid tells what lies on a surface.
func laid(u OfSurface) string {
	text := ""
	if u.Roughness != "" {
		text += ", ISO 8608 class " + u.Roughness
	}
	if u.Profile != "" {
		text += ", " + u.Profile
	}
	return text
}

func (r *Report) printLine(row func(name, format string, args ...any)) {
	l := r.Line
	if l == nil {
		row("line", "none: no laps")
		return
	}
	kind := "open"
	if l.Closed {
		kind = "closed"
	}
	row("line", "%.1f m, %s, %.1f to %.1f m wide, %.2f to %.2f m high", l.Length, kind, l.Width[0], l.Width[1], l.Height[0], l.Height[1])
	bend := "straight"
	if l.Radius > 0 {
		bend = fmt.Sprintf("tightest radius %.1f m at %.0f m", l.Radius, l.RadiusAt)
	}
	row("", "slope %.1f to %.1f %%, bank %.1f to %.1f°, %s", l.Slope[0], l.Slope[1], l.Bank[0], l.Bank[1], bend)
	row("lap", "starts at %.1f m; sectors of %s m", l.Start, join(l.Sectors))
	if p := r.Pit; p != nil {
		row("pit", "%.0f to %.0f m, %.1f m wide, %.0f km/h", p.From, p.To, p.Width, p.Limit)
	}
}

func join(list []float64) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, fmt.Sprintf("%.1f", v))
	}
	return strings.Join(texts, ", ")
}
