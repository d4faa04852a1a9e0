package main

import (
	"encoding/json"
	"fmt"
	"time"

	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/live/rig"
)

type latencyCmd struct {
	Config   string        `type:"path" placeholder:"F" help:"Read this configuration file."`
	Duration time.Duration `default:"10s" help:"Measure for this long."`
	JSON     bool          `name:"json" help:"Print one JSON object."`
}

func (c *latencyCmd) Run(s *streams) error {
	if err := checkDuration(c.Duration); err != nil {
		return err
	}
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	ctx, stop := s.untilInterrupted()
	defer stop()
	show, done := progressOf(s, "measuring")
	end := showTime(show, c.Duration)
	st, notes, err := rig.Latency(cfg, c.Duration, ctx.Done(), s.log)
	end()
	done()
	if err != nil {
		return err
	}
	t := rig.NewTiming(st)
	if c.JSON {
		return json.NewEncoder(s.out).Encode(struct {
			rig.Timing
			Verdict string   `json:"verdict"`
			Notes   []string `json:"notes,omitempty"`
		}{t, verdict(t), notes})
	}
	fmt.Fprintln(s.out, "wake-up lateness; each bar is the share of all wake-ups:")
	printBins(s, &st.Lateness)
	t.Print(s.out)
	fmt.Fprintln(s.out, verdict(t))
	return nil
}

// showTime calls show with the share of a duration that is over, until end is called.
func showTime(show func(share float64), duration time.Duration) (end func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for began := time.Now(); ; {
			select {
			case <-stop:
				return
			case <-tick.C:
				show(time.Since(began).Seconds() / duration.Seconds())
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// printBins prints a line with a bar for each bin of a histogram of durations.
func printBins(s *streams, h *loop.Histogram) {
	for _, b := range h.Bins() {
		share := float64(b.Count) / float64(h.Count())
		fmt.Fprintf(s.out, "  < %8.1f µs %9d %s\n", float64(b.UpTo)/1e3, b.Count, bar(share, 50))
	}
}

// verdict returns a sentence about how good the 99.9th percentile of the lateness is.
func verdict(t rig.Timing) string {
	switch worst := t.Lateness.P999; {
	case t.Dropped > 0:
		return "bad: periods were dropped; close other programs or allow real-time priority (rig check)"
	case worst < 100:
		return "good: below 100 µs for 99.9 % of the ticks"
	case worst < 250:
		return "acceptable: below 250 µs for 99.9 % of the ticks"
	case worst < 500:
		return "poor: above 250 µs for one tick in a thousand; good enough for a gear-driven wheel"
	}
	return "bad: above 500 µs for one tick in a thousand; do not use a strong wheel on this machine"
}
