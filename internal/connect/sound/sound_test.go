package sound

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// coupe is the car of the tests: six cylinders, on asphalt, a kerb, gravel, wet asphalt and grass.
func coupe() Car {
	return NewCar(&frame.Scene{Closed: true, Materials: []frame.Material{
		{Sound: "asphalt"}, {Sound: "kerb", Pitch: 0.5, Height: 0.02}, {Sound: "gravel"}, {Sound: "asphalt", Wet: 1}, {Sound: "grass"},
	}, Car: frame.Car{Cylinders: 6, IdleRPM: 850, MaxRPM: 7000, PeakTorque: 400, Wheelbase: 2.6, Travel: [2]float64{0.15, 0.15}, Turbo: 1}})
}

const (
	onAsphalt = iota
	onKerb
	onGravel
	onWet
	onGrass
)

// cruise is a car at a speed [m/s] on one surface, with the engine off.
func cruise(speed float64, material int) Sense {
	s := Sense{Audible: true, Inside: false, Speed: speed, Gear: 3, Station: math.NaN()}
	for i := range s.Wheels {
		s.Wheels[i] = WheelSense{Material: material, Load: 1}
	}
	return s
}

// idle is a standing car whose engine runs.
func idle(rpm, load float64) Sense {
	s := cruise(0, onAsphalt)
	s.Running, s.RPM, s.Load, s.Throttle = true, rpm, load, max(load, 0)
	return s
}

// play returns the left channel of a number of ticks, of which at returns the sense; nil for none.
func play(y *Synth, ticks int, at func(tick int) *Sense) []float64 {
	var out Stereo
	var samples []float64
	for tick := range ticks {
		y.Step(&out, at(tick))
		for i := range TickSamples {
			samples = append(samples, float64(out[2*i]))
		}
	}
	return samples
}

// steady returns a second of a constant sense, after half a second.
func steady(t *testing.T, edit func(c *Config), s Sense) []float64 {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Listener = "outside"
	if edit != nil {
		edit(&cfg)
	}
	return play(NewSynth(cfg, coupe()), 1500, func(int) *Sense { return &s })[Rate/2:]
}

// only leaves one group audible.
func only(group *float64, c *Config) {
	v := c.Volume
	c.Volume = Volume{All: v.All}
	*group = 1
}

// spectrum returns the power of each frequency of a second of samples, 1 Hz apart, through a Hann window.
func spectrum(samples []float64) []float64 {
	n := len(samples)
	windowed := make([]float64, n)
	for i, v := range samples {
		windowed[i] = v * (1 - math.Cos(2*math.Pi*float64(i)/float64(n)))
	}
	var power []float64
	for _, c := range fourier.NewFFT(n).Coefficients(nil, windowed) {
		power = append(power, (real(c)*real(c)+imag(c)*imag(c))*2/float64(n)/float64(n))
	}
	return power
}

// energy returns the power from one frequency to another [Hz].
func energy(power []float64, from, to float64, samples int) (sum float64) {
	perBin := float64(Rate) / float64(samples)
	for i, p := range power {
		if f := float64(i) * perBin; f >= from && f < to {
			sum += p
		}
	}
	return sum
}

// peakNear returns the frequency of the highest power within a share of a frequency, and how far it stands above the
// mean of that stretch [dB].
func peakNear(power []float64, hz, share float64) (at, above float64) {
	from, to := int(hz*(1-share)), int(math.Ceil(hz*(1+share)))
	best, sum := from, 0.0
	for i := from; i <= to; i++ {
		sum += power[i]
		if power[i] > power[best] {
			best = i
		}
	}
	return float64(best), 10 * math.Log10(power[best]*float64(to-from+1)/sum)
}

