package main

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// kept is the output of a test, kept.
type kept struct{ strings.Builder }

func (*kept) Close() error { return nil }

// TestEachTestHasItsOutput: each test gets its own output and verdict, and one that did not end or was not run fails.
func TestEachTestHasItsOutput(t *testing.T) {
	lost := errors.New("the machine did not finish in time")
	tests := []struct {
		name  string
		guest string // what the guest printed
		err   error  // of the machine
		want  []string
		fails string // the error
	}{
		{"all pass", "=== RUN A\nPASS\n\x000\nPASS\n\x000\nPASS\n\x000\n", nil, []string{"=== RUN A\nPASS\n", "PASS\n", "PASS\n"}, ""},
		{"one fails", "PASS\n\x000\nFAIL\n\x001\nPASS\n\x000\n", nil, []string{"PASS\n", "FAIL\nexit status 1\nFAIL\n", "PASS\n"}, ""},
		{"ends within a line", "panic\x002\nPASS\n\x000\nPASS\n\x000\n", nil, []string{"panicexit status 2\nFAIL\n", "PASS\n", "PASS\n"}, ""},
		{"the guest hangs", "PASS\n\x000\n=== RUN B\n", lost, []string{"PASS\n",
			"=== RUN B\n\nvmexec: b did not end: the machine did not finish in time\nexit status 125\nFAIL\n",
			"\nvmexec: c was not run: the machine did not finish in time\nexit status 125\nFAIL\n"}, "in time"},
		{"the guest ends too early", "PASS\n\x000\nPASS\n\x000\nPASS\n", nil, []string{"PASS\n", "PASS\n",
			"PASS\n\nvmexec: c did not end: the guest ended before c had; see the console above\nexit status 125\nFAIL\n"}, "before c had"},
		{"no output", "", lost, []string{
			"\nvmexec: a did not end: the machine did not finish in time\nexit status 125\nFAIL\n",
			"\nvmexec: b was not run: the machine did not finish in time\nexit status 125\nFAIL\n",
			"\nvmexec: c was not run: the machine did not finish in time\nexit status 125\nFAIL\n"}, "in time"},
		{"a zero byte in the output", "\x00 is a byte\n\x000\nPASS\n\x000\nPASS\n\x000\n", nil, []string{"\x00 is a byte\n", "PASS\n", "PASS\n"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := outputs(test.guest, test.err)
			if !slices.Equal(got.text, test.want) {
				t.Errorf("got %q\nwant %q", got.text, test.want)
			}
			if (got.err == nil) != (test.fails == "") || got.err != nil && !strings.Contains(got.err.Error(), test.fails) {
				t.Errorf("error %v, want %q", got.err, test.fails)
			}
		})
	}
}

type distributed struct {
	text []string
	err  error
}

// outputs distributes what the guest printed among the tests a, b and c.
func outputs(guest string, machine error) distributed {
	var all []*kept
	o := &output{tests: []test{{dir: "a"}, {dir: "b"}, {dir: "c"}}, json: true, open: func(test) (io.WriteCloser, error) {
		all = append(all, &kept{})
		return all[len(all)-1], nil
	}}
	o.copy(strings.NewReader(guest))
	got := distributed{err: o.end(machine)}
	for _, k := range all {
		got.text = append(got.text, k.String())
	}
	return got
}

func TestTestFlag(t *testing.T) {
	var got tests
	if err := got.Set("./calib calib.test -test.run=^TestVM|Limp"); err != nil || len(got) != 1 ||
		got[0].dir != "./calib" || !slices.Equal(got[0].args, []string{"calib.test", "-test.run=^TestVM|Limp"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if err := got.Set("./calib"); err == nil {
		t.Error("a flag without a test binary is accepted")
	}
}
