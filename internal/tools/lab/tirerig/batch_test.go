package tirerig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

func TestInterruptedBatchLeavesNothing(t *testing.T) {
	told := make(chan struct{})
	close(told)
	out := file(t, "old")
	_, err := brush(t).Batch(Batch{From: "-", To: out, In: manyPoints(1e6), Interrupt: told})
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
	holds(t, out, "old")
}

// A batch that waits for its table or for its reader ends as soon as it is told.
func TestInterruptEndsWaitingAtOnce(t *testing.T) {
	to := filepath.Join(t.TempDir(), "to")
	from, writer, err := os.Pipe()
	if err := errors.Join(err, syscall.Mkfifo(to, 0o600)); err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	defer from.Close()
	silent, _ := io.Pipe()
	begun := io.MultiReader(strings.NewReader(onePoint), silent)
	_, full := io.Pipe()
	tests := []struct {
		name string
		s    Batch
	}{
		{"for stdin", Batch{From: "-", In: silent}},
		{"for the rest of stdin", Batch{From: "-", In: begun}},
		{"for the writer of a pipe", Batch{From: fmt.Sprintf("/dev/fd/%d", from.Fd())}},
		{"for the reader of a pipe", Batch{From: "-", In: strings.NewReader(onePoint), To: to}},
		{"for the reader of stdout", Batch{From: "-", In: strings.NewReader(onePoint), To: "-", Out: full}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.s.To == "" {
				tt.s.To = filepath.Join(dir, "q.csv")
			}
			told := make(chan struct{})
			tt.s.Interrupt = told
			time.AfterFunc(20*time.Millisecond, func() { close(told) })
			failed := make(chan error, 1)
			go func() {
				_, err := brush(t).Batch(tt.s)
				failed <- err
			}()
			select {
			case err := <-failed:
				if !errors.Is(err, errInterrupted) || err.Error() != errInterrupted.Error() {
					t.Errorf("error %v", err)
				}
			case <-time.After(time.Minute): // far more than any machine takes
				t.Fatal("it waits on")
			}
			if list, _ := os.ReadDir(dir); len(list) > 0 {
				t.Errorf("left behind: %v", list)
			}
		})
	}
}

// screen returns the last line of a terminal that was sent a text: a carriage
// return goes back to its beginning, and what comes next overwrites.
func screen(text string) string {
	var line []rune
	at := 0
	for _, r := range text {
		switch {
		case r == '\r':
			at = 0
		case at < len(line):
			line[at] = r
			at++
		default:
			line = append(line, r)
			at++
		}
	}
	return strings.TrimRight(string(line), " ")
}

func TestProgressIsShownAndClearedAway(t *testing.T) {
	level.SkipIfQuick(t)
	table := onePoint + strings.Repeat("0,0,0,4000\n", 50_000)
	tests := []struct {
		name, in string
		piped    bool
		fails    bool
	}{
		{"a file", table, false, false},
		{"a stream", table, true, false},
		{"a file with a fault", table + "x,0,0,1\n" + table, false, true},
		{"a stream with a fault", table + "x,0,0,1\n" + table, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var shown bytes.Buffer
			s := Batch{From: "-", In: strings.NewReader(tt.in), To: os.DevNull, Terminal: &shown}
			if !tt.piped {
				s.From = file(t, tt.in)
			}
			if _, err := brush(t).Batch(s); (err != nil) != tt.fails {
				t.Fatal(err)
			}
			time.Sleep(150 * time.Millisecond) // what draws on by a clock would show
			if all := shown.String(); !strings.Contains(all, "points") || screen(all) != "" || !strings.HasSuffix(all, "\r") {
				t.Errorf("left on the line: %q of %q", screen(all), all)
			}
		})
	}
}