// An engine fires rpm/60·cylinders/2 times a second; each harmonic stands out there, within 1 %.
func TestFiringFrequencyAndHarmonics(t *testing.T) {
	for _, tt := range []struct {
		name string
		rpm  float64
		load float64
		hz   float64 // written out: rpm/60 · 6/2
		want int     // harmonics
	}{
		{"idle", 900, 0.05, 45, 10},
		{"part load", 3000, 0.5, 150, 10},
		{"full load", 6000, 1, 300, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			power := spectrum(steady(t, func(c *Config) { only(&c.Volume.Engine, c) }, idle(tt.rpm, tt.load)))
			strongest := 0.0
			for h := 1; h <= 4; h++ {
				strongest = max(strongest, power[int(tt.hz)*h])
			}
			if first, third := power[int(tt.hz)], power[3*int(tt.hz)]; min(first, third) < 0.03*strongest { // an engine at twice the rate has neither
				t.Errorf("the first and the third harmonic have %g and %g of the strongest", first/strongest, third/strongest)
			}
			for h := 1; h <= tt.want; h++ {
				hz := tt.hz * float64(h)
				at, above := peakNear(power, hz, 0.2/float64(h)+0.01)
				t.Logf("harmonic %d: %.0f Hz, %.1f dB above its surroundings, level %.1f dB", h, at, above, 10*math.Log10(power[int(at)]))
				if math.Abs(at-hz) > 0.01*hz || above < 4 {
					t.Errorf("harmonic %d: highest at %g Hz, %.1f dB above its surroundings; want %g Hz within 1 %%", h, at, above, hz)
				}
			}
		})
	}
}

func BenchmarkTick(b *testing.B) {
	y, s := NewSynth(DefaultConfig(), coupe()), everything()
	var out Stereo
	b.ReportAllocs()
	for b.Loop() {
		y.Step(&out, &s)
	}
}

// everything sounds at once.
func everything() Sense {
	s := cruise(30, onKerb)
	s.Running, s.RPM, s.Load, s.Throttle, s.Boost, s.Brake, s.Contact = true, 6000, 0.8, 0.9, 0.9, 0.3, 5e3
	for i := range s.Wheels {
		s.Wheels[i] = WheelSense{Material: 1 + i%2, Load: 1, Slip: 1.3, SlidePower: 15e3, TravelSpeed: 0.2, Locked: 0.3}
	}
	return s
}

// Equal senses give equal samples, and no tick allocates.
func TestSoundRepeatsAndAllocatesNothing(t *testing.T) {
	s := everything()
	a := play(NewSynth(DefaultConfig(), coupe()), 200, func(int) *Sense { return &s })
	b := play(NewSynth(DefaultConfig(), coupe()), 200, func(int) *Sense { return &s })
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("sample %d: %g and %g", i, a[i], b[i])
		}
	}
	y, k := NewSynth(DefaultConfig(), coupe()), NewShaker(ShakerConfig{Place: "seat", Channel: 1}, coupe())
	var out Stereo
	var mono Mono
	if n := testing.AllocsPerRun(500, func() { y.Step(&out, &s); k.Step(&mono, &s) }); n != 0 {
		t.Errorf("%g allocations a tick", n)
	}
}

// The squeal of a sliding tire grows with its sliding power, and loose or wet ground has none.
func TestSquealGrowsWithSlidingPower(t *testing.T) {
	level := func(power float64, material int) float64 {
		s := cruise(20, material)
		for i := range s.Wheels {
			s.Wheels[i].Slip, s.Wheels[i].SlidePower = 1.3, power
		}
		return energy(spectrum(steady(t, func(c *Config) { only(&c.Volume.Tires, c) }, s)), 400, 3000, Rate)
	}
	before := level(0, onAsphalt)
	if before > 1e-9 {
		t.Errorf("a tire that does not slide squeals: %g", before)
	}
	for _, power := range []float64{500, 1e3, 2e3, 5e3, 10e3, 20e3} {
		now := level(power, onAsphalt)
		if now < 1.5*before || now < 1e-7 {
			t.Errorf("%g W: energy %g after %g", power, now, before)
		}
		before = now
	}
	if g := level(20e3, onGravel); g > 1e-9 {
		t.Errorf("squeals on gravel: %g", g)
	}
	if wet := level(20e3, onWet); wet > 0.05*before {
		t.Errorf("on wet asphalt %g, dry %g", wet, before)
	}
}

