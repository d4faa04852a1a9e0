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
	"rig.example/rig/internal/evdev"
)

// station is an input node that may come and go.
type station struct {
	selector string
	store    calib.Store
	axes     []uint16 // that it must have
	keys     []uint16 // likewise
	log      *slog.Logger
	bell     *evdev.Bell
	current  atomic.Pointer[visit]
	now      *visit // belongs to the loop: the node in this tick, nil while there is none

	mu      sync.Mutex
	problem string
}

// visit is one node from plug to unplug.
type visit struct {
	info    evdev.Info
	profile calib.PedalsProfile // without axes if it was never calibrated
	input   *evdev.Input        // belongs to the loop once the visit is published
	lost    atomic.Bool         // the loop could not read it
}

func newStation(selector string, store calib.Store, log *slog.Logger) (*station, error) {
	bell, err := evdev.NewBell()
	if err != nil {
		return nil, fmt.Errorf("pedals: %w", err)
	}
	return &station{selector: selector, store: store, log: log, bell: bell}, nil
}

// run keeps the node open until ctx ends.
func (s *station) run(ctx context.Context) error {
	defer context.AfterFunc(ctx, s.bell.Ring)()
	k := evdev.Keeper[*visit]{Open: s.find, Missing: func(err error) { s.tell(err.Error()) }, Drop: func(v *visit) { v.input.Release() }, Use: s.stay}
	if err := k.Run(ctx); err != nil {
		return fmt.Errorf("pedals: %w", err)
	}
	return nil
}

// stay keeps one node until it goes or ctx ends.
func (s *station) stay(ctx context.Context, v *visit) {
	s.tell("")
	s.log.Info("controls connected", "name", v.info.Name, "path", v.info.Path)
	s.current.Store(v)
	for ctx.Err() == nil && !v.lost.Load() && v.input.Node().Wait(s.bell, -1) == nil {
	}
	s.current.CompareAndSwap(v, nil)
	v.input.Release()
}

// find opens the node that the selector means.
func (s *station) find(bool) (v *visit, again bool, err error) {
	v, err = s.open()
	return v, errors.Is(err, evdev.ErrGrabbed), err // nothing announces the end of a grab
}

func (s *station) open() (*visit, error) {
	list, err := evdev.List()
	if err != nil {
		return nil, err
	}
	info, err := s.pick(list)
	if err != nil {
		return nil, err
	}
	v := &visit{info: info}
	if s.store.Dir != "" {
		if v.profile, err = s.store.Pedals(calib.IdentityOf(info)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if v.input, err = evdev.Share(info); err != nil {
		return nil, err
	}
	return v, nil
}

// pick chooses the first node that matches and has all that is asked for.
func (s *station) pick(list []evdev.Info) (evdev.Info, error) {
	var why error
	for _, i := range list {
		switch {
		case i.Err != nil:
			if why == nil && (errors.Is(i.Err, fs.ErrPermission) || i.Matches(s.selector)) {
				why = fmt.Errorf("pedals: %q not found, but not every device could be read: %w", s.selector, i.Err)
			}
		case !i.Matches(s.selector):
		default:
			lack := s.lack(i)
			if lack == "" {
				return i, nil
			}
			why = fmt.Errorf("pedals: %s has no %s; choose one that `rig devices --json` shows", i.Name, lack)
		}
	}
	if why == nil {
		why = fmt.Errorf("pedals: no device matches %q; plug it in, or choose one that `rig devices` shows", s.selector)
	}
	return evdev.Info{}, why
}

// lack names what the node has not, "" if it has everything.
func (s *station) lack(i evdev.Info) string {
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

// tell notes why there is no node, and logs it once.
func (s *station) tell(problem string) {
	s.mu.Lock()
	changed := s.problem != problem
	s.problem = problem
	s.mu.Unlock()
	if changed && problem != "" {
		s.log.Warn("no controls", "error", problem)
	}
}

// poll looks at the node and tells whether it is another one than before. It
// belongs to the loop: it never waits, locks or allocates.
func (s *station) poll() (changed bool) {
	was := s.now
	s.now = s.current.Load()
	if s.now != nil && s.now.input.Update() != nil {
		s.current.CompareAndSwap(s.now, nil)
		s.now.lost.Store(true)
		s.bell.Ring()
		s.now = nil
	}
	return s.now != was
}
