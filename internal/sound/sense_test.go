package sound

import (
	"math"
	"testing"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// What counts from the start of the drive becomes power and force, over any number of ticks.
func TestPowerAndForceOfFrames(t *testing.T) {
	for _, gap := range []int{1, 5, 40} {
		tracker := NewTracker(coupe())
		var s Sense
		for tick := 0; tick <= 2*gap; tick += gap {
			f := driving(tick)
			f.Impulse = 4 * float64(tick) // 4 N·s a ms
			tracker.Next(&f, &s)
			if tick == 0 && (s.Contact != 0 || s.Wheels[0].SlidePower != 0) {
				t.Errorf("gap %d: the first frame has %g N, %g W", gap, s.Contact, s.Wheels[0].SlidePower)
			}
		}
		if math.Abs(s.Contact-4000) > 1e-6 || math.Abs(s.Wheels[0].SlidePower-10e3) > 1e-6 {
			t.Errorf("gap %d: %g N, %g W; want 4000 and 10000", gap, s.Contact, s.Wheels[0].SlidePower)
		}
	}
}

// A paused, stopped or ended car is silent.
func TestWhatIsAudible(t *testing.T) {
	for _, tt := range []struct {
		name  string
		state guard.State
		flags uint64
		want  bool
	}{
		{"parked", guard.Parked, 0, false}, {"ready", guard.Ready, 0, false}, {"engaging", guard.Engaging, 0, true}, {"driving", guard.Driving, 0, true},
		{"paused", guard.Driving, frame.Paused, false}, {"releasing", guard.Releasing, 0, true}, {"stopped", guard.Stopped, 0, false}, {"fault", guard.Fault, 0, false},
	} {
		f := driving(1)
		f.State, f.Flags = uint64(tt.state), f.Flags|tt.flags
		var s Sense
		if NewTracker(coupe()).Next(&f, &s); s.Audible != tt.want {
			t.Errorf("%s: audible %t", tt.name, s.Audible)
		}
	}
}

// Without a window the listener is in the car, with one where its camera is, unless the configuration says so.
func TestWhereTheListenerIs(t *testing.T) {
	for _, tt := range []struct {
		listener          string
		pictures, cockpit uint64
		want              bool
	}{
		{"auto", 0, 0, true}, {"auto", 5, 0, false}, {"auto", 5, 1, true}, {"inside", 5, 0, true}, {"outside", 5, 1, false},
	} {
		f, c := driving(1), Config{Listener: tt.listener}
		f.Pictures, f.Display.Cockpit = tt.pictures, tt.cockpit
		var s Sense
		if NewTracker(coupe()).Next(&f, &s); c.isInside(&s) != tt.want {
			t.Errorf("%+v: inside %t", tt, c.isInside(&s))
		}
	}
}

// Another simulator tells engine speed, speed, slip and surface: they sound, at the load of its pedal.
func TestWhatAnotherSimulatorTells(t *testing.T) {
	f := driving(1)
	f.Follow.On, f.EngineTorque, f.Throttle = 1, 0, 0.7
	for i := range f.Wheels {
		f.Wheels[i] = frame.Wheel{NormalizedSlip: 2, Rumble: 0.6}
	}
	var s Sense
	NewTracker(coupe()).Next(&f, &s)
	if w := s.Wheels[0]; s.RPM != 5000 || s.Load != 0.7 || s.Speed != 20 || w.SlidePower < 1e3 || w.Rumble != 0.6 || w.Load != 1 {
		t.Errorf("%+v", s)
	}
	for i := range f.Wheels {
		f.Wheels[i].NormalizedSlip = 0.3
	}
	if f.Throttle = 0; true {
		NewTracker(coupe()).Next(&f, &s)
	}
	if s.Load >= 0 || s.Wheels[0].SlidePower != 0 {
		t.Errorf("off the throttle: load %g, %g W", s.Load, s.Wheels[0].SlidePower)
	}
}

// Each surface sounds like its own.
func TestSurfacesDiffer(t *testing.T) {
	spectra := map[int][]float64{}
	for m := range 5 {
		power := spectrum(steady(t, func(c *Config) { only(&c.Volume.Road, c) }, cruise(25, m)))
		var levels []float64
		for _, hz := range []float64{60, 200, 700, 1600, 5000} {
			levels = append(levels, 10*math.Log10(energy(power, hz, 2*hz, Rate)))
		}
		spectra[m] = levels
		for other, l := range spectra {
			most := 0.0
			for b := range l {
				most = max(most, math.Abs(l[b]-levels[b]))
			}
			if other != m && most < 3 {
				t.Errorf("materials %d and %d differ by %.1f dB at most", m, other, most)
			}
		}
	}
	rain := cruise(25, onAsphalt)
	rain.Rain = 1
	if now, dry := 10*math.Log10(energy(spectrum(steady(t, func(c *Config) { only(&c.Volume.Road, c) }, rain)), 5000, 10e3, Rate)), spectra[onAsphalt][4]; now < dry+6 {
		t.Errorf("rain: %.1f dB above 5 kHz, dry %.1f", now, dry)
	}
	if wet, dry := spectra[onWet][4], spectra[onAsphalt][4]; wet < dry+6 {
		t.Errorf("water: %.1f dB above 5 kHz, dry %.1f", wet, dry)
	}
}

// The teeth of a kerb sound where the road has them: after each whole pitch, at any speed, behind the front axle later.
func TestKerbsSoundInPhaseWithTheirTeeth(t *testing.T) {
	const pitch, speed = 0.5, 20.0
	for _, wheel := range []int{0, 2} {
		car, teeth := coupe(), newTeeth()
		s := cruise(speed, onKerb)
		behind := float64(wheel/2) * car.wheelbase
		found := 0
		for tick := range 2000 {
			s.Station = 100.007 + speed*float64(tick)/1000
			var out [TickSamples]float64
			before := teeth.phase
			teeth.add(&out, &s, &s.Wheels[wheel], &car.materials[onKerb], behind)
			at := (s.Station - behind) / pitch
			if begins := at - math.Floor(at) + speed/pitch/1000; begins >= 1 {
				found++
				if teeth.phase > 0.05 {
					t.Errorf("wheel %d, station %.3f m: a tooth begins, phase %.3f after %.3f", wheel, s.Station, teeth.phase, before)
				}
			}
		}
		if found < 75 {
			t.Errorf("wheel %d: %d teeth in 40 m", wheel, found)
		}
	}
	power := spectrum(steady(t, func(c *Config) { only(&c.Volume.Road, c) }, cruise(speed, onKerb)))
	for h := 1.0; h <= 4; h++ {
		if at, above := peakNear(power, 40*h, 0.2/h); math.Abs(at-40*h) > 0.4*h || above < 3 {
			t.Errorf("harmonic %g of the teeth: highest at %g Hz, %.1f dB above its surroundings; want %g", h, at, above, 40*h)
		}
	}
}

// A wheel on the left sounds on the left.
func TestSoundsComeFromTheirSide(t *testing.T) {
	for wheel := range 4 {
		s := cruise(0, onAsphalt)
		s.Wheels[wheel].Slip, s.Wheels[wheel].SlidePower = 1.4, 10e3
		y := NewSynth(DefaultConfig(), coupe())
		var out Stereo
		var left, right float64
		for range 300 {
			y.Step(&out, &s)
			for i := range TickSamples {
				left += float64(out[2*i]) * float64(out[2*i])
				right += float64(out[2*i+1]) * float64(out[2*i+1])
			}
		}
		if isLeft := wheel%2 == 0; isLeft && left < 4*right || !isLeft && right < 4*left {
			t.Errorf("wheel %d: left %g, right %g", wheel, left, right)
		}
	}
}

// tones are the sounds that have a frequency of their own.
func TestTonesHaveTheirFrequencies(t *testing.T) {
	electric := NewCar(&frame.Scene{Car: frame.Car{Electric: 1, Cylinders: 4, MaxRPM: 12e3, PeakTorque: 300}})
	for _, tt := range []struct {
		name string
		car  Car
		s    Sense
		hz   float64
	}{
		{"gears", coupe(), func() Sense { s := idle(6000, 1); s.Running = false; s.Gear = 2; return s }(), 2300},      // 100/s · 23 teeth
		{"motor", electric, func() Sense { s := idle(3000, 0.5); s.Gear = 0; return s }(), 400},                       // 50/s · 8 pole pairs
		{"starter", coupe(), func() Sense { s := idle(240, 0); s.Running, s.Gear = false, 0; return s }(), 520},       // 4/s · 130 teeth
		{"turbo", coupe(), func() Sense { s := idle(3000, 0); s.Boost, s.Gear = 1, 0; return s }(), 7400},             // at full boost
		{"brakes", coupe(), func() Sense { s := cruise(1.2, onAsphalt); s.Brake, s.Gear = 0.6, 0; return s }(), 2350}, // before it stops
	} {
		cfg := DefaultConfig()
		cfg.Listener = "outside"
		power := spectrum(play(NewSynth(cfg, tt.car), 1500, func(int) *Sense { return &tt.s })[Rate/2:])
		if at, above := peakNear(power, tt.hz, 0.05); math.Abs(at-tt.hz) > 0.01*tt.hz || above < 10 {
			t.Errorf("%s: highest at %g Hz, %.1f dB above its surroundings; want %g", tt.name, at, above, tt.hz)
		}
	}
}

// Knocks sound once and decay: a gear change, the ABS's valves, a crash, a bottomed suspension, and the turbo's valve.
func TestKnocks(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(s *Sense)
	}{
		{"gear", func(s *Sense) { s.Gear++ }},
		{"abs", func(s *Sense) { s.ABS = 1 }},
		{"crash", func(s *Sense) { s.Contact = 60e3 }},
		{"bottomed", func(s *Sense) { s.Wheels[2].Bottomed = 1 }},
	} {
		before := cruise(0, onAsphalt)
		after := before
		tt.edit(&after)
		samples := play(NewSynth(DefaultConfig(), coupe()), 1500, func(tick int) *Sense {
			if tick < 500 {
				return &before
			}
			return &after
		})
		sum := func(fromMS, toMS int) (e float64) {
			for _, v := range samples[fromMS*TickSamples : toMS*TickSamples] {
				e += v * v
			}
			return e
		}
		if quiet, knock, rest := sum(300, 500), sum(500, 700), sum(1300, 1500); knock < 1e-3 || quiet > 1e-3*knock || rest > 0.02*knock {
			t.Errorf("%s: energy %g, then %g, then %g", tt.name, quiet, knock, rest)
		}
	}
}
