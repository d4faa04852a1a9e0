package operator_test

import (
	"context"
	"fmt"
	"testing"

	"rig.example/rig/internal/live/operator"
)

// A release ends what is done; a stop after it still ends the torque.
func ExampleContexts() {
	orders := make(chan operator.Order)
	ctx, stopCtx, cancel := operator.Contexts(orders)
	defer cancel()
	orders <- operator.FadeOutAndPark
	<-ctx.Done()
	fmt.Println(operator.Cause(ctx), stopCtx.Err())
	orders <- operator.EmergencyStop
	<-stopCtx.Done()
	fmt.Println(operator.Cause(stopCtx))
	// Output:
	// interrupted <nil>
	// stopped by the operator (rig stop or SIGUSR2)
}

func TestAConfirmationEndsNothing(t *testing.T) {
	orders := make(chan operator.Order)
	ctx, stopCtx, cancel := operator.Contexts(orders)
	orders <- operator.ClearFault
	orders <- operator.ClearFault // the first one was taken
	if ctx.Err() != nil || stopCtx.Err() != nil {
		t.Errorf("%v, %v", ctx.Err(), stopCtx.Err())
	}
	if cancel(); ctx.Err() == nil || stopCtx.Err() == nil {
		t.Error("not over")
	}
}

// A context that its own command ended with a cause keeps that.
func TestACauseOfItsOwnIsKept(t *testing.T) {
	ctx, end := context.WithCancelCause(context.Background())
	why := fmt.Errorf("a door")
	if end(why); operator.Cause(ctx) != why {
		t.Errorf("%v", operator.Cause(ctx))
	}
}
