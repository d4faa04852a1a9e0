// Command rig controls a hardware-in-the-loop driving rig: it reads a steering wheel and pedals,
// simulates a car, sends torque to the rim, moves a motion platform and draws the road.
package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/operator"
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
	Run     runCmd     `cmd:"" group:"drive" help:"Drive: car, wheel, platform and window."`
	Follow  followCmd  `cmd:"" group:"drive" help:"Let the platform follow another simulator."`
	Watch   watchCmd   `cmd:"" group:"drive" help:"Show the live state of a running rig."`
	Pause   pauseCmd   `cmd:"" group:"drive" help:"Pause a running rig; --off goes on."`
	Stop    stopCmd    `cmd:"" group:"drive" help:"Emergency stop of a running rig, by software."`
	Confirm confirmCmd `cmd:"" group:"drive" help:"Confirm that a fault or a stop is over."`
	Dash    dashCmd    `cmd:"" group:"drive" help:"Print the addresses of the web page for phones."`

	Setup     setupCmd     `cmd:"" group:"setup" help:"First run, guided: find, measure, configure, drive."`
	Check     checkCmd     `cmd:"" group:"setup" help:"Find what is wrong here, and how to fix it."`
	Devices   devicesCmd   `cmd:"" group:"setup" help:"List the devices, and what rig uses each for."`
	Calibrate calibrateCmd `cmd:"" group:"setup" help:"Measure a wheel or pedals and save a profile."`
	FFB       ffbCmd       `cmd:"" group:"setup" name:"ffb" help:"Show, try out or simulate the force feedback."`
	Motion    motionCmd    `cmd:"" group:"setup" help:"Move, test, tune or watch the motion platform."`
	Shaker    shakerCmd    `cmd:"" group:"setup" help:"Try bass shakers; find where the seat resonates."`
	Screens   screensCmd   `cmd:"" group:"setup" help:"Check the measures of the screens; list monitors."`
	Driver    driverCmd    `cmd:"" group:"setup" help:"Profiles and records of those who share the rig."`
	Timers    timersCmd    `cmd:"" group:"setup" help:"On PREEMPT_RT, as root: let a force end in time."`

	Session sessionCmd `cmd:"" group:"session" help:"Several rigs: host, invite, join, watch, race control."`

	Ls       lsCmd       `cmd:"" group:"look" help:"List recordings."`
	Replay   replayCmd   `cmd:"" group:"look" help:"Drive a recording again, or in a changed rig."`
	Report   reportCmd   `cmd:"" group:"look" help:"Draw one or two recordings into a web page."`
	Export   exportCmd   `cmd:"" group:"look" help:"Write a recording as CSV, MoTeC, MDF4 or MCAP."`
	Channels channelsCmd `cmd:"" group:"look" help:"List the channels of cars and recordings."`

	Maneuver maneuverCmd `cmd:"" group:"simulate" help:"Simulate standard manoeuvres and measured inputs."`
	Worker   workerCmd   `cmd:"" group:"simulate" help:"Drive points of sweeps for other machines."`
	Tire     tireCmd     `cmd:"" group:"simulate" help:"Test a tire on a simulated test rig."`
	Road     roadCmd     `cmd:"" group:"simulate" help:"Inspect a circuit or a ground; draw it."`

	Latency latencyCmd `cmd:"" group:"measure" help:"Measure how punctual the 1 kHz loop is here."`
	Bench   benchCmd   `cmd:"" group:"measure" help:"Measure how fast this machine calculates."`

	Help       helpCmd       `cmd:"" group:"other" help:"Show the help of a command."`
	Completion completionCmd `cmd:"" group:"other" help:"Print the completion script of a shell."`
	Version    versionCmd    `cmd:"" group:"other" help:"Print version, commit and target."`

	Man      manCmd           `cmd:"" hidden:"" help:"Print the manual page."`
	Complete completeCmd      `cmd:"" hidden:"" help:"Print what may follow these words, for the scripts of rig completion."`
	Outputs  outputsCmd       `cmd:"" hidden:"" help:"Send telemetry and serve the web page of the rig that started this program."`
	Sound    soundCmd         `cmd:"" hidden:"" help:"Play the sound and the shakers of the rig that started this program."`
	Member   sessionMemberCmd `cmd:"" hidden:"" name:"session-member" help:"Take part in a session for the rig that started this program."`
	Display  displayCmd       `cmd:"" hidden:"" help:"Open a window of a running rig."`

	Verbose     bool        `short:"v" help:"Log more details."`
	ShowVersion versionFlag `name:"version" help:"Print one line: version, commit, target."`
}

// streams are the input and outputs of a command, its log and the operator's signals. Tests pass their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
	level    slog.Level                                     // least level of the log
	flush    func() error                                   // waits until stderr is written, for at most 2 s if nobody reads it; nil for nothing to wait for
	signals  func() (signals <-chan os.Signal, stop func()) // returns the operator's signals; called by commands that move a device
	// serveOrders takes the orders of other processes for a command without a drive; nil for none
	serveOrders func(s *framepage.Socket, handle func(net.Conn)) error

	command    string          // as typed, such as "rig motion sweep"
	place      *operator.Place // where the platform stands
	endOrdered *atomic.Bool    // the order to end has come
}

func main() {
	// Ignored, because only commands that move a device handle these signals: `pkill -USR1 -x rig`
	// must not end the window, which is a process of the same name.
	signal.Ignore(syscall.SIGUSR1, syscall.SIGUSR2)
	s := newStreams(os.Stdin, stdout(), os.Stderr)
	s.serveOrders = (*framepage.Socket).ServeOrders
	os.Exit(perform(os.Args[1:], s))
}

// newStreams returns streams whose signals are those of the process.
func newStreams(in io.Reader, out, errw io.Writer) *streams {
	s := &streams{in: in, out: out, err: errw}
	s.signals = s.orderSignals
	return s
}

// perform runs the command that args name, and returns the program's exit status.
func perform(args []string, s *streams) int {
	result := &stdoutWriter{w: s.out}
	out, errs := &screen{w: result}, &screen{w: s.err}
	defer errs.end()
	s.out, s.err = out, errs
	var c commands
	exitCode := -1
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parser := newParser(&c, out, errs, func(n int) { exitCode = n })
	parsed, err := parser.Parse(args)
	if writeErr := result.finalError(nil); writeErr != nil { // the help could not be printed
		return report(errs, writeErr)
	}
	if exitCode >= 0 { // help was asked for and printed
		return exitCode
	}
	if err != nil {
		fmt.Fprintf(errs, "rig: %s; see `rig help`\n", oneLine(err))
		return exitUsage
	}
	if c.Verbose {
		s.level = slog.LevelDebug
	}
	s.command, s.place, s.endOrdered = parsed.Selected().FullPath(), new(operator.Place), new(atomic.Bool)
	var queuedOut, queuedErrs *queue
	if _, moves := parsed.Selected().Target.Addr().Interface().(mover); moves {
		queuedOut, queuedErrs = s.queueOutputs(result, errs)
	}
	if terminal(errs) != nil {
		s.log = newLog(errs.w, "auto", s.level, true)
	} else {
		s.log = newLog(errs, "auto", s.level, false)
	}
	err = parsed.Run(s)
	out.end()
	result.lose(queuedOut.finish(s.endOrdered.Load))
	defer func() { _ = queuedErrs.finish(s.endOrdered.Load) }()
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
