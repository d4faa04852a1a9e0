package lap

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// judge looks whether the car is where it may be, and goes the right way.
func (t *Timing) judge(s *State, at *Place, w *stride) {
	t.turnBack(s, w)
	s.OffTrack = t.out(s, at) > 2
	if s.OffTrack {
		s.Void()
		s.Lap.Off += w.took
	}
	t.shortcut(s, w)
	was := s.InPit
	s.InPit = t.pit.In(s.Station, s.Lateral, t.lap)
	if s.InPit && !was {
		s.PitTime = 0
	}
	if s.InPit {
		s.PitTime += w.took
		s.Lap.Pit += w.took
	}
}

// turnBack finds whether the car goes against the line, for longer than it takes to roll
// back a little.
func (t *Timing) turnBack(s *State, w *stride) {
	const slow, patience = 1.0, 1.0 // [m/s], [s]
	if w.leap || w.to-w.from > -slow*w.took {
		s.against = 0
	} else {
		s.against += w.took
	}
	s.WrongWay = s.against > patience
}

// out counts the wheels that are neither on the road, nor on its kerbs, nor in the pit lane.
func (t *Timing) out(s *State, at *Place) (wheels int) {
	if !t.line.Closed() && (s.Station < 0 || s.Station > t.line.Length()) {
		return 0 // before or behind the road
	}
	here := t.line.At(s.Station)
	for i := range at.Wheels {
		p, station, lateral := t.beside(&here, s.Station, at.Wheels[i])
		left, right := p.Left+p.KerbLeft, p.Right+p.KerbRight
		beyond := left+right > 0 && (lateral > left || lateral < -right) // a line without widths has no edges
		if beyond && !t.pit.In(station, lateral, t.lap) {
			wheels++
		}
	}
	return wheels
}

// beside finds where on the line a place near p is. One step of Newton's does: it is left
// a few millimetres along the line, and that square over the bend's radius across it.
func (t *Timing) beside(p *road.Point, station float64, pos r3.Vec) (q road.Point, s, lateral float64) {
	ahead, left := p.Local(pos)
	s = station + ahead/max(1-p.Curvature*left, 0.2)
	q = t.line.At(s)
	_, lateral = q.Local(pos)
	return q, s, lateral
}

// shortcut counts excursions that saved way against the shortest line that stays on the
// road, the one along the inner edge.
func (t *Timing) shortcut(s *State, w *stride) {
	const least = 2.0 // [m]
	if !s.OffTrack || w.leap {
		s.gain, s.cut = 0, false
		return
	}
	p := t.line.At(s.Station)
	inner := p.Left + p.KerbLeft
	if p.Curvature < 0 {
		inner = p.Right + p.KerbRight
	}
	s.gain += (w.to-w.from)*max(1-math.Abs(p.Curvature)*inner, 0) - w.moved()
	if s.gain > least && !s.cut {
		s.cut = true
		s.Lap.Cuts++
	}
}
