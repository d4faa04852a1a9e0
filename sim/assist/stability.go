package assist

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/tire"
)

// Stability describes the stability control: it brakes single wheels, and takes engine torque
// away, while the car turns otherwise than its steering asks for.
type Stability struct {
	Over     float64 `toml:"oversteer_deg_per_s"`     // yaw rate beyond the wish that it lets pass at level 5; level 1 lets 1.4 of it pass, level 10 half
	Under    float64 `toml:"understeer_deg_per_s"`    // yaw rate short of it, the same
	Sideslip float64 `toml:"sideslip_rate_deg_per_s"` // at which the car may turn out of its path, the same
	Quick    float64 `toml:"response_per_s"`          // yaw acceleration for each rad/s beyond
	Follows  float64 `toml:"yaw_lag_s"`               // of a steady car's yaw rate behind its steering
	Margin   float64 `toml:"lateral_margin_mps2"`     // beyond the lateral acceleration reached lately that a wish may lead
	Slip     float64 `toml:"brake_slip"`              // of a wheel that it brakes, at most
	From     float64 `toml:"from_kph"`                // it helps from here on, and fully 10 km/h faster
}

// defaultStability returns that of a passenger car.
func defaultStability() Stability {
	return Stability{Over: 7, Under: 6, Sideslip: 15, Quick: 10, Follows: 0.12, Margin: 3, Slip: 0.25, From: 15}
}

// Validate returns an error that names every parameter that is out of range.
func (p Stability) Validate() error {
	return errors.Join(
		valid.InRange("oversteer_deg_per_s", p.Over, 0.5, 60),
		valid.InRange("understeer_deg_per_s", p.Under, 0.5, 60),
		valid.InRange("sideslip_rate_deg_per_s", p.Sideslip, 1, 120),
		valid.InRange("response_per_s", p.Quick, 1, 50),
		valid.InRange("yaw_lag_s", p.Follows, 0.01, 1),
		valid.InRange("lateral_margin_mps2", p.Margin, 0.5, 20),
		valid.InRange("brake_slip", p.Slip, 0.05, 1),
		valid.InRange("from_kph", p.From, 5, 100),
	)
}

// StabilityState is what stability control remembers, and what it does in the tick.
type StabilityState struct {
	Yaw   float64    // rate that the driver wishes for [rad/s]
	Grip  float64    // lateral acceleration reached lately [m/s²]
	Turn  float64    // yaw acceleration asked for, positive left [rad/s²]
	Cut   float64    // share of the engine's torque that is gone, 0..1
	Brake [4]float64 // pressure asked for, as a share of full pressure
}

const degree = math.Pi / 180 // [rad]

// Works reports whether it brakes a wheel or takes torque away.
func (t *StabilityState) Works() bool { return t.Cut > 0 || t.Brake != [4]float64{} }

// stabilityLaw is the constant part.
type stabilityLaw struct {
	Stability
	base    float64 // wheelbase [m]
	under   float64 // understeer gradient [rad·s²/m]
	dry     float64 // lateral acceleration that the tires hold on a dry road [m/s²]
	perDry  float64 // 1 over its square [s⁴/m²]
	tracks  float64 // share of its way that the wish goes in a tick
	inertia float64 // about z [kg·m²]
	from    float64 // [m/s]
}

func newStabilityLaw(p Stability, car *Vehicle, dt float64) stabilityLaw {
	k := stabilityLaw{
		Stability: p, base: car.Wheelbase, inertia: car.InertiaZZ, from: p.From / 3.6,
		under: max(car.Understeer, 0), dry: min(max(car.Lateral, 1), 50),
	}
	k.Over, k.Under, k.Sideslip = k.Over*degree, k.Under*degree, k.Sideslip*degree
	k.perDry, k.tracks = 1/(k.dry*k.dry), min(dt/k.Follows, 1)
	return k
}

// stabilize compares the yaw rate with that of the single-track model under the same
// steering, and the sideslip's growth with none, and answers what is beyond their dead
// bands with a moment: by the outer front wheel's brake against turning in too far, by the
// inner rear wheel's against turning too little.
func (e *Electronics) stabilize(t *StabilityState, o *Orders, m *measured, level int) {
	k := &e.stability
	if level == 0 {
		*t = StabilityState{}
		return
	}
	const fades = 10 / 3.6 // [m/s]
	wake := min(max((m.speed-k.from)/fades, 0), 1)
	k.follow(t, m, e.dt)
	t.Turn = wake * k.turn(t, m, late(level))
	t.Brake = [4]float64{}
	if t.Turn != 0 {
		e.brakeOneSide(t, m)
	}
	k.cut(t, e.dt)
	for i := range o.Ask {
		o.Ask[i] = max(o.Ask[i], t.Brake[i])
	}
	if t.Cut > 0 {
		o.takeTorque(t.Cut)
	}
}

// follow tracks the wish: v·delta/(L + K·v²), bent towards what the tires hold,
// no further than a margin beyond what the road gave lately, and as late as a car is.
func (k *stabilityLaw) follow(t *StabilityState, m *measured, dt float64) {
	const forgets, least, slowest = 5.0, 2.0, 2.0 // [m/s³], [m/s²], [m/s]
	t.Grip = max(math.Abs(m.ay), t.Grip-forgets*dt, least)
	v := max(m.speed, slowest)
	ay := v * v * m.steer / (k.base + k.under*v*v)
	bent := ay * ay * k.perDry
	ay /= math.Sqrt(math.Sqrt(1 + bent*bent))
	most := t.Grip + k.Margin
	ay = min(max(ay, -most), most)
	t.Yaw += (ay/v - t.Yaw) * k.tracks
}

// turn returns the yaw acceleration to ask for [rad/s²], with dead bands by a level's
// factor.
func (k *stabilityLaw) turn(t *StabilityState, m *measured, late float64) float64 {
	const slowest = 2.0 // [m/s]
	err := m.yaw - t.Yaw
	band := k.Under
	if err*m.yaw > 0 {
		band = k.Over
	}
	want := -k.Quick * beyond(err, band*late)
	sideslip := m.ay/max(m.speed, slowest) - m.yaw // its rate
	if sideslip*m.yaw < 0 && err*m.yaw > 0 {       // the tail comes out
		want += k.Quick * beyond(sideslip, k.Sideslip*late)
	}
	return want
}

// beyond returns what of v is outside a band on both sides of 0.
func beyond(v, band float64) float64 {
	return v - min(max(v, -band), band)
}

// brakeOneSide finds the wheel whose brake turns the car as asked, and its pressure: less
// as it slips.
func (e *Electronics) brakeOneSide(t *StabilityState, m *measured) {
	k := &e.stability
	i, axle := tire.FL, 0
	if t.Turn*m.yaw > 0 {
		i, axle = tire.RL, 1
	}
	if t.Turn < 0 {
		i++
	}
	force := k.inertia * math.Abs(t.Turn) / e.half[axle]
	slip := 1 - m.wheels[i]/max(m.speed, 1)
	t.Brake[i] = min(force*e.radius[i]/e.full[i], 1) * min(max(2-2*slip/k.Slip, 0), 1)
}

// cut takes engine torque away by how hard it works, and gives it back slowly.
func (k *stabilityLaw) cut(t *StabilityState, dt float64) {
	const whole, back = 2.0, 2.0 // [rad/s²], [1/s]
	t.Cut = max(min(math.Abs(t.Turn)/whole, 1), t.Cut-back*dt, 0)
}
