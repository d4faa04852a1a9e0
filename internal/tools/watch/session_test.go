package watch

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
)

func TestSessionAsJSON(t *testing.T) {
	o := &frame.Others{Count: 1}
	s := &o.Session
	s.Connected, s.Phase, s.Flag, s.Clock, s.Place, s.Of = 1, frame.PhaseRacing, frame.FlagYellow, 12.5, 2, 3
	s.ToStart, s.TimeLeft, s.GapAhead, s.GapBehind = -3, math.NaN(), 0.7, math.NaN()
	s.Ahead = frame.TextOf("Ada")
	s.SetNotice("a dog at 3")
	o.Cars[0] = frame.OtherCar{Slot: 4, Name: frame.TextOf("Ada"), Place: 1, Late: 0.033, Opacity: 1, Gap: 21, LapsAhead: 1, InPit: 1}
	got := Session(o)
	const want = `{"connected":true,"phase":"race","flag":"yellow","paused":false,"clock_s":12.5,"uncertainty_s":0,"to_start_s":-3,"place":2,"of":3,` +
		`"grid_place":0,"laps":0,"laps_left":0,"time_left_s":null,"penalty_s":0,"lost_share":0,"ahead":{"driver":"Ada","gap_s":0.7},"behind":{"driver":"","gap_s":null},` +
		`"notice":"a dog at 3","cars":[{"slot":4,"driver":"Ada","place":1,"position_m":[0,0,0],"velocity_mps":[0,0,0],"late_ms":33,"opacity":1,"gap_m":21,"laps_ahead":1,"in_pit":true}]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if Session(nil) != nil {
		t.Error("a session where there is none")
	}
	n := string(Session(&frame.Others{Session: frame.Session{Phase: 99, Flag: 99}}))
	if !strings.Contains(n, `"phase":"","flag":""`) || !strings.HasSuffix(n, `"cars":[]}`) {
		t.Error(n)
	}
}
