package lap

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/level"
)

const testRadius = 100.0 // of the circle that the laps are driven on [m]

// roundabout is a circle to the left with a road of 5 m to either side and a kerb of 1 m inside.
func roundabout(t testing.TB) *road.Line {
	t.Helper()
	const n = 1200
	points := make([]road.Point, n+1)
	for i := range points {
		turn := 2 * math.Pi * float64(i) / n
		sin, cos := math.Sincos(turn)
		points[i] = road.Point{Pos: r3.Vec{X: testRadius * sin, Y: testRadius * (1 - cos)}, Heading: turn, Curvature: 1 / testRadius,
			Left: 5, Right: 5, KerbLeft: 1}
	}
	l, err := road.NewLine(points, 2*math.Pi*testRadius/n, true)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// runway is a straight of 1000 m along x without edges.
func runway(t testing.TB) *road.Line {
	t.Helper()
	points := make([]road.Point, 1001)
	for i := range points {
		points[i].Pos.X = float64(i)
	}
	l, err := road.NewLine(points, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const ringLength = 2 * math.Pi * testRadius

// onRing is a car on the circle, so far from its station 0 and to the left, all of it in one place.
func onRing(s, left float64) Position {
	sin, cos := math.Sincos(s / testRadius)
	r := testRadius - left
	return placed(r3.Vec{X: r * sin, Y: testRadius - r*cos})
}

func placed(pos r3.Vec) Position { return Position{pos, [4]r3.Vec{pos, pos, pos, pos}} }

func timed(t testing.TB, l *road.Line, start float64, sectors []float64, pit road.PitLane) *Timing {
	t.Helper()
	timing, err := NewTiming(l, start, sectors, pit)
	if err != nil {
		t.Fatal(err)
	}
	return timing
}

const tick = 1e-3 // [s]

// drive takes the car along a course, given by the time since the state's last [s].
func (s *State) drive(t *Timing, seconds float64, at func(since float64) Position) {
	first := uint64(math.Round(s.lastTime / tick))
	for i := range uint64(math.Round(seconds/tick)) + 1 {
		place := at(float64(i) * tick)
		t.Step(s, &place, first+i, tick)
	}
}

func close6(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-6) {
		t.Errorf("%s: %.9g, want %.9g", what, got, want)
	}
}

func TestLapsAtEvenSpeedAreExact(t *testing.T) {
	for _, tt := range []struct {
		name               string
		speed, left, start float64
	}{
		{"slow", 7.3, 0, 37}, {"fast", 100, 0, 37}, {"at station 0", 61.7, 0, 0}, {"inside", 30, 4.2, 37}, {"outside", 100, -4.2, 600},
	} {
		t.Run(tt.name, func(t *testing.T) {
			timing := timed(t, roundabout(t), tt.start, []float64{math.Mod(tt.start+150, ringLength), math.Mod(tt.start+420, ringLength)}, road.PitLane{})
			s := &State{}
			s.drive(timing, 3.5*ringLength/tt.speed, func(since float64) Position { return onRing(tt.start-20.0123+tt.speed*since, tt.left) })
			if s.Count != 3 || !s.Running || s.Lap.Number != 4 || !s.Last.Valid || s.Last.Number != 3 {
				t.Fatalf("%d laps, the last %+v", s.Count, s.Last)
			}
			close6(t, "lap", s.Last.Time, ringLength/tt.speed)
			for i, length := range []float64{150, 270, ringLength - 420} {
				close6(t, "sector", s.Last.Sectors[i], length/tt.speed)
			}
			first := 20.0123 / tt.speed // when the line was passed first
			close6(t, "this lap", s.Lap.Time, s.lastTime-first-3*ringLength/tt.speed)
			close6(t, "way", s.Distance, s.lastTime*tt.speed-20.0123-3*ringLength)
		})
	}
}

// From standstill 10 m before the line with 10 m/s²: s = 5·t² - 10.
func TestLapWithAccelerationIsExact(t *testing.T) {
	timing := timed(t, roundabout(t), 40, []float64{240}, road.PitLane{})
	s := &State{}
	s.drive(timing, 16, func(since float64) Position { return onRing(30+5*since*since, 0) })
	at := func(distance float64) float64 { return math.Sqrt((distance + 10) / 5) }
	if s.Count != 2 {
		t.Fatalf("%d laps", s.Count)
	}
	close6(t, "second lap", s.Last.Time, at(2*ringLength)-at(ringLength))
	close6(t, "its first sector", s.Last.Sectors[0], at(ringLength+200)-at(ringLength))
	close6(t, "best lap", s.Best.Time, s.Last.Time)
	close6(t, "third lap", s.Lap.Time, 16-at(2*ringLength))
}

func TestOpenLineIsTimedFromStartToEnd(t *testing.T) {
	for _, start := range []float64{0, 100} {
		timing := timed(t, runway(t), start, []float64{500}, road.PitLane{})
		s := &State{}
		s.drive(timing, 25, func(since float64) Position { return placed(r3.Vec{X: -50 + 50*since, Y: 1}) })
		if s.Count != 1 || s.Running {
			t.Fatalf("start at %g: %d laps, running %v", start, s.Count, s.Running)
		}
		close6(t, "time", s.Last.Time, (1000-start)/50)
		close6(t, "first sector", s.Last.Sectors[0], (500-start)/50)
		s.drive(timing, 30, func(since float64) Position { return placed(r3.Vec{X: 1200 - 50*since}) })
		s.drive(timing, 25, func(since float64) Position { return placed(r3.Vec{X: -300 + 100*since}) })
		if s.Count != 2 || s.Last.Number != 2 {
			t.Fatalf("start at %g: %d laps after the second drive", start, s.Count)
		}
		close6(t, "second time", s.Last.Time, (1000-start)/100)
	}
}

func TestHoppingOverTheLineCountsNothing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sectors []float64
	}{{"one sector", nil}, {"three", []float64{200, 400}}} {
		timing := timed(t, roundabout(t), 0, tt.sectors, road.PitLane{})
		s := &State{}
		s.drive(timing, 60, func(since float64) Position { return onRing(15*math.Sin(since), 0) })
		if s.Count != 0 {
			t.Errorf("%s: %d laps on the spot", tt.name, s.Count)
		}
		from := 15 * math.Sin(60)
		s.drive(timing, 35, func(since float64) Position { return onRing(from+30*since, 0) })
		if s.Count != 1 || math.Abs(s.Last.Time-ringLength/30) > 1e-6 {
			t.Errorf("%s: %d laps, the last of %.6f s, want one of %.6f s", tt.name, s.Count, s.Last.Time, ringLength/30)
		}
	}
}

