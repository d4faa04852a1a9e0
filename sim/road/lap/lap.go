// Package lap times laps and judges them: sectors, best times, track limits, the pit lane.
//
// In go a line with its start line, sectors and pit lane (NewTiming), and every tick where the
// car is (Place). Out comes a State, a plain value that holds all that was found: copying it is
// a snapshot. It moves no car, reads no clock but the tick's number, and allocates nothing.
package lap

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// Place is where a car is in a tick, as Timing must know it.
type Place struct {
	Front  r3.Vec    // what is timed: the middle of the front axle [m, world]
	Wheels [4]r3.Vec // hubs [m, world]
}

// Lap is one lap, or what was driven of it so far.
type Lap struct {
	Number  int                 // from 1; 0 before the start line was passed
	Time    float64             // [s]
	Sectors [MaxSectors]float64 // times of the sectors that were driven to their end [s], 0 of others
	Valid   bool                // not a moment beside the road, and the car was not put back
	Off     float64             // time with more than two wheels beside the road [s]
	Cuts    int                 // how often the way beside the road was a shortcut
	Pit     float64             // time in the pit lane [s]
}

// State is all that timing knows of a car. It is a plain value: copying it is a
// snapshot, and the zero value knows nothing yet. Times of 0 are not known.
type State struct {
	Station float64 // of the front axle [m]; it runs on before and behind an open line
	Lateral float64 // of the front axle to the left of the line [m]
	Far     float64 // of the front axle from the start line, in this lap [m]

	Running bool // a lap is being driven; else the start line has to be passed
	Lap     Lap  // the one that is driven, if Running
	Sector  int  // the one that is driven, from 0

	Count       int                 // laps that were driven to their end, valid or not
	Last, Best  Lap                 // the latest of them, the fastest valid one
	BestSectors [MaxSectors]float64 // the shortest times, in laps that were valid so far [s]

	OffTrack bool    // more than two wheels are beyond the road's edges and its kerbs
	WrongWay bool    // the car has been moving against the line for a while
	InPit    bool    // the front axle is in the pit lane
	PitTime  float64 // in the pit lane, of this visit or the last [s]

	seen         bool
	pos          r3.Vec  // the front axle a tick ago
	now          float64 // when that was [s]
	begun, split float64 // when the lap and its sector began [s]
	against      float64 // how long it has been going the wrong way [s]
	gain         float64 // way saved while beside the road [m]
	cut          bool    // that was counted
	noted        int     // samples in trace
	trace, best  trace   // of this lap and the best
}

// Void makes the lap that is being driven invalid: somebody put the car back.
func (s *State) Void() { s.Lap.Valid = false }

// stride is what the front axle did within a tick.
type stride struct {
	from, to    float64 // from the start line [m]
	start, end  r3.Vec
	since, took float64 // [s]
	leap        bool    // no car moves so fast: it was put there
}

// Step looks at a car in a tick, whose length is dt [s], after the car was moved.
//
// Times are those at which the front axle passes vertical planes across the line. Within
// a tick it moves evenly: with an acceleration a at a speed v they are wrong by a·dt²/(8·v)
// at most, which is 0.1 µs at 10 m/s, 10 m/s² and 1 ms.
//
// A lap counts if all its sectors were passed in their order. Whoever goes back behind the
// start line gives up the lap.
func (t *Timing) Step(s *State, at *Place, tick uint64, dt float64) {
	now := float64(tick) * dt
	if !at.finite() || now-now != 0 {
		s.Void()
		return
	}
	if !s.seen {
		s.Station, s.Lateral = t.locate(at.Front, math.NaN())
		s.Far = t.past(s.Station)
		s.pos, s.now, s.seen = at.Front, now, true
	}
	if now < s.now { // another drive has begun
		s.Void()
		s.Running, s.now = false, now
	}
	if now == s.now {
		return // no time has passed
	}
	w := t.stride(s, at.Front, now)
	t.advance(s, &w)
	t.judge(s, at, &w)
	s.pos, s.now = at.Front, now
}

func (at *Place) finite() bool {
	sum := at.Front.X + at.Front.Y + at.Front.Z
	for _, w := range at.Wheels {
		sum += w.X + w.Y + w.Z
	}
	return sum-sum == 0
}

