package wheel

import (
	"testing"

	"rig.example/rig/internal/kit/evdev"
)

// rest is a device's state: what is held, and where its first hat is.
type rest struct {
	down map[uint16]bool
	hat  int32
}

func (r rest) Down(code uint16) bool { return r.down[code] }
func (r rest) Abs(uint16) int32      { return r.hat }

const (
	top2    uint16 = 0x124
	pinkie  uint16 = 0x125
	trigger uint16 = 0x120
)

func cockpit(t testing.TB) *ActionMap {
	t.Helper()
	b := Buttons{ShiftUp: "BTN_TOP2, shifter:BTN_TRIGGER", LookLeft: "hat0-left", LookRight: "hat0-right"}
	m, notes := b.Bind([]evdev.Info{g29Buttons(), device("shifter", 1, 1, "BTN_TRIGGER")})
	if len(notes) != 0 {
		t.Fatal(notes)
	}
	return m
}

func key(code uint16, value int32) *evdev.Event {
	return &evdev.Event{Type: evdev.EvKey, Code: code, Value: value}
}

func hat(value int32) *evdev.Event {
	return &evdev.Event{Type: evdev.EvAbs, Code: evdev.AbsHat0X, Value: value}
}

func TestEdges(t *testing.T) {
	const up, left, right = 1 << ShiftUp, 1 << LookLeft, 1 << LookRight
	tests := []struct {
		name string
		do   func(m *ActionMap)
		want Edges
	}{
		{"nothing", func(*ActionMap) {}, Edges{}},
		{"press", func(m *ActionMap) { m.Event(0, key(top2, 1)) }, Edges{Down: up, Pressed: up}},
		{"press, looked at", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Take() }, Edges{Down: up}},
		{"press and release between two looks", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Event(0, key(top2, 0)) }, Edges{Pressed: up, Released: up}},
		{"repeats", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Take(); m.Event(0, key(top2, 2)) }, Edges{Down: up}},
		{"released twice", func(m *ActionMap) { m.Event(0, key(top2, 0)) }, Edges{}},
		{"two controls, one after the other", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Take(); m.Event(1, key(trigger, 1)) }, Edges{Down: up}},
		{"two controls, one let go", func(m *ActionMap) {
			m.Event(0, key(top2, 1))
			m.Event(1, key(trigger, 1))
			m.Take()
			m.Event(0, key(top2, 0))
		}, Edges{Down: up}},
		{"a button of another device", func(m *ActionMap) { m.Event(1, key(top2, 1)) }, Edges{Other: true}},
		{"a device that is not bound", func(m *ActionMap) { m.Event(7, key(top2, 1)) }, Edges{Other: true}},
		{"a button without an action, looked at", func(m *ActionMap) { m.Event(0, key(trigger, 1)); m.Take() }, Edges{}},
		{"its release", func(m *ActionMap) { m.Event(0, key(trigger, 0)) }, Edges{}},
		{"a hat without an action", func(m *ActionMap) { m.Event(1, hat(1)) }, Edges{Other: true}},
		{"an axis", func(m *ActionMap) { m.Event(0, &evdev.Event{Type: evdev.EvAbs, Code: evdev.AbsX, Value: 5}) }, Edges{}},
		{"hat to the left", func(m *ActionMap) { m.Event(0, hat(-1)) }, Edges{Down: left, Pressed: left}},
		{"hat from left to right", func(m *ActionMap) { m.Event(0, hat(-1)); m.Take(); m.Event(0, hat(1)) }, Edges{Down: right, Pressed: right, Released: left}},
		{"hat back", func(m *ActionMap) { m.Event(0, hat(1)); m.Take(); m.Event(0, hat(0)) }, Edges{Released: right}},
		{"a key with the hat's code", func(m *ActionMap) { m.Event(0, key(evdev.AbsHat0X, 1)) }, Edges{Other: true}},
		{"other events", func(m *ActionMap) { m.Event(0, &evdev.Event{Type: evdev.EvSyn, Code: top2, Value: 1}) }, Edges{}},
		{"unplugged", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Event(0, hat(1)); m.Take(); m.Release(0) }, Edges{Released: up | right}},
		{"another one unplugged", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Take(); m.Release(1) }, Edges{Down: up}},
		{"pressed while events were lost", func(m *ActionMap) { m.Resync(0, rest{down: map[uint16]bool{top2: true}, hat: -1}) }, Edges{Down: up | left, Pressed: up | left}},
		{"released while events were lost", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Take(); m.Resync(0, rest{}) }, Edges{Released: up}},
		{"held when it is plugged in", func(m *ActionMap) { m.Attach(0, rest{down: map[uint16]bool{top2: true}}) }, Edges{Down: up}},
		{"pressed before another is plugged in", func(m *ActionMap) { m.Event(0, key(top2, 1)); m.Attach(1, rest{}) }, Edges{Down: up, Pressed: up}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			m := cockpit(t)
			c.do(m)
			if got := m.Take(); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestMapAllocatesNothing(t *testing.T) {
	m := cockpit(t)
	down, up, left := key(top2, 1), key(top2, 0), hat(-1)
	var in evdev.Input
	if n := testing.AllocsPerRun(100, func() {
		m.Event(0, down)
		m.Event(0, left)
		m.Event(0, up)
		m.Resync(0, &in)
		m.Release(1)
		if !m.Take().Pressed.Has(ShiftUp) {
			t.Error("a press was lost")
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// Whatever comes, an action is down exactly while one of its controls is, and
// an edge never comes without its change.
func FuzzMap(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	f.Fuzz(func(t *testing.T, steps []byte) {
		m := cockpit(t)
		var top, trig bool
		was := Actions(0)
		for _, s := range steps {
			on := int32(s & 1)
			switch s % 5 {
			case 0:
				m.Event(0, key(top2, on))
				top = on == 1
			case 1:
				m.Event(1, key(trigger, on))
				trig = on == 1
			case 2:
				m.Release(0)
				top = false
			case 3:
				m.Event(0, key(pinkie, on))
			case 4:
				m.Event(0, hat(int32(s%3)-1))
			}
			e := m.Take()
			if e.Down.Has(ShiftUp) != (top || trig) {
				t.Fatalf("down is %v with paddle %v and shifter %v", e.Down.Has(ShiftUp), top, trig)
			}
			if (was|e.Pressed)&^e.Released != e.Down && e.Pressed&e.Released == 0 {
				t.Fatalf("from %b with %+v", was, e)
			}
			was = e.Down
		}
	})
}

func BenchmarkMapEvent(b *testing.B) {
	m := cockpit(b)
	down, up := key(top2, 1), key(top2, 0)
	for b.Loop() {
		m.Event(0, down)
		m.Event(0, up)
		m.Take()
	}
}
