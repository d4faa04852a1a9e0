//go:build amd64 && !amd64.v3

package rig

import (
	"bytes"
	"log/slog"
	"math"
	"net"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
)

// faultsOfFeet are planted in a drive of a person, because a driver model has neither pedals nor levers.
var faultsOfFeet = []plantedFault{
	{"nothing, with a person who lets the rim go", nothing, nothing, 1000},
	{"pedals: unplugged for 1 s, with a person", func(f *damaged) { f.pedals.now.Present = false }, func(f *damaged) { f.pedals.now.Present = true }, 1000},
	{"pedals: throttle and brake stick at the floor", feetAt(1, 1), feetAt(0.3, 0), 1000},
	{"pedals: throttle and brake jump between 0 and 1", func(f *damaged) {
		f.each = func(tick int) { f.pedals.now.Throttle, f.pedals.now.Brake = float64(tick%2), float64((tick+1)%2) }
	}, func(f *damaged) { f.each = nil; feetAt(0.3, 0)(f) }, 1000},
	{"pedals: throttle is NaN", feetAt(math.NaN(), 0), feetAt(0.3, 0), 1000},
	{"pedals: brake is 1e300", feetAt(0.3, 1e300), feetAt(0.3, 0), 1000},
	{"levers: handbrake sticks for 1 s", func(f *damaged) { f.pedals.now.Handbrake = 1 }, func(f *damaged) { f.pedals.now.Handbrake = 0 }, 1000},
	{"levers: handbrake is NaN", func(f *damaged) { f.pedals.now.Handbrake = math.NaN() }, func(f *damaged) { f.pedals.now.Handbrake = 0 }, 1000},
	{"levers: shift up and down 500 times a second", func(f *damaged) {
		f.each = func(tick int) { f.pedals.now.Levers.ShiftUp, f.pedals.now.Levers.ShiftDown = tick%2 == 0, tick%2 == 1 }
	}, func(f *damaged) {
		f.each = nil
		f.pedals.now.Levers.ShiftUp, f.pedals.now.Levers.ShiftDown = false, false
	}, 1000},
	{"levers: an H-pattern reports gear 99", func(f *damaged) { f.pedals.now.Levers.HPattern, f.pedals.now.Levers.Gear = true, 99 },
		func(f *damaged) { f.pedals.now.Levers.HPattern = false }, 1000},
}

// faultsOfHelpers are those of what runs beside the loop.
var faultsOfHelpers = []plantedFault{
	{"buttons: pause sticks", func(f *damaged) {
		f.controls = &fingers{wheel.Edges{Down: 1 << wheel.Pause, Pressed: 1 << wheel.Pause}}
	}, released, 1000},
	{"buttons: stop sticks for 1 s", func(f *damaged) { f.controls = &fingers{wheel.Edges{Down: 1 << wheel.Stop, Pressed: 1 << wheel.Stop}} }, released, 1000},
	{"window: hangs or dies, for 3 s", func(f *damaged) { f.page.SetKeys(0) }, func(f *damaged) { f.each = func(int) { f.page.SetKeys(0) } }, 3000},
	{"window: presses all keys 50 times a second", func(f *damaged) {
		f.each = func(tick int) { f.page.SetKeys((^frame.KeyClose) * uint64(tick/10%2)) }
	}, func(f *damaged) { f.each = func(int) { f.page.SetKeys(0) } }, 1000},
	{"window: its figures are NaN", func(f *damaged) { f.page.SetDisplay(frame.Display{P50: math.NaN(), Age: math.Inf(1)}) }, nothing, 1000},
	{"sound: its delay is NaN", func(f *damaged) {
		f.services = []*serviceChild{{Service: Service{Show: func(f *frame.Frame) { f.Sound.Latency = math.NaN() }}}}
	}, nothing, 1000},
	{"recorder: hangs for 20 s", records(recorded{}), nothing, 20_000},
	{"recorder: the disk is full", records(recorded{packs: true, free: 1e9}), nothing, 2000},
	{"recorder: the disk takes nothing", records(recorded{packs: true, pipe: true}), nothing, 2000},
	{"commands: one floods with what is no order", floods((*operator.Pending).ServeCommand, "\x00\xff{]no order\n"), quiet, 1000},
	{"commands: one floods with confirmations", floods((*operator.Pending).ServeCommand, "confirm\n"), quiet, 1000},
	{"web page: floods with orders that it may not give", floods((*operator.Pending).ServeWebPage, "confirm\nresume\npause\n"), quiet, 1000},
	{"rig stop, while commands, web page and race control flood", func(f *damaged) {
		floods((*operator.Pending).ServeCommand, "resume\n")(f)
		floods((*operator.Pending).ServeWebPage, "no order\n")(f)
		floods((*operator.Pending).ServeRaceControl, "confirm\n")(f)
		near, far := net.Pipe()
		go f.Rig.orders.ServeCommand(far)
		if _, err := operator.Ask(near, operator.Message{Order: operator.EmergencyStop}); err != nil {
			f.t.Error(err)
		}
	}, quiet, 1000},
	{"race control: orders 100 stops at once", func(f *damaged) {
		for range 100 {
			f.orders.Give(operator.EmergencyStop, guard.ByRaceControl)
		}
	}, nothing, 1000},
}

func feetAt(throttle, brake float64) func(*damaged) {
	return func(f *damaged) { f.pedals.now.Throttle, f.pedals.now.Brake = throttle, brake }
}

func released(f *damaged) { f.controls = nil }

// recorded is how a drive is recorded.
type recorded struct {
	packs bool    // the ring is emptied
	free  float64 // what the disk must have left [GB]
	pipe  bool    // into a pipe that nobody reads
}

// records begins to record the drive.
func records(how recorded) func(*damaged) {
	return func(f *damaged) {
		f.t.Helper()
		cfg := config.Default()
		cfg.Record.Folder, cfg.Record.FreeGB, cfg.Profiles = f.t.TempDir(), how.free, f.t.TempDir()
		path := filepath.Join(cfg.Record.Folder, "a.mcap")
		if how.pipe {
			if err := unix.Mkfifo(path, 0o600); err != nil {
				f.t.Fatal(err)
			}
		}
		if err := f.newRecorder(Options{Config: cfg, Record: true, RecordFile: path, Log: slog.New(slog.DiscardHandler)}, true); err != nil {
			f.t.Fatal(err)
		}
		f.each = func(tick int) {
			if how.packs && tick%50 == 0 {
				f.recorder.Pack()
			}
		}
	}
}

// floods lets a connection write the same all the time, until quiet.
func floods(serve func(*operator.Pending, net.Conn), text string) func(*damaged) {
	return func(f *damaged) {
		near, far := net.Pipe()
		go serve(&f.orders, far)
		go func() { // reads the answers, or the other end would wait
			answers := make([]byte, 512)
			for {
				if _, err := near.Read(answers); err != nil {
					return
				}
			}
		}()
		go func() {
			for {
				if _, err := near.Write(bytes.Repeat([]byte(text), 10)); err != nil {
					return
				}
			}
		}()
		before := f.close
		f.close = func() { before(); near.Close() }
		time.Sleep(time.Millisecond) // for some to arrive; whether they do decides nothing
	}
}

func quiet(f *damaged) { f.close() }
