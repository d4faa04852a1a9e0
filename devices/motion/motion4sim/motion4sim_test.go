package motion4sim

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

// newCodec returns a codec that is configured by default, after adjust.
func newCodec(t testing.TB, adjust func(*Config)) *Codec {
	t.Helper()
	cfg := DefaultConfig()
	if adjust != nil {
		adjust(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMotion4SimDirect(t *testing.T) {
	unused := "7fffff" + "7fffff"
	tests := []struct {
		name string
		legs wire.Legs
		want string
	}{
		{"middle", wire.AllAt(0.5), strings.Repeat("7fffff", 6)},
		{"bottom", wire.AllAt(0), strings.Repeat("000000", 6)},
		{"top", wire.AllAt(1), strings.Repeat("ffffff", 6)},
		{"each its own", wire.Legs{0.25, 0.75, 0.1, 0.9, 0.5, 0, 1, 1}, "400000" + "bfffff" + "19999a" + "e66666" + "7fffff" + "000000"},
		{"out of the stroke", wire.Legs{-3, 1.01, math.Inf(1), math.Inf(-1), 0, 0}, "000000" + "ffffff" + "ffffff" + "000000" + "000000" + "000000"},
		{"NaN goes to the middle", wire.Legs{math.NaN(), 0.5, 0.5, 0.5, 0.5, 0.5}, strings.Repeat("7fffff", 6)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCodec(t, nil)
			got, want := hex.EncodeToString(c.AppendTarget(nil, &tt.legs)), "ffff"+tt.want+unused+"0a0d"
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestMotion4SimPose(t *testing.T) {
	legs := wire.Legs{1, 0, 0.5, 1, 0.75, 0.5, 1} // surge, sway, heave, roll, pitch, yaw, belt
	tests := []struct {
		name   string
		little bool
		want   string // sway, surge, heave, yaw, roll, pitch, belt
	}{
		{"low byte first", true, "000048c2" + "00004842" + "00000000" + "00000000" + "00000041" + "00008040" + "ffffff00"},
		{"high byte first", false, "c2480000" + "42480000" + "00000000" + "00000000" + "41000000" + "40800000" + "00ffffff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCodec(t, func(cfg *Config) {
				cfg.Frames, cfg.LittleEndian = Pose, tt.little
			})
			got, want := hex.EncodeToString(c.AppendTarget(nil, &legs)), "fcfc"+tt.want+"00000000"+"0a0d"
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if c.Axes() != 7 || c.TargetBytes() != 36 {
				t.Errorf("%d axes, %d bytes", c.Axes(), c.TargetBytes())
			}
		})
	}
}

func TestMotion4SimPoseTurnsAnAxisRound(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Surge = -25
	l := wire.AllAt(0.5)
	l[0] = 1
	if got := hex.EncodeToString(appendPoseFrame(nil, &l, &cfg)[6:10]); got != "0000c8c1" { // -25
		t.Errorf("surge is sent as %s", got)
	}
}

// What the controller's documentation has it say and hear.
func TestMotion4SimSays(t *testing.T) {
	c := newCodec(t, nil)
	var got []string
	for _, p := range c.Start() {
		got = append(got, hex.EncodeToString(p.Bytes))
	}
	if want := "f9f9020000000a0d f9f9060000000a0d"; strings.Join(got, " ") != want {
		t.Errorf("starts with %v, want %s", got, want)
	}
	status, actuators := "f9f9000000000a0d", "f9f9100000000a0d"
	asked := hex.EncodeToString(c.AppendQuery(c.AppendQuery(c.AppendQuery(c.AppendQuery(nil)))))
	if want := strings.Repeat(status, 3) + actuators; asked != want {
		t.Errorf("asks %s, want %s", asked, want)
	}
}

func TestMotion4SimHears(t *testing.T) {
	tests := []struct {
		name, in string
		kind     wire.AnswerKind
		fault    wire.Faults
		text     string // a part of it
	}{
		{"preparing", "f9f9000000000a0d", wire.AnswerStatus, wire.FaultOffline, "prepares"},
		{"parking", "f9f9000000010a0d", wire.AnswerStatus, wire.FaultOffline, "parks"},
		{"parking too", "f9f9000000300a0d", wire.AnswerStatus, wire.FaultOffline, "parks"},
		{"emergency", "f9f9000000020a0d", wire.AnswerStatus, wire.FaultStop, "emergency"},
		{"emergency too", "f9f9000000040a0d", wire.AnswerStatus, wire.FaultStop, "emergency"},
		{"offline", "f9f9000000080a0d", wire.AnswerStatus, wire.FaultOffline, "offline"},
		{"offline, bytes the other way", "f9f9000010000a0d", wire.AnswerStatus, wire.FaultOffline, "offline"},
		{"ready", "f9f9000000310a0d", wire.AnswerStatus, wire.FaultOffline, "ready"},
		{"standby", "f9f9000000320a0d", wire.AnswerStatus, wire.FaultOffline, "stands by"},
		{"waits", "f9f9000000330a0d", wire.AnswerStatus, 0, "waits"},
		{"online", "f9f9000000350a0d", wire.AnswerStatus, 0, "online"},
		{"an unknown state", "f9f9000000770a0d", wire.AnswerStatus, wire.FaultOffline, "0x0077"},
		{"firmware", "f9f9000200020a0d", wire.AnswerText, 0, "firmware 2"},
		{"an actuator is missing", "f9f9100000780a0d", wire.AnswerText, 0, "not connected"},
		{"actuators are ready", "f9f9100000520a0d", wire.AnswerParameter, 0, ""},
		{"went online", "f9f9000600010a0d", wire.AnswerParameter, 0, ""},
		{"after half an answer", "f9f90000f9f9000000350a0d", wire.AnswerStatus, 0, "online"},
		{"after noise", "fff9000a0df9f9000000350a0d", wire.AnswerStatus, 0, "online"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, err := hex.DecodeString(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			c := newCodec(t, nil)
			got := motiontest.Decode(c, in)
			if len(got) == 1 && tt.kind == wire.AnswerStatus {
				if !got[0].Unconfirmed || got[0].Fault != tt.fault || got[0].Text != "" {
					t.Errorf("told once: %+v, want a doubt without a word", got[0])
				}
				got = motiontest.Decode(c, in)
			}
			if len(got) != 1 {
				t.Fatalf("got %+v, want one answer", got)
			}
			if a := got[0]; a.Unconfirmed || a.Kind != tt.kind || a.Axis != -1 || a.Fault != tt.fault || !strings.Contains(a.Text, tt.text) {
				t.Errorf("got %+v", a)
			}
		})
	}
}

// It prepares only when it gets power: after anything else that is a restart.
func TestMotion4SimNoticesARestart(t *testing.T) {
	c := newCodec(t, nil)
	var kinds []wire.AnswerKind
	for _, state := range []uint16{
		statePreparing, statePreparing, stateReady, stateReady, stateOnline, stateOnline,
		statePreparing, stateOnline, statePreparing, statePreparing, statePreparing,
	} {
		for _, a := range motiontest.Decode(c, appendCommand(nil, commandStatus, state)) {
			kinds = append(kinds, a.Kind)
		}
	}
	want := []wire.AnswerKind{
		wire.AnswerStatus, wire.AnswerStatus, wire.AnswerStatus, wire.AnswerStatus, wire.AnswerStatus, wire.AnswerStatus,
		wire.AnswerStatus, wire.AnswerStatus, wire.AnswerStatus, wire.AnswerRestarted, wire.AnswerStatus,
	}
	if len(kinds) != len(want) {
		t.Fatalf("got %v, want %v", kinds, want)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("got %v, want %v", kinds, want)
			break
		}
	}
}

func FuzzMotion4SimFeed(f *testing.F) {
	f.Add(appendCommand(nil, commandStatus, stateOnline))
	f.Add([]byte{0xf9, 0xf9, 0xf9, 0xf9, 0x10, 0x00, 0x00, 'x', 0x0a, 0x0d})
	f.Fuzz(func(t *testing.T, in []byte) {
		motiontest.CheckAnswers(t, newCodec(t, nil), in)
	})
}

// Whatever came before, a packet that stands alone is found, and no byte is
// lost without being counted.
func FuzzPackets(f *testing.F) {
	l := wire.AllAt(0.5)
	f.Add(appendDirectFrame(nil, &l, 6))
	f.Add([]byte{0xff, 0xff, 0xff, 0xfc, 0xfc, 0xf9, 0xf9, 0, 0})
	f.Fuzz(func(t *testing.T, in []byte) {
		p := wire.Packets{Length: packetLen}
		found := 0
		for _, b := range in {
			if got, ok := p.Feed(b); ok {
				found += len(got)
			}
		}
		if n := uint64(found+p.Pending()) + p.Noise; n != uint64(len(in)) {
			t.Fatalf("of %d bytes %d are accounted for", len(in), n)
		}
		for range poseFrameLen {
			p.Feed(0)
		}
		command := appendCommand(nil, commandStatus, 0x0102)
		ok := false
		for _, b := range command {
			_, ok = p.Feed(b)
		}
		if !ok {
			t.Fatalf("after % x a packet was not found", in)
		}
	})
}

func TestMotion4SimConfigIsChecked(t *testing.T) {
	tests := []struct {
		name   string
		adjust func(*Config)
		key    string
	}{
		{"frames", func(c *Config) { c.Frames = "rig" }, "motion4sim.frames"},
		{"actuators", func(c *Config) { c.Actuators = 9 }, "motion4sim.actuators"},
		{"surge", func(c *Config) { c.Surge = math.NaN() }, "motion4sim.surge_mm"},
		{"roll", func(c *Config) { c.Roll = 90 }, "motion4sim.roll_deg"},
		{"belt", func(c *Config) { c.BeltCounts = -1 }, "motion4sim.belt_counts"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := DefaultConfig()
			tt.adjust(&c)
			if err := c.Validate(); err == nil || !strings.Contains(err.Error(), tt.key) {
				t.Errorf("got %v, want an error about %s", err, tt.key)
			}
		})
	}
}
