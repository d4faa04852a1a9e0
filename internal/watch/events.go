package watch

import (
	"context"
	"fmt"
	"sync"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/printable"
)

// Event is one event of a device, under the names that the configuration takes.
type Event struct {
	Time   float64 `json:"time_s"` // CLOCK_MONOTONIC; 0 for what is no event of the device
	Path   string  `json:"path"`
	Device string  `json:"device"`
	Kind   string  `json:"kind"` // button, hat, axis, lost, plugged, unplugged, unreadable
	Name   string  `json:"name"` // such as BTN_TOP2, hat0-left or ABS_Z; the reason of an unreadable one
	Value  int32   `json:"value"`
	Range  int64   `json:"range,omitempty"` // of an axis [counts]
	Does   string  `json:"does,omitempty"`  // the action of the button
}

// Events tells every event of every input device until ctx ends. It takes
// nothing away from other programs; what a program has grabbed it does not hear.
func Events(ctx context.Context, cfg config.Config, tell func(Event)) error {
	ctx, cancel := context.WithCancel(ctx)
	changes, err := evdev.Watch(ctx)
	if err != nil {
		cancel()
		return err
	}
	e := &ears{cfg: cfg, told: make(chan Event), open: map[string]bool{}, shut: map[string]string{}}
	var looking sync.WaitGroup
	looking.Go(func() { e.look(ctx, changes) })
	go func() {
		<-ctx.Done()
		looking.Wait()
		e.all.Wait()
		close(e.told)
	}()
	for h := range e.told {
		tell(h)
	}
	cancel()
	return e.err
}

// ears are the devices that are heard.
type ears struct {
	cfg  config.Config
	told chan Event
	all  sync.WaitGroup
	err  error

	mu   sync.Mutex
	open map[string]bool
	shut map[string]string // why others cannot be read
}

// look opens what comes.
func (e *ears) look(ctx context.Context, changes <-chan struct{}) {
	for ctx.Err() == nil {
		list, err := evdev.List()
		if err != nil {
			e.err = err
		}
		heard := e.cfg.Buttons.Heard(list, e.cfg.Wheel.Device)
		does, _ := e.cfg.Buttons.Bind(heard)
		for _, info := range list {
			e.take(ctx, info, earOf(info, heard, does))
		}
		select {
		case <-ctx.Done():
		case <-changes:
			evdev.Settle(ctx)
		}
	}
}

// take hears a device unless it is heard already.
func (e *ears) take(ctx context.Context, info evdev.Info, one ear) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open[info.Path] {
		return
	}
	if info.Err != nil {
		if e.shut[info.Path] != info.Problem {
			e.shut[info.Path] = info.Problem
			e.all.Go(func() { e.say(ctx, Event{Path: info.Path, Kind: "unreadable", Name: info.Problem}) })
		}
		return
	}
	e.open[info.Path] = true
	e.all.Go(func() {
		defer func() {
			e.mu.Lock()
			delete(e.open, info.Path)
			e.mu.Unlock()
		}()
		e.say(ctx, Event{Path: info.Path, Device: info.Name, Kind: "plugged"})
		if err := one.hear(ctx, func(h Event) { e.say(ctx, h) }); err != nil && ctx.Err() == nil {
			e.say(ctx, Event{Path: info.Path, Device: info.Name, Kind: "unplugged"})
		}
	})
}

func (e *ears) say(ctx context.Context, h Event) {
	select {
	case e.told <- h:
	case <-ctx.Done():
	}
}

// ear is one device that is heard.
type ear struct {
	info  evdev.Info
	place int // among the devices whose buttons do something, -1 if it is none
	does  *wheel.Map
	hats  map[uint16]int32 // where each hat's axis was
}

func earOf(info evdev.Info, heard []evdev.Info, does *wheel.Map) ear {
	e := ear{info: info, place: -1, does: does, hats: map[uint16]int32{}}
	for i, h := range heard {
		if h.Path == info.Path {
			e.place = i
		}
	}
	return e
}

// hear tells all events until the device is gone or ctx ends.
func (e ear) hear(ctx context.Context, tell func(Event)) error {
	node, err := evdev.Open(e.info.Path)
	if err != nil {
		return err
	}
	defer node.Close()
	bell, err := evdev.NewBell()
	if err != nil {
		return err
	}
	defer bell.Close()
	defer context.AfterFunc(ctx, bell.Ring)()
	var buf [64]evdev.Event
	for ctx.Err() == nil {
		if err := node.WaitEvent(bell); err != nil {
			return err
		}
		n, err := node.Read(buf[:])
		if err != nil {
			return err
		}
		for i := range n {
			if h, ok := e.name(&buf[i]); ok {
				tell(h)
			}
		}
	}
	return nil
}

// name puts an event into words; not ok are those that say nothing.
func (e ear) name(ev *evdev.Event) (h Event, ok bool) {
	h = Event{Time: float64(ev.Sec) + float64(ev.Usec)*1e-6, Path: e.info.Path, Device: e.info.Name, Value: ev.Value}
	switch {
	case ev.Type == evdev.EvSyn && ev.Code == evdev.SynDropped:
		h.Kind, h.Name = "lost", "the kernel lost events: too many at once"
	case ev.Type == evdev.EvKey && ev.Value == 2:
		return h, false // a key that repeats
	case ev.Type == evdev.EvKey:
		h.Kind, h.Name = "button", evdev.KeyName(ev.Code)
		h.Does = e.action(h.Name)
	case ev.Type == evdev.EvAbs && ev.Code >= evdev.AbsHat0X && ev.Code <= evdev.AbsHat3Y:
		e.hat(&h, ev)
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

// hat names the way that a hat goes, or has come back from.
func (e ear) hat(h *Event, ev *evdev.Event) {
	way := ev.Value
	if way == 0 {
		way = e.hats[ev.Code]
	}
	e.hats[ev.Code] = ev.Value
	h.Kind, h.Name, h.Value = "hat", wheel.HatName(ev.Code, way), min(ev.Value*ev.Value, 1)
	h.Does = e.action(h.Name)
}

func (e ear) action(control string) string {
	if e.place < 0 {
		return ""
	}
	if a, ok := e.does.Does(e.place, control); ok {
		return a.String()
	}
	return ""
}

// String is the event in a line for people.
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
	if h.Does != "" {
		text += "  → " + h.Does
	}
	return printable.Line(text)
}
