package driver

import (
	"rig.example/rig/road/racing"
	"rig.example/rig/sim"
	"rig.example/rig/sim/brakes"
)

// fadeFactors are ratios of the brake force to that of cold brakes. The driver has a speed plan for each.
var fadeFactors = [...]float64{1, 0.85, 0.7, 0.55, 0.4}

// fadePlans are the planned speeds along the line, one for each of fadeFactors.
type fadePlans [len(fadeFactors)]*racing.Speeds

// at returns the planned speed [m/s] and acceleration [m/s²] at a station s [m] of the line. force is the
// brake force over that of cold brakes; at interpolates between the plans.
func (p *fadePlans) at(s, force float64) (speed, accel float64) {
	i := 0
	for i < len(fadeFactors)-2 && force < fadeFactors[i+1] {
		i++
	}
	share := min(max((fadeFactors[i]-force)/(fadeFactors[i]-fadeFactors[i+1]), 0), 1)
	v, a := p[i].At(s)
	if share == 0 {
		return v, a
	}
	w, b := p[i+1].At(s)
	return v + share*(w-v), a + share*(b-a)
}

// brakeFade returns the brake force over that of cold brakes: at the present temperatures of the discs
// (now), and after most of the next braking has heated them further (later).
func (d *Model) brakeFade(m *Memory, s *sim.State) (now, later float64) {
	const energyShare = 0.6 // share of the energy of the next braking after which later is evaluated
	b, v := &d.params.Brakes, finite(s.Speed, 0)
	slowest := d.slowestAhead[d.lineIndex(m.LineStation)]
	speedSquared := energyShare * max(v*v-slowest*slowest, 0)
	for axle, disc := range [...]*brakes.Disc{&b.FrontDisc, &b.RearDisc} {
		share := b.FrontShare
		if axle == 1 {
			share = 1 - share
		}
		temperature := finite((s.Brakes.Wheels[2*axle].Temperature+s.Brakes.Wheels[2*axle+1].Temperature)/2, 0)
		now += share * discFriction(disc.Fade, temperature)
		later += share * discFriction(disc.Fade, temperature+speedSquared*d.limits.discHeating[axle])
	}
	return max(now, 0.1), max(later, 0.1)
}

// setSlowestAhead sets d.slowestAhead: the lowest planned speed within the next 300 m.
func (d *Model) setSlowestAhead() {
	const horizon = 300 // [m]
	speeds := make([]float64, len(d.grips))
	for i := range speeds {
		speeds[i], _ = d.PlannedSpeeds().At(float64(i))
	}
	d.slowestAhead = make([]float64, len(speeds))
	for i := range speeds {
		d.slowestAhead[i] = speeds[i]
		for k := range horizon {
			d.slowestAhead[i] = min(d.slowestAhead[i], speeds[(i+k)%len(speeds)])
		}
	}
}

// discFriction returns the friction factor of a disc at a temperature [°C].
func discFriction(curve []brakes.FadePoint, temperature float64) float64 {
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
