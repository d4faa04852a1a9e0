//go:build amd64 && !amd64.v3

package rig

import (
	"runtime"
	"runtime/debug"
	"testing"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// Each replug leaves garbage, which nobody collects while the car drives. Of a hundred, the later ones take no more memory.
func TestReplugsDoNotGrowTheHeap(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // as in a drive
	_, _, s, _ := seatedDemo(t)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	garbage, before := []byte(nil), int64(0)
	for n := range 100 {
		garbage = make([]byte, 265_000)
		for _, flags := range []uint64{0, frame.WheelPresent} {
			s.rig.page.Publish(&frame.Frame{Tick: uint64(n), State: uint64(guard.Driving), Flags: flags})
			s.check(t.Context())
		}
		if n == 25 {
			before = heap()
		}
	}
	runtime.KeepAlive(garbage)
	if grown := heap() - before; grown > 4_500_000 {
		t.Errorf("the heap grew by %d kB from the 25th replug to the 100th", grown/1000)
	}
}
