package sound

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// ExampleCar is the car of Example: four cylinders, on a kerb.
func ExampleCar() Car {
	return NewCar(&frame.Scene{
		Materials: []frame.Material{{Sound: "kerb", Pitch: 0.5, Height: 0.02}},
		Car:       frame.Car{Cylinders: 4, IdleRPM: 800, MaxRPM: 7000, PeakTorque: 300, Wheelbase: 2.6},
	})
}

// Example returns a tick of a drive of ExampleCar that shows an effect of a shaker, one of Effects: an engine that speeds
// up, a rough road, a kerb, a slide, locked wheels, and knocks three times a second.
func Example(effect string, tick int) Sense {
	const period = 333 // [ticks]
	t, knocks := float64(tick)*tickTime, tick%period == period/3
	s := Sense{Audible: true, Inside: true, Speed: 25, Gear: 3, Station: math.NaN()}
	for i := range s.Wheels {
		s.Wheels[i].Load = 1
	}
	w := &s.Wheels
	switch effect {
	case "engine":
		s.Running, s.Load, s.RPM = true, 0.7, 1000+3000*t
	case "road":
		for i := range w {
			w[i].TravelSpeed = 0.25 * (math.Sin(2*math.Pi*(31+float64(i))*t) + math.Sin(2*math.Pi*53*t))
		}
	case "kerb":
		s.Speed = 12 + 10*t
	case "slip":
		for i := range w {
			w[i].Slip, w[i].SlidePower = 1.5, 8e3*t
		}
	case "lock_up":
		for i := range w {
			w[i].Locked = 1
		}
	case "abs":
		s.ABSPulse = tick%80 == 40
	case "shift":
		s.Shift = knocks
	case "contact":
		s.Hit = when(knocks, 40e3)
	case "bottoming":
		for i := range w {
			w[i].Bottoms = knocks
		}
	}
	return s
}

// Has reports whether an effect, one of Effects, is on.
func (c *ShakerConfig) Has(effect string) bool {
	for i, e := range c.effects() {
		if Effects[i] == effect {
			return e.GainDB > effectOff
		}
	}
	return false
}

// Span returns the lowest and the highest frequency of the shaker [Hz].
func (c ShakerConfig) Span() (low, high float64) {
	c = c.withDefaults()
	return c.LowHz, c.HighHz
}

// Tone writes a tick of a tone [Hz] of a strength 0..1 to out, in place of Step, within the limits of the shaker. A change
// of strength ramps.
func (k *Shaker) Tone(out *Mono, hz, strength float64) {
	k.toneGain.toward(strength)
	for i := range k.sum {
		k.sum[i] = k.toneGain.next() * k.tone.next(hz)
	}
	k.finish(out, true)
}
