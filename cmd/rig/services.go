package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"

	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/connect/soundplayer"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/rig"
)

// services are what runs beside a drive of cfg in processes of its own, with the orders that each may give. A drive that follows
// a game has sound without a window too. inSession is nil without a session.
func services(cfg *config.Config, follows bool, inSession *member.Part) []rig.Service {
	figures := &soundplayer.Figures{}
	list := []rig.Service{{
		Command: "outputs", What: "telemetry and web page", Serve: (*operator.Pending).ServeWebPage,
		Begin: func(rig.Built) (any, []*os.File, error) {
			o := outputs.Of(cfg)
			return ifWanted(o, o.Wanted()), nil, nil
		},
	}, {
		Command: "sound", What: "sound", Serve: func(_ *operator.Pending, conn net.Conn) { figures.Take(conn) }, Show: figures.Show,
		Begin: func(b rig.Built) (any, []*os.File, error) {
			o := soundplayer.Of(cfg, b.HasWindow || follows)
			return ifWanted(o, o.Wanted()), nil, nil
		},
		Report: func(s *rig.Summary) {
			if sum := figures.Summary(); sum != nil {
				s.Sound = sum
			}
		},
	}}
	if inSession == nil {
		return list
	}
	return append(list, rig.Service{
		Command: "session-member", What: "session", Serve: (*operator.Pending).ServeRaceControl, Ended: inSession.Left,
		Begin:  func(b rig.Built) (any, []*os.File, error) { return inSession.Enter(b.Drive, b.Page) },
		Report: func(s *rig.Summary) { s.Session = inSession.Summary() },
	})
}

// ifWanted returns options, or nil if the service is not wanted.
func ifWanted(options any, wanted bool) any {
	if !wanted {
		return nil
	}
	return options
}

// outputsCmd is the process of a rig that sends telemetry and serves the web page. It inherits the page and a connection
// for orders as descriptors 3 and 4, and reads its options from stdin.
type outputsCmd struct{}

func (c *outputsCmd) Run(s *streams) error { return serveRig(s, "outputs", outputs.Run) }

// soundCmd is the process of a rig that plays its sound and drives its shakers. It inherits the same as outputsCmd.
type soundCmd struct{}

func (c *soundCmd) Run(s *streams) error { return serveRig(s, "the sound", soundplayer.Run) }

// serveRig runs a service of a rig with its options, from stdin, and the page and the connection that the process has inherited,
// until it is interrupted. name is that of the options, in an error.
func serveRig[O any](s *streams, name string, run func(context.Context, *framepage.Page, net.Conn, O, *slog.Logger) error) error {
	var options O
	if err := json.NewDecoder(s.in).Decode(&options); err != nil {
		return fmt.Errorf("options of %s: %w; only a rig starts this command", name, err)
	}
	const first = 3 // the first inherited descriptor
	p, err := framepage.InheritState(os.NewFile(first, "3"))
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
	return run(ctx, p, conn, options, slog.New(slog.NewJSONHandler(s.err, nil)))
}
