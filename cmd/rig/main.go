// Command rig controls a hardware-in-the-loop driving rig: it reads a steering wheel and pedals,
// simulates a car, sends torque to the rim, moves a motion platform and draws the road.
package main

import (
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

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/printable"
)

// The window system needs the process' first thread.
func init() { runtime.LockOSThread() }

// Exit statuses of every command.
const (
	exitDone = iota
	exitFailed
	exitUsage
)

type commands struct {
	Run         runCmd       `cmd:"" help:"Drive: run the car, the wheel, the platform and the window."`
	Devices     devicesCmd   `cmd:"" help:"List the devices: what each can do and what rig uses it for."`
	Check       checkCmd     `cmd:"" help:"Check the configuration and this machine. Show each problem and how to fix it."`
	Driver      driverCmd    `cmd:"" help:"Drivers' profiles: what belongs to each person who shares the rig, and each one's records."`
	Config      configCmd    `cmd:"" help:"Bring configuration files up to date."`
	Calibrate   calibrateCmd `cmd:"" help:"Measure a wheel or pedals and save a profile."`
	Tire        tireCmd      `cmd:"" help:"Test a tire on a simulated test rig: forces, tables, plots."`
	Road        roadCmd      `cmd:"" help:"Inspect a circuit or a ground: contents, faults, a picture from above."`
	Maneuver    maneuverCmd  `cmd:"" help:"Simulate standard manoeuvres and open-loop runs faster than real time: figures, tables, plots."`
	Channels    channelsCmd  `cmd:"" help:"List the channels of cars and drives, for tables and recordings: name, unit, meaning."`
	Ls          lsCmd        `cmd:"" help:"List recordings: date, driver, car, track, laps, best lap, faults, length."`
	Replay      replayCmd    `cmd:"" help:"Drive a recording again, bit for bit, or in a changed rig."`
	Export      exportCmd    `cmd:"" help:"Write a recording's channels for other programs: CSV, MoTeC, MDF4, MCAP."`
	Report      reportCmd    `cmd:"" help:"Draw a recording, or two to compare, into a web page."`
	Latency     latencyCmd   `cmd:"" help:"Measure how punctually this machine runs the 1 kHz loop."`
	Bench       benchCmd     `cmd:"" help:"Measure what rig's calculations cost on this machine: steps, stages of a tick, how the cost grows, punctuality."`
	Timers      timersCmd    `cmd:"" help:"On a PREEMPT_RT kernel, as root: raise the kernel's timer threads so that a force always ends in time."`
	Follow      followCmd    `cmd:"" help:"Let the platform follow another simulator: BeamNG, Live for Speed, Forza, rallies, Assetto Corsa, rFactor 2, trucks."`
	Stop        stopCmd      `cmd:"" help:"Emergency stop of a running rig, by software."`
	Pause       pauseCmd     `cmd:"" help:"Pause a running rig: torque and motion fade out, the car is frozen. --off goes on."`
	Confirm     confirmCmd   `cmd:"" help:"Confirm to a running rig that a fault or a stop is over. Look at the rig first."`
	Watch       watchCmd     `cmd:"" help:"Show the live state of a running rig in the terminal."`
	FFB         ffbCmd       `cmd:"" name:"ffb" help:"Force feedback: show it live, play single effects, or simulate the rim's stability map."`
	Motion      motionCmd    `cmd:"" help:"Motion platform: home, park, jog, sweep, test cueing, watch, set controller parameters."`
	Screens     screensCmd   `cmd:"" help:"Check by a ruler whether the screens are described as they stand. List the monitors."`
	Shaker      shakerCmd    `cmd:"" help:"Bass shakers: try the effects of each, or find where the seat resonates."`
	Version     versionCmd   `cmd:"" help:"Print version, commit and target of this program."`
	Dash        dashCmd      `cmd:"" help:"Print the addresses of the web page, with its token, and a code for the camera of a phone."`
	Outputs     outputsCmd   `cmd:"" hidden:"" help:"Send telemetry and serve the web page of the rig that started this program."`
	Sound       soundCmd     `cmd:"" hidden:"" help:"Play the sound and the shakers of the rig that started this program."`
	Display     displayCmd   `cmd:"" hidden:"" help:"Open a window of a running rig."`
	Verbose     bool         `short:"v" help:"Log more details."`
	ShowVersion versionFlag  `name:"version" help:"Print one line: version, commit, target."`
}

// streams are the input and outputs of a command, its log and the operator's signals. Tests pass their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
	signals  func() (signals <-chan os.Signal, stop func()) // returns the operator's signals; called by commands that move a device
}

func main() {
	// Ignored, because only commands that move a device handle these signals: `pkill -USR1 -x rig`
	// must not end the window, which is a process of the same name.
	signal.Ignore(syscall.SIGUSR1, syscall.SIGUSR2)
	os.Exit(realMain(os.Args[1:], os.Stdin, stdout(), os.Stderr))
}

func realMain(args []string, in io.Reader, out, errw io.Writer) int {
	return perform(args, &streams{in: in, out: out, err: errw, signals: notifySignals})
}

// perform runs the command that args name, and returns the program's exit status.
func perform(args []string, s *streams) int {
	result := &stdoutWriter{w: s.out}
	out, errs := &screen{w: result}, &screen{w: s.err}
	defer errs.end()
	s.out, s.err = out, errs
	var c commands
	exitCode := -1
	parser, err := kong.New(&c, kong.Name("rig"), kong.Writers(out, errs), kong.Exit(func(n int) { exitCode = n }),
		kong.Description("A hardware-in-the-loop driving rig controller. `rig run --demo` needs no hardware."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		panic(err) // a tag of the command structs is malformed
	}
	parsed, err := parser.Parse(args)
	if writeErr := result.finalError(nil); writeErr != nil { // the help could not be printed
		return report(errs, writeErr)
	}
	if exitCode >= 0 { // help was asked for and printed
		return exitCode
	}
	if err != nil {
		fmt.Fprintf(errs, "rig: %s; see `rig --help`\n", oneLine(err))
		return exitUsage
	}
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	s.log = slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: level, ReplaceAttr: cleanAttr}))
	err = parsed.Run(s)
	out.end()
	return report(errs, result.finalError(err))
}

// report prints an error, one line for each fault, and returns the exit status.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitDone
	}
	var usage *config.Problem
	if !errors.As(err, &usage) {
		fmt.Fprintf(w, "rig: %s\n", oneLine(err))
		return exitFailed
	}
	const maxLines = 10
	faults := config.Faults(err)
	for _, e := range faults[:min(maxLines, len(faults))] {
		text := e.Error()
		if strings.HasPrefix(text, "--") { // a fault of a flag, not of a file
			text = "rig: " + text
		}
		fmt.Fprintln(w, printable.Line(text))
	}
	if rest := len(faults) - maxLines; rest > 0 {
		fmt.Fprintf(w, "rig: %d more faults of this kind are not shown; fix these first\n", rest)
	}
	return exitUsage
}

// wrongUsage returns err, which says what is wrong with arguments or flags, as an error that ends the program
// with exit status 2. It returns nil if err is nil.
func wrongUsage(err error) error {
	if err == nil {
		return nil
	}
	return &config.Problem{File: "rig", Text: oneLine(err)}
}

// oneLine returns an error's text as one line for a terminal, with semicolons between its faults.
func oneLine(err error) string { return printable.Line(config.OneLine(err)) }
