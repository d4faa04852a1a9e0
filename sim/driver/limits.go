package driver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	slowSpeed  = 15.0 // speed of the slow trials, with little downforce [m/s]
	fastSpeed  = 40.0 // speed of the fast trials, in which downforce counts [m/s]
	tableParts = 16   // number of intervals of an angleTable
)

// limits are what a car can do on a road, as measured in short trials.
type limits struct {
	lateral        bySpeed    // largest lateral acceleration
	braking        bySpeed    // largest deceleration, including air drag
	pedalGain      float64    // deceleration of the full pedal, extrapolated from its first part [m/s²]
	peakSlip       float64    // absolute longitudinal slip at the largest deceleration
	understeer     angleTable // road wheel angle minus that of the same bend at low speed
	rearSlip       angleTable // rear slip angle in a bend to the left
	rearDirection  angleTable // rearDirection in a bend to the left
	rearSlideAngle float64    // rear slip angle beyond which the rear axle slides [rad]
	frontPeakAngle float64    // absolute front slip angle at the largest lateral acceleration [rad]
	discHeating    [2]float64 // temperature rise of the front and rear discs over the decrease of the squared speed [K·s²/m²]
}

// bySpeed is an acceleration with a part that grows with the square of the speed.
type bySpeed struct {
	base float64 // part without aerodynamic forces [m/s²]
	aero float64 // part of aerodynamic forces over the square of the speed [1/m]
}

// at returns the acceleration at a speed, at least 0.5 m/s².
func (b bySpeed) at(speed float64) float64 { return max(b.base+b.aero*speed*speed, 0.5) }

// fitBySpeed fits the accelerations of the slow and the fast trial [m/s²].
func fitBySpeed(slow, fast float64) bySpeed {
	air := (fast - slow) / (fastSpeed*fastSpeed - slowSpeed*slowSpeed)
	return bySpeed{slow - air*slowSpeed*slowSpeed, air}
}

// angleTable is an angle [rad] over the share of the largest lateral acceleration.
type angleTable [tableParts + 1]float64

// at returns the angle for a signed share. Left and right are symmetric.
func (g *angleTable) at(share float64) float64 {
	position := min(math.Abs(finite(share, 0)), 1) * tableParts
	i := min(int(position), tableParts-1)
	angle := g[i] + (position-float64(i))*(g[i+1]-g[i])
	if share < 0 {
		return -angle
	}
	return angle
}

// withoutLag returns the angles of a car that does not lag behind its steering. In a trial with a steadily growing angle
// the lag adds nearly the same angle to all points but the first, which is still 0. Left in, it would be a step in the
// first interval: on a straight, where the driver uses that interval alone, the driver would turn the wheel three to ten
// times as far as the car needs, the more the faster it is, and weave. The straight part of the curve, extended to no
// lateral acceleration, shows the lag's share.
func (g angleTable) withoutLag() angleTable {
	const from, to = tableParts / 4, tableParts/2 - 1 // the part that is nearly straight
	slope := (g[to] - g[from]) / (to - from)
	lag := min(max(g[from]-from*slope, 0), max(g[from], 0))
	for k := range from {
		g[k] = (g[from] - lag) * float64(k) / from
	}
	for k := from; k < len(g); k++ {
		g[k] -= lag
	}
	return g
}

// findLimits measures the car's limits on t's ground.
func findLimits(t *trial.Run) limits {
	slow, fast := measureCornering(t, slowSpeed), measureCornering(t, fastSpeed)
	early, late := measureBraking(t, slowSpeed), measureBraking(t, fastSpeed)
	l := limits{
		lateral:     fitBySpeed(slow.maxAy(), fast.maxAy()),
		braking:     fitBySpeed(early.maxDecel, late.maxDecel),
		pedalGain:   max(late.pedalGain, 1),
		peakSlip:    min(max(early.peakSlip, 0.05), maxSteerableSlip),
		discHeating: late.discHeating,
	}
	l.understeer = slow.table(func(p corneringPoint) float64 { return p.understeer }).withoutLag()
	l.rearSlip = slow.table(func(p corneringPoint) float64 { return p.rear })
	l.rearDirection = slow.table(func(p corneringPoint) float64 { return p.direction })
	l.rearSlideAngle = max(1.15*math.Abs(l.rearSlip[tableParts]), 0.07)
	l.frontPeakAngle = min(max(-slow[len(slow)-1].front, 0.03), 0.35)
	return l
}

// settleAt puts the car at a speed [m/s] along the world's x axis and lets it settle for a moment.
func settleAt(t *trial.Run, speed float64) {
	const duration = 0.3 // [s]
	t.PlaceAtRest(0, 0, 0)
	t.State = t.Car.Underway(t.State.Pos, 0, speed, 0)
	t.RunUntil(duration, func(float64) { t.HoldSpeed(speed, 0) })
	t.Input.PushForce = 0
	t.StartRecording()
}

// axleSlipAngles returns the mean slip angles of the front and the rear axle [rad].
func axleSlipAngles(s *sim.State) (front, rear float64) {
	w := &s.Wheels
	return (w[tire.FL].Alpha + w[tire.FR].Alpha) / 2, (w[tire.RL].Alpha + w[tire.RR].Alpha) / 2
}

// rearDirection returns the direction in which the middle of the rear axle moves, against the car's heading [rad]: the rear
// slip angle without what bumps, toe and bushes add to it.
func rearDirection(m *trial.Motion, p *sim.Params) float64 {
	return math.Atan2(m.Vy-(p.Wheelbase-p.CGToFront)*m.YawRate, max(m.Vx, 1))
}

