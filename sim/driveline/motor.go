package driveline

import (
	"errors"
	"math"
	"slices"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Motor is an electric motor with its battery, in place of the combustion engine. It
// needs no clutch and no idle.
type Motor struct {
	Enabled    bool              `toml:"enabled"`
	Torque     float64           `toml:"torque_nm"`                  // the most it gives
	Power      float64           `toml:"power_kw"`                   // the most at the shaft: above torque's speed the field is weakened
	MaxRPM     float64           `toml:"max_rpm"`                    // no torque above; it fades over the last 2 %
	Regen      float64           `toml:"regen_nm"`                   // braking torque with the throttle released
	RegenPower float64           `toml:"regen_kw"`                   // the most it brakes with, at the shaft
	RegenFade  float64           `toml:"regen_fade_rpm"`             // below it the braking torque fades out
	Efficiency float64           `toml:"efficiency"`                 // from battery to shaft and back
	Map        []EfficiencyPoint `toml:"efficiency_map" most:"1024"` // the same over speed and torque, in place of the constant
	Capacity   float64           `toml:"battery_kwh"`                //
	Charge     float64           `toml:"charge"`                     // of the battery at the start, 0..1
	Auxiliary  float64           `toml:"auxiliary_w"`                // what else takes from the battery
}

// EfficiencyPoint is a point of a motor's efficiency map.
type EfficiencyPoint struct {
	RPM        float64 `toml:"rpm"`
	Torque     float64 `toml:"nm"` // braking or driving alike
	Efficiency float64 `toml:"efficiency"`
}

// DefaultMotor is none, with plausible values for one of a compact car.
func DefaultMotor() Motor {
	return Motor{
		Torque: 310, Power: 150, MaxRPM: 16000, Regen: 90, RegenPower: 60, RegenFade: 400,
		Efficiency: 0.88, Capacity: 58, Charge: 0.8, Auxiliary: 400,
	}
}

// Validate reports every parameter that is out of range.
func (m Motor) Validate() error {
	errs := []error{
		valid.InRange("torque_nm", m.Torque, 1, 5e3),
		valid.InRange("power_kw", m.Power, 0.1, 3e3),
		valid.InRange("max_rpm", m.MaxRPM, 500, 30e3),
		valid.InRange("regen_nm", m.Regen, 0, 5e3),
		valid.InRange("regen_kw", m.RegenPower, 0, 3e3),
		valid.InRange("regen_fade_rpm", m.RegenFade, 1, 5e3),
		valid.InRange("efficiency", m.Efficiency, 0.3, 1),
		valid.InRange("battery_kwh", m.Capacity, 0.01, 1e3),
		valid.InRange("charge", m.Charge, 0, 1),
		valid.InRange("auxiliary_w", m.Auxiliary, 0, 50e3),
	}
	grid := curve.MapRange{List: "efficiency_map", X: "rpm", Y: "nm", Z: "efficiency", Xs: [2]float64{0, 30e3}, Ys: [2]float64{0, 5e3}, Zs: [2]float64{0.05, 1}, Most: 1024}
	return errors.Join(append(errs, grid.Check(m.points())...)...)
}

func (m Motor) points() (list []curve.Point) {
	for _, p := range m.Map {
		list = append(list, curve.Point{X: p.RPM, Y: p.Torque, Z: p.Efficiency})
	}
	return list
}

// clone returns m with a list of its own.
func (m Motor) clone() Motor {
	m.Map = slices.Clone(m.Map)
	return m
}

// curve returns the torque at full throttle over the speed, by points: that of a rotor of
// 1 kg·m² at steps of 1 ms.
func (m Motor) curve() []TorquePoint {
	k := newMotor(m, 1, 1e-3)
	const parts = 48
	list := []TorquePoint{{0, m.Torque}}
	if corner := k.power / k.torque / PerRPM; corner < k.fadeAt/PerRPM-2*parts {
		step := (k.fadeAt/PerRPM - corner) / parts
		for i := range parts {
			rpm := corner + float64(i)*step
			list = append(list, TorquePoint{rpm, k.most(rpm * PerRPM)})
		}
	}
	return append(list, TorquePoint{k.fadeAt / PerRPM, k.most(k.fadeAt)}, TorquePoint{m.MaxRPM, 0})
}

// motor is the constant part of an electric motor and its battery, in SI units.
type motor struct {
	on                bool
	torque, power     float64
	fadeAt, perFade   float64 // torque fades from that speed on, by this share for each rad/s
	regen, regenPower float64
	perSlow           float64   // share of the braking torque for each rad/s
	efficiency        curve.Map // over speed and torque
	capacity          float64   // [J]
	charge            float64   // at the start [J]
	auxiliary         float64   // [W]
}

// newMotor returns a motor whose rotor has an inertia [kg·m²].
func newMotor(m Motor, inertia, dt float64) motor {
	const kilo, hour, fading = 1e3, 3600, 0.02
	top := m.MaxRPM * PerRPM
	fastest := min(m.Torque, m.Power*kilo/top)                // torque where it fades [N·m]
	fade := min(max(fading*top, 4*fastest*dt/inertia), top/2) // slow enough for the tick
	k := motor{
		on: m.Enabled, torque: m.Torque, power: m.Power * kilo,
		fadeAt: top - fade, perFade: 1 / fade,
		regen: m.Regen, regenPower: m.RegenPower * kilo,
		efficiency: curve.Constant(m.Efficiency), capacity: m.Capacity * kilo * hour, auxiliary: m.Auxiliary,
	}
	k.charge = m.Charge * k.capacity
	if len(m.Map) > 0 {
		points := m.points()
		for i := range points {
			points[i].X *= PerRPM
		}
		k.efficiency = curve.NewMap(points)
	}
	k.perSlow = 1 / (m.RegenFade * PerRPM)
	if k.regen > 0 { // a tick's braking must not turn the rotor backward
		k.perSlow = min(k.perSlow, inertia/dt/k.regen/4)
	}
	return k
}

// Electric reports whether a motor drives in place of an engine. It needs no clutch to
// stand still.
func (l *System) Electric() bool { return l.motor.on }

// most returns the torque at full throttle and a speed, from a battery that gives it [N·m].
func (m *motor) most(speed float64) float64 {
	t := m.torque
	if fast := math.Abs(speed); fast*t > m.power {
		t = m.power / fast
	}
	return t * valid.Clamp(1-(speed-m.fadeAt)*m.perFade, 0, 1)
}

// brakes returns the torque with the throttle released [N·m], against the motion.
func (m *motor) brakes(speed float64) float64 {
	t := m.regen
	if fast := math.Abs(speed); fast*t > m.regenPower {
		t = m.regenPower / fast
	}
	return -t * valid.Clamp(speed*m.perSlow, -1, 1)
}

// flatBattery is what a battery keeps that gives no more [J].
const flatBattery = 1

// pull returns the motor's torque in this tick [N·m]: a share of the most by the
// throttle, less one of what it brakes with, as far as the battery goes with it. A cut
// takes both, so that a gear is not held off by what brakes the rotor.
func (m *motor) pull(s *State, o *orders, dt float64) float64 {
	s.Power.Running = !o.Off && s.Battery > flatBattery
	if !s.Power.Running {
		return 0
	}
	t := (1 - o.Cut) * (o.Throttle*m.most(s.Engine) + (1-o.Throttle)*m.brakes(s.Engine))
	power := t * s.Engine
	eff := m.efficiency.At(math.Abs(s.Engine), math.Abs(t))
	const margin = 0.5 // of what the battery has or takes yet: the tick's own speed differs
	can := margin * eff * s.Battery / dt
	if power < 0 {
		can = margin / eff * (m.capacity - s.Battery) / dt
	}
	if power = math.Abs(power); power > can {
		t *= can / power
	}
	return t
}

// draws returns what the battery gives [W] at a torque on the rotor [N·m] and a speed
// [rad/s], negative where it is charged.
func (m *motor) draws(s *State, torque, speed float64) float64 {
	if !s.Power.Running {
		return 0
	}
	power, eff := torque*speed, m.efficiency.At(math.Abs(speed), math.Abs(torque))
	if power < 0 {
		return m.auxiliary + power*eff
	}
	return m.auxiliary + power/eff
}
