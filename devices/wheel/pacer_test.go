package wheel

import (
	"math"
	"testing"
	"time"
)

const ms = time.Millisecond

// logitechPacer is a pacer for a G29 whose slew limit stays out of the way.
func logitechPacer() pacer {
	return newPacer(driverTable["logitech"], limits{full: 2, rated: 2, slew: 1e6, sign: 1}, 0, 0)
}

func TestPacerLevels(t *testing.T) {
	tests := []struct {
		name  string
		lim   limits
		drv   driverTraits
		asked float64 // [N·m]
		want  int16
	}{
		{"half left", limits{full: 2, rated: 2, sign: 1}, driverTable["logitech"], 1, 0x4000},
		{"half right", limits{full: 2, rated: 2, sign: 1}, driverTable["logitech"], -1, -0x4000},
		{"sign turned by calibration", limits{full: 2, rated: 2, sign: -1}, driverTable["logitech"], 1, -0x4000},
		{"clamped to what it is rated", limits{full: 20, rated: 2, sign: 1}, driverTraits{ms, 1, false, false, 0, false}, 9, 3276}, // of 3276.7
		{"clamped to the last step that is rated", limits{full: 2, rated: 1, sign: 1}, driverTable["logitech"], 1, 63 * 256},       // of 63.998 * 256
		{"full, to the driver's step", limits{full: 2, rated: 2, sign: 1}, driverTable["logitech"], 100, 127 * 256},
		{"below half a step", limits{full: 2, rated: 2, sign: 1}, driverTable["logitech"], 0.005, 0},
		{"infinite", limits{full: 2, rated: 2, sign: 1}, driverTable["logitech"], math.Inf(1), 127 * 256},
		{"NaN", limits{full: 2, rated: 2, sign: 1}, driverTable["logitech"], math.NaN(), 0},
		{"no force", limits{sign: 1}, driverTable["logitech"], 1, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			c.lim.slew = 1e6
			p := newPacer(c.drv, c.lim, 0, 0)
			if got := p.decide(0, 1, c.asked).level; got != c.want {
				t.Errorf("level %d, want %d", got, c.want)
			}
		})
	}
}

func TestPacerSendsTheSameLevelOnce(t *testing.T) {
	p := logitechPacer()
	if o := p.decide(0, 1, 1); !o.upload || !o.play {
		t.Fatalf("first: %+v, want upload and play", o)
	}
	if o := p.decide(4*ms, 2, 1.001); o.upload || o.play {
		t.Errorf("same step: %+v, want nothing", o)
	}
	if o := p.decide(8*ms, 3, 1.1); !o.upload {
		t.Errorf("another step: %+v, want upload", o)
	}
}

func TestPacerKeepsTheDriversPeriod(t *testing.T) {
	p := logitechPacer()
	p.decide(0, 1, 1)
	if o := p.decide(1*ms, 2, -1); o.upload || !o.hold || o.wait != 2*ms {
		t.Errorf("1 ms later: %+v, want to hold for 2 ms", o)
	}
	if o := p.decide(3*ms, 3, -1); !o.upload || o.level != -0x4000 {
		t.Errorf("3 ms later: %+v, want upload", o)
	}
}

func TestPacerRenewsBeforeTheEffectEnds(t *testing.T) {
	p := logitechPacer()
	var played []time.Duration
	for at := time.Duration(0); at <= 60*ms; at += ms {
		if p.decide(at, uint64(at/ms)+1, 1).play {
			played = append(played, at)
		}
	}
	if len(played) != 4 || played[1] != 20*ms || played[2] != 40*ms || played[3] != 60*ms {
		t.Errorf("played at %v, want 0, 20, 40, 60 ms", played)
	}
}

func TestPacerPlaysPIDOnlyToRenew(t *testing.T) {
	p := newPacer(driverTable["hid-generic"], limits{full: 2, rated: 2, slew: 1e6, sign: 1}, 0, 0)
	plays := 0
	for i := range 50 {
		if p.decide(time.Duration(i)*2*ms, uint64(i)+1, float64(i%7)*0.1).play {
			plays++
		}
	}
	if plays < 4 || plays > 6 { // 98 ms, one each 20
		t.Errorf("%d plays in 98 ms, want 5", plays)
	}
}

func TestPacerLetsGoWhenNobodyPushes(t *testing.T) {
	p := logitechPacer()
	o := p.decide(0, 1, 1)
	if o.wait != maxTorqueAge {
		t.Errorf("sleeps %v, want 20 ms", o.wait)
	}
	if o = p.decide(19*ms, 1, 1); o.level != 0x4000 {
		t.Errorf("level %d at 19 ms, want 0x4000", o.level)
	}
	if o = p.decide(20*ms, 1, 1); !o.upload || o.level != 0 || o.wait != untilPushed {
		t.Errorf("at 20 ms %+v, want 0 sent, then sleep", o)
	}
	if o = p.decide(30*ms, 2, 1); o.level != 0x4000 || !o.play {
		t.Errorf("after a new push %+v, want force again", o)
	}
}

func TestPacerIgnoresAPushFromBefore(t *testing.T) {
	p := newPacer(driverTable["logitech"], limits{full: 2, rated: 2, slew: 1e6, sign: 1}, 7, 100*ms)
	if o := p.decide(100*ms, 7, 2); o.upload || o.level != 0 {
		t.Errorf("%+v, want nothing for a push to the wheel before", o)
	}
}

