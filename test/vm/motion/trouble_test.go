package motion

import (
	"context"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/acm"
	"rig.example/rig/test/vm/mono"
)

// inMidDrive runs a test while the platform follows targets: with the first protocol over each line, and with
// RIG_TEST=all also with the others over the USB adapter. The tests of devices/motion cover the protocols' own
// reactions to such faults.
func inMidDrive(t *testing.T, over []way, trouble func(t *testing.T, x *bench, way line)) {
	inGuest(t)
	for _, l := range over {
		for i, p := range protocols {
			if i > 0 && (l.name != "cdc-acm" || !level.All()) {
				continue
			}
			t.Run(p.name+" over "+l.name, func(t *testing.T) {
				b, way, cfg := p.connect(t, l.open)
				x := newBench(t, b, cfg)
				x.locates = p.locates
				x.drive()
				trouble(t, x, way)
			})
		}
	}
}

// back waits until the platform follows again, and parks it. It returns the board's highest speed in this time
// [strokes/s].
func (x *bench) back(since time.Duration) float64 {
	x.t.Helper()
	x.state(30*time.Second, motion.Active)
	x.gently(since)
	x.want(0.4)
	x.stands(0.4, 10*time.Second)
	speed := moved(x.since(since))
	x.t.Logf("figure: %s: the board moved at up to %.2f strokes/s", x.t.Name(), speed)
	x.end()
	return speed
}

func TestStalledControllerIsAFaultAndRecovers(t *testing.T) {
	inMidDrive(t, lines, func(t *testing.T, x *bench, way line) {
		at := mono.Now()
		way.stall(true)
		x.state(5*time.Second, motion.Fault, motion.Absent)
		t.Logf("figure: %s: a fault %v after the line accepts nothing", t.Name(), mono.Now()-at)
		mono.SleepUntil(mono.Now() + time.Second)
		at = mono.Now()
		way.stall(false)
		// a board that reports its position is parked while it is silent, and moves there as soon as it can
		if speed, most := x.back(at), x.cfg.MaxSpeed[0]*1.15; !x.locates && speed > most {
			t.Errorf("the board moved at %.2f strokes/s, want at most %.2f", speed, most)
		}
		t.Logf("figure: %s: it follows and is parked %v after the line accepts data again", t.Name(), mono.Now()-at)
	})
}

// In a protocol without checksums, corrupted bytes may move actuators anywhere for a moment, or change a board's
// settings. That is a fault which ends only after a restart of the board and a command to home.
func TestGarbageOnTheLine(t *testing.T) {
	over := lines[1:] // the board sends the garbage, and TestDriveOverEveryLine shows that either line changes no byte
	if level.All() {
		over = lines
	}
	inMidDrive(t, over, func(t *testing.T, x *bench, _ line) {
		before := x.platform.Status()
		x.board.disturb(100)
		mono.SleepUntil(mono.Now() + 2*time.Second)
		x.board.disturb(0)
		after := x.platform.Status()
		if x.locates && after.Noise == before.Noise {
			t.Error("no noise was counted")
		}
		t.Logf("figure: %s: %d bytes of noise, %d answers, state %v, faults %v, lost %d times", t.Name(),
			after.Noise-before.Noise, after.Answers-before.Answers, after.State, after.Faults, after.LinesLost)
		if after.State == motion.Fault {
			x.board.Reset()
			mono.SleepUntil(mono.Now() + time.Second)
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			if err := x.platform.Home(ctx); err != nil {
				t.Fatal(err)
			}
		}
		x.state(20*time.Second, motion.Active)
		x.want(0.4)
		x.stands(0.4, 10*time.Second)
		x.end()
	})
}

func TestUnplugAndReplugDuringADrive(t *testing.T) {
	inMidDrive(t, lines[1:], func(t *testing.T, x *bench, over line) {
		adapter := over.(*usb)
		adapter.Unplug()
		gone := x.state(5*time.Second, motion.Absent)
		mono.SleepUntil(mono.Now() + 500*time.Millisecond)
		at := mono.Now()
		if err := adapter.Replug(); err != nil {
			t.Fatal(err)
		}
		node, err := adapter.Node()
		if err != nil {
			t.Fatal(err)
		}
		if node != x.cfg.Port {
			t.Fatalf("it comes back as %s, was %s", node, x.cfg.Port)
		}
		there := mono.Now() - at
		x.state(30*time.Second, motion.Ready, motion.Active)
		t.Logf("figure: %s: absent %v after the unplug; node %v and ready %v after the replug", t.Name(), gone, there, mono.Now()-at)
		x.back(at)
	})
}

