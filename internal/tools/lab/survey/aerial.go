package survey

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road/crg"
)

// aerial is the ground as seen from above, sampled at each pixel.
type aerial struct {
	site      *circuit.Site
	low, high r3.Vec    // corners of the sampled area [m]
	size      float64   // size of a pixel on the ground [m]
	nx, ny    int       // number of pixels to the east and to the north
	z         []float64 // height of each pixel [m], row by row from the south; NaN where there is no ground
	normal    []r3.Vec
	material  []uint8
	noData    []bool // whether the ground of a pixel is extrapolated beyond the data
}

// newAerial samples the ground of s. pixels is the size of the longer side; 0 is 1500.
func newAerial(s *circuit.Site, pixels int) *aerial {
	v := &aerial{site: s}
	v.low, v.high = s.Extent()
	width, height := v.high.X-v.low.X, v.high.Y-v.low.Y
	v.size = max(max(width, height)/float64(cmp.Or(max(pixels, 0), 1500)), 1e-3)
	v.nx, v.ny = max(int(math.Ceil(width/v.size)), 1), max(int(math.Ceil(height/v.size)), 1)
	n := v.nx * v.ny
	v.z, v.normal, v.material, v.noData = make([]float64, n), make([]r3.Vec, n), make([]uint8, n), make([]bool, n)
	circuit.Parallel(v.ny, v.sampleRow)
	return v
}

// bounds returns the corners of the bounding box of the sampled ground.
func (v *aerial) bounds() (low, high r3.Vec) {
	low, high = v.low, v.high
	low.Z, high.Z = math.Inf(1), math.Inf(-1)
	for _, z := range v.z {
		if !math.IsNaN(z) {
			low.Z, high.Z = min(low.Z, z), max(high.Z, z)
		}
	}
	if low.Z > high.Z { // no pixel has ground
		low.Z, high.Z = v.low.Z, v.high.Z
	}
	return low, high
}

// sampleRow samples row j of pixels.
func (v *aerial) sampleRow(j int) {
	const margin = 5.0 // [m]
	grid, _ := v.site.Bare.(*crg.Road)
	for i := range v.nx {
		x, y := v.low.X+(float64(i)+0.5)*v.size, v.low.Y+(float64(j)+0.5)*v.size
		k := j*v.nx + i
		z, ok := circuit.HeightBelow(v.site.Bare, x, y, v.high.Z+margin)
		if !ok {
			v.z[k] = math.NaN()
			continue
		}
		c := v.site.Bare.Touch(r3.Vec{X: x, Y: y, Z: z})
		v.z[k], v.normal[k], v.material[k] = z, c.Normal, c.Material
		v.noData[k] = grid != nil && !grid.Covers(x, y)
	}
}

// surfaces returns the surfaces of the pixels with data, the largest area first.
func (v *aerial) surfaces() []SurfaceReport {
	var pixels [256]int
	for k, m := range v.material {
		if !math.IsNaN(v.z[k]) && !v.noData[k] {
			pixels[m]++
		}
	}
	list := []SurfaceReport{}
	for m, surface := range v.site.Surfaces {
		if pixels[m] == 0 {
			continue
		}
		area := float64(pixels[m]) * v.size * v.size
		if at := slices.IndexFunc(list, func(report SurfaceReport) bool { return report.Name == surface.Name }); at >= 0 {
			list[at].Area += area
			continue
		}
		report := SurfaceReport{Name: surface.Name, Area: area, Grip: surface.Tire.Grip, Profile: surface.Profile.Kind}
		if surface.Roughness.Class != 0 {
			report.Roughness = string(rune(surface.Roughness.Class))
		}
		list = append(list, report)
	}
	slices.SortStableFunc(list, func(a, b SurfaceReport) int {
		switch {
		case a.Area > b.Area:
			return -1
		case a.Area < b.Area:
			return 1
		}
		return 0
	})
	return list
}

// render returns the picture: surfaces in their colors, lit from the north-west; higher ground is lighter.
func (v *aerial) render() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, v.nx, v.ny))
	light := r3.Unit(r3.Vec{X: -1, Y: 1, Z: 1.6})
	box, top := v.bounds()
	low, high := box.Z, top.Z
	circuit.Parallel(v.ny, func(j int) {
		for i := range v.nx {
			k := j*v.nx + i
			c := color.RGBA{255, 255, 255, 255}
			if !math.IsNaN(v.z[k]) {
				relativeHeight := 0.5
				if high-low > 0.5 {
					relativeHeight = (v.z[k] - low) / (high - low)
				}
				n := v.normal[k]
				const exaggeration = 3.0 // factor on slopes, so that hills are visible
				n = r3.Unit(r3.Vec{X: exaggeration * n.X, Y: exaggeration * n.Y, Z: n.Z})
				brightness := (0.25 + 0.95*max(r3.Dot(n, light), 0)) * (0.85 + 0.3*relativeHeight)
				c = displayColor(v.mapColour(v.material[k], i, j), brightness)
			}
			img.SetRGBA(i, v.ny-1-j, c)
		}
	})
	return img
}

// displayColor returns the sRGB color of a linear color c under light of this brightness.
func displayColor(c [3]float64, light float64) color.RGBA {
	const lift = 0.02 // keeps dark asphalt distinct from black lines
	var out [3]uint8
	for i := range c {
		v := min(max((c[i]+lift)*light, 0), 1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = uint8(255*v + 0.5)
	}
	return color.RGBA{out[0], out[1], out[2], 255}
}
