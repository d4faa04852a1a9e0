package exercise

import (
	"math"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
)

// sampled returns f at times that are as uneven as a busy machine makes them.
func sampled(seconds float64, f func(t float64) float64) (times, values []float64) {
	for i := 0; ; i++ {
		t := float64(i)*0.005 + 0.001*float64(i%3)
		if t > seconds {
			return times, values
		}
		times, values = append(times, t), append(values, f(t))
	}
}

func TestLagIsTheShift(t *testing.T) {
	wave := func(t float64) float64 { return math.Sin(1.5 * t) }
	tests := []struct {
		name     string
		feedback func(t float64) float64
		want     float64 // [s]
	}{
		{"none", wave, 0},
		{"37 ms", func(t float64) float64 { return wave(t - 0.037) }, 0.037},
		{"half the size, elsewhere", func(t float64) float64 { return 3 + 0.5*wave(t-0.12) }, 0.12},
		{"stands still", func(float64) float64 { return 0.5 }, math.NaN()},
		{"the other way", func(t float64) float64 { return -wave(t) }, math.NaN()},
		{"another motion", func(t float64) float64 { return math.Sin(7 * t) }, math.NaN()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			times, target := sampled(6, wave)
			_, feedback := sampled(6, tt.feedback)
			got := measureDelay(times, target, feedback)
			if math.IsNaN(got) != math.IsNaN(tt.want) || math.Abs(got-tt.want) > 0.001 {
				t.Errorf("%.4f s, want %.4f s", got, tt.want)
			}
		})
	}
}

func TestLagNeedsTime(t *testing.T) {
	times, target := sampled(0.3, math.Sin)
	if got := measureDelay(times, target, target); !math.IsNaN(got) {
		t.Errorf("%g s of 0.3 s", got)
	}
}

// A task whose actuator is 2 % behind, and one that nothing measures.
func TestJudge(t *testing.T) {
	axis := testMovement{name: "left", kind: "actuator", unit: "%", measured: func(l cueing.Legs) (float64, bool) { return 100 * l[0], !math.IsNaN(l[0]) }}
	note, blind := newRecord(4), newRecord(4)
	times, wave := sampled(4, func(t float64) float64 { return 0.5 + 0.1*math.Sin(3*t) })
	for i := range times {
		at := motion.Status{Target: wire.Legs{wave[i]}, Feedback: wire.Legs{wave[i] - 0.02}}
		note.add(times[i], &at)
		at.Feedback[0] = math.NaN()
		blind.add(times[i], &at)
	}
	m := axis.measure(note)
	near := func(got, want float64) bool { return math.Abs(got-want) < 0.01 }
	if !near(m.Target.Low, 40) || !near(m.Target.High, 60) || !near(m.Measured.Low, 38) || !near(m.Measured.High, 58) {
		t.Errorf("target %v, measured %v", m.Target, *m.Measured)
	}
	if !near(*m.MaxError, 2) || !near(*m.RMSError, 2) || !near(*m.Delay, 0) {
		t.Errorf("error %g, rms %g, delay %g ms; want 2, 2, 0", *m.MaxError, *m.RMSError, *m.Delay)
	}
	if m := axis.measure(blind); m.Measured != nil || m.MaxError != nil || m.RMSError != nil || m.Delay != nil || !near(m.Target.High, 60) {
		t.Errorf("measured without feedback: %+v", m)
	}
	if m := axis.measure(newRecord(1)); m.Target != (Range{}) {
		t.Errorf("without a record: %+v", m)
	}
}

// An excursion goes to both ends and back, and is never faster than it may.
func TestExcursion(t *testing.T) {
	const amplitude, speed = 0.2, 0.15 // [strokes], [strokes/s]
	m := motion.DefaultConfig()
	e := newExcursion(amplitude, speed, &m)
	const dt = 1e-4
	var low, high, fastest, last float64
	end := 0.0
	for t := 0.0; ; t += dt {
		share, over := e.position(t)
		low, high = min(low, share), max(high, share)
		fastest = max(fastest, math.Abs(share-last)*amplitude/dt)
		if last = share; over {
			end = t
			break
		}
	}
	if math.Abs(low+1) > 1e-6 || math.Abs(high-1) > 1e-6 || last != 0 {
		t.Errorf("from %g to %g, ends at %g", low, high, last)
	}
	if math.Abs(fastest-speed) > 1e-4 {
		t.Errorf("top speed %.5f strokes/s, want %g", fastest, speed)
	}
	// out, over and back are 1, 2 and 1 amplitudes at 8/15 of the top speed, then half a second of rest
	if want := 4*amplitude/(speed*8/15) + 0.5; math.Abs(end-want) > 1e-3 {
		t.Errorf("lasts %.3f s, want %.3f s", end, want)
	}
}

// Where speed would allow it, half of the acceleration and of the jerk still hold: the
// polynomial's are 10/sqrt(3)·d/T² and 60·d/T³.
func TestExcursionIsGentle(t *testing.T) {
	m := motion.DefaultConfig()
	for i := range m.MaxAccel {
		m.MaxSpeed[i], m.MaxAccel[i], m.MaxJerk[i] = 10, 4, 1e6
	}
	if got, want := newExcursion(0.1, 1, &m).quarterTime, math.Sqrt(0.1*10/math.Sqrt(3)/2); math.Abs(got-want) > 1e-4 {
		t.Errorf("%.4f s for the acceleration, want %.4f s", got, want)
	}
	m.MaxJerk[3] = 20
	if got, want := newExcursion(0.1, 1, &m).quarterTime, math.Cbrt(0.1*60/10); math.Abs(got-want) > 1e-4 {
		t.Errorf("%.4f s for the jerk, want %.4f s", got, want)
	}
}

func TestFindAxis(t *testing.T) {
	g := cueing.DefaultGeometry()
	g.TractionLossStroke = 0.3
	form, err := cueing.NewPlatform(g, cueing.FullStroke())
	if err != nil {
		t.Fatal(err)
	}
	s := &platformRun{geometry: form}
	for _, tt := range []struct {
		wanted string
		want   int // -1 is an error
	}{{"1", 0}, {"3", 2}, {"left", 0}, {"Right", 1}, {"traction-loss", 2}, {"traction loss", 2}, {"0", -1}, {"4", -1}, {"-1", -1}, {"up", -1}, {"", -1}} {
		got, err := s.findAxis(tt.wanted)
		if (err != nil) != (tt.want < 0) || err == nil && got != tt.want {
			t.Errorf("%q is %d, %v", tt.wanted, got, err)
		}
	}
}
