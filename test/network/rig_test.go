package network

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
)

// wholeRig is a rig in the session: a demo drive with simulated devices, its process of the session, and what the test
// sees of it.
type wholeRig struct {
	*process
	number    int
	member    session.ID
	recording string
	page      *framepage.Page
	watching  sync.WaitGroup
	stop      chan struct{}

	mu     sync.Mutex
	frame  frame.Frame  // newest
	others frame.Others // newest
	track  []moment     // of the own car, in the order of time
	shown  []showing    // of other cars
}

// moment is where a car was.
type moment struct {
	due   int64  // CLOCK_MONOTONIC [ns]
	tick  uint64 // steps of 1 ms of the car
	pos   [3]float64
	vel   [3]float64
	speed float64
}

// showing is where a rig showed another car.
type showing struct {
	at      int64 // time for which it was shown there: that of the picture less how late it is [ns]
	slot    uint64
	pos     [3]float64
	vel     [3]float64
	opacity float64
}

// drive starts a rig in its node.
func (h *hosted) drive(number int) *wholeRig {
	h.t.Helper()
	r := &wholeRig{number: number, member: session.ID(fmt.Sprintf("rig%02d", number)), stop: make(chan struct{})}
	folder := h.t.TempDir()
	r.recording = filepath.Join(folder, "drive.mcap")
	config, socket := filepath.Join(folder, "rig.toml"), filepath.Join(folder, "page")
	// Ordinary threads, for sixteen loops share the processors of one machine, and no simulated controller. `rig run` tries to
	// join for as long as it takes there.
	text := "[realtime]\npriority = 0\nlock_memory = false\nspin_us = 0\n[motion]\nprotocol = \"\"\n" +
		fmt.Sprintf("[session]\ninvitation = %q\n", h.invite(r.member, session.Rig))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	r.process = h.run(h.net.Rig(number), string(r.member), "run", "--demo", "--headless", "--config", config,
		"--track", h.track, "--record="+r.recording, "--page", socket, "--json")
	h.wait("the page of "+string(r.member), func() (is bool) {
		select {
		case <-r.ended:
			h.t.Fatalf("%s: %v: %s", r.member, r.failure, tail(r.err.String()))
		default:
		}
		p, err := framepage.Open(socket)
		r.page = p
		return err == nil
	})
	r.watching.Go(r.watch)
	h.t.Cleanup(r.endWatch)
	return r
}

// watch looks at the rig a hundred times a second until endWatch.
func (r *wholeRig) watch() {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	var f frame.Frame
	var o frame.Others
	for n := 0; ; n++ {
		select {
		case <-r.stop:
			return
		case <-look.C:
		}
		moved := r.page.Read(&f) && f.Due != 0
		r.mu.Lock()
		if last := len(r.track) - 1; moved && (last < 0 || f.Due > r.track[last].due) {
			r.frame = f
			r.track = append(r.track, moment{f.Due, f.Tick, f.Pos, f.Vel, f.Speed})
		}
		if n%10 == r.number%10 && r.page.Others(&o) {
			r.others = o
			for i := range o.Cars[:o.Count] {
				c := &o.Cars[i]
				r.shown = append(r.shown, showing{o.Due - int64(c.Late*1e9), c.Slot, c.Pos, c.Vel, c.Opacity})
			}
		}
		r.mu.Unlock()
	}
}

func (r *wholeRig) endWatch() {
	select {
	case <-r.stop:
	default:
		close(r.stop)
	}
	r.watching.Wait()
}

// now returns the newest frame and the newest picture of other cars.
func (r *wholeRig) now() (frame.Frame, frame.Others) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.frame, r.others
}

// sees reports whether the rig is connected and shows a number of other cars in full.
func (r *wholeRig) sees(cars int) bool {
	_, o := r.now()
	full := 0
	for i := range o.Cars[:o.Count] {
		if o.Cars[i].Opacity == 1 {
			full++
		}
	}
	return o.Session.Connected == 1 && full == cars
}

// alone reports whether the rig has no connection and shows no other cars.
func (r *wholeRig) alone() bool {
	_, o := r.now()
	return o.Session.Connected == 0 && o.Count == 0
}

// laps returns the laps that the rig has finished.
func (r *wholeRig) laps() uint64 { f, _ := r.now(); return f.Lap.Count }

