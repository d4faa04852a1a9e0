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
	const runtimeOwn = heapReserve / 16 // for the runtime's own stacks meanwhile, a small part of what is kept
	// A stack that the runtime frees becomes heap, and the other way round: their sum is what the kernel gave.
	if grown := int64(after.HeapSys+after.StackSys) - int64(before.HeapSys+before.StackSys); grown > runtimeOwn {
		t.Errorf("heap and stacks grew by %d bytes", grown)
	}
	if released := int64(before.HeapReleased) - int64(after.HeapReleased); released > runtimeOwn {
		t.Errorf("%d bytes had to be fetched from the kernel", released)
	}
}
