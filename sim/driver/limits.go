package driver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	slowTrial = 15.0 // [m/s]
	fastTrial = 40.0 // [m/s], where wings count
	gripParts = 16   // of the lateral acceleration, from none to the most
)

// limits are what a car can do on a road, as short trials found it.
type limits struct {
	side  bySpeed    // most lateral acceleration
	stop  bySpeed    // most deceleration, the air's included
	bite  float64    // deceleration of a full pedal, as its first part has it [m/s²]
	lock  float64    // longitudinal slip at the most deceleration, its size
	extra gripTable  // road wheel angle beyond that of a bend taken slowly
	rear  gripTable  // slip angle behind, in a bend to the left
	loose float64    // slip angle behind past which it slides [rad]
	front float64    // slip angle in front at the most lateral acceleration, its size [rad]
	warms [2]float64 // what a stop adds to the discs in front and behind [K, for each m²/s²]
}

// bySpeed is an acceleration that air may raise with the square of the speed.
type bySpeed struct {
	still float64 // [m/s²]
	air   float64 // [1/m]
}

func (b bySpeed) at(speed float64) float64 { return max(b.still+b.air*speed*speed, 0.5) }

// through returns the law of two trials' accelerations [m/s²].
func through(slow, fast float64) bySpeed {
	air := (fast - slow) / (fastTrial*fastTrial - slowTrial*slowTrial)
	return bySpeed{slow - air*slowTrial*slowTrial, air}
}

// gripTable is an angle over the share of the most lateral acceleration [rad].
type gripTable [gripParts + 1]float64

// at returns the angle for a signed share; left and right are alike.
func (g *gripTable) at(share float64) float64 {
	size := min(math.Abs(finite(share, 0)), 1) * gripParts
	i := min(int(size), gripParts-1)
	angle := g[i] + (size-float64(i))*(g[i+1]-g[i])
	if share < 0 {
		return -angle
	}
	return angle
}

// findLimits drives the car into its limits on t's ground.
func findLimits(t *trial.Run) limits {
	slow, fast := corner(t, slowTrial), corner(t, fastTrial)
	early, late := brakeHarder(t, slowTrial), brakeHarder(t, fastTrial)
	l := limits{
		side:  through(slow.most(), fast.most()),
		stop:  through(early.most, late.most),
		bite:  max(late.bite, 1),
		lock:  min(max(early.lock, 0.05), steered),
		warms: late.warms,
	}
	l.extra = slow.table(func(p bendPoint) float64 { return p.extra })
	l.rear = slow.table(func(p bendPoint) float64 { return p.rear })
	l.loose = max(1.15*math.Abs(l.rear[gripParts]), 0.07)
	l.front = min(max(-slow[len(slow)-1].front, 0.03), 0.35)
	return l
}

// coast puts the car at a speed [m/s] along the world's x and lets it settle for a moment.
func coast(t *trial.Run, speed float64) {
	const settles = 0.3 // [s]
	t.Rest(0, 0, 0)
	t.State = t.Car.Underway(t.State.Pos, 0, speed, 0)
	t.Until(settles, func(float64) { t.HoldSpeed(speed, 0) })
	t.Input.Push = 0
	t.Begin()
}

// slips returns the mean slip angles in front and behind [rad].
func slips(s *sim.State) (front, rear float64) {
	w := &s.Wheels
	return (w[tire.FL].Alpha + w[tire.FR].Alpha) / 2, (w[tire.RL].Alpha + w[tire.RR].Alpha) / 2
}

// bendPoint is what a growing bend to the left passes.
type bendPoint struct {
	ay          float64 // [m/s²]
	extra       float64 // road wheel angle beyond that of a bend taken slowly [rad]
	front, rear float64 // slip angles [rad]
}

// follow moves b towards p by a share.
func (b *bendPoint) follow(p bendPoint, share float64) {
	b.ay += share * (p.ay - b.ay)
	b.extra += share * (p.extra - b.extra)
	b.front += share * (p.front - b.front)
	b.rear += share * (p.rear - b.rear)
}

