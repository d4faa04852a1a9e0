//go:build amd64 && !amd64.v3

package dash_test

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"iter"
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/connect/dash"
	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/replay/replaytest"
	"rig.example/rig/internal/live/rig"
	"rig.example/rig/internal/tools/watch"
)

// What the page and scripts, other programs and terminals get of a drive, byte by byte. All of them are here, because only this
// package sees what its server answers.
func TestGoldenReaders(t *testing.T) {
	states, metrics, packets, objects, texts := sha256.New(), sha256.New(), sha256.New(), sha256.New(), sha256.New()
	names := rig.Names([]string{"front left", "front right", "rear left", "rear right", "heave", "slide"})
	scene, at := dash.Scripts(names)
	states.Write(scene)
	force, platform, board := watch.Force{}, watch.Motion{Names: []string{"front left", "front right", ""}}, watch.Board{Trends: true}
	laps := watch.Laps{Limit: 2, Length: 371}
	show := func(number uint64, f *frame.Frame, scene *frame.Scene) {
		state, text := at(number, f)
		states.Write(state)
		metrics.Write(text)
		s := &telemetry.Sample{Frame: f, Scene: scene, AngularAcceleration: [3]float64{0.1 * float64(number%7), -0.25, 1e-7}}
		for _, format := range []string{"json", "outgauge", "outsim", "forza", "beamng", "dirt", "simapi"} {
			packets.Write(telemetry.Append(nil, format, s))
		}
		force.Add(f)
		for _, v := range [][]byte{watch.Status(f, nil), force.Describe(f), platform.Describe(f)} {
			objects.Write(v)
		}
		lines := append(append(force.Lines(f, 100), platform.Lines(f)...), watch.StatusLine(f), force.Line(f), platform.Line(f), laps.Line(f))
		for _, l := range board.Lines(f, watch.Words{}, 120, 60) {
			lines = append(lines, l.Text)
		}
		io.WriteString(texts, strings.Join(lines, "\n"))
	}
	show(0, &frame.Frame{}, &frame.Scene{})
	drawn := &frame.Scene{
		Names: names, CarName: "coupe", TrackName: "<club>", LapLength: 371, Materials: []frame.Material{{}, {Rumble: 1}},
		Car: frame.Car{IdleRPM: 900, ShiftUpRPM: 6500, MaxRPM: 7000, SteerLock: 7.8, TankCapacity: 60, Radius: [2]float64{0.31, 0.32}, Travel: [2]float64{0.2, 0.21}, ForwardGears: 6},
	}
	for number, f := range frames(t) {
		show(number, f, drawn)
	}
	for _, got := range []struct {
		what string
		hash hash.Hash
		want string
	}{
		{"states of the page", states, "7de9c23b2ec2d10140622e397c0164e25f85079b642d5cf985bbe7b0a42c7a43"},
		{"metrics", metrics, "1181a1b4846ca82b9fc5386e9b46853e219b1b57659294acc377b2ca07b56b38"},
		{"packets", packets, "24546138f3e655a2f9025b599ff0d2018f2eeb176a802b151e13ca92ad1752dd"},
		{"objects", objects, "f37bb843d5ae7b7eb611f250deb578dfb712e72428e15ddf09a0c64687a5c640"},
		{"texts", texts, "275225ee27ec7aa4ff815fa4160a41b6a651228b01e7c38b28b8c8b1ba36731d"},
	} {
		if sum := fmt.Sprintf("%x", got.hash.Sum(nil)); sum != got.want {
			t.Errorf("%s: hash %s, want %s", got.what, sum, got.want)
		}
	}
}

