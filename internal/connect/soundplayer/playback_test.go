package soundplayer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-audio/wav"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/audio/audiotest"
	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// options play the engine alone, and two shakers, on channels of which the test's device has none in front.
func options() Options {
	c := sound.DefaultConfig()
	c.Volume = sound.Volume{All: 1, Engine: 1}
	off := sound.Effect{GainDB: -60}
	engine := sound.ShakerConfig{Place: "seat", Channel: 2, Road: off, Kerb: off, Slip: off, LockUp: off, ABS: off, Shift: off, Contact: off, Bottoming: off}
	kerb := engine
	kerb.Place, kerb.Channel, kerb.Engine, kerb.Kerb = "pedals", 4, off, sound.Effect{}
	return Options{Sound: c, On: true, Shakers: []sound.ShakerConfig{engine, kerb}}
}

func testMix(t *testing.T, f *feed) *mix {
	t.Helper()
	d := newPlayer(options(), "", sound.ExampleCar(), f, nil)
	m, unusable := newMix(d.options, "", audio.Sink{Name: "test", Channels: 4, Left: 0, Right: 2}, d.car, d.shakers)
	if unusable != nil {
		t.Fatal(unusable)
	}
	m.from, m.age = f.reader(), &atomic.Int64{}
	return m
}

// scene is the ground and the car of the tests: four cylinders on a kerb with a tooth each half metre.
func scene() *frame.Scene {
	return &frame.Scene{
		Materials: []frame.Material{{Name: "kerb", Sound: "kerb", Pitch: 0.5, Height: 0.02}},
		Car:       frame.Car{Cylinders: 4, IdleRPM: 800, MaxRPM: 7000, PeakTorque: 300, Wheelbase: 2.6},
	}
}

// frameAt is a frame of a car at 2400 rpm and 25 m/s on a kerb: it fires 80 times a second, and meets 50 teeth.
func frameAt(tick uint64) *frame.Frame {
	f := &frame.Frame{Tick: tick, State: uint64(guard.Driving), Flags: frame.EngineRunning, RPM: 2400, Throttle: 0.6, EngineTorque: 150, Speed: 25, Gear: 3, Charge: math.NaN(), Fuel: math.NaN()}
	for i := range f.Wheels {
		f.Wheels[i].Load = 3500
	}
	return f
}

// tone returns the amplitude of a frequency in a channel of samples.
func tone(samples []float32, channels, channel int, hz float64) float64 {
	var re, im float64
	n := len(samples) / channels
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * hz * float64(i) / sound.Rate)
		w := 1 - math.Cos(2*math.Pi*float64(i)/float64(n))
		v := w * float64(samples[i*channels+channel])
		re, im = re+v*cos, im+v*sin
	}
	return 2 * math.Hypot(re, im) / float64(n)
}

// publish publishes frames until ctx ends.
func publish(ctx context.Context, p *framepage.Page) {
	every := time.NewTicker(time.Millisecond)
	defer every.Stop()
	for tick := uint64(1); ctx.Err() == nil; tick++ {
		<-every.C
		p.Publish(frameAt(tick))
	}
}

// On a real server the engine is heard on both front channels, and felt on the channel of its shaker alone; the kerb on
// that of the other.
func TestADriveIsHeardAndFelt(t *testing.T) {
	level.SkipIfQuick(t)
	server := audiotest.Start(t, 4)
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.SetScene(scene()); err != nil {
		t.Fatal(err)
	}
	o := options()
	o.buffer = 500 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	near, far := net.Pipe()
	var log bytes.Buffer
	var wg sync.WaitGroup
	defer wg.Wait()
	defer near.Close()
	defer cancel()
	wg.Go(func() { publish(ctx, p) })
	wg.Go(func() {
		if err := Run(ctx, p, far, o, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
			t.Error(err)
		}
	})
	told := json.NewDecoder(near)
	var now frame.Sound
	for now.Devices == 0 {
		if err := told.Decode(&now); err != nil {
			t.Fatal(err)
		}
	}
	samples := undisturbed(t, server, told)
	cancel()
	near.Close()
	wg.Wait()
	list, err := audio.Sinks()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	left, right := list[0].Left, list[0].Right
	for _, c := range []struct {
		channel int
		hz      float64
		heard   bool
	}{{left, 80, true}, {right, 80, true}, {left, 160, true}, {left, 50, false}, {1, 80, true}, {1, 160, false}, {3, 50, true}, {3, 80, false}} {
		if a := tone(samples, 4, c.channel, c.hz); (a > 0.01) != c.heard {
			t.Errorf("channel %d, %g Hz: amplitude %g, heard %t", c.channel, c.hz, a, c.heard)
		}
	}
	if now.Latency <= 0 || now.Latency > 60 {
		t.Errorf("latency %g s", now.Latency)
	}
	t.Logf("%.1f ms from a tick to the card, %s", now.Latency*1e3, log.String())
}

