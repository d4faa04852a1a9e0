package sound

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// shake returns a number of seconds of a shaker of a configuration, after half a second.
func shake(cfg ShakerConfig, seconds float64, at func(tick int) *Sense) (samples []float64, k *Shaker) {
	k = NewShaker(cfg, coupe())
	var out Mono
	for tick := range 500 + int(seconds*1000) {
		k.Step(&out, at(tick))
		if tick >= 500 {
			for _, v := range out {
				samples = append(samples, float64(v))
			}
		}
	}
	return samples, k
}

// off is a shaker all of whose effects are off, but for the one that edit turns on.
func off(edit func(c *ShakerConfig)) ShakerConfig {
	none := Effect{GainDB: -60}
	c := ShakerConfig{Place: "seat", Channel: 1, Engine: none, Road: none, Kerb: none, Slip: none, LockUp: none, ABS: none, Shift: none, Contact: none, Bottoming: none}
	edit(&c)
	return c
}

func always(s Sense) func(int) *Sense { return func(int) *Sense { return &s } }

// Each effect does what it is for, and keeps to the shaker's frequencies: a hundredth of its power lies outside at most.
func TestShakerEffectsKeepToTheirFrequencies(t *testing.T) {
	knock := func(edit func(s *Sense)) func(int) *Sense { // ten times a second
		return func(tick int) *Sense {
			s := cruise(20, onAsphalt)
			if tick%100 == 50 {
				edit(&s)
			}
			return &s
		}
	}
	for _, tt := range []struct {
		name string
		edit func(c *ShakerConfig)
		at   func(int) *Sense
	}{
		{"engine", func(c *ShakerConfig) { c.Engine.GainDB = 0 }, always(idle(6800, 0.8))},
		{"road", func(c *ShakerConfig) { c.Road.GainDB = 0 }, func(tick int) *Sense {
			s := cruise(20, onAsphalt)
			for i := range s.Wheels {
				s.Wheels[i].TravelSpeed = 0.3 * math.Sin(2*math.Pi*45e-3*float64(tick))
			}
			return &s
		}},
		{"kerb", func(c *ShakerConfig) { c.Kerb.GainDB = 0 }, always(cruise(25, onKerb))},
		{"slip", func(c *ShakerConfig) { c.Slip.GainDB = 0 }, func(int) *Sense { s := everything(); return &s }},
		{"lock_up", func(c *ShakerConfig) { c.LockUp.GainDB = 0 }, func(int) *Sense { s := everything(); s.Wheels[0].Locked = 1; return &s }},
		{"abs", func(c *ShakerConfig) { c.ABS.GainDB = 0 }, knock(func(s *Sense) { s.ABSPulse = true })},
		{"shift", func(c *ShakerConfig) { c.Shift.GainDB = 0 }, knock(func(s *Sense) { s.Shift = true })},
		{"contact", func(c *ShakerConfig) { c.Contact.GainDB = 0 }, knock(func(s *Sense) { s.Hit = 50e3 })},
		{"bottoming", func(c *ShakerConfig) { c.Bottoming.GainDB = 0 }, knock(func(s *Sense) { s.Wheels[3].Bottoms = true })},
	} {
		samples, _ := shake(off(tt.edit), 1, tt.at)
		power := spectrum(samples)
		inside, all := energy(power, 20, 125, Rate), energy(power, 1, Rate/2, Rate)
		if inside < 1e-4 || inside < 0.97*all {
			t.Errorf("%s: %g of %g within its frequencies", tt.name, inside, all)
		}
		silent, _ := shake(off(func(*ShakerConfig) {}), 1, tt.at)
		if e := energy(spectrum(silent), 1, Rate/2, Rate); e > 1e-12 {
			t.Errorf("%s: %g while all is off", tt.name, e)
		}
	}
}

// The engine is felt at its firing frequency, or octaves lower where that is too high.
func TestTheEngineIsFeltInOctaves(t *testing.T) {
	for _, tt := range []struct{ rpm, hz float64 }{{900, 45}, {1600, 80}, {3200, 80}, {6400, 80}} {
		samples, _ := shake(off(func(c *ShakerConfig) { c.Engine.GainDB = 0 }), 1, always(idle(tt.rpm, 0.5)))
		if at, _ := peakNear(spectrum(samples), 70, 0.7); math.Abs(at-tt.hz) > 1 {
			t.Errorf("%g rpm: felt at %g Hz, want %g", tt.rpm, at, tt.hz)
		}
	}
}

// A shaker at a corner feels its wheel alone, one at the pedals the front wheels.
func TestPlacesFeelTheirWheels(t *testing.T) {
	for place, want := range map[string][4]bool{
		"seat": {true, true, true, true}, "pedals": {true, true, false, false}, "front-left": {true}, "rear-right": {false, false, false, true},
	} {
		for wheel := range 4 {
			s := cruise(20, onAsphalt)
			s.Wheels[wheel].Material = onKerb
			samples, _ := shake(off(func(c *ShakerConfig) { c.Place, c.Kerb.GainDB = place, 0 }), 0.5, always(s))
			if felt := energy(spectrum(samples), 20, 120, len(samples)) > 1e-4; felt != want[wheel] {
				t.Errorf("%s, wheel %d: felt %t", place, wheel, felt)
			}
		}
	}
}

