package wheel

import "rig.example/rig/internal/kit/evdev"

// binding binds one control of one device to an action.
type binding struct {
	action Action
	device int    // as numbered by Buttons.Bind
	hat    bool   // the control is a direction of a hat
	code   uint16 // of the button, or of the hat's axis
	sign   int32  // of the hat's axis
	held   bool
}

// ActionMap turns events of buttons into actions. It belongs to one goroutine, reads no clock, and
// allocates nothing after Buttons.Bind, which also numbers the devices.
type ActionMap struct {
	bindings     []binding
	heldControls [actionCount]int // for each action, the number of its controls that are held
	edges        Edges
}

// controlState is the present state of a device's controls: *evdev.Input, or a test's.
type controlState interface {
	Down(button uint16) bool
	Abs(axis uint16) int32
}

// actionFor returns the action that a control of a device is bound to.
func (m *ActionMap) actionFor(device int, c control) (Action, bool) {
	for _, b := range m.bindings {
		if b.device == device && b.hat == c.hat && b.code == c.code && b.sign == c.sign {
			return b.action, true
		}
	}
	return 0, false
}

// ActionOf returns the action of a control of a device, such as "BTN_TOP2".
func (m *ActionMap) ActionOf(device int, name string) (Action, bool) {
	c, err := parseControl(name)
	if err != nil {
		return 0, false
	}
	return m.actionFor(device, c)
}

// boundOn returns the actions of the controls of each of n devices.
func (m *ActionMap) boundOn(n int) []Actions {
	sets := make([]Actions, n)
	for _, b := range m.bindings {
		sets[b.device].add(b.action)
	}
	return sets
}

func (m *ActionMap) addBinding(b binding) { m.bindings = append(m.bindings, b) }

// Event processes one event of a device.
func (m *ActionMap) Event(device int, ev *evdev.Event) {
	if ev.Type != evdev.EvKey && ev.Type != evdev.EvAbs {
		return
	}
	bound := false
	for i := range m.bindings {
		b := &m.bindings[i]
		if b.device != device || b.code != ev.Code || b.hat != (ev.Type == evdev.EvAbs) {
			continue
		}
		held := ev.Value != 0 // 2 is a key repeat
		if b.hat {
			held = ev.Value*b.sign > 0
		}
		m.setHeld(b, held)
		bound = bound || held
	}
	m.edges.Other = m.edges.Other || !bound && isPress(ev)
}

// isPress reports whether an event is the press of a button or of a hat.
func isPress(ev *evdev.Event) bool {
	if ev.Type == evdev.EvKey {
		return ev.Value == 1
	}
	return ev.Code >= evdev.AbsHat0X && ev.Code <= evdev.AbsHat3Y && ev.Value != 0
}

// Resync reads the whole state of a device after events were lost.
func (m *ActionMap) Resync(device int, s controlState) {
	for i := range m.bindings {
		b := &m.bindings[i]
		switch {
		case b.device != device:
		case b.hat:
			m.setHeld(b, s.Abs(b.code)*b.sign > 0)
		default:
			m.setHeld(b, s.Down(b.code))
		}
	}
}

// Attach reads the whole state of a device that was just opened. A button that is held already does not
// count as pressed.
func (m *ActionMap) Attach(device int, s controlState) {
	pressed := m.edges.Pressed
	m.Resync(device, s)
	m.edges.Pressed = pressed
}

// Release releases all controls of a device that was unplugged.
func (m *ActionMap) Release(device int) {
	for i := range m.bindings {
		if m.bindings[i].device == device {
			m.setHeld(&m.bindings[i], false)
		}
	}
}

// setHeld sets whether a control is held. An action lasts from the press of the first of its controls to
// the release of the last one.
func (m *ActionMap) setHeld(b *binding, held bool) {
	if b.held == held {
		return
	}
	b.held = held
	if held {
		m.heldControls[b.action]++
		if m.heldControls[b.action] == 1 {
			m.edges.Down.add(b.action)
			m.edges.Pressed.add(b.action)
		}
		return
	}
	m.heldControls[b.action]--
	if m.heldControls[b.action] == 0 {
		m.edges.Down &^= 1 << b.action
		m.edges.Released.add(b.action)
	}
}

// Take returns the changes since the last Take.
func (m *ActionMap) Take() Edges {
	e := m.edges
	m.edges.Pressed, m.edges.Released, m.edges.Other = 0, 0, false
	return e
}
