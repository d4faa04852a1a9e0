package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"rig.example/rig/display"
	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/tools/lab/testrun"
	"rig.example/rig/internal/tools/replayview"
)

// recordFlag is a flag that may have a value: the file to record into.
type recordFlag struct {
	set  bool
	file string
}

// IsBool tells that the flag needs no value.
func (recordFlag) IsBool() bool { return true }

// Decode reads the value behind =, if there is one.
func (f *recordFlag) Decode(ctx *kong.DecodeContext) error {
	f.set = true
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	f.file, _ = ctx.Scan.Pop().Value.(string)
	if f.file == "" {
		return errors.New("give the name of a new file, as --record=F.mcap, or leave = out")
	}
	return nil
}

type replayCmd struct {
	File       pathArg  `arg:"" placeholder:"F.mcap" help:"Recording, as rig ls lists them."`
	Display    bool     `help:"Show the drive in the window. Space pauses, the arrows left and right go back and on, up and down change the speed."`
	Picture    pathArg  `placeholder:"P.png" help:"Draw the moment --at into this picture. It needs a screen, or xvfb-run before the command."`
	At         number   `placeholder:"S" help:"With --picture: this time of the recording [s]. Default: its middle."`
	Verify     bool     `help:"Compare with the recording: every hash of the state and all channels. This is the default."`
	Drift      bool     `help:"Drive a recording of another build, and show how far what it does differs."`
	Set        []string `sep:"none" placeholder:"KEY=VALUE" help:"Drive with another rig, and compare: a key of the configuration, such as ffb.gain=0.8, or of the car, such as car.mass_kg=1200. May be repeated."`
	Report     pathArg  `placeholder:"F.html" help:"With --set: draw both drives into this page."`
	WAV        pathArg  `name:"wav" placeholder:"G.wav" help:"Write what the drive sounds like into this file, and what the configured shakers do into G-shakers.wav. No sound device is needed."`
	Plot       pathArg  `placeholder:"P.png" help:"With --wav: draw the spectrum of the sound over time into this .svg or .png."`
	Repair     pathArg  `placeholder:"F.mcap" help:"Write what is whole of a damaged recording as a whole file."`
	JSON       bool     `name:"json" help:"Print one JSON object."`
	PageSocket string   `name:"page" hidden:"" help:"With --display: publish the state at this socket."`
}

func (c *replayCmd) Run(s *streams) error {
	if err := c.check(); err != nil {
		return err
	}
	r, err := recording.Open(string(c.File))
	if err != nil {
		return err
	}
	defer r.Close()
	if c.Repair != "" {
		return c.repair(s, r)
	}
	if r.Damage != "" {
		s.log.Warn(filepath.Base(string(c.File)) + ": " + r.Damage)
	}
	switch {
	case c.WAV != "":
		return c.wav(s, r)
	case c.Display, c.Picture != "":
		return c.show(s, r)
	case len(c.Set) > 0:
		return c.compare(s, r)
	case c.Drift:
		return c.drift(s, r)
	}
	return c.verify(s, r)
}

// check refuses flags that do not go together.
func (c *replayCmd) check() error {
	refuse := func(flag, text string) error { return &config.Problem{File: flag, Text: text} }
	switch {
	case c.At.set && c.Picture == "":
		return refuse("--at", "it is the moment of --picture; give that too")
	case c.Picture != "" && !strings.HasSuffix(string(c.Picture), ".png"):
		return refuse("--picture", string(c.Picture)+": end its name with .png")
	case c.Picture != "" && (c.Display || len(c.Set) > 0 || c.Verify || c.Drift || c.JSON || c.WAV != "" || c.Repair != ""):
		return refuse("--picture", "it only draws a picture; leave the other flags out")
	case c.Display && (len(c.Set) > 0 || c.Verify || c.Drift || c.JSON || c.Repair != ""):
		return refuse("--display", "it only shows the drive; leave the other flags out")
	case len(c.Set) > 0 && (c.Verify || c.Drift):
		return refuse("--set", "a changed rig drives in another way; leave --verify and --drift out")
	case c.Report != "" && len(c.Set) == 0:
		return refuse("--report", "it shows what --set changed; for the drive as it was use rig report")
	case c.Drift && c.Verify:
		return refuse("--drift", "it compares already; leave --verify out")
	case c.WAV != "" && (c.Display || len(c.Set) > 0 || c.Verify || c.Drift || c.JSON || c.Repair != ""):
		return refuse("--wav", "it only writes the sound; leave the other flags out")
	}
	return c.checkWAV()
}

func (c *replayCmd) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c.File, err)
}

// show shows the drive in the window, or draws a picture of it.
func (c *replayCmd) show(s *streams, r *recording.Recording) error {
	if err := display.Available(); err != nil {
		return err
	}
	ctx, done := s.untilInterrupted()
	defer done()
	o := replayview.Options{Page: c.PageSocket, Picture: string(c.Picture), At: math.NaN(), Log: s.log}
	if c.At.set {
		o.At = c.At.value
	}
	err := replayview.Run(ctx, r, o)
	if err == nil && o.Picture != "" {
		fmt.Fprintln(s.err, o.Picture)
	}
	return c.named(err)
}

func (c *replayCmd) verify(s *streams, r *recording.Recording) error {
	p, err := replay.NewPlayer(r, nil, false)
	if err != nil {
		return c.named(err)
	}
	show, done := progressOf(s, "driving again")
	v, err := p.Verify(show)
	done()
	if err != nil {
		return c.named(err)
	}
	if c.JSON {
		if err := json.NewEncoder(s.out).Encode(v); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(s.out, v)
	}
	if !v.Equal {
		return errors.New("the replay differs from the recording")
	}
	return nil
}

