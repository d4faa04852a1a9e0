package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/sweep"
)

// sweepFlags are the flags of `rig maneuver` that drive many cars.
type sweepFlags struct {
	Sweep   []string `sep:"none" placeholder:"KEY=FROM..TO:N|A,B,C" help:"Drive the manoeuvre once for each value of this key of the car's file, or of speed [km/h]. May be repeated: then for each combination."`
	Random  count    `placeholder:"N" help:"Drive N random points: --sweep KEY=FROM..TO or KEY=A,B,C."`
	Seed    uint64   `placeholder:"N" help:"Seed of the random points. Default: 0."`
	Workers count    `placeholder:"N" help:"Number of points that are driven at a time. Default: one for each processor."`
	Metric  string   `placeholder:"NAME" help:"Order and draw the points by this metric. Default: the first one that varies."`
	Resume  pathArg  `placeholder:"F" help:"Keep each point in this file as soon as it is done, and go on from it."`
	On      string   `placeholder:"SESSION|F.rig" help:"Let the workers of this session drive the points: see rig worker. It is a session that this machine hosts, or a key of role official."`
}

// count is the value of a flag that takes a number of things, 1 or more; 0 if the flag was not given.
type count int

// Validate implements kong's check of values.
func (n count) Validate() error {
	if n < 1 || n > sweep.MaxUnits {
		return fmt.Errorf("%d: must be 1 to %d", int(n), sweep.MaxUnits)
	}
	return nil
}

// checkSweep returns an error if flags of a sweep contradict others, or have no effect without --sweep.
func (c *maneuverCmd) checkSweep() error {
	refuse := func(flag, text string) error { return &config.Problem{File: flag, Text: text} }
	if len(c.Sweep) == 0 {
		for flag, set := range map[string]bool{"--random": c.Random > 0, "--workers": c.Workers > 0, "--metric": c.Metric != "", "--resume": c.Resume != "", "--seed": c.Seed != 0, "--on": c.On != ""} {
			if set {
				return refuse(flag, "belongs to --sweep; give it a key to vary, such as --sweep mass_kg=1200..1500:4")
			}
		}
		return nil
	}
	switch {
	case c.Name == openLoop:
		return refuse("--sweep", "open-loop drives one table of inputs; choose another manoeuvre")
	case c.Channels != "":
		return refuse("--channels", "a sweep keeps metrics, no channels; leave it out")
	case c.Seed != 0 && c.Random == 0:
		return refuse("--seed", "belongs to --random")
	case c.On != "" && c.Workers > 0:
		return refuse("--workers", "with --on the workers say how many points they drive at a time; leave it out")
	case c.Resume == "-":
		return refuse("--resume", "must be a file")
	case c.Resume != "" && (sink.SameFile(string(c.Resume), string(c.CSV)) || sink.SameFile(string(c.Resume), string(c.Plot))):
		return refuse("--resume", "goes into the same file as --csv or --plot; give it another name")
	}
	return nil
}

// plan returns the sweep that the flags describe.
func (c *maneuverCmd) plan() (*sweep.Plan, error) {
	build, err := sameBuild()
	if err != nil {
		return nil, err
	}
	p := &sweep.Plan{
		Maneuver: c.Name, Set: c.Set, Speed: c.Speed.value, Assists: c.Assists.value, Track: c.Track,
		Random: int(c.Random), Seed: c.Seed, Build: build,
	}
	for _, text := range c.Sweep {
		a, err := sweep.ParseAxis(text, c.Random > 0)
		if err != nil {
			return nil, &config.Problem{File: fmt.Sprintf("--sweep %q", printable.Name(text)), Text: err.Error()}
		}
		p.Axes = append(p.Axes, a)
	}
	return p, p.Load(c.Car)
}

