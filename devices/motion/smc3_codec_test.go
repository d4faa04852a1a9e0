package motion

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// newTestCodec returns the codec of a protocol as it is configured by default,
// after adjust.
func newTestCodec(t testing.TB, protocol string, adjust func(*Config)) wire.Codec {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Protocol, cfg.Port = protocol, "/dev/null"
	if adjust != nil {
		adjust(&cfg)
	}
	c, err := newCodec(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// told returns what a codec makes of bytes.
func told(c wire.Codec, in []byte) (all []wire.Answer) {
	for _, b := range in {
		if a, ok := c.Feed(b); ok {
			all = append(all, a)
		}
	}
	return all
}

// said joins phrases.
func said(all []wire.Phrase) string {
	var words []string
	for _, p := range all {
		words = append(words, string(p.Bytes))
	}
	return strings.Join(words, " ")
}

func TestSMC3Says(t *testing.T) {
	c := newTestCodec(t, ProtocolSMC3, nil)
	if got := said(c.Start()); got != "[ver] [mo1]" {
		t.Errorf("starts with %q", got)
	}
	if got := said(c.Stop()); got != "[mo0]" {
		t.Errorf("stops with %q", got)
	}
	asked := string(c.AppendQuestion(c.AppendQuestion(c.AppendQuestion(c.AppendQuestion(nil)))))
	if asked != "[rdA][rdB][rdC][rdA]" {
		t.Errorf("asks %q", asked)
	}
	c = newTestCodec(t, ProtocolSMC3, func(cfg *Config) { cfg.SMC3.Enable = true })
	if got := said(c.Start()); got != "[ver] [ena] [mo1]" {
		t.Errorf("starts with %q where motors are to be enabled", got)
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
			c := newTestCodec(t, ProtocolSMC3, nil)
			got := told(c, []byte(tt.in))
			if len(got) == 1 && tt.kind == wire.AnswerStatus {
				if !got[0].Doubtful || got[0].Fault != tt.fault || got[0].Text != "" {
					t.Errorf("told once: %+v, want a doubt without a word", got[0])
				}
				got = told(c, []byte(tt.in))
			}
			if len(got) != 1 {
				t.Fatalf("got %d answers, want 1", len(got))
			}
			a := got[0]
			if a.Doubtful || a.Kind != tt.kind || a.Axis != tt.axis || a.Position != tt.at || a.Fault != tt.fault || !strings.Contains(a.Text, tt.text) {
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
	c := newTestCodec(t, ProtocolSMC3, nil)
	texts := 0
	for range 20 {
		for _, a := range told(c, []byte("[a\x11\x00]")) {
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
	c := newTestCodec(t, ProtocolSMC3, nil)
	sim := NewController(DefaultControllerConfig())
	drive := converseWith(c, sim)
	drive.begin()
	drive.run(500, wire.All(0.5))
	if n := drive.heard[wire.AnswerBooted]; n != 0 {
		t.Fatalf("%d restarts heard of a board that ran", n)
	}
	sim.Reset()
	drive.run(500, wire.All(0.5))
	if n := drive.heard[wire.AnswerBooted]; n != 1 {
		t.Errorf("%d restarts heard, want 1", n)
	}
}

// A board without the stream is not taken to restart for ever.
func TestSMC3WithoutStream(t *testing.T) {
	c := newTestCodec(t, ProtocolSMC3, nil)
	for range 1000 {
		for _, a := range told(c, []byte("[A\x80\x80]")) {
			if a.Kind != wire.AnswerPosition {
				t.Fatalf("got %+v", a)
			}
		}
	}
}

func TestSMC3TellsOfACutoff(t *testing.T) {
	c := newTestCodec(t, ProtocolSMC3, nil)
	cfg := DefaultControllerConfig()
	cfg.Start[1] = 0.01 // below 23 of 1023
	drive := converseWith(c, NewController(cfg))
	drive.begin()
	drive.run(100, wire.All(0.5))
	if drive.fault != wire.FaultEndStop {
		t.Errorf("fault %v, want an end stop", drive.fault)
	}
	if at := drive.sim.Positions()[1]; at != 0.01 {
		t.Errorf("a motor without power went to %g", at)
	}
}

func FuzzSMC3Feed(f *testing.F) {
	f.Add([]byte("[A\x80\x80][a\x17\x00][v\x00\x46][Y\xff\xff]"))
	f.Fuzz(func(t *testing.T, in []byte) { checkAnswers(t, newTestCodec(t, ProtocolSMC3, nil), in) })
}

// checkAnswers feeds a codec and fails on answers that no session could use.
func checkAnswers(t *testing.T, c wire.Codec, in []byte) {
	t.Helper()
	for _, a := range told(c, in) {
		if a.Axis < -1 || a.Axis >= c.Axes() || a.Kind > wire.AnswerText {
			t.Fatalf("% x gives %+v", in, a)
		}
		if a.Kind == wire.AnswerPosition && !(a.Axis >= 0 && a.Position >= 0 && a.Position <= 1) {
			t.Fatalf("% x gives %+v", in, a)
		}
	}
	if c.Noise() > uint64(len(in)) {
		t.Fatalf("%d bytes of noise in %d", c.Noise(), len(in))
	}
}
