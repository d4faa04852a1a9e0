package replay

import (
	"math"
	"testing"

	"rig.example/rig/internal/files/drivelog"
)

// lapLog returns a log at 10 samples per second with these lap numbers and times, where a car drives at 5 m/s and turns.
func lapLog(number, time []float64) *drivelog.Log {
	l := &drivelog.Log{Rate: 10}
	add := func(unit string, of func(i int) float64) {
		c := drivelog.Channel{Unit: unit}
		for i := range number {
			c.Values = append(c.Values, of(i))
		}
		l.Channels = append(l.Channels, c)
	}
	add("s", func(i int) float64 { return time[i] })
	add("", func(i int) float64 { return number[i] })
	for range 3 {
		add("m", func(i int) float64 { return 5 * time[i] })
	}
	for range 3 {
		add("rad", func(i int) float64 { return math.Remainder(3+time[i], 2*math.Pi) })
	}
	add("m", func(i int) float64 { return 5 * time[i] })
	return l
}

func TestGhostLap(t *testing.T) {
	nan := math.NaN()
	number := []float64{0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3}
	time := []float64{0, 0, 0.02, 0.12, 0.22, 0.01, 0.11, 0.05, 0.15, 0.25, 0.35}
	for _, tt := range []struct {
		name         string
		number, time []float64
		laps         []drivelog.Lap
		from, to     int
	}{
		{"best valid lap", number, time, []drivelog.Lap{{Number: 1, Time: 0.25, Valid: true}, {Number: 2, Time: 0.16}}, 2, 5},
		{"the faster of two", number, time, []drivelog.Lap{{Number: 1, Time: 0.25, Valid: true}, {Number: 2, Time: 0.16, Valid: true}}, 5, 7},
		{"the longest without a valid one", number, time, []drivelog.Lap{{Number: 1, Time: 0.25}}, 7, 11},
		{"a lap without its start", []float64{4, 4, 4}, []float64{7, 7.1, 7.2}, nil, 0, 0},
		{"a lap with a gap", []float64{4, 4, nan, 4, 4, 4}, []float64{0.01, 0.11, nan, 0.31, 0.41, 0.51}, []drivelog.Lap{{Number: 4, Time: 0.55, Valid: true}}, 0, 2},
		{"none", []float64{0, 0, nan}, []float64{0, 0, nan}, nil, 0, 0},
	} {
		l := lapLog(tt.number, tt.time)
		l.Laps = tt.laps
		if from, to := ghostLap(l); from != tt.from || to != tt.to {
			t.Errorf("%s: samples %d to %d, want %d to %d", tt.name, from, to, tt.from, tt.to)
		}
	}
}

// The table goes by lap time: from the start line on, past a pause in which the time stood still, and through π.
func TestGhostTable(t *testing.T) {
	time := []float64{0.04, 0.14, 0.24, 0.24, 0.24, 0.34, 0.41}
	g := ghostTable(lapLog(make([]float64, len(time)), time), 0, len(time))
	if len(g.Points) != 5 || g.Step != 0.1 {
		t.Fatalf("%d points every %g s, want 5 every 0.1 s", len(g.Points), g.Step)
	}
	for i, p := range g.Points {
		at := 0.1 * float64(i)
		if math.Abs(float64(p.X)-5*at) > 1e-6 || math.Abs(float64(p.Distance)-5*at) > 1e-6 {
			t.Errorf("after %g s: %+v, want 5 m/s", at, p)
		}
		if turned := math.Remainder(float64(p.Yaw)-3-at, 2*math.Pi); math.Abs(turned) > 1e-6 {
			t.Errorf("after %g s: yaw %g rad, want %g", at, p.Yaw, 3+at)
		}
	}
}
