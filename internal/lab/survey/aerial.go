package survey

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/crg"
)

// aerial is the ground as seen from above, pixel by pixel.
type aerial struct {
	site      *circuit.Site
	low, high r3.Vec  // corners of what is seen [m]
	size      float64 // of a pixel [m]
	nx, ny    int
	z         []float64 // of each pixel, row by row from the south; NaN where there is no ground
	normal    []r3.Vec
	material  []uint8
	beyond    []bool // the ground goes on there without data
}

func newAerial(s *circuit.Site, pixels int) *aerial {
	v := &aerial{site: s}
	v.low, v.high = s.Extent()
	wide, deep := v.high.X-v.low.X, v.high.Y-v.low.Y
	v.size = max(max(wide, deep)/float64(cmp.Or(max(pixels, 0), 1500)), 1e-3)
	v.nx, v.ny = max(int(math.Ceil(wide/v.size)), 1), max(int(math.Ceil(deep/v.size)), 1)
	n := v.nx * v.ny
	v.z, v.normal, v.material, v.beyond = make([]float64, n), make([]r3.Vec, n), make([]uint8, n), make([]bool, n)
	circuit.Parallel(v.ny, v.row)
	return v
}

// box returns the corners of the box about the ground that is seen.
func (v *aerial) box() (low, high r3.Vec) {
	low, high = v.low, v.high
	low.Z, high.Z = math.Inf(1), math.Inf(-1)
	for _, z := range v.z {
		if !math.IsNaN(z) {
			low.Z, high.Z = min(low.Z, z), max(high.Z, z)
		}
	}
	if low.Z > high.Z { // nothing is seen
		low.Z, high.Z = v.low.Z, v.high.Z
	}
	return low, high
}

// row looks down on a row of pixels.
func (v *aerial) row(j int) {
	const above = 5.0 // [m]
	grid, _ := v.site.Bare.(*crg.Road)
	for i := range v.nx {
		x, y := v.low.X+(float64(i)+0.5)*v.size, v.low.Y+(float64(j)+0.5)*v.size
		k := j*v.nx + i
		z, ok := circuit.HeightBelow(v.site.Bare, x, y, v.high.Z+above)
		if !ok {
			v.z[k] = math.NaN()
			continue
		}
		c := v.site.Bare.Touch(r3.Vec{X: x, Y: y, Z: z})
		v.z[k], v.normal[k], v.material[k] = z, c.Normal, c.Material
		v.beyond[k] = grid != nil && !grid.Covers(x, y)
	}
}

// surfaces tells what the pixels with data are made of, the largest part first.
func (v *aerial) surfaces() []OfSurface {
	var pixels [256]int
	for k, m := range v.material {
		if !math.IsNaN(v.z[k]) && !v.beyond[k] {
			pixels[m]++
		}
	}
	list := []OfSurface{}
	for m, u := range v.site.Surfaces {
		if pixels[m] == 0 {
			continue
		}
		area := float64(pixels[m]) * v.size * v.size
		if at := slices.IndexFunc(list, func(o OfSurface) bool { return o.Name == u.Name }); at >= 0 {
			list[at].Area += area
			continue
		}
		o := OfSurface{Name: u.Name, Area: area, Grip: u.Tire.Grip, Profile: u.Profile.Kind}
		if u.Rough.Class != 0 {
			o.Roughness = string(rune(u.Rough.Class))
		}
		list = append(list, o)
	}
	slices.SortStableFunc(list, func(a, b OfSurface) int {
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

// image is the picture: surfaces in their colours, lit from the north-west, higher ground
// lighter.
func (v *aerial) image() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, v.nx, v.ny))
	light := r3.Unit(r3.Vec{X: -1, Y: 1, Z: 1.6})
	box, top := v.box()
	low, high := box.Z, top.Z
	circuit.Parallel(v.ny, func(j int) {
		for i := range v.nx {
			k := j*v.nx + i
			c := color.RGBA{255, 255, 255, 255}
			if !math.IsNaN(v.z[k]) {
				tall := 0.5
				if high-low > 0.5 {
					tall = (v.z[k] - low) / (high - low)
				}
				n := v.normal[k]
				const steeper = 3.0 // than it is, so that hills show
				n = r3.Unit(r3.Vec{X: steeper * n.X, Y: steeper * n.Y, Z: n.Z})
				shine := (0.25 + 0.95*max(r3.Dot(n, light), 0)) * (0.85 + 0.3*tall)
				c = tint(v.colour(v.material[k]), shine)
			}
			img.SetRGBA(i, v.ny-1-j, c)
		}
	})
	return img
}

func (v *aerial) colour(material uint8) [3]float64 {
	if int(material) < len(v.site.Surfaces) {
		return v.site.Surfaces[material].Colour
	}
	return road.Surface{}.Colour
}

// tint is a linear colour in some light, as screens have it.
func tint(c [3]float64, light float64) color.RGBA {
	const lift = 0.02 // dark asphalt stays apart from black lines
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
