package rig

import (
	"errors"
	"fmt"
	"math"
	"net"
	"time"

	"rig.example/rig/internal/connect/remote"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
)

// remoteOrders takes orders from other processes. All go to the loop's next tick.
type remoteOrders struct {
	rig     *Rig
	command string // that drives, as "rig run": the answer to its orders
}

var errOrdersWait = errors.New("too many orders wait; try again")

// serveLocal serves a command of this machine, such as `rig stop`: every order of the operator, and the same tuning as
// the web page.
func (o remoteOrders) serveLocal(conn net.Conn) {
	const idle = 2 * time.Second
	remote.ServeAnswers(conn, idle, func(m remote.Message) (string, error) {
		if m.Factor != "" {
			return "", o.tune(m)
		}
		o.rig.orders.give(m.Order, guard.ByCommand)
		return o.command, nil
	})
}

// serveWeb serves the web page, which other machines can reach. It can lower gains and limits, raise them again as far as they are
// configured, and stop; it can confirm and start nothing, and raise no limit.
func (o remoteOrders) serveWeb(conn net.Conn) {
	remote.Serve(conn, 0, func(m remote.Message) error {
		switch {
		case m.Factor != "":
			return o.tune(m)
		case m.Order == operator.EmergencyStop:
			o.rig.orders.give(m.Order, guard.ByPage)
			return nil
		}
		return errors.New("a web page can only stop the rig and lower gains and limits")
	})
}

// serveSession serves the process of a session, which does what another machine asks for. It can stop and pause the rig,
// and nothing else: it ends no stop and no pause, confirms and starts nothing, and changes no gain and no limit.
func (o remoteOrders) serveSession(conn net.Conn) {
	remote.Serve(conn, 0, func(m remote.Message) error {
		if m.Factor == "" && (m.Order == operator.EmergencyStop || m.Order == operator.Pause) {
			o.rig.orders.give(m.Order, guard.ByRaceControl)
			return nil
		}
		return errors.New("a session can only stop or pause the rig")
	})
}

// tune hands a changed factor to the next tick.
func (o remoteOrders) tune(m remote.Message) error {
	f, ok := drive.FactorNamed(m.Factor)
	if !ok {
		return fmt.Errorf("%s: unknown gain, filter or limit", m.Factor)
	}
	if !o.rig.orders.tune.CompareAndSwap(0, packTune(drive.Tune{Factor: f, Share: m.Share})) {
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
