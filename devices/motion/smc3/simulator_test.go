package smc3

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

func TestControllerAnswers(t *testing.T) {
	still := SimulatorConfig{Start: [motors]float64{512.0 / 1023, 512.0 / 1023, 512.0 / 1023}}
	tests := []struct {
		name, in, want string
	}{
		{"position", "[rdA]", "[A\x80\x80]"},
		{"status", "[rdb]", "[b\x10\x00]"},
		{"version", "[ver]", "[v\x00\x46]"},
		{"a parameter", "[rdD]", "[D\x00\x64]"},
		{"a parameter that was set", "[D\x02\x03][rdD]", "[D\x02\x03]"},
		{"cutoff and clip", "[rdT]", "[T\x17\x64]"},
		{"enabling says nothing", "[ena][en2]", ""},
		{"what is not known says nothing", "[xyz][rd!]", ""},
		{"after noise", "foo[rdC]", "[C\x80\x80]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewSimulator(still).Handle([]byte(tt.in)); string(got) != tt.want {
				t.Errorf("got % x, want % x", got, tt.want)
			}
		})
	}
}

func TestControllerDrivesToTheCenterByItself(t *testing.T) {
	c := NewSimulator(SimulatorConfig{Start: [motors]float64{0.2, 0.9, 0.5}})
	c.Advance(2 * time.Second)
	if got := c.Positions(); !motiontest.Near(got, wire.AllAt(0.5)) {
		t.Errorf("at %.3f, want the center", got)
	}
}

func TestControllerClipsTargets(t *testing.T) {
	c := NewSimulator(DefaultSimulatorConfig())
	c.Handle([]byte("[A\x00\x00][B\x03\xff]"))
	if got, want := c.Targets(), [motors]int{100, 923, 512}; got != want {
		t.Errorf("targets %v, want %v", got, want)
	}
}

// A motor with mass cannot jump: it accelerates, keeps below its top speed,
// and comes to rest close to the target.
func TestControllerMotorHasInertia(t *testing.T) {
	c := NewSimulator(SimulatorConfig{Start: [motors]float64{0.5, 0.5, 0.5}})
	c.Handle([]byte("[A\x03\x84]")) // 900
	last, top := 0.5, 0.0
	for i := range 1000 {
		c.Advance(time.Millisecond)
		at := c.Positions()[0]
		v := (at - last) / 0.001
		if i == 0 && v > 0.05 {
			t.Errorf("moves with %g strokes/s after a millisecond", v)
		}
		top, last = max(top, v), at
	}
	if top < 0.5 || top > 1.8 {
		t.Errorf("reaches %.2f strokes/s, want 0.5..1.8", top)
	}
	if math.Abs(last-900.0/1023) > 0.01 {
		t.Errorf("rests at %.3f, want %.3f", last, 900.0/1023)
	}
}

func TestControllerIsDeterministic(t *testing.T) {
	drive := func(chunk time.Duration) ([]float64, []byte) {
		c := NewSimulator(DefaultSimulatorConfig())
		out := c.Handle([]byte("[mo1][A\x02\xff][B\x01\x00]"))
		for range int(400 * time.Millisecond / chunk) {
			out = append(out, c.Advance(chunk)...)
		}
		return c.Positions(), out
	}
	at1, out1 := drive(time.Millisecond)
	at2, out2 := drive(10 * time.Millisecond)
	if !slices.Equal(at1, at2) || !bytes.Equal(out1, out2) {
		t.Errorf("%v and %v, % x and % x", at1, at2, out1, out2)
	}
	if want := 20 * 2 * frameLen; len(out1) != want { // every 20 ms position and status
		t.Errorf("streamed %d bytes, want %d", len(out1), want)
	}
}

func TestControllerIsDeafWhileItBoots(t *testing.T) {
	c := NewSimulator(DefaultSimulatorConfig())
	c.Reset()
	if got := c.Handle([]byte("[ver]")); got != nil {
		t.Errorf("answered % x while booting", got)
	}
	c.Advance(100 * time.Millisecond)
	if got := c.Handle([]byte("[ver]")); len(got) != frameLen {
		t.Errorf("answered % x after booting", got)
	}
}

func TestControllerDozesWithoutFrames(t *testing.T) {
	c := NewSimulator(DefaultSimulatorConfig())
	c.Advance(14 * time.Second)
	awake := c.Servos[0].Power
	c.Advance(2 * time.Second)
	if dozing := c.Servos[0].Power; awake != 1 || dozing != 0.25 {
		t.Errorf("power %g after 14 s and %g after 16 s, want 1 and 0.25", awake, dozing)
	}
}

func FuzzController(f *testing.F) {
	f.Add([]byte("[rdA][mo3][en9]"))
	f.Add([]byte("[A\xff\xff][rd\x00]"))
	f.Fuzz(func(t *testing.T, in []byte) {
		c := NewSimulator(DefaultSimulatorConfig())
		out := append(c.Handle(in), c.Advance(25*time.Millisecond)...)
		if len(out)%frameLen != 0 {
			t.Fatalf("% x are no whole frames", out)
		}
		for i, n := range c.Targets() {
			if n < clipLow || n > clipHigh {
				t.Fatalf("motor %d is sent to %d", i, n)
			}
		}
	})
}
