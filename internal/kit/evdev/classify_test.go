package evdev

import "testing"

// axes makes axes over 0..max, or -max..max where code is negated.
func axes(max int32, list ...uint16) []Axis {
	var out []Axis
	for _, c := range list {
		out = append(out, Axis{Name: AbsName(c), Max: max, Code: c})
	}
	return out
}

func span(first, n uint16) []uint16 {
	var out []uint16
	for i := range n {
		out = append(out, first+i)
	}
	return out
}

func TestClassify(t *testing.T) {
	signed := []Axis{{Code: AbsX, Min: -32768, Max: 32767}, {Code: AbsY, Min: -32768, Max: 32767}}
	pad := append(append([]Axis{}, signed...), axes(255, AbsZ, AbsRX, AbsRY, AbsRZ, AbsHat0X)...)
	tests := []struct {
		name string
		c    capabilities
		want Kind
	}{
		{"Logitech G29", capabilities{name: "Logitech G29 Driving Force Racing Wheel", axes: axes(255, AbsX, AbsY, AbsZ, AbsRZ, AbsHat0X), keys: span(0x120, 25), ff: []uint16{0x52, 0x60, 0x61}}, KindWheel},
		{"direct drive base without buttons", capabilities{name: "Simucube 2", axes: axes(65535, AbsX), ff: []uint16{0x51, 0x52}}, KindWheel},
		{"wheel axis without force", capabilities{axes: axes(255, AbsWheel, AbsGas, AbsBrake)}, KindWheel},
		{"joystick with force", capabilities{name: "Force Stick 2", axes: axes(255, AbsX, AbsY, AbsRZ), keys: span(0x120, 8), ff: []uint16{0x52}}, KindGamepad},
		{"gamepad", capabilities{name: "X-Box 360 pad", axes: pad, keys: span(0x130, 11), ff: []uint16{0x50, 0x51}}, KindGamepad},
		{"gamepad with constant force", capabilities{axes: pad, keys: span(0x130, 11), ff: []uint16{0x52}}, KindGamepad},
		{"joystick", capabilities{axes: signed, keys: span(0x120, 8)}, KindGamepad},
		{"three pedals", capabilities{name: "Heusinkveld Sprint", axes: axes(4095, AbsRX, AbsRY, AbsRZ)}, KindPedals},
		{"signed axes called pedals", capabilities{name: "USB Pedals", axes: signed}, KindPedals},
		{"signed axes without a hint", capabilities{name: "USB thing", axes: signed}, KindOther},
		{"accelerometer", capabilities{axes: axes(1023, AbsX, AbsY, AbsZ), accelerometer: true}, KindOther},
		{"touch screen", capabilities{axes: axes(4095, AbsX, AbsY), keys: []uint16{btnTouch}}, KindOther},
		{"tablet", capabilities{axes: axes(4095, AbsX, AbsY), keys: []uint16{btnToolPen}}, KindOther},
		{"mouse", capabilities{keys: []uint16{btnMouse}}, KindOther},
		{"keyboard", capabilities{keys: span(1, 120)}, KindOther},
		{"keyboard with a volume axis", capabilities{axes: axes(255, 0x20), keys: span(1, 120)}, KindOther},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := classify(test.c); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
