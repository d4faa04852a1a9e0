package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/rig"
	"rig.example/rig/internal/tools/benchmark"
)

type benchCmd struct {
	Duration time.Duration `default:"20s" help:"Measure for about this long, 5s to 10m. Longer figures are steadier."`
	JSON     bool          `name:"json" help:"Print one JSON object."`
}

// benchReport is what `rig bench --json` prints.
type benchReport struct {
	Program    version.Info `json:"program"`
	Processors int          `json:"processors"`
	*benchmark.Report
	Loop    rig.Timing `json:"loop"`
	Verdict string     `json:"verdict"`
	Notes   []string   `json:"notes,omitempty"`
}

func (c *benchCmd) Run(s *streams) error {
	if c.Duration < 5*time.Second || c.Duration > 10*time.Minute {
		return &config.Problem{File: "--duration", Text: fmt.Sprintf("%v: must be 5s to 10m", c.Duration)}
	}
	ctx, done := s.untilInterrupted()
	defer done()
	progress := func(what string) {
		if f := terminal(s.err); f != nil {
			fmt.Fprintf(f, "measuring %s …\n", what)
		}
	}
	lateness := c.Duration / 4
	measured, err := benchmark.Measure(ctx, c.Duration-lateness, progress)
	if ctx.Err() != nil {
		return operator.ErrInterrupted
	}
	if err != nil {
		return err
	}
	progress("the loop in real time")
	st, notes, err := rig.Latency(config.Default(), lateness, ctx.Done(), s.log)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return operator.ErrInterrupted
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
	table := func(title string, of float64, rows []benchRow) {
		for _, row := range rows {
			of = max(of, row.ns)
		}
		fmt.Fprintln(w, title)
		for _, row := range rows {
			fmt.Fprintf(w, "  %s  %s\n", row.text, bar(row.ns/of, 24))
		}
		fmt.Fprintln(w)
	}
	table("one step of the coupe (1 ms):", 0, costRows(r.Steps, true))
	table("a tick of the demo on the club circuit (1 ms):", 0, costRows([]benchmark.Cost{r.Tick}, true))
	table("its stages, each by what it adds when it is calculated twice:", r.Tick.Nanoseconds, costRows(r.Stages, false))
	table("a step over the number of triangles of the ground:", 0, pointRows(r.Triangles))
	table("a step over the number of rays of each wheel, on 100 000 triangles:", 0, pointRows(r.Rays))
	table("motion cueing over the number of actuators:", 0, pointRows(r.Actuators))
	r.Loop.Print(w)
	fmt.Fprintln(w, r.Verdict)
}

// benchRow is a line of a table with a bar for its time.
type benchRow struct {
	text string
	ns   float64
}

// costRows returns the lines of costs, with their real-time factors if those are meant.
func costRows(list []benchmark.Cost, factors bool) (rows []benchRow) {
	for _, c := range list {
		text := fmt.Sprintf("%-46s %8.2f µs", c.Name, c.Nanoseconds/1e3)
		if factors {
			text += fmt.Sprintf(" %7.0f× real time", c.RealTime)
		}
		rows = append(rows, benchRow{text, c.Nanoseconds})
	}
	return rows
}

// pointRows returns the lines of a curve.
func pointRows(list []benchmark.Point) (rows []benchRow) {
	for _, p := range list {
		rows = append(rows, benchRow{fmt.Sprintf("%10d %8.2f µs", p.Count, p.Nanoseconds/1e3), p.Nanoseconds})
	}
	return rows
}

// bar returns a bar for a share, 0 to 1, of a width in characters.
func bar(share, width float64) string { return strings.Repeat("█", int(share*width+0.5)) }
