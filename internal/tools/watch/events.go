package watch

import (
	"context"
	"fmt"
	"sync"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
	"rig.example/rig/internal/kit/printable"
)

// Event is an event of an input device. Its names are those that a configuration uses.
type Event struct {
	Time   float64 `json:"time_s"` // CLOCK_MONOTONIC; 0 for plugged, unplugged and unreadable
	Path   string  `json:"path"`
	Device string  `json:"device"`
	Kind   string  `json:"kind"` // button, hat, axis, lost, plugged, unplugged, unreadable
	Name   string  `json:"name"` // such as BTN_TOP2, hat0-left or ABS_Z; for unreadable the reason
	Value  int32   `json:"value"`
	Range  int64   `json:"range,omitempty"` // of an axis: highest minus lowest value [counts]
	Action string  `json:"does,omitempty"`  // action that the configuration assigns to the button
}

// Events reports every event of every input device until ctx ends. Other programs still receive them.
// Events of a device that another program has grabbed are not reported.
func Events(ctx context.Context, cfg config.Config, report func(Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	changes, err := evdev.Watch(ctx)
	if err != nil {
		cancel()
		return err
	}
	e := &listener{cfg: cfg, events: make(chan Event), opened: map[string]bool{}, unreadable: map[string]string{}}
	var opener sync.WaitGroup
	opener.Go(func() { e.openDevices(ctx, changes) })
	go func() {
		<-ctx.Done()
		opener.Wait()
		e.readers.Wait()
		close(e.events)
	}()
	for ev := range e.events {
		report(ev)
	}
	cancel()
	return e.err
}

// listener reads all input devices, one goroutine for each.
type listener struct {
	cfg     config.Config
	events  chan Event
	readers sync.WaitGroup
	err     error // of listing the devices; read it after openDevices has returned

	mu         sync.Mutex
	opened     map[string]bool   // devices being read, by path
	unreadable map[string]string // why a device cannot be read, by path
}

// openDevices opens every device that is connected or plugged in later.
func (e *listener) openDevices(ctx context.Context, changes <-chan struct{}) {
	for ctx.Err() == nil {
		list, err := evdev.List()
		if err != nil {
			e.err = err
		}
		buttonDevices := e.cfg.Buttons.Devices(list, e.cfg.Wheel.Device)
		actions, _ := e.cfg.Buttons.Bind(buttonDevices)
		for _, info := range list {
			e.listen(ctx, info, newDevice(info, buttonDevices, actions))
		}
		select {
		case <-ctx.Done():
		case <-changes:
			lifecycle.Settle(ctx)
		}
	}
}

// listen starts reading a device unless it is being read already.
func (e *listener) listen(ctx context.Context, info evdev.Info, d inputDevice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.opened[info.Path] {
		return
	}
	if info.Err != nil {
		if e.unreadable[info.Path] != info.Problem {
			e.unreadable[info.Path] = info.Problem
			e.readers.Go(func() { e.send(ctx, Event{Path: info.Path, Kind: "unreadable", Name: info.Problem}) })
		}
		return
	}
	e.opened[info.Path] = true
	e.readers.Go(func() {
		defer func() {
			e.mu.Lock()
			delete(e.opened, info.Path)
			e.mu.Unlock()
		}()
		e.send(ctx, Event{Path: info.Path, Device: info.Name, Kind: "plugged"})
		if err := d.read(ctx, func(h Event) { e.send(ctx, h) }); err != nil && ctx.Err() == nil {
			e.send(ctx, Event{Path: info.Path, Device: info.Name, Kind: "unplugged"})
		}
	})
}

// send reports an event unless ctx has ended.
func (e *listener) send(ctx context.Context, h Event) {
	select {
	case e.events <- h:
	case <-ctx.Done():
	}
}

// inputDevice is an input device that is being read.
type inputDevice struct {
	info         evdev.Info
	buttonSet    int              // index among the devices with configured buttons, or -1
	actions      *wheel.ActionMap // actions of the buttons
	hatPositions map[uint16]int32 // last value of each hat axis, by event code
}

// newDevice returns a device to be read; buttonDevices are the devices with configured buttons, in the order of
// actions.
func newDevice(info evdev.Info, buttonDevices []evdev.Info, actions *wheel.ActionMap) inputDevice {
	e := inputDevice{info: info, buttonSet: -1, actions: actions, hatPositions: map[uint16]int32{}}
	for i, h := range buttonDevices {
		if h.Path == info.Path {
			e.buttonSet = i
		}
	}
	return e
}

// read reports all events until the device is unplugged or ctx ends.
func (e inputDevice) read(ctx context.Context, report func(Event)) error {
	node, err := evdev.Open(e.info.Path)
	if err != nil {
		return err
	}
	defer node.Close()
	waker, err := evdev.NewWaker()
	if err != nil {
		return err
	}
	defer waker.Close()
	defer context.AfterFunc(ctx, waker.Wake)()
	var buf [64]evdev.Event
	for ctx.Err() == nil {
		if err := node.WaitEvent(waker); err != nil {
			return err
		}
		n, err := node.Read(buf[:])
		if err != nil {
			return err
		}
		for i := range n {
			if h, ok := e.describe(&buf[i]); ok {
				report(h)
			}
		}
	}
	return nil
}

// describe converts a kernel event; ok is false for events that are not reported.
func (e inputDevice) describe(ev *evdev.Event) (h Event, ok bool) {
	h = Event{Time: float64(ev.Sec) + float64(ev.Usec)*1e-6, Path: e.info.Path, Device: e.info.Name, Value: ev.Value}
	switch {
	case ev.Type == evdev.EvSyn && ev.Code == evdev.SynDropped:
		h.Kind, h.Name = "lost", "the kernel lost events: too many at once"
	case ev.Type == evdev.EvKey && ev.Value == 2:
		return h, false // auto-repeat of a held key
	case ev.Type == evdev.EvKey:
		h.Kind, h.Name = "button", evdev.KeyName(ev.Code)
		h.Action = e.action(h.Name)
	case ev.Type == evdev.EvAbs && ev.Code >= evdev.AbsHat0X && ev.Code <= evdev.AbsHat3Y:
		e.describeHat(&h, ev)
	case ev.Type == evdev.EvAbs:
		h.Kind, h.Name = "axis", evdev.AbsName(ev.Code)
		if a, known := e.info.Axis(ev.Code); known {
			h.Range = int64(a.Max) - int64(a.Min)
		}
	default:
		return h, false
	}
	return h, true
}

// describeHat sets the name of the direction that a hat is pressed in or was released from.
func (e inputDevice) describeHat(h *Event, ev *evdev.Event) {
	direction := ev.Value
	if direction == 0 {
		direction = e.hatPositions[ev.Code]
	}
	e.hatPositions[ev.Code] = ev.Value
	h.Kind, h.Name, h.Value = "hat", wheel.HatName(ev.Code, direction), min(ev.Value*ev.Value, 1)
	h.Action = e.action(h.Name)
}

// action returns the name of the action that the configuration assigns to a button or hat direction, or "".
func (e inputDevice) action(control string) string {
	if e.buttonSet < 0 {
		return ""
	}
	if a, ok := e.actions.ActionOf(e.buttonSet, control); ok {
		return a.String()
	}
	return ""
}

// String returns the event in one line for people.
func (h Event) String() string {
	text := fmt.Sprintf("%-18s %-32.32s ", h.Path, printable.Line(h.Device))
	switch h.Kind {
	case "button", "hat":
		text += h.Name + map[bool]string{true: " pressed", false: " released"}[h.Value != 0]
	case "axis":
		text += fmt.Sprintf("%s %d", h.Name, h.Value)
	case "plugged", "unplugged":
		text += h.Kind
	default:
		text += h.Name
	}
	if h.Action != "" {
		text += "  → " + h.Action
	}
	return printable.Line(text)
}
