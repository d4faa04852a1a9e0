// Command rig runs a hardware-in-the-loop driving rig: it reads a steering
// wheel and pedals, steps a car, answers through the rim, moves a platform and
// shows the road.
package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/alecthomas/kong"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/printable"
)

// The display must have the process' first thread.
func init() { runtime.LockOSThread() }

// Exit statuses of every command.
const (
	exitDone = iota
	exitFailed
	exitUsage
)

type commands struct {
	Run       runCmd       `cmd:"" help:"Drive."`
	Devices   devicesCmd   `cmd:"" help:"What is plugged in, what it can do, what rig would use it for."`
	Check     checkCmd     `cmd:"" help:"Configuration and machine: each problem with its remedy."`
	Calibrate calibrateCmd `cmd:"" help:"Measure a wheel or pedals and keep a profile."`
	Tire      tireCmd      `cmd:"" help:"A tire on a test rig: forces, batches, plots."`
	Road      roadCmd      `cmd:"" help:"A circuit or a ground: what it is made of, faults, a picture from above."`
	Maneuver  maneuverCmd  `cmd:"" help:"Standard manoeuvres and open-loop runs, faster than real time: figures, tables, plots."`
	Latency   latencyCmd   `cmd:"" help:"The loop on this machine, as a histogram."`
	Timers    timersCmd    `cmd:"" help:"On PREEMPT_RT, as root: let no program below priority 95 hold up the end of a force."`
	Watch     watchCmd     `cmd:"" help:"Live state of a running rig in the terminal."`
	FFB       ffbCmd       `cmd:"" name:"ffb" help:"Force feedback: what the rim is told, single effects to try, and a simulated map of its stability."`
	Motion    motionCmd    `cmd:"" help:"The motion platform: home, park, try actuators, measure, watch, tune its controller."`
	Version   versionCmd   `cmd:"" help:"Which program this is: version, commit, target."`
	Display   displayCmd   `cmd:"" hidden:"" help:"The window of a running rig."`
	Verbose   bool         `short:"v" help:"Log more."`
	Show      versionFlag  `name:"version" help:"Print one line: version, commit, target."`
}

// streams are what a command talks to: tests give their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
	signals  func() (signals <-chan os.Signal, stop func()) // of the operator, for a mover
}

func main() {
	// They are for what moves; `pkill -USR1 -x rig` must not end the window or a watcher.
	signal.Ignore(syscall.SIGUSR1, syscall.SIGUSR2)
	os.Exit(realMain(os.Args[1:], os.Stdin, stdout(), os.Stderr))
}

func realMain(args []string, in io.Reader, out, errw io.Writer) int {
	return perform(args, &streams{in: in, out: out, err: errw, signals: notified})
}

// perform runs the command that args name, and returns the exit status.
func perform(args []string, s *streams) int {
	result := &output{w: s.out}
	out, errs := &screen{w: result}, &screen{w: s.err}
	defer errs.end()
	s.out, s.err = out, errs
	var c commands
	code := -1
	parser, err := kong.New(&c, kong.Name("rig"), kong.Writers(out, errs), kong.Exit(func(n int) { code = n }),
		kong.Description("A hardware-in-the-loop driving rig controller. `rig run --demo` needs no hardware."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		panic(err) // the commands above are wrong
	}
	parsed, err := parser.Parse(args)
	if lost := result.settle(nil); lost != nil { // the help
		return report(errs, lost)
	}
	if code >= 0 { // help was asked for and printed
		return code
	}
	if err != nil {
		fmt.Fprintf(errs, "rig: %s; see `rig --help`\n", oneLine(err))
		return exitUsage
	}
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	s.log = slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: level, ReplaceAttr: logged}))
	err = parsed.Run(s)
	out.end()
	return report(errs, result.settle(err))
}

// report prints an error, one line for each fault, and finds the exit status.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	var usage *config.Problem
	if !errors.As(err, &usage) {
		fmt.Fprintf(w, "rig: %s\n", oneLine(err))
		return exitFailed
	}
	const most = 10 // lines that somebody reads
	faults := config.Faults(err)
	for _, e := range faults[:min(most, len(faults))] {
		fmt.Fprintln(w, printable.Line(e.Error()))
	}
	if rest := len(faults) - most; rest > 0 {
		fmt.Fprintf(w, "rig: %d more faults of this kind are not shown; fix these first\n", rest)
	}
	return exitUsage
}

// oneLine returns an error's text for a terminal, its faults separated by semicolons.
func oneLine(err error) string { return printable.Line(config.OneLine(err)) }
