package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/export"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/kit/sink"
)

type exportCmd struct {
	File     pathArg `arg:"" placeholder:"F.mcap" help:"Recording, as rig ls lists them."`
	To       string  `required:"" enum:"csv,motec,mdf4,mcap" placeholder:"FORMAT" help:"csv, motec (.ld, with the laps in .ldx beside it), mdf4 (.mf4), or mcap (a part of the recording's channels)."`
	Out      pathArg `short:"o" placeholder:"F" help:"File to write. Default: the recording's name with the format's ending, beside it. - is stdout, for csv."`
	Channels string  `default:"all" placeholder:"LIST" help:"Channels, groups or patterns, as rig channels lists them, with commas between."`
	Start    number  `placeholder:"S" help:"Begin at this time of the recording [s]."`
	End      number  `placeholder:"S" help:"End at this time of the recording [s]."`
	Rate     number  `placeholder:"HZ" help:"Samples per second, a divisor of 1000. Above the recorded rate the drive is driven again. Default: as recorded."`
}

func (c *exportCmd) Run(s *streams) error {
	list, err := channels.Named(c.Channels)
	if err != nil {
		return &config.Problem{File: "--channels", Text: err.Error()}
	}
	r, err := recording.Open(string(c.File))
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Damage != "" {
		s.log.Warn(filepath.Base(string(c.File)) + ": " + r.Damage)
	}
	log, err := logOf(s, r, replay.Part{Start: c.Start.value, End: c.End.value, Rate: c.Rate.value, Channels: list})
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	out := string(c.Out)
	if out == "" {
		out = strings.TrimSuffix(string(c.File), ".mcap") + map[string]string{"csv": ".csv", "motec": ".ld", "mdf4": ".mf4", "mcap": "-part.mcap"}[c.To]
	}
	if sink.SameFile(string(c.File), out) {
		return &config.Problem{File: "--out", Text: "it is the recording itself; give another name"}
	}
	return c.write(s, r, log, out)
}

// logOf returns samples of a recording, if need be by driving it again.
func logOf(s *streams, r *recording.Recording, part replay.Part) (*drivelog.Log, error) {
	if part.Rate <= float64(r.Header.Rate) {
		show, done := progressOf(s, "reading")
		defer done()
		part.Progress = show
		return replay.Log(r, part)
	}
	p, err := replay.NewPlayer(r, nil, false)
	if err != nil {
		return nil, err
	}
	show, done := progressOf(s, "driving again")
	defer done()
	return p.Driven(part, show)
}

// write writes the log in its format.
func (c *exportCmd) write(s *streams, r *recording.Recording, log *drivelog.Log, out string) error {
	file := func(path string, write func(io.Writer, *drivelog.Log) error) error {
		err := sink.Replace(path, 0o644, func(f *os.File) error { return write(f, log) })
		if err == nil {
			fmt.Fprintf(s.err, "%s: %d channels, %d samples of %g Hz\n", path, len(log.Channels), log.Len(), log.Rate)
		}
		return err
	}
	switch c.To {
	case "csv":
		if out == "-" {
			return export.CSV(fileOutput(s.out), log)
		}
		return file(out, export.CSV)
	case "motec":
		if err := file(out, export.MoTeC); err != nil {
			return err
		}
		return sink.Replace(strings.TrimSuffix(out, filepath.Ext(out))+".ldx", 0o644, func(f *os.File) error { return export.MoTeCLaps(f, log) })
	case "mdf4":
		return file(out, export.MDF4)
	}
	return file(out, func(w io.Writer, l *drivelog.Log) error { return recording.WriteLog(w, &r.Header, l) })
}
