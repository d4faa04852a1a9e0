package race

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
)

// The races of these tests are on a circuit of 2600 m, so that no lap takes less than 20 s, and start at 100 s.
var (
	circuit   = session.Circuit{Name: "ring", Digest: "d", Length: 2600}
	threeLaps = session.Rules{Laps: 3, FinishTimeout: 60, JumpPenalty: 5, CutPenalty: 3, CutsAllowed: 1, PitPenalty: 20}
)

const startAt = 100 // [s]

// script is a list of events with their senders, "" for the host.
type script struct {
	events []session.Event
	from   []session.ID
}

func (s *script) add(from session.ID, at float64, e session.Event) {
	e.At = int64(at * second)
	if e.ID == "" {
		e.ID = fmt.Sprintf("%s-%d", from, len(s.events))
	}
	s.events, s.from = append(s.events, e), append(s.from, from)
}

// begin creates a session and lets rigs join.
func begin(rules session.Rules, rigs ...session.ID) *script {
	s := &script{}
	s.add("", 0, session.Event{Kind: session.Created, Circuit: &circuit, Rules: &rules, Epoch: 1})
	for i, id := range rigs {
		s.add("", 1, session.Event{Kind: session.Entered, Member: id, Slot: i, Entry: &session.Join{Driver: strings.ToUpper(string(id)), Car: "car"}})
	}
	return s
}

// grid fixes the grid and the start.
func (s *script) grid(order ...session.ID) {
	s.add("", 90, session.Event{Kind: session.Gridded, Order: order})
	s.add("", 95, session.Event{Kind: session.Scheduled, Start: startAt * second})
}

// drive lets a rig end laps at times after the start [s]. The first begins one second after it; * behind a time marks a
// lap that is invalid, ! a lap before which the car was in the pit for 5 s.
func (s *script) drive(id session.ID, lines string) {
	before := 1.0
	for i, word := range strings.Fields(lines) {
		var at float64
		fmt.Sscanf(word, "%g", &at)
		if strings.HasSuffix(word, "!") {
			s.add(id, startAt+at-10, session.Event{Kind: session.PitEntry})
			s.add(id, startAt+at-5, session.Event{Kind: session.PitExit})
		}
		s.add(id, startAt+at, session.Event{Kind: session.LapDone, Member: id, Lap: &session.Lap{Number: i + 1, Time: at - before, Valid: !strings.HasSuffix(word, "*")}})
		before = at
	}
}

// apply applies the events in an order of indices, nil for their own, and returns the state and what was refused.
func (s *script) apply(order []int) (st State, refused []string) {
	for i := range s.events {
		if order != nil {
			i = order[i]
		}
		e := s.events[i]
		if err := st.Apply(s.from[i], &e); err != nil {
			refused = append(refused, err.Error())
		}
	}
	return st, refused
}

// text returns standings as "MEMBER LAPS TIME STATUS" with the penalty in front of the status if there is one.
func text(list []session.Standing) string {
	var words []string
	for _, r := range list {
		penalty := ""
		if r.Penalty != 0 {
			penalty = fmt.Sprintf(" %+g", r.Penalty)
		}
		words = append(words, fmt.Sprintf("%s %d %g%s %s", r.Member, r.Laps, r.Time, penalty, r.Status))
	}
	return strings.Join(words, ", ")
}

