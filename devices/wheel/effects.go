package wheel

import (
	"errors"
	"fmt"
	"math"
	"time"

	"rig.example/rig/internal/evdev"
)

const (
	ownLength = 100 * time.Millisecond // dead-man of the wheel's own effects
	ownRenew  = 40 * time.Millisecond
	ownRest   = 50 * time.Millisecond // least time between two steps upward
	ownShare  = 0.5                   // of the torque, kept for all of the wheel's own effects at most
	ownClimb  = 4                     // steps upward at a time
	ownSteps  = 16                    // in which spring, damper and friction fade
	ownReport = 5 * time.Millisecond  // longest that one report may take; 3 of 20 ms let the force lapse
)

// own are the effects that the wheel makes by itself: spring, damper, friction. Where the
// rim is and how it moves is the device's knowledge alone, so each counts with all that it
// may ever give: its saturation.
type own struct {
	list   []condition
	room   float64       // kept for all of them [N·m]
	step   int           // how strong they are in the device, of ownSteps
	at     time.Duration // when they were played last
	raised time.Duration // when they became stronger last
}

// condition is one of them.
type condition struct {
	effect evdev.Condition
	share  float64 // of the device's strength, with all steps
}

// conditions are the wheel's own effects by their keys.
var conditions = [...]struct {
	name string
	kind uint16
	of   func(Config) float64
}{
	{"spring", evdev.Spring, func(c Config) float64 { return c.Spring }},
	{"damper", evdev.Damper, func(c Config) float64 { return c.Damper }},
	{"friction", evdev.Friction, func(c Config) float64 { return c.Friction }},
}

// saturates holds the drivers that hand the saturation of a condition on to the device, by
// their own source; what another driver makes of a condition is bounded by nothing. (simagic-ff
// stretches saturations to both signs, so that half of one arrives as none.)
//
// Newer drivers of PID devices take the saturation to the left for a number with a sign, so
// that half of the scale is all of it (pidff_set_condition_report in hid-universal-pidff); older
// ones do not, and a spring of theirs is weaker to the left where it saturates.
var saturates = map[string]evdev.LeftSaturation{
	"logitech": evdev.LeftFull, "logitech-hidpp-device": evdev.LeftFull, "tmff2": evdev.LeftFull, "hid-t150": evdev.LeftFull, "fanatec": evdev.LeftFull,
	"hid-generic": evdev.LeftHalf, "hid-pidff": evdev.LeftHalf, "hid-universal-pidff": evdev.LeftHalf,
}

// addOwn uploads what the user asks for and the device offers, and keeps its share of the
// torque: force and own effects together stay within what the wheel is rated. They are
// nothing that anybody needs to drive, so that what cannot be had is only noted.
func (s *session) addOwn(cfg Config) {
	m, _ := Known(s.info.Vendor, s.info.Product)
	total := 0.0 // asked for, of the torque
	for _, w := range conditions {
		share := w.of(cfg)
		if share <= 0 {
			continue
		}
		why := refusal(m, s.info, w.kind)
		switch {
		case why != "":
		case !s.lim.known:
			why = "its torque is not known; set wheel.full_torque_nm to what it gives, or run `rig calibrate ffb`"
		case s.report > ownReport:
			why = s.tooSlow()
		}
		c := evdev.NewCondition(w.kind, saturates[s.info.Driver], ownLength)
		if why == "" {
			if err := s.node.Upload(&c); err != nil {
				why = err.Error()
			}
		}
		if why != "" {
			s.lim.notes = append(s.lim.notes, fmt.Sprintf("no %s: %s; or set wheel.%s = 0", w.name, why, w.name))
			continue
		}
		s.own.list = append(s.own.list, condition{c, share})
		total += share
	}
	sine := s.addVibration(cfg.Vibration)
	s.keep(total, sine)
}

// keep takes what the own effects may add up to off the torque of the force. Where they ask
// for more than ownShare of it, all get less.
func (s *session) keep(conditions, sine float64) {
	rated := s.lim.rated
	kept := rated * min(1, ownShare/max(conditions+sine, ownShare)) // for each asked share of 1 [N·m]
	for i := range s.own.list {
		if s.lim.full > 0 {
			s.own.list[i].share *= min(kept/s.lim.full, 1)
		}
	}
	s.own.room = conditions * kept
	s.vibration = vibration{full: s.lim.full, most: sine * kept}
	s.lim.rated = rated - s.own.room - s.vibration.most
}

// refusal says why a wheel cannot have a condition, or nothing. One with the wrong sign
// would push where it should hold.
func refusal(m Model, info evdev.Info, kind uint16) string {
	_, bounded := saturates[info.Driver]
	switch {
	case !info.HasEffect(kind):
		return "its driver offers none"
	case !bounded:
		return "its driver does not bound it"
	case m.Quirks.Has(ConditionSign) && info.Driver != string(Universal):
		return "its conditions push the wrong way unless " + string(Universal) + " drives it"
	}
	return ""
}

// tooSlow says why a device can have no effects of its own beside the force.
func (s *session) tooSlow() string {
	return fmt.Sprintf("it takes one report in %v, and the force needs them all", s.report)
}

// stepFor is how strong the conditions may be where they may add up to so much [N·m].
func (o *own) stepFor(nm float64) int {
	if !(nm > 0 && o.room > 0) { // false for NaN
		return 0
	}
	const rounding = 1e-9
	return int(math.Floor(ownSteps * (min(nm/o.room, 1) + rounding)))
}

// now is what they may add up to in the device [N·m].
func (o *own) now() float64 { return o.room * float64(o.step) / ownSteps }

// lower makes the wheel's own effects weaker at once, or stops them, where they may add up to
// less than they do [N·m]. It returns how many reports that takes.
func (s *session) lower(now time.Duration, nm float64) (reports int, err error) {
	if step := s.own.stepFor(nm); step < s.own.step {
		return s.setOwn(now, step)
	}
	return 0, nil
}

// raise makes the wheel's own effects as strong as they may be [N·m], and renews them. It
// returns how many reports that takes, without the renewal's.
func (s *session) raise(now time.Duration, nm float64) (reports int, err error) {
	o := &s.own
	if step := min(o.stepFor(nm), o.step+ownClimb); step > o.step && now-o.raised >= ownRest {
		o.raised = now
		if reports, err = s.setOwn(now, step); err != nil {
			return reports, err
		}
	}
	if o.step > 0 && now-o.at >= ownRenew {
		o.at = now
		for i := range o.list {
			if err := s.node.Play(&o.list[i].effect); err != nil {
				return reports, err
			}
		}
	}
	return reports, nil
}

// setOwn tells the device how strong its own effects are; at step 0 they are stopped.
func (s *session) setOwn(now time.Duration, step int) (reports int, err error) {
	o := &s.own
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
		o.at = now - ownRenew // they are played next
	}
	return reports, nil
}

// eraseOwn frees the slots of the wheel's own effects, which stops them.
func (s *session) eraseOwn() (err error) {
	for i := range s.own.list {
		if e := s.node.Erase(&s.own.list[i].effect); e != nil {
			err = e
		}
	}
	if s.vibration.most > 0 {
		err = errors.Join(err, s.node.Erase(&s.sine))
	}
	return err
}
