package trial

import "math"

// steerPoints is the size of Run.roadWheelAngles.
const steerPoints = 65

// measureSteering sets Lock, and the table roadWheelAngles of the mean road wheel angle over the steering wheel
// angle, from the ratio and the geometry of the car's steering.
func (t *Run) measureSteering() {
	t.Lock = t.Params.Steering.Ratio * t.Params.Steering.MaxSteer * degree
	t.roadWheelAngles = make([]float64, steerPoints)
	for i := 1; i < steerPoints; i++ {
		// Strictly increasing, so that every road wheel angle has one steering wheel angle.
		t.roadWheelAngles[i] = max(t.roadWheelAngles[i-1]+1e-9, t.Car.RoadSteer(t.Lock*float64(i)/(steerPoints-1)))
	}
}

// MaxRoadWheelAngle returns the mean road wheel angle at the lock [rad].
func (t *Run) MaxRoadWheelAngle() float64 { return t.roadWheelAngles[steerPoints-1] }

// SteeringWheelFor returns the steering wheel angle for a mean road wheel angle [rad], limited to the
// lock.
func (t *Run) SteeringWheelFor(roadWheelAngle float64) float64 {
	absAngle := min(math.Abs(roadWheelAngle), t.MaxRoadWheelAngle())
	i := 1 // binary search for the interval of the table
	for low, high := 0, steerPoints-1; high-low > 1; {
		mid := (low + high) / 2
		if t.roadWheelAngles[mid] < absAngle {
			low = mid
		} else {
			high = mid
		}
		i = high
	}
	share := (absAngle - t.roadWheelAngles[i-1]) / (t.roadWheelAngles[i] - t.roadWheelAngles[i-1])
	return math.Copysign(t.Lock*(float64(i-1)+share)/(steerPoints-1), roadWheelAngle)
}

// RoadWheelAngleFor returns the mean road wheel angle [rad] that the linear single-track model needs for a
// lateral acceleration [m/s²] at a speed [m/s], limited to the lock.
func (t *Run) RoadWheelAngleFor(ay, speed float64) float64 {
	anglePerAy := t.Params.Wheelbase / (speed * speed)
	return min(ay*max(anglePerAy+t.Car.Understeer(), 0.2*anglePerAy), t.MaxRoadWheelAngle())
}
