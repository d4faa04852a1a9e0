package maneuver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
)

const (
	perKWh   = 3.6e6 // [J]
	perHour  = 3600.0
	fuelWay  = 10e3  // [m]
	fuelTime = 600.0 // [s], most of it
)

// thrift is what a stretch at a constant speed took.
type thrift struct {
	speed, way, time float64 // [m/s, m, s]
	fuel, energy     float64 // [L], from the battery [J]
	gear             int8
	rpm              float64
}

// fuel holds a constant speed on a level road in the highest gear that does so, after
// half a minute that does not count, and measures what tank and battery give: 10 km at
// 90 km/h, half a kilometre at other speeds, and a minute of standing.
func fuel(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	r := &Result{Speed: o.Speed}
	main, ok := t.thriftAt(o.Speed, fuelWay, 30)
	if !ok {
		return nil, fmt.Errorf("speed [km/h] = %g: the car does not hold it; choose a lower one", o.Speed/kph)
	}
	r.Rows = t.Out.Rows
	o.Progress(0.5)
	r.judgeThrift(t, main)
	var all []thrift
	for i, speed := range []float64{40, 60, 80, 100, 120, 140, 160} {
		if k, ok := t.thriftAt(speed*kph, fuelWay/20, 15); ok {
			all = append(all, k)
		}
		o.Progress(0.5 + 0.06*float64(i))
	}
	r.judgeSpeeds(all)
	r.judgeIdling(t)
	return r, nil
}

// thriftAt drives so far [m] at a speed [m/s], in the highest gear that holds it, after a
// time that does not count [s].
func (t *run) thriftAt(speed, way, warms float64) (k thrift, ok bool) {
	for gear := int8(len(t.Params.Driveline.Gears)); gear >= 1; gear-- {
		turns := math.Abs(t.Car.Underway(r3.Vec{}, 0, speed, gear).Driveline.Engine)
		if gear > 1 && turns < 1.3*t.Params.Driveline.Idle*math.Pi/30 {
			continue
		}
		if k, ok = t.thriftIn(gear, speed, way, warms); ok {
			return k, true
		}
	}
	return k, false
}

// thriftIn does so in one gear, and tells whether the gear holds the speed.
func (t *run) thriftIn(gear int8, speed, way, warms float64) (thrift, bool) {
	t.Roll(speed, gear)
	t.Input.Assists.Clutch, t.Input.Assists.Shifting = true, false
	foot, hands := driver.CruiseControl{Base: 0.1}, driver.LaneKeeper{}
	drive := func(float64) {
		t.Input.Steer = hands.Steer(&t.Run)
		t.Input.Throttle = foot.Throttle(&t.Run, speed)
	}
	t.Until(warms, drive)
	if math.Abs(t.State.Speed-speed) > max(0.01*speed, 0.05) {
		return thrift{}, false
	}
	t.Begin()
	before := t.State
	t.Until(min(way/speed, fuelTime), drive)
	k := thrift{
		speed: speed, way: t.State.Pos.X - before.Pos.X, time: t.Now(),
		fuel: before.Driveline.Fuel - t.State.Driveline.Fuel, energy: before.Driveline.Battery - t.State.Driveline.Battery,
		gear: t.State.Driveline.Gear, rpm: t.State.RPM(),
	}
	return k, k.way > 0 && !t.RolledOver()
}

// per100 returns litres and kWh for 100 km.
func (k *thrift) per100() (litres, kwh float64) {
	return k.fuel / k.way * 100e3, k.energy / perKWh / k.way * 100e3
}

func (r *Result) judgeThrift(t *run, k thrift) {
	litres, kwh := k.per100()
	full := t.Car.Rest(r3.Vec{}, 0)
	r.add("gear", float64(k.gear), "", "the highest that holds the speed with 1.3 times the idle speed or more")
	r.add("rpm", k.rpm, "1/min", "of the engine")
	r.add("mean_speed_kph", k.way/k.time/kph, "km/h", "over the measured way")
	r.add("distance_m", k.way, "m", "measured way")
	if k.fuel > 0 {
		r.add("fuel_l_per_100km", litres, "L/100 km", "fuel at the speed")
		r.add("range_km", full.Driveline.Fuel/litres*100, "km", "with what is in the tank at the start")
	}
	if k.energy != 0 {
		r.add("energy_kwh_per_100km", kwh, "kWh/100 km", "from the battery at the speed")
		if k.energy > 0 && k.fuel <= 0 {
			r.add("range_km", full.Driveline.Battery/perKWh/kwh*100, "km", "with what is in the battery at the start")
		}
	}
}

// judgeSpeeds gives the plots over speed, and the figure at 120 km/h.
func (r *Result) judgeSpeeds(all []thrift) {
	fuel, energy, gear := Series{Name: "fuel"}, Series{Name: "battery"}, Series{Name: "gear"}
	for _, k := range all {
		litres, kwh := k.per100()
		v := math.Round(k.speed / kph)
		fuel.X, fuel.Y = append(fuel.X, v), append(fuel.Y, litres)
		energy.X, energy.Y = append(energy.X, v), append(energy.Y, kwh)
		gear.X, gear.Y = append(gear.X, v), append(gear.Y, float64(k.gear))
		if v == 120 && k.fuel > 0 {
			r.add("fuel_120_l_per_100km", litres, "L/100 km", "fuel at 120 km/h")
		}
		if v == 120 && k.energy != 0 {
			r.add("energy_120_kwh_per_100km", kwh, "kWh/100 km", "from the battery at 120 km/h")
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

// judgeIdling lets the car stand for a minute out of gear.
func (r *Result) judgeIdling(t *run) {
	const settles, counts = 5.0, 60.0 // [s]
	t.Rest(0, 0, 0)
	t.Until(settles, func(float64) {})
	before := t.State
	t.Until(settles+counts, func(float64) {})
	if burnt := before.Driveline.Fuel - t.State.Driveline.Fuel; burnt > 0 {
		r.add("idle_l_per_h", burnt*perHour/counts, "L/h", "fuel of the idling engine")
	}
	if used := before.Driveline.Battery - t.State.Driveline.Battery; used != 0 {
		r.add("idle_kw", used/counts/1e3, "kW", "from the battery while the car stands")
	}
}