// The teeth of a kerb shake when the wheel passes them.
func TestKerbsShakeInPhase(t *testing.T) {
	phase := func(station float64) float64 {
		samples, _ := shake(off(func(c *ShakerConfig) { c.Place, c.Kerb.GainDB = "front-left", 0 }), 1, func(tick int) *Sense {
			s := cruise(20, onKerb)
			s.Station = station + 0.02*float64(tick)
			return &s
		})
		var re, im float64
		for i, v := range samples {
			sin, cos := math.Sincos(2 * math.Pi * 40 * float64(i) / Rate)
			re, im = re+v*cos, im+v*sin
		}
		return math.Atan2(im, re)
	}
	quarter := math.Remainder(phase(0.125)-phase(0), 2*math.Pi)
	if math.Abs(math.Abs(quarter)-math.Pi/2) > 0.05 {
		t.Errorf("a quarter of a tooth further the phase is %.2f rad on, want a quarter turn", quarter)
	}
}

// However long it plays at full level, the voice coil of a shaker gets no hotter than at its continuous level; a knock
// passes at full level.
func TestAShakerStaysCool(t *testing.T) {
	level.SkipIfQuick(t)
	loud := cruise(25, onKerb)
	for _, continuous := range []float64{0.2, 0.5, 1} {
		cfg := off(func(c *ShakerConfig) { c.Kerb.GainDB, c.Continuous, c.ThermalTime, c.GainDB = 12, continuous, 10, 12 })
		k := NewShaker(cfg, coupe())
		var out Mono
		hottest, first, last := 0.0, 0.0, 0.0
		for tick := range 20_000 {
			k.Step(&out, &loud)
			_, heat := k.Level()
			hottest = max(hottest, heat)
			sum := 0.0
			for _, v := range out {
				sum += 2 * float64(v) * float64(v)
			}
			switch {
			case tick >= 50 && tick < 250:
				first += sum / TickSamples / 200
			case tick >= 19_000:
				last += sum / TickSamples / 1000
			}
		}
		if hottest > 1.01 || math.Sqrt(last) > 1.01*continuous || math.Sqrt(last) < 0.5*continuous || math.Sqrt(first) < 0.9 {
			t.Errorf("continuous %g: hottest %.3f, level %.2f at first and %.2f in the end", continuous, hottest, math.Sqrt(first), math.Sqrt(last))
		}
	}
}

// A resonance is turned down where it is, and nowhere else.
func TestAResonanceIsTurnedDown(t *testing.T) {
	level := func(hz, db float64) float64 {
		cfg := off(func(c *ShakerConfig) { c.Kerb.GainDB, c.ResonanceHz, c.ResonanceDB = -12, 45, db })
		samples, _ := shake(cfg, 1, always(cruise(hz*0.5, onKerb)))
		return 10 * math.Log10(energy(spectrum(samples), 1, 200, Rate))
	}
	if cut, beside := level(45, 0)-level(45, 12), level(90, 0)-level(90, 12); math.Abs(cut-12) > 0.3 || beside > 1.2 {
		t.Errorf("%.1f dB lower at the resonance, %.1f dB an octave above; want 12 and almost 0", cut, beside)
	}
}

// Each example shows its effect, alone.
func TestExamplesShowTheirEffects(t *testing.T) {
	for _, effect := range Effects {
		for _, other := range Effects {
			k := NewShaker(ShakerConfig{Place: "seat", Channel: 1}, ExampleCar())
			k.Solo(effect)
			strongest := 0.0
			var out Mono
			for tick := range 1000 {
				s := Example(other, tick)
				k.Step(&out, &s)
				peak, _ := k.Level()
				strongest = max(strongest, peak)
			}
			if shows := strongest > 0.05; shows != (effect == other) && !(effect == "kerb") {
				t.Errorf("the example of %s shakes %s by %g", other, effect, strongest)
			}
		}
	}
}

// An electric car's engine does not fire, and one of three cylinders fires as such.
func TestTheEngineIsFeltAsItFires(t *testing.T) {
	for cylinders, hz := range map[int64]float64{0: 0, 3: 45} {
		k := NewShaker(ShakerConfig{Place: "seat", Channel: 1}, NewCar(&frame.Scene{Car: frame.Car{Cylinders: cylinders, PeakTorque: 100, MaxRPM: 7000}}))
		k.Solo("engine")
		s, samples := idle(1800, 0.5), []float64(nil)
		var out Mono
		for range 1000 {
			k.Step(&out, &s)
			for _, v := range out {
				samples = append(samples, float64(v))
			}
		}
		power := spectrum(samples)
		at, _ := peakNear(power, 70, 0.7)
		if e := energy(power, 1, 200, Rate); hz == 0 && e > 1e-12 || hz > 0 && math.Abs(at-hz) > 1 {
			t.Errorf("%d cylinders: felt at %g Hz with %g, want %g", cylinders, at, e, hz)
		}
	}
}

func TestShakerConfigs(t *testing.T) {
	for _, tt := range []struct {
		edit func(c *ShakerConfig)
		want string
	}{
		{func(*ShakerConfig) {}, ""},
		{func(c *ShakerConfig) { c.Place = "roof" }, "place"},
		{func(c *ShakerConfig) { c.Channel = 0 }, "channel"},
		{func(c *ShakerConfig) { c.LowHz, c.HighHz = 60, 80 }, "less than an octave"},
		{func(c *ShakerConfig) { c.Road.LowHz = 90 }, "road: its frequencies 90 to 120 Hz"},
		{func(c *ShakerConfig) { c.Engine.GainDB = 40 }, "engine.gain_db"},
		{func(c *ShakerConfig) { c.Continuous = 2 }, "continuous"},
	} {
		c := ShakerConfig{Place: "seat", Channel: 3}
		tt.edit(&c)
		if err := c.Validate(); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", c, err, tt.want)
		}
	}
	c := DefaultConfig()
	c.CeilingDB = 3
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "ceiling_db") {
		t.Errorf("%v", err)
	}
}
