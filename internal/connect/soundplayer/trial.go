package soundplayer

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/kit/latest"
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

// Play plays to the end, or until ctx ends; either way the shaker fades out. It calls show ten times a second.
func (t *Trial) Play(ctx context.Context, show func(Now)) error {
	list, err := audio.Sinks()
	if err != nil {
		return err
	}
	sink, err := audio.Find(list, t.Config.Device)
	if err == nil {
		err = CheckChannel(t.Config, 0, sink, false)
	}
	if err != nil {
		return err
	}
	source := &trialSource{trial: t, channels: sink.Channels, channel: t.Config.Channel - 1, at: sound.TickSamples, fade: 1}
	s, err := audio.Play(audio.Config{Sink: sink, Title: "shaker", Fill: source.fill})
	if err != nil {
		return err
	}
	every := time.NewTicker(100 * time.Millisecond)
	defer every.Stop()
	leaving := ctx.Done()
	for !source.faded.Load() {
		select {
		case <-leaving:
			source.ends.Store(true)
			leaving = nil
		case <-s.Done():
			return s.Close()
		case <-every.C:
			latency, err := s.Latency() // finds a server that hangs
			if err != nil {
				return errors.Join(err, s.Close())
			}
			felt := int(source.tick.Load()) - int(latency.Milliseconds())
			show(Now{min(max(felt, 0), t.Ticks), source.peak.Load(), source.heat.Load()})
		}
	}
	if latency, err := s.Latency(); err == nil { // what was written is still to be played
		time.Sleep(latency)
	}
	return s.Close()
}

// trialSource makes the samples of a trial.
type trialSource struct {
	trial             *Trial
	channels, channel int
	now               sound.Mono
	at                int          // next sample of the tick
	fade              float32      // 1, and 0 after the end
	tick              atomic.Int64 // next one
	peak, heat        latest.Float
	ends              atomic.Bool // the trial is to end early
	faded             atomic.Bool
}

// fadeSamples is how long the fade at the end takes [samples].
const fadeSamples = 20 * sound.TickSamples

func (t *trialSource) fill(buf []float32) {
	clear(buf)
	for ; len(buf) > 0; buf = buf[t.channels:] {
		if t.at == sound.TickSamples {
			t.at, t.now = 0, sound.Mono{}
			if !t.faded.Load() {
				peak, heat := t.trial.Step(int(t.tick.Load()), &t.now).Level()
				t.peak.Store(peak)
				t.heat.Store(heat)
				t.tick.Add(1)
			}
		}
		if t.ends.Load() || int(t.tick.Load()) > t.trial.Ticks-fadeSamples/sound.TickSamples {
			t.fade = max(t.fade-1.0/fadeSamples, 0)
			t.faded.Store(t.fade == 0)
		}
		buf[t.channel] = t.fade * t.now[t.at]
		t.at++
	}
}
