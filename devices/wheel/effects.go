package wheel

import (
	"errors"
	"fmt"
	"time"

	"rig/internal/evdev"
)

const (
	ownLength = 100 * time.Millisecond // dead-man of the wheel's own effects
	ownRenew  = 40 * time.Millisecond
)

// own are the effects that the wheel makes by itself: spring, damper, friction.
type own struct {
	list    []evdev.Condition
	playing bool
	at      time.Duration // when they were played last
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

// addOwn uploads what the user asks for and the device offers. They are nothing that
// anybody needs to drive, so that what cannot be had is only noted.
func (s *session) addOwn(cfg Config) {
	m, _ := Known(s.info.Vendor, s.info.Product)
	for _, w := range conditions {
		share := w.of(cfg)
		if share <= 0 {
			continue
		}
		if why := refusal(m, s.info, w.kind); why != "" {
			s.lim.notes = append(s.lim.notes, fmt.Sprintf("no %s: %s; set wheel.%s = 0", w.name, why, w.name))
			continue
		}
		c := evdev.NewCondition(w.kind, share*s.lim.share(), ownLength)
		if err := s.node.Upload(&c); err != nil {
			s.lim.notes = append(s.lim.notes, fmt.Sprintf("no %s: %v", w.name, err))
			continue
		}
		s.own.list = append(s.own.list, c)
	}
	s.addVibration(cfg.Vibration)
}

// refusal says why a wheel cannot have a condition, or nothing. One with the wrong sign
// would push where it should hold.
func refusal(m Model, info evdev.Info, kind uint16) string {
	switch {
	case !info.HasEffect(kind):
		return "its driver offers none"
	case m.Quirks.Has(ConditionSign) && info.Driver != string(Universal):
		return "its conditions push the wrong way unless " + string(Universal) + " drives it"
	}
	return ""
}

// share is how much of the device's strength may be asked for.
func (l limits) share() float64 {
	if l.full <= 0 {
		return 0
	}
	return min(l.rated/l.full, 1)
}

// tend plays the wheel's own effects while on, again and again, or stops them.
func (s *session) tend(now time.Duration, on bool) error {
	o := &s.own
	switch {
	case on && (!o.playing || now-o.at >= ownRenew):
		for i := range o.list {
			if err := s.node.Play(&o.list[i]); err != nil {
				return err
			}
		}
		o.playing, o.at = true, now
	case !on && o.playing:
		o.playing = false
		for i := range o.list {
			if err := s.node.Stop(&o.list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// eraseOwn frees the slots of the wheel's own effects, which stops them.
func (s *session) eraseOwn() (err error) {
	for i := range s.own.list {
		if e := s.node.Erase(&s.own.list[i]); e != nil {
			err = e
		}
	}
	if s.vibration.most > 0 {
		err = errors.Join(err, s.node.Erase(&s.sine))
	}
	return err
}
