package motion

import (
	"context"
	"io"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/port"
	"rig.example/rig/test/level"
)

// mute is a line on which nobody answers.
type mute struct{}

func (mute) Read([]byte) (int, error)    { time.Sleep(motiontest.ReadTimeout); return 0, nil }
func (mute) Write(b []byte) (int, error) { return len(b), nil }
func (mute) Close() error                { return nil }

// A controller that is absent or dumb for hours is tried again and again during a drive, in
// which garbage is not collected: a try leaves little.
func TestATryForAnAbsentControllerLeavesLittle(t *testing.T) {
	level.SkipIfQuick(t)
	for _, c := range []struct {
		name string
		dial opener
		most uint64 // bytes for each try
	}{
		{"no port", func() (io.ReadWriteCloser, error) { return port.Open("/dev/none", 9600) }, 4 << 10},
		{"no answer", func() (io.ReadWriteCloser, error) { return mute{}, nil }, 16 << 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := DefaultConfig()
			cfg.Protocol, cfg.Port = "smc3", "/dev/ttyACM0"
			p, err := New(cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			tries := uint64(0)
			p.Dial(func() (io.ReadWriteCloser, error) { tries++; return c.dial() })
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p.Run(ctx)
			runtime.ReadMemStats(&after)
			each := (after.TotalAlloc - before.TotalAlloc) / tries
			if each > c.most || tries < 20 {
				t.Errorf("%s: %d tries in two minutes leave %d bytes each, want %d at most", c.name, tries, each, c.most)
			}
		})
	}
}

// asLogged is a log that notes a platform's state when something is logged.
type asLogged struct {
	slog.Handler
	p      *Platform
	states *[]State
}

func (l asLogged) Enabled(context.Context, slog.Level) bool { return true }

func (l asLogged) Handle(context.Context, slog.Record) error {
	*l.states = append(*l.states, l.p.Status().State)
	return nil
}

// Who waits for a platform learns that it is absent only once the log has the cause.
func TestTheCauseIsLoggedBeforeThePlatformIsAbsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg, states := DefaultConfig(), []State{}
		cfg.Protocol, cfg.Port = "smc3", "/dev/none"
		p, err := New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.log = slog.New(asLogged{slog.DiscardHandler, p, &states})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.Run(ctx); err == nil && p.Status().State == Absent && len(states) == 1 && states[0] == Opening {
			return
		}
		t.Errorf("logged while %v, ended %v", states, p.Status().State)
	})
}
