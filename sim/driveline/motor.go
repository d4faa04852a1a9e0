package driveline

import (
	"errors"
	"math"
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Motor describes an electric motor with its battery, instead of the combustion engine. It needs no clutch
// and has no idle speed.
type Motor struct {
	// an electric motor in place of the engine: `torque`, `[driveline.engine]`, `[driveline.turbo]` and
	// `[fuel]` no longer count. It needs no clutch: give one gear
	Enabled bool    `toml:"enabled"`
	Torque  float64 `toml:"torque_nm" range:"1..5000"`  // largest torque
	Power   float64 `toml:"power_kw" range:"0.1..3000"` // largest power at the shaft
	// largest speed; the torque fades out over the last 2 %
	MaxRPM     float64 `toml:"max_rpm" range:"500..30000"`
	Regen      float64 `toml:"regen_nm" range:"0..5000"` // regenerative torque with the throttle released
	RegenPower float64 `toml:"regen_kw" range:"0..3000"` // largest regenerative power at the shaft
	// speed below which the regenerative torque fades out, so that the car rolls to rest
	RegenFade  float64 `toml:"regen_fade_rpm" range:"1..5000"`
	Efficiency float64 `toml:"efficiency" range:"0.3..1"` // efficiency from battery to shaft and back
	// efficiency over motor speed and torque, instead of the constant; points `{ rpm, nm, efficiency }` for
	// each speed with each torque; braking and driving alike
	Map      []EfficiencyPoint `toml:"efficiency_map" count:"0..1024"`
	Capacity float64           `toml:"battery_kwh" range:"0.01..1000"` // capacity of the battery
	// charge of the battery at the start, 0..1
	Charge float64 `toml:"charge" range:"0..1"`
	// power that other devices take from the battery while the motor is on
	AuxiliaryPower float64 `toml:"auxiliary_w" range:"0..50000"`
}

// EfficiencyPoint is a point of a motor's efficiency map.
type EfficiencyPoint struct {
	RPM    float64 `toml:"rpm" range:"0..30000"` // motor speed
	Torque float64 `toml:"nm" range:"0..5000"`   // size of the torque; the efficiency counts for driving and braking
	// shaft power over battery power; the reverse in braking
	Efficiency float64 `toml:"efficiency" range:"0.05..1"`
}

// DefaultMotor returns no motor (Enabled is false), with plausible values for that of a compact car.
func DefaultMotor() Motor {
	return Motor{
		Torque: 310, Power: 150, MaxRPM: 16000, Regen: 90, RegenPower: 60, RegenFade: 400,
		Efficiency: 0.88, Capacity: 58, Charge: 0.8, AuxiliaryPower: 400,
	}
}

// Validate reports every parameter that is out of range.
func (m Motor) Validate() error {
	return errors.Join(valid.Struct(m), curve.CheckGrid("efficiency_map", "rpm", "nm", m.points()))
}

// points returns the efficiency map as points of a grid.
func (m Motor) points() (list []curve.MapPoint) {
	for _, p := range m.Map {
		list = append(list, curve.MapPoint{X: p.RPM, Y: p.Torque, Z: p.Efficiency})
	}
	return list
}

// clone returns a deep copy.
func (m Motor) clone() Motor {
	m.Map = slices.Clone(m.Map)
	return m
}

// curve returns points of the torque at full throttle over the speed. Its fade at max_rpm is that of a rotor
// of 1 kg·m² at steps of 1 ms.
func (m Motor) curve() []TorquePoint {
	k := newMotor(m, 1, 1e-3)
	const parts = 48
	list := []TorquePoint{{0, m.Torque}}
	if corner := k.power / k.torque / PerRPM; corner < k.fadeAt/PerRPM-2*parts {
		step := (k.fadeAt/PerRPM - corner) / parts
		for i := range parts {
			rpm := corner + float64(i)*step
			list = append(list, TorquePoint{rpm, k.maxTorque(rpm * PerRPM)})
		}
	}
	return append(list, TorquePoint{k.fadeAt / PerRPM, k.maxTorque(k.fadeAt)}, TorquePoint{m.MaxRPM, 0})
}

// motor holds everything of an electric motor and its battery that is constant in a run, in SI units.
type motor struct {
	enabled       bool
	torque, power float64
	// speed above which the torque fades [rad/s], and its relative fade for each rad/s
	fadeAt, perFade   float64
	regen, regenPower float64
	regenPerSpeed     float64   // share of the regenerative torque for each rad/s of speed; limited to 1
	efficiency        curve.Map // efficiency over speed [rad/s] and torque [N·m]
	capacity          float64   // capacity of the battery [J]
	charge            float64   // energy in the battery at the start [J]
	auxiliary         float64   // power of other devices [W]
}

// newMotor returns a motor; inertia is that of its rotor [kg·m²], dt the time step [s].
func newMotor(m Motor, inertia, dt float64) motor {
	const kilo, hour, fading = 1e3, 3600, 0.02
	top := m.MaxRPM * PerRPM
	topTorque := min(m.Torque, m.Power*kilo/top)                // torque at max_rpm without the fade [N·m]
	fade := min(max(fading*top, 4*topTorque*dt/inertia), top/2) // range of the fade, wide enough for the time step [rad/s]
	k := motor{
		enabled: m.Enabled, torque: m.Torque, power: m.Power * kilo,
		fadeAt: top - fade, perFade: 1 / fade,
		regen: m.Regen, regenPower: m.RegenPower * kilo,
		efficiency: curve.Constant(m.Efficiency), capacity: m.Capacity * kilo * hour, auxiliary: m.AuxiliaryPower,
	}
	k.charge = m.Charge * k.capacity
	if len(m.Map) > 0 {
		points := m.points()
		for i := range points {
			points[i].X *= PerRPM
		}
		k.efficiency = curve.NewMap(points)
	}
	k.regenPerSpeed = 1 / (m.RegenFade * PerRPM)
	if k.regen > 0 { // braking must not turn the rotor backward within a tick
		k.regenPerSpeed = min(k.regenPerSpeed, inertia/dt/k.regen/4)
	}
	return k
}

// IsElectric reports whether an electric motor drives the car instead of an engine.
func (l *System) IsElectric() bool { return l.motor.enabled }

// maxTorque returns the torque at full throttle [N·m] at a speed [rad/s], without the limits of the battery.
func (m *motor) maxTorque(speed float64) float64 {
	t := m.torque
	if fast := math.Abs(speed); fast*t > m.power {
		t = m.power / fast
	}
	return t * valid.Clamp(1-(speed-m.fadeAt)*m.perFade, 0, 1)
}

// regenTorque returns the regenerative torque with a released throttle [N·m] at a speed [rad/s]; its sign is
// opposite to the speed's.
func (m *motor) regenTorque(speed float64) float64 {
	t := m.regen
	if fast := math.Abs(speed); fast*t > m.regenPower {
		t = m.regenPower / fast
	}
	return -t * valid.Clamp(speed*m.regenPerSpeed, -1, 1)
}

// flatBattery is the energy below which a battery counts as empty [J].
const flatBattery = 1

// tickTorque returns the motor's torque in this tick [N·m]: between regenerative torque at a released
// throttle and full torque, limited by the battery's energy and capacity. A cut reduces both, so that
// regenerative torque does not prevent a gear from engaging.
func (m *motor) tickTorque(s *State, o *orders, dt float64) float64 {
	s.Engine.Running = !o.IgnitionOff && s.Battery > flatBattery
	if !s.Engine.Running {
		return 0
	}
	t := (1 - o.TorqueCut) * (o.Throttle*m.maxTorque(s.EngineSpeed) + (1-o.Throttle)*m.regenTorque(s.EngineSpeed))
	power := t * s.EngineSpeed
	eff := m.efficiency.At(math.Abs(s.EngineSpeed), math.Abs(t))
	const margin = 0.5 // usable share of the battery's energy or free capacity, because the speed changes within the tick
	maxPower := margin * eff * s.Battery / dt
	if power < 0 {
		maxPower = margin / eff * (m.capacity - s.Battery) / dt
	}
	if power = math.Abs(power); power > maxPower {
		t *= maxPower / power
	}
	return t
}

// batteryPower returns the power that is taken from the battery [W], at a rotor torque [N·m] and a speed
// [rad/s]. It is negative while the battery is charged.
func (m *motor) batteryPower(s *State, torque, speed float64) float64 {
	if !s.Engine.Running {
		return 0
	}
	power, eff := torque*speed, m.efficiency.At(math.Abs(speed), math.Abs(torque))
	if power < 0 {
		return m.auxiliary + power*eff
	}
	return m.auxiliary + power/eff
}