// repair writes what is whole into a new file.
func (c *replayCmd) repair(s *streams, r *recording.Recording) error {
	if sink.SameFile(string(c.File), string(c.Repair)) {
		return &config.Problem{File: "--repair", Text: "it is the damaged file itself; give another name"}
	}
	if _, err := os.Stat(string(c.Repair)); err == nil {
		return &config.Problem{File: "--repair", Text: string(c.Repair) + " is there already; give another name"}
	}
	lost := 0
	err := sink.Replace(string(c.Repair), 0o600, func(out *os.File) (err error) {
		lost, err = r.Repair(out)
		return err
	})
	if err != nil {
		return err
	}
	text := "nothing was damaged"
	if r.Damage != "" {
		text = r.Damage
	}
	if lost > 0 {
		text += fmt.Sprintf("; %d parts of half a second could not be read", lost)
	}
	fmt.Fprintf(s.out, "%s: %.1f s whole (%s)\n", c.Repair, float64(r.Length())/1000, text)
	return nil
}

// progressOf returns what shows the progress of long work on a terminal.
func progressOf(s *streams, what string) (show func(share float64), done func()) {
	if f := terminal(s.err); f != nil {
		return testrun.Progress(f, what)
	}
	return func(float64) {}, func() {}
}

// compare drives in a changed rig.
func (c *replayCmd) compare(s *streams, r *recording.Recording) error {
	show, done := progressOf(s, "driving twice")
	both, err := replay.Compare(r, c.Set, replay.Part{Channels: channels.All()}, show)
	done()
	if err != nil {
		return c.named(err)
	}
	changes := changesOf(both.Base, both.Changed)
	if c.JSON {
		return json.NewEncoder(s.out).Encode(struct {
			Set          []string `json:"set"`
			Hypothetical *float64 `json:"hypothetical_from_s"`
			Channels     []change `json:"channels"`
		}{c.Set, orNull(both.Hypothetical), changes})
	}
	printChanges(s.out, changes)
	text := hypotheticalText(both.Hypothetical, r.Header.Setup.Demo)
	fmt.Fprintln(s.out, text)
	if c.Report == "" {
		return nil
	}
	return writePage(s, string(c.Report), compareReport(both, c.Set, text))
}

// hypotheticalText says from where on a changed rig drove in another way. demo tells that a driver model drove.
func hypotheticalText(at float64, demo bool) string {
	switch {
	case math.IsNaN(at):
		return "The car drove exactly as before."
	case demo:
		return fmt.Sprintf("From %.3f s on the car drove in another way; the driver model reacted to it.", at)
	}
	return fmt.Sprintf("From %.3f s on the car drove in another way, and the recorded hands did not react: what follows is hypothetical.", at)
}

// drift shows how far a replay by another build differs.
func (c *replayCmd) drift(s *streams, r *recording.Recording) error {
	p, err := replay.NewPlayer(r, nil, true)
	if err != nil {
		return c.named(err)
	}
	part := replay.Part{Channels: channels.All()}
	was, err := replay.Log(r, part)
	if err != nil {
		return c.named(err)
	}
	show, done := progressOf(s, "driving again")
	now, err := p.Driven(part, show)
	done()
	if err != nil {
		return c.named(err)
	}
	for i := range now.Channels {
		for k, v := range now.Channels[i].Values {
			now.Channels[i].Values[k] = float64(float32(v)) // as recorded
		}
	}
	changes := changesOf(was, now)
	if c.JSON {
		return json.NewEncoder(s.out).Encode(changes)
	}
	printChanges(s.out, changes)
	return nil
}

// orNull returns a number for JSON, in which NaN is null.
func orNull(v float64) *float64 {
	if !valid.Finite(v) {
		return nil
	}
	return &v
}

// change is how a channel of two drives differs.
type change struct {
	Channel string  `json:"channel"`
	Unit    string  `json:"unit"`
	First   float64 `json:"first_s"` // when it differs first
	Most    float64 `json:"most"`    // largest difference
	At      float64 `json:"at_s"`    // when that is
	RMSWas  float64 `json:"rms_before"`
	RMSNow  float64 `json:"rms_after"`
}

// changesOf lists the channels that differ between two drives of equal length.
func changesOf(a, b *drivelog.Log) (all []change) {
	for i := range a.Channels {
		x, y := &a.Channels[i], b.Channel(a.Channels[i].Name)
		if y == nil {
			continue
		}
		c := change{Channel: x.Name, Unit: x.Unit, First: math.NaN()}
		n := 0.0
		for k := range x.Values {
			v, w := x.Values[k], y.Values[k]
			if math.IsNaN(v) || math.IsNaN(w) {
				continue
			}
			n++
			c.RMSWas += v * v
			c.RMSNow += w * w
			if v != w && math.IsNaN(c.First) {
				c.First = a.Time(k)
			}
			if d := math.Abs(v - w); d > c.Most {
				c.Most, c.At = d, a.Time(k)
			}
		}
		if !math.IsNaN(c.First) {
			c.RMSWas, c.RMSNow = math.Sqrt(c.RMSWas/n), math.Sqrt(c.RMSNow/n)
			all = append(all, c)
		}
	}
	return all
}

// printChanges prints a table of what differs.
func printChanges(out io.Writer, list []change) {
	if len(list) == 0 {
		fmt.Fprintln(out, "No channel differs.")
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "channel\tunit\tfrom [s]\tmost\tat [s]\tRMS before\tafter\t")
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%.2f\t%.4g\t%.2f\t%.4g\t%.4g\t\n", c.Channel, c.Unit, c.First, c.Most, c.At, c.RMSWas, c.RMSNow)
	}
	w.Flush()
}
