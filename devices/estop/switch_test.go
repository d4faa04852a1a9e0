package estop

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
)

func TestStopsAtOnceAndLetsGoAfterTheDebounce(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.want("before the first look", Starting)
	b.run(50)
	b.want("49 ms shut", Starting)
	b.run(1)
	b.want("50 ms shut", None)
	b.pins[0].set(gpio.Low)
	b.run(1)
	b.want("first open sample", Opened)
	b.pins[0].set(gpio.High)
	b.run(50)
	b.want("49 ms released", Opened)
	b.run(1)
	b.want("50 ms released", None)
}

func TestAnOpenSwitchNeverStarts(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.pins[0].set(gpio.Low)
	b.run(500)
	b.want("pressed since the start", Opened)
}

func TestBounces(t *testing.T) {
	tests := []struct {
		name   string
		levels string // one a millisecond: 1 shut, 0 open, - not sampled
		after  Cause  // behind the last
		shut   int    // ms until it lets go
	}{
		{"clean press", "0", Opened, 51},
		{"one open sample", "01", Opened, 50},
		{"press that bounces", "0101101000", Opened, 51},
		{"release that bounces", "0000010110111", Opened, 48},
		{"chatter", "01010101010101010101", Opened, 50},
		{"a gap is no time of being shut", "01" + strings.Repeat("-", 100) + "1", Opened, 50},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 1, DefaultConfig())
			b.run(60)
			for _, l := range tt.levels {
				if l == '-' {
					b.time += time.Millisecond
					continue
				}
				b.pins[0].set(gpio.Level(l == '1'))
				b.run(1)
			}
			b.want("bounced", tt.after)
			b.pins[0].set(gpio.High)
			b.run(tt.shut - 1)
			b.want("a millisecond early", tt.after)
			b.run(1)
			b.want("released", None)
		})
	}
}

func TestAnEdgeBetweenTwoLooksStops(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.publish(0, contactOpen, b.time) // what listen does
	b.want("opened and shut again", Opened)
	b.run(50)
	b.want("49 ms later", Opened)
	b.run(1)
	b.want("released", None)
}

func TestVanishedAdapterStopsAndIsNamed(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.pins[0].unplug(true)
	b.run(1)
	b.want("low without an error", Opened)
	b.run(1)
	b.want("asked", Unreadable)
	reads := b.pins[0].reads
	b.run(5000)
	b.want("still gone", Unreadable)
	if n := b.pins[0].reads; n != reads {
		t.Errorf("read %d times while it was unplugged: each time the library logs", n-reads)
	}
	b.pins[0].unplug(false)
	b.run(500 + 52)
	b.want("back", None)
}

func TestALowLineIsNotReadAgainBeforeItWasDoubted(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.lines[0].mu.Lock() // a wait for an edge is under way
	b.pins[0].unplug(true)
	reads := b.pins[0].reads
	b.run(50)
	b.want("not asked yet", Opened)
	if n := b.pins[0].reads - reads; n != 1 {
		t.Errorf("read %d times, want once: each time the library logs", n)
	}
	b.lines[0].mu.Unlock()
	b.run(2)
	b.want("asked", Unreadable)
}

func TestNothingRunsAgainAfterClose(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	for range 2 {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	b.run(100)
	b.want("closed", Closed)
}

func TestPressedSwitchIsDoubtedSeldom(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	before := b.pins[0].armed
	b.pins[0].set(gpio.Low)
	b.run(1000)
	if n := b.pins[0].armed - before; n < 9 || n > 11 {
		t.Errorf("set up %d times in a second of being pressed, want 10", n)
	}
	b.pins[0].unplug(true)
	b.run(101)
	b.want("unplugged while pressed", Unreadable)
}

func TestStaleSamplerStops(t *testing.T) {
	for i, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 2, DefaultConfig())
			b.run(60)
			for ms := 1; ms <= 20; ms++ {
				b.time += time.Millisecond
				b.sample(1 - i)
			}
			b.want("20 ms unsampled", None)
			b.time += time.Millisecond
			b.want("21 ms unsampled", NotSampled)
			b.run(50)
			b.want("sampled again for 49 ms", NotSampled)
			b.run(1)
			b.want("sampled again", None)
		})
	}
}

func TestClockThatGoesBackStops(t *testing.T) {
	b := newBench(t, 1, DefaultConfig())
	b.run(60)
	b.time -= time.Second
	b.want("a second ago", NotSampled)
}

func TestWithoutASwitchNothingStops(t *testing.T) {
	b := newBench(t, 0, DefaultConfig())
	b.want("no switch", None)
	b.run(100)
	b.want("no switch, later", None)
}

