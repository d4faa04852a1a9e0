package crg

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// A ramp of 0.1 in u that is 1 m higher on the left, with all that borders do.
func TestBorders(t *testing.T) {
	tests := []struct {
		name string
		opts string
		x, y float64
		want float64 // NaN is no ground
	}{
		{"inside", "BORDER_MODE_U = 0\nBORDER_MODE_V = 0", 1, 0.5, 0.1 + 0.75},
		{"kept by default, ahead", "BORDER_OFFSET_U = 0.3", -1, 0, 0.5 + 0.3},
		{"kept by default, behind", "BORDER_OFFSET_U = 0.3", 9, 0, 0.4 + 0.5 + 0.3},
		{"kept by default, left", "BORDER_OFFSET_V = -0.3", 2, 5, 0.2 + 1 - 0.3},
		{"kept by default, corner", "BORDER_OFFSET_U = 0.5\nBORDER_OFFSET_V = -0.3", 9, -5, 0.4 + 0.5 - 0.3},
		{"none in u", "BORDER_MODE_U = 0", 4.1, 0, math.NaN()},
		{"none in v", "BORDER_MODE_V = 0", 2, -1.1, math.NaN()},
		{"zero in u", "BORDER_MODE_U = 1\nBORDER_OFFSET_U = 0.3", 4.1, 0.7, 0.3},
		{"zero in v", "BORDER_MODE_V = 1\nBORDER_OFFSET_V = 0.2", 3, 1.5, 0.2},
		{"zero in u, kept in v", "BORDER_MODE_U = 1\nBORDER_OFFSET_U = 0.3\nBORDER_OFFSET_V = 0.2", 5, 1.5, 0.5},
		{"repeated in u", "BORDER_MODE_U = 3\nBORDER_OFFSET_U = 0.3", 5.5, -1, 0.15},
		{"repeated in u, ahead", "BORDER_MODE_U = 3", -0.5, -1, 0.35},
		{"repeated in v", "BORDER_MODE_V = 3", 0, 1.5, 0.25},
		{"repeated in v, right", "BORDER_MODE_V = 3", 0, -5.5, 0.75},
		{"reflected in u", "BORDER_MODE_U = 4", 5.5, -1, 0.25},
		{"reflected in u, ahead", "BORDER_MODE_U = 4", -5.5, -1, 0.25},
		{"reflected in v", "BORDER_MODE_V = 4", 0, 1.5, 0.75},
		{"reflected twice in v", "BORDER_MODE_V = 4", 0, 3.5, 0.25},
		{"fades in", "BORDER_SMOOTH_UBEG = 2", 1, 1, 1.1 / 2},
		{"faded ahead", "BORDER_SMOOTH_UBEG = 2", -1, 1, 0},
		{"fades out", "BORDER_SMOOTH_UEND = 1", 3.75, 1, 1.375 / 4},
		{"not yet", "BORDER_SMOOTH_UEND = 1\nBORDER_SMOOTH_UBEG = 2", 2.5, 1, 1.25},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := twoCuts(0, 1, 0.1, 1.1, 0.2, 1.2, 0.3, 1.3, 0.4, 1.4)
			c.opts = tt.opts
			g := c.parse(t)
			got := g.Touch(r3.Vec{X: tt.x, Y: tt.y})
			g.Shift(r3.Vec{X: 4096, Y: -2048, Z: 8})
			moved := g.Touch(r3.Vec{X: tt.x - 4096, Y: tt.y + 2048})
			if math.IsNaN(tt.want) {
				near.Value(t, "depth of no ground", got.Depth, -1000, 0)
				near.Value(t, "depth of no ground, moved", moved.Depth, -1000, 0)
				return
			}
			near.Value(t, "height", got.Point.Z, tt.want, 1e-7)
			near.Value(t, "height, moved", moved.Point.Z, tt.want-8, 1e-7)
		})
	}
}

