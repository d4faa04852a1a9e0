package member

import (
	"context"
	"log/slog"
	"net"

	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/remote"
)

// orders gives the rig the orders of race control, one after the other: a stop or a pause, and never another.
type orders struct {
	conn  net.Conn
	log   *slog.Logger
	given chan operator.Order
}

func newOrders(conn net.Conn, log *slog.Logger) *orders {
	const waiting = 4
	return &orders{conn: conn, log: log, given: make(chan operator.Order, waiting)}
}

// stop and pausing order what they say. They wait for nobody: if some wait already, another says nothing new.
func (o *orders) stop()    { o.put(operator.EmergencyStop) }
func (o *orders) pausing() { o.put(operator.Pause) }

func (o *orders) put(order operator.Order) {
	select {
	case o.given <- order:
	default:
	}
}

// run gives the orders until ctx ends.
func (o *orders) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case order := <-o.given:
			if err := remote.Send(o.conn, remote.Message{Order: order}); err != nil {
				o.log.Warn("session: the rig does not take an order of race control", "error", err)
			}
		}
	}
}
