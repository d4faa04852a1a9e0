package driver

import (
	"math"

	"rig.example/rig/sim/trial"
)

const (
	previewCount = 8      // number of preview points
	maxWheelRate = 1200.0 // largest speed at which a person turns the steering wheel [°/s]
)

// Preview is a driver who steers so that the path predicted by a linear single-track model deviates least
// from the wanted path: MacAdam's optimal preview control (IEEE Trans. SMC 11, 1981). In the model the
// curvature of the path follows the steering angle with a first-order lag.
type Preview struct {
	run        *trial.Run
	lane       *LaneChanges
	frontAxle  float64               // distance of the front axle ahead of the center of mass [m]
	wheelbase  float64               // [m]
	understeer float64               // understeer coefficient [rad·s²/m]
	maxSlip    float64               // largest slip angle to which the driver steers the front tires [rad]
	times      [previewCount]float64 // preview times [s]
	driftGain  [previewCount]float64 // predicted lateral displacement over the present lateral acceleration [s²]
	steerGain  [previewCount]float64 // predicted lateral displacement over the steady lateral acceleration of the steering angle [s²]
}

// Skill holds the parameters in which drivers differ.
type Skill struct {
	PreviewTime float64 // how far ahead the driver looks [s]
	ExpectedLag float64 // lag that the driver expects of the car [s]
	MaxSlip     float64 // largest slip angle to which the driver steers the front tires [rad]
}

// NewPreview returns a driver with skill k who steers the car of the run t along the path l.
func NewPreview(t *trial.Run, l *LaneChanges, k Skill) *Preview {
	d := &Preview{
		run: t, lane: l, maxSlip: k.MaxSlip,
		frontAxle: t.Params.CGToFront, wheelbase: t.Params.Wheelbase, understeer: t.Car.Understeer(),
	}
	const substeps = 40 // number of substeps from one preview time to the next
	step := k.PreviewTime / previewCount / substeps
	// Displacement under a lateral acceleration that decays with the lag, by Euler's method. The rest of
	// time²/2 is the displacement under one that builds up with the lag.
	remaining, speed, displacement := 1.0, 0.0, 0.0
	for i := range d.times {
		for range substeps {
			speed += step * remaining
			displacement += step * speed
			remaining -= step / k.ExpectedLag * remaining
		}
		time := float64(i+1) * step * substeps
		d.times[i], d.driftGain[i], d.steerGain[i] = time, displacement, time*time/2-displacement
	}
	return d
}

// Steer returns the steering wheel angle [rad] for the next tick; present is the angle now [rad].
func (d *Preview) Steer(present float64) float64 {
	s := &d.run.State
	speed := max(math.Hypot(s.Vel.X, s.Vel.Y), 0.5)
	cos, sin := s.Vel.X/speed, s.Vel.Y/speed
	m := trial.MotionOf(s)
	lateralAccel := m.YawRate * speed
	gain := speed * speed / max(d.wheelbase+d.understeer*speed*speed, 0.3*d.wheelbase)
	numerator, denominator := 0.0, 0.0
	for i, time := range d.times {
		x, y := s.Pos.X+speed*cos*time, s.Pos.Y+speed*sin*time
		offset := d.lane.At(x) - (y + lateralAccel*d.driftGain[i])
		sensitivity := gain * d.steerGain[i]
		numerator += offset * sensitivity
		denominator += sensitivity * sensitivity
	}
	roadWheelAngle := d.limitFrontSlip(numerator/denominator, m)
	maxChange := maxWheelRate * degree * d.run.Dt
	return moveToward(present, d.run.SteeringWheelFor(roadWheelAngle), maxChange)
}

// limitFrontSlip limits the road wheel angle [rad] so that the slip angle of the front tires stays within
// maxSlip, because beyond their peak more steering does not turn the car further.
func (d *Preview) limitFrontSlip(roadWheelAngle float64, m trial.Motion) float64 {
	if m.Vx < 2 {
		return roadWheelAngle
	}
	path := math.Atan((m.Vy + d.frontAxle*m.YawRate) / m.Vx) // direction of the front axle
	return min(max(roadWheelAngle, path-d.maxSlip), path+d.maxSlip)
}

// LaneChanges is the wanted path of the middle of the car through a course: along three straight lines,
// with smooth transitions between them.
type LaneChanges struct {
	X, Y        [3]float64 // a point of each line, in the middle of its section [m]
	Slope       [3]float64 // slope of each line
	ChangeStart [2]float64 // where each of the two transitions begins along the course [m]
	ChangeEnd   [2]float64 // where each of the two transitions ends along the course [m]
}

// At returns the lateral position of the path [m] at a place along the course [m].
func (l *LaneChanges) At(x float64) float64 {
	i := 0
	if x >= l.ChangeEnd[0] {
		i = 1
	}
	share := min(max((x-l.ChangeStart[i])/(l.ChangeEnd[i]-l.ChangeStart[i]), 0), 1)
	share = share * share * share * (10 + share*(6*share-15))
	return (1-share)*l.line(i, x) + share*l.line(i+1, x)
}

// line returns the lateral position of straight line i.
func (l *LaneChanges) line(i int, x float64) float64 { return l.Y[i] + l.Slope[i]*(x-l.X[i]) }
