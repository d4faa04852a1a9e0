package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/results"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/console"
)

type sessionWatchCmd struct {
	controlFlags
	JSON bool `name:"json" help:"Print one JSON object per board, some per second."`
	Once bool `help:"Show the present state, and end."`
}

func (c *sessionWatchCmd) Run(s *streams) error {
	i, _, err := c.invitation("--session")
	if err != nil {
		return err
	}
	ctx, done := s.untilInterrupted()
	defer done()
	b, err := connect(ctx, i, s.log)
	if err != nil {
		return err
	}
	defer b.Close()
	w, err := newSessionView(b, i.Session)
	if err != nil {
		return err
	}
	if c.Once {
		return w.once(s, c.JSON)
	}
	if c.JSON {
		return w.follow(ctx, b, func(w watched, _ time.Duration) error { return json.NewEncoder(s.out).Encode(w) })
	}
	panel, end := s.openView()
	defer end()
	return w.follow(ctx, b, showSession(s, panel))
}

// showSession returns what shows a session: on a panel as lines that are drawn over, without one as a line for each board.
func showSession(s *streams, panel *console.Panel) func(watched, time.Duration) error {
	return func(w watched, age time.Duration) error {
		if panel == nil {
			_, err := fmt.Fprintln(s.out, sessionLine(w))
			return err
		}
		columns, rows := panel.Area()
		lines := sessionLines(w, age, columns)
		return panel.Show(lines[:min(len(lines), max(rows-1, 1))])
	}
}

// sessionView is what is known of a session: the newest board and the newest health of each rig.
type sessionView struct {
	session session.ID
	bus     *bus.Bus
	fresh   chan struct{} // 1 if there is a new board

	mu     sync.Mutex
	board  session.Board
	at     time.Time // when it came
	health map[session.ID]session.Health
}

// watched is a view as it is printed as JSON.
type watched struct {
	Board  session.Board                 `json:"board"`
	Health map[session.ID]session.Health `json:"health"`
}

func newSessionView(b *bus.Bus, name session.ID) (*sessionView, error) {
	v := &sessionView{session: name, bus: b, fresh: make(chan struct{}, 1), health: map[session.ID]session.Health{}}
	_, err := b.Subscribe(session.BoardSubject(name), func(_ string, data []byte) { v.takeBoard(data) })
	if err == nil {
		_, err = b.Subscribe(session.HealthSubject(name, "*"), func(subject string, data []byte) { v.takeHealth(subject, data) })
	}
	return v, err
}

// takeBoard takes a board from the bus. What cannot be read is dropped.
func (v *sessionView) takeBoard(data []byte) {
	var b session.Board
	if json.Unmarshal(data, &b) != nil {
		return
	}
	v.mu.Lock()
	v.board, v.at = b, time.Now()
	v.mu.Unlock()
	select {
	case v.fresh <- struct{}{}:
	default:
	}
}

// takeHealth takes a rig's health, if it is that of the sender.
func (v *sessionView) takeHealth(subject string, data []byte) {
	var h session.Health
	id := session.ID(subject[strings.LastIndexByte(subject, '.')+1:])
	if json.Unmarshal(data, &h) != nil || session.CheckID(string(id)) != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.health) < session.MaxMembers || v.health[id].State != "" {
		h.Member = id
		v.health[id] = h
	}
}

// now returns what is known, and how old the board is.
func (v *sessionView) now() (w watched, age time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return watched{v.board, maps.Clone(v.health)}, time.Since(v.at)
}

// once shows the state once each present rig has told its health, which takes a second.
func (v *sessionView) once(s *streams, asJSON bool) error {
	const patience = 3 * time.Second
	var b session.Board
	if err := ask(v.bus, session.PresenceSubject(v.session), session.Query{}, &b); err != nil {
		return err
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	v.takeBoard(data)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		w, _ := v.now()
		missing := 0
		for _, e := range w.Board.Entries {
			if _, ok := w.Health[e.ID]; e.Present && !ok {
				missing++
			}
		}
		if missing == 0 {
			break
		}
	}
	w, _ := v.now()
	if asJSON {
		return json.NewEncoder(s.out).Encode(w)
	}
	columns := 120
	if t := terminal(s.out); t != nil {
		columns, _ = console.Size(t)
	}
	for _, l := range sessionLines(w, 0, columns) {
		if _, err := fmt.Fprintln(s.out, l.Text); err != nil {
			return err
		}
	}
	return nil
}

// errKeyRefused ends a view whose key was revoked.
var errKeyRefused = errors.New("the session's servers refuse this key now: it was revoked")

// follow shows the session until ctx ends: each board, and once a second the last one.
func (v *sessionView) follow(ctx context.Context, b *bus.Bus, show func(w watched, age time.Duration) error) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-b.Refused():
			return errKeyRefused
		case <-v.fresh:
		case <-tick.C:
			if _, age := v.now(); age < silentBoard {
				continue
			}
		}
		if w, age := v.now(); w.Board.Session != "" {
			if err := show(w, age); err != nil {
				return err
			}
		}
	}
}

