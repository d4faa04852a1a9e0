package evdev

import "testing"

// Each reader sees every event once, or learns that some were lost.
func TestNextReturnsEveryEventOnce(t *testing.T) {
	in := &Input{}
	key := func(value int32) { in.apply(&Event{Type: EvKey, Code: 0x120, Value: value}) }
	key(1) // before anybody followed
	first, second := in.EventEnd(), in.EventEnd()
	if ev, lost := in.NextEvent(&first); ev != nil || lost {
		t.Errorf("got %+v, lost %v before any event", ev, lost)
	}
	for v := range int32(eventRingSize) {
		key(v)
	}
	for v := range int32(eventRingSize) {
		if ev, lost := in.NextEvent(&first); ev == nil || lost || ev.Value != v {
			t.Fatalf("event %d is returned as %+v, lost %v", v, ev, lost)
		}
	}
	key(7)
	if ev, lost := in.NextEvent(&second); ev != nil || !lost {
		t.Errorf("got %+v, lost %v; want a loss: one more came than is remembered", ev, lost)
	}
	if ev, lost := in.NextEvent(&second); ev != nil || lost {
		t.Errorf("got %+v, lost %v after the loss", ev, lost)
	}
	if ev, lost := in.NextEvent(&first); ev == nil || lost || ev.Value != 7 {
		t.Errorf("the other follower got %+v, lost %v", ev, lost)
	}
	in.events.skip()
	if _, lost := in.NextEvent(&first); !lost {
		t.Error("a gap was not reported")
	}
}
