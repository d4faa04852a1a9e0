package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/connect/session/results"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
)

// controlFlags name a session to watch or to control: one that this machine hosts, or that of an invitation.
type controlFlags struct {
	Session string `placeholder:"NAME|F.rig" help:"Session: the name of one that this machine hosts, or the file of an invitation. Default: the only one here."`
	Folder  string `type:"path" placeholder:"D" help:"Folder of sessions. Default: rig/sessions in the folder of your data."`
}

// invitation returns the key to use: the file that the flag names, or race control's in the session's folder. folder is nil
// for a file.
func (c *controlFlags) invitation(flag string) (i keys.Invitation, folder *keys.Folder, err error) {
	if strings.HasSuffix(c.Session, ".rig") || strings.ContainsRune(c.Session, filepath.Separator) {
		i, err = keys.Read(c.Session)
		return i, nil, wrongUsage(err)
	}
	if folder, err = (sessionChoice{flag: flag, name: c.Session, root: c.Folder, orFile: true}).folder(nil); err != nil {
		return i, nil, err
	}
	i, err = keys.Read(folder.Path(keys.OfficialFile))
	return i, folder, err
}

// official returns race control's key, and refuses that of any other role. flag is the one that names the session.
func (c *controlFlags) official(flag string) (keys.Invitation, error) {
	i, _, err := c.invitation(flag)
	if err == nil && i.Role != session.Official {
		err = wrongUsage(fmt.Errorf("%s %s: it is for a %s; this needs one made with --role official", flag, printable.Name(c.Session), i.Role))
	}
	return i, err
}

// answerTime is how long the host may take to connect and to answer.
const answerTime = 10 * time.Second

// connect connects to the bus of a session.
func connect(ctx context.Context, i keys.Invitation, log *slog.Logger) (*bus.Bus, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return bus.Connect(ctx, i, bus.Options{Name: "rig session", Log: log})
}

// ask asks the host.
func ask(b *bus.Bus, subject string, question, answer any) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	return b.Request(ctx, subject, question, answer)
}

// give gives the host an order, prints what was done, and calls then with the connection, unless it is nil.
func (c *controlFlags) give(s *streams, o session.Order, then func(b *bus.Bus, i keys.Invitation) error) error {
	i, err := c.official("--session")
	if err != nil {
		return err
	}
	b, err := connect(context.Background(), i, s.log)
	if err != nil {
		return err
	}
	defer b.Close()
	var a session.Answer
	if err := ask(b, session.OrderSubject(i.Session), o, &a); err != nil {
		if o.Do == "stop" {
			err = fmt.Errorf("%w; press the emergency stops of the rigs", err)
		}
		return err
	}
	if a.Error != "" {
		return errors.New(printable.Line(a.Error))
	}
	if _, err := fmt.Fprintln(s.out, printable.Line(a.Text)); err != nil || then == nil {
		return err
	}
	return then(b, i)
}

type sessionGridCmd struct {
	controlFlags
	Order []string `arg:"" optional:"" help:"Rigs from the first place on. The others follow by their best practice laps."`
}

func (c *sessionGridCmd) Run(s *streams) error {
	o := session.Order{Do: "grid"}
	for _, name := range c.Order {
		if err := wrongUsage(session.CheckID(name)); err != nil {
			return err
		}
		o.Order = append(o.Order, session.ID(name))
	}
	return c.give(s, o, nil)
}

type sessionStartCmd struct {
	controlFlags
	In time.Duration `default:"10s" placeholder:"D" help:"Countdown: 3s to 10m. Default: 10s."`
}

func (c *sessionStartCmd) Run(s *streams) error {
	if c.In < 3*time.Second || c.In > 10*time.Minute {
		return wrongUsage(fmt.Errorf("--in %s: must be 3s to 10m", c.In))
	}
	return c.give(s, session.Order{Do: "start", In: c.In.Seconds()}, nil)
}

type sessionAbortCmd struct{ controlFlags }

func (c *sessionAbortCmd) Run(s *streams) error { return c.give(s, session.Order{Do: "abort"}, nil) }

type sessionPauseCmd struct{ controlFlags }

