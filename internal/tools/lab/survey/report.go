// Package survey inspects a circuit for `rig road`. Its input is a circuit's name or file. Its output is a report
// with the faults of ground and line, a map, and the ground's height, normal and surface at given points. It
// shows what package circuit built, and never changes it.
package survey

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
)

// Report is the report of `rig road` on a circuit.
type Report struct {
	Name      string             `json:"name"`
	Title     string             `json:"title"`
	Kind      string             `json:"kind"`     // layout, mesh, OpenDRIVE, OpenCRG or height grid
	Sources   []string           `json:"sources"`  // files of the circuit besides its own
	Origin    [3]float64         `json:"origin_m"` // point of the ground file's coordinates that is 0, 0, 0 in a drive
	LoadTime  float64            `json:"load_s"`   // time to load and build the circuit
	Cached    bool               `json:"cached"`   // the mesh was taken from the cache
	Low       [3]float64         `json:"low_m"`    // lower corner of the bounding box, in the file's coordinates, as all points of the report
	High      [3]float64         `json:"high_m"`   // upper corner
	Triangles int                `json:"triangles"`
	Dropped   int                `json:"dropped"`   // triangles left out because they have no area
	Bytes     int                `json:"bytes"`     // memory that the mesh takes
	Materials []circuit.Material `json:"materials"` // materials of the mesh
	Surfaces  []SurfaceReport    `json:"surfaces"`  // surfaces of the ground, the largest area first
	Line      *LineReport        `json:"line"`      // null if there is none
	Pit       *PitReport         `json:"pit"`       // null if there is none
	Walls     int                `json:"walls"`
	Cones     int                `json:"cones"`
	Areas     []string           `json:"areas"`
	Checks    []Finding          `json:"checks"`
	Warnings  []string           `json:"warnings"`
	site      *circuit.Site
	ground    *aerial
}

// SurfaceReport is a surface and the area that it covers as seen from above.
type SurfaceReport struct {
	Name      string  `json:"name"`
	Area      float64 `json:"area_m2"`
	Grip      float64 `json:"grip"`
	Roughness string  `json:"roughness"` // class of ISO 8608, or empty
	Profile   string  `json:"profile"`
}

// LineReport describes a center line.
type LineReport struct {
	Length   float64    `json:"length_m"`
	Closed   bool       `json:"closed"`
	Width    [2]float64 `json:"width_m"`  // minimum and maximum
	Height   [2]float64 `json:"height_m"` // minimum and maximum
	Slope    [2]float64 `json:"slope_percent"`
	Bank     [2]float64 `json:"bank_deg"`          // positive where the left side is higher
	Radius   float64    `json:"tightest_radius_m"` // 0 for a straight line
	RadiusAt float64    `json:"tightest_at_m"`     // distance along the line of the tightest radius
	Start    float64    `json:"start_m"`           // distance along the line of the start
	Sectors  []float64  `json:"sectors_m"`         // lengths of the sectors, from the start
}

// PitReport describes a pit lane.
type PitReport struct {
	From  float64 `json:"from_m"`
	To    float64 `json:"to_m"`
	Width float64 `json:"width_m"`
	Limit float64 `json:"limit_kph"`
}