// The gradient beyond a border is that of what lies there.
func TestBorderSlopes(t *testing.T) {
	tests := []struct {
		name         string
		opts         string
		x, y         float64
		ahead, aside float64
	}{
		{"inside", "BORDER_MODE_U = 0", 2, 0, 0.1, 0.5},
		{"kept in u", "BORDER_MODE_U = 2", 9, 0, 0, 0.5},
		{"kept in v", "BORDER_MODE_V = 2", 2, 3, 0.1, 0},
		{"zero", "BORDER_MODE_U = 1", 9, 0, 0, 0},
		{"repeated", "BORDER_MODE_U = 3", 6, 0, 0.1, 0.5},
		{"reflected in u", "BORDER_MODE_U = 4", 6, 0, -0.1, 0.5},
		{"reflected in v", "BORDER_MODE_V = 4", 2, 2, 0.1, -0.5},
		{"fading in", "BORDER_SMOOTH_UBEG = 4", 2, 1, 0.5*0.1 + 1.2/4, 0.25},
		{"fading out", "BORDER_SMOOTH_UEND = 4", 2, 1, 0.5*0.1 - 1.2/4, 0.25},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := twoCuts(0, 1, 0.1, 1.1, 0.2, 1.2, 0.3, 1.3, 0.4, 1.4)
			c.opts = tt.opts
			n := c.parse(t).Touch(r3.Vec{X: tt.x, Y: tt.y}).Normal
			near.Value(t, "slope ahead", -n.X/n.Z, tt.ahead, 1e-6)
			near.Value(t, "slope aside", -n.Y/n.Z, tt.aside, 1e-6)
		})
	}
}

func TestHoles(t *testing.T) {
	hole := math.NaN()
	tests := []struct {
		name string
		mods string
		want [5]float64 // by long section
	}{
		{"no modifiers", "", [5]float64{2, 2, 2, 4, 4}},
		{"empty modifiers", "-", [5]float64{hole, 2, hole, 4, hole}},
		{"kept", "GRID_NAN_MODE = 0", [5]float64{hole, 2, hole, 4, hole}},
		{"zero", "GRID_NAN_MODE = 1", [5]float64{0, 2, 0, 4, 0}},
		{"zero and offset", "GRID_NAN_MODE = 1\nGRID_NAN_OFFSET = -1", [5]float64{-1, 2, -1, 4, -1}},
		{"last", "GRID_NAN_MODE = 2", [5]float64{2, 2, 2, 4, 4}},
		{"last and offset", "GRID_NAN_OFFSET = 0.5", [5]float64{2.5, 2, 2.5, 4, 4.5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := fileText{road: "REFERENCE_LINE_INCREMENT = 1\nLONG_SECTION_V_INCREMENT = 1", format: "LRFI", mods: tt.mods}
			for _, n := range "12345" {
				c.channels = append(c.channels, "long section "+string(n)+",m")
			}
			row := []float64{hole, 2, hole, 4, hole}
			c.rows = [][]float64{row, row}
			f := file{name: "test.crg"}
			body, err := f.readHead(c.bytes())
			if err == nil {
				err = f.readRows(body)
			}
			if err == nil {
				err = f.fillHoles()
			}
			if err != nil {
				t.Fatal(err)
			}
			for j, want := range tt.want {
				if got := float64(f.z[5+j]); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Errorf("section %d: %g, want %g", j+1, got, want)
				}
			}
		})
	}
}

