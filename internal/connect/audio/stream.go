package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/jfreymuth/pulse/proto"

	"rig.example/rig/internal/kit/valid"
)

// Values of a Config that are used for 0.
const (
	DefaultRate    = 48000                 // [Hz]
	DefaultLatency = 40 * time.Millisecond // 15 ms is possible, with more underruns on a busy machine
)

// Config says what a stream plays and where.
type Config struct {
	Sink    Sink          // device, as Sinks lists it
	Rate    int           // frames per second [Hz]; 0 is DefaultRate
	Latency time.Duration // wanted from Fill to the card; 0 is DefaultLatency
	Title   string        // for people and for the volume that the server remembers, such as "engine"

	// Fill writes the next samples: a whole number of frames of Sink.Channels samples each, in the order of the
	// device's channels. Full scale is -1 to 1; beyond it samples are limited, and NaN and Inf play as 0. What buf holds
	// before is undefined. Fill runs on the stream's goroutine and must not block.
	Fill func(buf []float32)
}

// Stream is a running stream. Its methods may be called from any goroutine except that of Fill.
type Stream struct {
	config    Config
	conn      *connection
	index     uint32 // of the stream at the server
	samples   []float32
	data      []byte
	wanted    atomic.Int64 // what the server has asked for and not yet got [bytes]
	wake      chan struct{}
	underruns atomic.Uint64
	done      chan struct{}
}

const sampleSize = 4 // [bytes]

// maxNames limits the names in a request [bytes]: package proto panics at requests of more than 1024 bytes.
const maxNames = 700

