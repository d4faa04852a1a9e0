package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/tools/lab/chart"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/internal/tools/watch"
)

type motionScopeCmd struct {
	Axis       []string      `placeholder:"NAME" help:"Axes: names of actuators, surge, sway, heave, roll, pitch, yaw. Default: all actuators."`
	Duration   time.Duration `default:"0s" placeholder:"D" help:"Show for this long. Default: until Ctrl-C, ten minutes at most."`
	Rate       float64       `default:"50" help:"Samples per second, 1 to 200."`
	CSV        pathArg       `name:"csv" placeholder:"F.csv" help:"Write the samples into this file."`
	Plot       pathArg       `placeholder:"F.png|svg" help:"Draw the samples into this file."`
	PageSocket string        `name:"page" hidden:"" default:"" help:"Watch the rig at this socket."`
}

// longestScope bounds the memory of a scope.
const longestScope = 10 * time.Minute

func (c *motionScopeCmd) Run(s *streams) error {
	if !(c.Rate >= 1 && c.Rate <= 200) {
		return wrongUsage(fmt.Errorf("--rate %g: must be 1 to 200", c.Rate))
	}
	if err := picture.CheckName("--plot", string(c.Plot)); err != nil {
		return err
	}
	p, err := framepage.Open(c.PageSocket)
	if err != nil {
		return err
	}
	defer p.Close()
	actuators := actuatorNames(c.PageSocket)
	axes, err := watch.ChooseAxes(watch.ScopeAxes(actuators), len(actuators), c.Axis)
	if err != nil {
		return wrongUsage(err)
	}
	scope := watch.NewScope(axes)
	err = c.sample(s, p, scope)
	if c.CSV != "" {
		err = errors.Join(err, writeScope(string(c.CSV), scope))
	}
	if c.Plot != "" && len(scope.Times) > 0 {
		err = errors.Join(err, picture.Write(scopeSheet(scope), "plot", "--plot", string(c.Plot)))
	}
	return err
}

// sample shows each new frame until the time is over, the rig has ended, or a signal comes.
func (c *motionScopeCmd) sample(s *streams, p *framepage.Page, scope *watch.Scope) error {
	duration := longestScope
	if c.Duration > 0 {
		duration = min(c.Duration, longestScope)
	}
	interrupted, done := s.untilInterrupted()
	defer done()
	ctx, cancel := context.WithTimeout(interrupted, duration)
	defer cancel()
	tick := time.NewTicker(time.Duration(float64(time.Second) / c.Rate))
	defer tick.Stop()
	show, end := c.shower(s, scope)
	defer end()
	var f frame.Frame
	for seq := uint64(0); ; {
		if now := p.Seq(); now != seq && p.Read(&f) {
			seq = now
			scope.Add(&f, now)
			if err := show(); err != nil {
				return err
			}
		}
		if _, ended := p.Ended(); ended {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// shower returns a function that shows the newest sample: on a screen, or as a row of text.
func (c *motionScopeCmd) shower(s *streams, scope *watch.Scope) (show func() error, end func()) {
	if panel, end := s.openView(); panel != nil {
		return func() error {
			columns, _ := panel.Area()
			return panel.Show(console.Plainly(scope.Lines(columns)))
		}, end
	}
	header := strings.Join(scope.Columns(), ",") + "\n"
	return func() error {
		_, err := fmt.Fprintln(s.out, header+rowText(scope.Row()))
		header = ""
		return err
	}, func() {}
}

// rowText returns values separated by commas; one that is not known is empty.
func rowText(row []float64) string {
	texts := make([]string, len(row))
	for i, v := range row {
		if v == v {
			texts[i] = strconv.FormatFloat(v, 'f', 4, 64)
		}
	}
	return strings.Join(texts, ",")
}

// writeScope writes all samples as a table.
func writeScope(path string, scope *watch.Scope) error {
	err := sink.Replace(path, 0o644, func(f *os.File) error {
		w := bufio.NewWriter(f)
		fmt.Fprintln(w, strings.Join(scope.Columns(), ","))
		for i := range scope.Times {
			fmt.Fprintln(w, rowText(scope.RowAt(i)))
		}
		return w.Flush()
	})
	if err != nil {
		return fmt.Errorf("--csv: %w", err)
	}
	return nil
}

// scopeSheet draws a diagram for each axis.
func scopeSheet(scope *watch.Scope) chart.Sheet {
	sheet := chart.Sheet{Title: "Motion platform", Subtitle: "targets, and positions as the controller reports them"}
	for i, a := range scope.Axes {
		feedback := scope.Values[2*i+1]
		if math.IsNaN(feedback[len(feedback)-1]) {
			feedback = nil
		}
		sheet.Rows = append(sheet.Rows, []chart.Panel{chart.Followed(a.Name, a.Unit, scope.Times, scope.Values[2*i], feedback)})
	}
	return sheet
}
