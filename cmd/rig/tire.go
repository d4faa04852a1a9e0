package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/tirerig"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/sink"
	"rig.example/rig/sim/tire"
)

type tireCmd struct {
	Tire     string  `arg:"" optional:"" name:"model|file.tir" help:"A built-in tire or a file; without one the built-in tires are listed."`
	Sweep    test    `placeholder:"KIND" help:"Steady forces over slip-angle, slip-ratio, camber, load or combined."`
	Points   word    `placeholder:"F.csv" help:"Steady forces at the points of a table; - is stdin."`
	Fz       numbers `placeholder:"N,..." help:"Loads; 0.5, 1 and 1.5 times the nominal one. A load sweep goes from 0 to the greatest."`
	Alpha    numbers `placeholder:"DEG,..." help:"Slip angles that are held."`
	Kappa    number  `placeholder:"K" help:"Slip ratio that is held."`
	Gamma    number  `placeholder:"DEG" help:"Camber that is held."`
	From     number  `placeholder:"X" help:"Where the sweep begins: degrees, newtons or slip ratio."`
	To       number  `placeholder:"X" help:"Where the sweep ends."`
	Step     number  `placeholder:"X" help:"Step of the sweep."`
	Pressure number  `placeholder:"KPA" help:"Inflation; the tire's own."`
	Speed    number  `placeholder:"M/S" help:"Speed; the one that the tire was measured at."`
	Surface  string  `default:"dry" placeholder:"NAME" help:"What the tire stands on."`
	CSV      word    `name:"csv" placeholder:"F" help:"Write the table into a file; - is stdout."`
	Plot     word    `placeholder:"F.svg|png" help:"Draw the sweep."`
	JSON     bool    `name:"json" help:"Print one JSON object."`
}

func (c *tireCmd) Run(s *streams) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Tire == "" {
		return c.list(tirerig.Stdout(s.out))
	}
	b, err := c.bench()
	switch {
	case err != nil:
		return err
	case c.Points != "":
		return c.points(s, b)
	case c.Sweep != "":
		return c.sweep(s, b)
	}
	sum, out := b.Summary(), tirerig.Stdout(s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(sum)
	}
	return sum.Print(out)
}

// check refuses flags that have no meaning together.
func (c *tireCmd) check() error {
	refuse := func(flag, text string) error { return &config.Problem{File: flag, Text: text} }
	held := len(c.Fz) > 0 || len(c.Alpha) > 0 || c.Kappa.given || c.Gamma.given || c.From.given || c.To.given || c.Step.given
	switch {
	case c.Sweep != "" && c.Points != "":
		return refuse("--points", "a sweep makes its own points; give --sweep or --points")
	case c.Tire == "" && (c.Sweep != "" || c.Points != ""):
		return refuse("rig tire", "no tire to test; name one of "+strings.Join(tire.Names(), ", ")+", or a file that ends with .tir")
	case c.Points != "" && (held || c.Plot != "" || c.JSON):
		return refuse("--points", "the table says what is held and comes back as a table; leave --fz, --alpha, --kappa, --gamma, --from, --to, --step, --plot and --json out")
	case c.Sweep == "" && c.Points == "" && (held || c.Plot != "" || c.CSV != ""):
		return refuse("rig tire", "nothing to run; give --sweep KIND or --points F.csv, or leave all but --pressure, --speed, --surface and --json out")
	case c.CSV == "-" && c.JSON:
		return refuse("--csv", "- and --json would both go to stdout; name a file")
	case c.CSV != "" && c.Plot != "" && sink.Same(string(c.CSV), string(c.Plot)):
		return refuse("--plot", "the table of --csv goes into the same file; give it another name")
	case c.Plot != "":
		return tirerig.CheckPlot(string(c.Plot))
	}
	return nil
}

// list prints the built-in tires.
func (c *tireCmd) list(w io.Writer) error {
	found := []tirerig.Summary{}
	for _, name := range tire.Names() {
		c.Tire = name
		b, err := c.bench()
		if err != nil {
			return err
		}
		found = append(found, b.Summary())
	}
	if c.JSON {
		return json.NewEncoder(w).Encode(found)
	}
	var lines strings.Builder
	for _, s := range found {
		lines.WriteString(s.Line() + "\n")
	}
	_, err := io.WriteString(w, lines.String())
	return err
}

