package wheel

import (
	"errors"
	"fmt"
	"strings"

	"rig.example/rig/internal/evdev"
)

// Buttons says which button does what: for each action a control such as
// "BTN_TOP2", "hat0-left" or "shifter:BTN_TRIGGER", or several with commas
// between. Empty takes what is known of the wheel, "none" takes no button.
type Buttons struct {
	ShiftUp        string `toml:"shift_up"`
	ShiftDown      string `toml:"shift_down"`
	Handbrake      string `toml:"handbrake"`
	ClutchBite     string `toml:"clutch_bite"`
	LookLeft       string `toml:"look_left"`
	LookRight      string `toml:"look_right"`
	Reset          string `toml:"reset"`
	Pause          string `toml:"pause"`
	HeadlightFlash string `toml:"headlight_flash"`
	PitLimiter     string `toml:"pit_limiter"`
	ABSUp          string `toml:"abs_up"`
	ABSDown        string `toml:"abs_down"`
	TCUp           string `toml:"tc_up"`
	TCDown         string `toml:"tc_down"`
	FFBGainUp      string `toml:"ffb_gain_up"`
	FFBGainDown    string `toml:"ffb_gain_down"`
	HighTorque     string `toml:"high_torque"`
	DeadMan        string `toml:"dead_man"`
	Stop           string `toml:"stop"`
	MotionGainUp   string `toml:"motion_gain_up"`
	MotionGainDown string `toml:"motion_gain_down"`
	MotionNext     string `toml:"motion_next"`
	MotionCueUp    string `toml:"motion_cue_up"`
	MotionCueDown  string `toml:"motion_cue_down"`
	MotionOn       string `toml:"motion_on"`
	Interlock      string `toml:"interlock"`
}

// noButton is the text for an action that nothing does.
const noButton = "none"

// DefaultButtons leaves all to what is known of the wheel.
func DefaultButtons() Buttons { return Buttons{} }

// Given tells whether the configuration names a control for an action.
func (b Buttons) Given(a Action) bool {
	list, _ := parseControls(b.texts()[a])
	return len(list) > 0
}

// texts are the fields in the order of the actions.
func (b Buttons) texts() [actionCount]string {
	return [actionCount]string{
		b.ShiftUp, b.ShiftDown, b.Handbrake, b.ClutchBite, b.LookLeft, b.LookRight, b.Reset, b.Pause,
		b.HeadlightFlash, b.PitLimiter, b.ABSUp, b.ABSDown, b.TCUp, b.TCDown, b.FFBGainUp, b.FFBGainDown,
		b.HighTorque, b.DeadMan, b.Stop, b.MotionGainUp, b.MotionGainDown, b.MotionNext, b.MotionCueUp, b.MotionCueDown,
		b.MotionOn, b.Interlock,
	}
}

// Validate reports every name that is unknown and every control that two
// actions share.
func (b Buttons) Validate() error {
	var errs []error
	user := map[control]Action{}
	for a, text := range b.texts() {
		list, err := parseControls(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("buttons: %s: %w", Action(a), err))
		}
		for _, c := range list {
			if other, taken := user[c]; taken && other != Action(a) {
				errs = append(errs, fmt.Errorf("buttons: %s: %s is %s already; give one of them another button", Action(a), c, other))
			} else {
				user[c] = Action(a)
			}
		}
	}
	return errors.Join(errs...)
}

// parseControls reads a list with commas, and all of it that can be read.
func parseControls(text string) ([]control, error) {
	if text == "" || strings.EqualFold(text, noButton) {
		return nil, nil
	}
	var list []control
	var errs []error
	for part := range strings.SplitSeq(text, ",") {
		c, err := parseControl(part)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, c)
	}
	return list, errors.Join(errs...)
}

// Bind settles which control of which device does what. devices are those that
// will be heard, the wheel first, which has no path if there is none; their places are
// the numbers that Map takes.
// The notes tell what is not there and what two actions claim: the first of
// them has it. b must be valid.
func (b Buttons) Bind(devices []evdev.Info) (*Map, []string) {
	m, notes := &Map{}, []string(nil)
	texts := b.texts()
	var idle []string // without a wheel there would be one note for each of its buttons
	for a, text := range texts {
		list, _ := parseControls(text) // Validate told of errors
		for _, c := range list {
			if c.device == "" && (len(devices) == 0 || devices[0].Path == "") {
				idle = append(idle, c.String())
			} else if note := m.claim(Action(a), c, devices); note != "" {
				notes = append(notes, note)
			}
		}
	}
	if idle != nil {
		notes = append(notes, fmt.Sprintf("buttons: there is no wheel to have %s; plug it in, or name another device before them", strings.Join(idle, ", ")))
	}
	return m, append(notes, m.claimPaddles(texts, devices)...)
}

// claimPaddles binds the paddles that are known of the wheel, where the
// configuration does not say.
func (m *Map) claimPaddles(texts [actionCount]string, devices []evdev.Info) []string {
	if len(devices) == 0 {
		return nil
	}
	model, _ := Known(devices[0].Vendor, devices[0].Product)
	p, ok := model.paddlesOf(func(button string) bool {
		c, err := parseControl(button)
		return err == nil && c.on(devices[0])
	})
	if !ok {
		return nil
	}
	var notes []string
	for _, d := range []struct {
		action Action
		button string
	}{{ShiftUp, p.Up}, {ShiftDown, p.Down}} {
		c, err := parseControl(d.button)
		if err != nil || texts[d.action] != "" {
			continue
		}
		if note := m.claim(d.action, c, devices); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// claim binds c on every device that it means, or says why it cannot.
func (m *Map) claim(a Action, c control, devices []evdev.Info) (note string) {
	found := false
	for i, info := range devices {
		if info.Path == "" || (c.device != "" || i != 0) && !info.Matches(c.device) {
			continue
		}
		if !c.on(info) {
			note = fmt.Sprintf("buttons: %s: %s has no %s; use a name that `rig devices --watch` shows", a, info.Name, c.name())
			continue
		}
		if taken, ok := m.owner(i, c); ok && taken != a {
			return fmt.Sprintf("buttons: %s: %s of %s is %s already", a, c.name(), info.Name, taken)
		}
		m.add(bind{action: a, device: i, hat: c.hat, code: c.code, sign: c.sign})
		found = true
	}
	switch {
	case found:
		return ""
	case note != "":
		return note
	default:
		return fmt.Sprintf("buttons: %s: no device matches %q; plug it in, or name one that `rig devices` shows", a, c.device)
	}
}
