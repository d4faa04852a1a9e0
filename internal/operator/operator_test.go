package operator_test

import (
	"context"
	"fmt"
	"testing"

	"rig.example/rig/internal/operator"
)

// A release ends what is done; a stop after it still ends the torque.
func ExampleObey() {
	orders := make(chan operator.Order)
	ctx, stopped, cancel := operator.Obey(orders)
	defer cancel()
	orders <- operator.Release
	<-ctx.Done()
	fmt.Println(operator.EndedBy(ctx), stopped.Err())
	orders <- operator.Stop
	<-stopped.Done()
	fmt.Println(operator.EndedBy(stopped))
	// Output:
	// interrupted <nil>
	// stopped by the operator (SIGUSR2)
}

func TestAConfirmationEndsNothing(t *testing.T) {
	orders := make(chan operator.Order)
	ctx, stopped, cancel := operator.Obey(orders)
	orders <- operator.Clear
	orders <- operator.Clear // the first one was taken
	if ctx.Err() != nil || stopped.Err() != nil {
		t.Errorf("%v, %v", ctx.Err(), stopped.Err())
	}
	if cancel(); ctx.Err() == nil || stopped.Err() == nil {
		t.Error("not over")
	}
}

// A context that its own command ended with a cause keeps that.
func TestACauseOfItsOwnIsKept(t *testing.T) {
	ctx, end := context.WithCancelCause(context.Background())
	why := fmt.Errorf("a door")
	if end(why); operator.EndedBy(ctx) != why {
		t.Errorf("%v", operator.EndedBy(ctx))
	}
}
