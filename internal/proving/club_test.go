package proving_test

import (
	"testing"

	"rig/internal/circuit"
	"rig/sim/road"
)

// club returns the built-in circuit.
func club(t testing.TB) *road.Circuit {
	t.Helper()
	c, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
