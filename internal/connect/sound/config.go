package sound

import (
	"fmt"

	"rig.example/rig/internal/kit/valid"
)

// Config says what the driver hears.
type Config struct {
	// `auto` plays sound in drives with a window and while another simulator is followed; `always` also without a window
	On string `toml:"on" oneof:"auto,always,off"`
	// sound device: a name, or a part of one, as `rig devices` lists them; empty is the sound server's default
	Device string `toml:"device"`
	// a buffer of 15 ms instead of 40; a busy computer then crackles
	LowLatency bool `toml:"low_latency"`
	// highest level, below full scale; whatever happens, no sample exceeds it. Set it with your amplifier at its usual
	// volume, so that a crash is not too loud for your ears
	CeilingDB float64 `toml:"ceiling_db" range:"-40..-1"`
	// where you listen: `inside` the car, `outside`, or `auto`: as the camera stands
	Listener string `toml:"listener" oneof:"auto,inside,outside"`
	Volume   Volume `toml:"volume"`
}

// Volume is how loud each group of sounds is.
type Volume struct {
	All    float64 `toml:"all" range:"0..1"`    // everything
	Engine float64 `toml:"engine" range:"0..4"` // engine, exhaust, motor, gears, turbo, starter
	Tires  float64 `toml:"tires" range:"0..4"`  // squeal
	Road   float64 `toml:"road" range:"0..4"`   // rolling, kerbs, stones, water
	Wind   float64 `toml:"wind" range:"0..4"`   // the air
	Body   float64 `toml:"body" range:"0..4"`   // gear changes, brakes, ABS, contact
}

// DefaultConfig is sound at a moderate volume.
func DefaultConfig() Config {
	return Config{On: "auto", CeilingDB: -3, Listener: "auto", Volume: Volume{All: 0.7, Engine: 1, Tires: 1, Road: 1, Wind: 1, Body: 1}}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error { return valid.Struct(c) }

// group returns the volume of a group.
func (v *Volume) group(g int) float64 {
	return [groups]float64{groupEngine: v.Engine, groupTires: v.Tires, groupRoad: v.Road, groupWind: v.Wind, groupBody: v.Body}[g]
}

// isInside reports whether the listener is in the car.
func (c *Config) isInside(s *Sense) bool {
	return c.Listener == "inside" || c.Listener == "auto" && s.Inside
}

// ShakerConfig is one bass shaker: where it is mounted, where its amplifier is plugged in, and what it does.
type ShakerConfig struct {
	// what messages and `rig shaker` call it
	Name string `toml:"name"`
	// where it is mounted: `seat`, `pedals`, or a corner of the frame: it then feels that wheel alone
	Place string `toml:"place" oneof:"seat,pedals,front-left,front-right,rear-left,rear-right"`
	// sound device, as in `[sound]`
	Device string `toml:"device"`
	// channel of that device, counted from 1; `rig devices` names them
	Channel int     `toml:"channel" range:"1..32"`
	GainDB  float64 `toml:"gain_db" range:"-60..12"`            // of everything
	LowHz   float64 `toml:"low_hz" range:"0 (20) or 5..200"`    // lowest frequency
	HighHz  float64 `toml:"high_hz" range:"0 (120) or 20..400"` // highest frequency
	// where the seat or the frame resonates, as `rig shaker sweep` finds it; 0 for no resonance
	ResonanceHz float64 `toml:"resonance_hz" range:"0 or 5..400"`
	ResonanceDB float64 `toml:"resonance_db" range:"0..24"` // by how much the shaker is turned down at its resonance
	// level that the shaker stands for ever, as a share of a full-scale sine; beyond it the shaker is turned down
	Continuous  float64 `toml:"continuous" range:"0 (0.5) or 0.05..1"`
	ThermalTime float64 `toml:"thermal_s" range:"0 (20) or 1..600"` // time constant with which its voice coil gets hot

	Engine    Effect `toml:"engine"`    // firing of the engine, some octaves lower where that is needed
	Road      Effect `toml:"road"`      // bumps, from the suspension of this wheel or of several
	Kerb      Effect `toml:"kerb"`      // teeth of kerbs, rumble strips and paving stones, where the road has them
	Slip      Effect `toml:"slip"`      // sliding tires
	LockUp    Effect `toml:"lock_up"`   // locked wheels
	ABS       Effect `toml:"abs"`       // valves of the anti-lock brakes
	Shift     Effect `toml:"shift"`     // gear changes
	Contact   Effect `toml:"contact"`   // walls, cones and the ground on the body
	Bottoming Effect `toml:"bottoming"` // suspensions at the end of their travel
}

// Effect is how strong an effect is, and the frequencies that it keeps to.
type Effect struct {
	GainDB float64 `toml:"gain_db" range:"-60..12"`                           // -60 is off
	LowHz  float64 `toml:"low_hz" range:"0 (that of the shaker) or 5..200"`   // lowest frequency
	HighHz float64 `toml:"high_hz" range:"0 (that of the shaker) or 20..400"` // highest frequency
}

const effectOff = -60 // gain of an effect that is off [dB]

// Effects lists the names of a shaker's effects in the order of its configuration.
var Effects = [...]string{"engine", "road", "kerb", "slip", "lock_up", "abs", "shift", "contact", "bottoming"}

// effects returns the effects in the order of Effects.
func (c *ShakerConfig) effects() [len(Effects)]Effect {
	return [...]Effect{c.Engine, c.Road, c.Kerb, c.Slip, c.LockUp, c.ABS, c.Shift, c.Contact, c.Bottoming}
}

// withDefaults returns c with the defaults in place of zeros.
func (c ShakerConfig) withDefaults() ShakerConfig {
	for _, d := range [...]struct {
		field *float64
		value float64
	}{{&c.LowHz, 20}, {&c.HighHz, 120}, {&c.Continuous, 0.5}, {&c.ThermalTime, 20}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	return c
}

// span returns the frequencies of an effect on a shaker with its defaults [Hz].
func (e Effect) span(c *ShakerConfig) (low, high float64) {
	low, high = c.LowHz, c.HighHz
	if e.LowHz > 0 {
		low = e.LowHz
	}
	if e.HighHz > 0 {
		high = e.HighHz
	}
	return low, high
}

// Validate reports every field that is out of range, and effects whose frequencies leave no room.
func (c ShakerConfig) Validate() error {
	if err := valid.Struct(c); err != nil {
		return err
	}
	d := c.withDefaults()
	for i, e := range d.effects() {
		if low, high := e.span(&d); high < 2*low {
			return fmt.Errorf("%s: its frequencies %g to %g Hz span less than an octave; set low_hz and high_hz further apart", Effects[i], low, high)
		}
	}
	return nil
}
