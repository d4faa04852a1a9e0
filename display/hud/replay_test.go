package hud

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/frame"
)

func TestScrubBarMarksWhatHappened(t *testing.T) {
	c := testCanvas(t)
	r := &frame.Replay{Active: 1, Speed: 2, Length: 100, Position: 25, Count: 3}
	r.Marks = [frame.MaxMarks]frame.Mark{{Time: 10, Kind: frame.DriverMark}, {Time: 50, Kind: frame.FaultMark}, {Time: 75}}
	drawReplay(c, place{margin, 500, 1256, scrubHeight}, r)
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
		drawReplay(c, place{margin, 500, 900, scrubHeight}, &r)
		if left, top, right, bottom := c.bounds(); left < margin || right > margin+900 || top < 500 || bottom > 500+scrubHeight {
			t.Errorf("%+v: drawn from %g, %g to %g, %g", r.Position, left, top, right, bottom)
		}
	}
}

// The mouse finds the bar where it is drawn, at each scale and in each picture.
func TestScrubPlace(t *testing.T) {
	for _, size := range sizes {
		for _, o := range []Options{{}, {Scale: 0.7}} {
			c, f := testCanvas(t), lapFrame()
			c.options = o
			r := &frame.Replay{Active: 1, Length: 100, Position: 25, Count: 1, Speed: 1, Marks: [frame.MaxMarks]frame.Mark{{Time: 75, Kind: frame.FaultMark}}}
			f.State, f.RimTorque, f.Brake = 4, 0, 0
			c.Draw(f, Status{Replay: r, Names: longNames()}, float64(size[0])/float64(size[1]))
			v, s := c.shown.view, c.shown.scrub
			at := func(share, down float32) (x, y float64) {
				p := v.in(place{s.x + scrubInset + share*(s.w-2*scrubInset), s.y + down, 0, 0})
				return float64(p.x / c.width), float64(p.y / Height)
			}
			for _, tt := range []struct {
				share, down float32
				near        bool
			}{{0.5, 30, true}, {0, 1, true}, {1, 55, true}, {0.25, -3, false}, {0.25, 60, false}} {
				x, y := at(tt.share, tt.down)
				if place, near := c.ScrubPlace(x, y); math.Abs(place-float64(tt.share)) > 0.001 || near != tt.near {
					t.Errorf("%v %+v %+v: %g, %v", size, o, tt, place, near)
				}
			}
			x0, y0 := at(0.75, scrubLine)
			found := false
			for _, k := range c.vertices {
				found = found || k.rgba == alarmColor && math.Abs(float64(k.x)/float64(c.width)-x0) < 0.01 && math.Abs(float64(k.y)/Height-y0) < 0.03
			}
			if !found {
				t.Errorf("%v: no mark where the mouse finds it", size)
			}
		}
	}
	if _, near := testCanvas(t).ScrubPlace(0.5, 0.8); near {
		t.Error("a bar without a replay")
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
