package sound

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
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

// Another simulator tells engine speed, speed, slip and surface: they sound, at the load of its pedal, or of its engine's
// acceleration where it tells no pedal. In its menu, and without packets, nothing sounds.
func TestWhatAnotherSimulatorTells(t *testing.T) {
	car := coupe()
	f := driving(1)
	f.Follow.On, f.Follow.Share, f.EngineTorque, f.Throttle = 1, 1, 0, 0.7
	for i := range f.Wheels {
		f.Wheels[i] = frame.Wheel{NormalizedSlip: 2}
	}
	f.Wheels[1].Rumble, f.Wheels[2].Rumble = 0.3, 0.8
	var s Sense
	tracker := NewTracker(car)
	tracker.Next(&f, &s)
	if w := s.Wheels[0]; !s.Audible || s.RPM != 5000 || s.Load != 0.7 || s.Speed != 20 || w.SlidePower < 1e3 || w.Load != 1 {
		t.Errorf("%+v", s)
	}
	if grains, pitch := car.materials[s.Wheels[1].Material].grains, car.materials[s.Wheels[2].Material].pitch; grains == 0 || pitch == 0 || car.materials[s.Wheels[0].Material].squeal != 1 {
		t.Errorf("grass has %g grains, a strip teeth every %g m", grains, pitch)
	}
	for i := range f.Wheels {
		f.Wheels[i].NormalizedSlip = 0.3
	}
	f.Throttle = 0
	if tracker.Next(&f, &s); s.Load >= 0 || s.Wheels[0].SlidePower != 0 {
		t.Errorf("off the throttle: load %g, %g W", s.Load, s.Wheels[0].SlidePower)
	}
	if f.Follow.Share = 0; true {
		tracker.Next(&f, &s)
	}
	if s.Audible {
		t.Error("a game in its menu sounds")
	}
}

// Without a throttle an engine that speeds up is under load, one that slows down is not.
func TestTheLoadOfAnEngineWithoutAThrottle(t *testing.T) {
	for _, tt := range []struct{ rate, low, high float64 }{{3, 0.8, 1}, {0, 0.25, 0.35}, {-3, -0.2, 0}} { // [1/min per ms]
		tracker := NewTracker(coupe())
		var s Sense
		for tick := range 600 {
			f := driving(tick)
			f.Follow.On, f.Follow.Share, f.Throttle, f.RPM = 1, 1, 0, 4000+tt.rate*float64(tick)
			tracker.Next(&f, &s)
		}
		if s.Load < tt.low || s.Load > tt.high {
			t.Errorf("%g rpm a ms: load %g, want %g to %g", tt.rate, s.Load, tt.low, tt.high)
		}
	}
}

// Events are what changes from frame to frame, and begin once.
func TestEventsBeginOnce(t *testing.T) {
	tracker := NewTracker(coupe())
	counts := [4]int{}
	for tick := range 100 {
		f := driving(tick)
		if tick >= 50 {
			f.Gear, f.BrakePulse, f.Wheels[3].Travel = 4, 1, 0.149
		}
		f.Impulse = 20 * math.Max(0, float64(tick-50)) // 20 kN
		var s Sense
		tracker.Next(&f, &s)
		for i, began := range []bool{s.Shift, s.ABSPulse, s.Hit > 0, s.Wheels[3].Bottoms} {
			if began {
				counts[i]++
			}
		}
	}
	if counts != [4]int{1, 1, 1, 1} {
		t.Errorf("gear, ABS, contact and bottoming began %v times", counts)
	}
}

// A sense of later ticks is further along the road, and begins nothing.
func TestLater(t *testing.T) {
	f := driving(100)
	f.Speed = -20
	var s Sense
	tracker := NewTracker(coupe())
	tracker.Next(&f, &s)
	s.Shift, s.Hit, s.Wheels[1].Bottoms = true, 1, true
	if l := s.Later(5); math.Abs(l.Station-(s.Station-0.1)) > 1e-9 || l.Shift || l.Hit != 0 || l.Wheels[1].Bottoms || l.Speed != 20 {
		t.Errorf("%+v", l)
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
		{"gears", coupe(), func() Sense { s := idle(6000, 1); s.Running = false; s.Gear = 2; return s }(), 2300},                 // 100/s · 23 teeth
		{"motor", electric, func() Sense { s := idle(3000, 0.5); s.Gear = 0; return s }(), 400},                                  // 50/s · 8 pole pairs
		{"starter", coupe(), func() Sense { s := idle(240, 0); s.Running, s.Starter, s.Gear = false, true, 0; return s }(), 520}, // 4/s · 130 teeth
		{"turbo", coupe(), func() Sense { s := idle(3000, 0); s.Boost, s.Gear = 1, 0; return s }(), 7400},                        // at full boost
		{"brakes", coupe(), func() Sense { s := cruise(1.2, onAsphalt); s.Brake, s.Gear = 0.6, 0; return s }(), 2350},            // before it stops
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
	lift := cruise(0, onAsphalt)
	lift.Running, lift.Throttle, lift.Boost = true, 1, 1
	for _, tt := range []struct {
		name   string
		before Sense
		edit   func(s *Sense)
	}{
		{"gear", cruise(0, onAsphalt), func(s *Sense) { s.Shift = true }},
		{"abs", cruise(0, onAsphalt), func(s *Sense) { s.ABSPulse = true }},
		{"crash", cruise(0, onAsphalt), func(s *Sense) { s.Hit = 60e3 }},
		{"bottomed", cruise(0, onAsphalt), func(s *Sense) { s.Wheels[2].Bottoms = true }},
		{"dump valve", lift, func(s *Sense) { s.Throttle = 0 }},
	} {
		after := tt.before
		tt.edit(&after)
		samples := play(NewSynth(DefaultConfig(), coupe()), 1500, func(tick int) *Sense {
			switch {
			case tick < 500:
				return &tt.before
			case tick > 500:
				after = after.Later(1)
			}
			return &after
		})
		var hiss biquad // of the valve; the turbine's tone is above it
		hiss.setBand(3500, 2)
		sum := func(fromMS, toMS int) (e float64) {
			for _, v := range samples[fromMS*TickSamples : toMS*TickSamples] {
				if tt.name == "dump valve" {
					v = hiss.next(v)
				}
				e += v * v
			}
			return e
		}
		if quiet, knock, rest := sum(300, 500), sum(500, 700), sum(1300, 1500); knock < 1e-3 || quiet > 0.2*knock || rest > 0.2*knock {
			t.Errorf("%s: energy %g, then %g, then %g", tt.name, quiet, knock, rest)
		}
	}
}
