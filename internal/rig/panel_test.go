package rig

import (
	"testing"

	"rig/internal/config"
	"rig/internal/frame"
	"rig/sim"
)

func TestThePanelStartsAsConfigured(t *testing.T) {
	c := config.Assists{ABS: 5, Traction: 3, Stability: 10, Clutch: config.On, Shifting: config.Off, Launch: true, Pit: true,
		Unreal: config.UnrealAssists{Yaw: 0.5, LowSpeed: 1}}
	p := newPanel(c, "synchro")
	var in sim.Input
	p.apply(&in, true)
	want := sim.Assists{ABS: 5, Traction: 3, Stability: 10, Clutch: true, Launch: true, Pit: true, Yaw: 0.5, LowSpeed: 1}
	if in.Assists != want || in.Start || in.Off {
		t.Errorf("%+v", in)
	}
	p = newPanel(config.DefaultAssists(), "synchro")
	p.apply(&in, false)
	if want = (sim.Assists{Clutch: true, Shifting: true}); in.Assists != want {
		t.Errorf("by default %+v", in.Assists)
	}
}

func TestLevelsMoveOnceForEachKeyAndStayInRange(t *testing.T) {
	p := newPanel(config.Assists{ABS: 9, Traction: 1, Stability: 5}, "synchro")
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
	if p.set.ABS != 10 || p.set.Traction != 0 || p.set.Stability != 6 {
		t.Errorf("ABS %d, traction %d, stability %d, want 10, 0, 6", p.set.ABS, p.set.Traction, p.set.Stability)
	}
	press(frame.KeyPit)
	press(frame.KeyLaunch)
	if !p.set.Pit || !p.set.Launch {
		t.Errorf("pit %v, launch %v, want both on", p.set.Pit, p.set.Launch)
	}
	press(frame.KeyPit)
	if p.set.Pit || !p.set.Launch {
		t.Errorf("pit %v, launch %v, want launch alone", p.set.Pit, p.set.Launch)
	}
}

func TestTheEngineKey(t *testing.T) {
	var in sim.Input
	p := newPanel(config.DefaultAssists(), "synchro")
	step := func(down, fresh uint64, running bool) {
		p.step(down, fresh, running, 0)
		p.apply(&in, false)
	}
	const key = frame.KeyEngine
	step(key, key, true)
	if !in.Off || in.Start {
		t.Errorf("pressed while it runs: %+v", in)
	}
	step(key, 0, false)
	if !in.Off || in.Start {
		t.Errorf("held until it stood: off %v, start %v", in.Off, in.Start)
	}
	step(0, 0, false)
	step(key, key, false)
	if in.Off || !in.Start {
		t.Errorf("pressed while it stands: off %v, start %v", in.Off, in.Start)
	}
	step(key, 0, true)
	if in.Off || in.Start {
		t.Errorf("held although it runs: off %v, start %v", in.Off, in.Start)
	}
	step(0, 0, true)
	if in.Off || in.Start {
		t.Errorf("let go: off %v, start %v", in.Off, in.Start)
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
		p := panel{dark: tt.dark}
		p.step(0, 0, tt.running, tt.clutch)
		if p.starting != tt.want {
			t.Errorf("%s: starter %v", tt.name, p.starting)
		}
	}
}

func TestWhoWorksTheClutch(t *testing.T) {
	for _, tt := range []struct {
		name, clutch, shifting string
		pedal                  float64
		want                   bool
	}{
		{"default", config.Auto, config.Auto, 0, true},
		{"default, pedal pressed", config.Auto, config.Auto, 1, true},
		{"own gears", config.Auto, config.Off, 0, true},
		{"own gears, foot on the pedal", config.Auto, config.Off, 0.3, true},
		{"own gears, pedal pressed", config.Auto, config.Off, 1, false},
		{"always the car", config.On, config.Off, 1, true},
		{"never the car", config.Off, config.On, 0, false},
	} {
		p := newPanel(config.Assists{Clutch: tt.clutch, Shifting: tt.shifting}, "dog")
		p.step(0, 0, true, tt.pedal)
		p.step(0, 0, true, 0)
		if p.worksClutch() != tt.want {
			t.Errorf("%s: the car works it: %v", tt.name, !tt.want)
		}
	}
}

func TestAGearboxThatShiftsItselfLeavesNoChoice(t *testing.T) {
	for _, kind := range []string{"automatic", "single"} {
		p := newPanel(config.Assists{Clutch: config.Off, Shifting: config.Off}, kind)
		p.step(frame.KeyAutoGears, frame.KeyAutoGears, true, 1)
		var in sim.Input
		if p.apply(&in, false); !in.Assists.Clutch || !in.Assists.Shifting || p.shifting != config.On {
			t.Errorf("%s: %+v, shifting %q", kind, in.Assists, p.shifting)
		}
	}
}