func TestLoopCallsDoNotAllocate(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	if n := testing.AllocsPerRun(1000, func() {
		b.State()
		b.Enable(true)
		b.Relay()
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
	if n := testing.AllocsPerRun(1000, func() { b.sample(0); b.sample(1) }); n != 0 {
		t.Errorf("%g allocations a sample", n)
	}
}

func TestUnusableLines(t *testing.T) {
	gone := newPin(gpio.High)
	gone.unplug(true)
	clock := func() time.Duration { return 0 }
	if _, err := New(DefaultConfig(), []gpio.PinIn{gone}, nil, clock); !errors.Is(err, errNoDevice) {
		t.Errorf("input: %v", err)
	}
	if _, err := New(DefaultConfig(), nil, gone, clock); !errors.Is(err, errNoDevice) {
		t.Errorf("relay: %v", err)
	}
	if _, err := New(Config{}, nil, nil, clock); err == nil {
		t.Error("no configuration was accepted")
	}
}

// live runs a switch's own goroutines on fake time.
func live(t *testing.T, n int, edit func(*fakePin), test func(*bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, out: newPin(gpio.Low)}
		var inputs []gpio.PinIn
		for range n {
			p := newPin(gpio.High)
			edit(p)
			b.pins = append(b.pins, p)
			inputs = append(inputs, p)
		}
		start := time.Now()
		s, err := New(DefaultConfig(), inputs, b.out, func() time.Duration { return time.Since(start) })
		if err != nil {
			t.Fatal(err)
		}
		b.Switch = s
		time.Sleep(60 * time.Millisecond)
		synctest.Wait()
		b.want("released", None)
		test(b)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		b.want("closed", Closed)
	})
}

func withEdges(*fakePin)      {}
func withoutEdges(p *fakePin) { p.noEdges = true }

func TestGoroutinesPoll(t *testing.T) {
	live(t, 2, withoutEdges, func(b *bench) {
		b.pins[1].set(gpio.Low)
		time.Sleep(3 * time.Millisecond) // poll_ms is 2
		b.want("3 ms after the press", Opened)
	})
}

func TestGoroutinesHearAnEdge(t *testing.T) {
	live(t, 2, withEdges, func(b *bench) {
		time.Sleep(500 * time.Microsecond) // between two looks
		b.set(gpio.Low, gpio.Low)
		b.set(gpio.High, gpio.High)
		synctest.Wait()
		b.want("opened and shut between two looks", Opened)
		time.Sleep(60 * time.Millisecond)
		synctest.Wait()
		b.want("released", None)
	})
}

func TestGoroutinesSeeAnAdapterVanish(t *testing.T) {
	live(t, 1, withEdges, func(b *bench) {
		b.pins[0].unplug(true)
		time.Sleep(3 * time.Millisecond)
		synctest.Wait()
		if stopped, _ := b.State(); !stopped {
			t.Error("runs 3 ms after the adapter vanished")
		}
		time.Sleep(edgeTimeout + 3*time.Millisecond) // a wait for edges may still be under way
		synctest.Wait()
		b.want("asked", Unreadable)
		b.pins[0].unplug(false)
		time.Sleep(rearmInterval + 100*time.Millisecond)
		synctest.Wait()
		b.want("back", None)
	})
}

func TestReadThatHangsIsStale(t *testing.T) {
	live(t, 1, withEdges, func(b *bench) {
		b.pins[0].mu.Lock()
		b.pins[0].hang = time.Second
		b.pins[0].mu.Unlock()
		time.Sleep(25 * time.Millisecond)
		b.want("no answer for 20 ms", NotSampled)
		b.pins[0].mu.Lock()
		b.pins[0].hang = 0
		b.pins[0].mu.Unlock()
		time.Sleep(2 * time.Second)
	})
}

func TestCloseDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPin(gpio.High)
		p.hang = 10 * time.Second
		start := time.Now()
		s, err := New(DefaultConfig(), []gpio.PinIn{p}, nil, func() time.Duration { return time.Since(start) })
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := s.Close(); err == nil || time.Since(start) > time.Second {
			t.Errorf("closed after %v: %v", time.Since(start), err)
		}
		time.Sleep(p.hang) // let it answer
	})
}

func BenchmarkState(b *testing.B) {
	start := time.Now()
	s, err := prepare(DefaultConfig(), []gpio.PinIn{newPin(gpio.High), newPin(gpio.High)}, nil, func() time.Duration { return time.Since(start) })
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.State()
	}
}
