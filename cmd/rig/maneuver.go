package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/tools/lab/picture"
	"rig.example/rig/internal/tools/lab/testrun"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/trial"
)

const (
	openLoop = "open-loop"
	lap      = "lap"
	perKPH   = 1 / 3.6 // [m/s]
)

type maneuverCmd struct {
	Name    string   `arg:"" optional:"" name:"name" help:"Manoeuvre to drive, or open-loop. Without a name, list them all."`
	Car     string   `default:"coupe" placeholder:"NAME|F.toml" help:"Use this built-in car or car file. Default: coupe."`
	Set     []string `sep:"none" placeholder:"KEY=VALUE" help:"Override a key of the car's file. May be repeated."`
	Speed   number   `placeholder:"KM/H" help:"Entry or test speed [km/h]. Default: the standard's."`
	Assists assists  `placeholder:"LIST" help:"Driving aids that are on, such as abs=5,traction=5,stability=5,clutch,shifting,launch,pit. Default: none."`
	Track   string   `placeholder:"NAME|F.toml" help:"Circuit for lap. Default: club."`
	Input   pathArg  `placeholder:"F.csv" help:"Table of inputs for open-loop. - is stdin."`

	Compare      pathArg `placeholder:"F.csv" help:"Compare open-loop with this trajectory."`
	StartSpeed   number  `placeholder:"KM/H" help:"Speed at the start of open-loop [km/h]. Default: that of the table's first line, or 0."`
	StartHeading number  `placeholder:"DEG" help:"Heading at the start of open-loop [°], positive to the left."`
	StartX       number  `placeholder:"M" help:"x of the center of mass at the start of open-loop [m], positive forward."`
	StartY       number  `placeholder:"M" help:"y of the center of mass at the start of open-loop [m], positive to the left."`
	Gear         number  `placeholder:"N" help:"Gear for open-loop if the inputs do not name one."`

	CSV      pathArg `name:"csv" placeholder:"F" help:"Write the recording to this file. - is stdout."`
	Channels string  `placeholder:"all|LIST" help:"Write these channels with --csv, by names, groups or patterns such as wheel_fl_*: see rig channels."`
	Plot     pathArg `placeholder:"F.svg|png" help:"Draw the recording into this file."`
	JSON     bool    `name:"json" help:"Print one JSON object."`

	sweepFlags
}

func (c *maneuverCmd) Run(s *streams) error {
	if err := c.check(); err != nil {
		return err
	}
	out := sink.Stdout("maneuver", s.out)
	if c.Name == "" {
		return c.list(out)
	}
	if len(c.Sweep) > 0 {
		return c.sweep(s)
	}
	list, err := c.channelList()
	if err != nil {
		return err
	}
	car, err := config.LoadCar(c.Car, c.Set...)
	if err != nil {
		return err
	}
	report, err := c.drive(s, car, testrun.Observer(list))
	if err != nil {
		return err
	}
	report.Channels = list
	report.Notes = append(report.Notes, config.TireNotices(car)...)
	return c.output(s, out, report)
}

