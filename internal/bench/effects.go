package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// rimNow is what an effect on trial may know.
type rimNow struct {
	time  float64 // since it began [s]
	whole float64 // how long it takes in all [s]
	angle float64 // from where it began [rad], positive left
	speed float64 // [rad/s]
	peak  float64 // the most torque [N·m], its sign the side that is first
	hz    float64
}

// trialEffect is one way to push a rim.
type trialEffect struct {
	name   string
	says   func(peak, hz, whole float64) string // what it will do
	torque func(n rimNow) float64               // [N·m], positive left
	sided  bool                                 // it pushes by itself, so that its sign is a side
	knocks bool                                 // it tells how late the wheel answers
}

const (
	springFull  = math.Pi / 4 // angle of the whole torque [rad]
	damperFull  = 2 * math.Pi // speed of the whole torque [rad/s]
	frictionLow = 0.5         // speed of half the torque [rad/s]
	rimInertia  = 0.04        // of a wheel that is not known [kg·m²]

	// A rim of that inertia that answers after 25 ms keeps still with so much [N·m·s/rad].
	mostDrag = 0.8

	knockTime = 0.04  // [s]
	knockGap  = 1     // from one to the next [s]
	chirpLow  = 1.0   // [Hz]
	chirpHigh = 40.0  // [Hz]
	farTurn   = 120.0 // from where it began; a rim that is held does not go so far [deg]
)

var trialEffects = []trialEffect{
	{"constant", func(peak, _, _ float64) string {
		return fmt.Sprintf("pushes the rim to the %s with %.1f N·m", sideOf(peak), math.Abs(peak))
	}, func(n rimNow) float64 { return n.peak }, true, false},
	{"sine", func(peak, hz, _ float64) string {
		return fmt.Sprintf("swings the rim with up to %.1f N·m, %g times a second, first to the %s", math.Abs(peak), hz, sideOf(peak))
	}, func(n rimNow) float64 { return n.peak * math.Sin(2*math.Pi*n.hz*n.time) }, true, false},
	{"spring", func(peak, _, _ float64) string {
		return fmt.Sprintf("pulls the rim back to where it is when it begins, with %.1f N·m from 45° on", peak)
	}, springTorque, false, false},
	{"damper", func(peak, _, _ float64) string {
		return fmt.Sprintf("resists turning the more the faster, with up to %.1f N·m", peak)
	}, func(n rimNow) float64 { return -min(n.peak/damperFull, mostDrag) * n.speed }, false, false},
	{"friction", func(peak, _, _ float64) string {
		return fmt.Sprintf("resists turning with up to %.1f N·m, nearly as much when it is slow", peak)
	}, frictionTorque, false, false},
	{"impact", func(peak, _, _ float64) string {
		return fmt.Sprintf("knocks the rim with %.1f N·m for %.2f s, once a second, to and fro, first to the %s", math.Abs(peak), knockTime, sideOf(peak))
	}, impactTorque, true, true},
	{"chirp", func(peak, _, whole float64) string {
		return fmt.Sprintf("swings the rim with %.1f N·m, from %g to %g times a second in %.0f s, first to the %s", math.Abs(peak), chirpLow, chirpHigh, whole, sideOf(peak))
	}, chirpTorque, true, false},
}

func sideOf(torque float64) string {
	if torque < 0 {
		return "RIGHT"
	}
	return "LEFT"
}

// springTorque is damped by half of what would keep it from swinging.
func springTorque(n rimNow) float64 {
	k := n.peak / springFull
	return -k*n.angle - min(math.Sqrt(k*rimInertia), mostDrag)*n.speed
}

// frictionTorque bends at low speed, where a step would chatter.
func frictionTorque(n rimNow) float64 {
	return -n.peak * n.speed / (math.Abs(n.speed) + max(frictionLow, n.peak/mostDrag))
}

func impactTorque(n rimNow) float64 {
	since := math.Mod(n.time, knockGap)
	switch {
	case since >= knockTime:
		return 0
	case math.Mod(n.time, 2*knockGap) >= knockGap:
		return -n.peak
	}
	return n.peak
}

func chirpTorque(n rimNow) float64 {
	turns := chirpLow*n.time + (chirpHigh-chirpLow)*n.time*n.time/(2*n.whole)
	return n.peak * math.Sin(2*math.Pi*turns)
}

// findTrial returns the effect of a name.
func findTrial(name string) (trialEffect, error) {
	i := slices.IndexFunc(trialEffects, func(e trialEffect) bool { return e.name == name })
	if i < 0 {
		var names []string
		for _, e := range trialEffects {
			names = append(names, e.name)
		}
		return trialEffect{}, fmt.Errorf("ffb test: no effect %q; choose %s", name, strings.Join(names, ", "))
	}
	return trialEffects[i], nil
}

// answerDelay is how long a rim took to answer knocks [s], as most of them say; angles are
// in rad, both 1 ms apart. It is NaN where no knock moved the rim.
func answerDelay(torques, angles []float64) float64 {
	var list []float64
	for i := knockBefore; i+knockTicks < len(angles); i++ {
		if torques[i] == 0 || torques[i-1] != 0 {
			continue
		}
		if d := knockDelay(angles[i-knockBefore:i+knockTicks+1], math.Copysign(1, torques[i])); d >= 0 {
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
	knockTicks  = knockTime * 1000
	knockBefore = 20     // in which the rim's own motion shows [ticks]
	knockLeast  = 0.0015 // way that a knock surely made [rad]
)

// knockDelay is how late one knock is answered [s], -1 if it is not. It begins at
// angles[knockBefore] and pushes to side. A steady push makes a way of x in half the time
// of 4x, which tells when it began: twice the one time less the other.
func knockDelay(angles []float64, side float64) float64 {
	from := angles[knockBefore]
	drift := (from - angles[0]) / knockBefore
	way := func(t int) float64 { return side * (angles[knockBefore+t] - from - drift*float64(t)) }
	whole := way(knockTicks)
	if whole < knockLeast {
		return -1
	}
	t := 0
	reached := func(x float64) float64 { // [ticks]
		for way(t) < x {
			t++
		}
		if t == 0 {
			return 0
		}
		return float64(t) - (way(t)-x)/(way(t)-way(t-1))
	}
	quarter := reached(whole / 4)
	return max(0, 2*quarter-reached(whole)) / 1000
}
