package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

// frequencies of the sweep [Hz].
func frequencies() []float64 {
	return []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 1.8, 2.1, 2.5, 3, 3.5, 4}
}

// harmonic is the part of steering and response at one frequency.
type harmonic struct {
	freq         float64    // [Hz]
	steer        [2]float64 // sine and cosine part of the road wheel angle
	yaw, ay      [2]float64
	gain, ayGain float64 // [1/s], [m/s²/rad]
	lag, ayLag   float64 // phase [rad], negative when late
}

// frequencySweep steers with one sine after another (ISO 7401), so small that the
// car stays linear: 1.5 m/s² at low frequencies. Of each, some cycles pass before
// whole ones are correlated with sine and cosine. An ideal controller holds the
// speed; the wheels are free of drive torque.
func frequencySweep(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	t.Roll(o.Speed, 0)
	size := min(t.RoadFor(1.5, o.Speed), 0.5*t.MostRoad())
	var hs []harmonic
	fs := frequencies()
	for i, f := range fs {
		hs = append(hs, t.sine(f, size, o.Speed))
		o.Progress(float64(i+1) / float64(len(fs)))
	}
	unwrap(hs)
	r := &Result{Speed: o.Speed, Rows: t.Out.Rows}
	r.judgeSweep(hs)
	return r, nil
}

// sine drives some cycles and returns what the last ones show.
func (t *run) sine(freq, size, speed float64) harmonic {
	const settles, least = 1.0, 2 // [s], cycles
	ticks := int(math.Round(1 / (freq * t.Dt)))
	h := harmonic{freq: 1 / (float64(ticks) * t.Dt)}
	before := max(int(math.Ceil(settles*freq)), 1)
	for i := 0; i < (before+least)*ticks && !t.RolledOver(); i++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%ticks) / float64(ticks))
		t.Input.Steer = t.Wheel(size * sin)
		t.HoldSpeed(speed, 0)
		t.Step()
		if i < before*ticks {
			continue
		}
		m := trial.MotionOf(&t.State)
		angle := (t.State.Wheels[tire.FL].Steer + t.State.Wheels[tire.FR].Steer) / 2
		for part, wave := range [2]float64{sin, cos} {
			h.steer[part] += wave * angle
			h.yaw[part] += wave * m.YawRate
			h.ay[part] += wave * m.Ay
		}
	}
	h.gain, h.lag = transfer(h.steer, h.yaw)
	h.ayGain, h.ayLag = transfer(h.steer, h.ay)
	return h
}

// transfer returns gain and phase [rad] of an output over an input, each given by its
// sine and cosine part.
func transfer(in, out [2]float64) (gain, phase float64) {
	gain = math.Hypot(out[0], out[1]) / max(math.Hypot(in[0], in[1]), 1e-12)
	phase = math.Atan2(out[1], out[0]) - math.Atan2(in[1], in[0])
	return gain, math.Remainder(phase, 2*math.Pi)
}

// unwrap takes the leaps of a whole turn out of the phases.
func unwrap(hs []harmonic) {
	for i := 1; i < len(hs); i++ {
		a, b := &hs[i-1], &hs[i]
		b.lag = a.lag + math.Remainder(b.lag-a.lag, 2*math.Pi)
		b.ayLag = a.ayLag + math.Remainder(b.ayLag-a.ayLag, 2*math.Pi)
	}
}

func (r *Result) judgeSweep(hs []harmonic) {
	yaw := func(h harmonic) float64 { return h.gain }
	ay := func(h harmonic) float64 { return h.ayGain }
	top, topAt := 0.0, 0.0
	for _, h := range hs {
		if h.gain > top {
			top, topAt = h.gain, h.freq
		}
	}
	one := func(f func(harmonic) float64) float64 { return between(hs, f, 1) }
	r.add("yaw_gain_low_1ps", hs[0].gain, "1/s", "yaw rate over road wheel angle at 0.2 Hz")
	r.add("yaw_gain_1hz_1ps", one(yaw), "1/s", "the same at 1 Hz")
	r.add("yaw_phase_1hz_deg", one(func(h harmonic) float64 { return h.lag })/degree, "°", "phase of the yaw rate at 1 Hz, negative when late")
	r.add("yaw_peak_ratio", top/hs[0].gain, "", "largest gain of the yaw rate over that at 0.2 Hz")
	r.add("yaw_peak_hz", topAt, "Hz", "where that is")
	r.add("yaw_bandwidth_hz", bandwidth(hs, yaw), "Hz", "where the yaw rate's gain has fallen by 3 dB from 0.2 Hz")
	r.add("ay_gain_low_mps2_per_rad", hs[0].ayGain, "m/s²/rad", "lateral acceleration over road wheel angle at 0.2 Hz")
	r.add("ay_gain_1hz_mps2_per_rad", one(ay), "m/s²/rad", "the same at 1 Hz")
	r.add("ay_phase_1hz_deg", one(func(h harmonic) float64 { return h.ayLag })/degree, "°", "phase of the lateral acceleration at 1 Hz, negative when late")
	r.add("ay_bandwidth_hz", bandwidth(hs, ay), "Hz", "where the lateral acceleration's gain has fallen by 3 dB from 0.2 Hz")
	r.Traces = sweepTraces(hs)
}

// between returns a figure at a frequency [Hz], by a straight line.
func between(hs []harmonic, f func(harmonic) float64, freq float64) float64 {
	for i := 1; i < len(hs); i++ {
		if a, b := hs[i-1], hs[i]; freq >= a.freq && freq <= b.freq {
			return f(a) + (f(b)-f(a))*(freq-a.freq)/(b.freq-a.freq)
		}
	}
	return math.NaN()
}

// bandwidth returns where a gain has fallen by 3 dB from the lowest frequency's
// [Hz], NaN if it does not within the sweep.
func bandwidth(hs []harmonic, f func(harmonic) float64) float64 {
	level := f(hs[0]) / math.Sqrt2
	for i := 1; i < len(hs); i++ {
		if a, b := hs[i-1], hs[i]; f(b) < level {
			return a.freq + (b.freq-a.freq)*(f(a)-level)/(f(a)-f(b))
		}
	}
	return math.NaN()
}

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
		plot("Yaw rate phase", "phase [°]", func(h harmonic) float64 { return h.lag / degree }),
		plot("Lateral acceleration gain", "gain [m/s²/rad]", func(h harmonic) float64 { return h.ayGain }),
		plot("Lateral acceleration phase", "phase [°]", func(h harmonic) float64 { return h.ayLag / degree }),
	}
}
