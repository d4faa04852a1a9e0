package main

import (
	"context"
	"os/signal"

	"rig.example/rig/internal/lab/survey"
)

// probe answers what the ground is like at the places of a table.
func (c *roadCmd) probe(s *streams) error {
	told, stop := signal.NotifyContext(context.Background(), toEnd...)
	defer func() {
		if told.Err() == nil { // as for rig tire --points
			stop()
		}
	}()
	p, warnings, err := survey.NewProber(c.Road, c.options(s))
	if err != nil {
		return err
	}
	done, err := p.Answer(survey.Places{From: string(c.Probe), In: s.in, Out: s.out, JSON: c.JSON, Interrupt: told.Done()})
	if err != nil {
		return err
	}
	for _, w := range warnings {
		s.log.Info("road: " + w)
	}
	if done.Off > 0 {
		s.log.Info("road: there is no ground at some of the places", "places", done.Points, "without", done.Off)
	}
	return nil
}
