package spectrum

import (
	"bytes"
	"image/png"
	"math"
	"testing"
)

// A sine of half of full scale stands at its frequency with -6 dB, and nowhere else.
func TestASineIsWhereItIs(t *testing.T) {
	const rate, hz = 48000, 1000.0
	r := New(rate, rate)
	for i := range rate {
		r.Add(float32(0.5 * math.Sin(2*math.Pi*hz*float64(i)/rate)))
	}
	s := r.Drawn()
	middle := s.Levels[len(s.Levels)/2]
	best := 0
	for row, level := range middle {
		if level > middle[best] {
			best = row
		}
	}
	at := s.Low * math.Pow(s.High/s.Low, (float64(best)+0.5)/float64(len(middle)))
	if math.Abs(at/hz-1) > 0.02 || math.Abs(middle[best]+6) > 1.5 || middle[best-30] > -80 || middle[best+30] > -80 {
		t.Errorf("strongest at %g Hz with %g dB, an octave and more away %g and %g dB", at, middle[best], middle[best-30], middle[best+30])
	}
	data, err := s.Render("png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
}

// A sound shorter than a window, and none at all, have a picture too.
func TestShortSounds(t *testing.T) {
	for _, n := range []int{0, 1, 500} {
		r := New(n, 48000)
		for range n {
			r.Add(0.1)
		}
		if s := r.Drawn(); len(s.Levels) != 1 {
			t.Errorf("%d samples: %d columns", n, len(s.Levels))
		} else if _, err := s.Render("svg"); err != nil {
			t.Errorf("%d samples: %v", n, err)
		}
	}
}

// However long a sound is, its picture has no more columns than fit.
func TestALongSound(t *testing.T) {
	const n = 20_000_000
	r := New(n, 48000)
	for range n / 100 {
		r.Add(0)
	}
	if got := len(r.Drawn().Levels); got < columns/100-2 || got > columns/100+2 {
		t.Errorf("%d columns of a hundredth of it, want %d", got, columns/100)
	}
}
