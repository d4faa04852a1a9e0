package main

import (
	"bufio"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/alecthomas/kong"

	"rig.example/rig/test/level"
)

// eachCommand calls do for each command with words that are enough to call it.
func eachCommand(t *testing.T, do func(t *testing.T, command *kong.Node, words []string)) {
	values := map[string]string{"rig completion shell": "bash", "rig motion jog axis": "1", "rig session flag flag": "green", "rig session penalty seconds": "5"}
	for _, command := range model().Leaves(false) {
		words := strings.Fields(command.Path())
		for _, a := range command.Positional {
			if value := values[command.FullPath()+" "+a.Name]; value != "" {
				words = append(words, value)
			} else if a.Required {
				words = append(words, "x")
			}
		}
		for _, f := range command.Flags {
			if f.Required {
				words = append(words, "--"+f.Name, f.EnumSlice()[0])
			}
		}
		t.Run(command.Path(), func(t *testing.T) { do(t, command, words) })
	}
}

// failsWith checks that a command says in one line what is wrong, and nothing else.
func failsWith(t *testing.T, want int, args ...string) {
	t.Helper()
	if status, out, errs := rigCommand(t, args...); status != want || out != "" || strings.Count(errs, "\n") != 1 {
		t.Errorf("rig %s: status %d, want %d; %q, %q", strings.Join(args, " "), status, want, out, errs)
	}
}

func TestEveryCommandRefusesWrongUsageWithStatus2(t *testing.T) {
	level.SkipIfQuick(t)
	eachCommand(t, func(t *testing.T, command *kong.Node, words []string) {
		failsWith(t, exitUsage, append(words, "--no-such-flag")...)
		if n := len(command.Positional); n == 0 || !command.Positional[n-1].IsCumulative() {
			failsWith(t, exitUsage, append(words, "y", "y", "y", "y")...)
		}
		for _, f := range command.Flags {
			switch name := "--" + f.Name; {
			case f.Name == "config":
				failsWith(t, exitUsage, append(words, name, "/no/such.toml")...)
			case f.Enum != "":
				failsWith(t, exitUsage, append(words, name+"=nonsense")...)
			case f.Target.Type().String() == "time.Duration" || f.Target.Kind().String() == "float64":
				failsWith(t, exitUsage, append(words, name+"=nonsense")...)
			}
		}
	})
}

func TestEveryCommandHasHelpWithStatus0(t *testing.T) {
	level.SkipIfQuick(t)
	eachCommand(t, func(t *testing.T, command *kong.Node, words []string) {
		for _, flag := range []string{"--help", "--version"} {
			if status, out, errs := rigCommand(t, append(words, flag)...); status != exitDone || out == "" || errs != "" {
				t.Errorf("%s: status %d, %q, %q", flag, status, out, errs)
			}
		}
	})
}

// What is named on the command line and is not there: a recording or a running rig fails, all else is wrong usage.
func TestStatusOfWhatIsMissing(t *testing.T) {
	level.SkipIfQuick(t)
	socket := socketPath(t)
	for words, want := range map[string]int{
		"replay none.mcap": exitFailed, "report none.mcap": exitFailed, "export none.mcap --to csv": exitFailed,
		"ls /no/such/folder": exitDone, // no recordings yet
		"watch":              exitFailed, "ffb live": exitFailed, "motion watch": exitFailed, "motion scope": exitFailed, "motion tune": exitFailed,
		"session join none.rig": exitUsage, "session revoke bob --session none": exitUsage, "session members --session none": exitUsage,
		"stop": exitFailed, "pause": exitFailed, "confirm": exitFailed,
		"maneuver nothing": exitUsage, "maneuver drop --sweep mass_kg=1200,1300 --on none.rig": exitUsage, "worker none.rig": exitUsage, "maneuver brake --car none.toml": exitUsage, "maneuver open-loop --input none.csv": exitUsage,
		"tire nothing": exitUsage, "tire none.tir": exitUsage, "road nothing": exitUsage, "road none.toml": exitUsage, "road none.glb": exitUsage,
		"follow nothing": exitUsage, "run --track none.glb": exitUsage, "calibrate": exitUsage, "nothing": exitUsage,
	} {
		args := strings.Fields(words)
		for _, command := range []string{"watch", "ffb", "motion", "stop", "pause", "confirm"} {
			if args[0] == command {
				args = append(args, "--page", socket)
			}
		}
		if status, _, errs := rigCommand(t, args...); status != want {
			t.Errorf("rig %s: status %d, want %d; %q", words, status, want, errs)
		}
	}
}

// How commands end that are interrupted. TestTheSoftwareStopHaltsEveryCommandThatMovesThePlatform has those that move something.
func TestStatusOfAnInterruptedCommand(t *testing.T) {
	level.SkipIfQuick(t)
	drive := socketPath(t)
	_, end := demoDrive(t, drive)
	defer end()
	const bySignal = -1
	for words, want := range map[string]int{
		"ffb map":               bySignal, // only calculates
		"watch --page " + drive: exitDone, // shows something until it is ended
	} {
		cmd := rigProcess(strings.Fields(words)...)
		out, _ := cmd.StdoutPipe()
		errs, _ := cmd.StderrPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		first := out
		if words == "ffb map" {
			first = errs
		}
		_, _ = bufio.NewReader(first).ReadString('\n') // it has begun
		_ = cmd.Process.Signal(syscall.SIGINT)
		err := cmd.Wait()
		var ended *exec.ExitError
		if err != nil && !errors.As(err, &ended) {
			t.Fatal(err)
		}
		if status := cmd.ProcessState.ExitCode(); status != want {
			t.Errorf("rig %s: status %d, want %d", words, status, want)
		}
	}
}
