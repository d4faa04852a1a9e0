package levers

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
)

// look is the gate for n ticks.
type look struct {
	n       int
	pressed slotSet
	lifted  bool
	want    int8 // after the last of them
}

func TestHPattern(t *testing.T) {
	const first, second, sixth = slotSet(1 << 1), slotSet(1 << 2), slotSet(1 << 6)
	tests := []struct {
		name  string
		looks []look
	}{
		{"nothing pressed", []look{{5, 0, false, 0}}},
		{"a gear counts at once", []look{{1, first, false, 1}}},
		{"a gear ends after the bounces", []look{{1, first, false, 1}, {3, 0, false, 1}, {1, 0, false, 0}}},
		{"bounces are bridged", []look{{1, first, false, 1}, {3, 0, false, 1}, {1, first, false, 1}, {3, 0, false, 1}, {1, first, false, 1}}},
		{"neutral between two gears", []look{{9, first, false, 1}, {1, second, false, 0}, {1, second, false, 2}}},
		{"the first of two stays", []look{{9, first, false, 1}, {9, first | second, false, 1}, {1, second, false, 0}, {1, second, false, 2}}},
		{"two from nothing are none", []look{{9, first | second, false, 0}, {1, second, false, 2}}},
		{"a reverse slot", []look{{1, reverseSlot, false, -1}}},
		{"from reverse to first", []look{{5, reverseSlot, false, -1}, {1, first, false, 0}, {1, first, false, 1}}},
		{"held down into sixth", []look{{1, sixth, true, -1}, {5, sixth, false, -1}}},
		{"held down in sixth", []look{{1, sixth, false, 6}, {5, sixth, true, 6}}},
		{"held down into first, for which it does not work", []look{{1, first, true, 1}}},
		{"out of reverse and into sixth", []look{{1, sixth, true, -1}, {4, 0, false, 0}, {1, sixth, false, 6}}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			h := hPattern{debounceTicks: 3}
			for i, l := range c.looks {
				var got int8
				for range l.n {
					got = h.step(l.pressed, l.lifted, sixth)
				}
				if got != l.want {
					t.Errorf("look %d: gear %d, want %d", i, got, l.want)
				}
			}
		})
	}
}

// Whatever the buttons do, there is neutral between two gears, and only a gear
// whose button is down begins.
func FuzzHPattern(f *testing.F) {
	f.Add([]byte{2, 2, 4, 6, 0, 0, 1, 130})
	f.Fuzz(func(t *testing.T, in []byte) {
		h := hPattern{debounceTicks: 2}
		before := int8(0)
		for _, b := range in {
			pressed := slotSet(b & 0x7f)
			got := h.step(pressed, b&0x80 != 0, ^reverseSlot)
			if got != before && before != 0 && got != 0 {
				t.Fatalf("from %d to %d without neutral", before, got)
			}
			if got > 0 && before == 0 && pressed != reverseSlot<<got {
				t.Fatalf("gear %d with slots %b", got, pressed)
			}
			before = got
		}
	})
}

