package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/live/console/consoletest"
	"rig.example/rig/test/level"
)

// onScreen returns a panel on a screen, which it treats as a terminal.
func onScreen(t *testing.T, s *consoletest.Screen) *Panel {
	t.Helper()
	noTerminal, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPanel(s, Options{Terminal: noTerminal, Size: s.Size, Lost: lost})
	t.Cleanup(func() { p.Close(); noTerminal.Close() })
	return p
}

func lost(lines int) []byte { return fmt.Appendf(nil, "lost %d\n", lines) }

func lines(texts ...string) []Line { return Plainly(texts) }

// see waits until all is written and compares the screen.
func see(t *testing.T, p *Panel, s *consoletest.Screen, want ...string) {
	t.Helper()
	p.Flush()
	if got := s.String(); got != strings.Join(want, "\n") {
		t.Errorf("on the screen:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

func TestLogLinesScrollAboveTheBlock(t *testing.T) {
	s := consoletest.New(20, 6)
	p := onScreen(t, s)
	fmt.Fprint(p, "first\n")
	_ = p.Show(lines("state ready", "speed 0"))
	see(t, p, s, "first", "state ready", "speed 0")
	fmt.Fprint(p, "second\nthird, which is longer than the screen is wide\n")
	see(t, p, s, "first", "second", "third, which is long", "er than the screen i", "s wide", "state ready", "speed 0")
	_ = p.Show(lines("state driving", "speed 100, a line that does not fit", "x\x1b[2Jy"))
	see(t, p, s, "first", "second", "third, which is long", "er than the screen i", "s wide", "state driving", "speed 100, a line t", `x\x1b[2Jy`)
	_ = p.Show(lines("state parked"))
	see(t, p, s, "first", "second", "third, which is long", "er than the screen i", "s wide", "state parked")
	for i := range 9 {
		fmt.Fprintf(p, "line %d\n", i)
	}
	p.Close()
	p.Close()
	got := s.String()
	if !strings.HasSuffix(got, "s wide\nline 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8") || s.CursorColumn() != 0 {
		t.Errorf("at the end:\n%s\ncursor in column %d", got, s.CursorColumn())
	}
	fmt.Fprint(p, "after\n")
	if !strings.HasSuffix(s.String(), "line 8\nafter") {
		t.Errorf("after the end:\n%s", s.String())
	}
}

// The start of a line waits for its end, and a prompt before the first block stays.
func TestIncompleteLines(t *testing.T) {
	s := consoletest.New(20, 6)
	p := onScreen(t, s)
	fmt.Fprint(p, "yes? ")
	see(t, p, s, "yes?")
	_ = p.Show(lines("state"))
	see(t, p, s, "yes?", "state")
	fmt.Fprint(p, "half")
	see(t, p, s, "yes?", "state")
	fmt.Fprint(p, " a line\nthe last")
	see(t, p, s, "yes?", "half a line", "state")
	p.Close()
	see(t, p, s, "yes?", "half a line", "the last")
}

func TestABlockMayStay(t *testing.T) {
	s := consoletest.New(20, 6)
	p := onScreen(t, s)
	_ = p.Show(lines("state", "ended"))
	p.Leave()
	see(t, p, s, "state", "ended")
}

// A terminal that becomes narrower wraps the block anew: it is drawn anew, and no log line is lost.
func TestANarrowerTerminalIsDrawnAnew(t *testing.T) {
	s := consoletest.New(40, 8)
	p := onScreen(t, s)
	fmt.Fprint(p, "first\nsecond\n")
	_ = p.Show(lines("state driving, and a long explanation", "speed"))
	p.Flush()
	s.Narrow(20)
	_ = p.Show(lines("state driving, and a long explanation", "speed 1"))
	see(t, p, s, "first", "second", "state driving, and", "speed 1")
}

// What a shell has written below the block stays, and the block begins anew below it.
func TestABlockBeginsAnewAfterTheProcessWasStopped(t *testing.T) {
	s := consoletest.New(40, 12)
	p := onScreen(t, s)
	_ = p.Show(lines("state driving"))
	p.Flush()
	fmt.Fprint(s, "[1]+  Stopped\r\n$ fg\r\n")
	p.change(func() { p.fresh = true })
	_ = p.Show(lines("state ready"))
	see(t, p, s, "state driving", "[1]+  Stopped", "$ fg", "state ready")
	p.change(func() { p.suspended = true })
	see(t, p, s, "state driving", "[1]+  Stopped", "$ fg")
	p.change(func() { p.suspended = false })
	see(t, p, s, "state driving", "[1]+  Stopped", "$ fg", "state ready")
}

// A panic on the way out ends the block first.
func TestAPanicEndsTheBlock(t *testing.T) {
	s := consoletest.New(40, 12)
	func() {
		defer func() { _ = recover() }()
		p := onScreen(t, s)
		defer p.Close()
		_ = p.Show(lines("state driving"))
		fmt.Fprint(p, "log\n")
		p.Flush()
		panic("fault")
	}()
	if s.String() != "log" {
		t.Errorf("on the screen:\n%s", s.String())
	}
}

// stuckWriter takes nothing until it is let go.
type stuckWriter struct {
	s       *consoletest.Screen
	blocked chan struct{} // gets a value when a write has come
	release chan struct{} // closed to let writes pass
}

func (w *stuckWriter) Write(b []byte) (int, error) {
	select {
	case w.blocked <- struct{}{}:
	default:
	}
	<-w.release
	return w.s.Write(b)
}

// Nothing waits for a reader that has stopped reading. What it gets later is the newest, with the number of lines that
// are missing, and one block, the newest.
func TestAStuckTerminalHoldsNothingUp(t *testing.T) {
	w := &stuckWriter{consoletest.New(200, 20), make(chan struct{}, 1), make(chan struct{})}
	noTerminal, _ := os.Open(os.DevNull)
	defer noTerminal.Close()
	p := NewPanel(w, Options{Terminal: noTerminal, Size: w.s.Size, Lost: lost})
	fmt.Fprint(p, "first\n")
	<-w.blocked
	const n = 5000
	for i := range n {
		fmt.Fprintf(p, "line %d %s\n", i, strings.Repeat("x", 100))
		_ = p.Show(lines("state", fmt.Sprint("check ", i)))
	}
	close(w.release)
	p.Leave()
	got := w.s.String()
	told, err := strconv.Atoi(regexp.MustCompile(`(?m)^lost (\d+)$`).FindStringSubmatch(got)[1])
	kept := strings.Count(got, "\nline ")
	if err != nil || told == 0 || kept+told != n || kept*100 < maxPending/2 {
		t.Errorf("%d lines lost as told, %d kept, of %d", told, kept, n)
	}
	if !strings.HasPrefix(got, "first\n") || !strings.HasSuffix(got, fmt.Sprintf("\nstate\ncheck %d", n-1)) || strings.Count(got, "check ") != 1 {
		t.Errorf("ends with %q", got[len(got)-200:])
	}
}

// Without a terminal there is text alone, as it was written.
func TestWithoutATerminalTextPassesThrough(t *testing.T) {
	r, w := io.Pipe()
	read := make(chan string)
	go func() { all, _ := io.ReadAll(r); read <- string(all) }()
	p := NewPanel(w, Options{Lost: lost})
	_ = p.Show(lines("state"))
	fmt.Fprint(p, "a\nb")
	p.Close()
	w.Close()
	if got := <-read; got != "a\nb" {
		t.Errorf("%q", got)
	}
}

// Without Lost nothing is dropped: all that waits is written in the end.
func TestWithoutLostNothingIsDropped(t *testing.T) {
	r, w := io.Pipe()
	p := NewPanel(w, Options{})
	const n = 1000
	for range n {
		fmt.Fprintln(p, strings.Repeat("x", maxPending/100))
	}
	lines := make(chan int)
	go func() { all, _ := io.ReadAll(r); lines <- strings.Count(string(all), "\n") }()
	if err := p.Flush(); err != nil {
		t.Error(err)
	}
	p.Close()
	w.Close()
	if got := <-lines; got != n {
		t.Errorf("%d lines of %d", got, n)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestAWriteErrorIsTold(t *testing.T) {
	p := NewPanel(brokenWriter{}, Options{Lost: lost})
	fmt.Fprint(p, "a\n")
	if err := p.Flush(); err == nil || err.Error() != "broken" {
		t.Errorf("Flush: %v", err)
	}
	if err := p.Show(nil); err == nil || err.Error() != "broken" {
		t.Errorf("%v", err)
	}
	if _, err := fmt.Fprint(p, "b\n"); err == nil {
		t.Error("a second write has no error")
	}
	p.Close()
}

// A pipe that is full and not read does not keep a panel from ending.
func TestAFullPipeDoesNotKeepAPanel(t *testing.T) {
	level.SkipIfQuick(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := NewPanel(w, Options{Lost: lost})
	for range 100 {
		fmt.Fprintln(p, strings.Repeat("x", 4000))
	}
	if err := p.Flush(); err != ErrNotRead {
		t.Errorf("Flush: %v", err)
	}
	ended := make(chan struct{})
	go func() { p.Close(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Fatal("Close does not return")
	}
	if p.hasEnded() {
		t.Error("the pipe took all; the test shows nothing")
	}
}
