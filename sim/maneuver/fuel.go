package maneuver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/driver"
)

const (
	perKWh       = 3.6e6 // [J]
	perHour      = 3600.0
	fuelDistance = 10e3  // measured distance [m]
	maxFuelTime  = 600.0 // longest measurement [s]
)

// consumption is the outcome of driving at a constant speed.
type consumption struct {
	speed, distance, time float64 // speed [m/s], distance [m] and time [s]
	fuel, energy          float64 // fuel [L] and energy from the battery [J]
	gear                  int8
	rpm                   float64
}

// fuel holds a constant speed on a level road in the highest gear that can, and measures the consumption
// from tank and battery, after half a minute to settle: 10 km at 90 km/h, half a kilometre at other
// speeds, and a minute at standstill.
func fuel(t *run, r *Result, o Options) error {
	main, ok := t.consumptionAt(o.Speed, fuelDistance, 30)
	if !ok {
		return fmt.Errorf("speed [km/h] = %g: the car does not hold it; choose a lower one", o.Speed/kph)
	}
	r.Rows = t.Out.Rows
	o.Progress(0.5)
	r.addConsumptionMetrics(t, main)
	var all []consumption
	for i, speed := range []float64{40, 60, 80, 100, 120, 140, 160} {
		if k, ok := t.consumptionAt(speed*kph, fuelDistance/20, 15); ok {
			all = append(all, k)
		}
		o.Progress(0.5 + 0.06*float64(i))
	}
	r.addConsumptionOverSpeed(all)
	r.addIdleConsumption(t)
	return nil
}

// consumptionAt measures the consumption over a distance [m] at a speed [m/s], in the highest gear that
// holds it, after a time to settle [s]. It reports whether there is such a gear.
func (t *run) consumptionAt(speed, distance, settleTime float64) (k consumption, ok bool) {
	for gear := int8(len(t.Params.Driveline.Gears)); gear >= 1; gear-- {
		engineSpeed := math.Abs(t.Car.Underway(r3.Vec{}, 0, speed, gear).Driveline.EngineSpeed)
		if gear > 1 && engineSpeed < 1.3*t.Params.Driveline.IdleRPM*math.Pi/30 {
			continue
		}
		if k, ok = t.consumptionInGear(gear, speed, distance, settleTime); ok {
			return k, true
		}
	}
	return k, false
}

// consumptionInGear measures the consumption in one gear. It reports whether the gear holds the speed.
func (t *run) consumptionInGear(gear int8, speed, distance, settleTime float64) (consumption, bool) {
	t.PlaceRolling(speed, gear)
	t.Input.Assists.AutoClutch, t.Input.Assists.AutoShift = true, false
	cruise, lane := driver.CruiseControl{Base: 0.1}, driver.LaneKeeper{}
	drive := func(float64) {
		t.Input.Steer = lane.Steer(&t.Run)
		t.Input.Throttle = cruise.Throttle(&t.Run, speed)
	}
	t.RunUntil(settleTime, drive)
	if math.Abs(t.State.Speed-speed) > max(0.01*speed, 0.05) {
		return consumption{}, false
	}
	t.StartRecording()
	before := t.State
	t.RunUntil(min(distance/speed, maxFuelTime), drive)
	k := consumption{
		speed: speed, distance: t.State.Pos.X - before.Pos.X, time: t.Now(),
		fuel: before.Driveline.Fuel - t.State.Driveline.Fuel, energy: before.Driveline.Battery - t.State.Driveline.Battery,
		gear: t.State.Driveline.Gear, rpm: t.State.RPM(),
	}
	return k, k.distance > 0 && !t.RolledOver()
}

// per100 returns litres and kWh per 100 km.
func (k *consumption) per100() (litres, kwh float64) {
	return k.fuel / k.distance * 100e3, k.energy / perKWh / k.distance * 100e3
}

// addConsumptionMetrics adds the metrics of the main speed.
func (r *Result) addConsumptionMetrics(t *run, k consumption) {
	litres, kwh := k.per100()
	full := t.Car.Rest(r3.Vec{}, 0)
	r.add("gear", float64(k.gear), "", "highest gear that holds the speed with 1.3 times the idle speed or more")
	r.add("rpm", k.rpm, "1/min", "engine speed")
	r.add("mean_speed_kph", k.distance/k.time/kph, "km/h", "over the measured distance")
	r.add("distance_m", k.distance, "m", "measured distance")
	if k.fuel > 0 {
		r.add("fuel_l_per_100km", litres, "L/100 km", "fuel consumption at the speed")
		r.add("range_km", full.Driveline.Fuel/litres*100, "km", "with what is in the tank at the start")
	}
	if k.energy != 0 {
		r.add("energy_kwh_per_100km", kwh, "kWh/100 km", "energy from the battery at the speed")
		if k.energy > 0 && k.fuel <= 0 {
			r.add("range_km", full.Driveline.Battery/perKWh/kwh*100, "km", "with what is in the battery at the start")
		}
	}
}

// addConsumptionOverSpeed adds the plots over speed and the metrics at 120 km/h.
func (r *Result) addConsumptionOverSpeed(all []consumption) {
	fuel, energy, gear := Series{Name: "fuel"}, Series{Name: "battery"}, Series{Name: "gear"}
	for _, k := range all {
		litres, kwh := k.per100()
		v := math.Round(k.speed / kph)
		fuel.X, fuel.Y = append(fuel.X, v), append(fuel.Y, litres)
		energy.X, energy.Y = append(energy.X, v), append(energy.Y, kwh)
		gear.X, gear.Y = append(gear.X, v), append(gear.Y, float64(k.gear))
		if v == 120 && k.fuel > 0 {
			r.add("fuel_120_l_per_100km", litres, "L/100 km", "fuel consumption at 120 km/h")
		}
		if v == 120 && k.energy != 0 {
			r.add("energy_120_kwh_per_100km", kwh, "kWh/100 km", "energy from the battery at 120 km/h")
		}
	}
	const label = "speed [km/h]"
	for _, tr := range []Trace{
		{"Fuel", label, "L/100 km", []Series{fuel}},
		{"Energy", label, "kWh/100 km", []Series{energy}},
		{"Gear", label, "gear", []Series{gear}},
	} {
		if s := tr.Series[0].Y; len(s) > 1 && (s[0] != 0 || s[len(s)-1] != 0) {
			r.Traces = append(r.Traces, tr)
		}
	}
}

// addIdleConsumption measures a minute at standstill, out of gear.
func (r *Result) addIdleConsumption(t *run) {
	const settleTime, measureTime = 5.0, 60.0 // [s]
	t.PlaceAtRest(0, 0, 0)
	t.RunUntil(settleTime, func(float64) {})
	before := t.State
	t.RunUntil(settleTime+measureTime, func(float64) {})
	if burnt := before.Driveline.Fuel - t.State.Driveline.Fuel; burnt > 0 {
		r.add("idle_l_per_h", burnt*perHour/measureTime, "L/h", "fuel consumption of the idling engine")
	}
	if used := before.Driveline.Battery - t.State.Driveline.Battery; used != 0 {
		r.add("idle_kw", used/measureTime/1e3, "kW", "power from the battery while the car stands")
	}
}
