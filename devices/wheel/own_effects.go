package wheel

import (
	"errors"
	"fmt"
	"math"
	"time"

	"rig.example/rig/internal/kit/evdev"
)

const (
	ownEffectLength  = 100 * time.Millisecond // after it the device ends its own effects unless they are renewed
	ownRenewInterval = 40 * time.Millisecond
	ownRaiseInterval = 50 * time.Millisecond // shortest time between two increases
	maxOwnShare      = 0.5                   // largest share of the torque that is reserved for the wheel's own effects
	maxRaise         = 4                     // largest increase at a time, in steps
	ownSteps         = 16                    // number of steps from no strength to full strength
	maxReportTime    = 5 * time.Millisecond  // longest time of one report; three reports of 20 ms would let the force end
)

// ownEffects are the effects that the wheel computes by itself: spring, damper and friction. Their
// present torque depends on the position and speed of the rim in the device and is not known here, so
// each effect counts with its saturation, the highest torque that it may give.
type ownEffects struct {
	list           []condition
	reservedTorque float64       // reserved for all of them [N·m]
	step           int           // their strength in the device, 0..ownSteps
	playedAt       time.Duration // when they were played last
	raisedAt       time.Duration // when their strength was increased last
}

// condition is one of the wheel's own effects.
type condition struct {
	effect evdev.Condition
	share  float64 // share of the device's strength at step ownSteps, 0..1
}

// conditions has each of the wheel's own effects with its key and its value in the configuration.
var conditions = [...]struct {
	name       string
	kind       uint16
	configured func(Config) float64
}{
	{"spring", evdev.FFSpring, func(c Config) float64 { return c.Spring }},
	{"damper", evdev.FFDamper, func(c Config) float64 { return c.Damper }},
	{"friction", evdev.FFFriction, func(c Config) float64 { return c.Friction }},
}

// conditionSaturation has the drivers that, according to their source code, pass the saturation of a
// condition on to the device. With any other driver a condition has no limit. simagic-ff is missing
// because it scales saturations to a signed range, in which half of the scale arrives as 0.
//
// Newer drivers of PID devices read the saturation to the left as a signed number, so that half of the
// scale is full saturation (pidff_set_condition_report in hid-universal-pidff). With older drivers a
// spring that saturates is therefore weaker to the left.
var conditionSaturation = map[string]evdev.LeftSaturation{
	"logitech": evdev.FullLeftUnsigned, "logitech-hidpp-device": evdev.FullLeftUnsigned, "tmff2": evdev.FullLeftUnsigned, "hid-t150": evdev.FullLeftUnsigned, "fanatec": evdev.FullLeftUnsigned,
	"hid-generic": evdev.FullLeftSigned, "hid-pidff": evdev.FullLeftSigned, "hid-universal-pidff": evdev.FullLeftSigned,
}

// addOwnEffects uploads the effects that the user has configured and the device offers, and reserves
// their share of the torque: the force and these effects together stay within the wheel's rated torque.
// Driving is possible without them, so an effect that is not possible only adds a note.
func (s *session) addOwnEffects(cfg Config) {
	m, _ := LookupModel(s.info.Vendor, s.info.Product)
	total := 0.0 // of the shares
	for _, w := range conditions {
		share := w.configured(cfg)
		if share <= 0 {
			continue
		}
		reason := refusalReason(m, s.info, w.kind)
		switch {
		case reason != "":
		case !s.limits.isKnown:
			reason = "its torque is not known; set wheel.full_torque_nm to the torque at full force, or run `rig calibrate ffb`"
		case s.reportPeriod > maxReportTime:
			reason = s.tooSlowReason()
		}
		c := evdev.NewCondition(w.kind, conditionSaturation[s.info.Driver], ownEffectLength)
		if reason == "" {
			if err := s.node.Upload(&c); err != nil {
				reason = err.Error()
			}
		}
		if reason != "" {
			s.limits.notes = append(s.limits.notes, fmt.Sprintf("no %s: %s; or set wheel.%s = 0", w.name, reason, w.name))
			continue
		}
		s.ownEffects.list = append(s.ownEffects.list, condition{c, share})
		total += share
	}
	sine := s.addVibration(cfg.Vibration)
	s.reserveTorque(total, sine)
}

