package wheel

import (
	"math"
	"testing"
	"time"
)

// However much was asked for and however long, the torque turns round at once: what is
// beyond the rating is not kept.
func TestPacerKeepsNoTorqueBeyondTheRating(t *testing.T) {
	p := newPacer(driverTraits{updatePeriod: ms, step: 1}, limits{full: 32.767, rated: 2, slew: 500, sign: 1}, 0, 0)
	var level int16
	for i := range 100 {
		level = p.decide(time.Duration(i)*ms, uint64(i)+1, 1e6).level
	}
	if level != 1999 { // 1 mN·m a level
		t.Fatalf("level %d, want the last one below 2 N·m", level)
	}
	if got := p.decide(100*ms, 101, -1e6).level; got != 1500 {
		t.Errorf("level %d a millisecond later, want a step of 500 back", got)
	}
}

// NaN gives no torque, and is forgotten with the next push.
func TestPacerGoesOnAfterNaN(t *testing.T) {
	p := newPacer(driverTraits{updatePeriod: ms, step: 1}, limits{full: 32.767, rated: 2, slew: 500, sign: 1}, 0, 0)
	for i, c := range []struct {
		asked float64
		want  int16
	}{{2, 500}, {2, 1000}, {math.NaN(), 0}, {2, 500}, {math.Inf(-1), 0}} {
		if got := p.decide(time.Duration(i)*ms, uint64(i)+1, c.asked).level; got != c.want {
			t.Errorf("step %d, %g N·m: level %d, want %d", i, c.asked, got, c.want)
		}
	}
}
