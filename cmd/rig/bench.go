package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/rig"
	"rig.example/rig/internal/speed"
	"rig.example/rig/internal/version"
)

type benchCmd struct {
	Duration time.Duration `default:"20s" help:"Measure for about this long, 5s to 10m. Longer figures are steadier."`
	JSON     bool          `name:"json" help:"Print one JSON object."`
}

// benchReport is what `rig bench --json` prints.
type benchReport struct {
	Program    version.Info `json:"program"`
	Processors int          `json:"processors"`
	*speed.Report
	Loop    rig.Timing `json:"loop"`
	Verdict string     `json:"verdict"`
	Notes   []string   `json:"notes,omitempty"`
}

func (c *benchCmd) Run(s *streams) error {
	if c.Duration < 5*time.Second || c.Duration > 10*time.Minute {
		return &config.Problem{File: "--duration", Text: fmt.Sprintf("%v: must be 5s to 10m", c.Duration)}
	}
	ctx, done := untilInterrupted()
	defer done()
	progress := func(what string) {
		if f := terminal(s.err); f != nil {
			fmt.Fprintf(f, "measuring %s …\n", what)
		}
	}
	lateness := c.Duration / 4
	measured, err := speed.Measure(ctx, c.Duration-lateness, progress)
	if err != nil {
		return err
	}
	progress("the loop in real time")
	st, notes, err := rig.Latency(config.Default(), lateness, ctx.Done(), s.log)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := benchReport{Program: version.Current(), Processors: runtime.NumCPU(), Report: measured, Loop: rig.NewTiming(st), Notes: notes}
	r.Verdict = verdict(r.Loop)
	if c.JSON {
		return json.NewEncoder(s.out).Encode(r)
	}
	r.print(s.out)
	return nil
}

// print writes the report as text.
func (r *benchReport) print(w io.Writer) {
	fmt.Fprintf(w, "%v, %d processors; one thread, undisturbed times\n\n", r.Program, r.Processors)
	costs := func(title string, list []speed.Cost, of float64) {
		fmt.Fprintln(w, title)
		most := 0.0
		for _, c := range list {
			most = max(most, c.Nanoseconds)
		}
		for _, c := range list {
			factor := ""
			if of == 0 {
				factor = fmt.Sprintf("%7.0f× real time  ", c.RealTime)
			}
			fmt.Fprintf(w, "  %-46s %8.2f µs %s%s\n", c.Name, c.Nanoseconds/1e3, factor, bar(c.Nanoseconds/cmp.Or(of, most)))
		}
		fmt.Fprintln(w)
	}
	costs("one step of the coupe (1 ms):", r.Steps, 0)
	costs("a tick of the demo on the club circuit (1 ms):", []speed.Cost{r.Tick}, 0)
	costs("its stages, each by what it adds when it is calculated twice:", r.Stages, r.Tick.Nanoseconds)
	curve := func(title string, list []speed.Point) {
		fmt.Fprintln(w, title)
		most := 0.0
		for _, p := range list {
			most = max(most, p.Nanoseconds)
		}
		for _, p := range list {
			fmt.Fprintf(w, "  %10d %8.2f µs  %s\n", p.Count, p.Nanoseconds/1e3, bar(p.Nanoseconds/most))
		}
		fmt.Fprintln(w)
	}
	curve("a step over the number of triangles of the ground:", r.Triangles)
	curve("a step over the number of rays of each wheel, on 100 000 triangles:", r.Rays)
	curve("motion cueing over the number of actuators:", r.Actuators)
	r.Loop.Print(w)
	fmt.Fprintln(w, r.Verdict)
}

// bar returns a bar for a share, 0 to 1.
func bar(share float64) string {
	const width = 24
	return strings.Repeat("█", int(min(max(share, 0), 1)*width+0.5))
}
