package circuit

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel runs work(0) to work(n-1) on all processors and returns when all are done.
func Parallel(n int, work func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	wg.Wait()
}
