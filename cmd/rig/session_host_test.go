package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/test/level"
)

// sessionHang ends a test that waits for what does not come.
const sessionHang = 3 * time.Minute

// hostedSession is a running `rig session host` in a process of its own.
type hostedSession struct {
	t      *testing.T
	events chan map[string]any
	end    func() (status int, errs string)
}

// hostSession starts `rig session host` with --json in the working folder.
func hostSession(t *testing.T, args ...string) *hostedSession {
	t.Helper()
	cmd := rigProcess(append([]string{"session", "host", "monza", "--folder", "sessions", "--listen", "127.0.0.1:0", "--json"}, args...)...)
	out, err := cmd.StdoutPipe()
	var errs steps
	cmd.Stderr = &errs
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	h := &hostedSession{t: t, events: make(chan map[string]any, 1000)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var e map[string]any
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Errorf("%s: %v", lines.Text(), err)
			}
			h.events <- e
		}
	}()
	ended := false
	h.end = func() (int, string) {
		if !ended {
			ended = true
			_ = cmd.Process.Signal(syscall.SIGINT)
			<-read
			_ = cmd.Wait()
		}
		return cmd.ProcessState.ExitCode(), errs.String()
	}
	t.Cleanup(func() { h.end() })
	for until := time.Now().Add(sessionHang); !strings.Contains(errs.String(), "is hosted at"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) || cmd.ProcessState != nil {
			t.Fatalf("the host does not begin: %s", errs.String())
		}
	}
	return h
}

// event waits for an event of a kind.
func (h *hostedSession) event(kind session.Kind) map[string]any {
	h.t.Helper()
	for {
		select {
		case e := <-h.events:
			if e["kind"] == string(kind) {
				return e
			}
		case <-time.After(sessionHang):
			h.t.Fatalf("no event %s comes", kind)
		}
	}
}

// joinSession invites a rig and lets it join as a rig does.
func joinSession(t *testing.T, name string) *bus.Bus {
	t.Helper()
	sessionCommand(t, exitDone, "invite", name, "--session", "monza")
	i, err := keys.Read("monza-" + name + ".rig")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), sessionHang)
	defer cancel()
	b, err := connect(ctx, i, newLog(&steps{}, "text", 0, false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	road, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	join := session.Join{Protocol: session.Protocol, Driver: strings.ToUpper(name), Car: "coupe", Circuit: session.Circuit{Name: "club", Digest: circuit.Digest(road), Length: road.Length()}}
	var joined session.Joined
	if err := b.Request(ctx, session.JoinSubject("monza", session.ID(name)), join, &joined); err != nil || joined.Refused != "" {
		t.Fatal(joined.Refused, err)
	}
	return b
}

// A session from nothing to results, by its commands.
func TestSessionHost(t *testing.T) {
	level.SkipIfQuick(t)
	inNewFolder(t)
	h := hostSession(t, "--laps", "5")
	h.event(session.Created)
	ada := joinSession(t, "ada")
	joinSession(t, "bob")
	entered := h.event(session.Entered)
	at := int64(entered["at"].(float64)) + 1
	lap := session.Event{ID: "1", Kind: session.LapDone, At: at, Lap: &session.Lap{Number: 1, Time: 71.5, Sectors: []float64{30, 41.5}, Valid: true}}
	if _, err := ada.Store(t.Context(), session.MemberEventSubject("monza", "ada"), lap.ID, lap); err != nil {
		t.Fatal(err)
	}
	if e := h.event(session.LapDone); e["from"] != "ada" {
		t.Errorf("%v", e)
	}
	for _, tt := range []struct {
		words string
		want  int
		text  string
	}{
		{"start", exitFailed, "rig: fix the grid first: rig session grid"},
		{"grid bob", exitDone, "grid: bob, ada"},
		{"grid", exitDone, "grid: ada, bob"},
		{"start --in 10m", exitDone, "the race starts in 600 s"},
		{"abort", exitDone, "the start is called off"},
		{"start --in 1s", exitUsage, "rig: --in 1s: must be 3s to 10m"},
		{"pause", exitDone, "the session is paused"},
		{"resume", exitDone, "the session goes on"},
		{"flag yellow", exitDone, "flag: yellow"},
		{"flag pink", exitUsage, "must be one of"},
		{"penalty ada 5 --for blocking", exitDone, "ada: blocking, +5 s"},
		{"penalty eve 5", exitFailed, "eve is no rig of this session: there are ada, bob"},
		{"notice Slow", exitDone, "notice: Slow"},
		{"watch --once", exitDone, "monza: grid, yellow flag"},
		{"watch --once --json", exitDone, `"phase":"grid","flag":"yellow"`},
		{"grid --session monza-ada.rig", exitUsage, "rig: --session monza-ada.rig: it is for a rig; this needs one made with --role official"},
		{"results", exitDone, "1:11.500"},
		{"end", exitDone, "the results are final"},
		{"pause", exitFailed, "session monza has ended"},
		{"results --csv - ", exitDone, "1,ada,ADA,coupe,1,71.500,0.000,true,false,30.000,41.500"},
	} {
		status, out, errs := rigCommand(t, append(append([]string{"session"}, strings.Fields(tt.words)...), "--folder", "sessions")...)
		if status != tt.want || !strings.Contains(out+errs, tt.text) {
			t.Errorf("rig session %s: status %d, want %d: %s%s; want %q", tt.words, status, tt.want, out, errs, tt.text)
		}
	}
	for file, want := range map[string]string{"results.json": `"driver":"ADA"`, "results.csv": "71.500", "results.html": "<td>1:11.500</td>"} {
		path := filepath.Join("sessions", "monza", file)
		for until := time.Now().Add(sessionHang); !strings.Contains(mustExist(path), want); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%s: %q", path, mustExist(path))
			}
		}
	}
	if status, errs := h.end(); status != exitDone {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, out, errs := rigCommand(t, "session", "results", "--folder", "sessions", "--html", "page.html"); status != exitDone || !strings.Contains(mustExist("page.html"), "ADA") {
		t.Errorf("results of an ended session: status %d, %s%s", status, out, errs)
	}
}