// sessionLine returns a session as one line.
func sessionLine(w watched) string {
	text := sessionTitle(w.Board)
	for _, t := range w.Board.Standings {
		text += fmt.Sprintf("; %d %s %s", t.Place, printable.Name(t.Driver), t.Status)
	}
	return text
}

// sessionTitle returns what holds for all: phase, flag and what is left of the race.
func sessionTitle(b session.Board) string {
	words := []string{fmt.Sprintf("%s: %s", printable.Name(string(b.Session)), printable.Name(string(b.Phase)))}
	switch to := float64(b.Start-b.Now) / 1e9; {
	case b.Phase == session.Countdown:
		words = append(words, fmt.Sprintf("start in %.0f s", to))
	case b.Phase == session.Racing && b.LapsLeft > 0:
		words = append(words, fmt.Sprintf("%d laps left", b.LapsLeft))
	case b.Phase == session.Racing && b.TimeLeft > 0:
		words = append(words, results.Time(b.TimeLeft)+" left")
	}
	if b.Paused {
		words = append(words, "PAUSED")
	}
	if b.Flag != session.NoFlag {
		words = append(words, printable.Name(string(b.Flag))+" flag")
	}
	return strings.Join(words, ", ")
}

// silentBoard is how old a board may be until the view says that nothing is heard.
const silentBoard = 3 * time.Second

// sessionLines returns a session as lines for a terminal of that width, with less of each rig where it is narrow.
func sessionLines(w watched, age time.Duration, columns int) []console.Line {
	lines := []console.Line{{Text: sessionTitle(w.Board), Tone: console.Title}}
	if age > silentBoard {
		lines = append(lines, console.Line{Text: fmt.Sprintf("NOTHING HEARD of the host for %.0f s; what follows is old", age.Seconds()), Tone: console.Failure})
	}
	if w.Board.Notice != "" {
		lines = append(lines, console.Line{Text: printable.Line(w.Board.Notice), Tone: console.Warning})
	}
	wide := columns >= 110
	head := fmt.Sprintf("%2s %-16s %4s %8s %9s %-8s %-10s", "", "driver", "laps", "gap", "last", "status", "safety")
	if wide {
		head += fmt.Sprintf(" %9s %4s %8s %5s %6s %6s %6s", "best", "pen", "clock", "lost", "late", "missed", "unsent")
	}
	lines = append(lines, console.Line{Text: head})
	for _, t := range w.Board.Standings {
		h, heard := w.Health[t.Member]
		problem := rigProblem(h, heard, w.Board.Now)
		text := fmt.Sprintf("%2d %-16s %4d %8s %9s %-8s %-10s", t.Place, fitted(t.Driver, 16), t.Laps, results.Gap(t), results.Time(t.Last), printable.Name(t.Status), fitted(h.State, 10))
		if wide {
			text += fmt.Sprintf(" %9s %4g %8s %4.0f%% %4.0fms %6d %6d", results.Time(t.Best), t.Penalty, fmt.Sprintf("±%.1fms", h.Uncertainty*1e3), h.Lost*100, h.Late*1e3, h.Missed, h.Unsent)
		}
		line := console.Line{Text: text}
		if problem != "" || t.Status == "absent" {
			line.Tone = console.Warning
		}
		if lines = append(lines, line); problem != "" {
			lines = append(lines, console.Line{Text: "   " + problem, Tone: console.Warning})
		}
	}
	for i := range lines {
		lines[i].Text = console.Cut(lines[i].Text, columns-1)
	}
	return lines
}

// fitted returns a text in that many columns.
func fitted(text string, columns int) string {
	text = console.Cut(printable.Name(text), columns)
	return text + strings.Repeat(" ", columns-console.Width(text))
}

// rigProblem returns what is wrong with a rig, in a few words, or "".
func rigProblem(h session.Health, heard bool, now int64) string {
	const silent, badClock, badLoss, badLate = 5e9, 0.005, 0.05, 0.15 // [ns], [s], share, [s]
	switch {
	case !heard:
		return "no health heard"
	case float64(now-h.At) > silent:
		return fmt.Sprintf("silent for %.0f s", float64(now-h.At)/1e9)
	case h.Cause != "":
		return printable.Name(h.Cause)
	case h.Unsent > 0:
		return fmt.Sprintf("%d events not acknowledged", h.Unsent)
	case h.Lost > badLoss:
		return fmt.Sprintf("%.0f%% of packets lost", h.Lost*100)
	case h.Uncertainty > badClock:
		return fmt.Sprintf("clock ±%.0f ms", h.Uncertainty*1e3)
	case h.Late > badLate:
		return fmt.Sprintf("others shown %.0f ms late", h.Late*1e3)
	}
	return ""
}

// watchHosted shows a session that this program hosts on a panel until ctx ends.
func watchHosted(ctx context.Context, s *streams, panel *console.Panel, i keys.Invitation) error {
	b, err := connect(ctx, i, s.log)
	if err != nil {
		return err
	}
	defer b.Close()
	v, err := newSessionView(b, i.Session)
	if err != nil {
		return err
	}
	return v.follow(ctx, b, showSession(s, panel))
}
