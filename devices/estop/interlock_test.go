package estop

import (
	"testing"

	"periph.io/x/conn/v3/gpio"
)

func TestAnInterlockIsASwitchOfItsOwn(t *testing.T) {
	c := DefaultConfig()
	c.Pin, c.SecondPin, c.Relay, c.Interlock, c.Pull, c.DebounceMs, c.Required = "a", "b", "c", "d", "none", 200, true
	for wiring, pull := range map[string]gpio.Pull{NormallyClosed: gpio.PullDown, NormallyOpen: gpio.PullUp} {
		c.InterlockWiring = wiring
		one := c.interlockSwitch()
		if one.Pin != "d" || one.SecondPin != "" || one.Relay != "" || one.DebounceMs != 200 || one.resistor() != pull {
			t.Errorf("%s: %+v", wiring, one)
		}
		if err := one.Validate(); err != nil {
			t.Errorf("%s: %v", wiring, err)
		}
	}
}

func TestAnInterlockOpensAtOnceAndWithItsCable(t *testing.T) {
	c := DefaultConfig()
	c.Interlock = "d"
	b := newBench(t, 1, c.interlockSwitch())
	b.run(60)
	b.want("fastened", None)
	b.pins[0].set(gpio.Low)
	b.run(1)
	b.want("opened", Opened)
}

func TestEveryReasonOfAnInterlockHasWords(t *testing.T) {
	for cause, want := range map[Cause]string{
		Starting: "not seen closed yet", Opened: "open, or its cable is", Unreadable: "its line cannot be read", NotSampled: "its line is not being looked at",
	} {
		if got := cause.InterlockText(); got != want {
			t.Errorf("%v: %q, want %q", cause, got, want)
		}
	}
}
