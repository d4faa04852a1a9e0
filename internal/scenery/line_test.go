package scenery

import (
	"testing"

	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/drive"
	"rig.example/rig/sim/driver"
	"rig.example/rig/test/level"
)

func TestTheRigHasALineToDraw(t *testing.T) {
	level.NotQuick(t)
	setup, model := demo(t)
	fast, err := RacingLine(setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := RacingLine(setup, model)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fast.speeds.Time(), slow.speeds.Time(); a < 60 || b > 200 || b < a || !fast.line.Closed() || !slow.line.Closed() {
		t.Errorf("laps of %.1f s and %.1f s", a, b)
	}
	brakes, drives := 0, 0
	for s := 0.0; s < fast.line.Length(); s++ {
		switch _, ahead := fast.speeds.At(s); {
		case ahead < -1:
			brakes++
		case ahead > 1:
			drives++
		}
	}
	if brakes < 200 || drives < 500 {
		t.Errorf("brakes over %d m and speeds up over %d m", brakes, drives)
	}
}

// demo is what a rig of the default configuration is made of, and the driver model of its demo.
func demo(t *testing.T) (*drive.Setup, *driver.Model) {
	t.Helper()
	parts, err := assembly.New(config.Default(), circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		t.Fatal(err)
	}
	model, err := assembly.DemoDriver(&parts.Drive.Setup)
	if err != nil {
		t.Fatal(err)
	}
	return &parts.Drive.Setup, model
}
