package lap

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// checkRules checks the driving direction, the track limits and the pit lane.
func (t *Timing) checkRules(s *State, at *Position, w *movement) {
	t.detectWrongWay(s, w)
	s.OffTrack = t.wheelsOut(s, at) > 2
	if s.OffTrack {
		s.Invalidate()
		s.Lap.OffTrackTime += w.dt
	}
	t.detectCut(s, w)
	wasInPit := s.InPit
	s.InPit = t.pit.Contains(s.Station, s.Lateral, t.lapLength)
	if s.InPit && !wasInPit {
		s.PitTime = 0
	}
	if s.InPit {
		s.PitTime += w.dt
		s.Lap.PitTime += w.dt
	}
}

// detectWrongWay sets s.WrongWay if the car has driven against the line for a second. A car that only rolls
// back a little is not reported.
func (t *Timing) detectWrongWay(s *State, w *movement) {
	const minSpeed, minTime = 1.0, 1.0 // [m/s], [s]
	if w.teleported || w.to-w.from > -minSpeed*w.dt {
		s.wrongWayDuration = 0
	} else {
		s.wrongWayDuration += w.dt
	}
	s.WrongWay = s.wrongWayDuration > minTime
}

// wheelsOut counts the wheels that are neither on the road, nor on its kerbs, nor in the pit lane.
func (t *Timing) wheelsOut(s *State, at *Position) (wheels int) {
	if !t.line.Closed() && (s.Station < 0 || s.Station > t.line.Length()) {
		return 0 // the car is before the start or after the end of the road
	}
	if t.allInside(s, at) {
		return 0
	}
	here := t.line.At(s.Station)
	for i := range at.Wheels {
		p, station, lateral := t.projectWheel(&here, s.Station, at.Wheels[i])
		leftEdge, rightEdge := p.Left+p.KerbLeft, p.Right+p.KerbRight
		hasEdges := leftEdge+rightEdge > 0 // a line may have no widths
		outside := hasEdges && (lateral > leftEdge || lateral < -rightEdge)
		if outside && !t.pit.Contains(station, lateral, t.lapLength) {
			wheels++
		}
	}
	return wheels
}

// clearStep is the length of the stretches of Timing.clear, and clearReach how far around a stretch its value holds at
// least [m].
const clearStep, clearReach = 8.0, 16.0

// setClearWidths sets t.clear: for each stretch of clearStep metres, how far the road with its kerbs reaches at least to
// both sides of the line, there and within clearReach.
func (t *Timing) setClearWidths() {
	n := int(math.Ceil(t.line.Length() / clearStep))
	own := make([]float64, n) // of each stretch alone
	for i := range own {
		own[i] = math.Inf(1)
	}
	points := t.line.Points()
	for i := range points {
		p, k := &points[i], min(int(float64(i)*t.line.Step()/clearStep), n-1)
		own[k] = min(own[k], p.Left+p.KerbLeft, p.Right+p.KerbRight)
	}
	const beside = 1 + int(clearReach/clearStep) // one more, because the last stretch may be short
	t.clear = make([]float64, n)
	for i := range t.clear {
		t.clear[i] = math.Inf(1)
		for k := i - beside; k <= i+beside; k++ {
			t.clear[i] = min(t.clear[i], own[(k+n*beside)%n])
		}
	}
}

// allInside reports whether the car is so far from the edges that none of its wheels can be outside, however it stands.
func (t *Timing) allInside(s *State, at *Position) bool {
	const margin = 0.2 // edges may come nearer between two points of the line [m]
	farthest := 0.0
	for i := range at.Wheels {
		d := r3.Sub(at.Wheels[i], at.Front)
		farthest = max(farthest, r3.Dot(d, d))
	}
	i := int(s.Station * (1 / clearStep))
	if !(farthest < (clearReach/2)*(clearReach/2)) || i < 0 || i >= len(t.clear) {
		return false
	}
	return math.Abs(s.Lateral)+math.Sqrt(farthest)+margin < t.clear[i]
}

// projectWheel returns the point of the line that is nearest to pos, its station [m], and the distance of pos
// to the left of it [m]. p is a point of the line nearby, at a station [m]. One Newton step from there is
// enough: its error is a few millimetres along the line.
func (t *Timing) projectWheel(p *road.Point, station float64, pos r3.Vec) (beside road.Point, s, lateral float64) {
	ahead, left := p.Local(pos)
	s = station + ahead/max(1-p.Curvature*left, 0.2)
	beside = t.line.At(s)
	_, lateral = beside.Local(pos)
	return beside, s, lateral
}

// detectCut counts excursions off the track that save distance compared with the shortest path on the road,
// which is the one along its inner edge.
func (t *Timing) detectCut(s *State, w *movement) {
	const minSaved = 2.0 // a shortcut saves more than this [m]
	if !s.OffTrack || w.teleported {
		s.savedDistance, s.cutCounted = 0, false
		return
	}
	p := t.line.At(s.Station)
	inner := p.Left + p.KerbLeft
	if p.Curvature < 0 {
		inner = p.Right + p.KerbRight
	}
	s.savedDistance += (w.to-w.from)*max(1-math.Abs(p.Curvature)*inner, 0) - w.distance()
	if s.savedDistance > minSaved && !s.cutCounted {
		s.cutCounted = true
		s.Lap.Cuts++
	}
}
