// Package club gives tests the built-in circuit of that name.
package club

import (
	"sync"
	"testing"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/sim/road"
)

// Load reads the circuit, once for all tests of a program.
var Load = sync.OnceValues(func() (*road.Circuit, error) {
	c, _, err := circuit.Load("club", circuit.Options{})
	return c, err
})

// Circuit returns it, and ends the test if it cannot be read.
func Circuit(t testing.TB) *road.Circuit {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