// Races of which the outcome was worked out by hand.
func TestWhoWins(t *testing.T) {
	timed := session.Rules{Duration: 100, FinishTimeout: 60}
	pit := threeLaps
	pit.PitStops = 1
	for _, tt := range []struct {
		name  string
		rules session.Rules
		build func(s *script)
		now   float64 // after the start [s]
		want  string
		phase session.Phase
	}{
		{"the first line wins", threeLaps, func(s *script) { s.drive("a", "40 70 100"); s.drive("b", "41 70.5 99.9") }, 120, "b 3 99.9 finished, a 3 100 finished", session.Finishing},
		{"before the winner's finish", threeLaps, func(s *script) { s.drive("a", "40 70 100"); s.drive("b", "41 70.5 99.9") }, 99, "a 2 70 driving, b 2 70.5 driving", session.Racing},
		{"before the first line", threeLaps, func(*script) {}, 10, "a 0 0 driving, b 0 0 driving", session.Racing},
		{"who is lapped ends its own lap", threeLaps, func(s *script) { s.drive("a", "40 70 100"); s.drive("b", "60 120 150") }, 160, "a 3 100 finished, b 2 120 finished", session.Finishing},
		{"laps after the finish do not count", threeLaps, func(s *script) { s.drive("a", "40 70 100 130"); s.drive("b", "60 120 150 180") }, 200, "a 3 100 finished, b 2 120 finished", session.Finishing},
		{"who stops before the line", threeLaps, func(s *script) {
			s.drive("a", "40 70 100")
			s.drive("b", "41 71")
			s.add("", startAt+160, session.Event{Kind: session.Closed})
		}, 170, "a 3 100 finished, b 2 71 retired", session.Ended},
		{"a race over time ends with the lap that was begun", timed, func(s *script) { s.drive("a", "40 80 121"); s.drive("b", "41 79 120") }, 130, "b 3 120 finished, a 3 121 finished", session.Finishing},
		{"a line at the very end of the time is the finish", timed, func(s *script) { s.drive("a", "40 80 100"); s.drive("b", "41 79 120") }, 130, "a 3 100 finished, b 3 120 finished", session.Finishing},
		{"one lap down crosses first after the time", timed, func(s *script) { s.drive("a", "40 80 121"); s.drive("b", "50 101 150") }, 160, "a 3 121 finished, b 3 150 finished", session.Finishing},
		{"the leader stops in the last lap", timed, func(s *script) { s.drive("a", "40 80"); s.drive("b", "50 105 160") }, 170, "b 3 160 finished, a 2 80 driving", session.Finishing},
		{"a penalty decides", threeLaps, func(s *script) {
			s.add("", 99, session.Event{Kind: session.Penalized, Member: "a", Seconds: 5, Text: "jump start"})
			s.drive("a", "40 70 100")
			s.drive("b", "41 72 104")
		}, 120, "b 3 104 finished, a 3 105 +5 finished", session.Finishing},
		{"a penalty of practice is over", threeLaps, func(s *script) {
			s.add("", 50, session.Event{Kind: session.Penalized, Member: "a", Seconds: 50, Text: "rude"})
			s.drive("a", "40 70 100")
			s.drive("b", "41 72 104")
		}, 120, "a 3 100 finished, b 3 104 finished", session.Finishing},
		{"a penalty costs no lap", threeLaps, func(s *script) {
			s.add("", 120, session.Event{Kind: session.Penalized, Member: "a", Seconds: 500, Text: "blocking"})
			s.drive("a", "40 70 100")
			s.drive("b", "60 120")
		}, 130, "a 3 600 +500 finished, b 2 120 finished", session.Finishing},
		{"a penalty is no time without a lap", threeLaps, func(s *script) {
			s.add("", 99, session.Event{Kind: session.Penalized, Member: "a", Seconds: 5, Text: "jump start"})
			s.drive("b", "41")
		}, 50, "b 1 41 driving, a 0 0 +5 driving", session.Racing},
		{"one cut is free, the second costs", threeLaps, func(s *script) { s.drive("a", "40* 70* 100"); s.drive("b", "41* 72 102") }, 120, "b 3 102 finished, a 3 103 +3 finished", session.Finishing},
		{"a stop that is missing costs at the finish", pit, func(s *script) { s.drive("a", "40 70 100"); s.drive("b", "41 80! 115") }, 120, "b 3 115 finished, a 3 120 +20 finished", session.Finishing},
		{"a stop that is missing costs nothing before", pit, func(s *script) { s.drive("a", "40 70"); s.drive("b", "41 80!") }, 90, "a 2 70 driving, b 2 80 driving", session.Racing},
		{"a pause does not count", threeLaps, func(s *script) {
			s.drive("a", "40 70 130")
			s.drive("b", "41 100 131")
			s.add("", startAt+75, session.Event{Kind: session.PausedAt})
			s.add("", startAt+95, session.Event{Kind: session.ResumedAt})
		}, 140, "a 3 110 finished, b 3 111 finished", session.Finishing},
		{"a pause counts for the time of the race", session.Rules{Duration: 100}, func(s *script) {
			s.drive("a", "40 70 110 140")
			s.add("", startAt+75, session.Event{Kind: session.PausedAt})
			s.add("", startAt+95, session.Event{Kind: session.ResumedAt})
		}, 150, "a 4 120 finished, b 0 0 driving", session.Finishing},
		{"equal times: the better grid place is ahead", threeLaps, func(s *script) { s.drive("b", "40 70 100"); s.drive("a", "40 70 100") }, 120, "a 3 100 finished, b 3 100 finished", session.Finishing},
		{"a lap of practice that ends in the race", threeLaps, func(s *script) {
			s.add("a", startAt+20, session.Event{Kind: session.LapDone, Lap: &session.Lap{Number: 9, Time: 30, Valid: true}})
		}, 30, "a 0 0 driving, b 0 0 driving", session.Racing},
		{"in the pit", threeLaps, func(s *script) { s.add("b", startAt+20, session.Event{Kind: session.PitEntry}) }, 30, "a 0 0 driving, b 0 0 pit", session.Racing},
		{"called off", threeLaps, func(s *script) { s.add("", 99, session.Event{Kind: session.Aborted}) }, 30, "a 0 0 driving, b 0 0 driving", session.Grid},
	} {
		s := begin(tt.rules, "a", "b")
		s.grid("a", "b")
		tt.build(s)
		st, refused := s.apply(nil)
		now := int64((startAt + tt.now) * second)
		if got := text(st.Standings(now)); got != tt.want || len(refused) > 0 {
			t.Errorf("%s: %s\nwant %s; refused %q", tt.name, got, tt.want, refused)
		}
		if got := st.Phase(now); got != tt.phase {
			t.Errorf("%s: phase %s, want %s", tt.name, got, tt.phase)
		}
	}
}