// undisturbed records half a second in which the player told of no underrun; a busy machine has some.
func undisturbed(t *testing.T, server *audiotest.Server, told *json.Decoder) []float32 {
	t.Helper()
	var before, after frame.Sound
	for range 60 {
		if err := told.Decode(&before); err != nil {
			t.Fatal(err)
		}
		samples := server.Record(t, 0.5)
		if err := told.Decode(&after); err != nil {
			t.Fatal(err)
		}
		if after.Underruns == before.Underruns && after.Devices == before.Devices {
			return samples
		}
	}
	t.Fatal("no half second without an underrun in 60")
	return nil
}

// lines is a log that a test may read while it is written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Without a server that is said once, and the process goes on; where one starts later it plays.
func TestAServerThatStartsLater(t *testing.T) {
	t.Setenv("PULSE_SERVER", filepath.Join(t.TempDir(), "none"))
	log := &lines{}
	d := newPlayer(options(), "", sound.NewCar(scene()), &feed{}, slog.New(slog.NewTextHandler(log, nil)))
	d.retry = time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { d.run(ctx) })
	for log.String() == "" {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // it tries again meanwhile
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "no sound server answers") {
		t.Errorf("%d lines: %s", n, log)
	}
	audiotest.Start(t, 4)
	for d.stream.Load() == nil {
		time.Sleep(time.Millisecond)
	}
	cancel()
	wg.Wait()
}

// A shaker that cannot hang on its channel is left out with a reason; sound and other shakers play on.
func TestChannelsThatCannotBe(t *testing.T) {
	o := options()
	d := newPlayer(o, "", sound.ExampleCar(), &feed{}, nil)
	for _, tt := range []struct {
		name string
		sink audio.Sink
		want string
		left int // shakers
	}{
		{"too few", audio.Sink{Name: "card", Channels: 3, Right: 2}, "card has 3 channels, and shaker 2 (pedals) is at channel 4; set shaker.channel", 1},
		{"the sound's", audio.Sink{Name: "card", Channels: 4, Right: 1}, "the sound plays on channel 2 of card, where shaker 1 (seat) is; set shaker.channel, shaker.device or sound.device", 1},
		{"fitting", audio.Sink{Name: "card", Channels: 4, Right: 2}, "", 2},
	} {
		m, unusable := newMix(o, "", tt.sink, d.car, d.shakers)
		got := ""
		if err := errors.Join(unusable...); err != nil {
			got = err.Error()
		}
		if got != tt.want || len(m.shakers) != tt.left || m.synth == nil {
			t.Errorf("%s: %q, %d shakers, want %q", tt.name, got, len(m.shakers), tt.want)
		}
	}
}

// A device of one channel gets the mean of both sides, so that it keeps to the ceiling.
func TestMonoKeepsToTheCeiling(t *testing.T) {
	o := options()
	o.Shakers, o.Sound.CeilingDB, o.Sound.Volume.Engine = nil, -20, 4
	f := &feed{}
	m, _ := newMix(o, "", audio.Sink{Name: "headset", Channels: 1}, sound.ExampleCar(), nil)
	m.from, m.age = f.reader(), &atomic.Int64{}
	tracker := sound.NewTracker(sound.ExampleCar())
	highest, buf := 0.0, make([]float32, 48)
	for n := range 1000 {
		var s sound.Sense
		tracker.Next(frameAt(uint64(n)), &s)
		f.add(tick{sense: s})
		m.fill(buf)
		for _, v := range buf {
			highest = max(highest, math.Abs(float64(v)))
		}
	}
	if highest > 0.1001 || highest < 0.05 {
		t.Errorf("up to %g, want just below 0.1", highest)
	}
}

// The buffers are as long as the configuration says.
func TestLatencies(t *testing.T) {
	o := options()
	if o.latency() != 40*time.Millisecond {
		t.Errorf("%v", o.latency())
	}
	if o.Sound.LowLatency = true; o.latency() != 15*time.Millisecond {
		t.Errorf("low: %v", o.latency())
	}
}

// The end of a drive does not wait for a server that hangs.
func TestAHungServerDelaysNoEnd(t *testing.T) {
	level.SkipIfQuick(t)
	server := audiotest.Start(t, 4)
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SetScene(scene()); err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	defer near.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, p, far, options(), slog.New(slog.DiscardHandler)) }()
	var now frame.Sound
	for told := json.NewDecoder(near); now.Devices == 0; {
		if err := told.Decode(&now); err != nil {
			t.Fatal(err)
		}
	}
	server.Hang(t)
	began := time.Now()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	t.Logf("ended %v after the order", time.Since(began)) // the server would be given up after 2 s and more
}

