package rt

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// What a drive leaves behind fits into what was there before it.
func TestAReserveKeepsTheHeapFromGrowing(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	debug.FreeOSMemory()
	reserveHeap()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var kept [][]byte
	for range heapReserve / 2 / 1024 {
		kept = append(kept, make([]byte, 1024))
	}
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 0 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	if released := int64(before.HeapReleased) - int64(after.HeapReleased); released > heapReserve/16 {
		t.Errorf("%d bytes had to be fetched from the kernel", released)
	}
}