func TestGapsAndBestLaps(t *testing.T) {
	s := begin(threeLaps, "a", "b", "c")
	s.grid("c", "b", "a")
	s.drive("a", "40 70 101")
	s.drive("b", "41 70.5* 102")
	s.drive("c", "60 125")
	st, _ := s.apply(nil)
	got := st.Standings(230 * second)
	for i, want := range []struct {
		member                  session.ID
		gap, best, last         float64
		down, grid, cuts, place int
	}{{"a", 0, 30, 31, 0, 3, 0, 1}, {"b", 1, 31.5, 31.5, 0, 2, 1, 2}, {"c", 55, 59, 65, 1, 1, 0, 3}} {
		g := got[i]
		if g.Member != want.member || g.Gap != want.gap || g.Best != want.best || g.Last != want.last || g.LapsDown != want.down || g.Grid != want.grid || g.Cuts != want.cuts || g.Place != want.place {
			t.Errorf("%+v, want %+v", g, want)
		}
	}
}

func TestTheGridFollowsPractice(t *testing.T) {
	s := begin(threeLaps, "a", "b", "c")
	lap := func(id session.ID, at, time float64, valid bool) {
		s.add(id, at, session.Event{Kind: session.LapDone, Lap: &session.Lap{Number: 1, Time: time, Valid: valid}})
	}
	lap("a", 40, 35, true)
	lap("b", 41, 30, false)
	lap("b", 80, 34, true)
	st, _ := s.apply(nil)
	if got := st.ByPractice(90 * second); !reflect.DeepEqual(got, []session.ID{"b", "a", "c"}) {
		t.Error(got)
	}
	if got := text(st.Standings(60 * second)); got != "a 1 0 driving, b 1 0 driving, c 0 0 driving" {
		t.Error(got)
	}
}

