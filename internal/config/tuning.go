package config

import (
	"errors"
	"fmt"

	"rig.example/rig/cueing"
)

// Tuning are factors on what the platform does, as a driver tunes them while driving: 1
// leaves it as [cueing] says.
type Tuning struct {
	Gain  float64 `toml:"gain"` // of all
	Surge float64 `toml:"surge"`
	Sway  float64 `toml:"sway"`
	Heave float64 `toml:"heave"`
	Roll  float64 `toml:"roll"`
	Pitch float64 `toml:"pitch"`
	Yaw   float64 `toml:"yaw"`
	Road  float64 `toml:"road"`
	Kerb  float64 `toml:"kerb"`
	Shift float64 `toml:"shift"`
	Slide float64 `toml:"slide"`
	Belt  float64 `toml:"belt"`
}

// DefaultTuning changes nothing.
func DefaultTuning() Tuning { return Tuning(cueing.PlainTuning()) }

// Validate reports every factor that is out of range.
func (t Tuning) Validate() error {
	var errs []error
	for _, f := range [...]struct {
		key   string
		value float64
	}{
		{"gain", t.Gain}, {"surge", t.Surge}, {"sway", t.Sway}, {"heave", t.Heave}, {"roll", t.Roll}, {"pitch", t.Pitch}, {"yaw", t.Yaw},
		{"road", t.Road}, {"kerb", t.Kerb}, {"shift", t.Shift}, {"slide", t.Slide}, {"belt", t.Belt},
	} {
		if !(f.value >= 0 && f.value <= cueing.MostFactor) { // also true for NaN
			errs = append(errs, fmt.Errorf("tuning: %s = %g is outside 0..%d", f.key, f.value, cueing.MostFactor))
		}
	}
	return errors.Join(errs...)
}
