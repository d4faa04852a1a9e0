package rig

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/loopback/loopbacktest"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// tilted is a platform whose actuators are all sent to one place, whatever the car does.
type tilted struct {
	platform
	share float64
}

func (p *tilted) Push(l wire.Legs) {
	for i := range l {
		l[i] = p.share
	}
	p.platform.Push(l)
}

func sendTo(r *Rig, share float64) { r.platform.(*tilted).share = share }

// leaves has the operator end a drive, and returns how long that took and how it ended.
func leaves(r *Rig, end func() error) (took time.Duration, err error) {
	began := time.Now()
	r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	for r.Tick() == nil {
		time.Sleep(time.Millisecond)
	}
	late := end()
	took = time.Since(began)
	return took, errors.Join(r.endError(), late)
}

// An operator who ends a drive is told what the platform does then, and not that it parks where it
// does not.
func TestTheReleaseSaysWhatThePlatformDoes(t *testing.T) {
	d := &deviceSet{motion: motion.DefaultConfig()}
	for _, tt := range []struct {
		stop   bool
		at     motion.Status
		action string
		want   string
	}{
		{false, motion.Status{State: motion.Active}, "hold", "torque fades out and the platform parks"},
		{false, motion.Status{State: motion.Fault}, "hold", "torque fades out and the platform parks"},
		{false, motion.Status{State: motion.Parked, ParkDone: true}, "hold", "torque fades out; the platform is parked"},
		{false, motion.Status{State: motion.Halted, ParkDone: true}, "hold", "torque fades out; the platform is halted and stays where it is"},
		{true, motion.Status{State: motion.Active}, "hold", "torque is off; the platform is halted and stays where it is"},
		{true, motion.Status{State: motion.Halted}, "park", "torque is off; the platform parks"},
		{false, motion.Status{State: motion.Absent, ParkDone: true}, "hold", "torque fades out; the platform is absent and stays where it is"},
		{false, motion.Status{State: motion.Fault, ParkDone: true}, "hold", "torque fades out; the platform is at fault and stays where it is"},
	} {
		d.motion.StopAction = tt.action
		if got := d.releaseText(tt.stop, &tt.at); got != tt.want {
			t.Errorf("%v, stop %v: %q, want %q", tt.at.State, tt.stop, got, tt.want)
		}
	}
	if got := d.releaseText(false, nil); got != "torque fades out" {
		t.Errorf("without a platform %q", got)
	}
}

