package hud

import (
	"math"
	"testing"

	"rig.example/rig/internal/frame"
)

func TestScrubBarMarksWhatHappened(t *testing.T) {
	c := testCanvas(t)
	r := &frame.Replay{Active: 1, Speed: 2, Length: 100, Position: 25, Count: 3}
	r.Marks = [frame.MaxMarks]frame.Mark{{Time: 10, Kind: frame.DriverMark}, {Time: 50, Kind: frame.FaultMark}, {Time: 75}}
	drawReplay(c, r)
	end := c.width - 2*(margin+scrubInset)
	for _, tt := range []struct {
		name  string
		color rgba
		at    float32 // share of the bar in the middle of the mark
	}{{"mark", warnColor, 0.1}, {"fault", alarmColor, 0.5}} {
		left, _, right, _, n := c.extent(tt.color)
		if middle := ((left+right)/2 - margin - scrubInset) / end; n != 6 || math.Abs(float64(middle-tt.at)) > 0.001 {
			t.Errorf("%s: %d corners around %g of the bar, want %g", tt.name, n, middle, tt.at)
		}
	}
	if _, _, right, _, _ := c.extent(accentColor); math.Abs(float64((right-margin-scrubInset)/end)-0.25) > 0.001 {
		t.Errorf("the bar is filled up to %g of %g", right-margin-scrubInset, end)
	}
}

// A recording without a length, or one that tells nonsense, draws nothing outside of the bar.
func TestScrubBarKeepsToItsPanel(t *testing.T) {
	nan := math.NaN()
	for _, r := range []frame.Replay{{}, {Length: nan, Position: nan, Count: 1 << 40}, {Length: 10, Position: 1e9}, {Length: 10, Position: -5, Paused: 1, Speed: 0.1}} {
		c := testCanvas(t)
		c.width = 960 // 4:3
		drawReplay(c, &r)
		if left, top, right, bottom := c.bounds(); left < margin || right > c.width-margin || top < scrubTop || bottom > panelTop {
			t.Errorf("%+v: drawn from %g, %g to %g, %g", r.Position, left, top, right, bottom)
		}
	}
}

func TestScrubPlace(t *testing.T) {
	for _, tt := range []struct {
		x, y, width, height float64
		place               float64
		near                bool
	}{
		{640, 560, 1280, 720, 0.5, true}, {1280, 1120, 2560, 1440, 0.5, true}, {32, 540, 1280, 720, 0, true}, {20, 540, 1280, 720, 0, true},
		{1248, 540, 1280, 720, 1, true}, {640, 300, 1280, 720, 0.5, false}, {5, 560, 1280, 720, 0, false}, {0, 0, 0, 0, 0, false},
	} {
		if place, near := ScrubPlace(tt.x, tt.y, tt.width, tt.height); math.Abs(place-tt.place) > 0.001 || near != tt.near {
			t.Errorf("%+v: %g, %v", tt, place, near)
		}
	}
}

// Without a replay and a ghost the picture is that of a rig that drives.
func TestRigHasNoScrubBar(t *testing.T) {
	c := testCanvas(t)
	f := lapFrame()
	plain := len(c.Draw(f, Status{}, 16.0/9))
	if n := len(c.Draw(f, Status{Replay: &frame.Replay{Active: 1, Length: 5, Speed: 1}}, 16.0/9)); n <= plain {
		t.Errorf("%d vertices with a replay, %d without", n, plain)
	}
	if n := len(c.Draw(f, Status{Ghost: true, Gap: math.NaN()}, 16.0/9)); n <= plain {
		t.Errorf("%d vertices with a ghost, %d without", n, plain)
	}
}
