package acm

import (
	"bytes"
	"testing"
	"time"
)

// echo is a board that returns all bytes it receives.
type echo struct{ resets int }

func (e *echo) Handle(in []byte) []byte      { return in }
func (e *echo) Advance(time.Duration) []byte { return nil }
func (e *echo) Reset()                       { e.resets++ }

func TestRisingDTRRestartsTheBoard(t *testing.T) {
	for _, test := range []struct {
		name   string
		resets bool
		lines  []bool // DTR
		want   int
	}{
		{"first opening", true, []bool{true}, 1},
		{"told again", true, []bool{true, true}, 1},
		{"let go and taken again", true, []bool{true, false, true}, 2},
		{"a board that does not care", false, []bool{true, false, true}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			board := &echo{}
			a := &Adapter{board: board, options: Options{ResetOnDTR: test.resets}}
			for _, dtr := range test.lines {
				a.setLines(dtr, true)
			}
			if board.resets != test.want || a.Resets() != test.want {
				t.Errorf("%d restarts, the adapter counts %d; want %d", board.resets, a.Resets(), test.want)
			}
		})
	}
}

func TestByteTime(t *testing.T) {
	for _, test := range []struct {
		name  string
		board int
		host  []int
		want  time.Duration // of 15 bytes
	}{
		{"115200", 115_200, []int{115_200}, 1302083 * time.Nanosecond},
		{"500000", 500_000, []int{115_200, 500_000}, 300 * time.Microsecond},
		{"no line behind the adapter", 0, []int{115_200}, 0},
		{"nothing set yet", 115_200, nil, 0},
		{"a rate of 0", 115_200, []int{0}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &Adapter{options: Options{Baud: test.board}}
			for _, baud := range test.host {
				a.setRate(baud)
			}
			if got := a.byteTime(15); got != test.want {
				t.Errorf("15 bytes take %v, want %v", got, test.want)
			}
		})
	}
}

func TestDifferentRatesCorruptAllBytes(t *testing.T) {
	for _, test := range []struct {
		name        string
		board, host int
		want        bool
	}{
		{"the same", 115_200, 115_200, false},
		{"within what start bits put right", 115_200, 117_000, false},
		{"another", 115_200, 500_000, true},
		{"a board without a line", 0, 9600, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := &Adapter{options: Options{Baud: test.board}}
			a.setRate(test.host)
			sent := []byte("[A\x02\x00][B\x02\x00]")
			got := a.transmit(sent)
			if len(got) != len(sent) || bytes.Equal(got, sent) == test.want {
				t.Errorf("%q arrives as %q; changed: want %v", sent, got, test.want)
			}
		})
	}
}

func TestRatesAreReturnedInOrder(t *testing.T) {
	a := &Adapter{}
	for _, baud := range []int{9600, 9600, 500_000} {
		a.setRate(baud)
	}
	if got := a.Rates(); len(got) != 2 || got[0] != 9600 || got[1] != 500_000 {
		t.Errorf("rates %v, want 9600 and 500000", got)
	}
}
