package wheel

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/internal/kit/evdev"
)

// hungForce is a device whose driver never returns from an upload.
type hungForce struct {
	*fakeForce
	uploading, never chan struct{}
}

func (f hungForce) Upload(evdev.Effect) error {
	f.uploading <- struct{}{}
	<-f.never
	return evdev.ErrDisconnected
}

func (f *fakeInput) Release() error { f.released = true; return nil }

// A driver that hangs in an upload delays the end of the program by 2 s at most. With the
// node's own close, which evdev bounds, that is what Run takes.
func TestADriverThatHangsDelaysTheEndByTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeForce()
		s := armed(t, "hid-pidff", f)
		w := onAWheel(t, s, f, func(w *Wheel, _ *fakeInput, _ int) { w.Push(1) })
		w.current.Store(nil)
		hung := hungForce{f, make(chan struct{}, 9), make(chan struct{})}
		s.node = hung
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.use(ctx, s) }()
		<-hung.uploading
		began := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, errStuck) || time.Since(began) > 1500*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if !s.input.(*fakeInput).released {
			t.Error("the node is still shared")
		}
		close(hung.never)
		<-s.ended
	})
}
