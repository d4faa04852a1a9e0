package maneuver

import (
	"math"

	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

// frequencies returns the frequencies of the sweep [Hz].
func frequencies() []float64 {
	return []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 1.8, 2.1, 2.5, 3, 3.5, 4}
}

// harmonic is the component of steering and response at one frequency.
type harmonic struct {
	freq           float64    // [Hz]
	steer          [2]float64 // sine and cosine component of the road wheel angle, times the number of samples
	yaw, ay        [2]float64 // the same of yaw rate and lateral acceleration
	gain, ayGain   float64    // gain of the yaw rate [1/s] and of the lateral acceleration [m/s²/rad]
	phase, ayPhase float64    // phase [rad], negative for a lag
}

// frequencySweep steers one sine after another (ISO 7401), with an amplitude in the car's linear range:
// 1.5 m/s² at low frequencies. Each begins with some cycles to settle, before whole cycles are
// correlated with sine and cosine. An ideal controller holds the speed; the wheels are free of drive
// torque.
func frequencySweep(t *run, r *Result, o Options) error {
	t.PlaceRolling(o.Speed, 0)
	amplitude := min(t.RoadWheelAngleFor(1.5, o.Speed), 0.5*t.MaxRoadWheelAngle())
	var harmonics []harmonic
	list := frequencies()
	for i, f := range list {
		harmonics = append(harmonics, t.sine(f, amplitude, o.Speed))
		o.Progress(float64(i+1) / float64(len(list)))
	}
	unwrap(harmonics)
	r.addSweepMetrics(harmonics)
	return nil
}

// sine steers some cycles of a sine with a frequency [Hz] and an amplitude [rad at the road wheels], at a
// speed [m/s]. It returns the frequency response over the last two cycles, when the car has settled.
func (t *run) sine(freq, amplitude, speed float64) harmonic {
	const settleTime, cycles = 1.0, 2 // [s], cycles
	ticks := int(math.Round(1 / (freq * t.Dt)))
	h := harmonic{freq: 1 / (float64(ticks) * t.Dt)}
	settleCycles := max(int(math.Ceil(settleTime*freq)), 1)
	for i := 0; i < (settleCycles+cycles)*ticks && !t.RolledOver(); i++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%ticks) / float64(ticks))
		t.Input.Steer = t.SteeringWheelFor(amplitude * sin)
		t.HoldSpeed(speed, 0)
		t.Step()
		if i < settleCycles*ticks {
			continue
		}
		m := trial.MotionOf(&t.State)
		angle := (t.State.Wheels[tire.FL].Steer + t.State.Wheels[tire.FR].Steer) / 2
		for component, wave := range [2]float64{sin, cos} {
			h.steer[component] += wave * angle
			h.yaw[component] += wave * m.YawRate
			h.ay[component] += wave * m.Ay
		}
	}
	h.gain, h.phase = transfer(h.steer, h.yaw)
	h.ayGain, h.ayPhase = transfer(h.steer, h.ay)
	return h
}

// transfer returns gain and phase [rad] of an output over an input, each given by its sine and cosine
// components.
func transfer(in, out [2]float64) (gain, phase float64) {
	gain = math.Hypot(out[0], out[1]) / max(math.Hypot(in[0], in[1]), 1e-12)
	phase = math.Atan2(out[1], out[0]) - math.Atan2(in[1], in[0])
	return gain, math.Remainder(phase, 2*math.Pi)
}

// unwrap adds whole turns to the phases so that they have no jumps over frequency.
func unwrap(hs []harmonic) {
	for i := 1; i < len(hs); i++ {
		a, b := &hs[i-1], &hs[i]
		b.phase = a.phase + math.Remainder(b.phase-a.phase, 2*math.Pi)
		b.ayPhase = a.ayPhase + math.Remainder(b.ayPhase-a.ayPhase, 2*math.Pi)
	}
}