// sweep drives all points that are not done yet, and writes what there is. Ctrl-C ends it with what is done; if that is
// nothing, no file is replaced.
func (c *maneuverCmd) sweep(s *streams) error {
	p, err := c.plan()
	if err != nil {
		return err
	}
	ctx, done := s.untilInterrupted()
	defer done()
	results, err := c.driveSweep(ctx, s, p)
	if err != nil {
		return err
	}
	r := sweep.NewReport(p, results, c.Metric)
	if len(results) > 0 {
		if err := c.outputSweep(s, r); err != nil {
			return err
		}
	}
	switch left, failed := p.Len()-len(results), r.Failed(); {
	case left > 0 && c.Resume != "":
		return fmt.Errorf("maneuver: interrupted: %d of %d points are not done; the same command goes on from %s", left, p.Len(), c.Resume)
	case left > 0:
		return fmt.Errorf("maneuver: interrupted: %d of %d points are not done; with --resume F a sweep goes on later", left, p.Len())
	case failed > 0:
		return fmt.Errorf("maneuver: %d of %d points failed; the column error of --csv says why", failed, p.Len())
	}
	return nil
}

// driveSweep returns the results that the file of --resume has, and those of the other points that were driven before
// ctx ended.
func (c *maneuverCmd) driveSweep(ctx context.Context, s *streams, p *sweep.Plan) (results []sweep.Result, err error) {
	drive, err := c.driver(s, p)
	if err != nil {
		return nil, err
	}
	keep := func(sweep.Result) error { return nil }
	if c.Resume != "" {
		var j *sweep.Journal
		if j, results, err = sweep.OpenJournal(string(c.Resume), p); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, j.Close()) }()
		keep = j.Add
	}
	check := c.metricCheck()
	for i := range results {
		if err := check(&results[i]); err != nil {
			return nil, err
		}
	}
	units := p.Missing(results)
	show, end := progressOf(s, c.Name)
	defer end()
	first := len(results)
	err = drive(ctx, p, units, func(r sweep.Result) error {
		results = append(results, r)
		show(float64(len(results)-first) / float64(len(units)))
		return errors.Join(keep(r), check(&r))
	})
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil
	}
	return results, err
}

// driver returns what drives units: this machine, or with --on the workers of a session.
func (c *maneuverCmd) driver(s *streams, p *sweep.Plan) (driver, error) {
	if c.On == "" {
		workers := cmp.Or(int(c.Workers), runtime.NumCPU())
		return func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
			return sweep.Drive(ctx, p, units, workers, done)
		}, nil
	}
	if !p.IsTrackBuiltin() {
		return nil, &config.Problem{File: "--track", Text: "workers have the built-in circuits only; choose one of them, or leave --on out"}
	}
	i, err := (&controlFlags{Session: c.On}).official("--on")
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
		n, err := workNode(ctx, s, i)
		if err != nil {
			return err
		}
		defer n.Bus.Close()
		return driveElsewhere(ctx, n, p, units, done)
	}, nil
}

// driver drives units of a sweep and calls done with each result.
type driver func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error

// metricCheck returns a function that takes each result in turn and returns an error if the manoeuvre has no metric of
// --metric, which the first result with metrics shows.
func (c *maneuverCmd) metricCheck() func(*sweep.Result) error {
	known := false
	return func(r *sweep.Result) error {
		if known || r.Error != "" {
			return nil
		}
		known = true
		return r.CheckMetric(c.Metric)
	}
}

// outputSweep writes table and plot to their files and prints the report.
func (c *maneuverCmd) outputSweep(s *streams, r *sweep.Report) error {
	if c.CSV != "" {
		if err := r.WriteCSV(string(c.CSV), s.out); err != nil {
			return err
		}
	}
	if c.Plot != "" {
		if err := r.WritePlot(string(c.Plot)); err != nil {
			return err
		}
	}
	out := sink.Stdout("maneuver", s.out)
	switch {
	case c.JSON:
		return json.NewEncoder(out).Encode(r)
	case c.CSV == "-":
		return nil
	}
	return r.Print(out)
}
