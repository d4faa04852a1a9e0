package driver

import "math"

// Reversals counts how often a steering wheel goes back and forth on straights. A reversal is a swing of at least 1°
// between two turning points of the wheel, both of them on one straight and at least 1 s after its entry, because the wheel
// still comes back from the bend before. On a straight the curvature of the driven line is below 1/1000 m. The zero value is
// ready.
type Reversals struct {
	Most   int     // most reversals in any 5 s
	MostAt float64 // station where the last of them ended [m]

	low, high  wheelAngle // smallest and largest angle since the last turning point
	turned     wheelAngle // last turning point
	direction  float64    // of the present swing: 1 left, -1 right, 0 before the first
	time       float64    // [s]
	straight   int        // number of the present straight, or of the last one
	onStraight float64    // time since its entry [s]; 0 in a bend
	ends       []float64  // when the reversals of this straight ended, of the last 5 s [s]
}

// wheelAngle is an angle of the steering wheel, when and where it was reached, and on which straight, 0 for none.
type wheelAngle struct {
	angle, time, station float64
	straight             int
}

// Add takes the angle of the steering wheel [rad] after dt [s], at a station [m] of the circuit, and the curvature of the
// driven line there [1/m].
func (c *Reversals) Add(dt, angle, station, curvature float64) {
	const (
		swing     = degree
		curved    = 1e-3 // [1/m]
		entryTime = 1.0  // [s]
	)
	first := c.time == 0
	c.time += dt
	if !(math.Abs(curvature) < curved) {
		c.onStraight = 0
	} else {
		if c.onStraight == 0 {
			c.straight++
			c.ends = c.ends[:0]
		}
		c.onStraight += dt
	}
	now := wheelAngle{angle: angle, time: c.time, station: station}
	if c.onStraight >= entryTime {
		now.straight = c.straight
	}
	if first || angle < c.low.angle {
		c.low = now
	}
	if first || angle > c.high.angle {
		c.high = now
	}
	switch {
	case c.direction >= 0 && angle <= c.high.angle-swing:
		c.turn(-1, c.high)
		c.low = now
	case c.direction <= 0 && angle >= c.low.angle+swing:
		c.turn(1, c.low)
		c.high = now
	}
}

// turn takes the turning point from which the wheel moves in a direction.
func (c *Reversals) turn(direction float64, at wheelAngle) {
	const window = 5.0 // [s]
	from := c.turned
	c.turned, c.direction = at, direction
	if at.straight == 0 || at.straight != from.straight {
		return
	}
	c.ends = append(c.ends, at.time)
	for c.ends[0] <= at.time-window {
		c.ends = c.ends[1:]
	}
	if len(c.ends) > c.Most {
		c.Most, c.MostAt = len(c.ends), at.station
	}
}
