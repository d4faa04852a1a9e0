package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/internal/tools/lab/tirerig"
	"rig.example/rig/sim/tire"
)

type tireCmd struct {
	Tire     string    `arg:"" optional:"" name:"model|file.tir" help:"Built-in tire or file. Without one, list the built-in tires."`
	Sweep    sweepKind `placeholder:"KIND" help:"Calculate steady forces over slip-angle, slip-ratio, camber, load or combined."`
	Points   pathArg   `placeholder:"F.csv" help:"Calculate steady forces at the points of this table. - is stdin."`
	Fz       numbers   `placeholder:"N,..." help:"Loads [N]. Default: 0.5, 1 and 1.5 times the nominal load. A load sweep goes from 0 to the largest."`
	Alpha    numbers   `placeholder:"DEG,..." help:"Slip angles to hold [°]."`
	Kappa    number    `placeholder:"K" help:"Slip ratio to hold."`
	Gamma    number    `placeholder:"DEG" help:"Camber to hold [°]."`
	From     number    `placeholder:"X" help:"Start of the sweep: degrees, newtons or slip ratio."`
	To       number    `placeholder:"X" help:"End of the sweep."`
	Step     number    `placeholder:"X" help:"Step of the sweep."`
	Pressure number    `placeholder:"KPA" help:"Inflation pressure [kPa]. Default: the tire's."`
	Speed    number    `placeholder:"M/S" help:"Speed [m/s]. Default: the speed that the tire was measured at."`
	Surface  string    `default:"dry" placeholder:"NAME" help:"Surface below the tire."`
	CSV      pathArg   `name:"csv" placeholder:"F" help:"Write the table to this file. - is stdout."`
	Plot     pathArg   `placeholder:"F.svg|png" help:"Draw the sweep into this file."`
	JSON     bool      `name:"json" help:"Print one JSON object."`
}

func (c *tireCmd) Run(s *streams) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Tire == "" {
		return c.list(sink.Stdout("tire", s.out))
	}
	b, err := c.newBench()
	switch {
	case err != nil:
		return err
	case c.Points != "":
		return c.points(s, b)
	case c.Sweep != "":
		return c.sweep(s, b)
	}
	sum, out := b.Summary(), sink.Stdout("tire", s.out)
	if c.JSON {
		return json.NewEncoder(out).Encode(sum)
	}
	return sum.Print(out)
}

// check returns an error if flags contradict each other or have no effect together.
func (c *tireCmd) check() error {
	refuse := func(flag, text string) error { return &config.Problem{File: flag, Text: text} }
	hasHeldValues := len(c.Fz) > 0 || len(c.Alpha) > 0 || c.Kappa.set || c.Gamma.set || c.From.set || c.To.set || c.Step.set
	switch {
	case c.Sweep != "" && c.Points != "":
		return refuse("--points", "a sweep makes its own points; give --sweep or --points")
	case c.Tire == "" && (c.Sweep != "" || c.Points != ""):
		return refuse("rig tire", "no tire to test; name one of "+strings.Join(tire.Names(), ", ")+", or a file that ends with .tir")
	case c.Points != "" && (hasHeldValues || c.Plot != "" || c.JSON):
		return refuse("--points", "the table says what is held and comes back as a table; leave --fz, --alpha, --kappa, --gamma, --from, --to, --step, --plot and --json out")
	case c.Sweep == "" && c.Points == "" && (hasHeldValues || c.Plot != "" || c.CSV != ""):
		return refuse("rig tire", "nothing to run; give --sweep KIND or --points F.csv, or leave all but --pressure, --speed, --surface and --json out")
	case c.CSV == "-" && c.JSON:
		return refuse("--csv", "- and --json would both go to stdout; name a file")
	case c.CSV != "" && c.Plot != "" && sink.SameFile(string(c.CSV), string(c.Plot)):
		return refuse("--plot", "the table of --csv goes into the same file; give it another name")
	}
	return picture.CheckName("--plot", string(c.Plot))
}

