package maneuver

import (
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// thirsty is a car that nothing but the air holds back: at 90 km/h
// 0.5·1.225·0.65·25² = 248.83 N, which is 6.912 kWh for 100 km.
func thirsty() sim.Params {
	p := frictionless()
	p.DragArea = 0.65
	p.Driveline.Efficiency, p.Driveline.SpinLoss = 1, 0
	p.Fuel.BSFC, p.Fuel.Density, p.Fuel.IdleRate = 0.25, 0.75, 0
	return p
}

func TestFuelOfAConstantSpeedFollowsTheFormula(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := do(t, "fuel", thirsty(), Options{Dt: milliseconds(4, 2)})
	near.Value(t, "litres for 100 km at 90 km/h", figure(t, r, "fuel_l_per_100km"), 6.912*0.25/0.75, 0.02)
	near.Value(t, "at 120 km/h", figure(t, r, "fuel_120_l_per_100km"), 6.912*16/9*0.25/0.75, 0.04)
	near.Value(t, "speed", figure(t, r, "mean_speed_kph"), 90, 0.01)
	near.Value(t, "way", figure(t, r, "distance_m"), 10e3, 5)
	near.Value(t, "gear", figure(t, r, "gear"), 6, 0)
	if !level.All() {
		return
	}
	slow := do(t, "fuel", thirsty(), Options{Dt: 2e-3, Speed: 60 * kph})
	near.Value(t, "at 60 km/h", figure(t, slow, "fuel_l_per_100km"), 6.912*4/9*0.25/0.75, 0.01)
}

func TestEnergyOfAConstantSpeedFollowsTheFormula(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := thirsty()
	m := &p.Driveline.Motor
	m.Enabled, m.Efficiency, m.AuxiliaryPower = true, 0.9, 450
	p.Driveline.Gears = []float64{2.5}
	p.Driveline.Gearbox.Kind = "single"
	r := do(t, "fuel", p, Options{Dt: milliseconds(4, 2)})
	near.Value(t, "kWh for 100 km at 90 km/h", figure(t, r, "energy_kwh_per_100km"), 6.912/0.9+0.45*100/90, 0.08)
	near.Value(t, "kW standing", figure(t, r, "idle_kw"), 0.45, 0.005)
	for _, k := range r.Metrics {
		if k.Name == "fuel_l_per_100km" {
			t.Error("a motor takes fuel")
		}
	}
}

func TestIdleConsumptionEqualsTheCarsParameter(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	p := sim.DefaultCar()
	p.Fuel.IdleRate = 1.1
	r := do(t, "fuel", p, Options{Dt: milliseconds(4, 2)})
	near.Value(t, "litres an hour", figure(t, r, "idle_l_per_h"), 1.1, 0.03)
	litres, far := figure(t, r, "fuel_l_per_100km"), figure(t, r, "range_km")
	if litres < 4 || litres > 9 || far < 500 || far > 1500 {
		t.Errorf("%.1f L for 100 km, %.0f km far", litres, far)
	}
}

func TestASpeedThatTheCarDoesNotHoldIsAnError(t *testing.T) {
	p := sim.DefaultCar()
	p.DragArea = 8
	if _, err := Do("fuel", p, Options{Dt: 2e-3, Speed: 160 * kph}); err == nil {
		t.Error("160 km/h against a barn door")
	}
}
