// Command rig runs a hardware-in-the-loop driving rig: it reads a steering
// wheel and pedals, steps a car, answers through the rim, moves a platform and
// shows the road.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"rig/internal/config"
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
	FFB       ffbCmd       `cmd:"" name:"ffb" help:"Force feedback: what the rim is told, single effects to try, and whether it keeps still."`
	Motion    motionCmd    `cmd:"" help:"The motion platform: home, park, try actuators, measure, watch, tune its controller."`
	Display   displayCmd   `cmd:"" hidden:"" help:"The window of a running rig."`
	Verbose   bool         `short:"v" help:"Log more."`
}

// streams are what a command talks to: tests give their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
}

func main() {
	os.Exit(realMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func realMain(args []string, in io.Reader, out, errw io.Writer) int {
	var c commands
	code := -1
	parser, err := kong.New(&c, kong.Name("rig"), kong.Writers(out, errw), kong.Exit(func(n int) { code = n }),
		kong.Description("A hardware-in-the-loop driving rig controller. `rig run --demo` needs no hardware."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		panic(err) // the commands above are wrong
	}
	parsed, err := parser.Parse(args)
	if code >= 0 { // help was asked for and printed
		return code
	}
	if err != nil {
		fmt.Fprintf(errw, "rig: %s; see `rig --help`\n", oneLine(err))
		return exitUsage
	}
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(errw, &slog.HandlerOptions{Level: level}))
	err = parsed.Run(&streams{in, out, errw, log})
	return report(errw, err)
}

// report prints an error, one line for each fault, and finds the exit status.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	var usage *config.Problem
	if errors.As(err, &usage) {
		fmt.Fprintln(w, err)
		return exitUsage
	}
	fmt.Fprintf(w, "rig: %s\n", oneLine(err))
	return exitFailed
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// interrupted is closed at the first signal to end. A second one ends the
// program at once, whereupon the kernel stops the wheel.
func interrupted() (first <-chan struct{}, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, toEnd...)
	asked := make(chan struct{})
	go func() {
		if _, ok := <-signals; !ok {
			return
		}
		close(asked)
		if _, ok := <-signals; ok {
			os.Exit(exitFailed)
		}
	}()
	return asked, func() { signal.Stop(signals); close(signals) }
}

// untilInterrupted returns a context that the first signal to end ends, and what gives
// both back.
func untilInterrupted() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	interrupt, stop := interrupted()
	go func() {
		select {
		case <-interrupt:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(); stop() }
}

// toEnd are the signals that end a drive in good order: a closed terminal, too.
var toEnd = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
