package motion

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// motion4sim is the language of motion4sim controllers.
type motion4sim struct {
	cfg   M4SConfig
	ask   int           // which question is next
	ready atomic.Uint32 // times it was told that the controller has become ready
	woken uint32        // of these, how many were answered by ordering it online

	// Of the reader.
	in    wire.Packets
	state wire.Debounce
}

// newMotion4Sim returns the codec for a controller that cfg describes, or why it cannot be.
func newMotion4Sim(cfg M4SConfig) (*motion4sim, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &motion4sim{cfg: cfg, in: wire.Packets{Length: m4sAnswerLen}}, nil
}

// m4sAnswerLen is the length of what the controller sends by its first byte.
func m4sAnswerLen(head byte) int {
	if head == m4sCommand {
		return m4sCommandLen
	}
	return 0
}

func (c *motion4sim) Axes() int {
	if c.cfg.Frames == M4SPose {
		return m4sBelt + 1
	}
	return c.cfg.Actuators
}

func (c *motion4sim) DemandBytes() int {
	if c.cfg.Frames == M4SPose {
		return m4sPoseLen
	}
	return m4sDirectLen
}

func (c *motion4sim) QuestionBytes() int    { return m4sCommandLen }
func (c *motion4sim) ReportsPosition() bool { return false }
func (c *motion4sim) KeepsTarget() bool     { return false } // without frames it goes off line, and may park
func (c *motion4sim) Noise() uint64         { return c.in.Noise }

// Start asks for the firmware and goes online.
func (c *motion4sim) Start() []wire.Phrase {
	said := []wire.Phrase{{Bytes: appendM4SCommand(nil, m4sFirmware, 0), Wait: 20 * time.Millisecond}}
	if c.cfg.GoOnline {
		said = append(said, wire.Phrase{Bytes: appendM4SCommand(nil, m4sOnline, 0), Wait: 50 * time.Millisecond})
	}
	return said
}

// Stop says nothing: no command for going offline is documented, and the
// controller goes there by itself when the frames end.
func (c *motion4sim) Stop() []wire.Phrase { return nil }

func (c *motion4sim) AppendDemand(dst []byte, l *wire.Legs) []byte {
	if c.cfg.Frames == M4SPose {
		return appendM4SPose(dst, l, &c.cfg)
	}
	return appendM4SDirect(dst, l, c.cfg.Actuators)
}

// AppendQuestion asks for the state three times of four, and for the actuators'. A
// controller that was still preparing at the start is ordered online here, once
// each time it has become ready: it is not documented that the order may be
// repeated.
func (c *motion4sim) AppendQuestion(dst []byte) []byte {
	if n := c.ready.Load(); c.cfg.GoOnline && n != c.woken {
		c.woken = n
		return appendM4SCommand(dst, m4sOnline, 0)
	}
	c.ask = (c.ask + 1) % 4
	if c.ask == 0 {
		return appendM4SCommand(dst, m4sActuators, 0)
	}
	return appendM4SCommand(dst, m4sStatus, 0)
}

func (c *motion4sim) Feed(b byte) (wire.Answer, bool) {
	p, ok := c.in.Feed(b)
	if !ok {
		return wire.Answer{}, false
	}
	a := wire.Answer{Kind: wire.AnswerParameter, Axis: -1, Temperature: math.NaN()}
	value := either(p[4], p[5])
	switch {
	case p[2] == 0 && p[3] == 0:
		c.status(&a, value)
	case p[2] == m4sActuators>>8 && value == 'x':
		a.Kind, a.Alarming, a.Text = wire.AnswerText, true, "the controller says that an actuator is not connected"
	case either(p[2], p[3]) == m4sFirmware>>8:
		a.Kind, a.Text = wire.AnswerText, fmt.Sprintf("motion4sim firmware %d", value)
	}
	return a, true
}

// status fills in what state the controller is in, or that it has restarted:
// it prepares only then.
func (c *motion4sim) status(a *wire.Answer, state uint16) {
	before, known := c.state.Value, c.state.Known
	a.Kind, a.Fault = wire.AnswerStatus, m4sFaults(state)
	if a.Doubtful = !c.state.Hear(state); a.Doubtful || known && state == before {
		return
	}
	if state == m4sReady {
		c.ready.Add(1)
	}
	if known && m4sWorks(before) && state == m4sPreparing {
		a.Kind = wire.AnswerBooted
		return
	}
	if a.Text = m4sStateText(state); a.Text == "" {
		a.Alarming, a.Text = true, fmt.Sprintf("the controller is in state %#04x, which rig does not know", state)
	}
}

// States of the controller.
const (
	m4sPreparing = 0x00
	m4sReady     = 0x31
	m4sStandby   = 0x32
	m4sWaiting   = 0x33
	m4sIsOnline  = 0x35
)

// m4sWorks reports a state that the controller reaches only once prepared.
func m4sWorks(state uint16) bool { return state >= m4sReady && state <= m4sIsOnline }

// m4sFaults is what a state means to a platform that follows demands. Waiting
// for frames is none: they come.
func m4sFaults(state uint16) wire.Faults {
	switch {
	case state == 0x02 || state == 0x04:
		return wire.FaultStop
	case state >= m4sWaiting && state <= m4sIsOnline:
		return 0
	default:
		return wire.FaultOffline
	}
}

// m4sStateText names a state, or nothing that is documented.
func m4sStateText(state uint16) string {
	switch state {
	case m4sPreparing:
		return "the controller prepares its actuators"
	case 0x01, 0x30:
		return "the controller parks"
	case 0x02, 0x04:
		return "the controller's emergency stop is on; release it, then home the platform"
	case 0x08, 0x10, 0x20:
		return "the controller is offline; switch it online"
	case m4sReady:
		return "the controller is ready, but not online; switch it online"
	case m4sStandby:
		return "the controller stands by"
	case m4sWaiting, 0x34:
		return "the controller waits for positions"
	case m4sIsOnline:
		return "the controller is online"
	}
	return ""
}
