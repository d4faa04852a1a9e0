package chassis

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
)

// Air is what the car drives through. The wind is level, the same everywhere, and
// follows from the tick alone.
type Air struct {
	Density float64 `toml:"density_kg_m3"`
	Wind    float64 `toml:"wind_mps"`      // mean speed
	From    float64 `toml:"wind_from_deg"` // where it comes from: 0 is the world's x, 90 its y, to the left of that
	Gust    float64 `toml:"gust_mps"`      // the most that gusts add to the wind's speed, or take
	Period  float64 `toml:"gust_period_s"` // of the slowest gusts
	Seed    uint64  `toml:"gust_seed"`     // another one gives other gusts

	Temperature float64 `toml:"temperature_c"` // of what cools the brakes; the density does not follow it
}

const airDensity = 1.225 // [kg/m³], sea level at 15 °C

// DefaultAir is still, at sea level and 15 °C.
func DefaultAir() Air { return Air{Density: airDensity, Temperature: 15, Period: 10} }

// Validate reports every parameter that is out of range.
func (a Air) Validate() error {
	return errors.Join(
		valid.InRange("density_kg_m3", a.Density, 0, 10),
		valid.InRange("temperature_c", a.Temperature, -60, 60),
		valid.InRange("wind_mps", a.Wind, 0, 100),
		valid.InRange("wind_from_deg", a.From, -360, 360),
		valid.InRange("gust_mps", a.Gust, 0, 50),
		valid.InRange("gust_period_s", a.Period, 0.5, 600),
	)
}

// wind is the air's motion as a tick needs it.
type wind struct {
	mean  r3.Vec // [m/s, world]
	way   r3.Vec // where it goes to, unit
	gusty bool
	waves [4]wave
}

// wave is one of the sinusoids that gusts consist of.
type wave struct {
	size  float64 // [m/s]
	turns float64 // in one tick
	start float64 // turns at tick 0
}

// newWind draws the gusts. Four periods in ratios of hundredths repeat after a
// hundred of the slowest, and over that time their mean is 0. Their sizes fall with
// the cube root of the frequency, as evenly spaced parts of Kolmogorov's spectrum do,
// and sum up to 1; the root of the mean square is 0.36.
func newWind(a Air, dt float64) wind {
	sin, cos := math.Sincos(a.From * math.Pi / 180)
	w := wind{way: r3.Vec{X: -cos, Y: -sin}, gusty: a.Gust > 0}
	if a.Wind > 0 { // or else exactly 0, without a sign
		w.mean = r3.Scale(a.Wind, w.way)
	}
	faster := [...]float64{1, 1.61, 2.73, 4.37}
	size := [...]float64{0.315, 0.268, 0.225, 0.192}
	seed := a.Seed
	for i := range w.waves {
		seed = scramble(seed)
		w.waves[i] = wave{
			size:  a.Gust * size[i],
			turns: faster[i] * dt / a.Period,
			start: float64(seed>>11) / (1 << 53),
		}
	}
	return w
}

// scramble is a step of the generator SplitMix64.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// at returns the air's velocity during a tick [m/s, world].
func (w *wind) at(tick uint64) r3.Vec {
	if !w.gusty {
		return w.mean
	}
	gust := 0.0
	for i := range w.waves {
		v := &w.waves[i]
		turns := v.start + float64(tick)*v.turns
		gust += v.size * math.Sin(2*math.Pi*(turns-math.Floor(turns)))
	}
	return r3.Add(w.mean, r3.Scale(gust, w.way))
}
