package maneuver

import (
	"slices"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/near"
)

func TestAnEngineStallsAndStarts(t *testing.T) {
	p := sim.DefaultCar()
	r := do(t, "stall-start", p, Options{})
	if !verdict(t, r, "stalls") || !verdict(t, r, "settles") || verdict(t, r, "hill_stalls") {
		t.Errorf("%v", r.Metrics)
	}
	if when := figure(t, r, "stall_time_s"); when < 0.02 || when > 1 {
		t.Errorf("stalls after %.3f s", when)
	}
	if takes := figure(t, r, "restart_s"); takes < 0.02 || takes > 2 {
		t.Errorf("runs after %.3f s", takes)
	}
	near.Value(t, "idle speed", figure(t, r, "idle_rpm"), p.Driveline.IdleRPM, 30)
	if back := figure(t, r, "rollback_mm"); back > 5 {
		t.Errorf("rolls back %.1f mm", back)
	}
	if far := figure(t, r, "hill_5_m_s"); far < 1 || far > 8 {
		t.Errorf("5 m uphill after %.1f s", far)
	}
}

func TestAMotorNeitherStallsNorNeedsAStarter(t *testing.T) {
	p := sim.DefaultCar()
	p.Driveline.Motor.Enabled = true
	p.Driveline.Gears = []float64{2.5}
	p.Driveline.Gearbox.Kind = "single"
	r := do(t, "stall-start", p, Options{Dt: 2e-3})
	if verdict(t, r, "stalls") || !slices.Contains(r.Notes, "the engine cannot be switched off; it needs no starter") {
		t.Errorf("%v, %v", r.Metrics, r.Notes)
	}
	if back := figure(t, r, "rollback_mm"); back > 5 {
		t.Errorf("rolls back %.1f mm", back)
	}
}

func TestAnAutomaticCreepsInsteadOfStalling(t *testing.T) {
	p := sim.DefaultCar()
	p.Driveline.Gearbox.Kind = "automatic"
	r := do(t, "stall-start", p, Options{Dt: 2e-3})
	if verdict(t, r, "stalls") || figure(t, r, "stall_way_m") < 1 {
		t.Errorf("%v", r.Metrics)
	}
}
