package motion

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/test/level"
)

// plugPty connects sim to a new pseudo-terminal that name is a link to, as
// /dev/serial/by-id has them.
func plugPty(t *testing.T, sim simulated.Controller, name string) io.Closer {
	t.Helper()
	line, path, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, name); err != nil {
		t.Fatal(err)
	}
	go func() { _ = simulated.Serve(context.Background(), sim, line) }()
	return line
}

// A platform is homed over a real line, notices that the line is lost, and waits for an order to be
// homed when it is back. How long that takes is the machine's business.
func TestPlatformOverAPseudoTerminal(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	name := filepath.Join(t.TempDir(), "platform")
	sim := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	line := plugPty(t, sim, name)
	p, err := New(quickConfig(name), nil)
	if err != nil {
		t.Fatal(err)
	}
	waitState := func(want State) {
		t.Helper()
		for end := time.Now().Add(time.Minute); p.Status().State != want; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never %s; status %+v, actuators at %.3f", want, p.Status(), sim.Positions())
			}
		}
	}
	p.OrderHome()
	go func() { _ = p.Run(context.Background()) }()
	defer p.Close()
	waitState(Ready)
	os.Remove(name)
	line.Close()
	waitState(Absent)
	line = plugPty(t, sim, name)
	defer line.Close()
	waitState(Waiting)
	p.OrderHome()
	waitState(Ready)
}
