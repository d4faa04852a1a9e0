package rig

import (
	"reflect"
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// ticked is one tick of a drive: what went in, and hashes of what came out and of the state after it.
type ticked struct {
	in         drive.Inputs
	flaw       flawAt // that the world planted before it
	out, state uint64
}

// step steps a drive by these inputs, and returns the hashes that come of it.
func (k *ticked) step(d *drive.Drive) (out, state uint64) {
	k.flaw.plant(&d.State.Car)
	out = d.Step(&k.in).Hash()
	return out, d.State.Hash()
}

// kept plays a world to its end and keeps every tick, and a copy of the state from the middle.
func kept(t *testing.T, plan worldPlan, middle int) (all []ticked, copied drive.State) {
	t.Helper()
	s, w := plan.build(t)
	r := s.rig
	for tick := range plan.ticks {
		if tick == middle {
			copied = r.drive.State
		}
		m := w.next(outlook{&r.drive.State.Car, r.drive.State.Guard.State(), r.out.Frame.Flags, r.orders.IsReleased()})
		s.apply(m)
		k := ticked{in: r.sense(), flaw: m.flaw}
		r.in, r.out = k.in, r.drive.Step(&k.in)
		k.out, k.state = r.out.Hash(), r.drive.State.Hash()
		all = append(all, k)
		if r.act(&r.in, r.out); r.out.Done {
			break
		}
	}
	return all, copied
}

// A drive is a function of its inputs: stepped again by those of a minute in a random world, a
// fresh drive hands out the same and leaves the same state in every tick, and so does a copy of
// the state from its middle.
func TestADriveRepeats(t *testing.T) {
	plan := worldPlan{seed: 104, ticks: level.Pick(5000, 60_000, 60_000), car: "gt"}
	middle := plan.ticks / 2
	all, copied := kept(t, plan, middle)
	fresh, _ := plan.build(t)
	again, _ := plan.build(t)
	again.rig.drive.State = copied
	for _, c := range []struct {
		name  string
		drive *drive.Drive
		from  int
	}{{"a fresh drive", fresh.rig.drive, 0}, {"a copy of the state", again.rig.drive, middle}} {
		for tick := c.from; tick < len(all); tick++ {
			k := &all[tick]
			if out, state := k.step(c.drive); out != k.out || state != k.state {
				t.Fatalf("%s in tick %d of %d: outputs equal %v, states equal %v", c.name, tick, len(all), out == k.out, state == k.state)
			}
		}
	}
	if len(all) < plan.ticks*8/10 {
		t.Errorf("only %d of %d ticks", len(all), plan.ticks)
	}
}

// What goes in, what comes out and what lies in between are plain values.
func TestADriveIsMadeOfPlainValues(t *testing.T) {
	var look func(path string, of reflect.Type)
	look = func(path string, of reflect.Type) {
		switch of.Kind() {
		case reflect.Struct:
			for i := range of.NumField() {
				look(path+"."+of.Field(i).Name, of.Field(i).Type)
			}
		case reflect.Array:
			look(path, of.Elem())
		case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float64:
		default:
			t.Errorf("%s is %v", path, of.Kind())
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[drive.Inputs](), reflect.TypeFor[drive.State](), reflect.TypeFor[drive.Outputs]()} {
		t.Logf("%v: %d bytes", of, of.Size())
		look(of.Name(), of)
	}
}

// Tick ends the loop with the drive.
func TestTheLoopEndsWithTheDrive(t *testing.T) {
	r := demo(t)
	r.platform = nil
	run(t, r, 100)
	r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	for range 2000 {
		if err := r.Tick(); err == loop.ErrDone {
			if !r.out.Done {
				t.Error("ended without the drive's word")
			}
			return
		}
	}
	t.Error("never ends")
}