// reserveTorque subtracts the torque of the wheel's own effects from that of the force. conditions and
// sine are the configured shares of the torque. If their sum is above maxOwnShare, all are scaled down.
func (s *session) reserveTorque(conditions, sine float64) {
	rated := s.limits.rated
	perShare := rated * min(1, maxOwnShare/max(conditions+sine, maxOwnShare)) // for a share of 1 [N·m]
	for i := range s.ownEffects.list {
		if s.limits.full > 0 {
			s.ownEffects.list[i].share *= min(perShare/s.limits.full, 1)
		}
	}
	s.ownEffects.reservedTorque = conditions * perShare
	s.vibration = vibration{full: s.limits.full, maxPeak: sine * perShare}
	s.limits.rated = rated - s.ownEffects.reservedTorque - s.vibration.maxPeak
}

// refusalReason returns why a wheel cannot have a condition, "" if it can. A condition with the wrong
// sign would push the rim instead of holding it back.
func refusalReason(m Model, info evdev.Info, kind uint16) string {
	_, bounded := conditionSaturation[info.Driver]
	switch {
	case !info.HasEffect(kind):
		return "its driver offers none"
	case !bounded:
		return "its driver does not bound it"
	case m.Quirks.Has(InvertedConditions) && info.Driver != string(Universal):
		return "its conditions push the wrong way unless " + string(Universal) + " drives it"
	}
	return ""
}

// tooSlowReason returns why a device with slow reports cannot have effects of its own besides the force.
func (s *session) tooSlowReason() string {
	return fmt.Sprintf("it takes one report in %v, and the force needs them all", s.reportPeriod)
}

// stepFor returns the strongest step at which the conditions add up to at most nm [N·m].
func (o *ownEffects) stepFor(nm float64) int {
	if !(nm > 0 && o.reservedTorque > 0) { // false for NaN
		return 0
	}
	const rounding = 1e-9
	return int(math.Floor(ownSteps * (min(nm/o.reservedTorque, 1) + rounding)))
}

// current returns the highest torque that they can reach together at their present strength [N·m].
func (o *ownEffects) current() float64 { return o.reservedTorque * float64(o.step) / ownSteps }

// weakenOwnEffects weakens or stops the wheel's own effects if they can add up to more than nm [N·m]. It
// returns the number of reports that this takes.
func (s *session) weakenOwnEffects(now time.Duration, nm float64) (reports int, err error) {
	if step := s.ownEffects.stepFor(nm); step < s.ownEffects.step {
		return s.setOwnEffects(now, step)
	}
	return 0, nil
}

// strengthenOwnEffects strengthens the wheel's own effects, up to nm in total [N·m], and renews them. It
// returns the number of reports that this takes, without those of the renewal.
func (s *session) strengthenOwnEffects(now time.Duration, nm float64) (reports int, err error) {
	o := &s.ownEffects
	if step := min(o.stepFor(nm), o.step+maxRaise); step > o.step && now-o.raisedAt >= ownRaiseInterval {
		o.raisedAt = now
		if reports, err = s.setOwnEffects(now, step); err != nil {
			return reports, err
		}
	}
	if o.step > 0 && now-o.playedAt >= ownRenewInterval {
		o.playedAt = now
		for i := range o.list {
			if err := s.node.Play(&o.list[i].effect); err != nil {
				return reports, err
			}
		}
	}
	return reports, nil
}

// setOwnEffects sends the strength of the wheel's own effects to the device. At step 0 it stops them.
func (s *session) setOwnEffects(now time.Duration, step int) (reports int, err error) {
	o := &s.ownEffects
	began := o.step == 0
	o.step = step
	for i := range o.list {
		c := &o.list[i]
		if step == 0 {
			reports++
			err = s.node.Stop(&c.effect)
		} else {
			reports++
			c.effect.SetShare(c.share * float64(step) / ownSteps)
			err = s.node.Upload(&c.effect)
		}
		if err != nil {
			return reports, err
		}
	}
	if began {
		o.playedAt = now - ownRenewInterval // they are played next
	}
	return reports, nil
}

// eraseOwnEffects erases the wheel's own effects, which also stops them.
func (s *session) eraseOwnEffects() (err error) {
	for i := range s.ownEffects.list {
		if e := s.node.Erase(&s.ownEffects.list[i].effect); e != nil {
			err = e
		}
	}
	if s.vibration.maxPeak > 0 {
		err = errors.Join(err, s.node.Erase(&s.sine))
	}
	return err
}