// An operator who ends a drive whose platform cannot park, or must not, does not wait for it
// to park, and is told where it was left.
func TestADriveEndsAsSoonAsThePlatformCanDoNoMore(t *testing.T) {
	level.SkipIfQuick(t)
	const fade = 500 * time.Millisecond // guard.release_s
	for _, tt := range []struct {
		name    string
		trouble func(*Rig, *loopbacktest.Line)
		after   time.Duration // from the failure to the operator's order
		most    time.Duration // from there to the end
		want    []string
	}{
		{"emergency stop", func(r *Rig, _ *loopbacktest.Line) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) }, time.Second, fade,
			[]string{"ended stopped .emergency stop.", "the platform is NOT parked but halted .left (79|80) %, right (79|80) % of the stroke", "`rig motion park` once that is safe"}},
		{"emergency stop in the same moment", func(r *Rig, _ *loopbacktest.Line) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) }, 0, fade,
			[]string{"NOT parked but halted .left (79|80) %, right (79|80) % of the stroke"}},
		{"stuck, and parked as far as it goes", func(r *Rig, f *loopbacktest.Line) { f.ActuatorsStuck.Store(true); sendTo(r, 0.3) }, 5 * time.Second, 2 * fade,
			[]string{"NOT parked but fault .left (79|80) %, right (79|80) % of the stroke", "following error"}},
		{"stuck on the way to park", func(_ *Rig, f *loopbacktest.Line) { f.ActuatorsStuck.Store(true) }, 0, fade + 4*time.Second, // of which 2 s for the way, and one to arrive
			[]string{"NOT parked but fault .left 8", "following error"}},
		{"silent for a second", func(_ *Rig, f *loopbacktest.Line) { f.RepliesLost.Store(true) }, time.Second, 2 * fade,
			[]string{"NOT parked but fault .when last heard left (79|80) %, right (79|80) % of the stroke", "controller does not answer"}},
		{"silent since just now", func(_ *Rig, f *loopbacktest.Line) { f.RepliesLost.Store(true) }, 0, 2 * time.Second,
			[]string{"NOT parked but fault .when last heard left (79|80) %, right (79|80) % of the stroke", "controller does not answer"}},
		{"silent for long", func(_ *Rig, f *loopbacktest.Line) { f.RepliesLost.Store(true) }, 5 * time.Second, 2 * time.Second,
			[]string{"NOT parked but ", "when last heard left "}},
		{"unplugged", func(_ *Rig, f *loopbacktest.Line) { f.Unplugged.Store(true) }, time.Second, 2 * fade,
			[]string{"NOT parked but absent .when last heard left (79|80) %, right (79|80) % of the stroke"}},
		{"unplugged just now", func(_ *Rig, f *loopbacktest.Line) { f.Unplugged.Store(true) }, 0, 2 * fade,
			[]string{"NOT parked but absent .when last heard left (79|80) %, right (79|80) % of the stroke"}},
		{"takes nothing", func(_ *Rig, f *loopbacktest.Line) { f.WritesBlocked.Store(true) }, 0, 2 * fade,
			[]string{"NOT parked but ", "when last heard left (79|80) %, right (79|80) % of the stroke"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line, cfg := &loopbacktest.Line{}, config.Default()
				cfg.Track, cfg.Guard.Engage = "skidpad", 0.2 // soon there
				r, _, end := supervisedOn(t, Options{Config: cfg, Demo: true}, func(*Rig) {}, line)
				drivenInTime(t, r, "driving", func() bool { return engaged(r, nil) })
				r.platform = &tilted{r.platform, 0.8}
				drivenInTime(t, r, "tilted", func() bool { return min(r.in.Platform.Feedback[0], r.in.Platform.Feedback[1]) > 0.79 })
				tt.trouble(r, line)
				began := time.Now()
				drivenInTime(t, r, "ordered", func() bool { return time.Since(began) >= tt.after })
				took, err := leaves(r, end)
				if took > tt.most {
					t.Errorf("took %v, want %v at most", took, tt.most)
				}
				if err == nil {
					t.Fatal("ended well")
				}
				for _, want := range tt.want {
					if text := config.OneLine(err); !regexp.MustCompile(want).MatchString(text) {
						t.Errorf("%q lacks %q", text, want)
					}
				}
			})
		})
	}
}

