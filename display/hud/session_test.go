package hud

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

// raced returns a session of a test with one change.
func raced(edit func(*frame.Session)) *frame.Others {
	o := displaytest.Session(displaytest.Oval(), 30, 12, 10, 3)
	edit(&o.Session)
	o.Clean()
	return o
}

// extremeOthers returns a session with all that may be shown at once, in its longest texts, and labels for all its cars.
func extremeOthers() (*frame.Others, []Label) {
	wide := strings.Repeat("W", 24)
	o := displaytest.Session(displaytest.Oval(), 0, 3, 3, frame.MaxOthers)
	s := &o.Session
	*s = frame.Session{Phase: frame.PhaseCountdown, Flag: frame.FlagCheckered, ToStart: 1e6, Clock: 1e6, Place: 9999, Of: 9999, LapsLeft: 9999, Penalty: 1e6,
		Ahead: frame.TextOf(wide), GapAhead: 1e6, Behind: frame.TextOf(wide), GapBehind: -1e6}
	s.SetNotice(strings.Repeat("The session is paused for oil. ", 20))
	var labels []Label
	for i := range o.Cars {
		c := &o.Cars[i]
		c.Name, c.Place, c.Gap, c.LapsAhead, c.InPit = frame.TextOf(wide), uint64(i)*160, 1e6, -9999, 1
		labels = append(labels, Label{X: float64(i%9) / 8, Y: float64(i%7) / 6, Distance: 1e9, Car: c})
	}
	o.Clean()
	return o, labels
}

// sessionWords returns what the picture of a session says, without what other pictures say.
func sessionWords(t *testing.T, c *Canvas, o *frame.Others) []string {
	t.Helper()
	c.Draw(drivenFrame(), Status{Names: longNames()}, 16.0/9)
	plain := slices.Clone(c.audit.words)
	*c.audit = audit{}
	c.Draw(drivenFrame(), Status{Names: longNames(), Others: o}, 16.0/9)
	return slices.DeleteFunc(slices.Clone(c.audit.words), func(w string) bool { return slices.Contains(plain, w) })
}

