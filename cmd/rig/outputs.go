package main

import (
	"log/slog"
	"net"
	"os"

	"rig.example/rig/internal/outputs"
	"rig.example/rig/internal/page"
)

// outputsCmd is the process of a rig that sends telemetry and serves the web page. It inherits the page and a connection
// for orders as descriptors 3 and 4, and reads its options from stdin.
type outputsCmd struct{}

func (c *outputsCmd) Run(s *streams) error {
	options, err := outputs.Read(s.in)
	if err != nil {
		return err
	}
	const first = 3 // the first inherited descriptor
	p, err := page.InheritState(os.NewFile(first, "3"))
	if err != nil {
		return err
	}
	defer p.Close()
	file := os.NewFile(first+1, "4")
	orders, err := net.FileConn(file)
	if err != nil {
		return err
	}
	file.Close()
	defer orders.Close()
	ctx, done := untilInterrupted()
	defer done()
	return outputs.Run(ctx, p, orders, options, slog.New(slog.NewJSONHandler(s.err, nil)))
}
