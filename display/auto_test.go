package display

import (
	"testing"
	"time"
)

// costs holds the drawing time of each quality as a multiple of that of the lowest.
var costs = [len(details)]float64{1, 1.35, 1.8}

// drive shows pictures for a time, with a drawing time for the lowest quality that depends on the time since the start, and
// returns the number of steps and the share of pictures that were late.
func (a *autoQuality) drive(span, interval time.Duration, load func(at time.Duration) time.Duration) (steps int, late float64) {
	pictures, at := 0, time.Duration(0)
	for at < span {
		before := a.level
		drawing := time.Duration(costs[before] * float64(load(at)))
		if a.next(drawing, interval) != before {
			steps++
		}
		if drawing > interval {
			late++
		}
		at += max(drawing, interval)
		pictures++
	}
	return steps, late / float64(pictures)
}

func constant(d time.Duration) func(time.Duration) time.Duration {
	return func(time.Duration) time.Duration { return d }
}

const hz60 = time.Second / 60

func TestAutoQualitySettles(t *testing.T) {
	for _, tt := range []struct {
		name        string
		start       int
		load        time.Duration // drawing time at the lowest quality
		level       int
		steps       int
		maximumLate float64
	}{
		{"a fast card goes up", 1, 2 * time.Millisecond, 2, 1, 0},
		{"a card that is fast enough stays", 2, 9 * time.Millisecond, 2, 0, 0},
		{"medium is just in time", 1, 12 * time.Millisecond, 1, 0, 0},
		{"medium is late", 1, 14 * time.Millisecond, 0, 1, 0.05},
		{"high and medium are late", 2, 14 * time.Millisecond, 0, 2, 0.05},
		{"even low is late", 1, 40 * time.Millisecond, 0, 1, 1},
	} {
		a := newAutoQuality(tt.start)
		steps, late := a.drive(time.Minute, hz60, constant(tt.load))
		if a.level != tt.level || steps != tt.steps || late > tt.maximumLate {
			t.Errorf("%s: quality %d after %d steps with %.3f late, want %d, %d and at most %.3f", tt.name, a.level, steps, late, tt.level, tt.steps, tt.maximumLate)
		}
	}
}

// A step down comes after a second of late pictures; a step up needs ten seconds without a picture that takes long.
func TestAutoQualityWaits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		load   time.Duration
		before time.Duration // no step is allowed before
		by     time.Duration // the step must have come
		level  int
	}{
		{"late", 20 * time.Millisecond, time.Second, 1500 * time.Millisecond, 0},
		{"much room", 2 * time.Millisecond, 10 * time.Second, 10500 * time.Millisecond, 2},
	} {
		a := newAutoQuality(1)
		if steps, _ := a.drive(tt.before, hz60, constant(tt.load)); steps != 0 {
			t.Errorf("%s: %d steps within %v", tt.name, steps, tt.before)
		}
		if a.drive(tt.by-tt.before, hz60, constant(tt.load)); a.level != tt.level {
			t.Errorf("%s: quality %d after %v, want %d", tt.name, a.level, tt.by, tt.level)
		}
	}
}

// A single late picture now and then, as at a reset or when another program starts, changes nothing.
func TestAutoQualityForgivesSingleLatePictures(t *testing.T) {
	a := newAutoQuality(1)
	steps, _ := a.drive(10*time.Minute, hz60, func(at time.Duration) time.Duration {
		if at%time.Second < hz60 {
			return 60 * time.Millisecond
		}
		return 10 * time.Millisecond
	})
	if steps != 0 {
		t.Errorf("%d steps", steps)
	}
}

// A load that alternates does not make the quality swing along with it.
func TestAutoQualityDoesNotSwing(t *testing.T) {
	for _, period := range []time.Duration{200 * time.Millisecond, 2 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute} {
		a := newAutoQuality(1)
		steps, late := a.drive(time.Hour, hz60, func(at time.Duration) time.Duration {
			if at%period < period/2 {
				return 15 * time.Millisecond // late at medium
			}
			return 5 * time.Millisecond // much room at medium
		})
		if steps > 20 || late > 0.02 {
			t.Errorf("period %v: %d steps in an hour, %.3f of the pictures late", period, steps, late)
		}
	}
}

// A step up that was right long ago does not make the next one slow.
func TestAutoQualityTrustsAgain(t *testing.T) {
	a := newAutoQuality(1)
	a.wait, a.raised, a.since = 80*time.Second, true, settling
	a.drive(5*time.Minute, hz60, constant(9*time.Millisecond))
	if a.wait != roomFor {
		t.Errorf("a step up needs %v of room", a.wait)
	}
}
