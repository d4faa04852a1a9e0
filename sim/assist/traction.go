package assist

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/tire"
)

// Traction describes the traction control: it takes engine torque away while driven wheels slip
// more than they should, and brakes one that spins alone.
type Traction struct {
	Slip      float64 `toml:"slip"`              // that it allows at level 5; level 1 allows 1.4 of it, level 10 half; 0 is found from the driven tires
	SlipSpeed float64 `toml:"slip_speed_mps"`    // allowed beside that at rest; none of it from 10 m/s on
	Quick     float64 `toml:"response_per_s"`    // how fast it takes slip away
	Brake     float64 `toml:"brake_share"`       // of full pressure, the most on a wheel that spins alone; 0 is no brake
	BrakeTo   float64 `toml:"brake_up_to_kph"`   // faster than that it does not brake
	Settle    float64 `toml:"throttle_settle_s"` // time in which the throttle takes over from the ignition
}

// defaultTraction returns that of a passenger car.
func defaultTraction() Traction {
	return Traction{SlipSpeed: 0.8, Quick: 30, Brake: 0.4, BrakeTo: 80, Settle: 0.15}
}

// Validate returns an error that names every parameter that is out of range.
func (t Traction) Validate() error {
	return errors.Join(
		valid.InRange("slip", t.Slip, 0, 1),
		valid.InRange("slip_speed_mps", t.SlipSpeed, 0.1, 5),
		valid.InRange("response_per_s", t.Quick, 1, 50),
		valid.InRange("brake_share", t.Brake, 0, 1),
		valid.InRange("brake_up_to_kph", t.BrakeTo, 0, 400),
		valid.InRange("throttle_settle_s", t.Settle, 0.01, 2),
	)
}

// TractionState is what traction control remembers, and what it does in the tick.
type TractionState struct {
	Need     float64    // share of the torque that had to go lately, 0..1
	Throttle float64    // share of it that the throttle takes, 0..1
	Cut      float64    // share of the torque that is gone, 0..1
	Grip     float64    // acceleration reached lately [m/s²]
	Slip     float64    // of the driven wheels, over what is allowed; 1 is the target
	Hold     [4]float64 // pressure that wheels needed lately, as a share of full pressure
	Brake    [4]float64 // pressure asked for, the same
}

// Works reports whether it takes torque away or brakes.
func (t *TractionState) Works() bool {
	return t.Cut > 0 || t.Brake != [4]float64{}
}

// tractionLaw is the constant part.
type tractionLaw struct {
	Traction
	wheels  float64    // inertia of the driven wheels [kg·m²]
	engine  float64    // of what turns with the engine [kg·m²]
	radius  float64    // of the driven wheels, mean [m]
	torque  float64    // the engine's most [N·m]
	bites   float64    // speed of the engine below which a clutch opens again, as speed at the wheels in a gear of ratio 1 [m/s]
	brakeTo float64    // [m/s]
	gains   [4]float64 // pressure for each m/s that a wheel spins alone, as a share of full pressure [s/m]
}

func newTractionLaw(p Traction, d *driveline.Params, car *Vehicle, e *Electronics) tractionLaw {
	t := tractionLaw{Traction: p, brakeTo: p.BrakeTo / 3.6}
	n, slip := 0.0, 1.0
	for i := range t.gains {
		t.gains[i] = car.Axles[i/2].Inertia * t.Quick / (e.radius[i] * e.full[i])
	}
	for axle, driven := range e.driven {
		if driven {
			t.wheels += 2 * car.Axles[axle].Inertia
			t.radius += e.radius[2*axle]
			n++
			slip = min(slip, car.Axles[axle].Slip)
		}
	}
	t.radius /= n
	if t.Slip == 0 {
		t.Slip = slip
	}
	const opens = 1.3 // times the idle speed
	if !d.Motor.Enabled {
		t.bites = opens * d.Idle * driveline.PerRPM * t.radius
	}
	t.engine = d.Inertia + d.Shafts.Input
	t.torque = max(d.PeakTorque(), 1)
	return t
}

// controlTraction keeps the driven wheels' slip by a controller of proportion and integral whose
// gain follows from the inertias that it has to slow down: engine and wheels while
// the clutch holds, the wheels alone while it slips.
func (e *Electronics) controlTraction(s *State, d *driveline.State, in *Sensors, o *Orders, m *measured, level int) {
	t, k := &s.Traction, &e.traction
	ratio := math.Abs(e.driveline.Ratio(d.Gear))
	if level == 0 {
		*t = TractionState{}
		return
	}
	if ratio == 0 { // between two gears, of which the next one needs what this one did
		*t = TractionState{Need: t.Need, Throttle: t.Throttle, Grip: t.Grip}
		return
	}
	t.feel(math.Sqrt(in.AccelX*in.AccelX+in.AccelY*in.AccelY), m.speed, e.dt)
	allowed := k.allowed(m.speed) * late(level) * t.firm()
	target := max(allowed, k.bites/ratio-math.Abs(m.speed))
	over := m.excess(d.Gear < 0)
	slip := e.slip(&over)
	t.Slip = slip / target
	const settles, gives, slips = 2.0, 0.8, 20 // [1/s], [1/s], [rad/s]
	held := max(1-math.Abs(d.Engine-d.Box.Shaft)/slips, 0)
	gain := k.gain(ratio, held)
	move := gain*settles*(slip-target) - gives*min(max(1-2*t.Slip, 0), 1)
	most := e.cuttable(d, held)
	t.Need = min(max(t.Need+e.dt*move, 0), most)
	t.Cut = min(max(t.Need+gain*(slip+e.ahead(d, in)-target), 0), most)
	if o.Throttle == 0 {
		t.Need, t.Cut = 0, 0
	}
	k.spread(t, o, e.dt)
	for axle, driven := range e.driven {
		if driven {
			e.brakeSpinning(t, o, axle, over[2*axle]-over[2*axle+1], allowed, m.speed)
		}
	}
}