func TestHoppingOverASectorsEndCountsItOnce(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{200, 400}, road.PitLane{})
	s := &State{}
	way := func(since float64) float64 { return -1 + 20*since + 30*math.Sin(since) }
	s.drive(timing, 34, func(since float64) Position { return onRing(way(since), 0) })
	sum := 0.0
	for _, v := range s.Last.Sectors {
		sum += v
	}
	if s.Count != 1 || s.Last.Sectors[2] <= 0 || s.Last.Sectors[3] != 0 {
		t.Fatalf("%d laps, the last %+v", s.Count, s.Last)
	}
	close6(t, "sum of the sectors", sum, s.Last.Time)
}

func TestDeltaFollowsTheBestLap(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
	s := &State{}
	s.drive(timing, ringLength/20+1, func(since float64) Position { return onRing(20*since-10, 0) })
	if s.Best.Time == 0 {
		t.Fatal("no best lap")
	}
	from := s.Distance
	s.drive(timing, 10, func(since float64) Position { return onRing(from+25*since, 0) })
	got, ok := timing.Delta(s)
	want := from/20 + 250.0/25 - (from+250)/20
	if !ok || math.Abs(got-want) > 1e-6 {
		t.Errorf("%.7f s %v, want %.7f s", got, ok, want)
	}
	if s.Count != 1 {
		t.Errorf("%d laps", s.Count)
	}
}

// The same course twice, v = 30 + 20·sin(t/2): between samples 10 m apart the best lap's
// times are still known to a few milliseconds.
func TestDeltaOfTheSameLapIsZero(t *testing.T) {
	timing := timed(t, roundabout(t), 0, nil, road.PitLane{})
	s := &State{}
	period := 4 * math.Pi // the same speed at the same place in both laps
	mean := ringLength / period
	way := func(since float64) float64 { return mean*since + 0.6*mean*2*(1-math.Cos(since/2)) - 1e-9 }
	s.drive(timing, period+0.01, func(since float64) Position { return onRing(way(since), 0) })
	worst := 0.0
	for range 1000 {
		since := s.lastTime
		s.drive(timing, tick*11, func(by float64) Position { return onRing(way(since+by), 0) })
		delta, ok := timing.Delta(s)
		if !ok {
			t.Fatal("no best lap")
		}
		worst = max(worst, math.Abs(delta))
	}
	if worst > 5e-3 {
		t.Errorf("up to %.4f s", worst)
	}
}

