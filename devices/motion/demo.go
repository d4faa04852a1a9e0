package motion

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// Demo is the platform of a demo: a Virtual whose time is counted by the loop's ticks. Each Tick hands
// what the loop wants of the platform in that tick to the thread of Run, which lets a millisecond pass
// for each: a thread that comes late is late by the clock only, and leaves no gap in the platform's
// time. Once its context has ended, Run lets time pass until the platform is parked.
//
// Push, Halt, Interlock, Tick and Status may be called from the loop: they neither wait nor allocate.
type Demo struct {
	v       *Virtual // of the goroutine of Run
	next    demoTick // of the loop
	ticks   [demoTicks]demoTick
	put     atomic.Uint64 // ticks that were handed over
	passed  atomic.Uint64 // ticks that have passed for the platform
	delayed atomic.Uint64 // ticks of the loop for which there was no room: the platform's time waited
	homed   atomic.Uint64 // ticks that have passed once the newest order to home is given
}

// demoTicks is how many ticks the platform may be behind the loop before its time waits: 8 s.
const demoTicks = 8192

// demoTick is what the loop wants of the platform in one tick.
type demoTick struct {
	target        wire.Legs
	hasTarget     bool
	halt, home    bool
	interlockOpen bool
}

// NewDemo returns a platform that v simulates. Nobody else may use v afterwards.
func NewDemo(v *Virtual) *Demo {
	v.p.pause = v.p.pauseByClock
	return &Demo{v: v}
}

// Push makes l the target of this tick.
func (d *Demo) Push(l wire.Legs) { d.next.target, d.next.hasTarget = l, true }

// Halt stops the platform in this tick, until Home or Park.
func (d *Demo) Halt() { d.next.halt = true }

// OrderHome orders the platform to its center in this tick, and reports whether no interlock is open.
func (d *Demo) OrderHome() bool {
	if d.next.home = !d.next.interlockOpen; d.next.home {
		d.homed.Store(d.put.Load() + 1)
	}
	return d.next.home
}

// Interlock must be called with whether a seat belt, a door or a dead-man switch is open in this tick.
func (d *Demo) Interlock(open bool) { d.next.interlockOpen = open }

// Tick lets the platform's time pass by a millisecond, as soon as the thread of Run comes to it.
func (d *Demo) Tick() {
	n := d.put.Load()
	if n-d.passed.Load() >= demoTicks {
		d.delayed.Add(1)
		return // with what it has of this tick, so that no halt is lost
	}
	d.ticks[n%demoTicks] = d.next
	d.put.Store(n + 1)
	d.next.hasTarget, d.next.halt, d.next.home = false, false, false
}

// Run operates the platform until ctx ends or Close is called, and then parks it. It must be called once.
func (d *Demo) Run(ctx context.Context) error {
	ctx, end, err := d.v.p.runner.Begin(ctx)
	if err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	defer end()
	wake := time.NewTicker(d.v.p.cfg.period())
	defer wake.Stop()
	d.v.logAssumedStart()
	for ctx.Err() == nil {
		d.catchUp()
		select {
		case <-ctx.Done():
		case <-wake.C:
		}
	}
	d.catchUp()
	if n := d.delayed.Load(); n > 0 {
		d.v.p.log.Warn(fmt.Sprintf("the simulated platform got too little processor time: its time waited for %d ticks", n))
	}
	d.v.Leave()
	for !d.v.Left() {
		err = d.v.Step(virtualTick)
	}
	return err
}

// catchUp lets all ticks pass that were handed over.
func (d *Demo) catchUp() {
	for n := d.passed.Load(); n < d.put.Load(); n++ {
		t := &d.ticks[n%demoTicks]
		d.v.Interlock(t.interlockOpen)
		if t.home {
			d.v.OrderHome()
		}
		if t.halt {
			d.v.Halt()
		}
		if t.hasTarget {
			d.v.Push(t.target)
		}
		_ = d.v.Step(virtualTick) // the status has the error, and the log
		d.passed.Store(n + 1)
	}
}

// Park is Platform's Park, after what the loop wanted until now.
func (d *Demo) Park(ctx context.Context) error {
	for until := d.put.Load(); d.passed.Load() < until; {
		if err := d.v.p.pause(ctx); err != nil {
			return fmt.Errorf("motion: park: %w", err)
		}
	}
	return d.v.p.Park(ctx)
}

// Status returns the status of the newest tick that has passed. An order to home counts before its tick has.
func (d *Demo) Status() Status {
	homing := d.passed.Load() < d.homed.Load() // read first: the tick may pass now
	s := d.v.Status()
	if homing {
		s.setOrderedHome()
	}
	return s
}

// Latency returns how long targets took, from Push to the last byte on the wire, by the platform's time.
func (d *Demo) Latency() LatencyStats { return d.v.Latency() }

// ParkTime returns the longest time that parking takes.
func (d *Demo) ParkTime() time.Duration { return d.v.ParkTime() }

// ReadyTime returns the longest time until the platform follows targets.
func (d *Demo) ReadyTime() time.Duration { return d.v.ReadyTime() }

// Close makes Run park the platform and return, and waits for it.
func (d *Demo) Close() { d.v.p.Close() }
