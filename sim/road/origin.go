package road

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	originNear  = 10e3 // [m] from zero, where the window's 32-bit numbers are still 1 mm apart, and doubles 2e-12 m
	originRound = 1e3  // [m]

	// MostFar is beyond all coordinates that a map in metres has [m].
	MostFar = 1e8
	// MostAway is the most that a ground lies away from its origin, along each axis [m].
	MostAway = 1e6
)

// Origin returns the place of a file's coordinates that becomes 0, 0, 0, for a ground between
// two corners [m, the file's]. Along each axis that is zero where the ground begins within
// 10 km of it, and else the middle of the ground in whole kilometres: whatever is computed
// from there is as exact as it is for a file that begins at zero.
//
// Coordinates that no map in metres has are an error, and so are those that look like degrees
// of longitude and latitude: less than 2 across in all, and further than that from zero.
func Origin(low, high r3.Vec) (r3.Vec, error) {
	for _, v := range [...]float64{low.X, low.Y, low.Z, high.X, high.Y, high.Z} {
		if !(math.Abs(v) <= MostFar) { // also true for NaN
			return r3.Vec{}, fmt.Errorf("a coordinate of %g m: no map in metres has more than %g; reproject to metres, or correct the unit", v, float64(MostFar))
		}
	}
	if degrees(low, high) {
		return r3.Vec{}, fmt.Errorf("all of it lies from %.6g, %.6g to %.6g, %.6g, which are degrees if this is a map; reproject to metres (UTM, for example)", low.X, low.Y, high.X, high.Y)
	}
	return r3.Vec{X: originAlong(low.X, high.X), Y: originAlong(low.Y, high.Y), Z: originAlong(low.Z, high.Z)}, nil
}

func originAlong(low, high float64) float64 {
	if low <= originNear && high >= -originNear && max(-low, high) <= MostAway {
		return 0
	}
	return originRound * math.Round((low+high)/2/originRound)
}

// degrees reports whether a ground between two corners is no larger than what fits below a
// car, away from zero, and where longitudes and latitudes are.
func degrees(low, high r3.Vec) bool {
	x, y := (low.X+high.X)/2, (low.Y+high.Y)/2
	return high.X-low.X < 2 && high.Y-low.Y < 2 && max(math.Abs(x), math.Abs(y)) > 2 && math.Abs(x) <= 360 && math.Abs(y) <= 90
}
