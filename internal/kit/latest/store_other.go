//go:build !amd64 || race

package latest

import "sync/atomic"

// storeWords copies words into memory that others may be reading.
func storeWords(to, from []uint64) {
	for i, w := range from {
		atomic.StoreUint64(&to[i], w)
	}
}
