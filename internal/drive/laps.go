package drive

import (
	"math"

	"rig.example/rig/internal/frame"
)

// lap looks at the car after it was moved.
func (d *Drive) lap() {
	s := &d.State
	l := &s.Laps
	place, count := s.Car.Place(), l.Clock.Count
	d.timing.Step(&l.Clock, &place, s.Car.Tick, d.Setup.Dt)
	if l.Clock.Count > count {
		l.Done[count%KeptLaps] = l.Clock.Last
	}
	s.Station = l.Clock.Station
}

// Sectors is how many sectors a lap has.
func (d *Drive) Sectors() int { return d.timing.Sectors() }

// showLaps puts the clock into a frame.
func (d *Drive) showLaps(f *frame.Frame) {
	s := &d.State.Laps.Clock
	f.Lap = frame.Lap{
		Count: uint64(s.Count), Last: s.Last.Time, Best: s.Best.Time, Delta: math.NaN(), Sectors: uint64(d.timing.Sectors()),
		LastSplits: s.Last.Sectors, BestSectors: s.BestSectors, PitTime: s.PitTime,
	}
	if s.Running {
		f.Lap.Number, f.Lap.Time = uint64(s.Lap.Number), s.Lap.Time
		f.Lap.Sector, f.Lap.Splits = uint64(s.Sector), s.Lap.Sectors
	}
	if delta, ok := d.timing.Delta(s); ok {
		f.Lap.Delta = delta
	}
}

// flags shows what the clock says of the car.
func (l *Laps) flags() uint64 {
	s := &l.Clock
	return flagged(
		flag{s.OffTrack, frame.OffTrack},
		flag{s.WrongWay, frame.WrongWay},
		flag{s.InPit, frame.InPit},
		flag{s.Running && !s.Lap.Valid, frame.LapInvalid},
		flag{s.Count > 0 && !s.Last.Valid, frame.LastInvalid},
	)
}
