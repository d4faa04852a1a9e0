package lap

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

func TestWrongWayIsSeenAndClears(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{200, 400}, road.PitLane{})
	s := &State{}
	s.drive(timing, 0.9, func(since float64) Position { return onRing(100-10*since, 0) })
	if s.WrongWay {
		t.Error("after 0.9 s")
	}
	s.drive(timing, 100, func(since float64) Position { return onRing(91-20*since, 0) })
	if !s.WrongWay || s.Count != 0 || s.Running {
		t.Errorf("after three laps backward: wrong way %v, %d laps, running %v", s.WrongWay, s.Count, s.Running)
	}
	from := 91.0 - 2000
	s.drive(timing, 0.1, func(since float64) Position { return onRing(from+20*since, 0) })
	if s.WrongWay {
		t.Error("after turning round")
	}
	s.drive(timing, 2*ringLength/20, func(since float64) Position { return onRing(from+2+20*since, 0) })
	if s.Count != 1 || !s.Last.Valid {
		t.Errorf("then two turns: %d laps", s.Count)
	}
}

func TestThreeWheelsBesideTheRoadVoidALap(t *testing.T) {
	for _, tt := range []struct {
		name string
		left [4]float64 // of the wheels
		off  bool
	}{
		{"on the road", [4]float64{0, -1.5, 0, -1.5}, false},
		{"two beyond the right edge", [4]float64{-4, -5.1, -4, -5.1}, false},
		{"three beyond it", [4]float64{-4, -5.1, -5.1, -5.1}, true},
		{"all on the kerb", [4]float64{5.9, 5.5, 5.9, 5.5}, false},
		{"three beyond the kerb", [4]float64{6.1, 5.5, 6.1, 6.1}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
			s := &State{}
			s.drive(timing, 40, func(since float64) Position {
				at := 20*since - 1
				p := onRing(at, 0)
				if since > 10 && since < 12.5 {
					for i, left := range tt.left {
						p.Wheels[i] = onRing(at-float64(i/2)*2.6, left).Front
					}
				}
				return p
			})
			off := 0.0
			if tt.off {
				off = 2.5
			}
			if s.Count != 1 || s.Last.Valid == tt.off || math.Abs(s.Last.OffTrackTime-off) > 0.0021 || s.Last.Cuts != 0 {
				t.Errorf("%d laps, the last %+v, want %g s beside the road", s.Count, s.Last, off)
			}
			if (s.Best.Time == 0) != tt.off {
				t.Errorf("best lap %+v", s.Best)
			}
			if s.OffTrack || !s.Lap.Valid {
				t.Error("the next lap is void as well")
			}
		})
	}
}

func TestShortcutIsCounted(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{150, 400}, road.PitLane{})
	s := &State{}
	s.drive(timing, 10, func(since float64) Position { return onRing(20*since-100, 0) })
	from, to := onRing(100, 0).Front, onRing(100+ringLength/2, 0).Front
	s.drive(timing, 10, func(since float64) Position {
		return placed(r3.Add(from, r3.Scale(since/10, r3.Sub(to, from))))
	})
	s.drive(timing, 15, func(since float64) Position { return onRing(100+ringLength/2+20*since, 0) })
	if s.Count != 1 || s.Last.Valid || s.Last.Cuts != 1 || s.Last.OffTrackTime < 8 {
		t.Errorf("%d laps, the last %+v", s.Count, s.Last)
	}
}

func TestExcursionOutsideIsNoCut(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
	s := &State{}
	s.drive(timing, 40, func(since float64) Position { return onRing(20*since-1, -20*math.Sin(since/10)) })
	if s.Count != 1 || s.Last.Cuts != 0 || s.Last.Valid {
		t.Errorf("%d laps, the last %+v", s.Count, s.Last)
	}
}

func TestCarThatIsPutBackHasNoValidLap(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{200, 400}, road.PitLane{})
	for _, tt := range []struct {
		name  string
		to    float64 // where it is put, from 100 m
		count int     // laps after driving 600 m from there
	}{
		{"on the spot", 100, 1}, {"within the sector", 150, 1}, {"back", 20, 0},
		{"over a sector", 300, 0}, {"behind the line", 600, 0}, {"before the line", ringLength - 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &State{}
			s.drive(timing, 6, func(since float64) Position { return onRing(20*since-20, 0) })
			s.Invalidate()
			s.drive(timing, 30, func(since float64) Position { return onRing(tt.to+20*since, 0) })
			if s.Count != tt.count || s.Best.Time != 0 || s.Count > 0 && s.Last.Valid {
				t.Errorf("%d laps, the last %+v", s.Count, s.Last)
			}
		})
	}
}

