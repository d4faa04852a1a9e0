// Package lap measures lap times and checks laps: sectors, best times, track limits and the pit lane.
//
// It takes a line with its start line, sectors and pit lane (NewTiming), and the position of the car in
// every tick (Position). It updates a State, a plain value of which a copy is a snapshot. It moves no car,
// reads no clock but the tick's number, and allocates nothing.
package lap

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// Position is the position of a car in a tick.
type Position struct {
	Front  r3.Vec    // middle of the front axle [m, world]; times are taken when it crosses a line
	Wheels [4]r3.Vec // hubs [m, world]
}

// Lap is one lap, or the part of it driven up to now.
type Lap struct {
	Number       int                 // from 1; 0 before the start line was crossed
	Time         float64             // [s]
	Sectors      [MaxSectors]float64 // times of the completed sectors [s], 0 for others
	Valid        bool                // the car was never off the track and never moved by hand
	OffTrackTime float64             // time with more than two wheels off the track [s]
	Cuts         int                 // number of shortcuts: excursions off the track that saved distance
	PitTime      float64             // time in the pit lane [s]
}

// State is the state of the timing of one car. It is a plain value: a copy of it is a snapshot. The zero
// value is the start of a drive. Times of 0 are unknown.
type State struct {
	Station  float64 // of the front axle [m]; on an open line it continues before the start and after the end
	Lateral  float64 // distance of the front axle to the left of the line [m]
	Distance float64 // distance of the front axle from the start line, in this lap [m]

	Running bool // a lap is being driven; otherwise the start line must be crossed first
	Lap     Lap  // the current lap, if Running
	Sector  int  // index of the current sector, from 0

	Count       int                 // completed laps, valid or not
	Last, Best  Lap                 // latest completed lap, fastest valid lap
	BestSectors [MaxSectors]float64 // shortest times, in laps that were valid until then [s]

	OffTrack bool    // more than two wheels are outside the road's edges and kerbs
	WrongWay bool    // the car has been moving against the line for a while
	InPit    bool    // the front axle is in the pit lane
	PitTime  float64 // time in the pit lane, of the current visit or the last one [s]

	located               bool      // Station and Lateral are set
	lastPos               r3.Vec    // position of the front axle in the previous tick [m, world]
	lastTime              float64   // time of the previous tick [s]
	lapStart, sectorStart float64   // times at which the lap and its current sector began [s]
	wrongWayDuration      float64   // duration of driving against the line [s]
	savedDistance         float64   // distance that the current excursion off the track has saved [m]
	cutCounted            bool      // the current excursion has been counted in Cuts
	sampleCount           int       // number of samples in trace
	trace, bestTrace      timeTrace // of the current lap and of the best lap
}

// Invalidate makes the current lap invalid, for example because the car was moved by hand.
func (s *State) Invalidate() { s.Lap.Valid = false }

// movement is the motion of the front axle within a tick.
type movement struct {
	from, to         float64 // distances from the start line at the start and at the end of the tick [m]
	startPos, endPos r3.Vec  // positions at the start and at the end of the tick [m, world]
	startTime, dt    float64 // time at the start of the tick, and its duration [s]
	teleported       bool    // the motion is too fast for a car: it was moved by hand
}

// Step updates s with the position of a car in a tick of length dt [s]. It is called after the simulation
// has moved the car in this tick.
//
// Times are those at which the front axle crosses vertical planes across the line. Its speed counts as
// constant within a tick: with an acceleration a at a speed v the error is at most a·dt²/(8·v), which is
// 0.1 µs at 10 m/s, 10 m/s² and 1 ms.
//
// A lap counts if all its sectors were passed in order. A lap ends without a time if the car goes back
// across the start line.
func (t *Timing) Step(s *State, at *Position, tick uint64, dt float64) {
	now := float64(tick) * dt
	if !at.isFinite() || !valid.Finite(now) {
		s.Invalidate()
		return
	}
	if !s.located {
		s.Station, s.Lateral = t.locate(at.Front, math.NaN())
		s.Distance = t.distanceFromStart(s.Station)
		s.lastPos, s.lastTime, s.located = at.Front, now, true
	}
	if now < s.lastTime { // another drive has begun
		s.Invalidate()
		s.Running, s.lastTime = false, now
	}
	if now == s.lastTime {
		return // no time has passed
	}
	w := t.updatePosition(s, at.Front, now)
	t.takeTimes(s, &w)
	t.checkRules(s, at, &w)
	s.lastPos, s.lastTime = at.Front, now
}

// isFinite reports whether no coordinate is NaN or Inf.
func (at *Position) isFinite() bool {
	sum := at.Front.X + at.Front.Y + at.Front.Z
	for _, w := range at.Wheels {
		sum += w.X + w.Y + w.Z
	}
	return valid.Finite(sum)
}