// corneringPoint is one point of a bend to the left whose curvature grows.
type corneringPoint struct {
	ay          float64 // [m/s²]
	understeer  float64 // road wheel angle minus that of the same bend at low speed [rad]
	front, rear float64 // mean slip angles of the axles [rad]
	direction   float64 // rearDirection [rad]
}

// smooth moves b towards p by a share: a first-order low-pass filter.
func (b *corneringPoint) smooth(p corneringPoint, share float64) {
	b.ay += share * (p.ay - b.ay)
	b.understeer += share * (p.understeer - b.understeer)
	b.front += share * (p.front - b.front)
	b.rear += share * (p.rear - b.rear)
	b.direction += share * (p.direction - b.direction)
}

// corneringCurve is a series of points with growing lateral acceleration.
type corneringCurve []corneringPoint

// maxAy returns the largest lateral acceleration [m/s²].
func (b corneringCurve) maxAy() float64 { return b[len(b)-1].ay }

// table returns an angle of the points as a table over the share of the largest lateral acceleration.
func (b corneringCurve) table(angle func(corneringPoint) float64) (g angleTable) {
	i := 0
	for k := range g {
		for i+1 < len(b) && b[i].ay < b.maxAy()*float64(k)/tableParts {
			i++
		}
		g[k] = angle(b[i])
	}
	g[0] = 0
	return g
}

// measureCornering increases the steering angle at a constant speed [m/s] until the lateral acceleration
// falls, the car spins, or the inner wheels carry less than a tenth of the weight.
func measureCornering(t *trial.Run, speed float64) corneringCurve {
	const ayRate, lag, maxTime, minInnerLoad = 6.0, 0.05, 5.0, 0.10 // [m/s³], [s], [s], share of the weight on the inner side
	settleAt(t, speed)
	angleRate := t.RoadWheelAngleFor(ayRate, speed)
	points, filtered := corneringCurve{{}}, corneringPoint{}
	for t.Now() < maxTime && !t.Spun() && t.LighterSideShare() > minInnerLoad && filtered.ay > 0.95*points.maxAy()-0.3 {
		t.Input.Steer = t.SteeringWheelFor(angleRate * t.Now())
		t.HoldSpeed(speed, 0)
		t.Step()
		m := trial.MotionOf(&t.State)
		p := corneringPoint{ay: m.Ay, understeer: t.Car.RoadSteer(t.State.Steer) - t.Params.Wheelbase*m.YawRate/max(m.Vx, 1)}
		p.front, p.rear = axleSlipAngles(&t.State)
		p.direction = rearDirection(&m, &t.Params)
		filtered.smooth(p, min(t.Dt/lag, 1))
		if filtered.ay > points.maxAy() {
			points = append(points, filtered)
		}
	}
	return points
}

// braking is the result of a trial in which the pedal goes down slowly.
type braking struct {
	maxDecel  float64 // largest deceleration [m/s²]
	pedalGain float64 // deceleration of the full pedal, extrapolated from its first part [m/s²]
	peakSlip  float64 // absolute longitudinal slip at maxDecel

	discHeating [2]float64 // temperature rise of the front and rear discs over the decrease of the squared speed [K·s²/m²]
}

// maxSteerableSlip is the longitudinal slip of braked tires up to which a car can still be steered.
const maxSteerableSlip = 0.15

// measureBraking brakes from a speed [m/s] by pressing the pedal slowly, until the deceleration falls, an
// axle slips by maxSteerableSlip, or a third of the speed is left.
func measureBraking(t *trial.Run, speed float64) (b braking) {
	const rate, lag, maxTime = 0.8, 0.03, 1.5 // [1/s], [s], [s]
	settleAt(t, speed)
	start := t.State
	coasting, decel := 0.0, 0.0
	for t.Now() < maxTime && t.State.Speed > speed/3 && decel > 0.93*b.maxDecel-0.2 && brakingSlip(&t.State) < maxSteerableSlip {
		t.Input.Brake = min(rate*t.Now(), 1)
		t.Step()
		decel += min(t.Dt/lag, 1) * (-trial.MotionOf(&t.State).Ax - decel)
		if t.Input.Brake <= 0.05 {
			coasting = decel
		}
		if t.Input.Brake > 0.1 && t.Input.Brake <= 0.25 {
			b.pedalGain = (decel - coasting) / (t.Input.Brake - 0.05)
		}
		if decel > 1.02*b.maxDecel {
			b.maxDecel, b.peakSlip = decel, brakingSlip(&t.State)
		}
	}
	for axle := range b.discHeating {
		left, right := 2*axle, 2*axle+1
		rise := t.State.Brakes.Wheels[left].Temperature + t.State.Brakes.Wheels[right].Temperature - start.Brakes.Wheels[left].Temperature - start.Brakes.Wheels[right].Temperature
		b.discHeating[axle] = max(rise/2/max(start.Speed*start.Speed-t.State.Speed*t.State.Speed, 1), 0)
	}
	return b
}

// axleSlipRatios returns the longitudinal slips of the front and the rear axle, weighted by wheel load.
func axleSlipRatios(s *sim.State) (front, rear float64) {
	w := &s.Wheels
	slip := func(a, b *sim.WheelState) float64 {
		return (a.Kappa*a.Load + b.Kappa*b.Load) / max(a.Load+b.Load, 1)
	}
	return slip(&w[tire.FL], &w[tire.FR]), slip(&w[tire.RL], &w[tire.RR])
}

// brakingSlip returns the absolute slip of the braked axle that slips more.
func brakingSlip(s *sim.State) float64 {
	front, rear := axleSlipRatios(s)
	return max(-min(front, rear), 0)
}
