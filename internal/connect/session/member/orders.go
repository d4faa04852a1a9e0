package member

import (
	"context"
	"log/slog"
	"net"
	"time"

	"rig.example/rig/internal/live/operator"
)

// Pauses between the attempts to give a stop that the rig has not taken; doubled each time.
const (
	firstOrderPause = 50 * time.Millisecond
	longOrderPause  = time.Second
)

// orders gives the rig the orders of race control, one after the other: a stop or a pause, and never another. No pause
// keeps a stop from being given: a stop has a place of its own, and goes first.
type orders struct {
	conn   net.Conn
	log    *slog.Logger
	stops  chan struct{} // a stop waits
	pauses chan struct{} // a pause waits
}

func newOrders(conn net.Conn, log *slog.Logger) *orders {
	return &orders{conn: conn, log: log, stops: make(chan struct{}, 1), pauses: make(chan struct{}, 1)}
}

// stop and pausing order what they say. They wait for nobody: if one waits already, another says nothing new.
func (o *orders) stop()    { put(o.stops) }
func (o *orders) pausing() { put(o.pauses) }

func put(waiting chan<- struct{}) {
	select {
	case waiting <- struct{}{}:
	default:
	}
}

// run gives the orders until ctx ends: a stop again and again until the rig takes it, a pause once.
func (o *orders) run(ctx context.Context, pause func(context.Context, time.Duration) bool) {
	for {
		order, ok := o.next(ctx)
		if !ok {
			return
		}
		err := o.give(order)
		if err != nil {
			o.log.Warn("session: the rig does not take an order of race control", "error", err)
		}
		for wait := firstOrderPause; err != nil && order == operator.EmergencyStop && pause(ctx, wait); wait = min(2*wait, longOrderPause) {
			err = o.give(order)
		}
	}
}

// next waits for the next order. It reports false once ctx has ended.
func (o *orders) next(ctx context.Context) (order operator.Order, ok bool) {
	select {
	case <-o.stops:
		return operator.EmergencyStop, true
	default:
	}
	select {
	case <-o.stops:
		return operator.EmergencyStop, true
	case <-o.pauses:
		return operator.Pause, true
	case <-ctx.Done():
		return order, false
	}
}

func (o *orders) give(order operator.Order) error {
	return operator.Send(o.conn, operator.Message{Order: order})
}
