package smc3

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

func TestSMC3Says(t *testing.T) {
	c := New(DefaultConfig())
	if got := motiontest.JoinCommands(c.Start()); got != "[ver] [mo1]" {
		t.Errorf("starts with %q", got)
	}
	if got := motiontest.JoinCommands(c.Stop()); got != "[mo0]" {
		t.Errorf("stops with %q", got)
	}
	asked := string(c.AppendQuery(c.AppendQuery(c.AppendQuery(c.AppendQuery(nil)))))
	if asked != "[rdA][rdB][rdC][rdA]" {
		t.Errorf("asks %q", asked)
	}
	c = New(Config{Enable: true})
	if got := motiontest.JoinCommands(c.Start()); got != "[ver] [ena] [mo1]" {
		t.Errorf("starts with %q where motors must be enabled", got)
	}
}

func TestSMC3Hears(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		kind  wire.AnswerKind
		axis  int
		at    float64
		fault wire.Faults
		text  string // a part of it
	}{
		{"position", "[B\x80\x80]", wire.AnswerPosition, 1, 512.0 / 1023, 0, ""},
		{"all is well", "[a\x10\x20]", wire.AnswerStatus, -1, 0, 0, ""},
		{"motor B is off", "[a\x12\x00]", wire.AnswerStatus, -1, 0, wire.FaultEndStop, "motor B off"},
		{"motors A and C are off", "[Y\x15\x00]", wire.AnswerStatus, -1, 0, wire.FaultEndStop, "motor AC off"},
		{"the version rig knows", "[v\x00\x46]", wire.AnswerText, -1, 0, 0, "SMC3 firmware 0.70"},
		{"another version", "[v\x00\x65]", wire.AnswerText, -1, 0, 0, "SMC3 firmware 1.01; rig knows 0.70"},
		{"a parameter", "[D\x01\xa4]", wire.AnswerParameter, -1, 0, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := New(DefaultConfig())
			got := motiontest.Decode(c, []byte(tt.in))
			if len(got) == 1 && tt.kind == wire.AnswerStatus {
				if !got[0].Unconfirmed || got[0].Fault != tt.fault || got[0].Text != "" {
					t.Errorf("told once: %+v, want a doubt without a word", got[0])
				}
				got = motiontest.Decode(c, []byte(tt.in))
			}
			if len(got) != 1 {
				t.Fatalf("got %d answers, want 1", len(got))
			}
			a := got[0]
			if a.Unconfirmed || a.Kind != tt.kind || a.Axis != tt.axis || a.Position != tt.at || a.Fault != tt.fault || !strings.Contains(a.Text, tt.text) {
				t.Errorf("got %+v", a)
			}
			if !math.IsNaN(a.Temperature) {
				t.Errorf("tells a temperature of %g", a.Temperature)
			}
		})
	}
}

// Only a change is told in words: the state comes 50 times a second.
func TestSMC3TellsOnceThatAMotorIsOff(t *testing.T) {
	c := New(DefaultConfig())
	texts := 0
	for range 20 {
		for _, a := range motiontest.Decode(c, []byte("[a\x11\x00]")) {
			if a.Text != "" {
				texts++
			}
		}
	}
	if texts != 1 {
		t.Errorf("told %d times", texts)
	}
}

// A board that restarts in mid-drive says nothing of it, but the stream of
// states has gone.
func TestSMC3NoticesARestart(t *testing.T) {
	c := New(DefaultConfig())
	sim := NewSimulator(DefaultSimulatorConfig())
	drive := motiontest.NewConversation(c, sim)
	drive.SendStart()
	drive.Run(500, wire.AllAt(0.5))
	if n := drive.Answers[wire.AnswerRestarted]; n != 0 {
		t.Fatalf("%d restarts heard of a board that ran", n)
	}
	sim.Reset()
	drive.Run(500, wire.AllAt(0.5))
	if n := drive.Answers[wire.AnswerRestarted]; n != 1 {
		t.Errorf("%d restarts heard, want 1", n)
	}
}

// A board without the stream is not taken to restart for ever.
func TestSMC3WithoutStream(t *testing.T) {
	c := New(DefaultConfig())
	for range 1000 {
		for _, a := range motiontest.Decode(c, []byte("[A\x80\x80]")) {
			if a.Kind != wire.AnswerPosition {
				t.Fatalf("got %+v", a)
			}
		}
	}
}

func TestSMC3TellsOfACutoff(t *testing.T) {
	c := New(DefaultConfig())
	cfg := DefaultSimulatorConfig()
	cfg.Start[1] = 0.01 // below 23 of 1023
	drive := motiontest.NewConversation(c, NewSimulator(cfg))
	drive.SendStart()
	drive.Run(100, wire.AllAt(0.5))
	if drive.Fault != wire.FaultEndStop {
		t.Errorf("fault %v, want an end stop", drive.Fault)
	}
	if at := drive.Sim.Positions()[1]; at != 0.01 {
		t.Errorf("a motor without power went to %g", at)
	}
}

func FuzzSMC3Feed(f *testing.F) {
	f.Add([]byte("[A\x80\x80][a\x17\x00][v\x00\x46][Y\xff\xff]"))
	f.Fuzz(func(t *testing.T, in []byte) { motiontest.CheckAnswers(t, New(DefaultConfig()), in) })
}
