package main

import (
	"encoding/json"
	"math"
	"net"
	"strings"
	"sync"
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// obedient is a rig that obeys orders in its next frame.
type obedient struct {
	t    *testing.T
	page *framepage.Page
	path string
	deaf bool // it takes orders and does nothing

	lock  sync.Mutex
	frame frame.Frame
	got   []operator.Order
}

func newObedient(t *testing.T) *obedient {
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	r := &obedient{t: t, page: p, path: socketPath(t)}
	socket, err := framepage.Reserve(r.path)
	if err == nil {
		err = socket.Serve(p)
	}
	if err == nil {
		err = socket.ServeOrders(func(conn net.Conn) { operator.Serve(conn, 0, r.obey) })
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close(); p.Close() })
	r.frame.State = uint64(guard.Driving)
	r.page.Publish(&r.frame)
	return r
}

func (r *obedient) obey(m operator.Message) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.got = append(r.got, m.Order)
	f := &r.frame
	if factor, ok := drive.FactorNamed(m.Factor); ok {
		f.Tuned[factor-1] = m.Share
	} else if !r.deaf {
		switch m.Order {
		case operator.EmergencyStop:
			f.State = uint64(guard.Stopped)
		case operator.ClearFault:
			f.State = uint64(guard.Ready)
		case operator.Pause:
			f.Flags |= frame.Paused
		case operator.Resume:
			f.Flags &^= frame.Paused
		}
	}
	for range 3 {
		r.page.Publish(f)
	}
	return nil
}

// order runs a command against the rig.
func (r *obedient) order(args ...string) (status int, out, errs string) {
	r.t.Helper()
	return rigCommand(r.t, append(args, "--page", r.path)...)
}

func TestOrdersToARunningRig(t *testing.T) {
	r := newObedient(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"pause"}, "paused; the rig is driving\n"},
		{[]string{"pause", "--off"}, "goes on; the rig is driving\n"},
		{[]string{"stop"}, "stopped; the rig is stopped\n"},
		{[]string{"confirm"}, "confirmed; the rig is ready\n"},
	} {
		if status, out, errs := r.order(tt.args...); status != exitDone || out != tt.want || errs != "" {
			t.Errorf("%q: status %d, %q, %q", tt.args, status, out, errs)
		}
	}
	status, out, _ := r.order("stop", "--json")
	var got given
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone || got != (given{Done: true, State: "stopped"}) {
		t.Errorf("status %d, %q: %v", status, out, err)
	}
}

// The factors of a running rig are listed, and changed one at a time.
func TestTuningARunningRig(t *testing.T) {
	r := newObedient(t)
	for i := range r.frame.Tuned {
		r.frame.Tuned[i] = 1
	}
	r.frame.Tuned[drive.MotionSlide-1] = math.NaN()
	r.page.Publish(&r.frame)
	for _, tt := range []struct {
		args      string
		status    int
		out, errs string
	}{
		{"motion_filter 0.4", exitDone, "motion_filter 0.4; the rig is driving\n", ""},
		{"limit_travel 0", exitDone, "limit_travel 0.2; the rig is driving\n", ""},
		{"limit_travel 1 --json", exitDone, `{"done":true,"state":"driving"}` + "\n", ""},
		{"motion_slide 0.5", exitFailed, "", "motion_slide: has no effect in this drive"},
		{"limit_speed 1.1", exitUsage, "", "limit_speed: give a share of its configured value, 0 to 1"},
		{"limit_speed NaN", exitUsage, "", "limit_speed: give a share"},
		{"limit_speed", exitUsage, "", "limit_speed: give a share"},
		{"travel 0.5", exitUsage, "", `factor "travel": not found; choose force_gain, `},
	} {
		status, out, errs := r.order(append([]string{"motion", "tune"}, strings.Fields(tt.args)...)...)
		if status != tt.status || out != tt.out || !strings.Contains(errs, tt.errs) {
			t.Errorf("%s: status %d, %q, %q", tt.args, status, out, errs)
		}
	}
	if status, out, errs := r.order("motion", "tune"); status != exitDone || !strings.Contains(out, "motion_filter  0.4\nlimit_travel   1\n") || strings.Contains(out, "slide") {
		t.Errorf("list: status %d, %q, %q", status, out, errs)
	}
	_, out, _ := r.order("motion", "tune", "--json")
	var got map[string]float64
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != len(drive.FactorNames())-1 || got["motion_filter"] != 0.4 {
		t.Errorf("%q: %v", out, err)
	}
}

// Who orders something that has no effect is told, with status 1.
func TestAnOrderWithoutEffectFails(t *testing.T) {
	level.SkipIfQuick(t)
	r := newObedient(t)
	if status, out, errs := r.order("confirm"); status != exitFailed || out != "" || !strings.Contains(errs, "nothing waits for a confirmation: the rig is driving") || len(r.got) != 0 {
		t.Errorf("status %d, %q, %q, orders %v", status, out, errs, r.got)
	}
	r.deaf = true
	r.page.SetNotice("belt open")
	if status, _, errs := r.order("stop"); status != exitFailed || !strings.Contains(errs, "the order had no effect within 2s: the rig is driving; it says: belt open") {
		t.Errorf("status %d, %q", status, errs)
	}
	if status, _, errs := rigCommand(t, "stop", "--page", socketPath(t)); status != exitFailed || !strings.Contains(errs, "nothing runs here that takes orders: no drive, and no other command") {
		t.Errorf("no rig: status %d, %q", status, errs)
	}
}
