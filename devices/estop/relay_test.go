package estop

import (
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// renewFor renews the order every 10 ms.
func (b *bench) renewFor(ms int) {
	for range ms / 10 {
		b.Enable(true)
		b.run(10)
	}
}

// wantRelay fails the test unless relay and line are so.
func (b *bench) wantRelay(when string, on bool, cause Cause) {
	b.t.Helper()
	gotOn, got := b.Relay()
	if gotOn != on || got != cause {
		b.t.Errorf("%s: on %v, %q; want %v, %q", when, gotOn, got, on, cause)
	}
	if !b.relay.isPulsed && !b.out.gone && b.out.now() != gpio.Level(on) == (b.relay.activeLevel == gpio.High) {
		b.t.Errorf("%s: on %v, and the line is %v", when, on, b.out.now())
	}
}

func TestRelayIsHeldByRenewal(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.wantRelay("not asked for", false, None)
	b.renewFor(500)
	b.wantRelay("renewed", true, None)
	b.run(40)
	b.wantRelay("50 ms without renewal", true, None)
	b.run(1)
	b.wantRelay("51 ms without renewal", false, NotRenewed)
}

func TestRelayStaysOffUntilTheOrderIsTakenBack(t *testing.T) {
	tests := []struct {
		name  string
		drop  func(*bench)
		cause Cause
	}{
		{"dead man", func(b *bench) { b.run(100) }, NotRenewed},
		{"stop", func(b *bench) { b.pins[0].set(gpio.Low); b.renewFor(100); b.pins[0].set(gpio.High) }, Opened},
		{"stale", func(b *bench) { b.time += 25 * time.Millisecond; _, s := b.State(); b.relay.step(s); b.renewFor(100) }, NotSampled},
		{"write failed", func(b *bench) { b.out.unplug(true); b.renewFor(20); b.out.unplug(false) }, RelayFailed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 1, DefaultConfig())
			b.run(60)
			b.renewFor(100)
			b.wantRelay("renewed", true, None)
			tt.drop(b)
			b.renewFor(200)
			b.want("cause gone", None)
			b.wantRelay("order never taken back", false, tt.cause)
			b.Enable(false)
			b.run(1)
			b.wantRelay("taken back", false, None)
			b.renewFor(10)
			b.wantRelay("given anew", true, None)
		})
	}
}

func TestRelayDropsAtTheFirstOpenSample(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	b.renewFor(100)
	b.pins[1].set(gpio.Low)
	b.run(1)
	b.wantRelay("one contact open", false, Opened)
}

func TestAnOrderGivenDuringAStopIsNone(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.pins[0].set(gpio.Low)
	b.run(10)
	b.Enable(false)
	b.renewFor(50)
	b.pins[0].set(gpio.High)
	b.renewFor(200)
	b.wantRelay("held since the stop", false, Opened)
}

func TestOrderTakenBackAndGivenBetweenTwoStepsCounts(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.renewFor(100)
	b.run(100)
	b.wantRelay("not renewed", false, NotRenewed)
	b.Enable(false)
	b.Enable(true)
	b.run(1)
	b.wantRelay("given anew", true, None)
}

func TestEnableFalseDropsWithoutACause(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.renewFor(100)
	b.Enable(false)
	b.run(1)
	b.wantRelay("taken back", false, None)
}

func TestRelayThatCannotBeSwitchedOffSaysSo(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.renewFor(100)
	b.out.unplug(true)
	b.Enable(false)
	b.run(20)
	b.wantRelay("write fails", true, RelayFailed)
	b.out.unplug(false)
	b.run(20)
	b.wantRelay("written again", false, None)
}

func TestUnchangedLevelIsWrittenAgain(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.renewFor(100)
	before := len(b.out.written)
	b.renewFor(100)
	if n := len(b.out.written) - before; n < 9 || n > 11 {
		t.Errorf("written %d times in 100 ms, want 10", n)
	}
}

func TestActiveLowRelay(t *testing.T) {
	cfg := DefaultConfig()
	cfg.RelayActive = "low"
	b := newBench(t, 1, cfg)
	if b.out.now() != gpio.High {
		t.Error("not off from the start")
	}
	b.run(60)
	b.renewFor(50)
	b.wantRelay("renewed", true, None)
	b.run(100)
	b.wantRelay("not renewed", false, NotRenewed)
}

func TestPulsesLastAsLongAsTheOrder(t *testing.T) {
	cfg := DefaultConfig()
	cfg.RelaySignal = "pulse"
	b := newBench(t, 1, cfg)
	b.run(60)
	before := len(b.out.written)
	b.renewFor(100)
	pulses := b.out.written[before:]
	if len(pulses) != 100 {
		t.Errorf("%d writes in 100 ms, want one each", len(pulses))
	}
	for i := 1; i < len(pulses); i++ {
		if pulses[i] == pulses[i-1] {
			t.Fatalf("no edge at write %d", i)
		}
	}
	b.run(100)
	for _, l := range b.out.written[len(b.out.written)-3:] {
		if l != gpio.Low {
			t.Error("pulses go on without the order")
		}
	}
}

func TestRelayGoroutine(t *testing.T) {
	live(t, 1, withEdges, func(b *bench) {
		b.Enable(true)
		time.Sleep(3 * time.Millisecond)
		synctest.Wait()
		b.wantRelay("ordered", true, None)
		b.pins[0].set(gpio.Low)
		time.Sleep(5 * time.Millisecond)
		synctest.Wait()
		b.wantRelay("pressed", false, Opened)
	})
}

func TestCloseLeavesTheRelayOff(t *testing.T) {
	live(t, 1, withEdges, func(b *bench) {
		b.Enable(true)
		time.Sleep(3 * time.Millisecond)
		synctest.Wait()
		b.wantRelay("ordered", true, None)
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if b.out.now() != gpio.Low {
			t.Error("the relay is on after Close")
		}
	})
}

func TestRelayThatNothingDrivesIsStale(t *testing.T) {
	tests := []struct {
		name    string
		before  func(*bench)
		waits   time.Duration
		on      bool
		verdict Cause
	}{
		{"on, 20 ms", func(b *bench) { b.renewFor(100) }, 20 * time.Millisecond, true, None},
		{"on, 21 ms", func(b *bench) { b.renewFor(100) }, 21 * time.Millisecond, true, NotSampled},
		{"off, while a busy machine starts", func(*bench) {}, 500 * time.Millisecond, false, None},
		{"off for good", func(*bench) {}, 501 * time.Millisecond, false, NotSampled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 1, DefaultConfig())
			b.run(60)
			tt.before(b)
			b.time += tt.waits
			b.wantRelay("without a step", tt.on, tt.verdict)
		})
	}
}

func TestWithoutARelayEnableDoesNothing(t *testing.T) {
	s, err := prepare(DefaultConfig(), nil, nil, func() time.Duration { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	s.Enable(true)
	if on, cause := s.Relay(); on || cause != None {
		t.Errorf("relay on %v, %q", on, cause)
	}
}