// BenchmarkBlock is 10 ms of sound and two shakers: of all sounds at once, and of a car that stands still.
func BenchmarkBlock(b *testing.B) {
	for name, f := range map[string]*frame.Frame{"loud": frameAt(1), "still": {State: uint64(guard.Driving), Flags: frame.EngineRunning, RPM: 800}} {
		b.Run(name, func(b *testing.B) {
			feed, d := &feed{}, newPlayer(Options{Sound: sound.DefaultConfig(), On: true, Shakers: options().Shakers}, "", sound.NewCar(scene()), nil, nil)
			m, _ := newMix(d.options, "", audio.Sink{Channels: 4, Right: 2}, d.car, d.shakers)
			m.from, m.age = feed.reader(), &atomic.Int64{}
			tracker, buf := sound.NewTracker(d.car), make([]float32, 4*480)
			var s sound.Sense
			block := func() {
				for range 10 {
					tracker.Next(f, &s)
					feed.add(tick{sense: s})
				}
				m.fill(buf)
			}
			for range 500 { // 5 s
				block()
			}
			b.ReportAllocs()
			for b.Loop() {
				block()
			}
		})
	}
}

// A file holds 48 samples for each tick of each channel, and what was heard and felt.
func TestWAV(t *testing.T) {
	const ticks = 1500
	paths := [2]string{filepath.Join(t.TempDir(), "drive.wav"), filepath.Join(t.TempDir(), "drive-shakers.wav")}
	var files [2]*os.File
	for i, path := range paths {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	w := NewWAV(files[0], files[1], options(), sound.NewCar(scene()))
	for tick := range ticks {
		if _, err := w.Tick(frameAt(uint64(tick))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	heard := [2][2]float64{{80, 80}, {80, 50}} // [Hz], by file and channel
	for i, f := range files {
		f.Close()
		in, err := os.Open(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		d := wav.NewDecoder(in)
		b, err := d.FullPCMBuffer()
		if err != nil || d.SampleRate != 48000 || d.BitDepth != 16 || b.NumFrames() != ticks*48 || b.Format.NumChannels != 2 {
			t.Fatalf("%v, %d Hz, %d bits, %d frames of %d channels", err, d.SampleRate, d.BitDepth, b.NumFrames(), b.Format.NumChannels)
		}
		var samples []float32
		for _, v := range b.Data {
			samples = append(samples, float32(v)/math.MaxInt16)
		}
		for channel, hz := range heard[i] {
			if a := tone(samples, 2, channel, hz); a < 0.01 {
				t.Errorf("file %d, channel %d: %g at %g Hz", i, channel, a, hz)
			}
		}
	}
}

// A drive that does not fit is refused before it is driven again.
func TestADriveThatIsTooLongForAFile(t *testing.T) {
	const hour = 3600_000
	if err := CheckWAV(6*hour, 0); err != nil {
		t.Error(err)
	}
	if err := CheckWAV(hour, 16); err == nil || err.Error() != "3600 s are too long for a WAV file with 16 channels: 2796 s fit; record shorter drives" {
		t.Errorf("%v", err)
	}
}

// A trial plays its ticks on the shaker's channel, tells of each, and ends.
func TestATrialPlays(t *testing.T) {
	level.SkipIfQuick(t)
	server := audiotest.Start(t, 4)
	k := sound.ShakerConfig{Place: "seat", Channel: 4}
	maker := sound.NewShaker(k, sound.ExampleCar())
	trial := Trial{Config: k, Ticks: 600_000, Step: func(_ int, out *sound.Mono) *sound.Shaker {
		maker.Tone(out, 60, 0.5)
		return maker
	}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var samples []float32
	var wg sync.WaitGroup
	var once sync.Once
	strongest := 0.0
	err := trial.Play(ctx, func(n Now) {
		if strongest = max(strongest, n.Peak); strongest < 0.3 {
			return
		}
		once.Do(func() {
			wg.Go(func() { samples = server.Record(t, 0.5); cancel() })
		})
	})
	wg.Wait()
	if a := tone(samples, 4, 3, 60); err != nil || a < 0.02 || tone(samples, 4, 0, 60) > 1e-4 {
		t.Errorf("%v; channel 4: %g, channel 1: %g", err, a, tone(samples, 4, 0, 60))
	}
	trial.Ticks = 50
	last := Now{}
	if err := trial.Play(t.Context(), func(n Now) { last = n }); err != nil || last.Tick > 50 {
		t.Errorf("%v, ended at tick %d", err, last.Tick)
	}
}
