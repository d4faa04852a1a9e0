package racing

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// Limits are the performance of a car: accelerations on a level, even road [m/s²] by speed [m/s], and
// resistances. A nil function is no limit.
type Limits struct {
	Gravity float64 // [m/s²]

	LateralAccel  func(speed float64) float64 // maximum lateral acceleration; grows with downforce
	BrakeAccel    func(speed float64) float64 // maximum deceleration by the brakes, without drag
	TractionAccel func(speed float64) float64 // maximum acceleration that the driven tires transmit
	EngineAccel   func(speed float64) float64 // maximum acceleration by the engine

	Drag func(speed float64) float64 // deceleration by air drag and rolling resistance; nil means none

	// CombinedGrip returns the fraction of BrakeAccel and TractionAccel that remains while a
	// bend uses the fraction used of LateralAccel; nil means the friction ellipse.
	CombinedGrip func(used float64) float64
	// GripFactor returns the factor on the grip of the road at a station [m]; nil means 1 everywhere.
	GripFactor func(s float64) float64

	// Limits that the driver does not exceed, even if the car can do more; 0 means no limit.
	MaxLateral, MaxBraking, MaxDrive float64 // [m/s²]
	MaxSpeed                         float64 // [m/s]

	MinLoad    float64 // minimum fraction of the weight on the wheels at a crest, 0..1
	StartSpeed float64 // speed at the start of an open line [m/s]
}

// Speeds is a car's speed along a line.
type Speeds struct {
	step   float64 // between stations [m]
	closed bool
	speed  []float64 // [m/s]
	accel  []float64 // acceleration from each station to the next [m/s²]
}

// At returns the speed [m/s] and the acceleration [m/s²] at a station [m]. A closed line repeats; beyond the
// ends of an open line the values are those at its ends.
func (p *Speeds) At(s float64) (speed, accel float64) {
	at, n := s/p.step, len(p.speed)
	if !valid.Finite(at) {
		at = 0
	}
	if p.closed {
		at -= math.Floor(at/float64(n)) * float64(n)
	}
	at = min(max(at, 0), float64(n))
	i := min(int(at), n-1)
	next, fraction := p.next(i), at-float64(i)
	return p.speed[i] + fraction*(p.speed[next]-p.speed[i]), p.accel[i] + fraction*(p.accel[next]-p.accel[i])
}

// next returns the index of the station after i, or i at the end of an open line.
func (p *Speeds) next(i int) int {
	if i+1 < len(p.speed) {
		return i + 1
	}
	if p.closed {
		return 0
	}
	return i
}

// SpeedProfile returns the maximum speed along a line. It first computes the speed that bends, crests and
// grip allow at each station. A backward pass then lowers it to what the brakes allow, and a forward pass to
// what engine and driven wheels allow. The method is that of Kapania, Subosits and Gerdes, A sequential
// two-step algorithm for fast generation of vehicle racing trajectories, Journal of Dynamic Systems,
// Measurement and Control 138 (2016). The car is a point on a road with banks and slopes.
func SpeedProfile(l *road.Line, lim Limits) (*Speeds, error) {
	if err := lim.check(); err != nil {
		return nil, fmt.Errorf("road: speed profile: %w", err)
	}
	const spacing = 1.0 // approximate distance between stations [m]
	n := max(int(math.Ceil(l.Length()/spacing)), 2)
	p := &Speeds{step: l.Length() / float64(n), closed: l.Closed()}
	if !p.closed {
		n++
	}
	points := make([]linePoint, n)
	for i := range points {
		points[i] = linePointAt(l, float64(i)*p.step)
		if lim.GripFactor != nil {
			points[i].grip = min(max(lim.GripFactor(float64(i)*p.step), 1e-3), 10)
		}
		p.speed = append(p.speed, lim.cornerSpeed(&points[i]))
	}
	p.accel = make([]float64, n)
	p.sweep(points, &lim)
	p.setAccel(points)
	return p, nil
}

// minSpeed is the speed of a car that is too weak to continue uphill [m/s].
const minSpeed = 0.1

// check reports every limit that is out of range.
func (lim *Limits) check() error {
	err := errors.Join(
		valid.InRange("gravity", lim.Gravity, 0, 1e3),
		valid.InRange("minimum load", lim.MinLoad, 0, 1),
		valid.InRange("start speed", lim.StartSpeed, 0, 1e3),
		valid.InRange("maximum speed", lim.MaxSpeed, 0, 1e3),
		valid.InRange("maximum lateral acceleration", lim.MaxLateral, 0, 1e3),
		valid.InRange("maximum braking", lim.MaxBraking, 0, 1e3),
		valid.InRange("maximum drive acceleration", lim.MaxDrive, 0, 1e3),
	)
	if err != nil {
		return err
	}
	if lim.LateralAccel == nil && lim.MaxSpeed == 0 {
		return errors.New("nothing limits the speed: set LateralAccel or MaxSpeed")
	}
	return nil
}

// sweep lowers the speeds to what brakes and engine allow: a backward pass for the brakes, then a forward
// pass for the engine. On a closed line each pass goes round twice.
func (p *Speeds) sweep(points []linePoint, lim *Limits) {
	n := len(points)
	rounds := 2 * n
	if !p.closed {
		rounds = n - 1
		p.speed[0] = min(p.speed[0], lim.StartSpeed)
	}
	for k := rounds - 1; k >= 0; k-- {
		i := k % n
		next := p.next(i)
		v := p.speed[next]
		accel := func(v float64) float64 { return lim.maxDeceleration(&points[next], v) }
		p.speed[i] = min(p.speed[i], speedAfter(v, p.step*points[i].lengthRatio, accel))
	}
	if !p.closed {
		p.speed[0] = min(p.speed[0], lim.StartSpeed)
	}
	for k := range rounds {
		i := k % n
		next := p.next(i)
		accel := func(v float64) float64 { return lim.maxAcceleration(&points[i], v) }
		v := max(speedAfter(p.speed[i], p.step*points[i].lengthRatio, accel), min(p.speed[i], minSpeed))
		p.speed[next] = min(p.speed[next], v)
	}
}

// speedAfter returns the speed of a car after a length [m] that it begins at speed v [m/s]. accel returns the
// acceleration at a speed [m/s²]. It uses the mean of the accelerations at both ends (Heun's method, in the
// square of the speed).
func speedAfter(v, length float64, accel func(v float64) float64) float64 {
	accelStart := accel(v)
	accelEnd := accel(math.Sqrt(max(v*v+2*length*accelStart, 0)))
	return math.Sqrt(max(v*v+length*(accelStart+accelEnd), 0))
}

// setAccel computes the accelerations from the speeds.
func (p *Speeds) setAccel(points []linePoint) {
	for i, v := range p.speed {
		next := p.next(i)
		if next == i {
			break // the end of an open line
		}
		ds := p.step * points[i].lengthRatio
		nextSpeed := p.speed[next]
		p.accel[i] = (nextSpeed*nextSpeed - v*v) / (2 * ds)
	}
}
