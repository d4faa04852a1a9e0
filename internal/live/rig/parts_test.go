package rig

import (
	"testing"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
)

func TestTransitionsArriveInOrder(t *testing.T) {
	var ring transitionQueue
	if _, ok := ring.take(); ok {
		t.Error("a transition before the first")
	}
	want := drive.Change{Transition: guard.Transition{From: guard.Driving, To: guard.Fault, Cause: guard.BadTorque}, StopCause: uint8(estop.Opened), OrderedBy: guard.ByPage}
	ring.put(drive.Change{Transition: guard.Transition{From: guard.Ready, To: guard.Engaging, Cause: guard.WheelReady}})
	ring.put(want)
	ring.take()
	if got, ok := ring.take(); !ok || got != want {
		t.Errorf("took %v, %v, want %v", got, ok, want)
	}
	for range 1000 {
		ring.put(want)
	}
	n := 0
	for _, ok := ring.take(); ok; _, ok = ring.take() {
		n++
	}
	if n != len(ring.ring) {
		t.Errorf("%d of 1000 unread transitions kept, want the newest %d", n, len(ring.ring))
	}
}
