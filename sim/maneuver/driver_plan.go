package maneuver

import (
	"math"

	"rig/sim"
)

// plan is the speed at even steps round the circuit.
type plan struct {
	step  float64   // [m]
	speed []float64 // [m/s]
	ahead []float64 // acceleration from each place on [m/s²]
}

// newPlan finds the fastest way round: what bends allow, what the brakes take off
// before them, and what engine and driven wheels put on behind them.
func (d *Driver) newPlan() plan {
	const grid = 1.0 // [m]
	n := int(math.Ceil(d.circuit.Length() / grid))
	p := plan{
		step:  d.circuit.Length() / float64(n),
		speed: make([]float64, n),
		ahead: make([]float64, n),
	}
	bends := make([]float64, n)
	for i := range bends {
		bends[i] = math.Abs(d.circuit.At(float64(i) * p.step).Curvature)
		p.speed[i] = d.fastest(bends[i])
	}
	for i := 2*n - 1; i >= 0; i-- { // twice round, as the line is closed
		next := (i + 1) % n
		v := p.speed[next]
		p.speed[i%n] = min(p.speed[i%n], math.Sqrt(v*v+2*p.step*d.braking(v)*d.spare(v, bends[next])))
	}
	for i := range 2 * n {
		v, next := p.speed[i%n], (i+1)%n
		p.speed[next] = min(p.speed[next], math.Sqrt(v*v+2*p.step*d.driving(v, bends[i%n])))
	}
	for i, v := range p.speed {
		next := p.speed[(i+1)%n]
		p.ahead[i] = (next*next - v*v) / (2 * p.step)
	}
	return p
}

// at returns speed and acceleration planned for a station [m, m/s, m/s²].
func (p *plan) at(station float64) (speed, ahead float64) {
	at := finite(station/p.step, 0)
	at -= math.Floor(at/float64(len(p.speed))) * float64(len(p.speed))
	i := min(max(int(at), 0), len(p.speed)-1)
	next := (i + 1) % len(p.speed)
	part := at - float64(i)
	return p.speed[i] + part*(p.speed[next]-p.speed[i]), p.ahead[i] + part*(p.ahead[next]-p.ahead[i])
}

// cornering returns the lateral acceleration aimed at [m/s²].
func (d *Driver) cornering(speed float64) float64 {
	return min(d.cfg.Lateral, d.cfg.Effort*d.limits.side.at(speed))
}

// braking returns the deceleration aimed at on a straight [m/s²].
func (d *Driver) braking(speed float64) float64 {
	return min(d.cfg.Braking, d.cfg.Effort*d.limits.stop.at(speed))
}

// fastest returns the speed at which a bend [1/m] takes all lateral acceleration.
func (d *Driver) fastest(bend float64) float64 {
	low, high := 1.0, d.cfg.Fastest
	if high*high*bend <= d.cornering(high) {
		return high
	}
	for range 40 {
		mid := (low + high) / 2
		if mid*mid*bend <= d.cornering(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// spare returns the share of the grip along the car that a bend [1/m] leaves. It stays
// within the friction ellipse, as brakes and driven wheels do not fit every load.
func (d *Driver) spare(speed, bend float64) float64 {
	used := min(speed*speed*bend/d.cornering(speed), 1)
	return 1 - used*used
}

// driving returns the acceleration aimed at [m/s²]: no more than the engine has, nor
// than what the driven axles carry.
func (d *Driver) driving(speed, bend float64) float64 {
	p := &d.p
	high := p.CGHeight / p.Wheelbase
	grip := d.limits.stop.at(speed) / max(p.Gravity, 0.1)
	load := p.CGToFront / p.Wheelbase // share of the weight behind
	front := p.Driveline.FrontShare
	most := d.limits.stop.at(speed)
	switch {
	case front == 0:
		most *= load / max(1-grip*high, 0.3)
	case front == 1:
		most *= (1 - load) / (1 + grip*high)
	}
	pull := 0.0
	for gear := range p.Driveline.Gears {
		pull = max(pull, d.pull(int8(gear+1), speed))
	}
	return min(max(min(d.cfg.Effort*most*d.spare(speed, bend), pull)-d.resist(speed), 0), d.cfg.Driving)
}

// pull returns the acceleration that full throttle gives in a forward gear [m/s²].
func (d *Driver) pull(gear int8, speed float64) float64 {
	l := &d.p.Driveline
	radius := d.p.Rear.Wheel.Radius
	ratio := l.Gears[min(max(int(gear), 1), len(l.Gears))-1] * l.Final
	turning := max(speed/radius*ratio*30/math.Pi, l.Launch) // [1/min]
	spin := l.Inertia*ratio*ratio + 2*(d.p.Front.Wheel.Inertia+d.p.Rear.Wheel.Inertia)
	return torqueAt(l.Torque, turning) * ratio / radius / (d.p.Mass + spin/(radius*radius))
}

// torqueAt returns the engine's torque at full throttle [N·m] at a speed [1/min].
func torqueAt(curve []sim.TorquePoint, rpm float64) float64 {
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
func (d *Driver) resist(speed float64) float64 { return d.rolls + d.drag*speed*speed }