// check returns an error if the manoeuvre is unknown, or if flags contradict each other, have no effect
// together or are out of range.
func (c *maneuverCmd) check() error {
	refuse := func(flag, text string) error { return &config.Problem{File: flag, Text: text} }
	hasOpenLoopFlags := c.Input != "" || c.Compare != "" || c.StartSpeed.set || c.StartHeading.set || c.StartX.set || c.StartY.set || c.Gear.set
	names := append(maneuver.Names(), openLoop)
	switch {
	case c.Name == "" && (hasOpenLoopFlags || c.Speed.set || len(c.Set) > 0 || c.Assists.set || c.CSV != "" || c.Plot != "" || c.Channels != "" || len(c.Sweep) > 0):
		return refuse("rig maneuver", "nothing to drive; name one of "+strings.Join(names, ", "))
	case c.Name == "":
		return nil
	case !slices.Contains(names, c.Name):
		return refuse("rig maneuver", fmt.Sprintf("%q not found; choose %s", c.Name, strings.Join(names, ", ")))
	case c.Track != "" && c.Name != lap:
		return refuse("--track", "only "+lap+" drives on a circuit; leave it out")
	case c.Name != openLoop && hasOpenLoopFlags:
		return refuse("rig maneuver "+c.Name, "it drives its own inputs; --input, --compare, --gear and the --start flags belong to open-loop")
	case c.Name == openLoop && c.Input == "":
		return refuse("--input", "open-loop has nothing to drive; give a table of inputs, as --input F.csv")
	case c.Name == openLoop && c.Speed.set:
		return refuse("--speed", "open-loop takes --start-speed, and the column speed_mps to hold one")
	case c.Speed.set && c.Name != openLoop && !maneuver.HasSpeed(c.Name):
		return refuse("--speed", c.Name+" has no speed to choose; leave it out")
	case c.Channels != "" && c.CSV == "":
		return refuse("--channels", "there is no table to write them to; give --csv F")
	case c.Input == "-" && c.Compare == "-":
		return refuse("--compare", "stdin holds the inputs already; name a file")
	}
	return firstError(c.checkNumbers(), c.checkFiles(), c.checkSweep())
}

// channelList returns the channels of --channels, nil without the flag.
func (c *maneuverCmd) channelList() ([]channels.Channel, error) {
	if c.Channels == "" {
		return nil, nil
	}
	list, err := channels.NamedOfCar(c.Channels)
	if err != nil {
		return nil, &config.Problem{File: "--channels", Text: err.Error()}
	}
	return list, nil
}

// checkNumbers returns an error if the value of a numeric flag is out of range.
func (c *maneuverCmd) checkNumbers() error {
	inRange := func(flag string, n number, low, high float64, unit string) error {
		if !n.set || n.value >= low && n.value <= high {
			return nil
		}
		return &config.Problem{File: flag, Text: fmt.Sprintf("%g %s: must be %g to %g", n.value, unit, low, high)}
	}
	if c.Gear.set && c.Gear.value != math.Trunc(c.Gear.value) {
		return &config.Problem{File: "--gear", Text: fmt.Sprintf("%g is not a gear; give -1 for reverse, 0 for neutral, 1 and up", c.Gear.value)}
	}
	return firstError(
		inRange("--speed", c.Speed, 0.1, 500, "km/h"),
		inRange("--start-speed", c.StartSpeed, 0, 500, "km/h"),
		inRange("--start-heading", c.StartHeading, -360, 360, "deg"),
		inRange("--start-x", c.StartX, -1e5, 1e5, "m"),
		inRange("--start-y", c.StartY, -1e5, 1e5, "m"),
		inRange("--gear", c.Gear, -1, 12, ""),
	)
}

// checkFiles returns an error if two results would be written to the same file or to stdout.
func (c *maneuverCmd) checkFiles() error {
	switch {
	case c.CSV == "-" && c.JSON:
		return &config.Problem{File: "--csv", Text: "- and --json would both go to stdout; name a file"}
	case c.CSV != "" && c.Plot != "" && sink.SameFile(string(c.CSV), string(c.Plot)):
		return &config.Problem{File: "--plot", Text: "the table of --csv goes into the same file; give it another name"}
	}
	return picture.CheckName("--plot", string(c.Plot))
}

