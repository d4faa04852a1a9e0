package wheel

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
)

// Controls reads the buttons of the wheel and of all devices that Buttons names.
//
// Run keeps the devices open. Poll belongs to the loop thread: it never waits, locks or allocates. All
// other methods may be called from any goroutine.
type Controls struct {
	buttons Buttons
	wheel   string // as in Config.Device
	log     *slog.Logger
	current atomic.Pointer[openDevices]
	polled  *openDevices // belongs to the loop

	returning evdev.Returning // belongs to Run

	mu    sync.Mutex
	notes []string
}

// openDevices is the set of open devices, until a device is plugged in or unplugged. actions and
// nextEvent belong to the loop.
type openDevices struct {
	infos     []evdev.Info   // the wheel first, with an empty path if there is none
	inputs    []*evdev.Input // nil for a device that could not be opened
	nextEvent []uint64       // for each input, the position of the next event to read
	actions   *ActionMap
	bound     []Actions // for each device, the actions of its controls
}

// NewControls returns controls without devices; Run opens them. b must be valid; device selects the
// wheel, as Config.Device does.
func NewControls(b Buttons, device string, log *slog.Logger) *Controls {
	return &Controls{buttons: b, wheel: device, log: log}
}

// Run opens the devices, and opens them again after an unplug, until ctx ends.
func (c *Controls) Run(ctx context.Context) error {
	changes, err := evdev.Watch(ctx)
	if err != nil {
		return fmt.Errorf("buttons: %w", err)
	}
	defer func() { c.current.Swap(nil).release() }()
	for retries := lateForceTries; ctx.Err() == nil; {
		if err := c.refreshWithin(ctx); err != nil {
			return fmt.Errorf("buttons: %w", err)
		}
		c.waitForChange(ctx, changes, &retries)
	}
	return nil
}

// waitForChange waits until devices may have changed. A device that another program grabs or releases is
// not announced by the system, so that is checked every grabCheckInterval. retries is the number of
// further searches for a wheel whose force feedback is not known yet.
func (c *Controls) waitForChange(ctx context.Context, changes <-chan struct{}, retries *int) {
	ticker := time.NewTicker(grabCheckInterval)
	defer ticker.Stop()
	var retry <-chan time.Time
	if *retries > 0 && c.current.Load().infos[0].Path == "" {
		retry = time.After(lateForceWait)
	}
	for {
		select {
		case <-ctx.Done():
		case <-retry:
			*retries--
		case <-changes:
			*retries = lateForceTries
			lifecycle.Settle(ctx)
		case <-ticker.C:
			if c.current.Load().allAlive() {
				continue
			}
		}
		return
	}
}

// A wheel that is not in modelTable is recognized by its force feedback, which its driver adds a moment
// after the node, without any announcement. So the search is repeated.
const (
	lateForceWait  = 250 * time.Millisecond
	lateForceTries = 8
)

// grabCheckInterval is the time between two checks whether all devices can be read.
const grabCheckInterval = 2 * time.Second

// refreshWithin calls refresh, and abandons the call if it still hangs in a driver when ctx ends.
func (c *Controls) refreshWithin(ctx context.Context) error {
	result := lifecycle.ErrHung
	var err error
	if lifecycle.CallOrAbandon(ctx, func() { err = c.refresh() }, func() { c.current.Swap(nil).release() }) {
		result = err
	}
	return result
}

// refresh opens the devices that are plugged in, unless exactly these are open already.
func (c *Controls) refresh() error {
	list, err := evdev.List()
	if err != nil {
		return err
	}
	infos := c.devices(list)
	was := c.current.Load()
	if was.matches(infos) {
		return nil
	}
	h := &openDevices{infos: infos, inputs: make([]*evdev.Input, len(infos)), nextEvent: make([]uint64, len(infos))}
	var notes []string
	h.actions, notes = c.buttons.Bind(infos)
	h.bound = h.actions.boundOn(len(infos))
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
	c.setNotes(notes)
	return nil
}

