package soundplayer

import (
	"fmt"
	"io"
	"math"

	goaudio "github.com/go-audio/audio"
	"github.com/go-audio/wav"

	"rig.example/rig/internal/connect/sound"
	"rig.example/rig/internal/core/frame"
)

// WAV writes what a drive sounds like, tick by tick, to a file of 16 bits and 48 kHz with two channels; and what its
// shakers do to another one, with a channel for each.
type WAV struct {
	tracker *sound.Tracker
	synth   *sound.Synth
	shakers []*sound.Shaker
	sound   *wavFile
	shaking *wavFile // nil without shakers
	sense   sound.Sense
	stereo  sound.Stereo
	mono    sound.Mono
}

// CheckWAV returns an error if a drive is too long for a file, whose size is a number of 32 bits.
func CheckWAV(ticks uint64, shakers int) error {
	const sample, maxBytes = 2, math.MaxUint32 - 1024
	if bytes := float64(ticks) * sound.TickSamples * sample * float64(max(shakers, 2)); bytes > maxBytes {
		return fmt.Errorf("%.0f s are too long for a WAV file with %d channels: %.0f s fit; record shorter drives", float64(ticks)/1000, max(shakers, 2), float64(ticks)/1000*maxBytes/bytes)
	}
	return nil
}

// NewWAV returns a WAV that writes to out, and to shaking if o has shakers.
func NewWAV(out, shaking io.WriteSeeker, o Options, car sound.Car) *WAV {
	w := &WAV{tracker: sound.NewTracker(car), synth: sound.NewSynth(o.Sound, car), sound: newWAVFile(out, 2)}
	for _, k := range o.Shakers {
		w.shakers = append(w.shakers, sound.NewShaker(k, car))
	}
	if len(w.shakers) > 0 {
		w.shaking = newWAVFile(shaking, len(w.shakers))
	}
	return w
}

// Tick writes a tick, and returns the sound of it, valid until the next one.
func (w *WAV) Tick(f *frame.Frame) (*sound.Stereo, error) {
	w.tracker.Next(f, &w.sense)
	w.synth.Step(&w.stereo, &w.sense)
	for i, v := range w.stereo {
		w.sound.set(i, v)
	}
	if err := w.sound.write(); err != nil || w.shaking == nil {
		return &w.stereo, err
	}
	for n, k := range w.shakers {
		k.Step(&w.mono, &w.sense)
		for i, v := range w.mono {
			w.shaking.set(i*len(w.shakers)+n, v)
		}
	}
	return &w.stereo, w.shaking.write()
}

// Close completes the files; it does not close what they were written to.
func (w *WAV) Close() error {
	if err := w.sound.Close(); err != nil || w.shaking == nil {
		return err
	}
	return w.shaking.Close()
}

// wavFile is one file, written a tick at a time.
type wavFile struct {
	*wav.Encoder
	tick goaudio.IntBuffer
}

func newWAVFile(out io.WriteSeeker, channels int) *wavFile {
	const bits, pcm = 16, 1
	return &wavFile{wav.NewEncoder(out, sound.Rate, bits, channels, pcm), goaudio.IntBuffer{
		Format: &goaudio.Format{NumChannels: channels, SampleRate: sound.Rate}, Data: make([]int, channels*sound.TickSamples), SourceBitDepth: bits,
	}}
}

// set sets sample i of the tick.
func (w *wavFile) set(i int, v float32) { w.tick.Data[i] = int(math.Round(float64(v) * math.MaxInt16)) }

func (w *wavFile) write() error { return w.Write(&w.tick) }
