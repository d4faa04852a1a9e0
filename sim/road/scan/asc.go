package scan

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// ascReader is an ESRI ASCII grid on its way to a ground.
type ascReader struct {
	file  string
	lines lines
	line  []byte // what is left of the current one
	kept  []byte // a word that was looked at and is still to come
	head  map[string]float64
}

// ascMost is the most points that a file may claim.
const ascMost = 1 << 28

// ParseASC reads heights in the ASCII form of ESRI's grids (ArcGIS: "Esri ASCII
// raster format"), y to the north and x to the east, in metres; name stands for
// the file in errors. Heights that equal NODATA_value, by default -9999, are holes.
//
// The points are the middles of the file's cells: xllcorner is half a cell before
// the first of them, xllcenter is the first itself. Cells that are not square have dx and dy
// in place of cellsize, as GDAL writes them.
//
// The function origin is told the corners of the grid [m, of the file], at height 0, and returns
// the place that becomes 0, 0, 0; nil leaves the grid where it is. Its errors are returned as
// they are.
func ParseASC(data []byte, name string, origin func(low, high r3.Vec) (r3.Vec, error)) (*road.Grid, error) {
	r := &ascReader{file: name, lines: newLines(data), head: map[string]float64{}}
	if err := r.readHead(); err != nil {
		return nil, err
	}
	nx, ny := int(r.head["ncols"]), int(r.head["nrows"])
	if nx > len(data)/(2*ny)+1 { // a height and a blank are two bytes at least
		return nil, r.fault("ncols %d and nrows %d do not fit into a file of %d bytes; is it cut off?", nx, ny, len(data))
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

func (r *ascReader) fault(format string, args ...any) error {
	return fmt.Errorf("scan: %s:%d: %s", r.file, max(r.lines.number, 1), fmt.Sprintf(format, args...))
}

// next returns the next word of the file, empty at its end.
func (r *ascReader) next() []byte {
	if w := r.kept; len(w) > 0 {
		r.kept = nil
		return w
	}
	for {
		var w []byte
		if w, r.line = word(r.line); len(w) > 0 {
			return w
		}
		line, more := r.lines.take()
		if !more {
			return nil
		}
		r.line = line
	}
}

// readHead reads names with values up to the first height, which it leaves.
func (r *ascReader) readHead() error {
	for {
		w := r.next()
		if _, err := strconv.ParseFloat(string(w), 64); err == nil || len(w) == 0 {
			r.kept = w
			return r.checkHead()
		}
		key := strings.ToLower(string(w[:min(len(w), 40)]))
		switch key {
		case "ncols", "nrows", "cellsize", "dx", "dy", "nodata_value", "xllcorner", "yllcorner", "xllcenter", "yllcenter":
		default:
			return r.fault("%q is not known here; the head has ncols, nrows, xllcorner, yllcorner, cellsize (or dx and dy) and NODATA_value", clip(string(w)))
		}
		v, err := strconv.ParseFloat(string(r.next()), 64)
		if _, twice := r.head[key]; err != nil || twice {
			return r.fault("%s: give it one number, once", key)
		}
		r.head[key] = v
	}
}

func (r *ascReader) has(key string) bool {
	_, found := r.head[key]
	return found
}

// checkHead tells what the head lacks.
func (r *ascReader) checkHead() error {
	for _, key := range [...]string{"ncols", "nrows"} {
		if n := r.head[key]; !(n >= 2 && n <= ascMost && n == math.Trunc(n)) {
			return r.fault("%s = %g: must be a whole number from 2 to %d", key, n, ascMost)
		}
	}
	if r.head["ncols"]*r.head["nrows"] > ascMost {
		return r.fault("ncols %g times nrows %g: must be at most %d in all; split the grid", r.head["ncols"], r.head["nrows"], ascMost)
	}
	for _, axis := range [...]string{"x", "y"} {
		if r.has(axis+"llcorner") == r.has(axis+"llcenter") {
			return r.fault("one of %sllcorner and %[1]sllcenter is needed, not both", axis)
		}
	}
	if !r.has("nodata_value") {
		r.head["nodata_value"] = -9999
	}
	return r.checkSteps()
}

// checkSteps checks the sizes of the cells.
func (r *ascReader) checkSteps() error {
	keys := []string{"cellsize"}
	if r.has("dx") || r.has("dy") {
		if keys = []string{"dx", "dy"}; r.has("cellsize") {
			return r.fault("cellsize stands beside dx and dy; give the one or the others")
		}
	}
	for _, key := range keys {
		if step := r.head[key]; !(step >= 1e-3 && step <= 1e5) {
			return r.fault("%s = %g: must be from 0.001 to 100000 m; if it is in degrees, reproject to metres", key, step)
		}
	}
	return nil
}

// step returns the size of a cell along an axis [m].
func (r *ascReader) step(axis string) float64 {
	if r.has("d" + axis) {
		return r.head["d"+axis]
	}
	return r.head["cellsize"]
}

// first returns where the first point of an axis lies [m].
func (r *ascReader) first(axis string) float64 {
	if r.has(axis + "llcenter") {
		return r.head[axis+"llcenter"]
	}
	return r.head[axis+"llcorner"] + r.step(axis)/2
}

// readHeights reads the rows, which the file has from north to south, as heights above one of
// the file's.
func (r *ascReader) readHeights(nx, ny int, above float64) ([]float32, error) {
	heights := make([]float32, nx*ny)
	hole, nodata := float32(math.NaN()), r.head["nodata_value"]
	for j := ny - 1; j >= 0; j-- {
		for i := range nx {
			w := r.next()
			if len(w) == 0 {
				return nil, r.fault("the file ends at column %d of row %d: %d rows of %d heights are needed; is it cut off?", i+1, ny-j, ny, nx)
			}
			v, err := strconv.ParseFloat(string(w), 64)
			if err != nil {
				return nil, r.fault("height %q at column %d of row %d is no number", clip(string(w)), i+1, ny-j)
			}
			heights[j*nx+i] = float32(v - above)
			if v == nodata {
				heights[j*nx+i] = hole
			}
		}
	}
	if w := r.next(); len(w) > 0 {
		return nil, r.fault("%q follows the last of %d rows of %d heights; correct ncols or nrows", clip(string(w)), ny, nx)
	}
	return heights, nil
}
