package drivereport

import (
	"math"
	"time"

	"rig.example/rig/internal/files/drivelog"
)

// The oval of the tests: two straights of 300 m and two bends with a radius of 60 m.
const (
	straight = 300.0
	radius   = 60.0
	lapOval  = 2*straight + 2*math.Pi*radius
)

// onOval returns the place at a distance along the oval, and the curvature there.
func onOval(s float64) (x, y, curvature float64) {
	bend := math.Pi * radius
	s = math.Mod(s, lapOval)
	switch {
	case s < straight:
		return s, 0, 0
	case s < straight+bend:
		a := (s - straight) / radius
		return straight + radius*math.Sin(a), radius - radius*math.Cos(a), 1 / radius
	case s < 2*straight+bend:
		return straight - (s - straight - bend), 2 * radius, 0
	}
	a := (s - 2*straight - bend) / radius
	return -radius * math.Sin(a), radius + radius*math.Cos(a), 1 / radius
}

// oval returns a drive of 60 s on the oval: two laps of a car that brakes before the bends. pace scales its speed.
func oval(pace float64) *drivelog.Log {
	const rate, n = 100, 6000
	log := &drivelog.Log{Car: "club_racer", Track: "oval", Began: time.Date(2026, 5, 3, 14, 30, 0, 0, time.UTC), Rate: rate}
	at := map[string]int{}
	put := func(i int, name, unit string, decimals int, v float64) {
		k, ok := at[name]
		if !ok {
			k = len(log.Channels)
			at[name] = k
			log.Channels = append(log.Channels, drivelog.Channel{Name: name, Unit: unit, Decimals: decimals, Values: make([]float64, n)})
		}
		log.Channels[k].Values[i] = v
	}
	s, v, ay := lapOval-30, 30*pace, 0.0
	lapStart, half := math.NaN(), 0.0
	for i := range n {
		t := float64(i) / rate
		before := s
		_, _, ahead := onOval(s + 55)
		x, y, curvature := onOval(s)
		target := (62 - 31*min(1, (ahead+curvature)*radius)) * pace
		ax := min(max(1.4*(target-v), -9), 5.5*(1-v/90))
		v += ax / rate
		s += v / rate
		ay += (v*v*curvature - ay) * 0.06
		noise := math.Sin(t*61) + math.Sin(t*97+1)

		put(i, "speed", "m/s", 2, v)
		put(i, "throttle", "", 3, min(1, max(0, ax/4.5)))
		put(i, "brake", "", 3, min(1, max(0, -ax/9.5)))
		put(i, "clutch", "", 3, max(0, 1-t))
		put(i, "steering_wheel_angle", "rad", 4, ay*0.09+0.01*noise)
		gear := min(6, 2+math.Floor(v/12))
		put(i, "gear", "", 0, gear)
		put(i, "engine_speed", "rad/s", 1, v/(0.02+0.0115*gear)/2)
		put(i, "longitudinal_acceleration", "m/s²", 2, ax+0.2*noise)
		put(i, "lateral_acceleration", "m/s²", 2, ay+0.2*noise)
		put(i, "yaw_rate", "rad/s", 3, ay/v)
		put(i, "position_x", "m", 2, x)
		put(i, "position_y", "m", 2, y+1.5*math.Sin(s/80))
		put(i, "station", "m", 1, math.Mod(s, lapOval))
		want := ay*0.62 + 0.4*noise
		put(i, "rim_torque_requested", "N·m", 2, want)
		put(i, "rim_torque", "N·m", 2, min(max(want, -8), 8))
		for w, wheel := range []string{"fl", "fr", "rl", "rr"} {
			side, end := float64(1-2*(w%2)), float64(1-2*(w/2))
			load := 3000 - side*ay*140 - end*ax*90 + 60*math.Sin(t*40+float64(w))
			put(i, "wheel_"+wheel+"_load", "N", 0, load)
			put(i, "wheel_"+wheel+"_travel", "m", 4, (load-3000)/90e3)
			put(i, "wheel_"+wheel+"_slip_ratio", "", 4, ax*0.004*(1-0.3*end)+0.001*noise)
			put(i, "wheel_"+wheel+"_slip_angle", "rad", 4, -ay*0.008*(1+0.1*end))
		}
		for k, axis := range []string{"surge", "sway", "heave", "roll", "pitch", "yaw"} {
			unit, demand := "m", []float64{ax * 0.006, ay * 0.005, 0.004 * noise}
			if k > 2 {
				unit, demand = "rad", []float64{ay * 0.006, -ax * 0.005, 0.002 * noise}
			}
			put(i, "platform_"+axis, unit, 4, demand[k%3])
			late := log.Channels[at["platform_"+axis]].Values[max(0, i-8)]
			put(i, "platform_measured_"+axis, unit, 4, 0.97*late)
		}
		put(i, "lateness", "s", 7, 8e-6+3e-6*math.Abs(noise)+math.Max(0, math.Sin(t*13)-0.999)*0.2)

		if math.Mod(before, lapOval) < lapOval/2 && math.Mod(s, lapOval) >= lapOval/2 {
			half = t
		}
		if math.Mod(s, lapOval) < math.Mod(before, lapOval) {
			if !math.IsNaN(lapStart) {
				log.Laps = append(log.Laps, drivelog.Lap{Number: len(log.Laps) + 1, Start: lapStart, Time: t - lapStart, Valid: true, Splits: []float64{half - lapStart, t - half}})
			}
			lapStart = t
		}
	}
	log.Events = []drivelog.Event{
		{Time: 0.5, Kind: drivelog.Transition, Text: "engaging to driving"},
		{Time: 21.3, Kind: drivelog.Mark, Text: "mark 1"},
		{Time: 40.2, Kind: drivelog.Gap, Text: "3 ticks are missing"},
		{Time: 51.7, Kind: drivelog.Fault, Text: "platform: leg 3 does not follow its target"},
	}
	return log
}
