package wheel

import (
	"errors"
	"fmt"
	"strings"

	"rig.example/rig/internal/kit/evdev"
)

// Buttons names the controls of each action: one control such as "BTN_TOP2", "hat0-left" or
// "shifter:BTN_TRIGGER", or several, separated by commas. An empty text selects the known paddles of the
// wheel, if the action is shifting; "none" selects no control.
type Buttons struct {
	ShiftUp   string `toml:"shift_up"`   // shifts one gear up; empty uses the paddle of a known wheel
	ShiftDown string `toml:"shift_down"` // shifts one gear down; empty uses the paddle of a known wheel
	Handbrake string `toml:"handbrake"`  // pulls the handbrake while it is held; the view shows `HAND`
	// holds the clutch at its bite point, where it transmits a quarter, while it is held
	ClutchBite string `toml:"clutch_bite"`
	LookLeft   string `toml:"look_left"`  // looks left while it is held; both together look back
	LookRight  string `toml:"look_right"` // looks right while it is held; both together look back
	Reset      string `toml:"reset"`      // puts the car back on its wheels
	// pauses: torque and motion fade out, the simulation is frozen, and the platform waits in its middle. A
	// second press resumes. It does not clear a fault or a stop
	Pause          string `toml:"pause"`
	HeadlightFlash string `toml:"headlight_flash"` // flashes the headlights, in the view's list
	PitLimiter     string `toml:"pit_limiter"`     // switches the pit limiter on or off
	ABSUp          string `toml:"abs_up"`          // raises the level of the ABS by one
	ABSDown        string `toml:"abs_down"`        // lowers the level of the ABS by one
	TCUp           string `toml:"tc_up"`           // raises the level of the traction control by one
	TCDown         string `toml:"tc_down"`         // lowers the level of the traction control by one
	FFBGainUp      string `toml:"ffb_gain_up"`     // raises `ffb.gain` by 0.05, up to 2, until the end of the drive
	FFBGainDown    string `toml:"ffb_gain_down"`   // lowers `ffb.gain` by 0.05, down to 0, until the end of the drive
	// allows more than 8 N·m at the rim, which is reached within a second. A second press revokes that, and so
	// does a fault or a stop
	HighTorque string `toml:"high_torque"`
	// with `guard.dead_man`, torque and motion are on only while it is held
	DeadMan string `toml:"dead_man"`
	// stops by software, until the stop is confirmed (`Enter`, SIGUSR1). It does not replace a switch that cuts
	// the power
	Stop           string `toml:"stop"`
	MotionGainUp   string `toml:"motion_gain_up"`   // raises the gain of all motion by 0.1, up to 3
	MotionGainDown string `toml:"motion_gain_down"` // lowers the gain of all motion by 0.1, down to 0
	MotionNext     string `toml:"motion_next"`      // selects the next motion cue
	MotionCueUp    string `toml:"motion_cue_up"`    // raises the gain of the selected cue by 0.1, up to 3
	MotionCueDown  string `toml:"motion_cue_down"`  // lowers the gain of the selected cue by 0.1, down to 0
	// switches motion off or on, within half a second; while it is off, the platform is level
	MotionOn string `toml:"motion_on"`
	// is held while a belt is fastened or a door is shut. If a control is named here, driving is possible only
	// while it is held
	Interlock string `toml:"interlock"`
	Mark      string `toml:"mark"` // sets a mark in the recording, to find this place again
	// confirms that a fault or a stop is over, as `Enter` does; press it after the cause has ended
	Confirm string `toml:"confirm"`
}

// noButton is the configuration's text for an action without a control.
const noButton = "none"

// DefaultButtons returns Buttons that bind nothing but the known paddles of the wheel.
func DefaultButtons() Buttons { return Buttons{} }

// Assigned reports whether the configuration names a control for an action.
func (b Buttons) Assigned(a Action) bool {
	list, _ := parseControls(b.inOrder()[a])
	return len(list) > 0
}

