// Package levers reads shifters, and pedals and handbrakes on input nodes of their own.
//
// In go the configuration, which names nodes, buttons and axes, and what was calibrated; out
// come each tick the gear or the pull of a shifter and the positions of the axes, 0 released to
// 1 fully pressed. Nodes may come and go: a lost shifter is in neutral, a lost axis is released
// and said to be lost. The package never waits in the loop, and decides nothing about the car.
package levers

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/plausible"
)

// Sample is what the driver does with gear levers.
type Sample struct {
	Gate      bool // there is an H-pattern shifter, and Gear counts
	Gear      int8 // -1 reverse, 0 neutral, 1 and up forward; 0 while the shifter is away
	ShiftUp   bool // a sequential lever is pulled
	ShiftDown bool
}

// Set is the shifter, and pedals and levers on nodes of their own.
//
// Run keeps their nodes open. Cover belongs to the loop thread: it never waits, locks or
// allocates. All other methods may be called from anywhere.
type Set struct {
	store    calib.Store
	stations []*station
	shifter  *station // nil if there is none
	gates    hPattern
	lever    sequential
	slots    []slot // h
	hold     uint16 // h: makes reverse; noKey if there is no such button
	holding  gate   // h: of these slots
	up, down uint16 // sequential
	isGate   bool
	settle   int // ticks
	axes     []input
	polled   time.Duration // time of the last cover
}

// noKey is a code that no button has.
const noKey uint16 = 0xffff

// slot is a button and what it stands for.
type slot struct {
	code uint16
	bit  gate
}

// input is one axis on a node of its own. pedal and both belong to the loop.
type input struct {
	cfg   Extra
	turn  axis.Config   // for throttle+brake the throttle's
	shape [2]axis.Shape // throttle+brake has two
	at    *station
	code  uint16
	pedal axis.Measured
	both  combined
	bound [2]plausible.Axis // as shape
}

// New returns levers that are absent until Run finds them. cfg and
// shapes must be valid; tick is the time of the loop [s].
func New(cfg Config, shapes axis.Shapes, store calib.Store, tick float64, log *slog.Logger) (*Set, error) {
	l := &Set{store: store, hold: noKey, settle: int(math.Round(cfg.Shifter.Debounce / tick))}
	if err := l.addShifter(cfg.Shifter, log); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	for _, e := range cfg.Extra {
		if err := l.addExtra(e, shapes, tick, log); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

func (l *Set) addShifter(cfg Shifter, log *slog.Logger) (err error) {
	if cfg.Kind == "" {
		return nil
	}
	if l.shifter, err = l.station(cfg.Device, log); err != nil {
		return err
	}
	codes := map[string]uint16{}
	for _, name := range cfg.keys() {
		if codes[name], err = evdev.KeyCode(name); err != nil {
			return err
		}
		l.shifter.keys = append(l.shifter.keys, codes[name])
	}
	if cfg.Kind == kindSequential {
		l.up, l.down = codes[cfg.Up], codes[cfg.Down]
		return nil
	}
	l.isGate = true
	for i, name := range cfg.Gears {
		l.slots = append(l.slots, slot{codes[name], reverseSlot << (i + 1)})
	}
	if cfg.Reverse != "" {
		l.slots = append(l.slots, slot{codes[cfg.Reverse], reverseSlot})
	}
	if cfg.ReverseHold != "" {
		l.hold, l.holding = codes[cfg.ReverseHold], holdingSlots(cfg.ReverseGears)
	}
	return nil
}

// holdingSlots returns the slots of gears, all if there are none.
func holdingSlots(gears []int) (g gate) {
	for _, n := range gears {
		g |= reverseSlot << n
	}
	if g == 0 {
		return ^reverseSlot
	}
	return g
}

func (l *Set) addExtra(e Extra, shapes axis.Shapes, tick float64, log *slog.Logger) error {
	code, err := evdev.AbsCode(e.Code)
	if err != nil {
		return err
	}
	st, err := l.station(e.Device, log)
	if err != nil {
		return err
	}
	st.axes = append(st.axes, code)
	a := input{cfg: e, at: st, code: code, turn: shapes.Throttle}
	if i := e.pedal(); i >= 0 {
		a.turn = shapes.All()[i]
		a.shape[0] = axis.NewShape(a.turn, tick)
	} else {
		a.shape = [2]axis.Shape{axis.NewShape(shapes.Throttle, tick), axis.NewShape(shapes.Brake, tick)}
	}
	l.axes = append(l.axes, a)
	return nil
}

// station returns the node that selector means, one for all that name it alike.
func (l *Set) station(selector string, log *slog.Logger) (*station, error) {
	for _, s := range l.stations {
		if s.selector == selector {
			return s, nil
		}
	}
	s, err := newStation(selector, l.store, log)
	if err == nil {
		l.stations = append(l.stations, s)
	}
	return s, err
}

// Run keeps all nodes open, and opens those again that come back, until ctx ends.
func (l *Set) Run(ctx context.Context) error {
	var all sync.WaitGroup
	errs := make([]error, len(l.stations))
	for i, s := range l.stations {
		all.Go(func() { errs[i] = s.run(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Close frees what Run needs. Call it after Run has ended.
func (l *Set) Close() error {
	var errs []error
	for _, s := range l.stations {
		errs = append(errs, s.bell.Close())
	}
	return errors.Join(errs...)
}

// Problems tells which nodes are not there, and why.
func (l *Set) Problems() []string {
	var list []string
	for _, s := range l.stations {
		s.mu.Lock()
		if s.problem != "" {
			list = append(list, s.problem)
		}
		s.mu.Unlock()
	}
	return list
}