// Inspect builds a circuit and returns its report. pixels is the size of the longer side of its picture; 0 is
// 1500.
func Inspect(name string, o circuit.Options, pixels int) (*Report, error) {
	began := time.Now()
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	s, err := circuit.Open(name, o)
	if err != nil {
		return nil, err
	}
	c := s.Circuit
	r := &Report{
		Name: name, Title: c.Title, Kind: s.Kind, Origin: [3]float64{s.Origin.X, s.Origin.Y, s.Origin.Z}, Sources: append([]string{}, s.Sources...), LoadTime: time.Since(began).Seconds(), Cached: s.FromCache,
		Dropped: s.DroppedTriangles, Materials: append([]circuit.Material{}, s.Materials...), Walls: len(c.Walls), Cones: len(c.Cones),
		Areas: append([]string{}, c.Areas...), site: s,
	}
	if m, ok := s.Bare.(*mesh.Mesh); ok {
		r.Triangles, r.Bytes = m.TriangleCount(), m.Bytes()
	}
	o.Progress("sampling the ground from above")
	r.ground = newAerial(s, pixels)
	r.Surfaces = r.ground.surfaces()
	low, high := r.ground.bounds()
	low, high = r3.Add(low, s.Origin), r3.Add(high, s.Origin)
	r.Low, r.High = [3]float64{low.X, low.Y, low.Z}, [3]float64{high.X, high.Y, high.Z}
	if !c.Roadless {
		r.Line = lineReport(c, s.Origin.Z)
	}
	if p := c.Pit; p.Left > p.Right {
		r.Pit = &PitReport{p.From, p.To, p.Left - p.Right, p.Limit * 3.6}
	}
	o.Progress("looking for faults")
	r.Checks, err = findFaults(s)
	r.Warnings = append([]string{}, s.Warnings...)
	return r, err
}

// lineReport describes the line of a circuit. originHeight is the height of the circuit's origin in the
// file's coordinates [m].
func lineReport(c *road.Circuit, originHeight float64) *LineReport {
	inf := math.Inf(1)
	l := &LineReport{Length: c.Length(), Closed: c.Closed(), Start: c.Start, Sectors: []float64{}}
	l.Width, l.Height, l.Slope, l.Bank = [2]float64{inf, -inf}, [2]float64{inf, -inf}, [2]float64{inf, -inf}, [2]float64{inf, -inf}
	widen := func(to *[2]float64, v float64) { to[0], to[1] = min(to[0], v), max(to[1], v) }
	tightest := 1e-6 // [1/m]; less is straight
	for at := 0.0; at < c.Length(); at++ {
		p := c.At(at)
		widen(&l.Width, p.Left+p.Right)
		widen(&l.Height, p.Pos.Z+originHeight)
		widen(&l.Slope, 100*p.Slope)
		widen(&l.Bank, p.Bank*180/math.Pi)
		if k := math.Abs(p.Curvature); k > tightest {
			tightest, l.Radius, l.RadiusAt = k, 1/k, at
		}
	}
	lastEnd, total := 0.0, c.Length()
	if !c.Closed() {
		total -= c.Start
	}
	for _, at := range c.Sectors {
		end := at - c.Start
		if end < 0 {
			end += c.Length()
		}
		l.Sectors = append(l.Sectors, end-lastEnd)
		lastEnd = end
	}
	l.Sectors = append(l.Sectors, total-lastEnd)
	return l
}

// Print writes the report as text.
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
		row("origin", "%s, %s, %s m of the file is 0, 0, 0 in a drive", printable.Plain(o[0]), printable.Plain(o[1]), printable.Plain(o[2]))
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
		row("surface", "%-14s %9.0f m²  grip %.2f%s", u.Name, u.Area, u.Grip, surfaceDetails(u))
	}
	for _, m := range r.Materials {
		if m.Triangles == 0 {
			continue
		}
		row("material", "%-24s %9.0f m²  %d triangles", m.Name, m.Area, m.Triangles)
	}
	if r.Walls+r.Cones > 0 {
		row("objects", "%d walls, %d cones", r.Walls, r.Cones)
	}
	if len(r.Areas) > 0 {
		row("areas", "%s", strings.Join(r.Areas, ", "))
	}
	for _, t := range printable.FirstLines(r.Warnings) {
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

// surfaceDetails returns roughness and profile of a surface as text, empty if it has none.
func surfaceDetails(u SurfaceReport) string {
	text := ""
	if u.Roughness != "" {
		text += ", ISO 8608 class " + u.Roughness
	}
	if u.Profile != "" {
		text += ", " + u.Profile
	}
	return text
}

// printLine prints the rows of line, lap and pit lane by calling row.
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

// join formats numbers with one decimal, separated by commas.
func join(list []float64) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, fmt.Sprintf("%.1f", v))
	}
	return strings.Join(texts, ", ")
}
