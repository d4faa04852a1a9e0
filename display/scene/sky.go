package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// SkyVertex is one corner of the sky, laid out as the vertex shader reads it: three float32 of direction and three of
// color.
type SkyVertex struct {
	direction mgl32.Vec3 // from the eye, of any length
	color     mgl32.Vec3 // sRGB, 0..1
}

// Sky is the sky around the eye. Its colors stand in the vertices, because they would cost more at each pixel.
type Sky struct {
	Vertices []SkyVertex
	Indices  []uint32
	light    *Light
	parts    []skyPart // in the order in which they are drawn: hills over the sky above them
	sun      skyPart   // light of the sun, which is added to the sky
	spans    []Span    // result of the last Visible
}

// skyPart is a part of the sky, drawn or culled as a whole.
type skyPart struct {
	Span
	sphere // in directions from the eye
}

// The sky is divided into sectors along the horizon. Hills need more columns than the sky above them.
const (
	highSectors, highColumns = 12, 3 // columns of each sector
	hillSectors, hillColumns = 20, 14

	hillRise = 0.12 // the highest hill [vertical distance for each horizontal distance]
	capRise  = 0.87 // above it the sky has one color
)

// NewSky returns the sky in this light, with the hills at the horizon.
func NewSky(light *Light) *Sky {
	k := &Sky{light: light}
	k.addCap()
	for i := range highSectors {
		k.addColumns(i*highColumns, highColumns, highSectors*highColumns, k.highColumn)
	}
	for i := range hillSectors {
		k.addColumns(i*hillColumns, hillColumns, hillSectors*hillColumns, k.hillColumn)
	}
	k.addSun()
	k.sun, k.parts = k.parts[len(k.parts)-1], k.parts[:len(k.parts)-1]
	return k
}

// addPart adds the part whose indices start at start, up to the last.
func (k *Sky) addPart(start int) {
	var directions []mgl32.Vec3
	for _, i := range k.Indices[start:] {
		directions = append(directions, k.Vertices[i].direction)
	}
	k.parts = append(k.parts, skyPart{Span{start, len(k.Indices) - start}, sphereOf(directions)})
}

// skyPoint is a point of a column of the sky.
type skyPoint struct {
	rise  float64 // vertical distance for each horizontal distance
	color mgl32.Vec3
}

// addColumns adds count columns of the sky from the first on, where the whole circle has all columns.
func (k *Sky) addColumns(first, count, all int, column func(azimuth float64) []skyPoint) {
	start, base, height := len(k.Indices), uint32(len(k.Vertices)), uint32(0)
	for i := first; i <= first+count; i++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(all))
		points := column(math.Atan2(sin, cos))
		height = uint32(len(points))
		for _, p := range points {
			k.Vertices = append(k.Vertices, SkyVertex{mgl32.Vec3{float32(cos), float32(sin), float32(p.rise)}, p.color})
		}
	}
	for i := range uint32(count) {
		for j := range height - 1 {
			a, b := base+i*height+j, base+(i+1)*height+j
			k.Indices = append(k.Indices, a, a+1, b+1, a, b+1, b) // counter-clockwise as seen from inside
		}
	}
	k.addPart(start)
}

// highColumn returns the sky above the hills, from a little below their tops on.
func (k *Sky) highColumn(azimuth float64) (points []skyPoint) {
	for _, rise := range [...]float64{0.9 * hillRise, 0.18, 0.26, 0.36, 0.48, 0.62, capRise} {
		points = append(points, skyPoint{rise, k.light.sky(azimuth, rise)})
	}
	return points
}

// hillColumn returns the sky from below the horizon to the tops of the hills. An edge of hills is as wide as a pixel, so
// that it is smooth.
func (k *Sky) hillColumn(azimuth float64) []skyPoint {
	const edge, lowest = 0.0012, -0.002
	sin := func(waves, phase float64) float64 { return math.Sin(waves*azimuth + phase) }
	near := max(0.025+0.010*sin(7, 4)+0.006*sin(19, 2)+0.002*sin(57, 0), 0.016)
	far := max(0.050+0.018*sin(5, 1)+0.010*sin(13, 0)+0.004*sin(31, 0), near+edge)
	l := k.light
	points := []skyPoint{{-hillRise, l.Haze}}
	add := func(from, to float64, steps int, color func(rise float64) mgl32.Vec3) {
		for i := range steps + 1 {
			rise := from + (to-from)*float64(i)/float64(steps)
			points = append(points, skyPoint{rise, mixColor(color(rise), l.Haze, 1-smoothRange(lowest, 0.02, rise))})
		}
	}
	add(lowest, near, 3, func(float64) mgl32.Vec3 { return l.NearHills })
	add(near+edge, far, 1, func(float64) mgl32.Vec3 { return l.FarHills })
	add(far+edge, hillRise, 2, func(rise float64) mgl32.Vec3 { return l.sky(azimuth, rise) })
	return points
}