// Each of these does not count, and says why.
func TestLiesAreNotCounted(t *testing.T) {
	lap := func(time float64) session.Event {
		return session.Event{Kind: session.LapDone, Lap: &session.Lap{Number: 1, Time: time}}
	}
	for _, tt := range []struct {
		name string
		at   float64
		e    session.Event
		want string
	}{
		{"too fast", 150, lap(19.9), "the circuit takes 20.0 s"},
		{"no time", 150, lap(0), "the circuit takes"},
		{"negative", 150, lap(-30), "the circuit takes"},
		{"a day", 150, lap(1e9), "no possible time"},
		{"before the session", -150, lap(30), "before the session began"},
		{"within the lap before", 145, lap(30), "begins before the lap before it has ended"},
		{"no lap", 150, session.Event{Kind: session.LapDone}, "without its data"},
		{"sectors longer than the lap", 180, session.Event{Kind: session.LapDone, Lap: &session.Lap{Number: 2, Time: 30, Sectors: []float64{31}}}, "no possible time"},
		{"another's name", 180, session.Event{Kind: session.LapDone, Member: "b", Lap: &session.Lap{Number: 2, Time: 30}}, "another's name"},
		{"the host's event", 180, session.Event{Kind: session.Closed}, "only the host"},
		{"a penalty for another", 180, session.Event{Kind: session.Penalized, Member: "b"}, "another's name"},
		{"no ID", 180, session.Event{ID: strings.Repeat("x", 65), Kind: session.Marked}, "has an ID of 65 bytes"},
	} {
		s := begin(threeLaps, "a", "b")
		s.grid("a", "b")
		s.drive("a", "40")
		s.add("a", tt.at, tt.e)
		st, refused := s.apply(nil)
		if len(refused) != 1 || !strings.Contains(refused[0], tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, refused, tt.want)
		}
		if got := text(st.Standings(500 * second)); got != "a 1 40 driving, b 0 0 driving" || st.Phase(500*second) != session.Racing {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// A lap that the host dismisses does not count, and those behind it are judged again without it.
func TestADismissedLapCountsNever(t *testing.T) {
	s := begin(threeLaps, "a")
	s.grid("a")
	s.add("a", startAt+150, session.Event{ID: "future", Kind: session.LapDone, Lap: &session.Lap{Number: 1, Time: 100, Valid: true}})
	s.add("a", startAt+40, session.Event{Kind: session.LapDone, Lap: &session.Lap{Number: 1, Time: 39, Valid: true}})
	st, refused := s.apply(nil)
	if got := text(st.Standings(130 * second)); got != "a 0 0 driving" || len(refused) != 1 {
		t.Errorf("before: %s, %q", got, refused)
	}
	_ = st.Apply("", &session.Event{ID: "d", Kind: session.Dismissed, Member: "a", Text: "future"})
	if got := text(st.Standings(400 * second)); got != "a 1 40 driving" {
		t.Errorf("after: %s", got)
	}
	if r := st.Results("s", 400*second).Rigs[0]; !reflect.DeepEqual(r.Refused, []string{"its time is impossible"}) {
		t.Errorf("%+v", r)
	}
}

// shuffled returns the indices of a script's events in a random order that keeps that of each sender; the creation is
// first.
func (s *script) shuffled(r *rand.Rand) (order []int) {
	queues := map[session.ID][]int{}
	for i := 1; i < len(s.from); i++ {
		queues[s.from[i]] = append(queues[s.from[i]], i)
	}
	order = []int{0}
	tickets := r.Perm(len(s.from) - 1)
	for _, ticket := range tickets {
		from := s.from[ticket+1]
		order = append(order, queues[from][0])
		queues[from] = queues[from][1:]
	}
	return order
}

// However the senders' events are mixed, and if all come twice, the outcome is the same.
func TestTheOrderOfArrivalDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rigs := []session.ID{"a", "b", "c", "d"}
		rules := threeLaps
		if rules.PitStops = r.IntN(2); r.IntN(2) == 0 {
			rules.Laps, rules.Duration = 0, 100
		}
		s := begin(rules, rigs...)
		s.grid(rigs[:3]...)
		for _, id := range rigs {
			lines, at := "", 1.0
			for range r.IntN(6) {
				at += float64(15 + r.IntN(30)) // some are too fast
				lines += fmt.Sprintf("%g%s ", at, []string{"", "", "*", "!"}[r.IntN(4)])
			}
			s.drive(id, lines)
		}
		s.add("", 150, session.Event{Kind: session.PausedAt})
		s.add("", 160, session.Event{Kind: session.ResumedAt})
		s.add("", 165, session.Event{Kind: session.Penalized, Member: "b", Seconds: 4})
		s.add("", 166, session.Event{Kind: session.Left, Member: "d"})
		s.add("", 300, session.Event{Kind: session.Closed})
		st, refused := s.apply(nil)
		want := st.Results("s", 400*second)
		for range 10 {
			order := s.shuffled(r)
			twice, again := s.apply(order)
			for _, i := range order {
				_ = twice.Apply(s.from[i], &s.events[i])
			}
			if got := twice.Results("s", 400*second); !reflect.DeepEqual(got, want) || len(again) != len(refused) {
				t.Fatalf("order %v:\n%+v\nwant\n%+v", order, got, want)
			}
		}
	}
}

// A rig that is cut off sends its laps later; they count when they were driven, also after the end.
func TestLapsThatComeLateCount(t *testing.T) {
	s := begin(threeLaps, "a", "b")
	s.grid("a", "b")
	s.drive("a", "40 70 100")
	s.drive("b", "41")
	s.add("", startAt+105, session.Event{Kind: session.Closed})
	s.events[len(s.events)-1].ID = "end"
	st, _ := s.apply(nil)
	if got := text(st.Standings(300 * second)); got != "a 3 100 finished, b 1 41 retired" {
		t.Fatal(got)
	}
	late := begin(threeLaps)
	late.drive("b", "41 70 99")
	for i, e := range late.events[1:] {
		e.ID = fmt.Sprint("late", i)
		if i > 0 {
			if err := st.Apply("b", &e); err != nil {
				t.Error(err)
			}
		}
	}
	if got := text(st.Standings(300 * second)); got != "b 3 99 finished, a 3 100 finished" {
		t.Error(got)
	}
}

