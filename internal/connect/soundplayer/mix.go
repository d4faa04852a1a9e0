package soundplayer

import (
	"fmt"
	"sync/atomic"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/sound"
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

// newMix returns what plays on a device, whose name in the configuration is name. unusable says which shakers cannot hang
// on it; they are left out.
func newMix(o Options, name string, sink audio.Sink, car sound.Car, shakers []*sound.Shaker) (m *mix, unusable []error) {
	m = &mix{channels: sink.Channels, left: sink.Left, right: sink.Right, at: sound.TickSamples}
	if o.On && o.Sound.Device == name {
		m.synth = sound.NewSynth(o.Sound, car)
	}
	for i, k := range o.Shakers {
		if k.Device != name {
			continue
		}
		if err := CheckChannel(k, i, sink, m.synth != nil); err != nil {
			unusable = append(unusable, err)
			continue
		}
		m.shakers = append(m.shakers, placed{Shaker: shakers[i], channel: k.Channel - 1})
	}
	return m, unusable
}

// CheckChannel returns an error if shaker number i cannot hang on its channel of a device; hasSound tells that the sound
// plays there too.
func CheckChannel(k sound.ShakerConfig, i int, sink audio.Sink, hasSound bool) error {
	switch {
	case k.Channel > sink.Channels:
		return fmt.Errorf("%s has %d channels, and shaker %s is at channel %d; set shaker.channel", sink.Name, sink.Channels, ShakerName(k, i), k.Channel)
	case hasSound && (k.Channel-1 == sink.Left || k.Channel-1 == sink.Right):
		return fmt.Errorf("the sound plays on channel %d of %s, where shaker %s is; set shaker.channel, shaker.device or sound.device", k.Channel, sink.Name, ShakerName(k, i))
	}
	return nil
}

// ShakerName returns what messages call shaker number i.
func ShakerName(k sound.ShakerConfig, i int) string {
	if k.Name != "" {
		return k.Name
	}
	return fmt.Sprintf("%d (%s)", i+1, k.Place)
}

// fill writes the next samples of all channels to buf. It does not allocate.
func (m *mix) fill(buf []float32) {
	clear(buf)
	m.from.begin((len(buf)/m.channels + sound.TickSamples - 1) / sound.TickSamples)
	for ; len(buf) > 0; buf = buf[m.channels:] {
		if m.at == sound.TickSamples {
			m.tick()
		}
		if m.synth != nil {
			left, right := m.stereo[2*m.at], m.stereo[2*m.at+1]
			if m.left == m.right { // one channel, which must not get louder than the ceiling
				left, right = (left+right)/2, 0
			}
			buf[m.left] += left
			buf[m.right] += right
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
