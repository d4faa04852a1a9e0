// Package levers reads shifters, and pedals and handbrakes on input nodes of their own.
//
// The configuration, which names nodes, buttons and axes, and the calibration go in. In each tick the gear
// or the pull of a shifter comes out, and the positions of the axes, 0 released to 1 fully pressed. Nodes
// may come and go: a lost shifter is in neutral, and a lost axis is released and marked as not valid. The
// package never waits in the loop, and decides nothing about the car.
package levers

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/humanmotion"
)

// Sample is the state of the gear levers.
type Sample struct {
	HPattern  bool // there is an H-pattern shifter, so Gear is valid
	Gear      int8 // -1 reverse, 0 neutral, 1 and above forward; 0 while the shifter is missing
	ShiftUp   bool // a sequential lever is pulled up
	ShiftDown bool // a sequential lever is pulled down
}

// Set is the shifter, with the pedals and levers on nodes of their own.
//
// Run keeps their nodes open. Read belongs to the loop thread: it never waits, locks or allocates. All
// other methods may be called from any goroutine.
type Set struct {
	store         calib.Store
	nodes         []*node
	shifter       *node // nil if there is none
	hPattern      hPattern
	sequential    sequential
	slots         []slot  // of the H-pattern shifter
	reverseHold   uint16  // button that selects reverse while a slot is entered; noButton if there is none
	reverseSlots  slotSet // slots in which reverseHold selects reverse
	up, down      uint16  // buttons of the sequential shifter
	hasHPattern   bool
	debounceTicks int // time in which contacts may bounce [ticks]
	axes          []leverAxis
	readAt        time.Duration // time of the last Read
	doubts        atomic.Uint32 // axis.Doubts of the last Read
}

// noButton is a code that no button has.
const noButton uint16 = 0xffff

// slot is a slot of an H-pattern shifter and its button.
type slot struct {
	code uint16
	bit  slotSet
}

// leverAxis is one axis on a node of its own. All from ends on belongs to the loop. For throttle+brake, combined replaces ends, and
// axes, shape and limiter have an element for each of the two.
type leverAxis struct {
	extra    ExtraAxis
	config   axis.Config // for throttle+brake that of the throttle
	node     *node
	code     uint16
	axes     []int // what it moves
	ends     calib.Axis
	isKnown  bool // the configuration or a calibration says where it rests
	combined combinedAxis
	rest     axis.Rest
	shape    [2]axis.Shape
	limiter  [2]humanmotion.Axis
}

// New returns levers that are absent until Run finds them. cfg and shapes must be valid; tick is the time
// between two Reads [s].
func New(cfg Config, shapes axis.Shapes, store calib.Store, tick float64, log *slog.Logger) (*Set, error) {
	l := &Set{store: store, reverseHold: noButton, debounceTicks: int(math.Round(cfg.Shifter.Debounce / tick))}
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

// addShifter adds the configured shifter, if there is one.
func (l *Set) addShifter(cfg Shifter, log *slog.Logger) (err error) {
	if cfg.Kind == "" {
		return nil
	}
	if l.shifter, err = l.nodeFor(cfg.Device, log); err != nil {
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
	l.hasHPattern = true
	for i, name := range cfg.Gears {
		l.slots = append(l.slots, slot{codes[name], reverseSlot << (i + 1)})
	}
	if cfg.Reverse != "" {
		l.slots = append(l.slots, slot{codes[cfg.Reverse], reverseSlot})
	}
	if cfg.ReverseHold != "" {
		l.reverseHold, l.reverseSlots = codes[cfg.ReverseHold], slotsOfGears(cfg.ReverseGears)
	}
	return nil
}

// slotsOfGears returns the slots of the given gears, or of all gears if none are given.
func slotsOfGears(gears []int) (g slotSet) {
	for _, n := range gears {
		g |= reverseSlot << n
	}
	if g == 0 {
		return ^reverseSlot
	}
	return g
}

// addExtra adds a pedal or lever on a node of its own.
func (l *Set) addExtra(e ExtraAxis, shapes axis.Shapes, tick float64, log *slog.Logger) error {
	code, err := evdev.AbsCode(e.Code)
	if err != nil {
		return err
	}
	st, err := l.nodeFor(e.Device, log)
	if err != nil {
		return err
	}
	st.axes = append(st.axes, code)
	a := leverAxis{extra: e, node: st, code: code, config: shapes.Throttle}
	if i := e.pedal(); i >= 0 {
		a.config = shapes.All()[i]
		a.shape[0] = axis.NewShape(a.config, tick)
	} else {
		a.shape = [2]axis.Shape{axis.NewShape(shapes.Throttle, tick), axis.NewShape(shapes.Brake, tick)}
	}
	for _, name := range e.Names() {
		a.axes = append(a.axes, axis.Index(name))
	}
	l.axes = append(l.axes, a)
	return nil
}

// nodeFor returns the node for a selector, and adds it if there is none yet.
func (l *Set) nodeFor(selector string, log *slog.Logger) (*node, error) {
	for _, s := range l.nodes {
		if s.selector == selector {
			return s, nil
		}
	}
	s, err := newNode(selector, l.store, log)
	if err == nil {
		l.nodes = append(l.nodes, s)
	}
	return s, err
}

// Run opens all nodes, and opens them again after an unplug, until ctx ends.
func (l *Set) Run(ctx context.Context) error {
	var all sync.WaitGroup
	errs := make([]error, len(l.nodes))
	for i, s := range l.nodes {
		all.Go(func() { errs[i] = s.keepOpen(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Close frees the resources of Run. It must be called after Run has ended.
func (l *Set) Close() error {
	var errs []error
	for _, s := range l.nodes {
		errs = append(errs, s.waker.Close())
	}
	return errors.Join(errs...)
}

// Doubts returns the axes that do not count yet because they were not seen at rest.
func (l *Set) Doubts() axis.Doubts { return axis.Doubts(l.doubts.Load()) }

// Problems returns, for each node that is missing, the reason and the remedy.
func (l *Set) Problems() []string {
	var list []string
	for _, s := range l.nodes {
		s.mu.Lock()
		if s.problem != "" {
			list = append(list, s.problem)
		}
		s.mu.Unlock()
	}
	return list
}
