package rig

import (
	"math"
	"net"
	"strings"
	"sync"
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// ordering is a rig that drives, with a connection of each kind and a memory of what it was told.
type ordering struct {
	*Rig
	t     *testing.T
	lines map[guard.Origin]net.Conn

	stopped bool // the newest stop has not been confirmed since
	seen    bool // a tick has seen it
}

func newOrdering(t *testing.T) *ordering {
	o := &ordering{Rig: withPage(t, demo(t)), t: t}
	run(t, o.Rig, 4000)
	return o
}

// connect opens new connections, for an old one has a rate, and returns a function that closes them.
func (o *ordering) connect() (end func()) {
	o.lines = map[guard.Origin]net.Conn{}
	var serving sync.WaitGroup
	for by, serve := range map[guard.Origin]func(net.Conn){
		guard.ByCommand: o.Rig.orders.ServeCommand, guard.ByPage: o.Rig.orders.ServeWebPage, guard.ByRaceControl: o.Rig.orders.ServeRaceControl,
	} {
		near, far := net.Pipe()
		serving.Go(func() { serve(far) })
		o.lines[by] = near
	}
	return func() {
		for _, line := range o.lines {
			line.Close()
		}
		serving.Wait()
	}
}

// send writes lines in one go, and waits for all answers.
func (o *ordering) send(by guard.Origin, lines string) {
	o.t.Helper()
	go func() { _, _ = o.lines[by].Write([]byte(lines)) }()
	answers := make([]byte, 512)
	for got := 0; got < strings.Count(lines, "\n"); {
		n, err := o.lines[by].Read(answers)
		if err != nil {
			o.t.Fatal(err)
		}
		got += strings.Count(string(answers[:n]), "\n")
	}
}

func (o *ordering) stops() { o.stopped, o.seen = true, false }

// confirms is told after each confirmation. It counts only if a tick has seen the stop.
func (o *ordering) confirms() { o.stopped = o.stopped && !o.seen }

// tick drives by a tick, and fails if a stop without a confirmation lets anything pass.
func (o *ordering) tick() {
	o.t.Helper()
	run(o.t, o.Rig, 1)
	o.seen = true
	if o.stopped && (o.out.State != guard.Stopped || o.out.Torque != 0 || o.out.Platform.Push || o.out.Platform.Home) {
		o.t.Fatalf("%v with %g N·m, platform %+v: the newest stop was not confirmed", o.out.State, o.out.Torque, o.out.Platform)
	}
}

// press holds a key for a tick.
func (o *ordering) press(key uint64) {
	o.page.SetKeys(key)
	o.tick()
	o.page.SetKeys(0)
	o.tick()
}

// events are what an operator, a program or another machine can do.
var events = map[string]func(o *ordering){
	"tick":                  (*ordering).tick,
	"rig stop":              func(o *ordering) { o.send(guard.ByCommand, "stop\n"); o.stops() },
	"rig confirm":           func(o *ordering) { o.send(guard.ByCommand, "confirm\n"); o.confirms() },
	"confirm, stop at once": func(o *ordering) { o.send(guard.ByCommand, "confirm\nstop\n"); o.stops() },
	"stop, confirm at once": func(o *ordering) { o.send(guard.ByCommand, "stop\nconfirm\n"); o.stops() },
	"stop by the page":      func(o *ordering) { o.send(guard.ByPage, "stop\n"); o.stops() },
	"stop by race control":  func(o *ordering) { o.send(guard.ByRaceControl, "stop\n"); o.stops() },
	"pause by race control": func(o *ordering) { o.send(guard.ByRaceControl, "pause\n") },
	"rig pause --off":       func(o *ordering) { o.send(guard.ByCommand, "resume\n") },
	"SIGUSR2":               func(o *ordering) { o.orders.Give(operator.EmergencyStop, guard.BySignal); o.stops() },
	"SIGUSR1":               func(o *ordering) { o.orders.Give(operator.ClearFault, guard.BySignal); o.confirms() },
	"Space":                 func(o *ordering) { o.stops(); o.press(frame.KeyStop) },
	"Enter":                 func(o *ordering) { o.confirms(); o.press(frame.KeyClear) },
	"NaN":                   func(o *ordering) { o.drive.State.Car.Speed = math.NaN() },
}

// However stops, confirmations, pauses and faults follow each other, from whatever source and however close together,
// nothing leads from a stop to torque or motion without a confirmation that came after it. One that did lifts it,
// from any source.
func TestNoOrderOfEventsLosesAStop(t *testing.T) {
	o := newOrdering(t)
	driving := o.drive.State
	var walk func(trail []string, left int)
	walk = func(trail []string, left int) {
		if left == 0 {
			o.play(driving, trail)
			return
		}
		for name := range events {
			walk(append(trail, name), left-1)
		}
	}
	walk(nil, level.Pick(2, 3, 4))
}

// play lets events happen from a state on, and then confirms.
func (o *ordering) play(from drive.State, trail []string) {
	o.t.Helper()
	o.orders = operator.Pending{}
	o.orders.Start()
	o.drive.State, o.stopped = from, false
	defer o.connect()()
	defer func() {
		if o.t.Failed() {
			o.t.Log(trail)
		}
	}()
	for _, name := range trail {
		events[name](o)
	}
	for range 3 {
		o.tick()
	}
	for range 2 { // a stop, and a fault behind it
		o.send(guard.ByCommand, "resume\nconfirm\n")
		o.confirms()
		for range 3 {
			o.tick()
		}
	}
	if s := o.out.State; s == guard.Stopped || s == guard.Fault {
		o.t.Fatalf("%v after a confirmation", s)
	}
}
