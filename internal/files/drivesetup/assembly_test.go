package drivesetup_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/sim"
)

// A configuration becomes a drive that stands at the start of its circuit.
func ExampleNew() {
	cfg := config.Default()
	cfg.Track = "skidpad"
	parts, err := drivesetup.New(cfg, circuit.Options{})
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
		if _, err := drivesetup.New(cfg, circuit.Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want it to name %q", err, tt.want)
		}
	}
}

// The engine's vibration has the firing order of the car's cylinders, unless the configuration has another number.
func TestTheForceKnowsTheCarsCylinders(t *testing.T) {
	for _, tt := range []struct {
		car       string
		cylinders int // of the configuration
		want      float64
	}{
		{"coupe", 0, 100}, {"hatch", 0, 200. / 3}, {"coupe", 3, 50},
	} {
		cfg := config.Default()
		cfg.Car, cfg.Track, cfg.FFB.Effects.Engine, cfg.FFB.Effects.Cylinders = tt.car, "skidpad", 1, tt.cylinders
		parts, err := drivesetup.New(cfg, circuit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		setup := &parts.Drive.Setup
		if err := drivesetup.AddForce(setup, cfg.FFB); err != nil {
			t.Fatal(err)
		}
		for i, chain := range setup.ForceChains {
			if got := firings(chain, 2000); math.Abs(got-tt.want) > 1 {
				t.Errorf("chain %d of %s with %d: %.1f firings a second at 2000 rpm, want %.1f", i, tt.car, tt.cylinders, got, tt.want)
			}
		}
	}
}

// firings returns how often a second the effect of the engine swings at an engine speed [1/min].
func firings(chain *ffb.Chain, rpm float64) float64 {
	const seconds = 2
	var car sim.State
	car.Driveline.EngineSpeed, car.Driveline.Engine.Running, car.Driveline.Fuel = rpm*math.Pi/30, true, 1
	force, last, n := chain.Start(), 0.0, 0
	for range int(seconds / sim.Dt) {
		car.Tick++
		chain.Torque(&force, &car, ffb.Wheel{Present: true, Rated: 8})
		now := force.Trace().Effects[ffb.Engine]
		if last <= 0 && now > 0 {
			n++
		}
		last = now
	}
	return float64(n) / seconds
}

// A controller that takes poses gets them as shares of its ranges.
func TestPosesForAControllerThatTakesThem(t *testing.T) {
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.Port, cfg.Motion.Motion4Sim.Frames = motion.ProtocolMotion4Sim, "/dev/null", motion4sim.Pose
	cfg.Motion.Motion4Sim.Surge, cfg.Motion.Motion4Sim.Roll = 100, -10
	m, err := drivesetup.Platform(cfg)
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