func (c *sessionPauseCmd) Run(s *streams) error { return c.give(s, session.Order{Do: "pause"}, nil) }

type sessionResumeCmd struct{ controlFlags }

func (c *sessionResumeCmd) Run(s *streams) error { return c.give(s, session.Order{Do: "resume"}, nil) }

type sessionEndCmd struct{ controlFlags }

func (c *sessionEndCmd) Run(s *streams) error { return c.give(s, session.Order{Do: "end"}, nil) }

type sessionFlagCmd struct {
	controlFlags
	Flag string `arg:"" enum:"none,green,yellow,red,checkered" help:"Flag: none, green, yellow, red or checkered."`
}

func (c *sessionFlagCmd) Run(s *streams) error {
	return c.give(s, session.Order{Do: "flag", Flag: session.Flag(strings.TrimPrefix(c.Flag, "none"))}, nil)
}

type sessionNoticeCmd struct {
	controlFlags
	Text string `arg:"" help:"Text, at most 200 bytes."`
	To   string `placeholder:"RIG" help:"Name this rig in it."`
}

func (c *sessionNoticeCmd) Run(s *streams) error {
	return c.give(s, session.Order{Do: "notice", Text: c.Text, Member: session.ID(c.To)}, nil)
}

type sessionPenaltyCmd struct {
	controlFlags
	Rig     string  `arg:"" help:"Name of the rig."`
	Seconds float64 `arg:"" help:"Seconds to add to its time; after --, less than 0 to take some back."`
	Text    string  `name:"for" placeholder:"TEXT" help:"Reason, as everybody sees it."`
}

func (c *sessionPenaltyCmd) Run(s *streams) error {
	return c.give(s, session.Order{Do: "penalty", Member: session.ID(c.Rig), Second: c.Seconds, Text: c.Text}, nil)
}

type sessionStopCmd struct{ controlFlags }

// stopTime is how long rigs may take to report that they have stopped.
const stopTime = 10 * time.Second

func (c *sessionStopCmd) Run(s *streams) error {
	return c.give(s, session.Order{Do: "stop"}, func(b *bus.Bus, i keys.Invitation) error { return awaitStops(s, b, i.Session, stopTime) })
}

// awaitStops waits until each rig has reported that its software stop has come into effect.
func awaitStops(s *streams, b *bus.Bus, name session.ID, limit time.Duration) error {
	reported := map[session.ID]bool{}
	for end := time.Now().Add(limit); ; time.Sleep(100 * time.Millisecond) {
		var board session.Board
		if err := ask(b, session.PresenceSubject(name), session.Query{}, &board); err != nil {
			return fmt.Errorf("%w; press the emergency stops of the rigs", err)
		}
		var missing []string
		for _, e := range board.Entries {
			switch {
			case e.Stopped && !reported[e.ID]:
				reported[e.ID] = true
				fmt.Fprintf(s.out, "%s has stopped\n", e.ID)
			case !e.Stopped && !e.Left && e.Present:
				missing = append(missing, string(e.ID))
			case !e.Stopped && !e.Left:
				missing = append(missing, string(e.ID)+" (not heard)")
			}
		}
		if len(missing) == 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("not reported as stopped after %s: %s; look there, and press the emergency stop", limit, strings.Join(missing, ", "))
		}
	}
}

type sessionResultsCmd struct {
	controlFlags
	JSON bool   `name:"json" help:"Print one JSON object."`
	CSV  string `name:"csv" type:"path" placeholder:"F" help:"Write every lap into this file, - for the terminal."`
	HTML string `name:"html" type:"path" placeholder:"F" help:"Write a web page with tables and charts into this file."`
}

func (c *sessionResultsCmd) Run(s *streams) error {
	if err := c.checkFiles(); err != nil {
		return err
	}
	r, err := c.results(s)
	if err != nil {
		return err
	}
	if c.CSV == "" && c.HTML == "" && !c.JSON {
		return printResults(s.out, r)
	}
	if c.JSON {
		err = json.NewEncoder(s.out).Encode(r)
	}
	for _, out := range []struct {
		path  string
		write func(io.Writer, race.Results) error
	}{{c.CSV, results.CSV}, {c.HTML, results.HTML}} {
		if out.path != "" {
			to := sink.Sink{Command: "session results", Path: out.path, Out: s.out}
			err = errors.Join(err, to.Fill(func(w io.Writer) error { return out.write(w, r) }))
		}
	}
	return err
}

