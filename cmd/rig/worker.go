package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/work"
	"rig.example/rig/internal/tools/lab/sweep"
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
	ctx, done := s.untilInterrupted()
	defer done()
	n, err := workNode(ctx, s, i)
	if errors.Is(err, context.Canceled) {
		s.log.Info("worker: ended before it was connected")
		return nil
	}
	if err != nil {
		return err
	}
	defer n.Bus.Close()
	parallel := cmp.Or(int(c.Workers), runtime.NumCPU())
	s.log.Info(fmt.Sprintf("worker: waiting for sweeps of session %s, points at a time: %d; Ctrl-C ends it", i.Session, parallel))
	finished, err := n.Serve(ctx, parallel, parseUnit)
	s.log.Info(fmt.Sprintf("worker: ended after %d points", finished))
	return err
}

// parseUnit returns what drives a unit of a sweep.
func parseUnit(data []byte) (work.Driver, error) {
	u, err := sweep.ParseUnit(data)
	return func(ctx context.Context) (any, error) { return u.Drive(ctx) }, err
}

// driveElsewhere lets the workers of a session drive units of a plan.
func driveElsewhere(ctx context.Context, n *work.Node, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
	check := func(result []byte) error { _, err := p.ParseResult(result); return err }
	return n.Drive(ctx, work.Sweep{Digest: p.Digest(), Name: p.String(), Unit: func(i int) any { return p.Unit(i) }, Check: check}, units, func(result []byte) error {
		r, _ := p.ParseResult(result) // is checked
		return done(r)
	})
}

// workNode connects to the bus of a key. When the connection is lost and when it is there again, it logs that.
func workNode(ctx context.Context, s *streams, i keys.Invitation) (*work.Node, error) {
	build, err := sameBuild()
	if err != nil {
		return nil, err
	}
	b, err := bus.Connect(ctx, i, bus.Options{Name: "rig " + string(i.Role), Log: s.log, Changed: func(connected bool) {
		if connected {
			s.log.Info(fmt.Sprintf("session %s: the connection is there again", i.Session))
		} else {
			s.log.Warn(fmt.Sprintf("session %s: connection lost; is its host running? Waiting for it", i.Session))
		}
	}})
	if err != nil {
		return nil, err
	}
	return &work.Node{Bus: b, Session: i.Session, Member: i.Member, Build: build, Log: s.log}, nil
}