// What ends a drive in other ways leaves a platform that is parked, or tells where it is not.
func TestOtherWaysToEndADrive(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name  string
		edit  func(*config.Config)
		until func(*Rig, *loopbacktest.Line) bool // the operator gives the order
		then  func(r *Rig, since time.Duration)
		most  time.Duration
		want  string // in the error; "" for none
		left  float64
	}{
		{name: "before anything was moved", until: in(motion.Opening), most: 100 * time.Millisecond, left: 0.42},
		{name: "before it ever followed", until: in(motion.Homing), most: 4 * time.Second, left: 0.1},
		{name: "before it ever followed, then stopped", until: in(motion.Homing),
			then: func(r *Rig, since time.Duration) { stopIf(r, since > time.Second) },
			most: 1500 * time.Millisecond, want: "ended stopped (emergency stop); the platform is NOT parked but halted (left 3", left: 0.37},
		{name: "stopped on the way to park", until: engaged,
			then: func(r *Rig, since time.Duration) { stopIf(r, since > 1500*time.Millisecond) },
			most: 2 * time.Second, want: "ended stopped (emergency stop); the platform is NOT parked but halted (left 3", left: 0.37},
		{name: "stopped, and a stop parks", edit: func(c *config.Config) { c.Motion.StopAction = motion.StopPark }, until: engaged,
			then: func(r *Rig, _ time.Duration) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) },
			most: 4 * time.Second, want: "ended stopped (emergency stop)", left: 0.1},
		{name: "found with an open door", until: foundOpen, most: 100 * time.Millisecond, want: "the platform is NOT parked but halted (left 4", left: 0.39},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				line, cfg := &loopbacktest.Line{}, config.Default()
				cfg.Track, cfg.Guard.Engage = "skidpad", 0.2 // soon there
				for i := range cfg.Motion.ParkPosition {
					cfg.Motion.ParkPosition[i] = 0.1
				}
				if tt.edit != nil {
					tt.edit(&cfg)
				}
				r, _, end := supervisedOn(t, Options{Config: cfg, Demo: true}, func(r *Rig) { r.interlock.Line = &buckle{} }, line)
				drivenInTime(t, r, "there", func() bool { return tt.until(r, line) })
				began := time.Now()
				r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
				for r.Tick() == nil {
					if tt.then != nil {
						tt.then(r, time.Since(began))
					}
					time.Sleep(time.Millisecond)
				}
				at := line.Positions()[0]
				late := end()
				if took := time.Since(began); took > tt.most {
					t.Errorf("took %v, want %v at most", took, tt.most)
				}
				if err := errors.Join(r.endError(), late); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(config.OneLine(err), tt.want) {
					t.Errorf("%v, want %q", err, tt.want)
				} else if math.Abs(at-tt.left) > 0.05 || err != nil && strings.Contains(err.Error(), "NOT parked") && tt.left == 0.1 {
					t.Errorf("ended with its left actuator at %.2f, want %.2f: %v", at, tt.left, err)
				}
				if after := line.Positions()[0]; math.Abs(after-at) > 0.01 {
					t.Errorf("moved from %.2f to %.2f after the last tick", at, after)
				}
			})
		})
	}
}

func in(s motion.State) func(*Rig, *loopbacktest.Line) bool {
	return func(r *Rig, _ *loopbacktest.Line) bool { return platformOf(r) == s }
}

func engaged(r *Rig, _ *loopbacktest.Line) bool {
	return r.drive.State.Guard.State() == guard.Driving && platformOf(r) == motion.Active
}

// foundOpen opens the door of a drive, cuts the line while the platform parks, and waits until
// it is found again: it stays where it is then.
func foundOpen(r *Rig, f *loopbacktest.Line) bool {
	door := r.interlock.Line.(*buckle)
	switch platformOf(r) {
	case motion.Active:
		door.cause = estop.Opened
	case motion.Parking:
		f.Unplugged.Store(r.in.Platform.Target[0] < 0.4)
	case motion.Absent:
		f.Unplugged.Store(false)
	}
	return platformOf(r) == motion.Halted && door.cause == estop.Opened
}

func stopIf(r *Rig, so bool) {
	if so {
		r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	}
}

// heldPlatform is one that does nothing more for now.
type heldPlatform struct{ *following }

func (p heldPlatform) Status() motion.Status {
	s := p.following.Status()
	s.ParkDone = true
	return s
}

// Just after a stop was lifted the platform is still halted: the supervisor is about to have it park.
func TestADriveThatEndsAsAStopIsLiftedWaitsForThePlatformToPark(t *testing.T) {
	r := demo(t)
	p := r.platform.(*following)
	run(t, r, 4000)
	r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	run(t, r, 100)
	p.state, r.platform = motion.Halted, heldPlatform{p}
	r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	r.orders.Give(operator.ClearFault, guard.ByCommand)
	run(t, r, 1000)
	if s := r.drive.State.Guard.State(); s != guard.Ready {
		t.Fatalf("state %v", s)
	}
	p.state = motion.Parked
	for range 1000 {
		if r.Tick() != nil {
			break
		}
	}
	if s := r.drive.State.Guard.State(); s != guard.Parked {
		t.Errorf("ended %v", s)
	}
}
