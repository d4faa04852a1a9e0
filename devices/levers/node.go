package levers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
)

// node is an input node that may be plugged in and unplugged.
type node struct {
	selector string
	store    calib.Store
	axes     []uint16 // axes that it must have
	keys     []uint16 // buttons that it must have
	log      *slog.Logger
	waker    *evdev.Waker
	current  atomic.Pointer[session]
	active   *session // session in this tick, nil while there is none; belongs to the loop

	returning evdev.Returning // belongs to keepOpen

	mu      sync.Mutex
	problem string // why there is no node, "" while there is one
}

// session is one node from the moment it is plugged in until it is unplugged.
type session struct {
	info    evdev.Info
	profile calib.PedalsProfile // without axes if the node was never calibrated
	input   *evdev.Input        // belongs to the loop once the session is published
	lost    atomic.Bool         // the loop could not read the node
}

func newNode(selector string, store calib.Store, log *slog.Logger) (*node, error) {
	waker, err := evdev.NewWaker()
	if err != nil {
		return nil, fmt.Errorf("pedals: %w", err)
	}
	return &node{selector: selector, store: store, log: log, waker: waker}, nil
}

// keepOpen opens the node, and opens it again after an unplug, until ctx ends.
func (s *node) keepOpen(ctx context.Context) error {
	defer context.AfterFunc(ctx, s.waker.Wake)()
	k := lifecycle.Keeper[*session]{
		Watch: evdev.Watch, Open: s.tryOpen, Missing: s.report,
		Discard: func(v *session) { v.input.Release() }, Use: s.use,
	}
	if err := k.Run(ctx); err != nil {
		return fmt.Errorf("pedals: %w", err)
	}
	return nil
}

// use keeps a session open until the node is unplugged or ctx ends.
func (s *node) use(ctx context.Context, v *session) {
	s.setProblem("")
	s.log.Info("controls connected", "device", v.info.Name, "path", v.info.Path)
	s.current.Store(v)
	for ctx.Err() == nil && !v.lost.Load() && v.input.Node().Wait(s.waker, -1) == nil {
	}
	s.current.CompareAndSwap(v, nil)
	v.input.Release()
}

// tryOpen opens the node that the selector means. again asks for another attempt if another program has
// grabbed it, because the end of a grab is not announced.
func (s *node) tryOpen(bool) (v *session, again bool, err error) {
	v, err = s.open()
	return v, errors.Is(err, evdev.ErrGrabbed), err
}

func (s *node) open() (*session, error) {
	list, err := evdev.List()
	if err != nil {
		return nil, err
	}
	info, err := s.find(list)
	if err != nil {
		return nil, err
	}
	v := &session{info: info}
	if s.store.Dir != "" {
		if v.profile, err = s.store.Pedals(calib.IdentityOf(info)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if text := v.profile.Device.Changed(info); text != "" {
		s.log.Warn("controls: "+text, "device", info.Name, "remedy", "measure it again: rig calibrate pedals")
	}
	if v.input, err = evdev.Share(info); err != nil {
		return nil, err
	}
	s.returning.Use(info)
	return v, nil
}

// find is choose for a node that may have been lost: it finds no other one.
func (s *node) find(list []evdev.Info) (evdev.Info, error) {
	return s.returning.Choose("pedals", list, s.choose)
}

// choose returns the first node that matches the selector and has all axes and buttons.
func (s *node) choose(list []evdev.Info) (evdev.Info, error) {
	var reason error
	for _, i := range list {
		switch {
		case i.Err != nil:
			if reason == nil && (errors.Is(i.Err, fs.ErrPermission) || i.Matches(s.selector)) {
				reason = fmt.Errorf("pedals: %q not found, but not every device could be read: %w", s.selector, i.Err)
			}
		case !i.Matches(s.selector):
		default:
			missing := s.missingControl(i)
			if missing == "" {
				return i, nil
			}
			reason = fmt.Errorf("pedals: %s has no %s; choose one that `rig devices --json` shows", i.Name, missing)
		}
	}
	if reason == nil {
		reason = fmt.Errorf("pedals: no device matches %q; plug it in, or choose one that `rig devices` shows", s.selector)
	}
	return evdev.Info{}, reason
}

// missingControl returns the first axis or button that the node does not have, "" if it has all.
func (s *node) missingControl(i evdev.Info) string {
	for _, code := range s.axes {
		if a, ok := i.Axis(code); !ok || a.Max <= a.Min {
			return "axis " + evdev.AbsName(code)
		}
	}
	for _, code := range s.keys {
		if !i.HasKey(code) {
			return "button " + evdev.KeyName(code)
		}
	}
	return ""
}

// report logs why there is no node and stores the reason for Set.Problems.
func (s *node) report(err error) {
	s.setProblem(err.Error())
	s.log.Warn("no controls", "error", err)
}

// setProblem stores why there is no node, "" while there is one.
func (s *node) setProblem(problem string) {
	s.mu.Lock()
	s.problem = problem
	s.mu.Unlock()
}

// update reads the node and reports whether it was plugged in or unplugged since the last call. It belongs
// to the loop: it never waits, locks or allocates.
func (s *node) update() (changed bool) {
	was := s.active
	s.active = s.current.Load()
	if s.active != nil && s.active.input.Update() != nil {
		s.current.CompareAndSwap(s.active, nil)
		s.active.lost.Store(true)
		s.waker.Wake()
		s.active = nil
	}
	return s.active != was
}