func TestLeapVoidsByItself(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
	s := &State{}
	s.drive(timing, 6, func(since float64) Position { return onRing(20*since-20, 0) })
	s.drive(timing, 30, func(since float64) Position { return onRing(150+20*since, 0) })
	if s.Count != 1 || s.Last.Valid {
		t.Errorf("%d laps, the last %+v", s.Count, s.Last)
	}
}

func TestClockThatIsPutBackGivesUpTheLap(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{200}, road.PitLane{})
	s := &State{}
	s.drive(timing, 50, func(since float64) Position { return onRing(20*since-20, 0) })
	count, best := s.Count, s.Best.Time
	p := onRing(10, 0)
	timing.Step(s, &p, 1, tick)
	if s.Running || s.Count != count || s.Best.Time != best {
		t.Errorf("running %v, %d laps of %d, best %g s", s.Running, s.Count, count, s.Best.Time)
	}
	s.drive(timing, 64, func(since float64) Position { return onRing(10+20*since, 0) })
	if s.Count != count+1 || !s.Last.Valid || math.Abs(s.Last.Time-ringLength/20) > 1e-6 {
		t.Errorf("%d laps, the last %+v", s.Count, s.Last)
	}
}

func TestNaNPositionsVoidTheLap(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		s := &State{}
		s.drive(timing, 6, func(since float64) Position { return onRing(20*since-20, 0) })
		station := s.Station
		wrong := onRing(100, 0)
		wrong.Wheels[2].Y = bad
		for i := range uint64(10) {
			timing.Step(s, &wrong, 6000+i, tick)
			wrong.Front.X = bad
		}
		timing.Step(s, &wrong, 7000, bad)
		if sum := s.Station + s.Lateral + s.Distance + s.Lap.Time + s.Lap.OffTrackTime + s.savedDistance; sum-sum != 0 || s.Lap.Valid {
			t.Fatalf("%g: %+v", bad, s.Lap)
		}
		if bad != math.MaxFloat64 && s.Station != station {
			t.Errorf("%g: at %g m, was at %g m", bad, s.Station, station)
		}
		s.drive(timing, 70, func(since float64) Position { return onRing(100+20*since, 0) })
		if s.Count < 1 || !s.Last.Valid || math.Abs(s.Last.Time-ringLength/20) > 1e-6 {
			t.Errorf("%g: %d laps, the last %+v", bad, s.Count, s.Last)
		}
	}
}

func TestTimeInThePitLane(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{From: 500, To: 100, Right: -11, Left: -5, Limit: 20})
	s := &State{}
	lane := func(at float64) float64 { // over into the lane from 500 m to 520 m, back from 80 m to 100 m
		at = math.Mod(at+ringLength, ringLength)
		if at < 300 {
			at += ringLength
		}
		return -8 * min(max((at-500)/20, 0), max((100+ringLength-at)/20, 0), 1)
	}
	s.drive(timing, 40, func(since float64) Position { at := 20*since - 1; return onRing(at, lane(at)) })
	if s.Count != 1 || !s.Last.Valid || s.Last.OffTrackTime != 0 {
		t.Errorf("%d laps, the last %+v", s.Count, s.Last)
	}
	const want = (87.5 + ringLength - 512.5) / 20 // it is beyond the edge, 5 m, from 512.5 m to 87.5 m
	if math.Abs(s.Last.PitTime-want) > 0.0021 {
		t.Errorf("%.4f s in the pit lane, want %.4f s", s.Last.PitTime, want)
	}
	if s.InPit || math.Abs(s.PitTime-want) > 0.0021 {
		t.Errorf("in the lane %v, visit of %.4f s, want %.4f s", s.InPit, s.PitTime, want)
	}
}

// Where a car is so far from the edges that its wheels are not looked at, none is outside, and a car at the edge is looked
// at.
func TestWheelsOfACarWellInsideNeedNoLook(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
	all := *timing
	all.clear = nil
	spared, out := 0, 0
	for station := 0.5; station < ringLength; station += 2.3 {
		for left := -9.0; left < 9; left += 0.37 {
			at := onRing(station, left)
			for i := range at.Wheels {
				angle := station + float64(i)*math.Pi/2
				at.Wheels[i] = r3.Add(at.Front, r3.Vec{X: 2.5 * math.Cos(angle), Y: 2.5 * math.Sin(angle)})
			}
			s := &State{Station: station, Lateral: left}
			want := all.wheelsOut(s, &at)
			if got := timing.wheelsOut(s, &at); got != want {
				t.Fatalf("%.1f m, %.2f m to the left: %d wheels outside, want %d", station, left, got, want)
			}
			if timing.allInside(s, &at) {
				spared++
			}
			out += want
		}
	}
	if spared < 1000 || out < 1000 {
		t.Errorf("%d cars well inside, %d wheels outside", spared, out)
	}
}