// mustExist returns the text of a file, or nothing if it is not there yet.
func mustExist(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// Each rig that has not reported its stop is named, and then the command fails.
func TestSessionStopNamesWhoDidNot(t *testing.T) {
	level.SkipIfQuick(t)
	inNewFolder(t)
	h := hostSession(t)
	ada := joinSession(t, "ada")
	joinSession(t, "bob")
	stopped := make(chan int64, 1)
	if _, err := ada.Subscribe(session.HostEventSubject("monza"), func(_ string, data []byte) {
		var e session.Event
		if json.Unmarshal(data, &e) == nil && e.Kind == session.Stopped {
			stopped <- e.At
		}
	}); err != nil {
		t.Fatal(err)
	}
	go func() {
		e := session.Event{ID: "s", Kind: session.HasStopped, At: <-stopped, Text: "stopped"}
		_, _ = ada.Store(context.Background(), session.MemberEventSubject("monza", "ada"), e.ID, e)
	}()
	status, out, errs := rigCommand(t, "session", "stop", "--folder", "sessions")
	if status != exitFailed || !strings.Contains(out, "ada has stopped") || !strings.Contains(errs, "not reported as stopped after 10s: bob (not heard); look there") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	sessionCommand(t, exitDone, "revoke", "bob", "--session", "monza")
	h.event(session.Left)
	official, err := keys.Read(filepath.Join("sessions", "monza", keys.OfficialFile))
	if err != nil {
		t.Fatal(err)
	}
	b, err := connect(t.Context(), official, newLog(&steps{}, "text", 0, false))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := awaitStops(&streams{out: &steps{}}, b, "monza", 0); err != nil {
		t.Errorf("with only the rig that has stopped: %v", err)
	}
}

func TestSessionHostIsRefused(t *testing.T) {
	level.SkipIfQuick(t)
	inNewFolder(t)
	h := hostSession(t, "--laps", "5")
	status, _, errs := rigCommand(t, "session", "host", "monza", "--folder", "sessions")
	if status != exitFailed || !strings.Contains(errs, "session monza is hosted already, by process") {
		t.Errorf("a second host: status %d, %s", status, errs)
	}
	if status, errs := h.end(); status != exitDone {
		t.Errorf("status %d: %s", status, errs)
	}
	for words, want := range map[string]string{
		"host Monza":                      `"Monza": a name is`,
		"host monza --laps 3 --minutes 4": "can't be used together",
		"host monza --laps=-1":            "--laps -1: must be 1 to 4000",
		"host monza --minutes 1e9":        "must be up to 1440",
		"host monza --listen nowhere":     "--listen nowhere: must be HOST:PORT",
		"host monza --url tls://a:1":      "it needs --packets",
		"host monza --ca x":               "--ca: it needs --url",
		"host monza --jump-penalty 2h":    "must be 0s to 1h",
		"host monza --track plain":        "rig: ",
		"host monza --laps 6 --listen :0": "session monza exists, with --laps 5: leave out the flags for its rules, or choose another name",
		"host monza --minutes 5 --jump-penalty 5s --cuts-allowed 0 --cut-penalty 1ms --pit-stops 2 --pit-penalty 0s --finish-timeout 1m --listen :0": "session monza exists, with --minutes 0, --cuts-allowed 3, --cut-penalty 5s, --pit-stops 0, --pit-penalty 30s, --finish-timeout 3m0s: leave",
		"watch --session none":       "has no session none; it has: monza; or name the file of an invitation",
		"results --json --csv -":     "rig: --csv: - and --json would both go to stdout; name a file",
		"results --json --html -":    "rig: --html: - and --json would both go to stdout; name a file",
		"results --csv - --html -":   "rig: --html: the laps of --csv go into the same file",
		"results --csv x --html ./x": "rig: --html: the laps of --csv go into the same file",
		"watch --session none.rig":   "invitation none.rig",
		"results --session none":     "has no session none",
		"stop --session none":        "has no session none",
		"penalty ada much":           "expected a float",
	} {
		if _, errs := sessionCommand(t, exitUsage, strings.Fields(words)...); !strings.Contains(errs, want) {
			t.Errorf("rig session %s: %s; want %s", words, errs, want)
		}
	}
}

// A session that goes on may be hosted with the flags that it was made with.
func TestRulesOfASession(t *testing.T) {
	kept := session.Rules{Laps: 5, JumpPenalty: 0.1, CutsAllowed: 3, CutPenalty: 5, PitPenalty: 30, FinishTimeout: 180}
	laps, minutes, none, jump := 5, 7.0, 0, 100*time.Millisecond
	c := &sessionHostCmd{Name: "monza", raceFlags: raceFlags{Laps: &laps, JumpPenalty: &jump, PitStops: &none}}
	if got := c.on(defaultRules); got != kept {
		t.Errorf("rules %+v, want %+v", got, kept)
	}
	if err := c.checkKept(kept); err != nil {
		t.Error(err)
	}
	c.raceFlags = raceFlags{}
	if err := c.checkKept(kept); err != nil {
		t.Error("without flags:", err)
	}
	c.Minutes = &minutes
	if err := c.checkKept(kept); err == nil || !strings.Contains(err.Error(), "with --minutes 0") {
		t.Error(err)
	}
}

// A host that does not end, or has more than can be, does not use up this program's memory.
func TestResultsOfAHostThatLies(t *testing.T) {
	two := []session.Standing{{Member: "ada"}, {Member: "bob"}}
	r := race.Results{Standings: two, Rigs: make([]race.Rig, 9)}
	answer := func(q session.Query) (race.Results, error) {
		laps := []race.Lap{{Lap: 1}, {Lap: 2}, {Lap: 3}}
		return race.Results{Rigs: []race.Rig{{Member: q.Member, Laps: laps[q.From:min(q.From+2, 3)]}}}, nil
	}
	if err := takeLaps(&r, answer); err != nil || len(r.Rigs) != 2 || len(r.Rigs[0].Laps) != 3 || r.Rigs[1].Member != "bob" {
		t.Errorf("%v, %+v", err, r.Rigs)
	}
	asked := 0
	endless := func(session.Query) (race.Results, error) {
		asked++
		return race.Results{Rigs: []race.Rig{{Laps: make([]race.Lap, 1000)}}}, nil
	}
	if err := takeLaps(&r, endless); err == nil || asked != 51 {
		t.Errorf("laps without end: %v after %d answers", err, asked)
	}
	r.Standings = make([]session.Standing, session.MaxMembers+1)
	if err := takeLaps(&r, answer); err == nil || !strings.Contains(err.Error(), "have 65 rigs") {
		t.Errorf("too many rigs: %v", err)
	}
}

// The board fits into terminals of 80 and 120 columns, and says what is wrong with whom. Names of others do no harm.
func TestTheBoardOfASession(t *testing.T) {
	w := watched{
		Board: session.Board{
			Session: "monza", Now: 100e9, Phase: session.Racing, Flag: session.Yellow, LapsLeft: 3, Paused: true, Notice: "oil at turn 3 \x1b[2J",
			Standings: []session.Standing{
				{Place: 1, Member: "a", Driver: "Ada Lovelace the Countess", Laps: 7, Last: 83.4567, Best: 82.1, Status: "driving"},
				{Place: 2, Member: "b", Driver: "b\x1b[2J", Laps: 7, Gap: 1.2345, Last: 84, Best: 83, Penalty: 5, Status: "pit"},
				{Place: 3, Member: "c", Driver: "Carl", Laps: 6, LapsDown: 1, Status: "absent"},
			},
		},
		Health: map[session.ID]session.Health{
			"a": {At: 100e9, State: "driving", Uncertainty: 0.0004, Late: 0.033},
			"b": {At: 100e9, State: "stopped", Cause: "emergency stop", Uncertainty: 0.0004, Lost: 0.021, Missed: 3},
		},
	}
	for columns, want := range map[int][]string{
		80: {
			"monza: racing, 3 laps left, PAUSED, yellow flag",
			`oil at turn 3 \x1b[2J`,
			"   driver           laps      gap      last status   safety",
			" 1 Ada Lovelace the    7        -  1:23.457 driving  driving",
			` 2 b\x1b[2J            7   +1.234  1:24.000 pit      stopped`,
			"   emergency stop",
			" 3 Carl                6   1 laps         - absent",
			"   no health heard",
		},
		120: {
			"monza: racing, 3 laps left, PAUSED, yellow flag",
			`oil at turn 3 \x1b[2J`,
			"   driver           laps      gap      last status   safety          best  pen    clock  lost   late missed unsent",
			" 1 Ada Lovelace the    7        -  1:23.457 driving  driving     1:22.100    0   ±0.4ms    0%   33ms      0      0",
			` 2 b\x1b[2J            7   +1.234  1:24.000 pit      stopped     1:23.000    5   ±0.4ms    2%    0ms      3      0`,
			"   emergency stop",
			" 3 Carl                6   1 laps         - absent                      -    0   ±0.0ms    0%    0ms      0      0",
			"   no health heard",
		},
	} {
		lines := sessionLines(w, 0, columns)
		for i, l := range lines {
			if i >= len(want) || strings.TrimRight(l.Text, " ") != strings.TrimRight(want[i], " ") || console.Width(l.Text) >= columns {
				t.Errorf("%d columns, line %d: %q", columns, i+1, l.Text)
			}
		}
		if lines[0].Tone != console.Title || lines[3].Tone != console.Plain || lines[4].Tone != console.Warning || lines[6].Tone != console.Warning {
			t.Errorf("tones %v", lines)
		}
	}
	if l := sessionLines(w, 5*time.Second, 80)[1]; !strings.Contains(l.Text, "NOTHING HEARD of the host for 5 s") || l.Tone != console.Failure {
		t.Errorf("%+v", l)
	}
}

func FuzzSessionView(f *testing.F) {
	f.Add([]byte(`{"session":"s","phase":"racing","standings":[{"driver":"x"}]}`), []byte(`{"state":"driving"}`))
	f.Fuzz(func(t *testing.T, board, health []byte) {
		v := &sessionView{fresh: make(chan struct{}, 1), health: map[session.ID]session.Health{}}
		v.takeBoard(board)
		v.takeHealth("rig.session.s.health.a", health)
		w, _ := v.now()
		for _, l := range sessionLines(w, 0, 80) {
			if strings.ContainsAny(l.Text, "\x1b\n\r") || console.Width(l.Text) > 80 {
				t.Errorf("%q", l.Text)
			}
		}
		_ = sessionLine(w)
	})
}