// frames drives a lap of the demo on a small circuit, with a wheel that has effects of its own, a platform that tells of everything, a
// rain, faults, a pause and a stop, and yields some 400 frames, each with its number. The figures of window,
// sound and recorder are those of no device. The frames are the same in each call.
func frames(t *testing.T) iter.Seq2[uint64, *frame.Frame] {
	t.Helper()
	parts, err := drivesetup.New(replaytest.Config(t, replaytest.Round), circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := drivesetup.DemoDriver(&parts.Drive.Setup)
	if err != nil {
		t.Fatal(err)
	}
	const ticks, every = 52_000, 130
	return func(yield func(uint64, *frame.Frame) bool) {
		in := drive.Inputs{
			Wheel:    drive.Wheel{Present: true, Rated: 8, Rate: 400, Delay: 1e-3, OwnEffectsMax: 1, OwnEffectsNow: 0.3},
			Pedals:   drive.Pedals{Present: true},
			Platform: drive.Platform{Configured: true, Follows: true, Connected: true, State: uint64(motion.Active)},
		}
		in.Wheel.Angle = parts.Drive.UseDriverModel(model).Angle
		for tick := range uint64(ticks) {
			now := in
			at(tick, &now)
			now.FrameWanted = tick%every == 0
			out := parts.Drive.Step(&now)
			in.Wheel.Angle = out.Hands.Angle
			if now.FrameWanted {
				f := out.Frame
				showDevices(tick, &f)
				if !yield(tick, &f) {
					return
				}
			}
		}
	}
}

// at fills in what happens in a tick.
func at(tick uint64, in *drive.Inputs) {
	s := float64(tick) / 1000
	in.Operator.Start = tick > 500
	in.Window.Pictures = tick / 16
	switch {
	case tick >= 3000 && tick < 3200:
		in.Window.Keys = frame.KeyWetter
	case tick >= 3300 && tick < 3303:
		in.Buttons.Pressed = frame.KeyABSMore | frame.KeyTractionMore | frame.KeyStabilityMore
	case tick == 3500:
		in.Buttons.Pressed = frame.KeyLaunch
	case tick == 10_000, tick == 12_000:
		in.Buttons.Pressed = frame.KeyPit
	case tick == 4000, tick == 6000:
		in.Buttons.Pressed = frame.KeyPause
	case tick == 7000:
		in.Buttons.Pressed = frame.KeyGainLess
	case tick == 8000:
		in.Operator.Tune = drive.Tune{Factor: 3, Share: 0.4}
	case tick >= 9000 && tick < 9400:
		in.Platform.Faults, in.Platform.State, in.Platform.AwaitsHome = uint64(wire.FaultTemperature|wire.FaultFollow), uint64(motion.Fault), true
	case tick >= 51_000:
		in.Operator.Stops, in.Operator.StopBy = 1, 1
	}
	p := &in.Platform
	for i := range p.Feedback {
		x := math.Sin(s + float64(i))
		p.Target[i], p.Feedback[i], p.FollowError[i], p.Temperature[i] = 0.5+0.3*x, 0.5+0.28*x, -0.02*x, 30+float64(i)+s/10
	}
	for i := range p.Measured {
		p.Measured[i] = 0.01 * math.Sin(s-float64(i))
	}
	p.Rate, p.LineShare, p.Latency, p.Warnings = 500, 0.4+0.01*math.Sin(s), 0.0021, tick/10_000
	if tick < 2000 { // the platform tells nothing yet
		p.Rate, p.Latency, p.Target[1], p.Feedback[1], p.Measured[2] = 0, 0, math.NaN(), math.NaN(), math.NaN()
		p.Temperature[0] = math.NaN()
	}
	in.Loop = drive.Loop{Missed: tick / 700, Dropped: tick / 9000, Late: 3e-5, LateMax: 84e-6 * s, Cost: 61e-6 + 1e-6*math.Sin(s)}
}

// showDevices fills in what the rig adds to a drive's frame.
func showDevices(tick uint64, f *frame.Frame) {
	f.Due, f.Marks = int64(1e6*tick), tick/11_000
	if tick < 5000 {
		return
	}
	f.Display = frame.Display{Refresh: 60, P50: 0.01667, P99: 0.0181, RunP50: 0.0166, RunP99: 0.0193, Dropped: tick / 800, Age: 0.0123, Cockpit: 1}
	f.Sound = frame.Sound{Devices: 2, Underruns: tick / 12_000, Latency: 0.0314}
	f.Recorder = frame.Recorder{On: 1, Bytes: 1700 * tick, Missing: tick / 15_000}
}
