package motion

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// motion4sim is the language of motion4sim controllers.
type motion4sim struct {
	cfg   M4SConfig
	ask   int           // which question is next
	ready atomic.Uint32 // times it was told that the controller has become ready
	woken uint32        // of these, how many were answered by ordering it online

	// Of the reader.
	in    packets
	state twice
}

func newMotion4Sim(cfg Config) (codec, error) {
	if err := cfg.Motion4Sim.Validate(); err != nil {
		return nil, err
	}
	return &motion4sim{cfg: cfg.Motion4Sim, in: packets{length: m4sAnswerLen}}, nil
}

// m4sAnswerLen is the length of what the controller sends by its first byte.
func m4sAnswerLen(head byte) int {
	if head == m4sCommand {
		return m4sCommandLen
	}
	return 0
}

func (c *motion4sim) axes() int {
	if c.cfg.Frames == M4SPose {
		return m4sBelt + 1
	}
	return c.cfg.Actuators
}

func (c *motion4sim) demandBytes() int {
	if c.cfg.Frames == M4SPose {
		return m4sPoseLen
	}
	return m4sDirectLen
}

func (c *motion4sim) questionBytes() int { return m4sCommandLen }
func (c *motion4sim) locates() bool      { return false }
func (c *motion4sim) keeps() bool        { return false } // without frames it goes off line, and may park
func (c *motion4sim) noise() uint64      { return c.in.noise }

// start asks for the firmware and goes online.
func (c *motion4sim) start() []phrase {
	said := []phrase{{appendM4SCommand(nil, m4sFirmware, 0), 20 * time.Millisecond}}
	if c.cfg.GoOnline {
		said = append(said, phrase{appendM4SCommand(nil, m4sOnline, 0), 50 * time.Millisecond})
	}
	return said
}

// stop says nothing: no command for going offline is documented, and the
// controller goes there by itself when the frames end.
func (c *motion4sim) stop() []phrase { return nil }

func (c *motion4sim) demand(dst []byte, l *Legs) []byte {
	if c.cfg.Frames == M4SPose {
		return appendM4SPose(dst, l, &c.cfg)
	}
	return appendM4SDirect(dst, l, c.cfg.Actuators)
}

// question asks for the state three times of four, and for the actuators'. A
// controller that was still preparing at the start is ordered online here, once
// each time it has become ready: it is not documented that the order may be
// repeated.
func (c *motion4sim) question(dst []byte) []byte {
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

func (c *motion4sim) feed(b byte) (answer, bool) {
	p, ok := c.in.feed(b)
	if !ok {
		return answer{}, false
	}
	a := answer{kind: answerParameter, axis: -1, temperature: math.NaN()}
	value := either(p[4], p[5])
	switch {
	case p[2] == 0 && p[3] == 0:
		c.status(&a, value)
	case p[2] == m4sActuators>>8 && value == 'x':
		a.kind, a.alarming, a.text = answerText, true, "the controller says that an actuator is not connected"
	case either(p[2], p[3]) == m4sFirmware>>8:
		a.kind, a.text = answerText, fmt.Sprintf("motion4sim firmware %d", value)
	}
	return a, true
}

// status fills in what state the controller is in, or that it has restarted:
// it prepares only then.
func (c *motion4sim) status(a *answer, state uint16) {
	before, known := c.state.sure, c.state.known
	a.kind, a.fault = answerStatus, m4sFaults(state)
	if a.doubt = !c.state.hear(state); a.doubt || known && state == before {
		return
	}
	if state == m4sReady {
		c.ready.Add(1)
	}
	if known && m4sWorks(before) && state == m4sPreparing {
		a.kind = answerBooted
		return
	}
	if a.text = m4sStateText(state); a.text == "" {
		a.alarming, a.text = true, fmt.Sprintf("the controller is in state %#04x, which rig does not know", state)
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
func m4sFaults(state uint16) Faults {
	switch {
	case state == 0x02 || state == 0x04:
		return FaultStop
	case state >= m4sWaiting && state <= m4sIsOnline:
		return 0
	default:
		return FaultOffline
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
