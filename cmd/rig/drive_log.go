package main

import (
	"bytes"
	"io"
	"log/slog"
	"time"

	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/live/rig"
	"rig.example/rig/internal/tools/watch"
)

// logFlag is embedded in commands that drive.
type logFlag struct {
	Log string `enum:"auto,text,json" default:"auto" help:"How to write the log: text (key=value) or json, one record a line. auto: in a terminal for people, above the state of the drive, else text."`
}

// newLog returns a logger that writes to w, as json, as text, or if format is "auto" for people if w is a terminal.
func newLog(w io.Writer, format string, level slog.Level, forPeople bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: cleanAttr}
	switch {
	case format == "json":
		return slog.New(slog.NewJSONHandler(w, options))
	case format == "auto" && forPeople:
		return slog.New(console.NewLog(w, console.LogOptions{Level: level, Color: console.Colors(), ReplaceAttr: cleanAttr}))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// driveLog is what a drive writes to stderr: its log and, in a terminal, its state below. It never waits for the reader.
type driveLog struct {
	panel *console.Panel
	board watch.Board
	began time.Time
	shows bool

	logged  time.Duration // when a line about the laps was logged, from began
	streams *streams
	before  streams // as they were
}

// openDriveLog makes the log and stderr of s those of a drive, until end is called.
func (s *streams) openDriveLog(format string) *driveLog {
	d := &driveLog{streams: s, before: *s, began: time.Now()}
	t := terminal(s.err)
	forPeople := t != nil && format == "auto"
	options := console.Options{Color: console.Colors(), Lost: func(lines int) []byte {
		var b bytes.Buffer
		log := newLog(&b, format, s.level, forPeople)
		log.Warn("lines of the log are lost: nobody read them in time", "lines", lines)
		return b.Bytes()
	}}
	if d.shows = forPeople && !console.Dumb(); d.shows {
		options.Terminal = t
	}
	d.panel = console.NewPanel(unqueued(rawOutput(s.err)), options)
	errs := &screen{w: d.panel}
	s.err = errs
	if forPeople {
		s.log = newLog(d.panel, format, s.level, true)
	} else {
		s.log = newLog(errs, format, s.level, false)
	}
	s.flush = d.panel.Flush
	return d
}

// rawOutput returns the writer below a screen.
func rawOutput(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.w
	}
	return w
}

// unqueued returns the file to which a queue writes. Nothing may wait in it.
func unqueued(w io.Writer) io.Writer {
	if q, ok := w.(*queue); ok {
		return q.file
	}
	return w
}

// status returns a function that shows the drive's state, and its part in a session, nil without one. Where there is no place
// for it, the function logs how far a drive with a number of laps is.
func (d *driveLog) status(inSession *member.Part) func(rig.Now) {
	if !d.shows {
		return d.logLaps
	}
	return func(now rig.Now) {
		d.board.Add(time.Since(d.began), now.Ticks, &now.Frame)
		columns, rows := d.panel.Area()
		words := watch.Words{Cause: now.Cause, Notice: now.Notice, Hint: hint(inSession.Text(), "Ctrl-C parks and ends; emergency stop: rig stop in another terminal"), Laps: lapsOf(&now)}
		_ = d.panel.Show(d.board.Lines(&now.Frame, words, columns, rows)) // a terminal that is closed ends the drive by a signal
	}
}

// logLaps logs every 10 s how far a drive with a number of laps is.
func (d *driveLog) logLaps(now rig.Now) {
	const interval = 10 * time.Second
	if at := time.Since(d.began); now.LapLimit > 0 && at-d.logged >= interval {
		d.logged = at
		laps := lapsOf(&now)
		d.streams.log.Info(laps.Line(&now.Frame))
	}
}

func lapsOf(now *rig.Now) watch.Laps { return watch.Laps{Limit: now.LapLimit, Length: now.LapLength} }

// end removes the drive's state and writes the rest of the log. It may be called again.
func (d *driveLog) end() {
	d.panel.Close()
	s := d.streams
	s.err, s.log, s.flush = d.before.err, d.before.log, d.before.flush
}