// checkFiles returns an error if two results would be written to the same file or to stdout.
func (c *sessionResultsCmd) checkFiles() error {
	switch {
	case c.JSON && c.CSV == "-":
		return &config.Problem{File: "--csv", Text: "- and --json would both go to stdout; name a file"}
	case c.JSON && c.HTML == "-":
		return &config.Problem{File: "--html", Text: "- and --json would both go to stdout; name a file"}
	case c.CSV != "" && c.HTML != "" && sink.SameFile(c.CSV, c.HTML):
		return &config.Problem{File: "--html", Text: "the laps of --csv go into the same file; give it another name"}
	}
	return nil
}

// resultsFile is the name of the results in the folder of a session, without its ending.
const resultsFile = "results"

// results returns the results: those that are kept of a session that has ended here, else those of its host.
func (c *sessionResultsCmd) results(s *streams) (r race.Results, err error) {
	i, folder, err := c.invitation("--session")
	if err != nil {
		return r, err
	}
	if folder != nil {
		if data, err := os.ReadFile(folder.Path(resultsFile + ".json")); err == nil {
			return r, json.Unmarshal(data, &r)
		}
	}
	b, err := connect(context.Background(), i, s.log)
	if err != nil {
		return r, err
	}
	defer b.Close()
	if err := ask(b, session.PresenceSubject(i.Session), session.Query{Results: true}, &r); err != nil {
		return r, err
	}
	err = takeLaps(&r, func(q session.Query) (part race.Results, err error) {
		q.Results = true
		return part, ask(b, session.PresenceSubject(i.Session), q, &part)
	})
	return r, err
}

// mostLaps is how many laps a rig can have in the results: the host keeps no more events of it.
const mostLaps = 50_000

// takeLaps takes the laps of each rig in the classification from answers of the host, and believes no more than can be.
func takeLaps(r *race.Results, ask func(session.Query) (race.Results, error)) error {
	if len(r.Standings) > session.MaxMembers {
		return fmt.Errorf("session %s: the results of its host have %d rigs, and a session has at most %d", printable.Name(string(r.Session)), len(r.Standings), session.MaxMembers)
	}
	r.Rigs = nil
	for _, standing := range r.Standings {
		rig, err := takeRig(standing.Member, ask)
		if err != nil {
			return err
		}
		r.Rigs = append(r.Rigs, rig)
	}
	return nil
}

// takeRig takes the laps of a rig, answer by answer.
func takeRig(id session.ID, ask func(session.Query) (race.Results, error)) (race.Rig, error) {
	rig := race.Rig{Member: id}
	for {
		part, err := ask(session.Query{Member: id, From: len(rig.Laps)})
		if err != nil || len(part.Rigs) != 1 {
			return rig, err
		}
		laps := part.Rigs[0].Laps
		part.Rigs[0].Laps = append(rig.Laps, laps...)
		if rig = part.Rigs[0]; len(laps) == 0 {
			return rig, nil
		}
		if len(rig.Laps) > mostLaps {
			return rig, fmt.Errorf("the results of the host have more than %d laps of %s", mostLaps, printable.Name(string(id)))
		}
	}
}

// printResults prints the classification.
func printResults(w io.Writer, r race.Results) error {
	fmt.Fprintf(w, "%s, %s, %s\n", r.Session, printable.Name(r.Circuit.Name), r.Phase)
	fmt.Fprintf(w, "%3s  %-24s %-12s %4s %12s %10s %10s %8s  %s\n", "", "driver", "rig", "laps", "time", "gap", "best", "penalty", "status")
	for _, t := range r.Standings {
		if _, err := fmt.Fprintf(w, "%3d  %-24s %-12s %4d %12s %10s %10s %8g  %s\n", t.Place, printable.Name(t.Driver), t.Member, t.Laps, results.Time(t.Time), results.Gap(t), results.Time(t.Best), t.Penalty, t.Status); err != nil {
			return err
		}
	}
	return nil
}
