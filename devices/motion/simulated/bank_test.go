package simulated_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/simulated"
)

func ExampleServoBank() {
	b := simulated.NewServoBank([]float64{0.2, 0.5})
	b.MoveTo(0.8, simulated.UnlimitedSpeed)
	pass(&b, 2*time.Second)
	fmt.Printf("%.2f\n", b.Positions())
	// Output: [0.80 0.80]
}

// pass lets d pass.
func pass(b *simulated.ServoBank, d time.Duration) {
	for range d / simulated.Period {
		b.Step()
	}
}

// A target that runs slowly takes its actuator with it; one without power takes nothing.
func TestServosRunNoFasterThanTold(t *testing.T) {
	b := simulated.NewServoBank([]float64{0.2})
	b.MoveTo(0.8, 0.1)
	pass(&b, 3*time.Second)
	if at := b.Positions()[0]; math.Abs(at-0.5) > 0.02 {
		t.Errorf("at %.3f after 3 s at 0.1 strokes/s from 0.2", at)
	}
	b.SetPower(false)
	b.MoveTo(0.8, simulated.UnlimitedSpeed)
	before := b.Positions()[0]
	pass(&b, 3100*time.Millisecond)
	if at := b.Positions()[0]; math.Abs(at-before) > 0.02 {
		t.Errorf("without power it went from %.3f to %.3f", before, at)
	}
}
