package rig

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/road"
	"rig.example/rig/test/level"
)

// A session can stop and pause the rig, and nothing else.
func TestASessionOnlyStopsAndPauses(t *testing.T) {
	r := demo(t)
	run(t, r, 4000)
	give := orderer(t, r.orders.ServeRaceControl)
	refused := []operator.Message{{Order: operator.ClearFault}, {Order: operator.Resume}, {Order: operator.FadeOutAndPark}, {Order: operator.Resume + 1}}
	for _, name := range drive.FactorNames() {
		refused = append(refused, operator.Message{Factor: name, Share: 1}, operator.Message{Factor: name}, operator.Message{Factor: name, Order: operator.EmergencyStop})
	}
	for _, m := range refused {
		if err := give(m); err == nil {
			t.Errorf("%+v was taken", m)
		}
	}
	before := r.drive.State.Tuning()
	run(t, r, 10)
	if ordersOf(r) != (drive.Operator{Start: true}) || r.drive.State.Cockpit.Paused || r.drive.State.Tuning() != before ||
		r.drive.State.Guard.State() != guard.Driving {
		t.Error("an order was passed on")
	}
	if err := give(operator.Message{Order: operator.Pause}); err != nil {
		t.Error(err)
	}
	if run(t, r, 2); !r.drive.State.Cockpit.Paused {
		t.Error("not paused")
	}
	if err := give(operator.Message{Order: operator.EmergencyStop}); err != nil {
		t.Error(err)
	}
	if run(t, r, 2); r.drive.State.Guard.State() != guard.Stopped {
		t.Errorf("state %v after a stop", r.drive.State.Guard.State())
	}
	for range 3 { // it clears no stop, even its own
		_ = give(operator.Message{Order: operator.ClearFault})
		_ = give(operator.Message{Order: operator.Resume})
		if run(t, r, 1000); r.drive.State.Guard.State() != guard.Stopped {
			t.Errorf("state %v: the stop was lifted", r.drive.State.Guard.State())
		}
	}
}

// Whatever lines a session's process sends, the inputs of the drive differ from those without a session by a stop or a
// pause alone.
func FuzzASessionsOrders(f *testing.F) {
	for _, line := range []string{"stop", "pause", "resume", "confirm", "tune force_gain 1", "pause\nresume\nstop\nconfirm", "stop\x00", "tune limit_travel 1\nstart", "high-torque"} {
		f.Add(line)
	}
	alone := demoOf(f, config.Default())
	want := alone.sense()
	f.Fuzz(func(t *testing.T, lines string) {
		r := &Rig{drive: alone.drive, wheel: alone.wheel, stats: alone.stats, demo: true, platform: alone.platform}
		r.orders.Start()
		near, far := net.Pipe()
		ended := make(chan struct{})
		go func() { r.orders.ServeRaceControl(far); far.Close(); close(ended) }()
		answers := bufio.NewScanner(near)
		for line := range strings.SplitSeq(lines, "\n") {
			if _, err := near.Write([]byte(line + "\n")); err != nil || !answers.Scan() {
				break // too long a line ends the connection
			}
		}
		near.Close()
		<-ended
		got := r.sense()
		got.Operator.Stops, got.Operator.StopBy, got.Operator.PauseBy = want.Operator.Stops, want.Operator.StopBy, want.Operator.PauseBy
		got.Gap, got.Suspended, got.TorqueWithheld = want.Gap, want.Suspended, want.TorqueWithheld
		if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b { // some are NaN
			t.Fatalf("%q: inputs %s, want %s", lines, a, b)
		}
	})
}

// A drive that began on a grid, and that race control paused and stopped, is driven again by its recording to the last bit.
func TestADriveInASessionRepeats(t *testing.T) {
	level.SkipIfQuick(t)
	cfg := config.Default(member.Section())
	member.Session{Invitation: "/home/ada/ada.rig"}.Put(&cfg)
	r := undriven(t, cfg)
	behind, left := road.GridDistance(3)
	if err := r.drive.StartOnGrid(drive.Grid{Behind: behind, Left: left}); err != nil {
		t.Fatal(err)
	}
	r.useDriverModel(driverOf(t, cfg, r))
	r.orders.Start()
	rec, path := recorderOf(t, r, cfg, true)
	give := orderer(t, r.orders.ServeRaceControl)
	for tick := range 9000 {
		switch tick {
		case 5000:
			_ = give(operator.Message{Order: operator.Pause})
		case 6000:
			r.orders.Give(operator.Resume, guard.ByCommand)
		case 8000:
			_ = give(operator.Message{Order: operator.EmergencyStop})
		}
		r.in = r.sense()
		rec.Before(&r.in, &r.drive.State)
		r.out = r.drive.Step(&r.in)
		rec.After(&r.drive.State, r.out)
		if r.act(&r.in, r.out); tick%500 == 0 {
			rec.Pack()
			rec.Wait()
		}
	}
	if err := rec.Close(&r.drive.State, ""); err != nil || r.drive.State.Guard.State() != guard.Stopped || r.drive.State.Distance < 10 {
		t.Fatalf("%v, %v after %.1f m", err, r.drive.State.Guard.State(), r.drive.State.Distance)
	}
	file, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if strings.Contains(file.Header.Config, "ada.rig") || file.Header.Setup.Grid == nil {
		t.Errorf("the header names the invitation, or no grid: %+v", file.Header.Setup)
	}
	p, err := replay.NewPlayer(file, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if p.Drive.Setup.Grid != r.drive.Setup.Grid {
		t.Errorf("it begins at %+v", p.Drive.Setup.Grid)
	}
	if v, err := p.Verify(func(float64) {}); err != nil || !v.Equal || v.Ticks != 9000 {
		t.Fatalf("%+v, %v", v, err)
	}
	if p.Drive.State != r.drive.State {
		t.Errorf("the end differs: %+v", drive.Differences(&p.Drive.State, &r.drive.State, 3))
	}
}

// The loop has no part in the session: a process that floods its connection neither holds a tick up nor makes it allocate.
func TestTheLoopDoesNotWaitForASession(t *testing.T) {
	r := demo(t)
	run(t, r, 4000)
	near, far := net.Pipe()
	served, flooded := make(chan struct{}), make(chan int)
	go func() { r.orders.ServeRaceControl(far); close(served) }()
	stop := make(chan struct{})
	go func() {
		orders, buffer := 0, make([]byte, 256)
		for {
			select {
			case <-stop:
				near.Close()
				flooded <- orders
				return
			default:
			}
			if _, err := near.Write([]byte("resume\n")); err == nil {
				if _, err = near.Read(buffer); err == nil {
					orders++
				}
			}
		}
	}()
	before := r.drive.State.Car.Tick
	run(t, r, 3000)
	close(stop)
	if orders := <-flooded; orders == 0 || r.drive.State.Car.Tick != before+3000 {
		t.Errorf("%d orders refused in %d of 3000 ticks", orders, r.drive.State.Car.Tick-before)
	}
	<-served
}

// Each press of the mark's key counts once.
func TestMarksAreCounted(t *testing.T) {
	r := demo(t)
	for _, step := range []struct {
		keys, want uint64
	}{{0, 0}, {frame.KeyMark, 1}, {frame.KeyMark, 1}, {0, 1}, {frame.KeyMark | frame.KeyFlash, 2}} {
		in := drive.Inputs{Window: drive.Window{Keys: step.keys}}
		if r.countMarks(&in); r.marks != step.want {
			t.Errorf("%d marks, want %d", r.marks, step.want)
		}
	}
}
