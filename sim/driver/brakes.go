package driver

import (
	"rig.example/rig/sim"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/road/racing"
)

// fades are the shares of the cold brakes' force for which a driver has a plan each.
var fades = [...]float64{1, 0.85, 0.7, 0.55, 0.4}

// plans are the speeds along the line with cold brakes and with fading ones.
type plans [len(fades)]*racing.Speeds

// at returns speed and acceleration for a share of the cold brakes' force.
func (p *plans) at(s, force float64) (speed, ahead float64) {
	i := 0
	for i < len(fades)-2 && force < fades[i+1] {
		i++
	}
	part := min(max((fades[i]-force)/(fades[i]-fades[i+1]), 0), 1)
	v, a := p[i].At(s)
	if part == 0 {
		return v, a
	}
	w, b := p[i+1].At(s)
	return v + part*(w-v), a + part*(b-a)
}

// hot returns the share of the cold brakes' force that the discs leave, now and in the
// course of a stop, as a driver knows who feels the pedal.
func (d *Model) hot(m *Memory, s *sim.State) (now, then float64) {
	const part = 0.6 // of the next stop
	b, v := &d.p.Brakes, finite(s.Speed, 0)
	slow := d.slowest[d.metre(m.Along)]
	stop := part * max(v*v-slow*slow, 0)
	for axle, disc := range [...]*brakes.Disc{&b.FrontDisc, &b.RearDisc} {
		share := b.FrontShare
		if axle == 1 {
			share = 1 - share
		}
		warm := finite((s.Brakes.Wheels[2*axle].Temperature+s.Brakes.Wheels[2*axle+1].Temperature)/2, 0)
		now += share * faded(disc.Fade, warm)
		then += share * faded(disc.Fade, warm+stop*d.limits.warms[axle])
	}
	return max(now, 0.1), max(then, 0.1)
}

// foresee notes for every metre of the line the lowest speed of the way ahead.
func (d *Model) foresee() {
	const ahead = 300 // [m]
	speeds := make([]float64, len(d.grips))
	for i := range speeds {
		speeds[i], _ = d.Speeds().At(float64(i))
	}
	d.slowest = make([]float64, len(speeds))
	for i := range speeds {
		d.slowest[i] = speeds[i]
		for k := range ahead {
			d.slowest[i] = min(d.slowest[i], speeds[(i+k)%len(speeds)])
		}
	}
}

// faded returns the friction factor of a disc at a temperature [°C].
func faded(curve []brakes.FadePoint, temperature float64) float64 {
	if temperature <= curve[0].Temperature {
		return curve[0].Factor
	}
	for i := 1; i < len(curve); i++ {
		if a, b := curve[i-1], curve[i]; temperature < b.Temperature {
			return a.Factor + (b.Factor-a.Factor)*(temperature-a.Temperature)/(b.Temperature-a.Temperature)
		}
	}
	return curve[len(curve)-1].Factor
}
