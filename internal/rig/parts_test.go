package rig

import (
	"testing"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/guard"
)

func TestTransitionsArriveInOrder(t *testing.T) {
	var ring transitionQueue
	if _, _, ok := ring.take(); ok {
		t.Error("a transition before the first")
	}
	want := guard.Transition{From: guard.Driving, To: guard.Fault, Cause: guard.BadTorque}
	ring.put(guard.Transition{From: guard.Ready, To: guard.Engaging, Cause: guard.WheelReady}, estop.None)
	ring.put(want, estop.Opened)
	ring.take()
	if got, why, ok := ring.take(); !ok || got != want || why != estop.Opened {
		t.Errorf("took %v, %v %v, want %v", got, why, ok, want)
	}
	for range 1000 {
		ring.put(want, estop.None)
	}
	n := 0
	for _, _, ok := ring.take(); ok; _, _, ok = ring.take() {
		n++
	}
	if n != len(ring.ring) {
		t.Errorf("%d of 1000 unread transitions kept, want the newest %d", n, len(ring.ring))
	}
}
