package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/kit/printable"
)

type lsCmd struct {
	Folder string `arg:"" optional:"" type:"path" placeholder:"DIR" help:"Folder of recordings. Default: that of the configuration."`
	Config string `type:"path" placeholder:"F" help:"Read this configuration file."`
	JSON   bool   `name:"json" help:"Print one JSON array."`
}

// listed is a recording as `rig ls --json` prints it.
type listed struct {
	File     string    `json:"file"`
	Began    time.Time `json:"began"`
	Car      string    `json:"car"`
	Track    string    `json:"track"`
	Driver   string    `json:"driver,omitempty"`
	Seconds  float64   `json:"seconds"`
	Laps     int       `json:"laps"`
	BestLap  *float64  `json:"best_lap_s"`
	Faults   int       `json:"faults"`
	Marks    int       `json:"marks"`
	Missing  uint64    `json:"missing_ticks"`
	Bytes    int64     `json:"bytes"`
	BlackBox bool      `json:"black_box"`
	Problem  string    `json:"problem,omitempty"`
}

func (c *lsCmd) Run(s *streams) error {
	folder := c.Folder
	if folder == "" {
		cfg, _, err := s.configuration(c.Config)
		if err != nil {
			return err
		}
		if folder = cfg.Record.Folder; folder == "" {
			if folder, err = recording.DefaultFolder(os.Getenv, os.Geteuid()); err != nil {
				return err
			}
		}
	}
	items, err := recording.List(folder)
	if err != nil {
		return err
	}
	all := make([]listed, len(items))
	for i := range items {
		all[i] = listedOf(&items[i])
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(all)
	}
	if len(all) == 0 {
		fmt.Fprintf(s.out, "no recordings in %s; `rig run --record` makes one\n", printable.Line(folder))
		return nil
	}
	fmt.Fprintln(s.out, printable.Line(folder))
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "file\tbegan\tdriver\tcar\ttrack\tlength\tlaps\tbest\tfaults\tmarks\tMB\t")
	for i := range all {
		all[i].print(w)
	}
	return w.Flush()
}

func listedOf(item *recording.Item) listed {
	h, sum := &item.Header, &item.Summary
	return listed{
		File: item.Path, Began: h.Began, Car: h.CarName, Track: h.Track, Driver: h.Driver, Seconds: float64(sum.Ticks) / 1000,
		Laps: sum.Laps, BestLap: frame.TimeOrNull(sum.Best), Faults: sum.Faults, Marks: sum.Marks, Missing: sum.Missing, Bytes: item.Size, BlackBox: item.BlackBox, Problem: item.Problem,
	}
}

func (l *listed) print(w *tabwriter.Writer) {
	name := printable.Line(filepath.Base(l.File))
	if l.Began.IsZero() {
		fmt.Fprintf(w, "%s\t%s\n", name, printable.Line(l.Problem))
		return
	}
	best := "-"
	if l.BestLap != nil {
		best = frame.FormatTime(*l.BestLap, 3)
	}
	driver := cmp.Or(printable.Line(l.Driver), "-")
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%v\t%d\t%s\t%d\t%d\t%.1f\t%s\n", name, l.Began.Local().Format("2006-01-02 15:04"), driver, printable.Line(l.Car), printable.Line(l.Track),
		time.Duration(l.Seconds*float64(time.Second)).Round(time.Second), l.Laps, best, l.Faults, l.Marks, float64(l.Bytes)/1e6, printable.Line(l.Problem))
}
