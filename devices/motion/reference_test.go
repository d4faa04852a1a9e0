package motion

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// A controller that takes the place where it stands at power-on for a position does not know the
// ends of the stroke after a restart elsewhere: nothing moves until somebody has confirmed.
func TestALostReferenceIsAFault(t *testing.T) {
	v, sim := virtualPreset(t, "eh-msc")
	v.untilState(Ready)
	v.drive(5, wire.AllAt(0.7))
	sim.Reset()
	v.drive(2, wire.AllAt(0.6))
	v.want(Fault)
	if v.trajectory.faultCause != wire.FaultReference || v.board.faults.Load()&uint32(wire.FaultReference) == 0 {
		t.Errorf("cause %s", v.trajectory.faultCause)
	}
	for range 500 {
		v.drive(0.004, wire.AllAt(0.6))
		if at := v.machine.sent; at[0] != 0.5 || at[3] != 0.5 {
			t.Fatalf("sent to %v, want where the controller believes to be", at)
		}
	}
	v.requests.homeOrders++
	v.drive(5, wire.AllAt(0.6))
	v.want(Active)
	v.wantAt(0.6, 0.02)
}

// At the end it is left where it stands, and nobody is told that it is parked.
func TestAPlatformWithoutReferenceIsNotParked(t *testing.T) {
	v, sim := virtualPreset(t, "eh-msc")
	v.untilState(Ready)
	v.drive(5, wire.AllAt(0.7))
	sim.Reset()
	v.drive(2, wire.AllAt(0.7))
	v.requests.shutDown = true
	v.until("ended", func() bool { return len(v.errs) > 0 })
	if !errors.Is(v.errs[0], errHalted) {
		t.Error(v.errs[0])
	}
}

// The same when its line was lost: opening it again restarts the board.
func TestALostReferenceBehindALostLine(t *testing.T) {
	for _, tt := range []struct {
		preset string
		at     float64
		want   State
	}{{"lebois", 0.7, Fault}, {"lebois", 0, Parking}, {"pyfly", 0.7, Waiting}} {
		v, _ := virtualPreset(t, tt.preset)
		v.untilState(Ready)
		v.alone = true
		v.drive(5, wire.AllAt(0.7))
		if tt.at == 0 {
			v.untilState(Parked)
		}
		v.open()
		v.until("driven again", func() bool { return v.machine.phase == driving })
		if v.want(tt.want); tt.want == Fault != (v.trajectory.faultCause == wire.FaultReference) {
			t.Errorf("%s at %g: cause %s", tt.preset, tt.at, v.trajectory.faultCause)
		}
		v.open() // a fault outlives the next line
		v.until("driven again", func() bool { return v.machine.phase == driving })
		v.want(tt.want)
	}
}

func TestWhereABlindPlatformIsTakenToStand(t *testing.T) {
	for _, tt := range []struct {
		protocol    string
		start, park float64
		want        float64
	}{
		{ProtocolThanos, -1, 0.1, 0.5}, {ProtocolMotion4Sim, -1, 0.1, 0.5}, {ProtocolTemplate, -1, 0.1, 0.1},
		{ProtocolThanos, 0.3, 0.1, 0.3}, {ProtocolTemplate, 0, 0.1, 0},
	} {
		c := DefaultConfig()
		c.Protocol, c.StartPosition, c.ParkPosition = tt.protocol, wire.AllAt(tt.start), wire.AllAt(tt.park)
		if got := c.startPositions(); got != wire.AllAt(tt.want) {
			t.Errorf("%s, start_share %g, park_share %g: at %v, want %g", tt.protocol, tt.start, tt.park, got, tt.want)
		}
	}
}

// logging returns a session that logs into the text.
func logging(t *testing.T, preset string) (*session, *bytes.Buffer) {
	t.Helper()
	text := &bytes.Buffer{}
	cfg := presetConfig(t, preset)
	cfg.Port = "virtual"
	p, err := New(cfg, slog.New(slog.NewTextHandler(text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCodec(p.cfg)
	if err != nil {
		t.Fatal(err)
	}
	return newSession(p, nil, c), text
}

func TestTheLogTellsWhereABlindPlatformIsTakenToStand(t *testing.T) {
	for preset, want := range map[string]string{
		"eh-msc":      "level=INFO msg=\"the controller assumes that the actuators were at start_share at power-on; they must have been there\" start_percent=\"[50 50 50 50]\"",
		"open6dofsim": "level=INFO msg=\"the controller reports no positions; the actuators are assumed to be at start_share\" start_percent=\"[0 0 0 0 0 0]\"",
	} {
		s, text := logging(t, preset)
		if s.logAssumedStart(); !strings.Contains(text.String(), want) {
			t.Errorf("%s: %s", preset, text)
		}
		text.Reset()
		s.p.trajectory.state = Ready
		if s.logAssumedStart(); text.Len() != 0 {
			t.Errorf("%s: on the next line %s", preset, text)
		}
	}
}

// A warning is what somebody has to do something about.
func TestPlainFactsAreNoWarnings(t *testing.T) {
	cfg := DefaultConfig()
	var codecs []wire.Codec
	for _, cfg.Protocol = range []string{ProtocolSMC3, ProtocolMotion4Sim} {
		c, err := newCodec(cfg)
		if err != nil {
			t.Fatal(err)
		}
		codecs = append(codecs, c)
	}
	board, m4s := codecs[0], codecs[1]
	state := func(n byte) []byte { return []byte{0xf9, 0xf9, 0, 0, 0, n, 0x0a, 0x0d} }
	for _, tt := range []struct {
		name  string
		codec wire.Codec
		says  []byte
		want  string
	}{
		{"firmware", board, []byte("[v\x00\x46]"), "level=INFO"},
		{"another firmware", board, []byte("[v\x00\x5a]"), "level=WARN"},
		{"motors off", board, []byte("[a\x01\x00]"), "level=WARN"},
		{"preparing", m4s, state(0x00), "level=INFO"},
		{"online", m4s, state(0x35), "level=INFO"},
		{"its stop", m4s, state(0x02), "level=WARN"},
		{"unknown", m4s, state(0x77), "level=WARN"},
		{"not connected", m4s, []byte("\xf9\xf9\x10\x00\x00x\x0a\x0d"), "level=WARN"},
	} {
		s, text := logging(t, "eh-msc")
		for _, b := range append(tt.says, tt.says...) { // twice, so that it is believed
			if a, ok := tt.codec.Feed(b); ok {
				s.logText(&a)
			}
		}
		if !strings.Contains(text.String(), tt.want) {
			t.Errorf("%s: %q, want %s", tt.name, text, tt.want)
		}
	}
}

// A controller that gets ready is no fault; one that goes off line later is.
func TestAControllerThatGetsReadyIsNoFault(t *testing.T) {
	s, text := logging(t, "eh-msc")
	opening, ready := Status{State: Opening, Faults: wire.FaultOffline}, Status{State: Homing}
	s.logChanges(&opening, &Status{State: Opening})
	s.logChanges(&ready, &opening)
	if strings.Contains(text.String(), "WARN") {
		t.Errorf("%s", text)
	}
	gone := Status{State: Homing, Faults: wire.FaultOffline}
	if s.logChanges(&gone, &ready); !strings.Contains(text.String(), "platform fault") {
		t.Errorf("%s", text)
	}
}
