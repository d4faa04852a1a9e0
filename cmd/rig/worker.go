package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"rig.example/rig/internal/session"
	"rig.example/rig/internal/session/bus"
	"rig.example/rig/internal/session/keys"
	"rig.example/rig/internal/session/work"
	"rig.example/rig/internal/version"
)

type workerCmd struct {
	Key     pathArg `arg:"" name:"f.rig" help:"Key of role worker: a file that rig session invite has made."`
	Workers count   `placeholder:"N" help:"Number of points that are driven at a time. Default: one for each processor."`
}

func (c *workerCmd) Run(s *streams) error {
	i, err := keys.Read(string(c.Key))
	if err != nil {
		return wrongUsage(err)
	}
	if i.Role != session.Worker {
		return wrongUsage(fmt.Errorf("%s is a key of role %s; ask for one of role worker: rig session invite NAME --role worker", c.Key, i.Role))
	}
	ctx, done := untilInterrupted()
	defer done()
	n, err := workNode(ctx, s, i)
	if err != nil {
		return err
	}
	defer n.Bus.Close()
	parallel := cmp.Or(int(c.Workers), runtime.NumCPU())
	s.log.Info(fmt.Sprintf("worker: waiting for sweeps of session %s, points at a time: %d; Ctrl-C ends it", i.Session, parallel))
	finished, err := n.Serve(ctx, parallel)
	s.log.Info(fmt.Sprintf("worker: ended after %d points", finished))
	return err
}

// workNode connects to the bus of a key.
func workNode(ctx context.Context, s *streams, i keys.Invitation) (*work.Node, error) {
	b, err := bus.Connect(ctx, i, bus.Options{Name: "rig " + string(i.Role), Log: s.log})
	if err != nil {
		return nil, err
	}
	return &work.Node{Bus: b, Session: i.Session, Member: i.Member, Build: version.Current().String(), Log: s.log}, nil
}
