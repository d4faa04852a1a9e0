package drive

import (
	"testing"

	"rig.example/rig/sim"
)

// lever is a gear lever in a car with five gears.
type lever struct {
	gearSelector
	panel panel
	car   sim.State
}

func (l *lever) choose(up, down bool) (gear int8, manual bool) {
	return l.gearSelector.choose(&l.panel, &l.car, 5, up, down)
}

// pull is one pull at a paddle, at a speed and in a gear that is engaged by then.
type pull struct {
	up      bool
	speed   float64 // [m/s]
	engaged int8
	want    int8
	manual  bool
}

func TestPaddles(t *testing.T) {
	const up, down = true, false
	tests := []struct {
		name     string
		shifting Mode
		pulls    []pull
	}{
		{"auto: reverse, neutral and drive while the car stands", Auto, []pull{
			{down, 0, 1, 0, false}, {down, 0, 0, -1, false}, {down, 0, -1, -1, false}, {up, 0, -1, 0, false}, {up, 0, 0, 1, false}, {up, 0, 1, 1, false}}},
		{"auto: not while it rolls back", Auto, []pull{
			{down, 0, 1, 0, false}, {down, 0, 0, -1, false}, {up, -5, -1, -1, false}}},
		{"auto: a pull on the way takes over from the gear that is engaged", Auto, []pull{
			{up, 30, 3, 4, true}, {up, 30, 4, 5, true}, {down, 30, 5, 4, true}}},
		{"auto: between two gears the last one counts", Auto, []pull{
			{down, 30, 4, 3, true}, {down, 30, 0, 2, true}}},
		{"auto: the car takes over when it stands", Auto, []pull{
			{down, 30, 4, 3, true}, {up, 0, 3, 1, false}, {down, 0, 1, 0, false}}},
		{"on: never on the way", On, []pull{
			{up, 30, 3, 1, false}, {down, 30, 3, 1, false}, {down, 0, 1, 0, false}}},
		{"off: one gear for each pull", Off, []pull{
			{up, 0, 1, 2, true}, {up, 30, 2, 3, true}, {up, 30, 3, 4, true}, {up, 30, 4, 5, true}, {up, 30, 5, 5, true}, {down, 30, 5, 4, true}}},
		{"off: neutral and reverse while the car stands", Off, []pull{
			{down, 30, 1, 1, true}, {down, 0, 1, 0, true}, {up, 30, 0, 0, true}, {down, 0, 0, -1, true}, {down, 0, -1, -1, true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := lever{panel: panel{shifting: tt.shifting}}
			l.choose(false, false)
			for i, p := range tt.pulls {
				l.car.Speed, l.car.Driveline.Gear = p.speed, p.engaged
				gear, manual := l.choose(p.up, !p.up)
				held, _ := l.choose(p.up, !p.up)
				if gear != p.want || manual != p.manual || held != gear {
					t.Errorf("pull %d: gear %d, manual %v, want %d, %v; %d while it was held", i, gear, manual, p.want, p.manual, held)
				}
				l.choose(false, false)
			}
		})
	}
}

func TestTheLeverStartsWhereTheEngineRunsOn(t *testing.T) {
	for _, tt := range []struct {
		name             string
		clutch, shifting Mode
		pedal            bool
		want             int8
	}{
		{"default", Auto, Auto, false, 1},
		{"own gears without a clutch pedal", Auto, Off, false, 1},
		{"own gears and a clutch pedal", Auto, Off, true, 0},
		{"own clutch", Off, On, false, 0},
	} {
		l := lever{panel: panel{clutch: tt.clutch, shifting: tt.shifting, pedalUsed: tt.pedal}}
		if gear, _ := l.choose(false, false); gear != tt.want {
			t.Errorf("%s: gear %d, want %d", tt.name, gear, tt.want)
		}
	}
}

func TestGearsChangeHandsWithoutAJump(t *testing.T) {
	var l lever
	l.choose(false, false)
	l.car.Speed, l.car.Driveline.Gear = 40, 4
	l.choose(false, false)
	l.panel.shifting = Off
	if gear, manual := l.choose(false, false); gear != 4 || !manual {
		t.Errorf("taken over in gear %d, manual %v, want the fourth that was engaged", gear, manual)
	}
	l.panel.shifting = On
	if gear, manual := l.choose(false, false); gear != 1 || manual {
		t.Errorf("given back with the lever at %d, manual %v, want drive", gear, manual)
	}
}