// steadyAt returns where the car was at a time, and its velocity. ok is false unless it had driven at a constant speed for a while, without
// a pause of its loop, which is a car that stands still for milliseconds and then drives on.
func (r *wholeRig) steadyAt(at int64) (pos, vel [3]float64, ok bool) {
	const before, after = 400 * int64(ms), 20 * int64(ms)
	i := sort.Search(len(r.track), func(i int) bool { return r.track[i].due >= at-before })
	end := sort.Search(len(r.track), func(i int) bool { return r.track[i].due >= at+after })
	if i == 0 || end == len(r.track) {
		return pos, vel, false
	}
	for i := i; i <= end; i++ {
		a, b := &r.track[i-1], &r.track[i]
		paused := math.Abs(float64(b.due-a.due)/1e6-float64(b.tick-a.tick)) > 1.5 // [ms]
		if paused || b.due-a.due > 60e6 || a.speed < 10 || math.Abs(b.speed-r.track[end].speed) > 0.2 {
			return pos, vel, false
		}
		if a.due <= at && at < b.due {
			pos, vel, ok = between(a, b, at), a.vel, true
		}
	}
	return pos, vel, ok
}

// between interpolates two moments by position and velocity (Hermite).
func between(a, b *moment, at int64) (pos [3]float64) {
	dt := float64(b.due-a.due) * 1e-9
	u := float64(at-a.due) * 1e-9 / dt
	for k := range pos {
		pos[k] = (1+2*u)*(1-u)*(1-u)*a.pos[k] + u*(1-u)*(1-u)*dt*a.vel[k] + u*u*(3-2*u)*b.pos[k] + u*u*(u-1)*dt*b.vel[k]
	}
	return pos
}

// summary is what a rig prints at its end, as far as it is tested.
type summary struct {
	ExitState string `json:"exit_state"`
	Laps      []struct {
		Time float64 `json:"time_s"`
	} `json:"laps"`
}

// finish ends a rig that race control has stopped, and returns its summary. The end lifts no stop, so that the rig has
// status 1.
func (h *hosted) finish(r *wholeRig) (s summary) {
	h.t.Helper()
	if err := r.Process.Signal(syscall.SIGINT); err != nil {
		h.t.Error(err)
	}
	h.wait(string(r.member)+" ends", func() bool {
		select {
		case <-r.ended:
			return true
		default:
			return false
		}
	})
	r.endWatch()
	err := json.Unmarshal([]byte(r.out.String()), &s)
	if err != nil || r.ProcessState.ExitCode() != 1 || s.ExitState != guard.Stopped.String() {
		h.t.Errorf("%s ends with status %d and %+v, %v; want 1 and stopped: %s", r.member, r.ProcessState.ExitCode(), s, err, tail(r.err.String()))
	}
	return s
}

// verify drives a recording again and compares it bit for bit. It may be called in any goroutine.
func (r *wholeRig) verify() error {
	path, err := program()
	if err != nil {
		return err
	}
	out, err := exec.Command(path, "replay", r.recording, "--verify").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ticks equal") {
		return fmt.Errorf("%s: %v: %s", r.member, err, out)
	}
	return nil
}

// loopCount is how often a loop has run and waited.
type loopCount struct{ ticks, waits uint64 }

func (r *wholeRig) count(t *testing.T) loopCount {
	t.Helper()
	f, _ := r.now()
	return loopCount{f.Tick, r.waits(t)}
}

// waits returns how often the thread of the rig's loop has waited in the kernel so far, for whatever. It is the one that
// sleeps until absolute times of CLOCK_MONOTONIC.
func (r *wholeRig) waits(t *testing.T) (n uint64) {
	t.Helper()
	const sleeping = "230 0x1 0x1 " // clock_nanosleep and its first arguments
	wait(t, "the loop of "+string(r.member)+" sleeps", func() bool {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", r.Process.Pid))
		i := slices.IndexFunc(threads, func(path string) bool {
			text, _ := os.ReadFile(path) // the thread may have ended
			return strings.HasPrefix(string(text), sleeping)
		})
		if i < 0 {
			return false
		}
		text, _ := os.ReadFile(filepath.Join(filepath.Dir(threads[i]), "status"))
		_, after, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
		line, _, _ := strings.Cut(after, "\n")
		var err error
		n, err = strconv.ParseUint(strings.TrimSpace(line), 10, 64)
		return err == nil
	})
	return n
}
