package crg

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
)

// fileText is a file as tests make it.
type fileText struct {
	road, opts, mods string // lines of sections; mods of "-" is an empty section
	format           string
	channels         []string
	rows             [][]float64
}

// head returns the file up to its data.
func (c fileText) head() string {
	var b strings.Builder
	b.WriteString("$CT ! made for a test\nA road.\n$!***\n$ROAD_CRG\n" + c.road + "\n$\n")
	if c.opts != "" {
		b.WriteString("$ROAD_CRG_OPTS\n* a comment\n" + c.opts + "\n$\n")
	}
	if c.mods != "" {
		b.WriteString("$ROAD_CRG_MODS\n" + strings.Trim(c.mods, "-") + "\n$\n")
	}
	b.WriteString("$KD_Definition\n#:" + c.format + " ! format\n")
	for _, name := range c.channels {
		b.WriteString("D:" + name + "\n")
	}
	b.WriteString("$\n$$$$****\n")
	return b.String()
}

// bytes returns the whole file.
func (c fileText) bytes() []byte {
	out := []byte(c.head())
	for _, row := range c.rows {
		for i, v := range row {
			switch c.format {
			case "LRFI":
				out = appendText(out, v, 10, i%8 == 7 || i == len(row)-1)
			case "LDFI":
				out = appendText(out, v, 20, i%4 == 3 || i == len(row)-1)
			case "KRBI":
				out = binary.BigEndian.AppendUint32(out, math.Float32bits(float32(v)))
			case "KDBI":
				out = binary.BigEndian.AppendUint64(out, math.Float64bits(v))
			}
		}
	}
	return out
}

func appendText(out []byte, v float64, width int, end bool) []byte {
	text := fmt.Sprintf("%*.*f", width, min(width-4, 12), v)
	if math.IsNaN(v) {
		text = ("*missing*" + strings.Repeat("*", width))[:width]
	}
	out = append(out, text...)
	if end {
		out = append(out, '\n')
	}
	return out
}

func (c fileText) parse(t testing.TB) *Road {
	t.Helper()
	g, err := Parse(c.bytes(), "test.crg")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// twoCuts is a straight road of 4 m with long sections at 1 m right and left, by
// the heights of both at each metre.
func twoCuts(heights ...float64) fileText {
	c := fileText{road: "REFERENCE_LINE_INCREMENT = 1.0", format: "LDFI", channels: []string{"long section at v = -1.0,m", "long section at v = 1.0,m"}}
	for i := 0; i < len(heights); i += 2 {
		c.rows = append(c.rows, heights[i:i+2])
	}
	return c
}

// The same rows in all formats are the same road; 13 channels fill more than one
// record of each kind.
func TestFormatsAgree(t *testing.T) {
	c := fileText{road: "REFERENCE_LINE_INCREMENT = 0.5\nLONG_SECTION_V_INCREMENT = 0.25", channels: []string{"reference line phi,rad"}}
	for j := range 12 {
		c.channels = append(c.channels, fmt.Sprintf("long section %d,m", j+1))
	}
	for i := range 9 {
		row := []float64{0.125 * float64(i%3)}
		for j := range 12 {
			row = append(row, float64((i*5+j*3)%7)/64)
		}
		c.rows = append(c.rows, row)
	}
	c.rows[0][0] = math.NaN() // unused
	var want road.Contact
	p := r3.Vec{X: 1.3, Y: 0.4}
	for i, format := range [...]string{"LDFI", "LRFI", "KDBI", "KRBI"} {
		c.format = format
		got := c.parse(t).Touch(p)
		if i == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", format, got, want)
		}
	}
	c.format = "LRFI"
	crlf := strings.ReplaceAll(string(c.bytes()), "\n", "\r\n")
	g, err := Parse([]byte(crlf), "crlf.crg")
	if err != nil || g.Touch(p) != want {
		t.Errorf("with CR LF: %v", err)
	}
}