func TestARaceEndsWithTheLastCarOrItsTime(t *testing.T) {
	s := begin(threeLaps, "a", "b")
	s.grid("a", "b")
	s.drive("a", "40 70 100")
	s.drive("b", "60 120")
	st, _ := s.apply(nil)
	for at, want := range map[float64]bool{99: false, 101: false, 119: false, 120: true} {
		if got := st.MayClose(int64((startAt + at) * second)); got != want {
			t.Errorf("at %g s: %v", at, got)
		}
	}
	s = begin(threeLaps, "a", "b")
	s.grid("a", "b")
	s.drive("a", "40 70 100")
	st, _ = s.apply(nil)
	if st.MayClose(259*second) || !st.MayClose(260*second) {
		t.Error("the time after the winner is not kept")
	}
}

func TestTheBoard(t *testing.T) {
	s := begin(threeLaps, "b", "a")
	s.grid("a", "b")
	s.drive("a", "40")
	s.add("", 141, session.Event{Kind: session.Said, Member: "b", Text: "slow down"})
	s.add("", 142, session.Event{Kind: session.Stopped})
	s.add("a", 142.1, session.Event{Kind: session.HasStopped})
	st, _ := s.apply(nil)
	b := st.Board("s", 143*second)
	if b.Phase != session.Racing || b.LapsLeft != 2 || b.Notice != "B: slow down" || b.Flag != session.NoFlag || b.Start != startAt*second ||
		len(b.Entries) != 2 || b.Entries[0].ID != "b" || b.Entries[0].Stopped || !b.Entries[1].Stopped || b.Standings[0].Member != "a" {
		t.Errorf("%+v", b)
	}
	if b := st.Board("s", 200*second); b.Notice != "" {
		t.Errorf("an old notice %q", b.Notice)
	}
	if b := st.Board("s", 105*second); b.Flag != session.Green {
		t.Errorf("flag %q after the start", b.Flag)
	}
}

// No member can fill the memory: what it sends beyond a limit is refused.
func TestWhatIsKeptIsBounded(t *testing.T) {
	s := begin(threeLaps, "a")
	st, _ := s.apply(nil)
	refused := 0
	for i := range 2 * maxEvents {
		if st.Apply("a", &session.Event{ID: fmt.Sprint(i), Kind: session.PitEntry}) != nil {
			refused++
		}
	}
	for i := range 10 * maxKnown {
		_ = st.Apply(session.ID(fmt.Sprint("x", i)), &session.Event{ID: "1", Kind: session.Marked})
	}
	if m := st.members["a"]; refused != maxEvents || len(m.pits) != maxEvents || len(m.seen) != maxEvents || len(st.members) != maxKnown {
		t.Errorf("%d refused, %d kept, %d members", refused, len(m.pits), len(st.members))
	}
}

func TestSlots(t *testing.T) {
	var ids []session.ID
	for i := range session.MaxMembers {
		ids = append(ids, session.ID(fmt.Sprint("m", i)))
	}
	s := begin(threeLaps, ids...)
	st, _ := s.apply(nil)
	if slot, ok := st.Slot("m7"); slot != 7 || !ok {
		t.Error(slot, ok)
	}
	if slot, ok := st.Slot("new"); ok {
		t.Errorf("slot %d of a full session", slot)
	}
	st, _ = begin(threeLaps, "a", "b").apply(nil)
	if slot, ok := st.Slot("new"); slot != 2 || !ok {
		t.Error(slot, ok)
	}
}

// What rigs cause leaves room for race control, and a stop counts always.
func TestRoomForRaceControl(t *testing.T) {
	st, _ := begin(threeLaps, "a").apply(nil)
	for i := range maxHosts {
		if i == forRigs && (st.RoomForRigs() || st.MayEnter("a") || st.MayEnter("b")) {
			t.Error("half of the events are used, and rigs may use the others")
		}
		_ = st.Apply("", &session.Event{ID: fmt.Sprint("flag", i), Kind: session.Shown, At: 2 * second, Flag: session.Green})
	}
	if err := st.Apply("", &session.Event{ID: "stop", Kind: session.Stopped, At: 3 * second}); err != nil || st.Board("s", 4*second).Stop != "stop" {
		t.Error("a stop does not count:", err)
	}
}

func TestResultsNameTheFirstCausesAlone(t *testing.T) {
	st, _ := begin(threeLaps, "a").apply(nil)
	for i := range 100 {
		_ = st.Apply("a", &session.Event{ID: fmt.Sprint(i), Kind: session.LapDone, At: 50 * second, Lap: &session.Lap{Number: 1, Time: 30, Sectors: make([]float64, maxSector+1)}})
	}
	if r := st.Results("s", 100*second).Rigs[0].Refused; len(r) != maxRefused+1 || r[maxRefused] != "and 80 more" {
		t.Errorf("%q", r)
	}
}
