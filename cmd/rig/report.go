package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/drivereport"
)

type reportCmd struct {
	File    pathArg `arg:"" placeholder:"F.mcap" help:"Recording, as rig ls lists them."`
	Compare pathArg `arg:"" optional:"" placeholder:"F2.mcap" help:"Another recording to draw over the first, by distance."`
	Out     pathArg `short:"o" placeholder:"F.html" help:"Page to write. Default: the first recording's name with .html, beside it. - is stdout."`
	Start   number  `placeholder:"S" help:"Begin at this time of the recordings [s]."`
	End     number  `placeholder:"S" help:"End at this time of the recordings [s]."`
}

func (c *reportCmd) Run(s *streams) error {
	list, err := channels.Named(strings.Join(drivereport.Channels(), ","))
	if err != nil {
		return err
	}
	var report drivereport.Report
	for i, path := range []string{string(c.File), string(c.Compare)} {
		if path == "" {
			continue
		}
		r, err := recording.Open(path)
		if err != nil {
			return err
		}
		defer r.Close()
		if r.Damage != "" {
			report.Notes = append(report.Notes, filepath.Base(path)+": "+r.Damage)
		}
		show, done := progressOf(s, "reading "+filepath.Base(path))
		log, err := replay.Log(r, replay.Part{Start: c.Start.value, End: c.End.value, Channels: list, Progress: show})
		done()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		report.Drives, report.Titles = append(report.Drives, log), append(report.Titles, filepath.Base(path))
		if i == 0 {
			report.Lateness = latenessOf(r)
		}
	}
	out := string(c.Out)
	if out == "" {
		out = strings.TrimSuffix(string(c.File), ".mcap") + ".html"
	}
	return writePage(s, out, report)
}

// writePage writes a report.
func writePage(s *streams, out string, report drivereport.Report) error {
	if out == "-" {
		return drivereport.Write(fileOutput(s.out), report)
	}
	if !strings.HasSuffix(out, ".html") {
		return &config.Problem{File: out, Text: "a report is a page: end its name with .html"}
	}
	err := sink.Replace(out, 0o644, func(f *os.File) error { return drivereport.Write(f, report) })
	if err == nil {
		fmt.Fprintln(s.err, out)
	}
	return err
}

// latenessOf counts how late the loop woke up, in all ticks of a recording.
func latenessOf(r *recording.Recording) []loop.Bin {
	var h loop.Histogram
	for _, e := range r.Blocks {
		d, err := r.Block(e)
		if err != nil {
			continue // the notes say so
		}
		var in drive.Inputs
		for {
			if ok, err := d.Next(&in); !ok || err != nil {
				break
			}
			h.Add(time.Duration(in.Loop.Late * float64(time.Second)))
		}
	}
	return h.Bins()
}

// compareReport returns the report of a drive in two rigs.
func compareReport(both *replay.Compared, set []string, hypothetical string) drivereport.Report {
	return drivereport.Report{Drives: []*drivelog.Log{both.Base, both.Changed}, Titles: []string{"as recorded", strings.Join(set, ", ")}, Notes: []string{hypothetical}}
}
