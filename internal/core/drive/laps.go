package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/road/lap"
)

// stepLap steps the lap timing after the car has moved.
func (d *Drive) stepLap() {
	s := &d.State
	l := &s.Laps
	place, count := s.Car.Place(), l.Clock.Count
	d.timing.Step(&l.Clock, &place, s.Car.Tick, d.Setup.Dt)
	if l.Clock.Count > count {
		l.Done[count%StoredLaps] = l.Clock.Last
		s.waitTime = 0
	}
	s.Station = l.Clock.Station
}

// lapsDriven reports whether all laps of a drive with a limit have been driven.
func (d *Drive) lapsDriven() bool {
	return d.Setup.LapLimit > 0 && d.State.Laps.Clock.Count >= d.Setup.LapLimit
}

// Timing returns what measures laps and sectors.
func (d *Drive) Timing() *lap.Timing { return d.timing }

// Sectors returns the number of sectors in a lap.
func (d *Drive) Sectors() int { return d.timing.Sectors() }

// showLaps copies the lap times into a frame.
func (d *Drive) showLaps(f *frame.Frame) {
	s := &d.State.Laps.Clock
	f.Lap = frame.Lap{
		Count: uint64(s.Count), Last: s.Last.Time, Best: s.Best.Time, Delta: math.NaN(), Sectors: uint64(d.timing.Sectors()),
		LastSplits: s.Last.Sectors, BestSectors: s.BestSectors, PitTime: s.PitTime, Distance: s.Distance,
	}
	if s.Running {
		f.Lap.Number, f.Lap.Time = uint64(s.Lap.Number), s.Lap.Time
		f.Lap.Sector, f.Lap.Splits = uint64(s.Sector), s.Lap.Sectors
	}
	if delta, ok := d.timing.Delta(s); ok {
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
