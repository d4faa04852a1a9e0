package wheel

import "rig.example/rig/internal/evdev"

// bind is one control of one device.
type bind struct {
	action Action
	device int
	hat    bool
	code   uint16
	sign   int32
	held   bool
}

// Map turns events into actions. It belongs to one thread, reads no clock and
// allocates nothing once it is bound.
type Map struct {
	binds []bind
	holds [actionCount]int // controls held, of each action
	edges Edges
}

// state is what a device's controls are at now, such as *evdev.Input.
type state interface {
	Down(button uint16) bool
	Abs(axis uint16) int32
}

func (m *Map) owner(device int, c control) (Action, bool) {
	for _, b := range m.binds {
		if b.device == device && b.hat == c.hat && b.code == c.code && b.sign == c.sign {
			return b.action, true
		}
	}
	return 0, false
}

// Does tells the action of a control, such as "BTN_TOP2", of a device.
func (m *Map) Does(device int, name string) (Action, bool) {
	c, err := parseControl(name)
	if err != nil {
		return 0, false
	}
	return m.owner(device, c)
}

func (m *Map) add(b bind) { m.binds = append(m.binds, b) }

// Event takes one event of a device.
func (m *Map) Event(device int, ev *evdev.Event) {
	if ev.Type != evdev.EvKey && ev.Type != evdev.EvAbs {
		return
	}
	for i := range m.binds {
		b := &m.binds[i]
		if b.device != device || b.code != ev.Code || b.hat != (ev.Type == evdev.EvAbs) {
			continue
		}
		if b.hat {
			m.hold(b, ev.Value*b.sign > 0)
		} else {
			m.hold(b, ev.Value != 0) // 2 is a repeat
		}
	}
}

// Sync takes a device's state as it is, once it is known that events were lost.
func (m *Map) Sync(device int, s state) {
	for i := range m.binds {
		b := &m.binds[i]
		switch {
		case b.device != device:
		case b.hat:
			m.hold(b, s.Abs(b.code)*b.sign > 0)
		default:
			m.hold(b, s.Down(b.code))
		}
	}
}

// Begin takes the state of a device that has just been opened: what is held
// then was not pressed now.
func (m *Map) Begin(device int, s state) {
	pressed := m.edges.Pressed
	m.Sync(device, s)
	m.edges.Pressed = pressed
}

// Drop lets go of all that a device that went away held.
func (m *Map) Drop(device int) {
	for i := range m.binds {
		if m.binds[i].device == device {
			m.hold(&m.binds[i], false)
		}
	}
}

// hold notes a control; an action lasts from the first of its controls to the last.
func (m *Map) hold(b *bind, held bool) {
	if b.held == held {
		return
	}
	b.held = held
	if held {
		m.holds[b.action]++
		if m.holds[b.action] == 1 {
			m.edges.Down.add(b.action)
			m.edges.Pressed.add(b.action)
		}
		return
	}
	m.holds[b.action]--
	if m.holds[b.action] == 0 {
		m.edges.Down &^= 1 << b.action
		m.edges.Released.add(b.action)
	}
}

// Take returns what happened since the last Take.
func (m *Map) Take() Edges {
	e := m.edges
	m.edges.Pressed, m.edges.Released = 0, 0
	return e
}
