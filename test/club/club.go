// Package club loads the built-in circuit "club" for tests.
package club

import (
	"sync"
	"testing"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road"
)

// LoadOnce returns the circuit. Only the first call in a process reads its files.
var LoadOnce = sync.OnceValues(func() (*road.Circuit, error) {
	c, _, err := circuit.Load("club", circuit.Options{})
	return c, err
})

// Circuit returns the circuit and fails the test at once if it cannot be read.
func Circuit(t testing.TB) *road.Circuit {
	t.Helper()
	c, err := LoadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
