package trial

import "math"

const steerPoints = 65

// measureSteering finds the mean road wheel angle of steering wheel angles up to
// the lock: ratio and geometry are the car's own.
func (t *Run) measureSteering() {
	t.Lock = t.Params.Steering.Ratio * t.Params.Steering.MaxSteer * degree
	t.road = make([]float64, steerPoints)
	for i := 1; i < steerPoints; i++ {
		// Never less than before, so that every angle has one steering wheel angle.
		t.road[i] = max(t.road[i-1]+1e-9, t.Car.RoadSteer(t.Lock*float64(i)/(steerPoints-1)))
	}
}

// MostRoad returns the mean road wheel angle at the lock [rad].
func (t *Run) MostRoad() float64 { return t.road[steerPoints-1] }

// Wheel returns the steering wheel angle of a mean road wheel angle [rad], up to
// the lock.
func (t *Run) Wheel(road float64) float64 {
	size := min(math.Abs(road), t.MostRoad())
	i := 1 // halve the interval until one piece of the table is left
	for low, high := 0, steerPoints-1; high-low > 1; {
		mid := (low + high) / 2
		if t.road[mid] < size {
			low = mid
		} else {
			high = mid
		}
		i = high
	}
	part := (size - t.road[i-1]) / (t.road[i] - t.road[i-1])
	return math.Copysign(t.Lock*(float64(i-1)+part)/(steerPoints-1), road)
}

// RoadFor returns the mean road wheel angle that the linear single-track model
// takes for a lateral acceleration at a speed [rad, m/s², m/s], up to the lock.
func (t *Run) RoadFor(ay, speed float64) float64 {
	turn := t.Params.Wheelbase / (speed * speed)
	return min(ay*max(turn+t.Car.Understeer(), 0.2*turn), t.MostRoad())
}
