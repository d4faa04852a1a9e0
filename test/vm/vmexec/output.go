package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// statusLine is what the guest adds to the output of each test binary, with its status. Nothing else in the output
// has a zero byte.
const statusLine = "\x00%d\n"

// test is a test binary to run.
type test struct {
	dir  string   // folder of its package
	args []string // binary and its arguments
}

// tests collects the -test flags.
type tests []test

// String returns the tests as text. It implements flag.Value.
func (t *tests) String() string { return fmt.Sprint([]test(*t)) }

// Set adds a test given as "folder binary arguments...".
func (t *tests) Set(arg string) error {
	field := strings.Fields(arg)
	if len(field) < 2 {
		return errors.New("must be a package's folder and its test binary, separated by a space")
	}
	*t = append(*t, test{field[0], field[1:]})
	return nil
}

// output distributes the guest's output: to each test its own, one after the other.
type output struct {
	tests []test
	json  bool                               // as events, with a verdict for each test
	open  func(test) (io.WriteCloser, error) // starts the output of a test
	ended int                                // number of tests that have ended
	now   io.WriteCloser                     // output of the test that runs, or nil
	err   error                              // why output was lost
}

// output returns the output that the command line asks for: on stdout, as it is or as events.
func (o options) output() *output {
	open := func(test) (io.WriteCloser, error) { return plain{os.Stdout}, nil }
	if o.json {
		open = openEvents
	}
	return &output{tests: o.tests, json: o.json, open: open}
}

// plain is the output of a test as it is.
type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// copy copies what the guest prints, until its end.
func (o *output) copy(r io.Reader) {
	in := bufio.NewReader(r)
	for o.ended < len(o.tests) {
		line, err := in.ReadBytes('\n')
		text, status, last := cutStatus(line)
		o.write(text)
		if last {
			o.close(status)
		}
		if err != nil {
			return
		}
	}
	io.Copy(io.Discard, in)
}

// cutStatus returns the line up to the status that the guest has added, that status, and whether there is one.
func cutStatus(line []byte) (text []byte, status int, ok bool) {
	text, number, found := bytes.Cut(line, []byte{0})
	status, err := strconv.Atoi(strings.TrimSuffix(string(number), "\n"))
	if !found || err != nil {
		return line, 0, false
	}
	return text, status, true
}

// write adds to the output of the test that runs.
func (o *output) write(text []byte) {
	if o.now == nil {
		var err error
		if o.now, err = o.open(o.tests[o.ended]); err != nil {
			o.now = nil
			o.err = errors.Join(o.err, err)
			return
		}
	}
	if _, err := o.now.Write(text); err != nil {
		o.err = errors.Join(o.err, err)
	}
}

// close ends the output of the test that runs.
func (o *output) close(status int) {
	if status != 0 && o.json {
		o.write(fmt.Appendf(nil, "exit status %d\nFAIL\n", status))
	}
	if o.now != nil {
		o.err = errors.Join(o.err, o.now.Close())
	}
	o.now = nil
	o.ended++
}

// end returns err, or else what is missing in the output. Each test that has not ended fails, with the reason.
func (o *output) end(err error) error {
	if err == nil && o.ended < len(o.tests) {
		err = fmt.Errorf("the guest ended before %s had; see the console above", o.tests[o.ended].dir)
	}
	reason := "did not end"
	for o.ended < len(o.tests) {
		if o.json {
			o.write(fmt.Appendf(nil, "\nvmexec: %s %s: %v\n", o.tests[o.ended].dir, reason, err))
		}
		o.close(statusVM)
		reason = "was not run"
	}
	if err == nil {
		err = o.err
	}
	return err
}

// events is the output of a test as events of go test -json on stdout. They come from `go tool test2json`.
type events struct {
	io.WriteCloser // the program's stdin
	program        *exec.Cmd
}

func openEvents(t test) (io.WriteCloser, error) {
	pkg := t.dir
	if info, ok := debug.ReadBuildInfo(); ok {
		pkg = path.Join(info.Main.Path, t.dir)
	}
	program := exec.Command("go", "tool", "test2json", "-t", "-p", pkg)
	program.Stdout, program.Stderr = os.Stdout, os.Stderr
	in, err := program.StdinPipe()
	if err != nil {
		return nil, err
	}
	return events{in, program}, program.Start()
}

// Close ends the events and waits until all are printed.
func (e events) Close() error { return errors.Join(e.WriteCloser.Close(), e.program.Wait()) }
