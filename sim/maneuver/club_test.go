package maneuver

import (
	"testing"

	"rig/internal/circuit"
	"rig/sim/road"
)

// club returns the built-in circuit.
func club(t testing.TB) *road.Circuit {
	t.Helper()
	c, err := circuit.Load("club", "dry")
	if err != nil {
		t.Fatal(err)
	}
	return c
}
