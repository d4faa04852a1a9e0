package chassis

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/splitmix"
	"rig.example/rig/internal/kit/valid"
)

// Air describes the air with its wind. The wind is horizontal and the same everywhere; it depends on the tick
// alone.
type Air struct {
	// density of the air, for wings and the whole car's drag
	Density   float64 `toml:"density_kg_m3" range:"0..10"`
	WindSpeed float64 `toml:"wind_mps" range:"0..100"` // mean wind speed, the same everywhere
	// direction from which the wind blows: 0 from the world's x, a head wind at a heading of 0; 90 from its y
	// (left of x)
	WindFrom float64 `toml:"wind_from_deg" range:"-360..360"`
	// largest deviation of the wind speed from its mean, in gusts; 0.36 of it is the root of the mean square
	GustSpeed float64 `toml:"gust_mps" range:"0..50"`
	// period of the slowest gusts; the pattern repeats after a hundred of it
	GustPeriod float64 `toml:"gust_period_s" range:"0.5..600"`
	// seed of the random gusts; the same one gives the same, bit for bit
	GustSeed uint64 `toml:"gust_seed"`

	// temperature of the air that cools the brakes, and of the discs at the start; density_kg_m3 does not
	// depend on it
	Temperature float64 `toml:"temperature_c" range:"-60..60"`
}

const airDensity = 1.225 // [kg/m³], sea level at 15 °C

// DefaultAir returns still air at sea level and 15 °C.
func DefaultAir() Air { return Air{Density: airDensity, Temperature: 15, GustPeriod: 10} }

// Validate reports every parameter that is out of range.
func (a Air) Validate() error {
	return valid.Struct(a)
}

// wind is the wind of Air in the form that a tick needs.
type wind struct {
	meanVelocity r3.Vec // [m/s, world]
	direction    r3.Vec // unit vector towards which the wind blows
	hasGusts     bool
	waves        [4]wave
}

// wave is one of the sine waves whose sum is the gusts.
type wave struct {
	amplitude float64 // [m/s]
	frequency float64 // cycles in a tick
	phase     float64 // cycles at tick 0
}

// newWind returns the wind of a. Its gusts are the sum of four sine waves, whose phases follow from the seed.
//
// The frequencies are multiples of a hundredth of the lowest one, so that the gusts repeat after a hundred of
// its periods and have a mean of 0. The amplitudes fall with the cube root of the frequency, as in
// Kolmogorov's spectrum. They add up to 1, and the root mean square is 0.36.
func newWind(a Air, dt float64) wind {
	sin, cos := math.Sincos(a.WindFrom * math.Pi / 180)
	w := wind{direction: r3.Vec{X: -cos, Y: -sin}, hasGusts: a.GustSpeed > 0}
	if a.WindSpeed > 0 { // else exactly 0, not -0
		w.meanVelocity = r3.Scale(a.WindSpeed, w.direction)
	}
	frequencies := [...]float64{1, 1.61, 2.73, 4.37}
	amplitudes := [...]float64{0.315, 0.268, 0.225, 0.192}
	seed := a.GustSeed
	for i := range w.waves {
		seed = splitmix.Mix(seed)
		w.waves[i] = wave{
			amplitude: a.GustSpeed * amplitudes[i],
			frequency: frequencies[i] * dt / a.GustPeriod,
			phase:     float64(seed>>11) / (1 << 53),
		}
	}
	return w
}

// velocity returns the air's velocity during a tick [m/s, world].
func (w *wind) velocity(tick uint64) r3.Vec {
	if !w.hasGusts {
		return w.meanVelocity
	}
	gust := 0.0
	for i := range w.waves {
		v := &w.waves[i]
		turns := v.phase + float64(tick)*v.frequency
		gust += v.amplitude * math.Sin(2*math.Pi*(turns-math.Floor(turns)))
	}
	return r3.Add(w.meanVelocity, r3.Scale(gust, w.direction))
}
