package audio_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/audio/audiotest"
	"rig.example/rig/test/level"
)

// only returns the only device of the server, and checks what Sinks says of it.
func only(t *testing.T, channels, right int) audio.Sink {
	t.Helper()
	list, err := audio.Sinks()
	if err != nil {
		t.Fatal(err)
	}
	s, err := audio.Find(list, "TEST")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || s.Name != audiotest.SinkName || s.Rate != audiotest.Rate || !s.Default || s.Channels != channels || s.Left != 0 || s.Right != right {
		t.Errorf("devices %+v, want one with %d channels and the front right at %d", list, channels, right)
	}
	return s
}

// play plays the tone. It closes playing once the server has asked for more than it can hold, so that the device plays.
func play(t *testing.T, c audio.Config) (s *audio.Stream, playing chan struct{}) {
	t.Helper()
	playing = make(chan struct{})
	frame, enough := 0, int((c.Latency+250*time.Millisecond).Seconds()*audiotest.Rate)
	c.Fill = func(buf []float32) {
		if frame >= enough {
			enough = math.MaxInt
			close(playing)
		}
		clear(buf)
		for at := 0; at < len(buf); at += c.Sink.Channels {
			second := float64(frame) / audiotest.Rate
			buf[at] = float32(leftPeak * math.Sin(2*math.Pi*leftHz*second))
			buf[at+c.Sink.Channels-1] = float32(lastPeak * math.Sin(2*math.Pi*lastHz*second))
			frame++
		}
	}
	s, err := audio.Play(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, playing
}

// The tone: frequencies [Hz] and amplitudes of the first and of the last channel.
const (
	leftHz, leftPeak = 440, 0.5
	lastHz, lastPeak = 1000, 0.25
)

// amplitude returns that of a frequency [Hz] in one of some channels, by Goertzel's algorithm. It is exact if sound
// holds whole periods.
func amplitude(sound []float32, channel, channels int, hz float64) float64 {
	k := 2 * math.Cos(2*math.Pi*hz/audiotest.Rate)
	var s1, s2 float64
	for at := channel; at < len(sound); at += channels {
		s1, s2 = k*s1-s2+float64(sound[at]), s1
	}
	power := s1*s1 + s2*s2 - k*s1*s2
	return 2 * math.Sqrt(max(0, power)) / float64(len(sound)/channels)
}

// peak returns the largest absolute sample of a channel.
func peak(sound []float32, channel, channels int) (largest float64) {
	for at := channel; at < len(sound); at += channels {
		largest = max(largest, math.Abs(float64(sound[at])))
	}
	return largest
}

// hearTone checks that the device plays the tone on the first and another channel, and nothing on the rest. Gaps of
// an underrun do not count: it listens again if there was one.
func hearTone(t *testing.T, server *audiotest.Server, s *audio.Stream, channels, last int) {
	t.Helper()
	var faults []string
	for range 50 {
		sound := server.Record(t, 0.25)
		if _, err := s.Latency(); err != nil { // the answer comes after the reports of underruns
			t.Fatal(err)
		}
		faults = toneFaults(sound, channels, last)
		if len(faults) == 0 || s.Underruns() == 0 {
			break
		}
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}

// toneFaults returns how a sound differs from the tone on two channels and silence on the others.
func toneFaults(sound []float32, channels, last int) (faults []string) {
	want := make([][2]float64, channels) // amplitudes at both frequencies
	want[0][0], want[last][1] = leftPeak, lastPeak
	for ch, w := range want {
		for i, hz := range []float64{leftHz, lastHz} {
			if got := amplitude(sound, ch, channels, hz); math.Abs(got-w[i]) > 0.002 {
				faults = append(faults, fmt.Sprintf("channel %d of %d has an amplitude of %.4f at %g Hz, want %.4f", ch, channels, got, hz, w[i]))
			}
		}
		if got := peak(sound, ch, channels); w[0]+w[1] == 0 && got != 0 {
			faults = append(faults, fmt.Sprintf("channel %d of %d plays up to %g, want silence", ch, channels, got))
		}
	}
	return faults
}

func TestEachSampleReachesItsChannel(t *testing.T) {
	level.SkipIfQuick(t)
	server := audiotest.Start(t, 4)
	s := only(t, 4, 2) // front left, front center, front right, rear center
	stream, playing := play(t, audio.Config{Sink: s, Latency: 200 * time.Millisecond})
	<-playing
	hearTone(t, server, stream, 4, 3)
	if err := stream.Close(); err != nil {
		t.Error(err)
	}
}

// A device that has got more channels since it was listed gets nothing on those: the server must not copy.
func TestOldChannelsAreNotCopiedToNewOnes(t *testing.T) {
	level.SkipIfQuick(t)
	audiotest.Start(t, 2)
	old := only(t, 2, 1)
	server := audiotest.Start(t, 4)
	stream, playing := play(t, audio.Config{Sink: old, Latency: 200 * time.Millisecond})
	<-playing
	hearTone(t, server, stream, 4, 1)
}

// The device of the test renders up to 50 ms at once. A stream that is late has less in its buffer, but never more.
func TestLatencyFollowsTheConfig(t *testing.T) {
	level.SkipIfQuick(t)
	audiotest.Start(t, 2)
	s := only(t, 2, 1)
	const low, high, device = 15 * time.Millisecond, 400 * time.Millisecond, 50 * time.Millisecond
	for _, wanted := range []time.Duration{low, high} {
		stream, playing := play(t, audio.Config{Sink: s, Latency: wanted})
		<-playing
		var largest time.Duration
		for i := 0; i < 20 || i < 1000 && wanted == high && largest <= low+device; i++ {
			got, err := stream.Latency()
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, got)
		}
		t.Logf("%v wanted: up to %v", wanted, largest)
		if largest > wanted+device || wanted == high && largest <= low+device {
			t.Errorf("latency up to %v, wanted %v", largest, wanted)
		}
		stream.Close()
	}
}

func TestWhatCannotBePlayed(t *testing.T) {
	audiotest.Start(t, 4)
	s := only(t, 4, 2)
	fill := func([]float32) {}
	for _, tt := range []struct {
		name string
		c    audio.Config
		err  string
	}{
		{"no device", audio.Config{Fill: fill}, `device "" with 0 channels: must be one that Sinks lists`},
		{"no Fill", audio.Config{Sink: s}, "Fill is nil"},
		{"long title", audio.Config{Sink: s, Fill: fill, Title: strings.Repeat("x", audio.MaxNames/2)}, "must be at most"},
		{"rate", audio.Config{Sink: s, Fill: fill, Rate: 300}, "rate 300 Hz: must be 8000 to 192000"},
		{"latency", audio.Config{Sink: s, Fill: fill, Latency: time.Microsecond}, "latency 1µs: must be 1ms to 2s"},
	} {
		if _, err := audio.Play(tt.c); err == nil {
			t.Errorf("%s: plays", tt.name)
		} else {
			isOneLine(t, err, tt.err)
		}
	}
	other := s
	other.Name = "unplugged"
	_, err := audio.Play(audio.Config{Sink: other, Fill: fill})
	isOneLine(t, err, "device unplugged not found")
	hasNoGoroutine(t)
}

// The longest names on the most channels make a request that the client of the protocol can just hold.
func TestTheLongestRequest(t *testing.T) {
	audiotest.Start(t, 32)
	s := only(t, 32, 3)
	stream, playing := play(t, audio.Config{Sink: s, Title: strings.Repeat("x", (audio.MaxNames-len(s.Name))/2)})
	<-playing
	if err := stream.Close(); err != nil {
		t.Error(err)
	}
}