// A straight road of 4 m whose left side is 1 m higher, moved and scaled.
func TestModifiers(t *testing.T) {
	tests := []struct {
		name string
		mods string
		u, v float64
		want r3.Vec
	}{
		{"none", "-", 3, 0.5, r3.Vec{X: 3, Y: 0.5, Z: 0.75 + 0.3 + 0.1}},
		{"heights", "SCALE_Z_GRID = 2", 3, 0.5, r3.Vec{X: 3, Y: 0.5, Z: 1.5 + 0.3 + 0.1}},
		{"slope", "SCALE_SLOPE = -1", 3, 0.5, r3.Vec{X: 3, Y: 0.5, Z: 0.75 - 0.3 + 0.1}},
		{"banking", "SCALE_BANKING = 3", 3, 0.5, r3.Vec{X: 3, Y: 0.5, Z: 0.75 + 0.3 + 0.3}},
		{"flat", "SCALE_BANKING = 0\nSCALE_SLOPE = 0\nSCALE_Z_GRID = 0", 3, 0.5, r3.Vec{X: 3, Y: 0.5}},
		{"length", "SCALE_LENGTH = 2", 6, 0.5, r3.Vec{X: 6, Y: 0.5, Z: 0.75 + 0.6 + 0.1}},
		{"width", "SCALE_WIDTH = 2", 3, 1, r3.Vec{X: 3, Y: 1, Z: 0.75 + 0.3 + 0.2}},
		{"shifted", "REFLINE_OFFSET_X = 10\nREFLINE_OFFSET_Y = 20\nREFLINE_OFFSET_Z = 5", 3, 0.5, r3.Vec{X: 13, Y: 20.5, Z: 5 + 1.15}},
		{"turned", "REFLINE_OFFSET_PHI = 1.5707963267948966", 3, 0.5, r3.Vec{X: -0.5, Y: 3, Z: 1.15}},
		{"turned about", "REFLINE_OFFSET_PHI = 1.5707963267948966\nREFLINE_ROTCENTER_X = 3", 3, 0.5, r3.Vec{X: 2.5, Y: 0, Z: 1.15}},
		{"to a place", "REFPOINT_X = 7", 0, 0, r3.Vec{X: 7}},
		{"a point to a place", "REFPOINT_U = 3\nREFPOINT_V = 0.5\nREFPOINT_X = 7\nREFPOINT_Y = 8\nREFPOINT_Z = 9\nREFPOINT_PHI = 1", 3, 0.5, r3.Vec{X: 7, Y: 8, Z: 9}},
		{"shares", "REFPOINT_U_FRACTION = 0.5\nREFPOINT_U_OFFSET = 1\nREFPOINT_V_FRACTION = 1\nREFPOINT_V_OFFSET = -0.5\nREFLINE_OFFSET_X = 5", 3, 0.5, r3.Vec{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := twoCuts(0, 1, 0, 1, 0, 1, 0, 1, 0, 1)
			c.road += "\nREFERENCE_LINE_START_S = 0.1\nREFERENCE_LINE_START_B = 0.2"
			c.mods = tt.mods
			g := c.parse(t)
			got, _ := g.At(tt.u, tt.v)
			nearVec7(t, "place", got, tt.want)
			nearVec7(t, "touched", g.Touch(got).Point, got)
		})
	}
}

// Channels are scaled as constants are, and the end moves along.
func TestScaledChannels(t *testing.T) {
	c := arc("LDFI", 0, 10, 1, 0.2, 0.1)
	c.road += "\nREFERENCE_LINE_END_X = 10\nREFERENCE_LINE_END_Y = 0\nREFERENCE_LINE_START_Z = 3\nREFERENCE_LINE_END_Z = 4"
	c.mods = "SCALE_SLOPE = 3\nSCALE_BANKING = -1\nSCALE_LENGTH = 2"
	g := c.parse(t)
	got, _ := g.At(20, 1)
	nearVec(t, "end", got, r3.Vec{X: 20, Y: 1, Z: 3 + 2*3*0.1*10 - 0.2})
	if len(g.Warnings) > 0 {
		t.Error(g.Warnings)
	}
}

