package estop

import (
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
)

func TestContactsMustAgreeWithin50ms(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	b.want("both shut", None)
	b.pins[1].set(gpio.Low)
	b.run(51)
	b.want("50 ms apart", Opened)
	b.pins[0].set(gpio.Low)
	b.run(300)
	b.want("both open", Opened)
	b.pins[0].set(gpio.High)
	b.run(51)
	b.want("50 ms apart at the release", Opened)
	b.run(1)
	b.want("51 ms apart", Disagreement)
}

func TestLateReleaseDisagreesUntilBothAreReleased(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	b.set(gpio.Low, gpio.Low)
	b.run(500)
	b.want("both open", Opened)
	b.pins[0].set(gpio.High)
	b.run(500)
	b.want("one released", Disagreement)
	b.pins[1].set(gpio.High)
	b.run(50)
	b.want("both shut for 49 ms", Disagreement)
	b.run(1)
	b.want("both released", None)
	b.pins[0].set(gpio.Low)
	b.run(1)
	b.want("pressed anew", Opened)
}

// press simulates a press for a number of milliseconds, in which only some contacts open, and a
// release that is waited for.
func (b *bench) press(first, second bool, ms int) {
	b.set(gpio.Level(!first), gpio.Level(!second))
	b.run(ms)
	b.set(gpio.High, gpio.High)
	b.run(200)
}

func TestWeldedContactKeepsTheStop(t *testing.T) {
	tests := []struct {
		name          string
		first, second bool
		ms            int
		want          Cause
	}{
		{"second welded", true, false, 300, SecondStuckClosed},
		{"first welded", false, true, 300, FirstStuckClosed},
		{"second welded, a short press", true, false, 10, SecondStuckClosed},
		{"first welded, a short press", false, true, 10, FirstStuckClosed},
		{"none, a short press", true, true, 3, None},
		{"none", true, true, 5000, None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, 2, DefaultConfig())
			b.run(60)
			b.press(tt.first, tt.second, tt.ms)
			b.want("released", tt.want)
			b.press(tt.first, tt.second, tt.ms)
			b.want("released once more", tt.want)
			b.run(10_000)
			b.want("much later", tt.want)
			b.press(true, true, 100)
			b.want("both opened", None)
			b.press(true, true, 100)
			b.want("and again", None)
		})
	}
}

func TestWeldedContactIsNamedWhileTheSwitchIsPressed(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	b.pins[0].set(gpio.Low)
	b.run(51)
	b.want("50 ms apart", Opened)
	b.run(1)
	b.want("51 ms apart", SecondStuckClosed)
	if text := SecondStuckClosed.String(); !strings.Contains(text, "second contact") || !strings.Contains(text, "press and release the switch") {
		t.Errorf("%q", text)
	}
	b.pins[1].set(gpio.Low)
	b.run(500)
	b.want("opened late", SecondStuckClosed)
	b.set(gpio.High, gpio.High)
	b.run(500)
	b.want("released", SecondStuckClosed)
	b.press(true, true, 100)
	b.want("pressed and released", None)
}

func TestContactThatWeldsBetweenTwoPresses(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	b.set(gpio.Low, gpio.Low)
	b.run(100)
	b.set(gpio.High, gpio.High)
	b.run(30)
	b.want("not released for long enough", Opened)
	b.press(true, false, 300)
	b.want("pressed once more, and the second stayed shut", SecondStuckClosed)
}

func TestBouncesOfTwoContacts(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	for _, levels := range []string{"01", "11", "01", "10", "00", "00", "01", "00"} { // of both, a millisecond each
		b.set(gpio.Level(levels[0] == '1'), gpio.Level(levels[1] == '1'))
		b.run(1)
	}
	b.run(300)
	for _, levels := range []string{"10", "00", "11", "01", "11", "10", "11", "01"} {
		b.set(gpio.Level(levels[0] == '1'), gpio.Level(levels[1] == '1'))
		b.run(1)
	}
	b.set(gpio.High, gpio.High)
	b.run(51)
	b.want("pressed and released with bounces", None)
}

func TestAdapterThatVanishesIsNoWeldedContact(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	for i := range b.pins {
		b.pins[i].unplug(true)
	}
	b.run(300)
	b.want("gone", Unreadable)
	for i := range b.pins {
		b.pins[i].unplug(false)
	}
	b.run(1000)
	b.want("back", None)
}

func TestVanishedAdapterProvesNoContact(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.run(60)
	b.press(true, false, 300)
	b.want("second welded", SecondStuckClosed)
	for _, gone := range []bool{true, false} {
		for i := range b.pins {
			b.pins[i].unplug(gone)
		}
		b.run(1000)
	}
	b.want("unplugged and back", SecondStuckClosed)
}

func TestPressedAtTheStartNeedsNoSecondPress(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.press(true, true, 300)
	b.want("released", None)
	b = newBench(t, 2, DefaultConfig())
	b.press(true, false, 300)
	b.want("second welded", SecondStuckClosed)
}

func TestSecondContactIsNeededToStart(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	for range 100 {
		b.time += time.Millisecond
		b.sample(0)
	}
	b.want("second never sampled", Starting)
}

func TestAContactNeverSampledDoesNotDisagree(t *testing.T) {
	b := newBench(t, 2, DefaultConfig())
	b.pins[1].set(gpio.Low)
	for range 100 {
		b.time += time.Millisecond
		b.sample(1)
	}
	b.want("first never sampled", Opened)
}
