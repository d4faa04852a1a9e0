package main

import (
	"context"
	"log/slog"
	"net"
	"os"

	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/connect/playback"
	"rig.example/rig/internal/core/page"
)

// outputsCmd is the process of a rig that sends telemetry and serves the web page. It inherits the page and a connection
// for orders as descriptors 3 and 4, and reads its options from stdin.
type outputsCmd struct{}

func (c *outputsCmd) Run(s *streams) error {
	options, err := outputs.Read(s.in)
	if err != nil {
		return err
	}
	return serveRig(s, func(ctx context.Context, p *page.Page, conn net.Conn, log *slog.Logger) error {
		return outputs.Run(ctx, p, conn, options, log)
	})
}

// soundCmd is the process of a rig that plays its sound and drives its shakers. It inherits the same as outputsCmd.
type soundCmd struct{}

func (c *soundCmd) Run(s *streams) error {
	options, err := playback.Read(s.in)
	if err != nil {
		return err
	}
	return serveRig(s, func(ctx context.Context, p *page.Page, conn net.Conn, log *slog.Logger) error {
		return playback.Run(ctx, p, conn, options, log)
	})
}

// serveRig runs a service of a rig with the page and the connection that the process has inherited, until it is
// interrupted.
func serveRig(s *streams, run func(context.Context, *page.Page, net.Conn, *slog.Logger) error) error {
	const first = 3 // the first inherited descriptor
	p, err := page.InheritState(os.NewFile(first, "3"))
	if err != nil {
		return err
	}
	defer p.Close()
	file := os.NewFile(first+1, "4")
	conn, err := net.FileConn(file)
	if err != nil {
		return err
	}
	file.Close()
	defer conn.Close()
	ctx, done := s.untilInterrupted()
	defer done()
	return run(ctx, p, conn, slog.New(slog.NewJSONHandler(s.err, nil)))
}
