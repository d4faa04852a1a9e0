package ffb

import "math"

// swing tells how much the rim swings to and fro: 0 it does not, 1 for turns of
// direction in a row that hardly grow smaller.
type swing struct {
	dt    float64
	sign  float64 // of the present half swing
	since float64 // its age [s]
	peak  float64 // its fastest [rad/s]
	last  float64 // fastest of the one before [rad/s]
	level float64 // of any
	quick float64 // of those that no car makes, but a late wheel
}

func newSwing(dt float64) swing { return swing{dt: dt} }

func (g *swing) reset() { *g = swing{dt: g.dt} }

// step returns how much the rim swings with the car, below some 10 Hz, and how much
// quicker than a car can, 3 to 25 Hz.
func (g *swing) step(speed float64) (level, quick float64) {
	const fade = 1.5 // [s] from 1 to 0
	g.level = max(g.level-g.dt/fade, 0)
	g.quick = max(g.quick-g.dt/fade, 0)
	g.since += g.dt
	const quiet = 0.06 // [rad/s]
	if math.Abs(speed) > quiet && speed*g.sign <= 0 {
		g.turn(speed)
	}
	g.peak = max(g.peak, math.Abs(speed))
	return g.level, g.quick
}

// turn begins a half swing in the direction of speed.
func (g *swing) turn(speed float64) {
	const (
		kept = 0.7 // of the half swing before, or it dies away by itself
		each = 0.5
	)
	lasting := g.peak > kept*g.last
	if lasting && g.since > 0.05 && g.since < 0.6 {
		g.level = min(g.level+each, 1)
	}
	if lasting && g.since > 0.02 && g.since < 0.15 {
		g.quick = min(g.quick+each, 1)
	}
	g.sign, g.since, g.last, g.peak = math.Copysign(1, speed), 0, g.peak, 0
}
