package wheel

import (
	"math"
	"testing"
	"time"

	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/level"
)

// summing is a device that adds up all that plays, each effect with the largest force that it can ever
// give: a condition with its saturation, a sine with its peak. What is not renewed ends.
type summing struct {
	*fakeForce
	left  float64 // the scale of a saturation to the left
	now   time.Duration
	until map[int16]time.Duration
}

func (d *summing) Play(e evdev.Effect) error {
	w := words(e)
	slot := int16(w[1])
	d.until[slot] = d.now + time.Duration(d.effects[slot].length)*ms
	if w[5] == 0 {
		d.until[slot] = time.Hour
	}
	return nil
}

func (d *summing) Stop(e evdev.Effect) error { delete(d.until, int16(words(e)[1])); return nil }

func (d *summing) Upload(e evdev.Effect) error {
	err := d.fakeForce.Upload(e)
	d.calls = d.calls[:0]
	w := words(e)
	if s := d.effects[int16(w[1])]; s.kind == evdev.FFPeriodic {
		s.level = int16(w[10]) // its magnitude
		d.effects[int16(w[1])] = s
	}
	return err
}

// most is the largest force that the device may give now, of its full force.
func (d *summing) most() (sum float64) {
	for slot, e := range d.effects {
		if d.until[slot] <= d.now {
			continue
		}
		switch e.kind {
		case evdev.FFSpring, evdev.FFDamper, evdev.FFFriction:
			sum += max(float64(uint16(e.level))/math.MaxUint16, float64(e.left)/d.left)
		default:
			sum += math.Abs(float64(e.level)) / fullLevel
		}
	}
	return sum
}

// A wheel that adds up all its effects never gives more than the limit in force: whatever is
// configured, in whatever state, while all fades, after a consent and without it.
func TestEverythingTogetherStaysWithinTheLimit(t *testing.T) {
	shares := []float64{0, 0.3, 1}
	cases, highest := 0, 0.0
	for i := range level.Pick(9, 27, 81) {
		cfg := Config{Spring: shares[i%3], Damper: shares[i/3%3], Friction: shares[(i+i/9)%3], Vibration: shares[i/9%3], MaxTorque: 25, MaxSlew: 50}
		for _, driver := range []string{"hid-pidff", "logitech"} {
			for _, most := range []float64{2, 8, 25} {
				cases++
				highest = max(highest, sweepBudget(t, cfg, driver, most, []float64{0.02, 1}[i%2]))
			}
		}
	}
	if highest < 0.9 {
		t.Errorf("at most %g of the limit was used in %d cases", highest, cases)
	}
}

// sweepBudget drives through consent, dead man's switch, stop and gap, and returns the
// largest share of the limit that the device might have given.
func sweepBudget(t *testing.T, cfg Config, driver string, most, request float64) (highest float64) {
	const full, dt = 25, 0.001
	safety := guard.Config{Engage: 0.2, Release: 0.1, MaxTorque: most, DeadMan: true}
	g := guard.New(safety, dt)
	d := &summing{newFakeForce(), float64(conditionSaturation[driver]), 0, map[int16]time.Duration{}}
	d.slots = []int16{0, 1, 2, 3, 4, 5}
	s := armed(t, driver, d.fakeForce)
	s.node, s.limits = d, limits{full: full, rated: cfg.MaxTorque, slew: 1e6, sign: 1, isKnown: true}
	s.addOwnEffects(cfg)
	s.effectsEnabled.Store(true)
	p := newPacer(s.driver, s.limits, 0, 0)
	all := s.ownEffects.reservedTorque + s.vibration.maxPeak
	rounding := full * (1e-3 + float64(s.driver.step)/fullLevel) // of the force, to a step of its driver
	var limits [25]float64                                       // of the last ms: a device is told of a lower one within that time
	for i := range 4000 {
		d.now += ms
		in := guard.Inputs{Start: true, WheelPresent: true, PlatformHomed: true, StateOK: true, HandsOn: 1,
			HighTorque: i == 800, DeadMan: i < 1900 || i > 1950, Stop: i > 2600 && i < 2610, Clear: i == 2700,
			Pause: i > 3500, Gap: map[bool]float64{i == 3000: 0.3}[true]}
		g.Step(in)
		room := all / (all + s.limits.rated) * min(g.MaxTorque(), all+s.limits.rated)
		g.ReserveTorque(room)
		torque, _ := g.Gate(1e3*math.Sin(float64(i)/100), [8]float64{})
		s.torque.Put(&torque)
		s.effectLimit.Store(g.GateOwnEffects(room))
		s.requestedVibration.Put(&vibrationRequest{g.GateOwnEffects(request * room * s.vibration.maxPeak / max(all, minTorque)), 5 + 95*(1-request)})
		o := p.decide(d.now, s.torque.Number(), torque)
		if err := s.sendForce(o); err != nil {
			t.Fatal(err)
		}
		if err := s.updateOwnEffects(d.now, &p, o.hold); err != nil {
			t.Fatal(err)
		}
		limits[i%len(limits)] = gateLimit(g, room)
		limit := 0.0
		for _, l := range limits {
			limit = max(limit, l)
		}
		sum := d.most() * full
		if sum > limit+rounding {
			t.Fatalf("%s, %+v, guard %g N·m, tick %d, %v: %.3f N·m of %.3f", driver, cfg, most, i, g.State(), sum, limit)
		}
		if own := d.most()*full - math.Abs(float64(p.level))/fullLevel*full; own > s.effectTorque.Load()+1e-3*full {
			t.Fatalf("%s, %+v, tick %d: %.3f N·m of its own, shown are %.3f", driver, cfg, i, own, s.effectTorque.Load())
		}
		if g.State() == guard.Driving && limit > 0 {
			highest = max(highest, sum/limit)
		}
	}
	return highest
}

// gateLimit is the largest torque that the guard lets pass in this tick, by the force and by what the
// wheel makes by itself [N·m].
func gateLimit(g *guard.Guard, room float64) float64 {
	force, _ := g.Gate(1e9, [8]float64{})
	return force + g.GateOwnEffects(math.Max(room, 0))
}