// list prints the built-in tires.
func (c *tireCmd) list(w io.Writer) error {
	found := []tirerig.Summary{}
	for _, name := range tire.Names() {
		c.Tire = name
		b, err := c.newBench()
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

// newBench returns a test bench with the tire, surface, pressure and speed of the flags.
func (c *tireCmd) newBench() (*tirerig.Bench, error) {
	t, err := tirerig.Open(c.Tire)
	if err != nil {
		return nil, err
	}
	b := &tirerig.Bench{Tire: t}
	if err := b.SetSurface(c.Surface); err != nil {
		return nil, err
	}
	if c.Pressure.set {
		if err := b.SetPressure(c.Pressure.value); err != nil {
			return nil, err
		}
	}
	if c.Speed.set {
		return b, b.SetSpeed(c.Speed.value)
	}
	return b, nil
}

// sweep runs the sweep of --sweep and writes its table, plot or JSON; without any of these flags it
// prints the table.
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
		return json.NewEncoder(sink.Stdout("tire", s.out)).Encode(r)
	}
	logNotices(s, r.Notices)
	return nil
}

// points calculates the forces at each point of the table of --points, until one of endSignals comes.
func (c *tireCmd) points(s *streams, b *tirerig.Bench) error {
	ctx, done := s.untilInterrupted()
	defer done()
	batch := tirerig.Batch{From: string(c.Points), To: string(c.CSV), In: s.in, Out: s.out, Interrupt: ctx.Done()}
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
	logNotices(s, report.Notices)
	return nil
}

// logNotices logs the notes about a result. It is called only after the result was written: if that
// fails, the error alone is printed.
func logNotices(s *streams, notices []string) {
	for _, n := range printable.FirstLines(notices) {
		s.log.Info("tire: " + n)
	}
}

// argument takes the next argument off the command line, or returns "" if there is none. kong's own
// reader would refuse a value that begins with a minus.
func argument(ctx *kong.DecodeContext) string {
	t := ctx.Scan.Pop()
	if t.IsEOL() {
		return ""
	}
	return t.String()
}

// number is the value of a numeric flag, which may begin with a minus.
type number struct {
	value float64
	set   bool
}

// Decode reads the next argument.
func (n *number) Decode(ctx *kong.DecodeContext) error {
	v, err := strconv.ParseFloat(argument(ctx), 64)
	if err != nil {
		return errors.New("give a number, such as 2.5")
	}
	*n = number{v, true}
	return nil
}

// pointer returns nil if the flag was not given.
func (n number) pointer() *float64 {
	if !n.set {
		return nil
	}
	return &n.value
}

// numbers is the value of a flag that takes a list of numbers, separated by commas.
type numbers []float64

// Decode reads the next argument.
func (n *numbers) Decode(ctx *kong.DecodeContext) error {
	*n = nil
	for text := range strings.SplitSeq(argument(ctx), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return fmt.Errorf("%q is not a number; give numbers separated by commas, such as 2000,4000,6000", text)
		}
		*n = append(*n, v)
	}
	return nil
}

// sweepKind is the value of --sweep. An empty value, as from a shell variable that is not set, is an error.
type sweepKind string

// Decode reads the next argument.
func (k *sweepKind) Decode(ctx *kong.DecodeContext) error {
	if *k = sweepKind(argument(ctx)); *k == "" {
		return errors.New("give one of " + strings.Join(tirerig.Kinds(), ", "))
	}
	return nil
}

// pathArg is the value of a flag that takes a path or - for stdin or stdout.
type pathArg string

// Decode reads the next argument.
func (w *pathArg) Decode(ctx *kong.DecodeContext) error {
	if text := argument(ctx); text == "-" || text != "" && text[0] != '-' {
		*w = pathArg(text)
		return nil
	}
	return errors.New("give the name of a file")
}