// locate returns the station of a position and its distance to the left of the line [m]. The search starts
// at the station hint. A car far off the road may come back anywhere, so for it the whole line is searched.
func (t *Timing) locate(pos r3.Vec, hint float64) (float64, float64) {
	const maxBeside, minGain = 30.0, 1.0 // [m]
	var foot road.Foot
	t.line.Project(&foot, pos, hint)
	station, lateral := foot.Station, foot.Lateral
	if lateral > foot.Left+maxBeside || lateral < -foot.Right-maxBeside {
		if other, beside := t.line.Nearest(pos, math.NaN()); math.Abs(beside) < math.Abs(lateral)-minGain {
			station, lateral = other, beside
		}
	}
	if t.line.Closed() {
		return t.line.Wrap(station), lateral
	}
	if station <= 0 || station >= t.line.Length() {
		p := t.line.At(station)
		ahead, _ := p.Local(pos)
		station += ahead
	}
	return station, lateral
}

// updatePosition updates the position in s and returns the movement of this tick.
func (t *Timing) updatePosition(s *State, front r3.Vec, now float64) movement {
	const maxSpeed, slack = 300.0, 0.2 // [m/s], [m]
	w := movement{from: s.Distance, startPos: s.lastPos, endPos: front, startTime: s.lastTime, dt: now - s.lastTime}
	w.teleported = w.distance() > maxSpeed*w.dt+slack
	before := s.Station
	s.Station, s.Lateral = t.locate(front, before)
	change := s.Station - before
	if t.line.Closed() {
		change = math.Remainder(change, t.length)
	}
	s.Distance += change
	w.to = s.Distance
	return w
}

// distance returns the length of the movement in a straight line [m].
func (w *movement) distance() float64 { return r3.Norm(r3.Sub(w.endPos, w.startPos)) }

// passes reports whether the front axle reached or passed a distance from the start line [m].
func (w *movement) passes(distance float64) bool {
	return !w.teleported && w.from < distance && w.to >= distance
}

// timeOf returns the time at which the front axle passed a gate [s], which is at a distance from the start
// line [m].
func (w *movement) timeOf(gate *road.Point, distance float64) float64 {
	fraction := (distance - w.from) / (w.to - w.from)
	aheadStart, _ := gate.Local(w.startPos)
	aheadEnd, _ := gate.Local(w.endPos)
	if aheadStart <= 0 && aheadEnd > aheadStart && aheadEnd >= 0 {
		fraction = -aheadStart / (aheadEnd - aheadStart)
	}
	return w.startTime + w.dt*fraction
}

// takeTimes updates lap and sectors with the gates that were passed in this tick.
func (t *Timing) takeTimes(s *State, w *movement) {
	if w.teleported {
		s.Invalidate()
	}
	if !s.Running {
		t.awaitStart(s, w)
	}
	if !s.Running {
		return
	}
	t.sampleTrace(s, w)
	for s.Sector < t.sectors-1 && w.passes(t.ends[s.Sector]) {
		t.endSector(s, w)
	}
	switch {
	case w.passes(t.length):
		t.finishLap(s, w)
	case s.Distance < 0 || s.Distance >= t.length: // the car went back across the start line, or was placed elsewhere
		s.Running = false
		t.wrapDistance(s)
	}
	s.Lap.Time = w.startTime + w.dt - s.lapStart
}

// awaitStart begins the first lap if the start line was crossed in this tick.
func (t *Timing) awaitStart(s *State, w *movement) {
	startDistance := 0.0
	if t.line.Closed() {
		startDistance = t.length
	}
	if w.passes(startDistance) {
		w.shift(s, -startDistance)
		s.beginLap(w.timeOf(&t.gates[0], 0))
		return
	}
	t.wrapDistance(s)
}

// wrapDistance keeps the distance from a closed line's start line within a lap.
func (t *Timing) wrapDistance(s *State) {
	if t.line.Closed() {
		s.Distance = t.distanceFromStart(s.Station)
	}
}

// shift adds an offset [m] to all distances from the start line, when a lap begins.
func (w *movement) shift(s *State, offset float64) {
	w.from += offset
	w.to += offset
	s.Distance += offset
}

// beginLap begins a lap at a time [s].
func (s *State) beginLap(at float64) {
	s.Running, s.Sector, s.lapStart, s.sectorStart = true, 0, at, at
	s.Lap = Lap{Number: s.Count + 1, Valid: true}
	s.trace[0], s.sampleCount = 0, 1
}

// endSector completes the current sector and sets its time.
func (t *Timing) endSector(s *State, w *movement) {
	i := s.Sector
	at := w.timeOf(&t.gates[i+1], t.ends[i])
	s.Lap.Sectors[i] = at - s.sectorStart
	if best := &s.BestSectors[i]; s.Lap.Valid && (*best == 0 || s.Lap.Sectors[i] < *best) {
		*best = s.Lap.Sectors[i]
	}
	s.sectorStart, s.Sector = at, i+1
}

// finishLap completes a lap, and on a closed line begins the next.
func (t *Timing) finishLap(s *State, w *movement) {
	at := w.timeOf(&t.gates[t.sectors], t.length)
	if s.Sector == t.sectors-1 {
		t.endSector(s, w)
		s.Lap.Time = at - s.lapStart
		s.trace[t.samples] = s.Lap.Time
		s.Last = s.Lap
		s.Count++
		if s.Lap.Valid && (s.Best.Time == 0 || s.Lap.Time < s.Best.Time) {
			s.Best, s.bestTrace = s.Lap, s.trace
		}
	}
	s.Running = t.line.Closed()
	if s.Running {
		w.shift(s, -t.length)
		s.beginLap(at)
		t.sampleTrace(s, w)
	}
}
