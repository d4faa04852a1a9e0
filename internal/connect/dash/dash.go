// Package dash serves the page of a running rig for phones, tablets and scripts, and its metrics.
//
// Its inputs are frames of a source (a page of shared memory) and requests by HTTP. Its outputs are the page, a
// stream of what the rig does now, one JSON object for scripts and a text for Prometheus. Two orders reach the rig:
// an emergency stop, and a share of at most 1 of a configured gain, filter or limit. Nothing that a request does can
// raise a limit above its configured value, confirm, consent or start a drive.
//
// It runs in a process of its own, outside of the loop. A reader that is slow, stalled or hostile loses messages or
// its connection, and slows neither the rig nor other readers. The page needs no other server.
package dash

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"rig.example/rig/internal/core/frame"
)

// Source is where frames come from: a page.
type Source interface {
	Read(f *frame.Frame) bool            // copies the newest frame; false if there is none yet
	Seq() uint64                         // number of frames so far
	Notice() string                      // message to the driver, or ""
	Ended() (failure string, ended bool) // whether the rig has ended, and with which error
}

// Orders are what the page may order. Both functions may be called by several goroutines at a time, and their
// errors are shown to the reader. None may be nil.
type Orders struct {
	Stop func() error // emergency stop by software
	// sets what a factor, a name of frame.Names.Tuned, has of its configured value: share is 0..1
	Tune func(factor string, share float64) error
}

// Options are all that Run needs.
type Options struct {
	Config  Config
	Source  Source
	Scene   *frame.Scene // its names, the car and the circuit; must not be nil
	Orders  Orders
	Token   string            // what Token returns; "" refuses every request that needs one
	Log     *slog.Logger      // must not be nil
	Metrics func(w io.Writer) // appends further metrics in the text format of Prometheus; may be nil
}

// timing are the limits of time of a connection.
type timing struct {
	header time.Duration // to send the header of a request
	read   time.Duration // to send a request
	write  time.Duration // to take an answer, or one message of a stream
	idle   time.Duration // between two requests
	end    time.Duration // for answers that are being sent when Run ends
}

func defaultTiming() timing {
	return timing{header: 5 * time.Second, read: 10 * time.Second, write: 5 * time.Second, idle: 30 * time.Second, end: time.Second}
}

// maxHeader is the largest header of a request [bytes].
const maxHeader = 8 << 10

// Run listens at o.Config.Listen and serves until ctx ends, or until it cannot listen any more. It returns nil at the
// end of ctx.
func Run(ctx context.Context, o Options) error {
	ln, err := net.Listen("tcp", o.Config.Listen)
	if err != nil {
		return fmt.Errorf("dash: web.listen = %q: %w; is another program, or another rig, at this port?", o.Config.Listen, err)
	}
	return serve(ctx, ln, newServer(o, time.Now), defaultTiming())
}

// serve runs s at ln until ctx ends.
func serve(ctx context.Context, ln net.Listener, s *server, limits timing) error {
	s.writeTimeout = limits.write
	s.listener = newListener(ln)
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: limits.header, ReadTimeout: limits.read, WriteTimeout: limits.read + limits.write, IdleTimeout: limits.idle,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
	}
	sampling, stopSampling := context.WithCancel(ctx)
	sampled := make(chan struct{})
	go func() { defer close(sampled); s.hub.run(sampling) }()
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(s.listener) }()
	s.options.Log.Info("the page of the rig is served", "address", ln.Addr().String())
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stopSampling()
	<-sampled
	s.hub.close()
	ending, cancel := context.WithTimeout(context.Background(), limits.end)
	defer cancel()
	if h.Shutdown(ending) != nil {
		h.Close()
	}
	if err != nil {
		return fmt.Errorf("dash: %w", err)
	}
	return nil
}