func TestSnapshotGoesOnAlike(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{200}, road.PitLane{})
	a := &State{}
	way := func(since float64) Position { return onRing(25*since-20, 3*math.Sin(since)) }
	a.drive(timing, 30, way)
	b := *a
	for _, s := range []*State{a, &b} {
		s.drive(timing, 30, func(since float64) Position { return way(30 + since) })
	}
	if *a != b || a.Count != 2 {
		t.Errorf("%d and %d laps, the last %+v and %+v", a.Count, b.Count, a.Last, b.Last)
	}
}

func TestTimingSaysWhatIsWrong(t *testing.T) {
	l := roundabout(t)
	for _, tt := range []struct {
		name    string
		start   float64
		sectors []float64
		pit     road.PitLane
		want    string
	}{
		{"start", 700, nil, road.PitLane{}, "road: start line at 700 m: must be at least 0 and less than 628.32 m, the length of the line"},
		{"NaN", math.NaN(), nil, road.PitLane{}, "road: start line at NaN m: must be at least 0 and less than 628.32 m, the length of the line"},
		{"sectors back", 100, []float64{300, 200}, road.PitLane{}, "road: sector 2 ends at 200 m: must end at least 5 m after its start; list sectors in driving order from the start line at 100 m, within a lap of 628.32 m"},
		{"sector at the line", 100, []float64{99}, road.PitLane{}, "road: sector 2 ends at 728.32 m: must end at least 5 m after its start; list sectors in driving order from the start line at 100 m, within a lap of 628.32 m"},
		{"many", 0, make([]float64, 8), road.PitLane{}, "road: 8 ends of sectors: must be at most 7"},
		{"round the line", 100, []float64{300, 600, 50}, road.PitLane{From: 600, To: 20}, ""},
	} {
		_, err := NewTiming(l, tt.start, tt.sectors, tt.pit)
		if got := text(err); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestTimingAllocatesNothing(t *testing.T) {
	timing := timed(t, roundabout(t), 0, []float64{200}, road.PitLane{From: 500, To: 100, Right: -13, Left: -7})
	s := &State{}
	i := uint64(0)
	if n := testing.AllocsPerRun(20_000, func() {
		p := onRing(0.1*float64(i), 0)
		timing.Step(s, &p, i, tick)
		timing.Delta(s)
		i++
	}); n != 0 || s.Count < 2 {
		t.Errorf("%g allocations a tick in %d laps", n, s.Count)
	}
}

func BenchmarkTiming(b *testing.B) {
	timing := timed(b, roundabout(b), 0, []float64{200}, road.PitLane{From: 500, To: 100, Right: -13, Left: -7})
	s := &State{}
	i := uint64(0)
	for b.Loop() {
		p := onRing(0.1*float64(i), 3)
		timing.Step(s, &p, i, tick)
		i++
	}
}

// Whatever a car does, a lap that counts has its sectors, which add up.
func TestAnyWayLeavesSoundLaps(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	timing := timed(t, roundabout(t), 100, []float64{200, 400, 50}, road.PitLane{From: 500, To: 90, Right: -13, Left: -7})
	random := rand.New(rand.NewPCG(1, 2))
	s := &State{}
	at, left, speed := 0.0, 0.0, 30.0
	for i := range uint64(400_000) {
		switch random.IntN(4000) {
		case 0:
			speed = 140*random.Float64() - 20
		case 1:
			left = 60*random.Float64() - 30
		case 2:
			at = ringLength * random.Float64()
		}
		at += speed * 5e-3
		p := onRing(at, left)
		if random.IntN(20_000) == 0 {
			p.Front.X = []float64{math.NaN(), 1e300, -1e5}[random.IntN(3)]
		}
		count := s.Count
		timing.Step(s, &p, i, 5e-3)
		if sum := s.Distance + s.Lateral + s.Lap.Time + s.savedDistance; sum-sum != 0 || s.Sector < 0 || s.Sector > 3 || s.Distance < -10 && s.Running {
			t.Fatalf("tick %d: %+v", i, s.Lap)
		}
		if s.Count == count {
			continue
		}
		sum, last := 0.0, &s.Last
		for _, v := range last.Sectors[:4] {
			sum += v
			if v <= 0 {
				t.Errorf("tick %d: %+v", i, last)
			}
		}
		if math.Abs(sum-last.Time) > 1e-9 || last.Number != s.Count || last.Valid && last.OffTrackTime > 0 {
			t.Errorf("tick %d: %+v", i, last)
		}
	}
	if s.Count < 20 || s.Best.Time == 0 {
		t.Errorf("%d laps, the best of %g s", s.Count, s.Best.Time)
	}
}