// What race control and the classification say is on the screen in words.
func TestWhatASessionSays(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name string
		edit func(*frame.Session)
		want []string
	}{
		{"a race", func(s *frame.Session) {}, []string{"P3", "of 4", "6 laps left", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"last lap, leading", func(s *frame.Session) { s.LapsLeft, s.Place, s.Ahead = 1, 1, frame.Text{} }, []string{"P1", "of 4", "last lap", "nobody ahead", "0.83 s", "Ada Lovelace"}},
		{"by time", func(s *frame.Session) { s.LapsLeft, s.TimeLeft = 0, 3725 }, []string{"P3", "of 4", "01:02:05 left", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"practice", func(s *frame.Session) {
			s.Phase, s.Place, s.Of, s.GapAhead, s.GapBehind = frame.PhasePractice, 0, 0, nan, nan
		}, []string{"P-", "08:32", "-.-- s", "Grace Hopper", "-.-- s", "Ada Lovelace"}},
		{"grid", func(s *frame.Session) { s.Phase, s.GridPlace, s.ToStart = frame.PhaseGrid, 5, nan }, []string{"P3", "of 4", "grid 5", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"countdown", func(s *frame.Session) { s.Phase, s.GridPlace, s.ToStart = frame.PhaseCountdown, 5, 11.2 }, []string{"START IN 12 s", "P3", "of 4", "grid 5", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"lost", func(s *frame.Session) { s.Connected, s.Phase = 0, frame.PhaseEnded }, []string{"SESSION LOST", "P3", "of 4", "ended", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"not yet found", func(s *frame.Session) { *s = frame.Session{ToStart: nan, TimeLeft: nan} }, []string{"JOINING SESSION", "P-", "00:00", "nobody ahead", "nobody behind"}},
		{"paused, red, penalty", func(s *frame.Session) {
			s.Paused, s.Flag, s.Penalty, s.Phase = 1, frame.FlagRed, 5, frame.PhaseFinishing
		}, []string{"SESSION PAUSED", "RED FLAG: session interrupted", "PENALTY 5.0 s", "P3", "of 4", "finishing", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"yellow", func(s *frame.Session) { s.Flag = frame.FlagYellow; s.SetNotice("Oil in turn 1") }, []string{"Race control: Oil in turn 1", "YELLOW FLAG: no overtaking", "P3", "of 4", "6 laps left", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
		{"started", func(s *frame.Session) { s.ToStart = -2 }, []string{"GREEN FLAG: go", "P3", "of 4", "6 laps left", "1.24 s", "Grace Hopper", "0.83 s", "Ada Lovelace"}},
	} {
		c := testCanvas(t)
		if got := sessionWords(t, c, raced(tt.edit)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: it says %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The lights come on one after the other in the last seconds, and go out at the start.
func TestLightsOfTheStart(t *testing.T) {
	for _, tt := range []struct {
		toStart float64
		lit     int
		text    string
		shown   bool
	}{
		{math.NaN(), 0, "START: WAIT", true}, {30, 0, "START IN 30 s", true}, {5.01, 0, "START IN 6 s", true}, {5, 1, "START IN 5 s", true}, {4.5, 1, "START IN 5 s", true},
		{3.9, 2, "START IN 4 s", true}, {0.2, 5, "START IN 1 s", true}, {0, 0, "GO", true}, {-1, 0, "GO", true}, {-9, 0, "", false},
	} {
		c := testCanvas(t)
		g, ok := c.start(&frame.Session{Phase: frame.PhaseCountdown, Connected: 1, ToStart: tt.toStart})
		if ok != tt.shown || g.lit != tt.lit || string(g.text) != tt.text || ok && g.lights != 5 {
			t.Errorf("%g s: %d of %d lights, %q", tt.toStart, g.lit, g.lights, g.text)
		}
		if _, ok := c.start(&frame.Session{Phase: frame.PhaseCountdown, ToStart: tt.toStart}); ok {
			t.Errorf("%g s: lights without a host", tt.toStart)
		}
	}
}

// A notice is shown for 10 s after it changed, whatever it said before.
func TestANoticeIsShownForAWhile(t *testing.T) {
	c, o := testCanvas(t), raced(func(s *frame.Session) { s.Clock = 100; s.SetNotice("Oil in turn 1") })
	for _, tt := range []struct {
		clock  float64
		notice string
		shown  bool
	}{{100, "Oil in turn 1", true}, {109.9, "Oil in turn 1", true}, {110.1, "Oil in turn 1", false}, {200, "Clear", true}, {209, "Clear", true}, {211, "Clear", false}, {212, "", false}, {213, "Clear", true}} {
		o.Session.Clock = tt.clock
		o.Session.SetNotice(tt.notice)
		for _, other := range []string{"", "wheel unplugged"} { // which has the place of the notice
			*c.audit = audit{}
			c.Draw(drivenFrame(), Status{Others: o, Notice: other}, 16.0/9)
			if got := tt.notice != "" && c.says("Race control: "+tt.notice); got != tt.shown || other != "" && !c.says(other) {
				t.Errorf("at %g s beside %q, %q is shown: %t", tt.clock, other, tt.notice, got)
			}
		}
	}
}

// Ordinary drives and replays show nothing of a session, and leave its room to the others.
func TestNothingOfASessionWithoutOne(t *testing.T) {
	c := testCanvas(t)
	c.Draw(drivenFrame(), Status{Names: longNames()}, 16.0/9)
	if slices.ContainsFunc(c.audit.words, func(w string) bool { return strings.Contains(w, "SESSION") || strings.HasPrefix(w, "P-") }) || c.shown.race != (place{}) || c.shown.column.y != columnTop {
		t.Errorf("it says %q", c.audit.words)
	}
}

// Labels of near cars come first; one that has no room above its car goes up, or is left out.
func TestLabelsKeepClearOfEachOther(t *testing.T) {
	o := raced(func(*frame.Session) {})
	labels := make([]Label, 20)
	for i := range labels {
		labels[i] = Label{X: 0.5, Y: 0.4, Distance: float64(10 + i), Car: &o.Cars[i%3]}
	}
	labels[1].X, labels[1].Y = 0.01, 0.5 // would leave the picture
	labels[2].X, labels[2].Y = 0.1, 0.5  // on the laps
	c := testCanvas(t)
	c.Draw(drivenFrame(), Status{Others: o, Labels: labels}, 16.0/9)
	c.audit.check(t, "labels", c.width)
	if !c.says("Grace Hopper  12 m") || len(c.labels) < 2 || len(c.labels) > MaxLabels-2 {
		t.Errorf("%d labels, it says %q", len(c.labels), c.audit.words)
	}
	if first := c.labels[0]; first.Label != &labels[0] || math.Abs(float64(first.y+first.h-0.4*Height)) > 0.01 {
		t.Errorf("the nearest car's label is at %v", first.place)
	}
}

// A label does not lie on a nearer car: it goes up until it is above that.
func TestLabelsKeepClearOfNearerCars(t *testing.T) {
	o := raced(func(*frame.Session) {})
	labels := []Label{{0.4, 0.3, 0.5, 8, &o.Cars[0]}, {0.55, 0.4, 0.02, 60, &o.Cars[1]}}
	c := testCanvas(t)
	c.Draw(drivenFrame(), Status{Others: o, Labels: labels}, 16.0/9)
	if len(c.labels) != 2 || c.labels[1].y+c.labels[1].h > 0.3*Height {
		t.Errorf("%d labels, the second at %v", len(c.labels), c.labels[len(c.labels)-1].place)
	}
}

// A label says name and distance, and what else one must know of a car before passing it.
func TestWhatALabelSays(t *testing.T) {
	for _, tt := range []struct {
		laps  int64
		inPit uint64
		want  string
	}{{0, 0, "Ada  20 m"}, {1, 0, "Ada  20 m, laps ahead: 1"}, {-2, 1, "Ada  20 m, laps behind: 2, pit"}} {
		car := frame.OtherCar{Name: frame.TextOf("Ada"), Gap: math.NaN(), LapsAhead: tt.laps, InPit: tt.inPit}
		if got := testCanvas(t).labelText(&Label{Distance: 20, Car: &car}); string(got) != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// The gap along the circuit is shown where it is longer than the straight line, as on the other side of a loop.
func TestGapOfALabel(t *testing.T) {
	for _, tt := range []struct{ gap, distance, want float64 }{{30, 20, 30}, {-30, 20, 30}, {10, 20, 20}, {math.NaN(), 20, 20}, {1e9, 1e12, 9999}} {
		if got := gapOf(&Label{Distance: tt.distance, Car: &frame.OtherCar{Gap: tt.gap}}); got != tt.want {
			t.Errorf("%+v: %g", tt, got)
		}
	}
}

// Each car has a dot on the map, the own one on top with its place; a number that would cover another is left out.
func TestCarsOnTheMap(t *testing.T) {
	o := raced(func(*frame.Session) {})
	f := displaytest.OvalFrame(30)
	o.Cars[0].Pos = [3]float64{f.Pos[0] + 1, f.Pos[1], 0}
	o.Cars[1].Pos = [3]float64{-200, 40, 0}
	c := testCanvas(t)
	c.SetScene(displaytest.Oval())
	c.Draw(f, Status{Others: o, Page: MapPage}, 16.0/9)
	if len(c.spots) != 4 || c.spots[0].color != alarmColor || c.spots[0].place != 3 || c.spots[1].place != 0 || c.spots[2].place != 2 || c.spots[2].color != carColor(1) {
		t.Errorf("spots %+v", c.spots)
	}
	own, last := c.spots[0], 0
	for i, v := range c.vertices {
		if v.rgba == own.color && v.y > 150 && v.y < 400 && v.x > 880 {
			last = i
		}
		if v.rgba == carColor(0) && last > 0 {
			t.Fatal("another car is drawn over the own one")
		}
	}
}

func TestASessionsPictureAllocatesNothing(t *testing.T) {
	o, labels := extremeOthers()
	f, c := drivenFrame(), &Canvas{atlas: sharedAtlas(t)}
	s := Status{Names: longNames(), Others: o, Labels: labels, Page: MapPage}
	c.SetScene(displaytest.Oval())
	c.Draw(f, s, 16.0/9)
	if n := testing.AllocsPerRun(20, func() { c.Draw(f, s, 16.0/9) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
