package road

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	// originNear is the distance from zero up to which a ground is not moved [m]: there the display's float32
	// still resolves 1 mm, and float64 2e-12 m.
	originNear  = 10e3
	originRound = 1e3 // an origin is a multiple of this [m]

	// MaxCoordinate is the limit of coordinates [m], larger than those of all maps in metres: national
	// grids have up to 1e7.
	MaxCoordinate = 1e8
	// MaxFromOrigin is the maximum distance of a ground from its origin along each axis [m].
	MaxFromOrigin = 1e6
)

// Origin returns the position in a file's coordinates that becomes 0, 0, 0, for a ground between the
// corners low and high [m, file]. Along each axis it is 0 if the ground begins within 10 km of zero, else
// the middle of the ground in whole kilometres, so that computations are as exact as for a file near zero.
//
// Coordinates larger than those of any map in metres are an error, and so are those that look like degrees
// of longitude and latitude: less than 2 across, and further than that from zero.
func Origin(low, high r3.Vec) (r3.Vec, error) {
	for _, v := range [...]float64{low.X, low.Y, low.Z, high.X, high.Y, high.Z} {
		if !(math.Abs(v) <= MaxCoordinate) { // also true for NaN
			return r3.Vec{}, fmt.Errorf("coordinate %g m: must be -%[2]g to %[2]g m; reproject to metres, or correct the unit",
				v, float64(MaxCoordinate))
		}
	}
	if looksLikeDegrees(low, high) {
		return r3.Vec{}, fmt.Errorf("everything is between %.6g, %.6g and %.6g, %.6g: these look like degrees; "+
			"reproject to metres (for example UTM)", low.X, low.Y, high.X, high.Y)
	}
	return r3.Vec{X: originAlong(low.X, high.X), Y: originAlong(low.Y, high.Y), Z: originAlong(low.Z, high.Z)}, nil
}

// originAlong returns the origin along one axis, for a ground from low to high [m].
func originAlong(low, high float64) float64 {
	if low <= originNear && high >= -originNear && max(-low, high) <= MaxFromOrigin {
		return 0
	}
	return originRound * math.Round((low+high)/2/originRound)
}

// looksLikeDegrees reports whether a ground is less than 2 across, away from zero, and within the range of
// longitudes and latitudes.
func looksLikeDegrees(low, high r3.Vec) bool {
	x, y := (low.X+high.X)/2, (low.Y+high.Y)/2
	return high.X-low.X < 2 && high.Y-low.Y < 2 &&
		max(math.Abs(x), math.Abs(y)) > 2 && math.Abs(x) <= 360 && math.Abs(y) <= 90
}
