package playback

import (
	"fmt"
	"sync/atomic"

	"rig.example/rig/internal/audio"
	"rig.example/rig/internal/sound"
)

// mix makes the samples of one device: the sound on its two front channels, each shaker on its own.
type mix struct {
	channels    int
	synth       *sound.Synth // nil if the sound plays elsewhere, or nowhere
	left, right int
	shakers     []placed
	from        *reader
	age         *atomic.Int64 // of the newest state in a buffer [ns]

	stereo sound.Stereo // of the present tick
	at     int          // next sample of the tick
}

// placed is a shaker and its channel, counted from 0.
type placed struct {
	*sound.Shaker
	channel int
	now     sound.Mono
}

// newMix returns what plays on a device; name is what the configuration calls it.
func newMix(o Options, name string, sink audio.Sink, car sound.Car) (*mix, error) {
	m := &mix{channels: sink.Channels, left: sink.Left, right: sink.Right, at: sound.TickSamples}
	if o.On && o.Sound.Device == name {
		m.synth = sound.NewSynth(o.Sound, car)
	}
	for i, k := range o.Shakers {
		if k.Device != name {
			continue
		}
		if k.Channel > sink.Channels {
			return nil, fmt.Errorf("%s has %d channels, and shaker %s is at channel %d; set shaker.channel", sink.Name, sink.Channels, ShakerName(k, i), k.Channel)
		}
		m.shakers = append(m.shakers, placed{Shaker: sound.NewShaker(k, car), channel: k.Channel - 1})
	}
	return m, nil
}

// ShakerName returns what messages call shaker number i.
func ShakerName(k sound.ShakerConfig, i int) string {
	if k.Name != "" {
		return k.Name
	}
	return fmt.Sprintf("%d (%s)", i+1, k.Place)
}

// fill writes the next samples of all channels to buf. It neither allocates nor waits.
func (m *mix) fill(buf []float32) {
	clear(buf)
	m.from.begin((len(buf)/m.channels + sound.TickSamples - 1) / sound.TickSamples)
	for ; len(buf) > 0; buf = buf[m.channels:] {
		if m.at == sound.TickSamples {
			m.tick()
		}
		if m.synth != nil {
			buf[m.left] += m.stereo[2*m.at]
			buf[m.right] += m.stereo[2*m.at+1]
		}
		for i := range m.shakers {
			buf[m.shakers[i].channel] += m.shakers[i].now[m.at]
		}
		m.at++
	}
	m.age.Store(int64(m.from.age()))
}

// tick makes the samples of the next tick.
func (m *mix) tick() {
	m.at = 0
	s := m.from.next()
	if m.synth != nil {
		m.synth.Step(&m.stereo, s)
	}
	for i := range m.shakers {
		m.shakers[i].Step(&m.shakers[i].now, s)
	}
}
