package rig

import (
	"testing"

	"rig/devices/pedals"
	"rig/internal/config"
)

// An H-pattern is where the lever is, whoever would change gears without it;
// a sequential lever does what paddles do.
func TestLeversChooseTheGear(t *testing.T) {
	tests := []struct {
		name   string
		levers []pedals.LeverSample // one tick each
		want   int8
	}{
		{"third on the gate", []pedals.LeverSample{{Gate: true, Gear: 3}}, 3},
		{"reverse on the gate", []pedals.LeverSample{{Gate: true, Gear: -1}}, -1},
		{"the gate in neutral", []pedals.LeverSample{{Gate: true}}, 0},
		{"two pulls from neutral", []pedals.LeverSample{{}, {ShiftUp: true}, {}, {ShiftUp: true}}, 2},
		{"a pull back from neutral", []pedals.LeverSample{{}, {ShiftDown: true}}, -1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			r := &Rig{dt: 0.001, gears: 6, panel: panel{shifting: config.Off, clutch: config.Off}}
			var p person
			p.hands.Present, p.feet.Present = true, true
			var gear int8
			for _, l := range c.levers {
				p.feet.Levers = l
				in := p.input(r)
				gear = in.Gear
				if in.Assists.Shifting {
					t.Error("the car changes gears")
				}
			}
			if gear != c.want {
				t.Errorf("gear %d, want %d", gear, c.want)
			}
		})
	}
}