// firstError returns the first of errs that is not nil, or nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// list prints the manoeuvres, one a line.
func (c *maneuverCmd) list(out io.Writer) error {
	names := append(maneuver.Names(), openLoop)
	if c.JSON {
		type entry struct {
			Maneuver string `json:"maneuver"`
			About    string `json:"about"`
		}
		var list []entry
		for _, n := range names {
			list = append(list, entry{n, maneuver.About(n)})
		}
		return json.NewEncoder(out).Encode(list)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, n := range names {
		fmt.Fprintf(t, "%s\t%s\n", n, maneuver.About(n))
	}
	return t.Flush()
}

// drive runs the manoeuvre and shows its progress if stderr is a terminal. observe may be nil.
func (c *maneuverCmd) drive(s *streams, car sim.Params, observe trial.Observer) (*testrun.Report, error) {
	var screen io.Writer
	if f := terminal(s.err); f != nil && !c.JSON {
		screen = f
	}
	show, done := testrun.Progress(screen, c.Name)
	defer done()
	o := maneuver.Options{Speed: c.Speed.value * perKPH, Progress: show, Assists: c.Assists.value, Observe: observe}
	if c.Name == openLoop {
		return c.driveOpenLoop(s, car, o)
	}
	var warnings []string
	if c.Name == lap {
		var err error
		if o.Circuit, warnings, err = circuit.Load(cmp.Or(c.Track, "club"), circuit.Options{Cache: circuit.UserCache()}); err != nil {
			return nil, err
		}
	}
	r, err := maneuver.Do(c.Name, car, o)
	if err != nil {
		return nil, err
	}
	return &testrun.Report{Result: r, Car: c.Car, Assists: o.Assists, Notes: append(r.Notes, warnings...)}, nil
}

// driveOpenLoop drives the inputs of --input and compares the result with the trajectory of --compare.
func (c *maneuverCmd) driveOpenLoop(s *streams, car sim.Params, o maneuver.Options) (*testrun.Report, error) {
	gears := len(car.Driveline.Gears)
	if c.Gear.value > float64(gears) {
		return nil, &config.Problem{File: "--gear", Text: fmt.Sprintf("%g: the car has %d gears", c.Gear.value, gears)}
	}
	in, err := testrun.ReadInputs(string(c.Input), s.in, gears)
	if err != nil {
		return nil, err
	}
	var ref *testrun.Reference
	if c.Compare != "" {
		if ref, err = testrun.ReadReference(string(c.Compare), s.in); err != nil {
			return nil, err
		}
	}
	r, err := maneuver.OpenLoop(car, in, c.start(in[0]), o)
	if err != nil {
		return nil, err
	}
	report := &testrun.Report{Result: r, Car: c.Car, Assists: o.Assists, Notes: r.Notes}
	return report, report.CompareWith(ref)
}

// start returns the initial state for open-loop: from the flags, or without --start-speed at the speed
// of the first line of inputs.
func (c *maneuverCmd) start(first maneuver.Input) maneuver.Start {
	speed := c.StartSpeed.value * perKPH
	if !c.StartSpeed.set && !math.IsNaN(first.Speed) {
		speed = first.Speed
	}
	return maneuver.Start{
		Speed: speed, Heading: c.StartHeading.value * math.Pi / 180,
		X: c.StartX.value, Y: c.StartY.value, Gear: int(c.Gear.value),
	}
}

// output writes the plot and the table to their files and prints the report.
func (c *maneuverCmd) output(s *streams, out io.Writer, r *testrun.Report) error {
	if c.Plot != "" {
		if err := r.WritePlot(string(c.Plot)); err != nil {
			return err
		}
	}
	if c.CSV != "" {
		if err := r.WriteCSV(string(c.CSV), s.out); err != nil {
			return err
		}
	}
	switch {
	case c.JSON:
		return json.NewEncoder(out).Encode(r)
	case c.CSV == "-": // the table went to stdout, so the notes go to the log
		for _, n := range printable.FirstLines(r.Notes) {
			s.log.Info("maneuver: " + n)
		}
		return nil
	}
	return r.Print(out)
}

// assists is the value of the flag --assists.
type assists struct {
	value assist.Switches
	set   bool
}

// Decode reads the next argument.
func (a *assists) Decode(ctx *kong.DecodeContext) (err error) {
	a.set = true
	a.value, err = testrun.ParseAssists(argument(ctx))
	return err
}
