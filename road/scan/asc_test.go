package scan

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

const ascHead = "ncols 3\nnrows 2\nxllcenter 10\nyllcenter 20\ncellsize 2\n"

func TestASCPlaces(t *testing.T) {
	type height struct{ x, y, z float64 } // z of -1000 is a hole
	tests := []struct {
		name string
		text string
		want []height
	}{
		{"centers", ascHead + "1 2 3\n4 5 6\n", []height{{10, 22, 1}, {14, 22, 3}, {10, 20, 4}, {12, 20, 5}, {14, 20, 6}}},
		{"corners", "NCOLS 3\nNROWS 2\nXLLCORNER 10\nYLLCORNER 20\nCELLSIZE 2\nNODATA_value -1\n1 2 3 4 5 6", []height{{11, 23, 1}, {15, 21, 6}}},
		{"cells that are not square", "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ndx 2\ndy 0.5\n1 2 3\n4 5 6", []height{{11, 20.75, 1}, {15, 20.75, 3}, {13, 20.25, 5}, {13, 20.5, 3.5}}},
		{"a row over lines", ascHead + "1 2\n3 4\r\n5\n\n6", []height{{10, 22, 1}, {14, 20, 6}}},
		{"a hole", ascHead + "nodata_value -32768\n1 2 -32768\n4 5 6", []height{{10, 22, 1}, {13.5, 21.5, -1000}}},
		{"a hole by default", ascHead + "1 2 -9999.0\n4 5 6", []height{{10, 22, 1}, {13, 21, -1000}}},
		{"nan", ascHead + "NODATA_value nan\nnan 2 3\n4 5 6", []height{{14, 22, 3}, {11, 21, -1000}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := ParseASC([]byte(tt.text), "a.asc", nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range tt.want {
				c := g.Touch(r3.Vec{X: h.x, Y: h.y})
				if h.z == -1000 {
					near.Value(t, "depth in a hole", c.Depth, -1000, 0)
					continue
				}
				near.Value(t, fmt.Sprintf("height at %g, %g", h.x, h.y), c.Point.Z, h.z, 1e-12)
			}
		})
	}
}

func TestASCRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "scan: a.asc:1: ncols = 0"},
		{"no head", "1 2 3", "scan: a.asc:1: ncols = 0"},
		{"absurd", strings.Replace(ascHead, "nrows 2", "nrows 4000000000", 1) + "1", "nrows = 4e+09"},
		{"absurd together", strings.Replace(strings.Replace(ascHead, "nrows 2", "nrows 20000", 1), "ncols 3", "ncols 20000", 1) + "1", "ncols 20000 times nrows 20000: must be at most"},
		{"more than there is", strings.Replace(ascHead, "nrows 2", "nrows 20000", 1) + "1", "ncols 3 and nrows 20000 do not fit into a file of"},
		{"part of a column", strings.Replace(ascHead, "ncols 3", "ncols 2.5", 1) + "1", "ncols = 2.5"},
		{"no place", "ncols 3\nnrows 2\ncellsize 2\nyllcenter 0\n1 2 3 4 5 6", "either xllcorner or xllcenter must be given"},
		{"two places", ascHead + "yllcorner 3\n1 2 3 4 5 6", "either yllcorner or yllcenter must be given"},
		{"no step", "ncols 3\nnrows 2\nxllcenter 10\nyllcenter 20\n1 2 3 4 5 6", "cellsize = 0"},
		{"both steps", ascHead + "dx 2\ndy 2\n1 2 3 4 5 6", "cellsize and dx or dy are both given"},
		{"half a step", "ncols 3\nnrows 2\nxllcenter 10\nyllcenter 20\ndx 2\n1 2 3 4 5 6", "dy = 0: must be"},
		{"degrees", strings.Replace(ascHead, "cellsize 2", "cellsize 0.0001", 1) + "1 2 3 4 5 6", "cellsize = 0.0001: must be from 0.001 to 100000 m; if it is in degrees, reproject to metres"},
		{"twice", ascHead + "ncols 3\n1 2 3 4 5 6", "scan: a.asc:6: ncols: must have one number and stand once"},
		{"unknown", "ncols 3\nwidth 7\n", `scan: a.asc:2: "width": unknown in the header`},
		{"cut off", ascHead + "1 2 3\n4 5", "scan: a.asc:7: the file ends at column 3 of row 2"},
		{"too long", ascHead + "1 2 3\n4 5 6 7", `scan: a.asc:7: "7" follows the last`},
		{"a word", ascHead + "1 2 3\n4 five 6", `scan: a.asc:7: height "five" at column 2 of row 2`},
		{"infinite", ascHead + "1 2 3\n4 inf 6", "scan: a.asc: road: grid height at column 1 of row 0 is +Inf m"},
		{"nothing", ascHead + "-9999 -9999 -9999 -9999 -9999 -9999", "has no height at all"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseASC([]byte(tt.text), "a.asc", nil)
			wantError(t, err, tt.want)
		})
	}
}
