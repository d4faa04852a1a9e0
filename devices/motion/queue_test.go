package motion

import (
	"bytes"
	"context"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// kernelQueue is a one-way line with the kernel's output queue between the host and a
// controller that takes 11 bytes a millisecond, as at 115 200 bits a second. Closing it
// drops what the controller has not taken.
type kernelQueue struct {
	room    int  // bytes
	visible bool // the kernel tells how much is queued

	mu     sync.Mutex
	queue  []byte
	taken  []byte // by the controller, in all openings
	paused bool   // the controller takes nothing
	lost   bool   // the line is unplugged
	opened int
}

func (q *kernelQueue) dial() (io.ReadWriteCloser, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lost {
		return nil, unix.ENOENT
	}
	q.opened++
	if q.visible {
		return visibleQueue{queueEnd{q}}, nil
	}
	return queueEnd{q}, nil
}

// serve takes what is queued until ctx ends.
func (q *kernelQueue) serve(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(time.Millisecond)
		q.mu.Lock()
		if !q.paused {
			n := min(len(q.queue), 11)
			q.taken, q.queue = append(q.taken, q.queue[:n]...), q.queue[n:]
		}
		q.mu.Unlock()
	}
}

func (q *kernelQueue) set(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f()
}

// jump returns the largest step of the first actuator between two targets that the
// controller took one after the other, share of the stroke, and how many there were.
func (q *kernelQueue) jump(t *testing.T) (most float64, targets int) {
	t.Helper()
	q.mu.Lock()
	defer q.mu.Unlock()
	last := math.NaN()
	for rest := q.taken; ; targets++ {
		at := bytes.Index(rest, []byte("P4"))
		if at < 0 || len(rest) < at+12 {
			return most, targets
		}
		rest = rest[at:]
		if string(rest[10:12]) != "!!" { // cut short by a loss
			rest = rest[2:]
			continue
		}
		share := float64(int(rest[2])<<8|int(rest[3])) / 65535
		if step := math.Abs(share - last); step > most {
			most = step
		}
		last, rest = share, rest[12:]
	}
}

// queueEnd is the host's end.
type queueEnd struct{ q *kernelQueue }

func (e queueEnd) Read([]byte) (int, error) {
	time.Sleep(motiontest.ReadTimeout)
	e.q.mu.Lock()
	defer e.q.mu.Unlock()
	if e.q.lost {
		return 0, unix.EIO
	}
	return 0, nil
}

func (e queueEnd) Write(b []byte) (int, error) {
	e.q.mu.Lock()
	defer e.q.mu.Unlock()
	if e.q.lost {
		return 0, unix.EIO
	}
	n := min(len(b), e.q.room-len(e.q.queue))
	e.q.queue = append(e.q.queue, b[:n]...)
	if n < len(b) {
		return n, unix.EAGAIN
	}
	return n, nil
}

func (e queueEnd) Close() error {
	e.q.set(func() { e.q.queue = nil })
	return nil
}

type visibleQueue struct{ queueEnd }

func (e visibleQueue) Unsent() int {
	e.q.mu.Lock()
	defer e.q.mu.Unlock()
	return len(e.q.queue)
}

// onQueue drives a platform without feedback on a line with a queue; each axis swings
// through half of its stroke at nearly its highest speed.
func onQueue(t *testing.T, q *kernelQueue, happen func(t *testing.T, p *Platform)) {
	synctest.Test(t, func(t *testing.T) {
		p, stop := q.platform(t)
		defer stop()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			for began := time.Now(); ctx.Err() == nil; time.Sleep(time.Millisecond) {
				p.Push(wire.AllAt(0.5 + 0.28*math.Sin(2*math.Pi*0.43*time.Since(began).Seconds())))
			}
		}()
		time.Sleep(5*time.Second + 300*time.Millisecond)
		if s := p.Status(); s.State != Active {
			t.Fatalf("is %s, want active", s.State)
		}
		happen(t, p)
		time.Sleep(5 * time.Second)
		if s := p.Status(); s.State != Active {
			t.Errorf("is %s afterwards, want active", s.State)
		}
	})
	// 0.8 strokes/s in 4 ms, and a rounding of 1/65535 at each end
	most, targets := q.jump(t)
	if limit := 0.8*0.004 + 2.0/65535; most > limit {
		t.Errorf("a target lay %.4f of the stroke from the one before, at most %.4f", most, limit)
	}
	if targets < 1500 {
		t.Errorf("only %d targets were taken", targets)
	}
}

// platform returns a platform without feedback that runs on the line, and what ends it.
func (q *kernelQueue) platform(t *testing.T) (p *Platform, stop func()) {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Protocol, cfg.Port, cfg.Baud, cfg.BootWait = ProtocolTemplate, "queue", 115_200, 0
	cfg.Template.Output, cfg.Template.BootText = []string{"P4<Axis1a><Axis2a><Axis3a><Axis4a>!!"}, "ready"
	p, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Dial(q.dial)
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go q.serve(ctx)
	go func() { ran <- p.Run(ctx) }()
	go attend(p, &atomic.Bool{})
	return p, func() { cancel(); <-ran }
}