// steps are levels that change at once, each before and after.
var steps = map[string][2]func() Sense{
	"throttle":   {func() Sense { return idle(4000, 0.05) }, func() Sense { return idle(4000, 1) }},
	"engine off": {func() Sense { return idle(4000, 1) }, func() Sense { return cruise(0, onAsphalt) }},
	"gear":       {func() Sense { return idle(4000, 0.5) }, func() Sense { s := idle(4000, 0.5); s.Shift = true; return s }},
	"abs":        {func() Sense { return cruise(20, onAsphalt) }, func() Sense { s := cruise(20, onAsphalt); s.ABSPulse = true; return s }},
	"crash":      {func() Sense { return cruise(20, onAsphalt) }, func() Sense { s := cruise(20, onAsphalt); s.Hit, s.Contact = 60e3, 60e3; return s }},
	"bottomed":   {func() Sense { return cruise(20, onAsphalt) }, func() Sense { s := cruise(20, onAsphalt); s.Wheels[1].Bottoms = true; return s }},
	"pause":      {func() Sense { return idle(4000, 1) }, func() Sense { s := idle(4000, 1); s.Audible = false; return s }},
	"slide": {func() Sense { return cruise(20, onAsphalt) }, func() Sense {
		s := cruise(20, onAsphalt)
		for i := range s.Wheels {
			s.Wheels[i].Slip, s.Wheels[i].SlidePower = 1.5, 15e3
		}
		return s
	}},
	"brake":        {func() Sense { return cruise(20, onAsphalt) }, func() Sense { s := cruise(20, onAsphalt); s.Brake = 1; return s }},
	"onto gravel":  {func() Sense { return cruise(20, onAsphalt) }, func() Sense { return cruise(20, onGravel) }},
	"onto wet":     {func() Sense { return cruise(20, onAsphalt) }, func() Sense { return cruise(20, onWet) }},
	"onto a kerb":  {func() Sense { return cruise(20, onAsphalt) }, func() Sense { return cruise(20, onKerb) }},
	"turbo":        {func() Sense { return idle(4000, 0.5) }, func() Sense { s := idle(4000, 0.5); s.Boost = 1; return s }},
	"look outside": {func() Sense { s := idle(4000, 0.5); s.Inside = true; return s }, func() Sense { return idle(4000, 0.5) }},
}

// A step of a level ramps: in no stretch of 5 ms is there more than 6 dB more energy above 5 kHz than in the steady states
// before and after.
func TestAStepOfLevelMakesNoClick(t *testing.T) {
	level.SkipIfQuick(t)
	const window, ms = 5 * TickSamples, TickSamples
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			before, after := step[0](), step[1]()
			cfg := DefaultConfig()
			samples := play(NewSynth(cfg, coupe()), 2000, func(tick int) *Sense {
				switch {
				case tick < 1000:
					return &before
				case tick > 1000: // events begin once
					after = after.Later(1)
				}
				return &after
			})
			var edge [3]biquad
			for i := range edge {
				edge[i] = high(5000)
			}
			var levels []float64
			sum := 0.0
			for i, v := range samples {
				v = edge[2].next(edge[1].next(edge[0].next(v)))
				sum += v * v
				if i%window == window-1 {
					levels = append(levels, sum)
					sum = 0
				}
			}
			highest := func(fromMS, toMS int) (m float64) {
				for _, v := range levels[fromMS*ms/window : toMS*ms/window] {
					m = max(m, v)
				}
				return m
			}
			const nothing = 5e-9 * window // -83 dB: a click below that is not heard beside a level of -20 dB
			steady, around := max(highest(500, 990), highest(1400, 2000), nothing), highest(990, 1200)
			t.Logf("above 5 kHz: steady %.1f dB, around the step %.1f dB", 10*math.Log10(steady/window), 10*math.Log10(around/window))
			if around > 4*steady {
				t.Errorf("the step has %.1f dB more energy above 5 kHz than the steady states; want 6 at most", 10*math.Log10(around/steady))
			}
		})
	}
}