// Play starts a stream. It plays until Close, or until the server or the device is lost.
func Play(c Config) (*Stream, error) {
	if c.Rate == 0 {
		c.Rate = DefaultRate
	}
	if c.Latency == 0 {
		c.Latency = DefaultLatency
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &Stream{config: c, wake: make(chan struct{}, 1), done: make(chan struct{})}
	conn, err := connect(s.handle)
	if err != nil {
		return nil, fmt.Errorf("audio: %w", err)
	}
	s.conn = conn
	if err := s.create(); err != nil {
		conn.close()
		return nil, fmt.Errorf("audio: %w", err)
	}
	go s.run()
	return s, nil
}

// validate reports a Config that cannot be played.
func (c Config) validate() error {
	names := len(c.Sink.Name) + 2*len(c.Title) // as create writes them
	switch {
	case c.Sink.Channels < 1 || c.Sink.Channels != len(c.Sink.positions):
		return fmt.Errorf("audio: device %q with %d channels: must be one that Sinks lists", c.Sink.Name, c.Sink.Channels)
	case c.Fill == nil:
		return errors.New("audio: Fill is nil: must be a function that writes samples")
	case names > maxNames:
		return fmt.Errorf("audio: the name of device %q and twice the title %q have %d bytes: must be at most %d", c.Sink.Name, c.Title, names, maxNames)
	case c.Rate < 8000 || c.Rate > 192000:
		return fmt.Errorf("audio: rate %d Hz: must be 8000 to 192000", c.Rate)
	case c.Latency < time.Millisecond || c.Latency > 2*time.Second:
		return fmt.Errorf("audio: latency %v: must be 1ms to 2s", c.Latency)
	}
	return nil
}

// create opens the stream at the server, which plays as soon as its buffer is full for the first time.
func (s *Stream) create() error {
	c := &s.config
	frames := int(c.Latency * time.Duration(c.Rate) / time.Second)
	size := func(frames int) uint32 { return uint32(frames * s.frameSize()) }
	args := &proto.CreatePlaybackStream{
		SampleSpec: proto.SampleSpec{Format: proto.FormatFloat32LE, Channels: byte(c.Sink.Channels), Rate: uint32(c.Rate)},
		ChannelMap: proto.ChannelMap(c.Sink.positions),
		SinkIndex:  proto.Undefined,
		SinkName:   c.Sink.Name,

		BufferMaxLength:       proto.Undefined, // the server's own
		BufferTargetLength:    size(frames),
		BufferPrebufferLength: proto.Undefined, // a full buffer: one gap per underrun
		BufferMinimumRequest:  size(max(1, frames/4)),
		AdjustLatency:         true, // the length includes the card's buffer

		ChannelVolumes: make(proto.ChannelVolumes, c.Sink.Channels), // unused: the server remembers the user's volume
		NoRemap:        true,
		NoRemix:        true,
		NoMove:         true, // to another device, whose channels mean something else
		Properties: proto.PropList{
			"media.name":     proto.PropListString(c.Title),
			"application.id": proto.PropListString("rig." + c.Title), // the volume belongs to the title
		},
	}
	var reply proto.CreatePlaybackStreamReply
	err := s.conn.request("play on "+c.Sink.Name, args, &reply)
	if errors.Is(err, proto.ErrNoSuchEntity) {
		return fmt.Errorf("device %s not found; connect it or choose another", c.Sink.Name)
	}
	if err != nil {
		return err
	}
	s.index = reply.StreamIndex
	s.samples, s.data = make([]float32, frames*c.Sink.Channels), make([]byte, frames*s.frameSize())
	s.ask(reply.Missing)
	return nil
}

// frameSize returns the size of a frame [bytes].
func (s *Stream) frameSize() int { return s.config.Sink.Channels * sampleSize }

// handle takes a message of the server. It never waits.
func (s *Stream) handle(message any) {
	switch m := message.(type) {
	case *proto.Request:
		s.ask(m.Length)
	case *proto.Underflow:
		s.underruns.Add(1)
	case *proto.PlaybackStreamKilled:
		s.conn.stop(fmt.Errorf("device %s was removed; connect it again", s.config.Sink.Name))
	}
}

// ask notes that the server has asked for a number of bytes.
func (s *Stream) ask(size uint32) {
	s.wanted.Add(int64(size))
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run sends samples until the connection ends.
func (s *Stream) run() {
	defer close(s.done)
	for {
		select {
		case <-s.conn.ended:
			return
		case <-s.wake:
			s.send()
		}
	}
}

// send sends what the server has asked for, as far as it is whole frames.
func (s *Stream) send() {
	channels := s.config.Sink.Channels
	for frames := int(s.wanted.Load()) / s.frameSize(); frames > 0; {
		n := min(frames, len(s.samples)/channels)
		frames -= n
		samples, data := s.samples[:n*channels], s.data[:n*s.frameSize()]
		s.config.Fill(samples)
		encode(data, samples)
		s.wanted.Add(-int64(len(data)))
		if s.conn.client.Send(s.index, data) != nil {
			return
		}
	}
}

// encode writes samples to data as float32 in little endian.
func encode(data []byte, samples []float32) {
	for i, v := range samples {
		if !valid.Finite(float64(v)) {
			v = 0
		}
		binary.LittleEndian.PutUint32(data[i*sampleSize:], math.Float32bits(min(max(v, -1), 1)))
	}
}

// Latency returns how long it takes until the card plays a sample that Fill writes now, as the server measures it.
//
// It takes some 2 s at most. If the server does not answer by then, the stream ends, and the error says so: ask now and
// then to notice a server that hangs.
func (s *Stream) Latency() (time.Duration, error) {
	var r proto.GetPlaybackLatencyReply
	if err := s.conn.request("measure the latency", &proto.GetPlaybackLatency{StreamIndex: s.index}, &r); err != nil {
		return 0, fmt.Errorf("audio: %w", err)
	}
	frames := max(0, r.WriteIndex-r.ReadIndex) / int64(s.frameSize())
	queue := time.Duration(frames) * time.Second / time.Duration(s.config.Rate)
	return queue + time.Duration(r.Latency)*time.Microsecond, nil
}

// Underruns returns how often the server had nothing to play because Fill or the machine was late.
func (s *Stream) Underruns() uint64 { return s.underruns.Load() }

// Done returns a channel that is closed when the stream has ended. Fill is not called after that.
func (s *Stream) Done() <-chan struct{} { return s.done }

// Err returns why the stream ended, or nil if it still plays or if Close ended it.
func (s *Stream) Err() error {
	select {
	case <-s.done:
		if s.conn.cause != nil {
			return fmt.Errorf("audio: %w", s.conn.cause)
		}
	default:
	}
	return nil
}

// Close ends the stream at once and waits until Fill has returned. It returns what Err returns, and may be called
// again.
func (s *Stream) Close() error {
	s.conn.stop(nil)
	<-s.done
	return s.Err()
}
