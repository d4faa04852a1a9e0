package wheel

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/evdev"
)

// Controls are the buttons of the wheel and of all devices that Buttons names.
//
// Run keeps the devices open. Poll belongs to the loop thread: it never waits,
// locks or allocates. All other methods may be called from anywhere.
type Controls struct {
	buttons Buttons
	wheel   string // as in Config.Device
	log     *slog.Logger
	current atomic.Pointer[hearing]
	now     *hearing // belongs to the loop

	mu    sync.Mutex
	notes []string
}

// hearing is the devices that are heard, from one plug or unplug to the next.
// The map and the places belong to the loop.
type hearing struct {
	infos  []evdev.Info   // the wheel first, without a path if there is none
	inputs []*evdev.Input // nil where a device could not be opened, or is gone
	at     []uint64       // the next event of each
	does   *Map
}

// NewControls returns controls that nobody hears until Run finds their devices.
// b must be valid; device says which wheel is meant, as in Config.Device.
func NewControls(b Buttons, device string, log *slog.Logger) *Controls {
	return &Controls{buttons: b, wheel: device, log: log}
}

// Run keeps the devices open, and opens those again that come back, until ctx ends.
func (c *Controls) Run(ctx context.Context) error {
	changes, err := evdev.Watch(ctx)
	if err != nil {
		return fmt.Errorf("buttons: %w", err)
	}
	defer func() { c.current.Swap(nil).release() }()
	for looks := lateLooks; ctx.Err() == nil; {
		if err := c.lookWithin(ctx); err != nil {
			return fmt.Errorf("buttons: %w", err)
		}
		c.rest(ctx, changes, &looks)
	}
	return nil
}

// rest waits until devices may have changed: what another program grabs, or lets go of, is not
// announced.
func (c *Controls) rest(ctx context.Context, changes <-chan struct{}, looks *int) {
	again := time.NewTicker(grabAfter)
	defer again.Stop()
	var late <-chan time.Time
	if *looks > 0 && c.current.Load().infos[0].Path == "" {
		late = time.After(lateAfter)
	}
	for {
		select {
		case <-ctx.Done():
		case <-late:
			*looks--
		case <-changes:
			*looks = lateLooks
			evdev.Settle(ctx)
		case <-again.C:
			if c.current.Load().whole() {
				continue
			}
		}
		return
	}
}

// A wheel without a name in the table is told from a gamepad by its force, which its
// driver adds a moment after the node, and nothing announces that.
const (
	lateAfter = 250 * time.Millisecond
	lateLooks = 8
)

// grabAfter is how often it is looked whether all devices are heard.
const grabAfter = 2 * time.Second

// lookWithin leaves a look that hangs in a driver behind when ctx ends.
func (c *Controls) lookWithin(ctx context.Context) error {
	result := evdev.ErrStuck
	var err error
	if evdev.Within(ctx, func() { err = c.look() }, func() { c.current.Swap(nil).release() }) {
		result = err
	}
	return result
}

// look opens what is there, unless it is heard already.
func (c *Controls) look() error {
	list, err := evdev.List()
	if err != nil {
		return err
	}
	infos := c.buttons.Heard(list, c.wheel)
	was := c.current.Load()
	if was.hears(infos) {
		return nil
	}
	h := &hearing{infos: infos, inputs: make([]*evdev.Input, len(infos)), at: make([]uint64, len(infos))}
	var notes []string
	h.does, notes = c.buttons.Bind(infos)
	for i, info := range infos {
		if info.Path == "" {
			continue
		}
		if h.inputs[i], err = evdev.Share(info); err != nil {
			notes = append(notes, "buttons: "+err.Error())
		}
	}
	c.current.Store(h)
	was.release()
	c.tell(notes)
	return nil
}

// Heard are the devices that b needs: the wheel that device means, without a
// path if there is none, and all that b names.
func (b Buttons) Heard(list []evdev.Info, device string) []evdev.Info {
	first, err := Choose(list, device)
	if err != nil {
		first = evdev.Info{}
	}
	infos := []evdev.Info{first}
	for _, info := range list {
		if info.Err == nil && info.Path != first.Path && slices.ContainsFunc(b.selectors(), info.Matches) {
			infos = append(infos, info)
		}
	}
	return infos
}

// selectors are the devices that b names.
func (b Buttons) selectors() (list []string) {
	for _, text := range b.texts() {
		controls, _ := parseControls(text) // Validate told of errors
		for _, c := range controls {
			if c.device != "" {
				list = append(list, c.device)
			}
		}
	}
	return list
}

// hears tells whether exactly these devices are open and still plugged in.
func (h *hearing) hears(infos []evdev.Info) bool {
	same := func(a, b evdev.Info) bool {
		return a.Path == b.Path && a.Vendor == b.Vendor && a.Product == b.Product && a.Phys == b.Phys
	}
	if h == nil || !slices.EqualFunc(h.infos, infos, same) {
		return false
	}
	return h.whole()
}

// whole reports whether all devices are open and tell of themselves.
func (h *hearing) whole() bool {
	for i, in := range h.inputs {
		if h.infos[i].Path != "" && (in == nil || !in.Alive()) {
			return false
		}
	}
	return true
}

func (h *hearing) release() {
	if h == nil {
		return
	}
	for _, in := range h.inputs {
		if in != nil {
			in.Release()
		}
	}
}

// tell keeps the notes, and logs what is new.
func (c *Controls) tell(notes []string) {
	c.mu.Lock()
	was := c.notes
	c.notes = notes
	c.mu.Unlock()
	for _, n := range notes {
		if !slices.Contains(was, n) {
			c.log.Warn(n)
		}
	}
}

// Poll returns what the buttons did since the last Poll.
func (c *Controls) Poll() Edges {
	h := c.current.Load()
	if h != c.now {
		c.now = h
		h.begin()
	}
	if h == nil {
		return Edges{}
	}
	for i, in := range h.inputs {
		if in == nil {
			continue
		}
		if in.Update() != nil {
			h.does.Drop(i) // each time: nothing is held then
			continue
		}
		h.hear(i, in)
	}
	return h.does.Take()
}

// begin takes the devices as they are.
func (h *hearing) begin() {
	if h == nil {
		return
	}
	for i, in := range h.inputs {
		if in != nil {
			h.does.Begin(i, in)
			h.at[i] = in.Seen()
		}
	}
}

// hear takes in what device i has told since.
func (h *hearing) hear(i int, in *evdev.Input) {
	for {
		ev, lost := in.Next(&h.at[i])
		switch {
		case lost:
			h.does.Sync(i, in)
		case ev == nil:
			return
		default:
			h.does.Event(i, ev)
		}
	}
}
