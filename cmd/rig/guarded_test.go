package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// noSignals is the signals of a command that gets none.
func noSignals() (<-chan os.Signal, func()) { return nil, func() {} }

// `rig stop` halts every command that moves the platform, and says which it was and where the platform stands. Such a
// command takes no other order.
func TestRigStopStopsWhateverMovesThePlatform(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		command, until string
		more           []string
	}{
		{"home", "at its center", []string{"--hold", "9m"}},
		{"jog", "1 of 1", []string{"1", "--share", "0.3", "--speed", "0.02"}},
		{"sweep", "1 of 4", []string{"--speed", "0.02"}},
	} {
		t.Run(tt.command, func(t *testing.T) {
			t.Parallel()
			var out, errs steps
			s := newStreams(strings.NewReader(""), &out, &errs)
			s.signals, s.serveOrders = noSignals, (*framepage.Socket).ServeOrders
			socket, ended := socketPath(t), make(chan int, 1)
			go func() {
				ended <- perform(append([]string{"motion", tt.command, "--demo", "--page", socket}, tt.more...), s)
			}()
			await(t, tt.until, func() bool { return strings.Contains(out.String(), tt.until) })
			status, said, refused := rigCommand(t, "pause", "--page", socket)
			if want := "rig: rig motion " + tt.command + " takes no order but a stop: rig stop\n"; status != exitFailed || said != "" || refused != want {
				t.Errorf("pause: status %d, %q, %q", status, said, refused)
			}
			status, said, refused = rigCommand(t, "stop", "--json", "--page", socket)
			var got given
			if err := json.Unmarshal([]byte(said), &got); err != nil || status != exitDone || !got.Done || got.State != "ended" || got.Command != "rig motion "+tt.command || !strings.HasPrefix(got.Platform, "the platform is NOT parked but halted (left ") {
				t.Errorf("stop: status %d, %q, %q", status, said, refused)
			}
			if status := <-ended; status != exitFailed || !strings.Contains(errs.String(), "motion: stopped by the operator (rig stop or SIGUSR2); the platform is NOT parked but halted (left ") {
				t.Errorf("status %d, %q", status, errs.String())
			}
		})
	}
}

// A stop by another process reaches a command as SIGUSR2 does, and the answer waits until the command has ended. One that
// does not end is an error.
func TestAStopReachesAMover(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tt := range []struct {
		name, out, errs string
		place           string
		hangs           bool
		status          int
	}{
		{"rim", "stopped rig ffb test, which has ended\n", "", "", false, exitDone},
		{"platform", "stopped rig ffb test, which has ended; the platform is parked\n", "", "the platform is parked", false, exitDone},
		{"hangs", "", "rig: rig ffb test was told to stop and has not ended within 1s; switch the power of what moves off\n", "", true, exitFailed},
	} {
		path := socketPath(t)
		s := &streams{log: slog.New(slog.DiscardHandler), signals: noSignals, serveOrders: (*framepage.Socket).ServeOrders, command: "rig ffb test", place: new(operator.Place), endOrdered: new(atomic.Bool)}
		began, letGo, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- s.guarded(rimMover{}, &path, func(ctx, stopCtx context.Context) error {
				close(began)
				<-ctx.Done()
				<-stopCtx.Done()
				if tt.hangs {
					<-letGo
				}
				s.place.Set(func() string { return tt.place })
				return context.Cause(ctx)
			})
		}()
		<-began
		if status, out, errs := rigCommand(t, "stop", "--page", path); status != tt.status || out != tt.out || errs != tt.errs {
			t.Errorf("%s: status %d, %q, %q", tt.name, status, out, errs)
		}
		close(letGo)
		if err := <-ended; !errors.Is(err, operator.ErrStopped) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if _, err := os.Stat(path + ".orders"); !os.IsNotExist(err) {
			t.Errorf("%s: the socket is left: %v", tt.name, err)
		}
	}
}

// A rig that starts is stopped once it takes orders; that nothing runs is said at once.
func TestRigStopWaitsForARigThatStarts(t *testing.T) {
	path := socketPath(t)
	socket, err := framepage.Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	var got atomic.Int64
	starts := time.AfterFunc(300*time.Millisecond, func() {
		_ = socket.ServeOrders(func(conn net.Conn) {
			operator.Serve(conn, 0, func(m operator.Message) error { got.Add(1); return nil })
		})
	})
	defer starts.Stop()
	if status, out, errs := rigCommand(t, "stop", "--page", path); status != exitDone || out != "stopped, which has ended\n" || got.Load() != 1 {
		t.Errorf("status %d, %q, %q, %d orders", status, out, errs, got.Load())
	}
	if err := socket.Close(); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := rigCommand(t, "stop", "--page", path); status != exitFailed || out != "" || errs != "rig: "+errNothingRuns.Error()+"\n" {
		t.Errorf("nothing runs: status %d, %q, %q", status, out, errs)
	}
}

// `rig stop` names the drive that it stopped, and where the platform stands.
func TestRigStopNamesTheDrive(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	socket := socketPath(t)
	drive := rigProcess("run", "--demo", "--headless", "--config", onSkidpad(t), "--page", socket)
	if err := drive.Start(); err != nil {
		t.Fatal(err)
	}
	defer drive.Wait()
	defer drive.Process.Kill()
	drivesOn(t, socket)
	const want = "stopped rig run; the rig is stopped; the platform is NOT parked but "
	if status, out, errs := rigCommand(t, "stop", "--page", socket); status != exitDone || !strings.HasPrefix(out, want) || !strings.Contains(out, "(left ") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}