// bend is a row of points, each with more lateral acceleration than the one before.
type bend []bendPoint

func (b bend) most() float64 { return b[len(b)-1].ay }

// table takes an angle from the points.
func (b bend) table(angle func(bendPoint) float64) (g gripTable) {
	i := 0
	for k := range g {
		for i+1 < len(b) && b[i].ay < b.most()*float64(k)/gripParts {
			i++
		}
		g[k] = angle(b[i])
	}
	g[0] = 0
	return g
}

// corner steers more and more at a held speed, until the car gives no more, turns
// round or tips.
func corner(t *trial.Run, speed float64) bend {
	const grows, lag, longest, tips = 6.0, 0.05, 5.0, 0.10 // [m/s³], [s], [s], share of the weight on the inner side
	coast(t, speed)
	rate := t.RoadFor(grows, speed)
	points, now := bend{{}}, bendPoint{}
	for t.Now() < longest && !t.Spun() && t.LighterSide() > tips && now.ay > 0.95*points.most()-0.3 {
		t.Input.Steer = t.Wheel(rate * t.Now())
		t.HoldSpeed(speed, 0)
		t.Step()
		m := trial.MotionOf(&t.State)
		p := bendPoint{ay: m.Ay, extra: t.Car.RoadSteer(t.State.Steer) - t.Params.Wheelbase*m.YawRate/max(m.Vx, 1)}
		p.front, p.rear = slips(&t.State)
		now.follow(p, min(t.Dt/lag, 1))
		if now.ay > points.most() {
			points = append(points, now)
		}
	}
	return points
}

// braking is what a growing pedal brings.
type braking struct {
	most float64 // deceleration [m/s²]
	bite float64 // of a full pedal, as its first part has it [m/s²]
	lock float64 // longitudinal slip at the most, its size

	warms [2]float64 // of the discs in front and behind [K, for each m²/s²]
}

// steered is the most slip of braked tires at which a car still steers.
const steered = 0.15

// brakeHarder presses the pedal more and more until the car gives no more, an axle slips, or
// the car is slow.
func brakeHarder(t *trial.Run, speed float64) (b braking) {
	const rate, lag, longest = 0.8, 0.03, 1.5 // [1/s], [s], [s]
	coast(t, speed)
	was := t.State
	free, now := 0.0, 0.0
	for t.Now() < longest && t.State.Speed > speed/3 && now > 0.93*b.most-0.2 && braked(&t.State) < steered {
		t.Input.Brake = min(rate*t.Now(), 1)
		t.Step()
		now += min(t.Dt/lag, 1) * (-trial.MotionOf(&t.State).Ax - now)
		if t.Input.Brake <= 0.05 {
			free = now
		}
		if t.Input.Brake > 0.1 && t.Input.Brake <= 0.25 {
			b.bite = (now - free) / (t.Input.Brake - 0.05)
		}
		if now > 1.02*b.most {
			b.most, b.lock = now, braked(&t.State)
		}
	}
	for axle := range b.warms {
		left, right := 2*axle, 2*axle+1
		rise := t.State.Brakes.Wheels[left].Temperature + t.State.Brakes.Wheels[right].Temperature - was.Brakes.Wheels[left].Temperature - was.Brakes.Wheels[right].Temperature
		b.warms[axle] = max(rise/2/max(was.Speed*was.Speed-t.State.Speed*t.State.Speed, 1), 0)
	}
	return b
}

// axleSlips returns the longitudinal slips in front and behind, each wheel's by its load.
func axleSlips(s *sim.State) (front, rear float64) {
	w := &s.Wheels
	slip := func(a, b *sim.Wheel) float64 {
		return (a.Kappa*a.Load + b.Kappa*b.Load) / max(a.Load+b.Load, 1)
	}
	return slip(&w[tire.FL], &w[tire.FR]), slip(&w[tire.RL], &w[tire.RR])
}

// braked returns the larger slip of a braked axle, its size.
func braked(s *sim.State) float64 {
	front, rear := axleSlips(s)
	return max(-min(front, rear), 0)
}
