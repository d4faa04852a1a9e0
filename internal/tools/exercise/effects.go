package exercise

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// effectInput is what an effect's torque may depend on.
type effectInput struct {
	time       float64 // since the effect began [s]
	duration   float64 // of the whole effect [s]
	angle      float64 // from where the effect began [rad], positive left
	speed      float64 // [rad/s]
	peakTorque float64 // largest torque [N·m]; a positive one pushes left first, a negative one right
	frequency  float64 // of a sine [Hz]
}

// forceEffect is one kind of effect that a trial can play.
type forceEffect struct {
	name     string
	describe func(peak, hz, duration float64) string // returns a sentence on what the effect does; [N·m], [Hz], [s]
	torque   func(n effectInput) float64             // [N·m], positive left
	// hasSide means that the effect pushes by itself, so that the sign of the torque selects the side of the first push.
	hasSide       bool
	measuresDelay bool // the delay of the wheel's response can be measured with it
}

const (
	springFullAngle   = math.Pi / 4 // angle at which the spring has its full torque [rad]
	damperFullSpeed   = 2 * math.Pi // speed at which the damper has its full torque [rad/s]
	frictionHalfSpeed = 0.5         // speed at which the friction has half of its torque [rad/s]
	rimInertia        = 0.04        // assumed moment of inertia of the rim [kg·m²]

	// A rim of that inertia with a response delay of 25 ms is stable up to this damping [N·m·s/rad].
	maxDamping = 0.8

	impactTime   = 0.04  // duration of an impact [s]
	impactPeriod = 1     // from one impact to the next [s]
	chirpLow     = 1.0   // first frequency of the chirp [Hz]
	chirpHigh    = 40.0  // last frequency of the chirp [Hz]
	maxTurn      = 120.0 // largest angle from where the effect began [deg]; a rim that somebody holds does not turn farther
)

var trialEffects = []forceEffect{
	{"constant", func(peak, _, _ float64) string {
		return fmt.Sprintf("pushes the rim to the %s with %.1f N·m", sideName(peak), math.Abs(peak))
	}, func(n effectInput) float64 { return n.peakTorque }, true, false},
	{"sine", func(peak, hz, _ float64) string {
		return fmt.Sprintf("swings the rim with up to %.1f N·m, %g times a second, first to the %s", math.Abs(peak), hz, sideName(peak))
	}, func(n effectInput) float64 { return n.peakTorque * math.Sin(2*math.Pi*n.frequency*n.time) }, true, false},
	{"spring", func(peak, _, _ float64) string {
		return fmt.Sprintf("pulls the rim back to where it is when it begins, with %.1f N·m from 45° on", peak)
	}, springTorque, false, false},
	{"damper", func(peak, _, _ float64) string {
		return fmt.Sprintf("resists turning the more the faster, with up to %.1f N·m", peak)
	}, func(n effectInput) float64 { return -min(n.peakTorque/damperFullSpeed, maxDamping) * n.speed }, false, false},
	{"friction", func(peak, _, _ float64) string {
		return fmt.Sprintf("resists turning with up to %.1f N·m, nearly as much when it is slow", peak)
	}, frictionTorque, false, false},
	{"impact", func(peak, _, _ float64) string {
		return fmt.Sprintf("knocks the rim with %.1f N·m for %.2f s, once a second, to and fro, first to the %s", math.Abs(peak), impactTime, sideName(peak))
	}, impactTorque, true, true},
	{"chirp", func(peak, _, duration float64) string {
		return fmt.Sprintf("swings the rim with %.1f N·m, from %g to %g times a second in %.0f s, first to the %s", math.Abs(peak), chirpLow, chirpHigh, duration, sideName(peak))
	}, chirpTorque, true, false},
}

func sideName(torque float64) string {
	if torque < 0 {
		return "RIGHT"
	}
	return "LEFT"
}

// springTorque returns the torque of a spring with half of the critical damping [N·m].
func springTorque(n effectInput) float64 {
	k := n.peakTorque / springFullAngle
	return -k*n.angle - min(math.Sqrt(k*rimInertia), maxDamping)*n.speed
}

// frictionTorque returns a friction torque [N·m] that is continuous at low speed, because a step
// there would make the rim chatter.
func frictionTorque(n effectInput) float64 {
	return -n.peakTorque * n.speed / (math.Abs(n.speed) + max(frictionHalfSpeed, n.peakTorque/maxDamping))
}

// impactTorque returns short pulses of alternating sign [N·m].
func impactTorque(n effectInput) float64 {
	sinceImpact := math.Mod(n.time, impactPeriod)
	switch {
	case sinceImpact >= impactTime:
		return 0
	case math.Mod(n.time, 2*impactPeriod) >= impactPeriod:
		return -n.peakTorque
	}
	return n.peakTorque
}

// chirpTorque returns a sine whose frequency rises linearly from chirpLow to chirpHigh [N·m].
func chirpTorque(n effectInput) float64 {
	cycles := chirpLow*n.time + (chirpHigh-chirpLow)*n.time*n.time/(2*n.duration)
	return n.peakTorque * math.Sin(2*math.Pi*cycles)
}

// findEffect returns the effect with a name.
func findEffect(name string) (forceEffect, error) {
	i := slices.IndexFunc(trialEffects, func(e forceEffect) bool { return e.name == name })
	if i < 0 {
		var names []string
		for _, e := range trialEffects {
			names = append(names, e.name)
		}
		return forceEffect{}, fmt.Errorf("ffb test: effect %q not found; choose %s", name, strings.Join(names, ", "))
	}
	return trialEffects[i], nil
}

// responseDelay returns the median delay with which the rim responded to impacts [s]; torques
// [N·m] and angles [rad] are sampled every millisecond. It is NaN if no impact moved the rim.
func responseDelay(torques, angles []float64) float64 {
	var list []float64
	for i := ticksBefore; i+impactTicks < len(angles); i++ {
		if torques[i] == 0 || torques[i-1] != 0 {
			continue
		}
		if d := impactDelay(angles[i-ticksBefore:i+impactTicks+1], math.Copysign(1, torques[i])); d >= 0 {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[len(list)/2]
}

const (
	impactTicks       = impactTime * 1000
	ticksBefore       = 20     // time before an impact over which the rim's own motion is measured [ticks]
	minResponseTravel = 0.0015 // smallest travel that counts as the response to an impact [rad]
)

// impactDelay returns the delay of the response to one impact [s], -1 if there is none. The impact
// begins at angles[ticksBefore] and pushes to side. A constant torque moves the rim by x in half
// the time in which it moves it by 4x, so that the response began at twice the first time less
// the second.
func impactDelay(angles []float64, side float64) float64 {
	start := angles[ticksBefore]
	drift := (start - angles[0]) / ticksBefore
	travel := func(t int) float64 { return side * (angles[ticksBefore+t] - start - drift*float64(t)) }
	totalTravel := travel(impactTicks)
	if totalTravel < minResponseTravel {
		return -1
	}
	t := 0
	ticksToReach := func(x float64) float64 { // [ticks]
		for travel(t) < x {
			t++
		}
		if t == 0 {
			return 0
		}
		return float64(t) - (travel(t)-x)/(travel(t)-travel(t-1))
	}
	quarter := ticksToReach(totalTravel / 4)
	return max(0, 2*quarter-ticksToReach(totalTravel)) / 1000
}
