package operator

import (
	"errors"
	"fmt"
	"math"
	"net"
	"time"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
)

var errOrdersWait = errors.New("too many orders wait; try again")

// ServeCommand serves a command of this machine, such as `rig stop`: every order of the operator, and the same tuning as
// the web page.
func (p *Pending) ServeCommand(conn net.Conn) {
	const idle = 2 * time.Second
	ServeAnswers(conn, idle, func(m Message) (string, error) {
		if m.Factor != "" {
			return "", p.takeTune(m)
		}
		p.Give(m.Order, guard.ByCommand)
		return p.Command, nil
	})
}

// ServeWebPage serves the web page, which other machines can reach. It can lower gains and limits, raise them again as far as they are
// configured, and stop; it can confirm and start nothing, and raise no limit.
func (p *Pending) ServeWebPage(conn net.Conn) {
	Serve(conn, 0, func(m Message) error {
		switch {
		case m.Factor != "":
			return p.takeTune(m)
		case m.Order == EmergencyStop:
			p.Give(m.Order, guard.ByPage)
			return nil
		}
		return errors.New("a web page can only stop the rig and lower gains and limits")
	})
}

// ServeRaceControl serves a process that does what another machine asks for. It can stop and pause the rig,
// and nothing else: it ends no stop and no pause, confirms and starts nothing, and changes no gain and no limit.
func (p *Pending) ServeRaceControl(conn net.Conn) {
	Serve(conn, 0, func(m Message) error {
		if m.Factor == "" && (m.Order == EmergencyStop || m.Order == Pause) {
			p.Give(m.Order, guard.ByRaceControl)
			return nil
		}
		return errors.New("a session can only stop or pause the rig")
	})
}

// Tune hands a changed factor to the next tick. It reports false if another one waits.
func (p *Pending) Tune(t drive.Tune) bool { return p.tune.CompareAndSwap(0, packTune(t)) }

// takeTune is Tune for a message.
func (p *Pending) takeTune(m Message) error {
	f, ok := drive.FactorNamed(m.Factor)
	if !ok {
		return fmt.Errorf("%s: unknown gain, filter or limit", m.Factor)
	}
	if !p.Tune(drive.Tune{Factor: f, Share: m.Share}) {
		return errOrdersWait
	}
	return nil
}

// sharesPerUnit is the resolution of a packed share.
const sharesPerUnit = 1e6

// packTune packs an order, whose share is 0..1, into a word. It is 0 for no order.
func packTune(t drive.Tune) uint64 {
	return uint64(t.Factor)<<32 | uint64(math.Round(t.Share*sharesPerUnit))
}

// unpackTune is the inverse of packTune.
func unpackTune(packed uint64) drive.Tune {
	return drive.Tune{Factor: drive.Factor(packed >> 32), Share: float64(uint32(packed)) / sharesPerUnit}
}
