package main

import (
	"fmt"

	"rig.example/rig/internal/tools/lab/survey"
)

// probe prints height, normal and surface of the ground at each point of a table.
func (c *roadCmd) probe(s *streams) error {
	ctx, stop := s.untilInterrupted()
	defer stop()
	p, warnings, err := survey.NewProber(c.Road, c.options(s))
	if err != nil {
		return err
	}
	done, err := p.ProbeTable(survey.TableOptions{From: string(c.Probe), In: s.in, Out: s.out, JSON: c.JSON, Interrupt: ctx.Done()})
	if err != nil {
		return err
	}
	for _, w := range warnings {
		s.log.Info("road: " + w)
	}
	if done.WithoutGround > 0 {
		s.log.Info(fmt.Sprintf("road: no ground at %d of %d points", done.WithoutGround, done.Points))
	}
	return nil
}
