package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/live/operator"
)

// guarded calls do with two contexts that the operator's orders cancel: any order to end cancels ctx, and an emergency stop
// cancels both, even after an order to end. Orders come as signals and, unless pageSocket is nil, from `rig stop`; drives and
// other movers then cannot use the same wheel or platform meanwhile.
func (s *streams) guarded(m mover, pageSocket *string, do func(ctx, stopCtx context.Context) error) error {
	var socket *framepage.Socket
	if pageSocket != nil {
		var err error
		if socket, err = framepage.Reserve(*pageSocket); err != nil {
			return err
		}
		defer socket.Close() // waits until `rig stop` has its answer
	}
	orders, stop := s.orders(m)
	defer stop()
	ctx, stopCtx, cancel := operator.Contexts(orders)
	defer cancel()
	if socket != nil && s.serveOrders != nil {
		ended := make(chan struct{})
		defer close(ended)
		if err := s.serveOrders(socket, func(conn net.Conn) { s.serveStop(conn, orders, ended) }); err != nil {
			return err
		}
	}
	return do(ctx, stopCtx)
}

// serveStop serves `rig stop`: it gives an emergency stop, waits until ended is closed, and answers which command
// was stopped and where the platform stands. A command without a drive takes no other order.
func (s *streams) serveStop(conn net.Conn, orders chan<- operator.Order, ended <-chan struct{}) {
	const (
		idle     = 500 * time.Millisecond
		stopTime = time.Second // less than `rig stop` waits
	)
	operator.ServeAnswers(conn, idle, func(m operator.Message) (string, error) {
		if m != (operator.Message{Order: operator.EmergencyStop}) {
			return "", fmt.Errorf("%s takes no order but a stop: rig stop", s.command)
		}
		late := time.After(stopTime)
		select {
		case orders <- m.Order:
		case <-ended:
		case <-late:
		}
		select {
		case <-ended:
		case <-late:
			return "", fmt.Errorf("%s was told to stop and has not ended within %v; switch the power of what moves off", s.command, stopTime)
		}
		if at := s.place.String(); at != "" {
			return s.command + ": " + at, nil
		}
		return s.command, nil
	})
}