// Devices returns the devices that b needs: first the wheel that the selector device means, with an empty
// path if there is none, and then all devices that b names.
func (b Buttons) Devices(list []evdev.Info, device string) []evdev.Info {
	first, _ := Choose(list, device)
	return b.devicesBeside(first, list)
}

// devices returns what Devices does, but a wheel that was unplugged is replaced by none: nobody else's buttons start a drive.
// A wheel that has no force yet may not be the one that the driver uses in the end.
func (c *Controls) devices(list []evdev.Info) []evdev.Info {
	first, err := chooseReturning(&c.returning, list, c.wheel)
	if err == nil && first.HasForce() {
		c.returning.Use(first)
	}
	return c.buttons.devicesBeside(first, list)
}

// devicesBeside returns the wheel and all other devices that b names.
func (b Buttons) devicesBeside(first evdev.Info, list []evdev.Info) []evdev.Info {
	infos := []evdev.Info{first}
	for _, info := range list {
		if info.Err == nil && info.Path != first.Path && slices.ContainsFunc(b.selectors(), info.Matches) {
			infos = append(infos, info)
		}
	}
	return infos
}

// selectors returns the selectors of all devices that b names.
func (b Buttons) selectors() (list []string) {
	for _, text := range b.inOrder() {
		controls, _ := parseControls(text) // Validate has reported errors
		for _, c := range controls {
			if c.device != "" {
				list = append(list, c.device)
			}
		}
	}
	return list
}

// matches reports whether exactly these devices are open and can be read.
func (h *openDevices) matches(infos []evdev.Info) bool {
	same := func(a, b evdev.Info) bool {
		return a.Path == b.Path && a.Vendor == b.Vendor && a.Product == b.Product && a.Phys == b.Phys
	}
	if h == nil || !slices.EqualFunc(h.infos, infos, same) {
		return false
	}
	return h.allAlive()
}

// allAlive reports whether all devices are open and can be read.
func (h *openDevices) allAlive() bool {
	for i, in := range h.inputs {
		if h.infos[i].Path != "" && (in == nil || !in.Alive()) {
			return false
		}
	}
	return true
}

func (h *openDevices) release() {
	if h == nil {
		return
	}
	for _, in := range h.inputs {
		if in != nil {
			in.Release()
		}
	}
}

// setNotes stores the notes and logs the new ones.
func (c *Controls) setNotes(notes []string) {
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

// Poll returns the changes of the actions since the last Poll.
func (c *Controls) Poll() Edges {
	h := c.current.Load()
	if h != c.polled {
		c.polled = h
		h.start()
	}
	if h == nil {
		return Edges{}
	}
	for i, in := range h.inputs {
		if in == nil {
			continue
		}
		if in.Update() != nil {
			h.actions.Release(i) // at every Poll, so that no control stays held
			continue
		}
		h.readEvents(i, in)
	}
	return h.actions.Take()
}

// Readable returns the actions that have a control on a device that can be read now: one that is plugged in, and that no other
// program has grabbed. The loop may call it.
func (c *Controls) Readable() (set Actions) {
	h := c.current.Load()
	if h == nil {
		return 0
	}
	for i, in := range h.inputs {
		if in != nil && in.Alive() {
			set |= h.bound[i]
		}
	}
	return set
}

// start reads the present state of the devices.
func (h *openDevices) start() {
	if h == nil {
		return
	}
	for i, in := range h.inputs {
		if in != nil {
			h.actions.Attach(i, in)
			h.nextEvent[i] = in.EventEnd()
		}
	}
}

// readEvents processes the events of device i since the last call.
func (h *openDevices) readEvents(i int, in *evdev.Input) {
	for {
		ev, lost := in.NextEvent(&h.nextEvent[i])
		switch {
		case lost:
			h.actions.Resync(i, in)
		case ev == nil:
			return
		default:
			h.actions.Event(i, ev)
		}
	}
}
