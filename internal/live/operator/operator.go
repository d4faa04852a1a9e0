// Package operator defines the operator's orders, such as fade out and park, emergency stop, clear a fault, and takes them from
// wherever they come: signals, commands such as `rig stop`, the web page and race control. Each tick of a drive takes those that
// are Pending, with their origin; who serves a connection decides which ones it may give. For a command that moves a device
// without a drive, Contexts translates them into contexts that are canceled. The package never stops a device itself.
package operator

import (
	"context"
	"errors"
)

// Order is an order from the operator.
type Order int

// The orders.
const (
	FadeOutAndPark Order = iota // fade the torque out, park the platform and end the command
	EmergencyStop               // emergency stop by software: no torque; the platform does what motion.stop_action says
	ClearFault                  // confirms that a fault or stop is over
	Pause                       // fade torque and motion out and freeze the car
	Resume                      // end the pause
)

// Errors of a command that the operator ended before it had finished.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrStopped     = errors.New("stopped by the operator (rig stop or SIGUSR2)")
)

// Cause returns why ctx ended: its cause, or ErrInterrupted if it has none.
func Cause(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != context.Canceled {
		return cause
	}
	return ErrInterrupted
}

// Contexts returns two contexts for a command that moves a device without a drive. FadeOutAndPark cancels
// ctx with the cause ErrInterrupted. EmergencyStop cancels ctx and stopCtx with the cause ErrStopped, even after
// FadeOutAndPark; the command must then set the torque to 0 and stop the platform. ClearFault does nothing,
// because such a command does not continue after a stop. The function cancel cancels both contexts
// and must be called once.
func Contexts(orders <-chan Order) (ctx, stopCtx context.Context, cancel func()) {
	stopCtx, stop := context.WithCancelCause(context.Background())
	ctx, interrupt := context.WithCancelCause(stopCtx)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case o := <-orders:
				switch o {
				case FadeOutAndPark:
					interrupt(ErrInterrupted)
				case EmergencyStop:
					stop(ErrStopped)
				}
			case <-ended:
				return
			}
		}
	}()
	return ctx, stopCtx, func() { close(ended); stop(context.Canceled); interrupt(nil) }
}
