package playback

import (
	"context"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/audio"
	"rig.example/rig/internal/latest"
	"rig.example/rig/internal/sound"
)

// Trial plays one shaker without a drive.
type Trial struct {
	Config sound.ShakerConfig
	Ticks  int // how long it plays [ms]

	// Step writes a tick to out, and returns the shaker that made it.
	Step func(tick int, out *sound.Mono) *sound.Shaker
}

// Now is what a trial does at a moment.
type Now struct {
	Tick int     // that is felt now
	Peak float64 // level, 0..1
	Heat float64 // of the voice coil; 1 is the limit
}

// Play plays to the end, or until ctx ends. It calls show ten times a second.
func (t *Trial) Play(ctx context.Context, show func(Now)) error {
	list, err := audio.Sinks()
	if err != nil {
		return err
	}
	sink, err := audio.Find(list, t.Config.Device)
	if err != nil {
		return err
	}
	m, err := newMix(Options{Shakers: []sound.ShakerConfig{t.Config}}, t.Config.Device, sink, sound.ExampleCar())
	if err != nil {
		return err
	}
	source := &trialSource{trial: t, channels: m.channels, channel: m.shakers[0].channel, at: sound.TickSamples}
	const latency = 40 * time.Millisecond
	s, err := audio.Play(audio.Config{Sink: sink, Latency: latency, Title: "shaker", Fill: source.fill})
	if err != nil {
		return err
	}
	every := time.NewTicker(100 * time.Millisecond)
	defer every.Stop()
	for int(source.tick.Load()) < t.Ticks+int(latency.Milliseconds()) {
		select {
		case <-ctx.Done():
			return s.Close()
		case <-s.Done():
			return s.Close()
		case <-every.C:
			show(Now{min(int(source.tick.Load()), t.Ticks), source.peak.Load(), source.heat.Load()})
		}
	}
	return s.Close()
}

// trialSource makes the samples of a trial.
type trialSource struct {
	trial             *Trial
	channels, channel int
	now               sound.Mono
	at                int          // next sample of the tick
	tick              atomic.Int64 // next one
	peak, heat        latest.Float
}

func (t *trialSource) fill(buf []float32) {
	clear(buf)
	for ; len(buf) > 0; buf = buf[t.channels:] {
		if t.at == sound.TickSamples {
			t.at, t.now = 0, sound.Mono{}
			tick := int(t.tick.Load())
			if tick < t.trial.Ticks {
				peak, heat := t.trial.Step(tick, &t.now).Level()
				t.peak.Store(peak)
				t.heat.Store(heat)
			}
			t.tick.Store(int64(tick + 1))
		}
		buf[t.channel] = t.now[t.at]
		t.at++
	}
}