func TestPacerLimitsTheSlew(t *testing.T) {
	p := newPacer(driverTraits{updatePeriod: ms, step: 1}, limits{full: 32.767, rated: 20, slew: 500, sign: 1}, 0, 0)
	p.decide(0, 1, 0)
	want := []int16{500, 1000, 500, 0, -500} // 1 mN·m a level, 0.5 N·m a millisecond
	asked := []float64{20, 20, -20, -20, -20}
	for i := range want {
		got := p.decide(time.Duration(i+1)*ms, uint64(i)+2, asked[i]).level
		if got != want[i] {
			t.Errorf("step %d: level %d, want %d", i, got, want[i])
		}
	}
}

// A stop or a fault asks for exactly 0, which must not wait for the slew limit.
func TestPacerDropsToZeroAtOnce(t *testing.T) {
	p := newPacer(driverTraits{updatePeriod: ms, step: 1}, limits{full: 32.767, rated: 20, slew: 500, sign: 1}, 0, 0)
	p.decide(0, 1, 0)
	want := []int16{500, 1000, 0, 0, -500}
	asked := []float64{20, 20, 0, 0, -20}
	for i := range want {
		got := p.decide(time.Duration(i+1)*ms, uint64(i)+2, asked[i]).level
		if got != want[i] {
			t.Errorf("step %d: level %d, want %d", i, got, want[i])
		}
	}
}

func TestPacerSlewStartsAnewAfterAPause(t *testing.T) {
	p := newPacer(driverTraits{updatePeriod: ms, step: 1}, limits{full: 32.767, rated: 20, slew: 500, sign: 1}, 0, 0)
	p.decide(0, 1, 0)
	if got := p.decide(10*time.Second, 2, 20).level; got != 500 {
		t.Errorf("level %d after 10 s of silence, want one step of 500", got)
	}
}

// A wheel of coarse levels gives on the mean what was asked for, above a sixteenth of a
// step; level and time between two sends stay what the driver can take.
func TestDitherGivesSmallTorques(t *testing.T) {
	const step = 2.0 / 0x7fff * 256 // [N·m]
	for _, asked := range []float64{0.1 * step, 0.3 * step, -0.5 * step, 0.97 * step, 7.4 * step, -60.25 * step, 0.05 * step, 0} {
		p := newPacer(driverTable["logitech"], limits{full: 2, rated: 2, slew: 1e6, sign: 1, dither: true}, 0, 0)
		sum, sent, least := 0.0, -time.Second, time.Second
		level := int16(0)
		const ticks = 3000
		for i := range ticks {
			now := time.Duration(i) * ms
			if o := p.decide(now, uint64(i+1), asked); o.upload {
				least, sent, level = min(least, now-sent), now, o.level
			}
			if i >= ticks/3 {
				sum += float64(level)
			}
		}
		mean := sum / (ticks * 2 / 3) / 0x7fff * 2
		want := asked
		if math.Abs(asked) < step/16 {
			want = 0
		}
		if math.Abs(mean-want) > 0.01*step {
			t.Errorf("%.2f steps asked for, %.3f given", asked/step, mean/step)
		}
		if least < 3*ms {
			t.Errorf("%.2f steps: two levels %v apart, the driver takes one each 3 ms", asked/step, least)
		}
	}
}

// What dither owes never adds up to more than the wheel is rated.
func TestDitherStaysWithinTheRating(t *testing.T) {
	const step = 2.0 / 0x7fff * 256 // [N·m]
	for _, rated := range []float64{0.5 * step, 1.5 * step, 10.9 * step, 63.5 * step, 2} {
		p := newPacer(driverTable["logitech"], limits{full: 2, rated: rated, slew: 1e6, sign: -1, dither: true}, 0, 0)
		for i := range 3000 {
			asked := rated * math.Copysign(1-float64(i%7)/100, float64(i%300)-150)
			if level := p.decide(time.Duration(i)*ms, uint64(i+1), asked).level; math.Abs(float64(level))/0x7fff*2 > rated {
				t.Fatalf("rated %.1f steps: a level of %d steps", rated/step, level/256)
			}
		}
	}
}

// A device that takes a report each 20 ms is never sent more, plays and renewals counted,
// and an effect of 60 ms never ends while somebody pushes.
func TestPacerCountsReports(t *testing.T) {
	p := newPacer(driverTable["hid-pidff"], limits{full: 2, rated: 2, slew: 1e6, sign: 1}, 0, 0)
	p.reportPeriod = 20 * ms
	free, played := time.Duration(0), time.Duration(0) // when all reports so far are out; the last play
	for i := range 2000 {
		now := time.Duration(i) * ms
		o := p.decide(now, uint64(i+1), math.Sin(float64(i)/50))
		if (o.upload || o.play) && now < free {
			t.Fatalf("%v: a report waits for %v", now, free-now)
		}
		for _, sent := range []bool{o.upload, o.play} {
			if sent {
				free = max(free, now) + 20*ms
			}
		}
		if o.play {
			if now-played > 50*ms {
				t.Fatalf("%v: played %v ago", now, now-played)
			}
			played = now
		}
	}
}