// A record of bytes is filled up with NaN; such rows are no road.
func TestPaddingIsNoRoad(t *testing.T) {
	none := []float64{math.NaN(), math.NaN()}
	for format, fill := range map[string]int{"KRBI": 7, "KDBI": 2} { // rows after three up to 80 bytes
		c := twoCuts(1, 1, 2, 2, 3, 3)
		c.format = format
		for range fill {
			c.rows = append(c.rows, none)
		}
		if _, end, _, _ := c.parse(t).Extent(); end != 2 {
			t.Errorf("%s: the road ends at u = %g, want 2", format, end)
		}
	}
}

func TestExtent(t *testing.T) {
	numbered := []string{"long section 3,m", "long section 1,m", "long section 2,m"}
	tests := []struct {
		name     string
		road     string
		channels []string
		want     [4]float64
	}{
		{"placed", "REFERENCE_LINE_INCREMENT = 2", []string{"long section at v = 2,m", "long section at v = -1.5,m", "long section at v = 0,m"}, [4]float64{0, 4, -1.5, 2}},
		{"step alone", "REFERENCE_LINE_INCREMENT = 2\nLONG_SECTION_V_INCREMENT = 0.5", numbered, [4]float64{0, 4, -0.5, 0.5}},
		{"step and right", "REFERENCE_LINE_INCREMENT = 2\nLONG_SECTION_V_INCREMENT = 0.5\nLONG_SECTION_V_RIGHT = -2", numbered, [4]float64{0, 4, -2, -1}},
		{"step and left", "REFERENCE_LINE_INCREMENT = 2\nLONG_SECTION_V_INCREMENT = 0.5\nLONG_SECTION_V_LEFT = 2", numbered, [4]float64{0, 4, 1, 2}},
		{"both borders", "reference_line_increment = 2 ! lower case\nLONG_SECTION_V_RIGHT=-2\nLONG_SECTION_V_LEFT=1", numbered, [4]float64{0, 4, -2, 1}},
		{"begin of u", "REFERENCE_LINE_INCREMENT = 2\nREFERENCE_LINE_START_U = 730\nREFERENCE_LINE_END_U = 734\nLONG_SECTION_V_INCREMENT = 1.0d0", numbered, [4]float64{730, 734, -1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := fileText{road: tt.road, format: "LRFI", channels: tt.channels, rows: [][]float64{{3, 1, 2}, {3, 1, 2}, {3, 1, 2}}}
			var got [4]float64
			got[0], got[1], got[2], got[3] = c.parse(t).Extent()
			if got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	c := fileText{road: "", format: "LRFI", channels: append(numbered, "long section 4,m"), rows: [][]float64{{3, 1, 2, 4}, {3, 1, 2, 4}}}
	c.road = "LONG_SECTION_V_INCREMENT = 1"
	text := strings.Replace(string(c.bytes()), "D:long section 3", "U:reference line u,m,5,0.5\nD:long section 3", 1)
	g, err := Parse([]byte(text), "test.crg")
	if err != nil {
		t.Fatal(err)
	}
	begin, end, _, _ := g.Extent()
	near.Value(t, "begin of the virtual channel", begin, 5, 0)
	near.Value(t, "end of the virtual channel", end, 5.5, 0)
	near.Value(t, "the sorted section's height", g.Touch(r3.Vec{X: 0, Y: 1.5}).Point.Z, 4, 0)
}

func TestFaults(t *testing.T) {
	good := string(twoCuts(0, 0, 0, 0, 0, 0).bytes())
	swap := func(old, text string) string { return strings.Replace(good, old, text, 1) }
	tests := []struct{ name, data, want string }{
		{"empty", "", "test.crg:1: the file ends before its data"},
		{"no data line", swap("$$$$****", "$"), "$$$$ before them"},
		{"no data", good[:strings.Index(good, "$$$$")+9], ":12: the data have 0 whole cross sections"},
		{"no increment", swap("REFERENCE_LINE_INCREMENT", "REFERENCE_LINE_START_X"), "REFERENCE_LINE_INCREMENT is missing"},
		{"increment of 0", swap("= 1.0", "= 0"), ":5: REFERENCE_LINE_INCREMENT = 0: must be 0.0001 to 10000"},
		{"increment of NaN", swap("= 1.0", "= nan"), `:5: REFERENCE_LINE_INCREMENT = "nan": must be a number from`},
		{"infinite begin", swap("= 1.0", "= 1.0\nREFERENCE_LINE_START_U = 1e300"), ":6: REFERENCE_LINE_START_U"},
		{"not an assignment", swap("= 1.0", "1.0"), "\"REFERENCE_LINE_INCREMENT 1.0\":"},
		{"end too far", swap("= 1.0", "= 1.0\nREFERENCE_LINE_END_U = 1e7"), ":6: the data have 3 cross sections, REFERENCE_LINE_END_U = 1e+07 needs 10000001"},
		{"end too near", swap("= 1.0", "= 1.0\nREFERENCE_LINE_END_U = 1"), "allows 2; correct the end"},
		{"end before the begin", swap("= 1.0", "= 1.0\nREFERENCE_LINE_END_U = -1"), "must be above the begin of the line, 0"},
		{"end between steps", swap("= 1.0", "= 1.0\nREFERENCE_LINE_END_U = 1.5"), "REFERENCE_LINE_END_U = 1.5: must"},
		{"longer than any road", strings.Replace(string(twoCuts(make([]float64, 300)...).bytes()), "= 1.0", "= 9999", 1), ":5: 150 cross sections 9999 m apart make 1.489851e+06 m"},
		{"too many channels", swap("D:long", strings.Repeat("D:x,m\n", 1<<16)+"D:long"), ":65545: more than 65536 channels"},
		{"unknown format", swap("#:LDFI", "#:LRBI"), `format "LRBI": must be LRFI, LDFI, KRBI or KDBI; write the`},
		{"one long section", swap("D:long section at v = 1.0,m\n", ""), ":11: 1 long sections: must be at least 2; add lines"},
		{"wrong unit", swap("v = 1.0,m", "v = 1.0,mm"), `long section at v = 1.0: unit "mm": must be m`},
		{"no place", swap("v = 1.0,m", "v = x,m"), "long section \"at v = x\": must be a number"},
		{"twice the same place", swap("v = 1.0,m", "v = -1,m"), "two long sections at v = -1"},
		{"too wide", swap("v = 1.0,m", "v = 1e6,m"), "long sections from v = -1 to 1e+06:"},
		{"numbered and placed", swap("at v = 1.0,m", "1,m"), "some long sections have a number"},
		{"numbers with a gap", strings.Replace(swap("at v = 1.0,m", "1,m"), "at v = -1.0,m", "3,m", 1), "long section 3: must be 2; number them"},
		{"phi in degrees", swap("D:long", "D:reference line phi,deg\nD:long"), "must be rad"},
		{"phi twice", swap("D:long", "D:reference line phi,rad\nD:reference line phi,rad\nD:long"), "defined twice"},
		{"a corner", string(arc("LDFI", 1.6, 4, 1, 0, 0).bytes()), "turns by 1.6 rad at cross section 2: must be at most 1.5; correct phi"},
		{"steep banking", string(arc("LDFI", 0, 4, 1, 1.5, 0).bytes()), ":17: reference line banking is 1.5 in cross section 1; must be -1 to 1"},
		{"no direction", string(arc("LDFI", math.NaN(), 4, 1, 0, 0).bytes()), "reference line phi is NaN in cross section 2"},
		{"numbers without a step", strings.Replace(swap("at v = 1.0,m", "1,m"), "at v = -1.0,m", "2,m", 1), "numbered long sections need LONG_SECTION_V_INCREMENT"},
		{"steps that miss the border", strings.Replace(strings.Replace(swap("at v = 1.0,m", "1,m"), "at v = -1.0,m", "2,m", 1), "= 1.0",
			"= 1.0\nLONG_SECTION_V_INCREMENT = 0.5\nLONG_SECTION_V_RIGHT = -1\nLONG_SECTION_V_LEFT = 1", 1), ":6: 2 long sections 0.5 m apart do not reach from v = -1 to 1"},
		{"borders swapped", strings.Replace(strings.Replace(swap("at v = 1.0,m", "1,m"), "at v = -1.0,m", "2,m", 1), "= 1.0",
			"= 1.0\nLONG_SECTION_V_RIGHT = 1\nLONG_SECTION_V_LEFT = -1", 1), ":7: long sections -2 m apart"},
		{"reference point off the road", swap("$KD_", "$ROAD_CRG_OPTS\nBORDER_MODE_U = 0\n$\n$ROAD_CRG_MODS\nREFPOINT_U = -1\n$\n$KD_"), "the reference point at u = -1, v = 0 has no ground"},
		{"another file", swap("$KD_", "$ROAD_CRG_FILE\n ../other.crg\n$\n$KD_"), `$ROAD_CRG_FILE is not supported: the data are in "../other.crg"; copy this`},
		{"bad mode", swap("$KD_", "$ROAD_CRG_OPTS\nBORDER_MODE_V = 5\n$\n$KD_"), ":8: BORDER_MODE_V = 5: must be 0 to 4"},
		{"mode between", swap("$KD_", "$ROAD_CRG_OPTS\nBORDER_MODE_V = 1.5\n$\n$KD_"), "BORDER_MODE_V = 1.5: must be a whole number"},
		{"two reference points", swap("$KD_", "$ROAD_CRG_MODS\nREFPOINT_U = 1\nREFPOINT_U_FRACTION = 1\n$\n$KD_"), "are both given; remove one"},
		{"a word in the data", swap("0.000000000000\n", "0.00000x000000\n"), ":13: "},
		{"columns off", swap("0.000000000000\n", "0.0000000000000000\n"), "\"0000\" follows the 2 numbers of 20 characters;"},
		{"a number too few", swap("      0.000000000000\n", "\n"), ":13: the record has 1 numbers, must be 2; write each"},
		{"too high", string(twoCuts(0, 1e6, 0, 0).bytes()), ":13: a height of 1e+06 m in cross section 1"},
		{"too high in bytes", damaged("KRBI", 1e6, 0), "a height of 1e+06 m in cross section 1: must be at most 100000 m; the data are damaged or not in the format that"},
		{"steep banking in bytes", string(arc("KDBI", 0, 4, 1, 1.5, 0).bytes()), "banking is 1.5 in cross section 1; the data are damaged"},
		{"a corner in bytes", string(arc("KDBI", 1.6, 4, 1, 0, 0).bytes()), "the reference line turns by 1.6 rad at cross section"},
		{"nothing in a row", string(twoCuts(0, 0, math.NaN(), math.NaN()).bytes()), "cross section 2 has no height; add one, or set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := Parse([]byte(tt.data), "test.crg")
			if err == nil {
				t.Fatalf("accepted: %+v", g)
			}
			if text := err.Error(); !strings.HasPrefix(text, "road: test.crg:") || !strings.Contains(text, tt.want) || strings.Contains(text, "\n") {
				t.Errorf("%q, want %q in it", text, tt.want)
			}
		})
	}
}

// damaged is a road of two cuts with one height as it is stored.
func damaged(format string, height float32, rest float64) string {
	c := twoCuts(float64(height), rest, rest, rest)
	c.format = format
	return string(c.bytes())
}

// What changes no height is told, and the road is there.
func TestWarnings(t *testing.T) {
	c := twoCuts(0, 0, 0, 0)
	c.road += "\nREFERENCE_LINE_COLOUR = blue\nLONG_SECTION_V_LEFT = 1.2\nREFERENCE_LINE_START_LON = 9.2\nREFERENCE_LINE_END_X = 1.5"
	c.opts = "REFLINE_CONTINUATION = 1\nLOG_EVAL = 20"
	c.mods = "GRID_NAN_MODE = 2.000+e00\n$\n$SOMETHING_ELSE\nABC"
	c.channels = append(c.channels, "friction,-")
	for i := range c.rows {
		c.rows[i] = append(c.rows[i], 0.7)
	}
	got := strings.Join(append(c.parse(t).Warnings, ""), "\n")
	want := `test.crg:6: REFERENCE_LINE_COLOUR: unknown in this section, ignored
test.crg:17: GRID_NAN_MODE = "2.000+e00" is read as 2
test.crg:19: section $SOMETHING_ELSE: unknown, ignored
test.crg:26: channel "friction": unknown, its column is ignored
test.crg:7: LONG_SECTION_V_LEFT = 1.2: ignored, the data give 1
test.crg:9: REFERENCE_LINE_END_X = 1.5: ignored, the data give 1
test.crg:13: REFLINE_CONTINUATION = 1: the ends of the line do not meet, so it continues straight
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The head's directions do not count where the data have others.
func TestDirectionsDisagree(t *testing.T) {
	c := arc("LDFI", 0.1, 4, 1, 0, 0)
	c.road += "\nREFERENCE_LINE_START_PHI = 0.1\nREFERENCE_LINE_END_PHI = 0.5\nREFERENCE_LINE_OFFSET_PHI = 7"
	got := c.parse(t).Warnings
	if len(got) != 1 || got[0] != "test.crg:7: REFERENCE_LINE_END_PHI = 0.5: ignored, the data give 0.4 rad there" {
		t.Errorf("%q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(twoCuts(0, 1, 2, 3, 4, 5).bytes())
	f.Add(arc("LRFI", 0.3, 8, 2, 0.05, 0.02).bytes())
	closed := arc("LRFI", 0.25, 25, 10, 0, 0)
	closed.opts = "REFLINE_CONTINUATION = 1\nBORDER_MODE_U = 3\nBORDER_MODE_V = 4\nBORDER_SMOOTH_UBEG = 2"
	f.Add(closed.bytes())
	moved := arc("KRBI", 0.3, 8, 2, 0.05, 0.02)
	moved.mods = "SCALE_CURVATURE = 2\nSCALE_LENGTH = 3\nREFPOINT_U = 3\nREFPOINT_PHI = 1\nGRID_NAN_MODE = 0"
	moved.rows[2][4] = math.NaN()
	f.Add(moved.bytes())
	f.Add([]byte("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 1e4\n$KD_DEFINITION\nD:long section 1,m\n$$$$\n\x7f\xc0\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Parse(data, "fuzz.crg")
		if err != nil {
			return
		}
		begin, end, right, left := g.Extent()
		for _, u := range [...]float64{begin - 1, begin, begin + (end-begin)/3, end, end + 10} {
			for _, v := range [...]float64{right - 1, right, (right + left) / 2, left, left + 1e3} {
				p, _ := g.At(u, v)
				soundContact(t, g, p)
			}
		}
	})
}

// soundContact fails unless a contact is finite and its normal is one.
func soundContact(t *testing.T, g *Road, p r3.Vec) {
	t.Helper()
	c := g.Touch(p)
	for _, v := range [...]float64{c.Point.X, c.Point.Y, c.Point.Z, c.Depth} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("at %v: %+v", p, c)
		}
	}
	if !(math.Abs(r3.Norm(c.Normal)-1) < 1e-9) || !(c.Normal.Z > 0) {
		t.Fatalf("at %v: normal %v", p, c.Normal)
	}
}