// locate returns the station of a place and how far it is to the left [m]. A car that is far
// beside the road may come back to it anywhere, so it is looked for on the whole line.
func (t *Timing) locate(pos r3.Vec, hint float64) (float64, float64) {
	const lost, nearer = 30.0, 1.0 // [m]
	station, p, lateral := t.line.Foot(pos, hint)
	if lateral > p.Left+lost || lateral < -p.Right-lost {
		if other, beside := t.line.Nearest(pos, math.NaN()); math.Abs(beside) < math.Abs(lateral)-nearer {
			station, lateral = other, beside
		}
	}
	if t.line.Closed() {
		return t.line.Wrap(station), lateral
	}
	if station <= 0 || station >= t.line.Length() {
		p = t.line.At(station)
		ahead, _ := p.Local(pos)
		station += ahead
	}
	return station, lateral
}

// stride moves s to where the front axle is now.
func (t *Timing) stride(s *State, front r3.Vec, now float64) stride {
	const fastest, slack = 300.0, 0.2 // [m/s], [m]
	w := stride{from: s.Far, start: s.pos, end: front, since: s.now, took: now - s.now}
	w.leap = w.moved() > fastest*w.took+slack
	before := s.Station
	s.Station, s.Lateral = t.locate(front, before)
	by := s.Station - before
	if t.line.Closed() {
		by = math.Remainder(by, t.length)
	}
	s.Far += by
	w.to = s.Far
	return w
}

func (w *stride) moved() float64 { return r3.Norm(r3.Sub(w.end, w.start)) }

// passes tells whether the front axle came to a place [m from the start line], or beyond it.
func (w *stride) passes(far float64) bool { return !w.leap && w.from < far && w.to >= far }

// when returns the time at which the front axle passed a gate that is so far from the
// start line [s].
func (w *stride) when(gate *road.Point, far float64) float64 {
	share := (far - w.from) / (w.to - w.from)
	before, _ := gate.Local(w.start)
	after, _ := gate.Local(w.end)
	if before <= 0 && after > before && after >= 0 {
		share = -before / (after - before)
	}
	return w.since + w.took*share
}

// advance takes the times of what was passed in this tick.
func (t *Timing) advance(s *State, w *stride) {
	if w.leap {
		s.Void()
	}
	if !s.Running {
		t.await(s, w)
	}
	if !s.Running {
		return
	}
	t.note(s, w)
	for s.Sector < t.sectors-1 && w.passes(t.ends[s.Sector]) {
		t.endSector(s, w)
	}
	switch {
	case w.passes(t.length):
		t.finish(s, w)
	case s.Far < 0 || s.Far >= t.length: // back behind the line, or put there
		s.Running = false
		t.rewind(s)
	}
	s.Lap.Time = w.since + w.took - s.begun
}

// await begins the first lap when the start line is passed.
func (t *Timing) await(s *State, w *stride) {
	line := 0.0
	if t.line.Closed() {
		line = t.length
	}
	if w.passes(line) {
		w.shift(s, -line)
		s.begin(w.when(&t.gates[0], 0))
		return
	}
	t.rewind(s)
}

// rewind keeps the way from a closed line's start line within a lap.
func (t *Timing) rewind(s *State) {
	if t.line.Closed() {
		s.Far = t.past(s.Station)
	}
}

// shift counts the way from another start line.
func (w *stride) shift(s *State, by float64) {
	w.from += by
	w.to += by
	s.Far += by
}

func (s *State) begin(at float64) {
	s.Running, s.Sector, s.begun, s.split = true, 0, at, at
	s.Lap = Lap{Number: s.Count + 1, Valid: true}
	s.trace[0], s.noted = 0, 1
}

func (t *Timing) endSector(s *State, w *stride) {
	i := s.Sector
	at := w.when(&t.gates[i+1], t.ends[i])
	s.Lap.Sectors[i] = at - s.split
	if best := &s.BestSectors[i]; s.Lap.Valid && (*best == 0 || s.Lap.Sectors[i] < *best) {
		*best = s.Lap.Sectors[i]
	}
	s.split, s.Sector = at, i+1
}

// finish ends a lap, and on a closed line begins the next.
func (t *Timing) finish(s *State, w *stride) {
	at := w.when(&t.gates[t.sectors], t.length)
	if s.Sector == t.sectors-1 {
		t.endSector(s, w)
		s.Lap.Time = at - s.begun
		s.trace[t.samples] = s.Lap.Time
		s.Last = s.Lap
		s.Count++
		if s.Lap.Valid && (s.Best.Time == 0 || s.Lap.Time < s.Best.Time) {
			s.Best, s.best = s.Lap, s.trace
		}
	}
	s.Running = t.line.Closed()
	if s.Running {
		w.shift(s, -t.length)
		s.begin(at)
		t.note(s, w)
	}
}
