package scenery

import (
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/sim/driver"
	"rig.example/rig/test/level"
)

func TestTheRigHasALineToDraw(t *testing.T) {
	level.SkipIfQuick(t)
	setup, model := demo(t)
	fast, err := NewRacingLine(setup, nil)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := NewRacingLine(setup, model)
	if err != nil {
		t.Fatal(err)
	}
	lapTime := func(l RacingLine) (sum float64) {
		for s := 0.5; s < l.line.Length(); s++ {
			v, _ := l.speeds.At(s)
			sum += 1 / v
		}
		return sum
	}
	if a, b := lapTime(fast), lapTime(slow); a < 60 || b > 200 || b < a || !fast.line.Closed() || !slow.line.Closed() {
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
	parts, err := drivesetup.New(config.Default(), circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		t.Fatal(err)
	}
	model, err := drivesetup.DemoDriver(&parts.Drive.Setup)
	if err != nil {
		t.Fatal(err)
	}
	return &parts.Drive.Setup, model
}