// addSweepMetrics adds the metrics of the frequency response.
func (r *Result) addSweepMetrics(harmonics []harmonic) {
	yaw := func(h harmonic) float64 { return h.gain }
	ay := func(h harmonic) float64 { return h.ayGain }
	maxGain, maxGainFreq := 0.0, 0.0
	for _, h := range harmonics {
		if h.gain > maxGain {
			maxGain, maxGainFreq = h.gain, h.freq
		}
	}
	at1Hz := func(f func(harmonic) float64) float64 { return interpolate(harmonics, f, 1) }
	r.add("yaw_gain_low_1ps", harmonics[0].gain, "1/s", "yaw rate over road wheel angle at 0.2 Hz")
	r.add("yaw_gain_1hz_1ps", at1Hz(yaw), "1/s", "yaw rate over road wheel angle at 1 Hz")
	r.add("yaw_phase_1hz_deg", at1Hz(func(h harmonic) float64 { return h.phase })/degree, "°", "phase of the yaw rate at 1 Hz, negative when late")
	r.add("yaw_peak_ratio", maxGain/harmonics[0].gain, "", "largest gain of the yaw rate over that at 0.2 Hz")
	r.add("yaw_peak_hz", maxGainFreq, "Hz", "frequency of the largest gain of the yaw rate")
	r.add("yaw_bandwidth_hz", bandwidth(harmonics, yaw), "Hz", "frequency at which the yaw rate's gain is 3 dB below that at 0.2 Hz")
	r.add("ay_gain_low_mps2_per_rad", harmonics[0].ayGain, "m/s²/rad", "lateral acceleration over road wheel angle at 0.2 Hz")
	r.add("ay_gain_1hz_mps2_per_rad", at1Hz(ay), "m/s²/rad", "lateral acceleration over road wheel angle at 1 Hz")
	r.add("ay_phase_1hz_deg", at1Hz(func(h harmonic) float64 { return h.ayPhase })/degree, "°", "phase of the lateral acceleration at 1 Hz, negative when late")
	r.add("ay_bandwidth_hz", bandwidth(harmonics, ay), "Hz", "frequency at which the lateral acceleration's gain is 3 dB below that at 0.2 Hz")
	r.Traces = sweepTraces(harmonics)
}

// interpolate returns a value at a frequency [Hz], linearly between the sweep's frequencies.
func interpolate(hs []harmonic, f func(harmonic) float64, freq float64) float64 {
	for i := 1; i < len(hs); i++ {
		if a, b := hs[i-1], hs[i]; freq >= a.freq && freq <= b.freq {
			return f(a) + (f(b)-f(a))*(freq-a.freq)/(b.freq-a.freq)
		}
	}
	return math.NaN()
}

// bandwidth returns where a gain has fallen by 3 dB from that at the lowest frequency [Hz], NaN if it
// does not within the sweep.
func bandwidth(hs []harmonic, f func(harmonic) float64) float64 {
	level := f(hs[0]) / math.Sqrt2
	for i := 1; i < len(hs); i++ {
		if a, b := hs[i-1], hs[i]; f(b) < level {
			return a.freq + (b.freq-a.freq)*(f(a)-level)/(f(a)-f(b))
		}
	}
	return math.NaN()
}

// sweepTraces plots gains and phases over frequency.
func sweepTraces(hs []harmonic) []Trace {
	plot := func(title, label string, f func(harmonic) float64) Trace {
		s := Series{Name: title}
		for _, h := range hs {
			s.X, s.Y = append(s.X, h.freq), append(s.Y, f(h))
		}
		return Trace{title, "frequency [Hz]", label, []Series{s}}
	}
	return []Trace{
		plot("Yaw rate gain", "gain [1/s]", func(h harmonic) float64 { return h.gain }),
		plot("Yaw rate phase", "phase [°]", func(h harmonic) float64 { return h.phase / degree }),
		plot("Lateral acceleration gain", "gain [m/s²/rad]", func(h harmonic) float64 { return h.ayGain }),
		plot("Lateral acceleration phase", "phase [°]", func(h harmonic) float64 { return h.ayPhase / degree }),
	}
}
