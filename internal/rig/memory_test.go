package rig

import (
	"context"
	"io"
	"testing"

	"rig/devices/motion"
)

// inMemory puts a simulated controller of so many actuators in the place of the configured
// one, for a bubble of testing/synctest.
func inMemory(t *testing.T, cfg *motion.Config, axes int) (dial func() (io.ReadWriteCloser, error), serve func(context.Context) error) {
	t.Helper()
	dial, serve, err := controllerInMemory(cfg, axes)
	if err != nil {
		t.Fatal(err)
	}
	return dial, serve
}