// A gain takes 5 ms or more for most of its way.
func TestGainsRamp(t *testing.T) {
	var g gain
	for tick := 1; tick <= 5; tick++ {
		g.toward(1)
		before := g.value
		for range TickSamples {
			if v := g.next(); v-before > 0.21/TickSamples {
				t.Fatalf("tick %d: a step of %g in one sample", tick, v-before)
			} else {
				before = v
			}
		}
		if tick == 4 && g.value > 0.63 {
			t.Errorf("%g of the way after 4 ms", g.value)
		}
	}
}

// Nothing known, a pause and a stop fade to silence; whatever happens, no sample exceeds the ceiling or is NaN.
func TestADroppedBlockFades(t *testing.T) {
	loud := everything()
	samples := play(NewSynth(DefaultConfig(), coupe()), 1000, func(tick int) *Sense {
		if tick < 500 || tick >= 800 {
			return &loud
		}
		return nil
	})
	rms := func(fromMS, toMS int) float64 {
		sum := 0.0
		for _, v := range samples[fromMS*TickSamples : toMS*TickSamples] {
			sum += v * v
		}
		return math.Sqrt(sum / float64((toMS-fromMS)*TickSamples))
	}
	if playing, fading, silent, back := rms(400, 500), rms(503, 507), rms(600, 800), rms(900, 1000); fading < 0.1*playing || silent > 1e-4 || back < 0.5*playing {
		t.Errorf("rms %g, then %g, %g and %g", playing, fading, silent, back)
	}
}

func TestNoSampleExceedsTheCeiling(t *testing.T) {
	cfg := DefaultConfig()
	cfg.CeilingDB = -12
	cfg.Volume = Volume{1, 4, 4, 4, 4, 4}
	y, k, tracker := NewSynth(cfg, coupe()), NewShaker(ShakerConfig{Place: "seat", Channel: 1, GainDB: 12}, coupe()), NewTracker(coupe())
	var out Stereo
	var mono Mono
	highest, strongest := 0.0, 0.0
	for tick := range 3000 {
		f := driving(tick)
		f.Impulse += float64(tick%50) * 1e3
		if tick%100 < 3 {
			nan := math.NaN()
			f.RPM, f.Speed, f.Station, f.Wheels[2].SlipEnergy, f.Wheels[1].TravelSpeed, f.EngineTorque, f.Impulse = nan, math.Inf(1), math.Inf(-1), nan, nan, nan, nan
		}
		var s Sense
		tracker.Next(&f, &s)
		y.Step(&out, &s)
		k.Step(&mono, &s)
		for _, v := range out {
			if v != v {
				t.Fatalf("tick %d: NaN", tick)
			}
			highest = max(highest, math.Abs(float64(v)))
		}
		for _, v := range mono {
			if !(math.Abs(float64(v)) <= 1) {
				t.Fatalf("tick %d: the shaker gets %g", tick, v)
			}
			strongest = max(strongest, math.Abs(float64(v)))
		}
	}
	if highest > 0.2512 || highest < 0.2 || strongest < 0.3 {
		t.Errorf("highest sample %g, want just below 0.2512 (-12 dB); the shaker's %g", highest, strongest)
	}
}

// driving is the frame of a tick of a car that accelerates and slides.
func driving(tick int) frame.Frame {
	f := frame.Frame{
		Tick: uint64(tick), State: uint64(guard.Driving), Flags: frame.EngineRunning, Speed: 20, RPM: 5000, Throttle: 1, EngineTorque: 300, Gear: 3,
		Station: 0.02 * float64(tick), Pictures: 1,
	}
	for i := range f.Wheels {
		f.Wheels[i] = frame.Wheel{Load: 3500, NormalizedSlip: 1.3, SlipEnergy: 10 * float64(tick), Material: uint64(i % 3), SlipRatio: -0.1, TravelSpeed: 0.1}
	}
	return f
}
