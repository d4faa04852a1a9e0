package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
)

// Laps holds the lap timing and the latest finished laps.
type Laps struct {
	Clock lap.State
	Done  [StoredLaps]lap.Lap // finished laps; lap n is stored at (n-1) % StoredLaps
}

// StoredLaps is the number of finished laps that are stored.
const StoredLaps = 50

// stepLap steps the lap timing after the car has moved. It reports whether a lap ended.
func (t *Trip) stepLap(timing *lap.Timing, car *sim.State, dt float64) bool {
	l := &t.Laps
	place, count := car.Place(), l.Clock.Count
	timing.Step(&l.Clock, &place, car.Tick, dt)
	ended := l.Clock.Count > count
	if ended {
		l.Done[count%StoredLaps] = l.Clock.Last
	}
	t.Station = l.Clock.Station
	return ended
}

// Timing returns what measures laps and sectors.
func (d *Drive) Timing() *lap.Timing { return d.timing }

// show copies the lap times into a frame.
func (l *Laps) show(f *frame.Frame, timing *lap.Timing) {
	s := &l.Clock
	f.Lap = frame.Lap{
		Count: uint64(s.Count), Last: s.Last.Time, Best: s.Best.Time, Delta: math.NaN(), Sectors: uint64(timing.Sectors()),
		LastSplits: s.Last.Sectors, BestSectors: s.BestSectors, PitTime: s.PitTime, Distance: s.Distance,
	}
	if s.Running {
		f.Lap.Number, f.Lap.Time = uint64(s.Lap.Number), s.Lap.Time
		f.Lap.Sector, f.Lap.Splits = uint64(s.Sector), s.Lap.Sectors
	}
	if delta, ok := timing.Delta(s); ok {
		f.Lap.Delta = delta
	}
}

// flags returns the flags of the lap timing.
func (l *Laps) flags() uint64 {
	s := &l.Clock
	return flagBits(
		flag{s.OffTrack, frame.OffTrack},
		flag{s.WrongWay, frame.WrongWay},
		flag{s.InPit, frame.InPit},
		flag{s.Running && !s.Lap.Valid, frame.LapInvalid},
		flag{s.Count > 0 && !s.Last.Valid, frame.LastLapInvalid},
	)
}