// Twice the curvature of an arc is half its radius.
func TestScaledCurvature(t *testing.T) {
	c := arc("LDFI", 0.02, 100, 0.5, 0, 0)
	c.mods = "SCALE_CURVATURE = 2"
	c.road += "\nREFERENCE_LINE_END_X = 20\nREFERENCE_LINE_END_Y = 20" // of the old line
	straight := arc("LDFI", 0.04, 100, 0.5, 0, 0)
	straight.mods = "REFLINE_OFFSET_PHI = -0.02" // the first step keeps its direction
	got, _ := c.parse(t).At(40, 1)
	want, _ := straight.parse(t).At(40, 1)
	nearVec(t, "place", got, want)
}

// The head's end point closes what rounded directions leave open.
func TestEndIsMet(t *testing.T) {
	c := arc("LDFI", 0.02, 100, 0.5, 0, 0.05)
	end, _ := c.parse(t).At(50, 0)
	c.road += "\nREFERENCE_LINE_END_X = 22.7" // without y it is no end
	if got, _ := c.parse(t).At(50, 0); got != end {
		t.Errorf("%v, want %v", got, end)
	}
	c.road = strings.Replace(c.road, "22.7", "22.38\nREFERENCE_LINE_END_Y = 35.635\nREFERENCE_LINE_END_Z = 2.51", 1)
	g, err := Parse(c.bytes(), "test.crg")
	if err != nil || len(g.Warnings) == 0 {
		t.Fatalf("end %v: %v", end, err)
	}
	got, _ := g.At(50, 0)
	nearVec(t, "end", got, r3.Vec{X: 22.38, Y: 35.635, Z: 2.51})
	begin, _ := g.At(0, 0)
	nearVec(t, "begin", begin, r3.Vec{})
	c.road = strings.Replace(c.road, "22.38", "35", 1)
	if _, err := Parse(c.bytes(), "test.crg"); err == nil || !strings.Contains(err.Error(), "test.crg:6: REFERENCE_LINE_END_X: the data end") {
		t.Errorf("an end far off: %v", err)
	}
}

// A line that comes back to its begin goes on there.
func TestClosedTrack(t *testing.T) {
	c := arc("LDFI", 2*math.Pi/40, 40, 1, 0, 0)
	for i, row := range c.rows {
		h := 0.1 * math.Sin(2*math.Pi*float64(i)/40)
		row[3], row[4], row[5] = h, h, h
	}
	c.opts = "REFLINE_CONTINUATION = 1"
	g := c.parse(t)
	if len(g.Warnings) > 0 {
		t.Fatal(g.Warnings)
	}
	for _, u := range [...]float64{0.5, 17.25, 39.5} {
		want, _ := g.At(u, 0.8)
		for _, round := range [...]float64{-40, 40, 400} {
			got, _ := g.At(u+round, 0.8)
			if !(r3.Norm(r3.Sub(got, want)) < 1e-9) {
				t.Errorf("%g m on from u = %g: %v, want %v", round, u, got, want)
			}
		}
	}
	// Two of the steps are missing: the ends go on straight and meet in between.
	c.rows = c.rows[:39]
	open := c.parse(t)
	for i := range 40 {
		p, _ := open.At(-1+0.05*float64(i), 0.4)
		q, _ := open.At(37.999+0.05*float64(i), 0.4)
		for _, p := range [...]r3.Vec{p, q} {
			if u, v := open.Locate(p.X, p.Y); !(math.Abs(v-0.4) < 0.05) || u < -1.1 || u > 39.1 {
				t.Fatalf("in the gap: u %g, v %g", u, v)
			}
		}
	}
	// All round the circle the ground is there, also where its begin and end meet.
	middle, _ := g.At(10, 40/(2*math.Pi))
	for i := range 1000 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 1000)
		p := r3.Vec{X: middle.X + 6.4*cos, Y: middle.Y + 6.4*sin}
		if u, v := g.Locate(p.X, p.Y); !(math.Abs(v) < 0.3) {
			t.Fatalf("at %d/1000 round: u %g, v %g", i, u, v)
		}
		soundContact(t, g, p)
	}
}