// A controller that takes nothing for 8.4 s is sent on from what it took last: what the
// kernel had queued for it is not dropped while the path goes on.
func TestNoTargetJumpsAfterAPauseOfTheReader(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name    string
		room    int
		visible bool
	}{
		{"a small queue", 100, false}, {"a page", 4096, false}, {"a page that is told", 4096, true},
		{"a large queue that is told", 65536, true}, {"a large queue", 16384, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := &kernelQueue{room: tt.room, visible: tt.visible}
			onQueue(t, q, func(t *testing.T, p *Platform) {
				q.set(func() { q.paused = true })
				time.Sleep(8400 * time.Millisecond)
				if s := p.Status(); s.State != Fault || s.Faults&wire.FaultSilent == 0 {
					t.Errorf("is %s (%s) while nothing is taken, want a fault", s.State, s.Faults)
				}
				q.set(func() {
					if tt.visible && len(q.queue) > 25*12 {
						t.Errorf("%d bytes are queued, want 0.1 s of targets at most", len(q.queue))
					}
					q.paused = false
				})
			})
			if q.opened != 1 {
				t.Errorf("the line was opened %d times, want once", q.opened)
			}
		})
	}
}

// A line that is lost with targets in its queue is taken up where the controller was
// sent by the last target that it took.
func TestNoTargetJumpsAfterALossWithAFullQueue(t *testing.T) {
	q := &kernelQueue{room: 4096, visible: true}
	onQueue(t, q, func(t *testing.T, p *Platform) {
		q.set(func() { q.paused = true })
		time.Sleep(60 * time.Millisecond)
		q.set(func() { q.lost = true })
		time.Sleep(100 * time.Millisecond)
		q.set(func() { q.lost, q.paused = false, false })
	})
	if q.opened != 2 {
		t.Errorf("the line was opened %d times, want twice", q.opened)
	}
}

// A line that is lost before the first target has left it is taken up where the path began.
func TestALossBeforeTheFirstTargetIsTakenUpAtTheStart(t *testing.T) {
	q := &kernelQueue{room: 4096, visible: true, paused: true}
	synctest.Test(t, func(t *testing.T) {
		p, stop := q.platform(t)
		defer stop()
		time.Sleep(60 * time.Millisecond)
		q.set(func() {
			if len(q.queue) == 0 || len(q.taken) > 0 {
				t.Errorf("%d bytes wait, %d were taken; want some that wait", len(q.queue), len(q.taken))
			}
			q.lost = true
		})
		time.Sleep(100 * time.Millisecond)
		q.set(func() { q.lost, q.paused = false, false })
		time.Sleep(time.Second)
		if at := p.Status().Target[0]; at != 0.5 {
			t.Errorf("is sent to %.3f, want 0.5", at)
		}
	})
	if most, targets := q.jump(t); most > 1e-4 || targets < 50 {
		t.Errorf("%d targets, with a jump of %.3f; want none", targets, most)
	}
}

// A controller that took nothing for a while is approached from rest, at the speed of the
// first targets.
func TestTargetsAfterAPauseOfTheReaderAreGentle(t *testing.T) {
	q := &kernelQueue{room: 4096}
	onQueue(t, q, func(t *testing.T, p *Platform) {
		q.set(func() { q.paused = true })
		time.Sleep(3 * time.Second)
		q.set(func() { q.paused = false })
		for p.Status().State != Active {
			time.Sleep(time.Millisecond)
		}
		before := p.Status().Target[0]
		time.Sleep(100 * time.Millisecond)
		// the speed may grow to 0.15 + 0.65 * 0.1 meanwhile
		if way := math.Abs(p.Status().Target[0] - before); way > 0.02 || way == 0 {
			t.Errorf("goes %.3f of the stroke in 0.1 s, want something up to 0.02", way)
		}
	})
}

// What waits for a controller that told of a restart would throw it back to where it was:
// that is dropped, and the controller is greeted and homed anew.
func TestQueueOfAControllerThatRestartedIsDropped(t *testing.T) {
	q := &kernelQueue{room: 4096, visible: true}
	synctest.Test(t, func(t *testing.T) {
		p, stop := q.platform(t)
		defer stop()
		q.set(func() { q.paused = true }) // it has restarted, and takes nothing yet
		time.Sleep(time.Second)
		q.set(func() {
			if q.opened != 1 {
				t.Errorf("the line was opened %d times before the restart, want once", q.opened)
			}
		})
		p.sharedStatus.store(wire.Answer{Kind: wire.AnswerRestarted, Axis: -1, Temperature: math.NaN()}, p.clock())
		time.Sleep(40 * time.Millisecond)
		q.set(func() {
			if len(q.queue) != 0 {
				t.Errorf("%d bytes of the time before the restart still wait", len(q.queue))
			}
		})
		time.Sleep(time.Second)
		q.set(func() {
			if q.opened < 2 {
				t.Error("the line was not opened again")
			}
		})
	})
}
