package drive

import (
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

func TestThePanelStartsAsConfigured(t *testing.T) {
	set := assist.Switches{ABS: 5, Traction: 3, Stability: 10, Launch: true, PitLimiter: true, YawAid: 0.5, LowSpeedAid: 1}
	p := newPanel(Assists{Set: set, Clutch: On, Shifting: Off}, "synchro")
	var in sim.Input
	p.apply(&in, true)
	want := set
	want.AutoClutch = true
	if in.Assists != want || in.Starter || in.IgnitionOff {
		t.Errorf("%+v", in)
	}
	p = newPanel(Assists{}, "synchro")
	p.apply(&in, false)
	if want = (assist.Switches{AutoClutch: true, AutoShift: true}); in.Assists != want {
		t.Errorf("by default %+v", in.Assists)
	}
}

func TestLevelsMoveOnceForEachKeyAndStayInRange(t *testing.T) {
	p := newPanel(Assists{Set: assist.Switches{ABS: 9, Traction: 1, Stability: 5}}, "synchro")
	press := func(key uint64) {
		p.step(key, key, true, 0)
		p.step(key, 0, true, 0) // held
		p.step(0, 0, true, 0)
	}
	for range 3 {
		press(frame.KeyABSMore)
		press(frame.KeyTractionLess)
	}
	press(frame.KeyStabilityMore)
	press(frame.KeyStabilityMore)
	press(frame.KeyStabilityLess)
	if p.aids.ABS != 10 || p.aids.Traction != 0 || p.aids.Stability != 6 {
		t.Errorf("ABS %d, traction %d, stability %d, want 10, 0, 6", p.aids.ABS, p.aids.Traction, p.aids.Stability)
	}
	press(frame.KeyPit)
	press(frame.KeyLaunch)
	if !p.aids.PitLimiter || !p.aids.Launch {
		t.Errorf("pit %v, launch %v, want both on", p.aids.PitLimiter, p.aids.Launch)
	}
	press(frame.KeyPit)
	if p.aids.PitLimiter || !p.aids.Launch {
		t.Errorf("pit %v, launch %v, want launch alone", p.aids.PitLimiter, p.aids.Launch)
	}
}

func TestTheEngineKey(t *testing.T) {
	var in sim.Input
	p := newPanel(Assists{}, "synchro")
	step := func(down, fresh uint64, running bool) {
		p.step(down, fresh, running, 0)
		p.apply(&in, false)
	}
	const key = frame.KeyEngineStartStop
	step(key, key, true)
	if !in.IgnitionOff || in.Starter {
		t.Errorf("pressed while it runs: %+v", in)
	}
	step(key, 0, false)
	if !in.IgnitionOff || in.Starter {
		t.Errorf("held until it stood: off %v, start %v", in.IgnitionOff, in.Starter)
	}
	step(0, 0, false)
	step(key, key, false)
	if in.IgnitionOff || !in.Starter {
		t.Errorf("pressed while it stands: off %v, start %v", in.IgnitionOff, in.Starter)
	}
	step(key, 0, true)
	if in.IgnitionOff || in.Starter {
		t.Errorf("held although it runs: off %v, start %v", in.IgnitionOff, in.Starter)
	}
	step(0, 0, true)
	if in.IgnitionOff || in.Starter {
		t.Errorf("let go: off %v, start %v", in.IgnitionOff, in.Starter)
	}
}

func TestTheClutchPedalStartsAStalledEngine(t *testing.T) {
	for _, tt := range []struct {
		name          string
		dark, running bool
		clutch        float64
		want          bool
	}{
		{"to the floor", false, false, 1, true},
		{"half", false, false, 0.5, false},
		{"it runs", false, true, 1, false},
		{"ignition off", true, false, 1, false},
	} {
		p := panel{ignitionOff: tt.dark}
		p.step(0, 0, tt.running, tt.clutch)
		if p.starting != tt.want {
			t.Errorf("%s: starter %v", tt.name, p.starting)
		}
	}
}

func TestWhoWorksTheClutch(t *testing.T) {
	for _, tt := range []struct {
		name             string
		clutch, shifting Mode
		pedal            float64
		want             bool
	}{
		{"default", Auto, Auto, 0, true},
		{"default, pedal pressed", Auto, Auto, 1, true},
		{"own gears", Auto, Off, 0, true},
		{"own gears, foot on the pedal", Auto, Off, 0.3, true},
		{"own gears, pedal pressed", Auto, Off, 1, false},
		{"always the car", On, Off, 1, true},
		{"never the car", Off, On, 0, false},
	} {
		p := newPanel(Assists{Clutch: tt.clutch, Shifting: tt.shifting}, "dog")
		p.step(0, 0, true, tt.pedal)
		p.step(0, 0, true, 0)
		if p.automaticClutch() != tt.want {
			t.Errorf("%s: the car works it: %v", tt.name, !tt.want)
		}
	}
}

func TestAGearboxThatShiftsItselfLeavesNoChoice(t *testing.T) {
	for _, kind := range []string{"automatic", "single"} {
		p := newPanel(Assists{Clutch: Off, Shifting: Off}, kind)
		p.step(frame.KeyAutoGears, frame.KeyAutoGears, true, 1)
		var in sim.Input
		if p.apply(&in, false); !in.Assists.AutoClutch || !in.Assists.AutoShift || p.shifting != On {
			t.Errorf("%s: %+v, shifting %d", kind, in.Assists, p.shifting)
		}
	}
}

// A button that holds the clutch where it bites is no clutch pedal.
func TestABiteButtonIsNoPedal(t *testing.T) {
	r := seated(t, nil)
	r.in.Buttons.Down = frame.KeyClutchBite
	if r.run(100); r.State.Cockpit.panel.pedalUsed || r.State.Input.Clutch != r.cockpit.bitePoint {
		t.Errorf("taken for a pedal %v, clutch %g, want %g", r.State.Cockpit.panel.pedalUsed, r.State.Input.Clutch, r.cockpit.bitePoint)
	}
}