func TestAControllerResetDuringADriveIsHomedAgain(t *testing.T) {
	over := lines[1:] // it is no fault of a line
	if level.All() {
		over = lines
	}
	inMidDrive(t, over, func(t *testing.T, x *bench, _ line) {
		at := mono.Now()
		x.board.Reset()
		noticed := until(t, "sign that the reset was noticed", 5*time.Second, func() bool {
			return x.platform.Status().State != motion.Active
		})
		x.state(30*time.Second, motion.Ready, motion.Active)
		t.Logf("figure: %s: noticed %v and ready %v after the reset", t.Name(), noticed, mono.Now()-at)
		x.back(at)
	})
}

func TestUnsupportedRateIsRefused(t *testing.T) {
	inGuest(t)
	b, _, cfg := protocols[0].connect(t, newUART)
	cfg.Baud = 500_000
	x := newBench(t, b, cfg)
	until(t, "refusal", 5*time.Second, func() bool {
		return x.log.line("runs at 115200 bits a second, not 500000", "motion.baud") != ""
	})
	mono.SleepUntil(mono.Now() + time.Second)
	if s := x.platform.Status(); s.State != motion.Absent || s.Sent != 0 {
		t.Errorf("state %v, %d targets sent; want absent and none", s.State, s.Sent)
	}
	if n := strings.Count(x.log.String(), "\n"); n != 1 {
		t.Errorf("it is logged in %d lines, want 1:\n%s", n, x.log)
	}
}

func TestRateIsSetAtTheAdapter(t *testing.T) {
	inGuest(t)
	for _, test := range []struct {
		name        string
		board, host int
		ready       bool
	}{
		{"500000", 500_000, 500_000, true},
		{"one that no list has", 250_000, 250_000, true},
		{"not the board's", 115_200, 500_000, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := protocols[0]
			p.baud = test.board
			b, way, cfg := p.connect(t, overUSB(acm.Options{}))
			cfg.Baud = test.host
			x := newBench(t, b, cfg)
			if test.ready {
				x.state(20*time.Second, motion.Ready)
			} else {
				until(t, "complaint", 20*time.Second, func() bool { return x.log.line("does not answer", "motion.baud") != "" })
			}
			if rates := way.(*usb).Rates(); len(rates) == 0 || rates[len(rates)-1] != test.host {
				t.Errorf("the adapter was set to %v, want %d as the last", rates, test.host)
			}
			if s := x.platform.Status(); !test.ready && s.State == motion.Active {
				t.Errorf("state %v over a line that carries nothing", s.State)
			}
		})
	}
}

func TestOpeningTheLineRestartsTheBoardOnce(t *testing.T) {
	inGuest(t)
	b, way, cfg := protocols[0].connect(t, overUSB(acm.Options{ResetOnDTR: true}))
	for _, opening := range []string{"first", "second"} {
		x := newBench(t, b, cfg)
		x.state(20*time.Second, motion.Ready)
		x.end()
		if n := way.(*usb).Resets(); n != 1 {
			t.Errorf("after the %s opening the board was restarted %d times, want once", opening, n)
		}
		if dtr, _ := way.(*usb).Lines(); !dtr {
			t.Errorf("after the %s closing DTR is low: the next opening would restart the board", opening)
		}
	}
}

func TestClosingWhileOutputIsStuck(t *testing.T) {
	inMidDrive(t, lines, func(t *testing.T, x *bench, way line) {
		way.stall(true)
		mono.SleepUntil(mono.Now() + 50*time.Millisecond)
		at := mono.Now()
		closed := make(chan struct{})
		go func() { x.platform.Close(); close(closed) }()
		until(t, "end", x.platform.ParkTime()+5*time.Second, func() bool {
			select {
			case <-closed:
				return true
			default:
				return false
			}
		})
		t.Logf("figure: %s: closed after %v", t.Name(), mono.Now()-at)
		if err := <-x.ended; err == nil {
			t.Error("no error says that the platform is not parked")
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("the error is not one line: %v", err)
		}
		if s := x.platform.Status().State; s == motion.Parked {
			t.Errorf("state %v", s)
		}
		way.stall(false)
	})
}