func TestSequentialPullsOnce(t *testing.T) {
	const up, down = 1, 2
	tests := []struct {
		name string
		in   []int // buttons, one tick each
		want []int
	}{
		{"one pull", []int{0, up, up, 0, 0, 0, 0}, []int{0, up, up, up, up, 0, 0}},
		{"bounces at both ends", []int{0, up, 0, up, 0, 0, up, 0, 0, 0}, []int{0, up, up, up, up, up, up, up, up, 0}},
		{"held when it was found", []int{up, up, 0, 0, 0, up}, []int{0, 0, 0, 0, 0, up}},
		{"both at once", []int{0, up | down, up | down}, []int{0, 0, 0}},
		{"down", []int{0, down, 0, 0, 0}, []int{0, down, down, down, 0}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := sequential{debouncedButton{debounceTicks: 2}, debouncedButton{debounceTicks: 2}}
			var got []int
			for _, b := range c.in {
				isUp, isDown := s.step(b&up != 0, b&down != 0)
				v := 0
				if isUp {
					v |= up
				}
				if isDown {
					v |= down
				}
				got = append(got, v)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestCombinedAxis(t *testing.T) {
	type at struct {
		raw      int32
		gas, brk float64
	}
	plain := ExtraAxis{Dead: 0.1}.combinedAxis(0, 200, false)
	tests := []struct {
		name  string
		c     combinedAxis
		looks []at
	}{
		{"both ways", plain, []at{{100, 0, 0}, {145, 0.388889, 0}, {200, 1, 0}, {55, 0, 0.388889}, {0, 0, 1}}},
		{"the dead middle", plain, []at{{109, 0, 0}, {91, 0, 0}}},
		{"inverted", ExtraAxis{}.combinedAxis(0, 200, true), []at{{0, 1, 0}, {200, 0, 1}}},
		{"measured", ExtraAxis{Rest: 120, Press: 20}.combinedAxis(0, 255, false), []at{{70, 0.5, 0}, {170, 0, 0.5}, {255, 0, 1}}},
		{"no travel", combinedAxis{middle: 5, full: 5}, []at{{5, 0, 0}}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			for i, l := range c.looks {
				gas, brk := c.c.split(l.raw)
				if math.Abs(gas-l.gas) > 1e-6 || math.Abs(brk-l.brk) > 1e-6 {
					t.Errorf("look %d: %g and %g, want %g and %g", i, gas, brk, l.gas, l.brk)
				}
			}
		})
	}
}

func FuzzCombined(f *testing.F) {
	f.Add(100.0, 200.0, 0.1, int32(150))
	f.Add(0.0, 0.0, 0.0, int32(math.MinInt32))
	f.Fuzz(func(t *testing.T, middle, full, dead float64, raw int32) {
		if !(dead >= 0 && dead <= 0.4) {
			return
		}
		c := combinedAxis{middle: middle, full: full, deadMiddle: dead}
		gas, brk := c.split(raw)
		if !(gas >= 0 && gas <= 1 && brk >= 0 && brk <= 1) || gas > 0 && brk > 0 {
			t.Fatalf("%g and %g", gas, brk)
		}
	})
}

// Whatever an axis declares and counts, the lever is 0..1, and released at rest.
func FuzzDeclaredLever(f *testing.F) {
	f.Add(int32(0), int32(1), int32(0), false)
	f.Add(int32(math.MinInt32), int32(math.MaxInt32), int32(-1), true)
	f.Add(int32(math.MaxInt32-1), int32(math.MaxInt32), int32(math.MinInt32), true)
	f.Fuzz(func(t *testing.T, low, high, raw int32, invert bool) {
		if low >= high {
			return // no such node is taken
		}
		info := evdev.Info{Name: "odd", Axes: []evdev.Axis{{Name: "ABS_Z", Min: low, Max: high, Code: evdev.AbsZ}}}
		a := leverAxis{extra: ExtraAxis{Axis: "clutch"}, config: axis.Config{Invert: invert}, code: evdev.AbsZ}
		a.reset(&session{info: info})
		if v := a.ends.Value(raw); !(v >= 0 && v <= 1) {
			t.Fatalf("%d of %d..%d: %g", raw, low, high, v)
		}
		if a.ends.Value(a.ends.Rest) != 0 {
			t.Fatalf("%d..%d: pressed at rest", low, high)
		}
		c := ExtraAxis{Axis: throttleBrake}.combinedAxis(low, high, invert)
		if gas, brk := c.split(raw); !(gas >= 0 && gas <= 1 && brk >= 0 && brk <= 1) || gas > 0 && brk > 0 {
			t.Fatalf("%d of %d..%d: %g and %g", raw, low, high, gas, brk)
		}
	})
}

func TestLeverConfigNamesWhatIsWrong(t *testing.T) {
	h := Shifter{Kind: "h", Device: "gate", Gears: []string{"BTN_TRIGGER", "BTN_THUMB"}, Reverse: "BTN_TOP"}
	if err := h.Validate(); err != nil {
		t.Error(err)
	}
	with := func(change func(*Shifter)) Shifter { s := h; change(&s); return s }
	tests := []struct {
		name string
		cfg  interface{ Validate() error }
		says string
	}{
		{"kind", Shifter{Kind: "dog"}, "dog"},
		{"no device", with(func(s *Shifter) { s.Device = "" }), "device"},
		{"no gears", with(func(s *Shifter) { s.Gears = nil }), "gear_buttons"},
		{"twice", with(func(s *Shifter) { s.Reverse = "BTN_THUMB" }), "BTN_THUMB is used twice"},
		{"no button", with(func(s *Shifter) { s.Reverse = "ABS_X" }), "ABS_X"},
		{"slot", with(func(s *Shifter) { s.ReverseGears = []int{3} }), "reverse_gears"},
		{"debounce", with(func(s *Shifter) { s.Debounce = math.NaN() }), "debounce_s"},
		{"lever without buttons", Shifter{Kind: "sequential", Device: "x"}, "up_button or down_button is empty"},
		{"extra axis", Extras{{Axis: "horn", Device: "x", Code: "ABS_X"}}, "horn"},
		{"extra code", Extras{{Axis: "clutch", Device: "x", Code: "BTN_TOP"}}, "code"},
		{"extra twice", Extras{{Axis: "brake", Device: "x", Code: "ABS_X"}, {Axis: throttleBrake, Device: "y", Code: "ABS_Y"}}, "[1].axis: brake is taken"},
		{"buttons without a kind", with(func(s *Shifter) { s.Kind = "" }), "kind is empty"},
		{"a gate on a sequential lever", with(func(s *Shifter) { s.Kind, s.Up, s.Down = "sequential", "BTN_BASE", "BTN_BASE2" }), "gear_buttons"},
		{"one button of a sequential lever", Shifter{Kind: "sequential", Device: "x", Up: "BTN_BASE"}, "down_button"},
		{"paddles on a gate", with(func(s *Shifter) { s.Up = "BTN_BASE" }), "up_button"},
		{"reverse slots without the button for them", with(func(s *Shifter) { s.ReverseGears = []int{1} }), "reverse_hold"},
		{"extra on one axis", Extras{{Axis: "brake", Device: "x", Code: "ABS_X"}, {Axis: "clutch", Device: "x", Code: "abs_x"}}, "is brake already"},
		{"extra with ends that are one", Extras{{Axis: "brake", Device: "x", Code: "ABS_X", Rest: 5, Press: 5}}, "press_counts = 5"},
		{"extra with a middle", Extras{{Axis: "brake", Device: "x", Code: "ABS_X", Dead: 0.1}}, "dead_middle"},
	}
	for _, c := range tests {
		if err := c.cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
}