// sky returns the color of the sky without the sun, in a direction [rad, 0 along x, positive to the left] and at a rise
// [vertical distance for each horizontal distance].
func (l *Light) sky(azimuth, rise float64) mgl32.Vec3 {
	c := mixColor(l.Haze, l.Zenith, math.Pow(min(max(rise/capRise, 0), 1), 0.55))
	toward := 0.5 + 0.5*math.Cos(azimuth-math.Atan2(l.ToSun[1], l.ToSun[0]))
	return c.Add(l.Glow.Mul(float32(toward * toward * toward * math.Exp(-5*max(rise, 0)))))
}

// addCap adds the sky around the zenith.
func (k *Sky) addCap() {
	start, base := len(k.Indices), uint32(len(k.Vertices))
	k.Vertices = append(k.Vertices, SkyVertex{mgl32.Vec3{0, 0, 1}, k.light.Zenith})
	const columns = highSectors * highColumns
	for i := range columns {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / columns)
		at := math.Atan2(sin, cos)
		k.Vertices = append(k.Vertices, SkyVertex{mgl32.Vec3{float32(cos), float32(sin), capRise}, k.light.sky(at, capRise)})
		k.Indices = append(k.Indices, base, base+1+uint32((i+1)%columns), base+1+uint32(i))
	}
	k.addPart(start)
}

// addSun adds the light of the sun and of the air around it, as rings around the direction to the sun.
func (k *Sky) addSun() {
	const sides = 16
	angles := [...]float64{0, 1.2, 1.6, 2, 5, 8, 11, 14, 18, 23, 30} // [°]
	start, base := len(k.Indices), uint32(len(k.Vertices))
	ahead := k.light.ToSun
	side := ahead.Cross(mgl64.Vec3{0, 0, 1}).Normalize()
	up := side.Cross(ahead)
	for ring, degrees := range angles {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		light := 0.9*(1-smoothRange(1.2, 2, degrees)) + 0.18*math.Pow(cos, 40)
		if ring == len(angles)-1 {
			light = 0
		}
		for i := range sides {
			s, c := math.Sincos(2 * math.Pi * float64(i) / sides)
			d := ahead.Mul(cos).Add(side.Mul(sin * c)).Add(up.Mul(sin * s))
			k.Vertices = append(k.Vertices, SkyVertex{vec32(d), mgl32.Vec3{1, 0.9, 0.7}.Mul(float32(light))})
		}
	}
	for ring := range uint32(len(angles) - 1) {
		for i := range uint32(sides) {
			a, b := base+ring*sides+i, base+ring*sides+(i+1)%sides
			k.Indices = append(k.Indices, a, b, b+sides, a, b+sides, a+sides)
		}
	}
	k.addPart(start)
}

// Visible returns the index ranges of the visible sky, and that of the sun's light, which is empty if it is not visible, for
// an eye at this point [m, world]. The ranges are valid until the next call.
func (k *Sky) Visible(eye mgl64.Vec3, frustum Frustum) (sky []Span, sun Span) {
	k.spans = k.spans[:0]
	for i := range k.parts {
		if k.parts[i].isAhead(eye, &frustum) {
			k.spans = appendMerged(k.spans, k.parts[i].Span)
		}
	}
	if k.sun.isAhead(eye, &frustum) {
		sun = k.sun.Span
	}
	return k.spans, sun
}

// isAhead reports whether the part may be partly visible.
func (p *skyPart) isAhead(eye mgl64.Vec3, frustum *Frustum) bool {
	const far = 1000 // distance at which it is compared with the frustum, whatever the near plane is [m]
	return frustum.intersects(eye.Add(p.center.Mul(far)), p.radius*far)
}

// mixColor returns a color between two, a at share 0 and b at share 1.
func mixColor(a, b mgl32.Vec3, share float64) mgl32.Vec3 {
	return a.Add(b.Sub(a).Mul(float32(share)))
}

// smoothRange returns 0 up to from, 1 from to on, and a smooth transition between them.
func smoothRange(from, to, v float64) float64 {
	return smoothstep(min(max((v-from)/(to-from), 0), 1))
}
