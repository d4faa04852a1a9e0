package driver

import (
	"sync"
	"testing"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/sim/road"
)

// loadClub reads the built-in circuit, once for all tests.
var loadClub = sync.OnceValues(func() (*road.Circuit, error) {
	c, _, err := circuit.Load("club", circuit.Options{})
	return c, err
})

// club returns the built-in circuit.
func club(t testing.TB) *road.Circuit {
	t.Helper()
	c, err := loadClub()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