// bench holds the tire under the conditions that were asked for.
func (c *tireCmd) bench() (*tirerig.Bench, error) {
	t, err := tirerig.Open(c.Tire)
	if err != nil {
		return nil, err
	}
	b := &tirerig.Bench{Tire: t}
	if err := b.SetSurface(c.Surface); err != nil {
		return nil, err
	}
	if c.Pressure.given {
		if err := b.SetPressure(c.Pressure.value); err != nil {
			return nil, err
		}
	}
	if c.Speed.given {
		return b, b.SetSpeed(c.Speed.value)
	}
	return b, nil
}

func (c *tireCmd) sweep(s *streams, b *tirerig.Bench) error {
	r, err := b.Run(tirerig.Sweep{
		Kind: string(c.Sweep), Loads: c.Fz, Alphas: c.Alpha, Kappa: c.Kappa.value, Gamma: c.Gamma.value,
		From: c.From.pointer(), To: c.To.pointer(), Step: c.Step.pointer(),
	})
	if err != nil {
		return err
	}
	if c.Plot != "" {
		if err := r.WritePlot(string(c.Plot)); err != nil {
			return err
		}
	}
	if c.CSV == "" && c.Plot == "" && !c.JSON {
		c.CSV = "-"
	}
	if c.CSV != "" {
		if err := r.WriteCSV(string(c.CSV), s.out); err != nil {
			return err
		}
	}
	if c.JSON {
		return json.NewEncoder(tirerig.Stdout(s.out)).Encode(r)
	}
	warn(s, r.Notices)
	return nil
}

func (c *tireCmd) points(s *streams, b *tirerig.Bench) error {
	told, stop := signal.NotifyContext(context.Background(), toEnd...)
	defer func() {
		// A second signal, which some programs send right behind the first, must
		// not cut short what that one began.
		if told.Err() == nil {
			stop()
		}
	}()
	batch := tirerig.Batch{From: string(c.Points), To: string(c.CSV), In: s.in, Out: s.out, Interrupt: told.Done()}
	if batch.To == "" {
		batch.To = "-"
	}
	if f := terminal(s.err); f != nil && (batch.To != "-" || terminal(s.out) == nil) {
		batch.Terminal = f
	}
	report, err := b.Batch(batch)
	if err != nil {
		return err
	}
	warn(s, report.Notices)
	return nil
}

// warn tells what to know about a result; not before it is there, so that an
// error stays alone.
func warn(s *streams, notices []string) {
	for _, n := range printable.Few(notices) {
		s.log.Info("tire: " + n)
	}
}

// argument takes the next one off the command line; kong itself would refuse
// what begins with a minus.
func argument(ctx *kong.DecodeContext) string {
	t := ctx.Scan.Pop()
	if t.IsEOL() {
		return ""
	}
	return t.String()
}

// number is a flag's number, which may begin with a minus.
type number struct {
	value float64
	given bool
}

// Decode reads the next argument.
func (n *number) Decode(ctx *kong.DecodeContext) error {
	v, err := strconv.ParseFloat(argument(ctx), 64)
	if err != nil {
		return errors.New("give a number, as 2.5")
	}
	*n = number{v, true}
	return nil
}

func (n number) pointer() *float64 {
	if !n.given {
		return nil
	}
	return &n.value
}

// numbers are a flag's list of them.
type numbers []float64

// Decode reads the next argument.
func (n *numbers) Decode(ctx *kong.DecodeContext) error {
	*n = nil
	for text := range strings.SplitSeq(argument(ctx), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return fmt.Errorf("%q is no number; give numbers with commas between, as 2000,4000,6000", text)
		}
		*n = append(*n, v)
	}
	return nil
}

// test is a flag's kind of sweep. An empty one, as of a variable that is not
// set, does not ask for the summary.
type test string

// Decode reads the next argument.
func (k *test) Decode(ctx *kong.DecodeContext) error {
	if *k = test(argument(ctx)); *k == "" {
		return errors.New("give one of " + strings.Join(tirerig.Kinds(), ", "))
	}
	return nil
}

// word is a flag's text, which may be a lone minus.
type word string

// Decode reads the next argument.
func (w *word) Decode(ctx *kong.DecodeContext) error {
	if text := argument(ctx); text == "-" || text != "" && text[0] != '-' {
		*w = word(text)
		return nil
	}
	return errors.New("give the name of a file")
}
