package driver

import (
	"math"

	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/road/racing"
)

// plan finds the fastest way along the driver's line: what bends, banks, crests and the
// road's grip allow, what the brakes take off before them, and what engine and driven
// wheels put on behind them. The brakes have a share of the force that they have cold.
func (d *Model) plan(force float64) (*racing.Speeds, error) {
	return racing.SpeedProfile(d.line, racing.Limits{
		Gravity: d.p.Gravity, Light: lightest,
		Side: func(v float64) float64 { return d.effort * d.limits.side.at(v) },
		Stop: func(v float64) float64 {
			return d.effort*min(d.limits.stop.at(v), force*d.limits.bite+d.resist(v)) - d.resist(v)
		},
		Push:     func(v float64) float64 { return d.effort * d.traction(v) },
		Pull:     func(v float64) float64 { return max(d.strongest(v), d.resist(v)) },
		Resist:   d.resist,
		Spare:    d.spare,
		Grip:     d.grip,
		MostSide: d.cfg.Lateral, MostStop: d.cfg.Braking, MostDrive: d.cfg.Driving, Fastest: d.cfg.Fastest,
	})
}

// late returns how much later than others a car answers at speed, 0..1, for which its
// driver leaves room.
func (d *Model) late() float64 {
	const fast, quick = 50.0, 0.5 // [m/s], [s]
	return 1 - min(quick/max(d.lag(fast), quick), 1)
}

// spare returns the share of the grip along the car that is used where a bend takes another:
// within the friction ellipse, as brakes and driven wheels do not fit every load, and less
// with a car that answers late.
func (d *Model) spare(used float64) float64 {
	return (1 - used*used) * (1 - min(8*d.late(), 1)*used)
}

// lightest is the share of the weight that is to stay on the wheels over a crest.
const lightest = 0.3

// cornering returns the lateral acceleration of a bend [1/m] that is aimed at where the car
// is [m/s²]: what the tires bring, and what a bank adds or takes.
func (d *Model) cornering(m *Memory, speed, bend float64) float64 {
	most, lean := d.leaning(m, speed)
	return max(min(d.cfg.Lateral, d.effort*most)-math.Copysign(lean, lean*bend), 0.5)
}

// traction returns the acceleration that the driven axles bring to the road [m/s²].
func (d *Model) traction(speed float64) float64 {
	p := &d.p
	high := p.CGHeight / p.Wheelbase
	most := d.limits.stop.at(speed)
	grip := most / max(p.Gravity, 0.1)
	load := p.CGToFront / p.Wheelbase // share of the weight behind
	switch p.Driveline.FrontShare {
	case 0:
		most *= load / max(1-grip*high, 0.3)
	case 1:
		most *= (1 - load) / (1 + grip*high)
	}
	return most
}

// strongest returns the acceleration that full throttle gives in the best gear [m/s²].
func (d *Model) strongest(speed float64) float64 {
	most := 0.0
	for gear := range d.p.Driveline.Gears {
		most = max(most, d.pull(int8(gear+1), speed))
	}
	return most
}

// pull returns the acceleration that full throttle gives in a forward gear [m/s²].
func (d *Model) pull(gear int8, speed float64) float64 {
	l := &d.p.Driveline
	radius := d.radius
	ratio := l.Gears[min(max(int(gear), 1), len(l.Gears))-1] * l.Final
	turning := max(speed/radius*ratio*30/math.Pi, l.Launch) // [1/min]
	spin := l.Inertia*ratio*ratio + 2*(d.p.Front.Wheel.Inertia+d.p.Rear.Wheel.Inertia)
	return torqueAt(l.Torque, turning) * ratio / radius / (d.p.Mass + spin/(radius*radius))
}

// torqueAt returns the engine's torque at full throttle [N·m] at a speed [1/min].
func torqueAt(curve []driveline.TorquePoint, rpm float64) float64 {
	if rpm <= curve[0].RPM {
		return curve[0].Torque
	}
	for i := 1; i < len(curve); i++ {
		if a, b := curve[i-1], curve[i]; rpm < b.RPM {
			return a.Torque + (b.Torque-a.Torque)*(rpm-a.RPM)/(b.RPM-a.RPM)
		}
	}
	return curve[len(curve)-1].Torque
}

// resist returns what air and rolling take off [m/s²].
func (d *Model) resist(speed float64) float64 { return d.rolls + d.drag*speed*speed }
