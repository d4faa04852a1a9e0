package wheel

import (
	"testing"
	"time"
)

// A writer that stood still, stopped or in a call of its driver, finds a device that has
// ended the force by itself: the torque comes back by the slew limit from 0.
func TestTorqueAfterAStalledWriter(t *testing.T) {
	for _, c := range []struct {
		pause time.Duration
		want  int16 // 1 mN·m a level, 0.5 N·m a millisecond
	}{{ms, 5500}, {59 * ms, 5500}, {60 * ms, 500}, {10 * time.Second, 500}} {
		p := newPacer(driverTraits{updatePeriod: ms, step: 1}, limits{full: 32.767, rated: 20, slew: 500, sign: 1}, 0, 0)
		now, seq := time.Duration(0), uint64(0)
		for range 10 {
			seq++
			p.decide(now, seq, 20)
			now += ms
		}
		p.decide(10*ms, seq+1, 5)
		if p.torque != 5 {
			t.Fatalf("%g N·m before the pause, want 5", p.torque)
		}
		if got := p.decide(10*ms+c.pause, seq+2, 20).level; got != c.want {
			t.Errorf("level %d after a pause of %v, want %d", got, c.pause, c.want)
		}
	}
}

// hid-lg4ff sends a new level with the next tick of its timer, but at once with a play.
func TestLogitechPlaysWithEachUpload(t *testing.T) {
	p := logitechPacer()
	for i := range 20 {
		if o := p.decide(time.Duration(i)*3*ms, uint64(i)+1, float64(1+i%2)); !o.upload || !o.play {
			t.Fatalf("update %d: %+v, want an upload and a play", i, o)
		}
	}
}

// The device's dead-man outlasts two renewals that come late, and what nobody pushes goes
// before it.
func TestTheDeadManOutlastsTwoLateRenewals(t *testing.T) {
	if effectLength != 60*ms || renewInterval*3 > effectLength || maxTorqueAge > renewInterval {
		t.Errorf("effects of %v, renewed each %v, torques of %v", effectLength, renewInterval, maxTorqueAge)
	}
	if ownEffectLength != 100*ms || ownRenewInterval*2 > ownEffectLength {
		t.Errorf("own effects of %v, renewed each %v", ownEffectLength, ownRenewInterval)
	}
}
