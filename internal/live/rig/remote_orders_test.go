package rig

import (
	"math"
	"net"
	"strings"
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
)

// orderer returns a function that gives orders to what serves the other end of a connection.
func orderer(t *testing.T, serve func(net.Conn)) func(operator.Message) error {
	near, far := net.Pipe()
	ended := make(chan struct{})
	go func() { serve(far); close(ended) }()
	t.Cleanup(func() { near.Close(); <-ended })
	return func(m operator.Message) error { return operator.Send(near, m) }
}

// The web page can stop the rig and lower gains and limits, and nothing else.
func TestTheWebPageOnlyStopsAndTunes(t *testing.T) {
	r := demo(t)
	run(t, r, 4000)
	give := orderer(t, r.orders.ServeWebPage)
	for _, order := range []operator.Order{operator.ClearFault, operator.Pause, operator.Resume, operator.FadeOutAndPark} {
		if err := give(operator.Message{Order: order}); err == nil {
			t.Errorf("order %v was taken", order)
		}
	}
	if in := ordersOf(r); in != (drive.Operator{Start: true}) {
		t.Errorf("an order was passed on: %+v", in)
	}
	if err := give(operator.Message{Factor: "gain", Share: 0.5}); err == nil || !strings.Contains(err.Error(), "unknown gain") {
		t.Errorf("an unknown factor: %v", err)
	}
	for _, name := range drive.FactorNames() {
		if err := give(operator.Message{Factor: name, Share: 0.5}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := give(operator.Message{Factor: name, Share: 0.5}); err == nil {
			t.Errorf("%s: a second order was taken before a tick took the first", name)
		}
		run(t, r, 1)
	}
	run(t, r, 1500)
	if got := r.drive.State.Tuning().Sway; got != 0.5 {
		t.Errorf("sway %g", got)
	}
	if got := r.drive.State.Rim.Force.EffectsShare(); math.Abs(got-0.5) > 1e-6 {
		t.Errorf("effects %g", got)
	}
	if err := give(operator.Message{Order: operator.EmergencyStop}); err != nil {
		t.Error(err)
	}
	run(t, r, 2)
	if s := r.drive.State.Guard.State(); s != guard.Stopped {
		t.Errorf("state %v after a stop", s)
	}
}

// ordersOf takes the orders that wait for the next tick.
func ordersOf(r *Rig) (in drive.Operator) {
	r.orders.Take(&in)
	return in
}

// A command of this machine gives every order of the operator, and a changed factor, to the next tick. However many
// orders were given before, none waits for room.
func TestALocalCommandGivesTheOperatorsOrders(t *testing.T) {
	r := demo(t)
	give := orderer(t, r.orders.ServeCommand)
	for range 15 {
		for _, order := range []operator.Order{operator.ClearFault, operator.Pause, operator.Resume} {
			if err := give(operator.Message{Order: order}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := give(operator.Message{Order: operator.EmergencyStop}); err != nil {
		t.Errorf("a stop: %v", err)
	}
	if err := give(operator.Message{Factor: "limit_speed", Share: 0.5}); err != nil {
		t.Errorf("a factor: %v", err)
	}
	want := drive.Operator{
		Start: true, Stops: 1, StopBy: guard.ByCommand, ConfirmBy: guard.ByCommand, PauseBy: guard.ByCommand, ResumeBy: guard.ByCommand,
		Tune: drive.Tune{Factor: drive.LimitSpeed, Share: 0.5},
	}
	if got := ordersOf(r); got != want {
		t.Errorf("orders %+v, want %+v", got, want)
	}
	if got := ordersOf(r); got.ConfirmBy != guard.Nobody || got.PauseBy != guard.Nobody || got.Stops != 1 {
		t.Errorf("orders of the next tick %+v", got)
	}
}
