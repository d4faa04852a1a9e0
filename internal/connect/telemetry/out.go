package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
)

// Source is where frames come from: a page.
type Source interface {
	Read(f *frame.Frame) bool // copies the newest frame; false if there is none yet
	Seq() uint64              // number of frames so far
}

// target takes the packets of one output.
type target interface {
	send(packet []byte) error // must not block for long
	close() error
}

// Run sends to every output until ctx ends. A reader that is absent, slow or refuses costs nobody anything: what it does
// not take is lost, and counted in stats.
func Run(ctx context.Context, src Source, scene *frame.Scene, cfg Config, log *slog.Logger, stats *Stats) {
	var sending sync.WaitGroup
	for i, o := range cfg.Outs {
		s := &sender{source: src, out: o, log: log, stats: &stats.outs[i], sample: Sample{Frame: &frame.Frame{}, Scene: scene}}
		open := s.dial
		if o.Format == formatSimAPI {
			open = func(context.Context) (target, error) { return openSimAPI(simAPIPath) }
		}
		sending.Go(func() { s.run(ctx, open) })
	}
	sending.Wait()
}

// sender sends the packets of one output.
type sender struct {
	source Source
	out    Out
	log    *slog.Logger
	stats  *outStats

	sample   Sample
	seq      uint64 // of the newest frame
	lastTick uint64 // of the car at the last packet
	lastRate [3]float64
	buffer   []byte
	failing  string // the error that was logged; "" while all is well
	well     int    // packets without an error since the last one
}

// retryTime is how long a target that failed is left alone.
const retryTime = 2 * time.Second

// run opens the target and sends to it until ctx ends. It opens a target anew that failed.
func (s *sender) run(ctx context.Context, open func(context.Context) (target, error)) {
	for ctx.Err() == nil {
		t, err := open(ctx)
		if err == nil {
			err = errors.Join(s.sendAll(ctx, t), t.close())
		}
		if err != nil && ctx.Err() == nil {
			s.stats.failed.Add(1)
			s.report(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryTime):
		}
	}
}

// sendAll sends a packet for each period in which there is a new frame, until ctx ends or the target must be opened anew.
func (s *sender) sendAll(ctx context.Context, t target) error {
	tick := time.NewTicker(time.Duration(float64(time.Second) / s.out.Rate()))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if !s.next() {
			continue
		}
		s.buffer = Append(s.buffer[:0], s.out.Format, &s.sample)
		err := t.send(s.buffer)
		switch {
		case err == nil:
			s.stats.sent.Add(1)
			s.recovered()
		case isAbsent(err):
			s.stats.failed.Add(1)
			s.report(fmt.Errorf("nobody listens: %w; start the program that reads it, or remove the output", err))
		default:
			return err
		}
	}
}

// next reads the newest frame. It reports false if there is no new one.
func (s *sender) next() bool {
	const longest = 500 // ticks; a longer time has no acceleration
	seq := s.source.Seq()
	if seq == s.seq || !s.source.Read(s.sample.Frame) {
		return false
	}
	s.seq = seq
	f := s.sample.Frame
	s.sample.AngularAcceleration = [3]float64{}
	if ticks := f.Tick - s.lastTick; ticks > 0 && ticks <= longest && s.lastTick > 0 {
		for i := range f.Rate {
			s.sample.AngularAcceleration[i] = (f.Rate[i] - s.lastRate[i]) / (float64(ticks) / 1000)
		}
	}
	s.lastTick, s.lastRate = f.Tick, f.Rate
	return true
}

// isAbsent reports whether a packet was lost because nobody took it, which may change at any time.
func isAbsent(err error) bool {
	for _, number := range []error{unix.ECONNREFUSED, unix.EAGAIN, unix.ENOBUFS, unix.EHOSTUNREACH, unix.ENETUNREACH, unix.EHOSTDOWN, unix.ENETDOWN, unix.EPERM} {
		if errors.Is(err, number) {
			return true
		}
	}
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// report logs an error, once until there is another one.
func (s *sender) report(err error) {
	s.well = 0
	if text := err.Error(); text != s.failing {
		s.failing = text
		s.log.Warn("telemetry is not received", "device", s.out.Format, "address", s.out.To, "error", err)
	}
}

// recovered logs that an output that failed works again.
func (s *sender) recovered() {
	const enough = 10 // the refusal of a packet comes with the next one
	if s.well++; s.failing != "" && s.well > enough {
		s.failing = ""
		s.log.Info("telemetry is received", "device", s.out.Format, "address", s.out.To)
	}
}

// dial opens a UDP socket to the output's address.
func (s *sender) dial(ctx context.Context) (target, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "udp", s.out.To)
	if err != nil {
		return nil, fmt.Errorf("telemetry: %w; correct `to`", err)
	}
	return udpTarget{conn.(*net.UDPConn)}, nil
}

// udpTarget sends packets by UDP.
type udpTarget struct{ conn *net.UDPConn }

// sendTime is how long a packet may wait for the network.
const sendTime = 5 * time.Millisecond

func (t udpTarget) send(packet []byte) error {
	if err := t.conn.SetWriteDeadline(time.Now().Add(sendTime)); err != nil {
		return err
	}
	_, err := t.conn.Write(packet)
	return err
}

func (t udpTarget) close() error { return t.conn.Close() }
