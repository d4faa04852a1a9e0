package driver

import (
	"math"

	"rig.example/rig/sim"
)

// pedals returns throttle and brake for the planned speed.
func (d *Model) pedals(m *Memory, s *sim.State) (throttle, brake float64) {
	const eager, lifted = 2.5, 0.02 // [1/s], of the throttle
	speed := max(s.Speed, 0)
	force, left := d.hot(m, s)
	want, _ := d.plans.at(m.Along, left)
	_, rate := d.plans.at(m.Along+reaction*speed, left)
	if slow := d.cautious(m, speed); slow < want {
		want, rate = slow, min(rate, 0)
	}
	rate = min(rate+eager*(want-speed), d.cfg.Driving)
	resist, pull := d.resist(speed)+d.climb(m), d.pull(s.Driveline.Gear, speed)
	if rate > -resist {
		return min((rate+resist)/max(pull, 0.5), d.driven(s)), 0
	}
	if m.Wish.Throttle > lifted { // the same foot
		return 0, 0
	}
	return 0, min((-rate-resist)/(force*d.limits.bite), d.rolling(s))
}

// cautious returns the speed [m/s] at which the car can follow the way back to the line,
// and that is fit for a road's side.
func (d *Model) cautious(m *Memory, speed float64) float64 {
	const margin, off, slow = 1.3, 1.0, 10.0 // share of the lateral acceleration, [m], [m/s]
	most := math.Sqrt(margin * d.cornering(m, speed, m.bend) / max(math.Abs(m.bend), 1e-6))
	if out := d.beyond(m.Station, m.Lateral) - d.p.Width/2; out > 0 {
		most = min(most, max(slow, speed*(1-0.3*min(out/off, 1))))
	}
	return max(most, 3)
}

// climb returns what the slope takes off [m/s²].
func (d *Model) climb(m *Memory) float64 {
	slope := d.line.At(m.Along).Slope
	return d.p.Gravity * slope / math.Sqrt(1+slope*slope)
}

// driven returns the throttle that the driven tires can take: less when they spin or
// the rear slides.
func (d *Model) driven(s *sim.State) float64 {
	front, rear := axleSlips(s)
	spin := 0.0
	if d.p.Driveline.FrontShare > 0 {
		spin = front
	}
	if d.p.Driveline.FrontShare < 1 {
		spin = max(spin, rear)
	}
	return min(max(2-spin/d.limits.lock, 0), 1) * d.leaves(s)
}

// rolling returns the brake at which the wheels still turn.
func (d *Model) rolling(s *sim.State) float64 {
	return min(max(2-braked(s)/d.limits.lock, 0), 1) * d.leaves(s)
}

// leaves returns how much the rear leaves to the pedals: 1, and less where it slides.
func (d *Model) leaves(s *sim.State) float64 {
	return 1 - quick(s.Speed)*min(2*d.slide(s), 1)
}

// slide returns how far the slip angle behind is past what the car's limit takes, as a
// share of it.
func (d *Model) slide(s *sim.State) float64 {
	_, rear := slips(s)
	return max(math.Abs(rear)/d.limits.loose-1, 0)
}