// dry is the acceleration that a road shows which is worth the whole slip [m/s²].
const dry = 5.0

// feel follows the acceleration [m/s²], quickly up and slowly down; a car that stands is
// taken to stand on a dry road.
func (t *TractionState) feel(acceleration, speed, dt float64) {
	const up, down, stands = 4.0, 1.0, 0.5 // [1/s], [1/s], [m/s]
	rate := down
	if acceleration > t.Grip {
		rate = up
	}
	t.Grip += (acceleration - t.Grip) * min(rate*dt, 1)
	if math.Abs(speed) < stands {
		t.Grip = dry
	}
}

// firm returns the share of the slip that the road is worth: tires hold most at less slip
// where they hold less.
func (t *TractionState) firm() float64 {
	const least = 0.5
	return min(least+(1-least)*t.Grip/dry, 1)
}

// allowed returns by how much driven wheels may be faster than the car [m/s].
func (k *tractionLaw) allowed(speed float64) float64 {
	const none = 10 // [m/s]
	v := math.Abs(speed)
	return k.Slip*v + k.SlipSpeed*max(1-v/none, 0)
}

// gain returns the share of torque to take away for each m/s, in a gear of a ratio, with a
// clutch that holds the engine's inertia by a share.
func (k *tractionLaw) gain(ratio, held float64) float64 {
	inertia := k.wheels + held*k.engine*ratio*ratio
	return inertia * k.Quick / (k.radius * k.torque * ratio)
}

// cuttable returns the share of the torque that may go: less towards the idle speed, and
// from further up while the clutch slips, so that the engine keeps the speed at which
// that bites. A motor has none to keep.
func (e *Electronics) cuttable(d *driveline.State, held float64) float64 {
	if e.driveline.Electric() {
		return 1
	}
	const idles, bites, span = 1.0, 1.2, 0.5 // shares of the idle speed
	low := bites + (idles-bites)*held
	return min(max((d.Engine/e.driveline.Idle()-low)/span, 0), 1)
}

// spread takes the torque away: at once by the ignition, and by the throttle as that
// follows.
func (k *tractionLaw) spread(t *TractionState, o *Orders, dt float64) {
	const nothing = 1e-6
	t.Throttle = min(t.Throttle+(t.Cut-t.Throttle)*(dt/k.Settle), t.Cut)
	if t.Throttle < nothing {
		t.Throttle = 0
	}
	if t.Cut > 0 {
		left := 1 - t.Throttle
		o.Throttle *= left
		if left > 0 {
			o.takeTorque(1 - (1-t.Cut)/left)
		}
	}
}

// excess returns by how much each wheel is faster than the car the way it drives [m/s].
func (m *measured) excess(reverse bool) (over [4]float64) {
	for i := range m.wheels {
		over[i] = m.wheels[i] - m.speed
		if reverse {
			over[i] = -over[i]
		}
	}
	return over
}

// slip returns by how much the driven wheels are faster than the car on average, as the
// gearbox' output sees them [m/s].
func (e *Electronics) slip(over *[4]float64) float64 {
	return e.driveline.Output((over[tire.FL]+over[tire.FR])/2, (over[tire.RL]+over[tire.RR])/2)
}

// ahead returns by how much the gearbox' output turns faster than the wheels, as speed at
// those, the way it drives [m/s]. With it the controller's quick part goes by the output
// and not by the wheels, which swing against the engine on their half shafts.
func (e *Electronics) ahead(d *driveline.State, in *Sensors) float64 {
	ahead := (d.Box.Shaft/e.driveline.Ratio(d.Gear) - e.driveline.Rolling(&in.Spin)) * e.traction.radius
	if d.Gear < 0 {
		return -ahead
	}
	return ahead
}

// brakeSpinning brakes the wheel of an axle that is faster than the other by more than is
// allowed [m/s], so that the differential gives the other one torque.
func (e *Electronics) brakeSpinning(t *TractionState, o *Orders, axle int, apart, allowed, speed float64) {
	left, right := 2*axle, 2*axle+1
	fade := min(max(2-2*math.Abs(speed)/max(e.traction.brakeTo, 1), 0), 1) // over its upper half
	e.brakeOne(t, o, left, fade, apart-allowed)
	e.brakeOne(t, o, right, fade, -apart-allowed)
}

// brakeOne brakes a wheel by how much it is too fast [m/s], up to a share of the most.
func (e *Electronics) brakeOne(t *TractionState, o *Orders, i int, fade, err float64) {
	k := &e.traction
	const settles = 5.0 // [1/s]
	gain, most := k.gains[i], k.Brake*fade
	t.Hold[i] = min(max(t.Hold[i]+gain*settles*e.dt*err, 0), most)
	t.Brake[i] = min(max(t.Hold[i]+gain*err, 0), most)
	o.Ask[i] = max(o.Ask[i], t.Brake[i])
}
