package assembly_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
)

// A configuration becomes a drive that stands at the start of its circuit.
func ExampleNew() {
	cfg := config.Default()
	cfg.Track = "skidpad"
	parts, err := assembly.New(cfg, circuit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(parts.Drive.State.Guard.State(), parts.Drive.State.Car.Tick, parts.Drive.Setup.Platform.Names())
	// Output: parked 0 [left right]
}

func TestWhatCannotBeBuiltIsNamed(t *testing.T) {
	for _, tt := range []struct {
		edit func(*config.Config)
		want string
	}{
		{func(c *config.Config) { c.Car = "no such car" }, "no such car"},
		{func(c *config.Config) { c.Track = "no such track" }, "no such track"},
	} {
		cfg := config.Default()
		cfg.Track = "skidpad"
		tt.edit(&cfg)
		if _, err := assembly.New(cfg, circuit.Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want it to name %q", err, tt.want)
		}
	}
}

// A controller that takes poses gets them as shares of its ranges.
func TestPosesForAControllerThatTakesThem(t *testing.T) {
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.Motion4Sim.Frames = motion.ProtocolMotion4Sim, "/dev/null", motion4sim.Pose
	cfg.Motion.Motion4Sim.Surge, cfg.Motion.Motion4Sim.Roll = 100, -10
	m, err := assembly.Platform(cfg)
	if err != nil {
		t.Fatal(err)
	}
	legs, _ := m.Legs(cueing.Pose{Surge: 0.05, Roll: 5 * math.Pi / 180, Belt: 0.5})
	for i, want := range [...]float64{0.75, 0.5, 0.5, 0.75, 0.5, 0.5, 0.75, 0.5} { // the line turns roll round
		if math.Abs(legs[i]-want) > 1e-12 {
			t.Errorf("leg %d at %g, want %g", i, legs[i], want)
		}
	}
	if pose, ok := m.Pose(legs, cueing.Pose{}); !ok || math.Abs(pose.Surge-0.05) > 1e-12 || math.Abs(pose.Roll-5*math.Pi/180) > 1e-12 {
		t.Errorf("back %+v", pose)
	}
	legs, scale := m.Legs(cueing.Pose{Surge: 0.2, Roll: 10 * math.Pi / 180})
	if !(legs[0] > 0.87 && legs[0] <= 0.9) || math.Abs((legs[3]-0.5)/(legs[0]-0.5)-0.5) > 0.01 {
		t.Errorf("beyond its range: %v, scale %g", legs, scale)
	}
	legs, _ = m.Legs(cueing.Pose{Surge: math.NaN(), Roll: math.Inf(1)})
	for i, l := range legs {
		if l != 0.5 {
			t.Errorf("leg %d at %g of no pose", i, l)
		}
	}
	if m.Axes() != len(m.Names()) || math.Abs(m.Workspace().Surge-0.8*0.95*0.1) > 1e-9 {
		t.Errorf("%d axes, %v, reach %g", m.Axes(), m.Names(), m.Workspace().Surge)
	}
}
