package scan

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/road"
)

// ascReader is an ESRI ASCII grid while it is being read.
type ascReader struct {
	file    string
	lines   lineReader
	line    []byte             // rest of the current line
	pending []byte             // the next word, if it was read ahead
	header  map[string]float64 // by key in lower case
}

// maxASCPoints is the maximum number of points in a file.
const maxASCPoints = 1 << 28

// ParseASC reads heights in ESRI's ASCII grid format (ArcGIS: "Esri ASCII raster format"), with x to the east,
// y to the north, in metres. name is the name of the file in errors. Heights equal to NODATA_value, by default
// -9999, are holes.
//
// The points of the grid are the centers of the file's cells: xllcorner is half a cell before the first point,
// xllcenter is the first point. Files with cells that are not square have dx and dy instead of cellsize, as
// GDAL writes them.
//
// origin is called with the corners of the grid [m, in coordinates of the file], at height 0, and returns the
// position that becomes 0, 0, 0. It may be nil: then the grid is not moved. Its errors are returned unchanged.
func ParseASC(data []byte, name string, origin func(low, high r3.Vec) (r3.Vec, error)) (*road.Grid, error) {
	r := &ascReader{file: name, lines: newLineReader(data), header: map[string]float64{}}
	if err := r.readHead(); err != nil {
		return nil, err
	}
	nx, ny := int(r.header["ncols"]), int(r.header["nrows"])
	if nx > len(data)/(2*ny)+1 { // a height and a blank are two bytes at least
		return nil, r.fault("ncols %d and nrows %d do not fit into a file of %d bytes; copy the file again",
			nx, ny, len(data))
	}
	dx, dy := r.step("x"), r.step("y")
	low := r3.Vec{X: r.first("x"), Y: r.first("y")}
	var o r3.Vec
	if origin != nil {
		var err error
		if o, err = origin(low, r3.Vec{X: low.X + float64(nx-1)*dx, Y: low.Y + float64(ny-1)*dy}); err != nil {
			return nil, err
		}
	}
	heights, err := r.readHeights(nx, ny, o.Z)
	if err != nil {
		return nil, err
	}
	g, err := road.NewGrid(low.X-o.X, low.Y-o.Y, dx, dy, nx, ny, heights, nil)
	if err != nil {
		return nil, fmt.Errorf("scan: %s: %w", name, err)
	}
	return g, nil
}

// fault returns an error with the current line.
func (r *ascReader) fault(format string, args ...any) error {
	return fmt.Errorf("scan: %s:%d: %s", r.file, max(r.lines.number, 1), fmt.Sprintf(format, args...))
}

// next returns the next word of the file, empty at its end.
func (r *ascReader) next() []byte {
	if w := r.pending; len(w) > 0 {
		r.pending = nil
		return w
	}
	for {
		var w []byte
		if w, r.line = cutWord(r.line); len(w) > 0 {
			return w
		}
		line, more := r.lines.next()
		if !more {
			return nil
		}
		r.line = line
	}
}

// readHead reads the header: keys with values, up to the first height.
func (r *ascReader) readHead() error {
	for {
		w := r.next()
		if _, err := strconv.ParseFloat(string(w), 64); err == nil || len(w) == 0 {
			r.pending = w
			return r.checkHead()
		}
		key := strings.ToLower(string(w[:min(len(w), 40)]))
		switch key {
		case "ncols", "nrows", "cellsize", "dx", "dy", "nodata_value", "xllcorner", "yllcorner", "xllcenter", "yllcenter":
		default:
			return r.fault("%q: unknown in the header, which has ncols, nrows, xllcorner, yllcorner, "+
				"cellsize (or dx and dy) and NODATA_value", printable.Excerpt(string(w)))
		}
		v, err := strconv.ParseFloat(string(r.next()), 64)
		if _, twice := r.header[key]; err != nil || twice {
			return r.fault("%s: must have one number and stand once", key)
		}
		r.header[key] = v
	}
}

// has reports whether the header has a key.
func (r *ascReader) has(key string) bool {
	_, found := r.header[key]
	return found
}

// checkHead reports what is missing or out of range in the header.
func (r *ascReader) checkHead() error {
	for _, key := range [...]string{"ncols", "nrows"} {
		if n := r.header[key]; !(n >= 2 && n <= maxASCPoints && n == math.Trunc(n)) {
			return r.fault("%s = %g: must be a whole number from 2 to %d", key, n, maxASCPoints)
		}
	}
	if r.header["ncols"]*r.header["nrows"] > maxASCPoints {
		return r.fault("ncols %g times nrows %g: must be at most %d in all; split the grid",
			r.header["ncols"], r.header["nrows"], maxASCPoints)
	}
	for _, axis := range [...]string{"x", "y"} {
		if r.has(axis+"llcorner") == r.has(axis+"llcenter") {
			return r.fault("either %sllcorner or %[1]sllcenter must be given", axis)
		}
	}
	if !r.has("nodata_value") {
		r.header["nodata_value"] = -9999
	}
	return r.checkSteps()
}

// checkSteps checks the sizes of the cells.
func (r *ascReader) checkSteps() error {
	keys := []string{"cellsize"}
	if r.has("dx") || r.has("dy") {
		if keys = []string{"dx", "dy"}; r.has("cellsize") {
			return r.fault("cellsize and dx or dy are both given; remove one")
		}
	}
	for _, key := range keys {
		if step := r.header[key]; !(step >= 1e-3 && step <= 1e5) {
			return r.fault("%s = %g: must be from 0.001 to 100000 m; if it is in degrees, reproject to metres", key, step)
		}
	}
	return nil
}

// step returns the size of a cell along an axis [m].
func (r *ascReader) step(axis string) float64 {
	if r.has("d" + axis) {
		return r.header["d"+axis]
	}
	return r.header["cellsize"]
}

// first returns the coordinate of the first point along an axis [m].
func (r *ascReader) first(axis string) float64 {
	if r.has(axis + "llcenter") {
		return r.header[axis+"llcenter"]
	}
	return r.header[axis+"llcorner"] + r.step(axis)/2
}

// readHeights reads the rows, which the file lists from north to south, and subtracts originZ from all
// heights [m].
func (r *ascReader) readHeights(nx, ny int, originZ float64) ([]float32, error) {
	heights := make([]float32, nx*ny)
	hole, nodata := float32(math.NaN()), r.header["nodata_value"]
	for j := ny - 1; j >= 0; j-- {
		for i := range nx {
			w := r.next()
			if len(w) == 0 {
				return nil, r.fault("the file ends at column %d of row %d: must have %d rows of %d heights; copy the file again",
					i+1, ny-j, ny, nx)
			}
			v, err := strconv.ParseFloat(string(w), 64)
			if err != nil {
				return nil, r.fault("height %q at column %d of row %d is not a number",
					printable.Excerpt(string(w)), i+1, ny-j)
			}
			heights[j*nx+i] = float32(v - originZ)
			if v == nodata {
				heights[j*nx+i] = hole
			}
		}
	}
	if w := r.next(); len(w) > 0 {
		return nil, r.fault("%q follows the last of %d rows of %d heights; correct ncols or nrows",
			printable.Excerpt(string(w)), ny, nx)
	}
	return heights, nil
}
