// Package replaytest records drives of the demo and of a person for tests, without devices and faster than real time. Its input is how long
// to drive; its output is the path of a recording on a small circuit.
package replaytest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
)

// Round is the file of a circuit of 371 m. The driver model takes less than half a minute for a lap.
const Round = `title = "Round"
[layout]
width_m = 10
[[layout.piece]]
length_m = 60
[[layout.piece]]
turn_deg = 180
radius_m = 40
[[layout.piece]]
length_m = 60
[[layout.piece]]
turn_deg = 180
radius_m = 40
`

// Config returns the configuration of a drive on the circuit in a file of this text.
func Config(t testing.TB, track string) config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Track = filepath.Join(t.TempDir(), "round.toml")
	if err := os.WriteFile(cfg.Track, []byte(track), 0o600); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// Demo records a drive of the demo of this many ticks and returns the path of the recording. change, unless it is nil,
// changes the inputs of a tick before they are used.
func Demo(t testing.TB, cfg config.Config, ticks int, change func(tick int, in *drive.Inputs)) string {
	t.Helper()
	return record(t, cfg, true, ticks, change, func(int) bool { return false })
}

// Person is Demo, but a person drives, who does nothing without change.
func Person(t testing.TB, cfg config.Config, ticks int, change func(tick int, in *drive.Inputs)) string {
	t.Helper()
	return record(t, cfg, false, ticks, change, func(int) bool { return false })
}

// DemoWithGap is Demo with a recorder that is held up between two ticks, so that some are missing.
func DemoWithGap(t testing.TB, cfg config.Config, ticks, from, to int) string {
	t.Helper()
	return record(t, cfg, true, ticks, nil, func(tick int) bool { return tick >= from && tick < to })
}

func record(t testing.TB, cfg config.Config, demo bool, ticks int, change func(tick int, in *drive.Inputs), heldUp func(tick int) bool) string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	parts, err := drivesetup.New(cfg, circuit.Options{})
	must(err)
	d := parts.Drive
	in := drive.Inputs{
		Wheel: drive.Wheel{Present: true, Rated: 8, Rate: 400, Delay: 1e-3}, Pedals: drive.Pedals{Present: true},
		Operator: drive.Operator{Start: true},
	}
	if demo {
		model, err := drivesetup.DemoDriver(&d.Setup)
		must(err)
		in.Wheel.Angle = d.UseDriverModel(model).Angle
	}
	h, err := replay.Header(cfg, parts.Drive, parts.TrackFiles, nil, demo, time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	must(err)
	path := filepath.Join(t.TempDir(), "drive.mcap")
	r, err := recording.New(h, channels.All(), d, recording.Options{File: path, Cause: func(k drive.Change) string { return k.Cause.String() }})
	must(err)
	for tick := range ticks {
		now := in
		if change != nil {
			change(tick, &now)
		}
		r.Before(&now, &d.State)
		out := d.Step(&now)
		r.After(&d.State, out)
		if demo {
			in.Wheel.Angle = out.Hands.Angle
		}
		if tick%200 == 0 && !heldUp(tick) {
			r.Pack()
			r.Wait()
		}
	}
	must(r.Close(&d.State, ""))
	return path
}
