package host

import "math"

// tracker follows how far a car has driven since the start line at the start of the race, from its distance along the
// circuit alone, and remembers when it was where.
type tracker struct {
	known    bool
	distance float64 // of its newest state from the start line [m]
	driven   float64 // [m]; negative before it has crossed the line
	at       int64   // session time of these [ns]
	laps     int     // of the race, as its events tell

	history [historySize]moment
	count   int // moments so far; the newest historySize are there
}

// moment is when a car was where.
type moment struct {
	driven float64
	at     int64
}

// The history of a car is two minutes long.
const historySize, historyEvery = 600, second / 5

// see takes a car's distance at a session time. start is the session time of the start of the race, 0 for none.
func (t *tracker) see(distance float64, at int64, length float64, start int64) {
	const waiting = 30 * second // a car may be on the grid so long after the start
	switch {
	case t.known && (t.at >= start || at < start):
		t.driven += math.Remainder(distance-t.distance, length)
	case t.laps == 0 && at < start+waiting:
		t.known, t.count, t.driven = true, 0, math.Remainder(distance, length)
	default: // it is heard for the first time in the middle of the race
		t.known, t.count = true, 0
		t.driven = distance + math.Round((float64(t.laps)+0.5)-distance/length)*length
	}
	t.distance, t.at = distance, at
	if t.count == 0 || at-t.history[(t.count-1)%historySize].at >= historyEvery {
		t.history[t.count%historySize] = moment{t.driven, at}
		t.count++
	}
}

// setLaps takes how many laps of the race a car has ended. If the last one was ended now, it corrects how far the car has
// driven, for whole laps may have been missed.
func (t *tracker) setLaps(laps int, now bool, length float64) {
	t.laps = laps
	if wanted := (float64(laps) + 0.25) * length; now && t.known && math.Abs(t.driven-wanted) > 0.5*length {
		t.driven += math.Round((wanted-t.driven)/length) * length
		t.count = 0
	}
}

// when returns the session time at which the car had driven so far [ns]. ok is false if its history does not have it.
func (t *tracker) when(driven float64) (at int64, ok bool) {
	after := moment{t.driven, t.at}
	if !t.known || driven > after.driven {
		return 0, false
	}
	for i := t.count - 1; i >= max(0, t.count-historySize); i-- {
		before := t.history[i%historySize]
		if before.driven <= driven {
			share := 0.0
			if after.driven > before.driven {
				share = (driven - before.driven) / (after.driven - before.driven)
			}
			return before.at + int64(share*float64(after.at-before.at)), true
		}
		after = before
	}
	return 0, false
}