// inOrder returns the fields in the order of the actions.
func (b Buttons) inOrder() [actionCount]string {
	return [actionCount]string{
		b.ShiftUp, b.ShiftDown, b.Handbrake, b.ClutchBite, b.LookLeft, b.LookRight, b.Reset, b.Pause,
		b.HeadlightFlash, b.PitLimiter, b.ABSUp, b.ABSDown, b.TCUp, b.TCDown, b.FFBGainUp, b.FFBGainDown,
		b.HighTorque, b.DeadMan, b.Stop, b.MotionGainUp, b.MotionGainDown, b.MotionNext, b.MotionCueUp, b.MotionCueDown,
		b.MotionOn, b.Interlock, b.Mark, b.Confirm,
	}
}

// Validate reports every name that is unknown and every control that two
// actions share.
func (b Buttons) Validate() error {
	var errs []error
	user := map[control]Action{}
	for a, text := range b.inOrder() {
		list, err := parseControls(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", Action(a), err))
		}
		for _, c := range list {
			if other, taken := user[c]; taken && other != Action(a) {
				errs = append(errs, fmt.Errorf("%s: %s is %s already; give one of them another button", Action(a), c, other))
			} else {
				user[c] = Action(a)
			}
		}
	}
	return errors.Join(errs...)
}

// parseControls parses a list of controls, separated by commas. With an error it also returns the
// controls that it could parse.
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

// Bind binds the controls of devices to their actions. The first device is the wheel, with an empty path
// if there is none; the indices of devices are the device numbers of ActionMap. The notes name controls
// that are missing, and controls that two actions use, of which the first action gets them. b must be
// valid.
func (b Buttons) Bind(devices []evdev.Info) (*ActionMap, []string) {
	m, notes := &ActionMap{}, []string(nil)
	texts := b.inOrder()
	var withoutWheel []string // controls of a missing wheel: one note for all of them
	for a, text := range texts {
		list, _ := parseControls(text) // Validate has reported errors
		for _, c := range list {
			if c.device == "" && (len(devices) == 0 || devices[0].Path == "") {
				withoutWheel = append(withoutWheel, c.String())
			} else if note := m.bind(Action(a), c, devices); note != "" {
				notes = append(notes, note)
			}
		}
	}
	if withoutWheel != nil {
		notes = append(notes, fmt.Sprintf("buttons: no wheel found for %s; plug it in, or name another device before them", strings.Join(withoutWheel, ", ")))
	}
	return m, append(notes, m.bindPaddles(texts, devices)...)
}

// bindPaddles binds the known paddles of the wheel, unless the configuration names other controls for
// shifting.
func (m *ActionMap) bindPaddles(texts [actionCount]string, devices []evdev.Info) []string {
	if len(devices) == 0 {
		return nil
	}
	model, _ := LookupModel(devices[0].Vendor, devices[0].Product)
	p, ok := model.paddlesOf(func(button string) bool {
		c, err := parseControl(button)
		return err == nil && c.existsOn(devices[0])
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
		if note := m.bind(d.action, c, devices); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// bind binds c to a on every device that c names, or returns why it cannot.
func (m *ActionMap) bind(a Action, c control, devices []evdev.Info) (note string) {
	found := false
	for i, info := range devices {
		if info.Path == "" || (c.device != "" || i != 0) && !info.Matches(c.device) {
			continue
		}
		if !c.existsOn(info) {
			note = fmt.Sprintf("buttons: %s: %s has no %s; use a name that `rig devices --watch` shows", a, info.Name, c.name())
			continue
		}
		if taken, ok := m.actionFor(i, c); ok && taken != a {
			return fmt.Sprintf("buttons: %s: %s of %s is %s already", a, c.name(), info.Name, taken)
		}
		m.addBinding(binding{action: a, device: i, hat: c.hat, code: c.code, sign: c.sign})
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
