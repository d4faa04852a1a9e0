package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/server"
	"rig.example/rig/internal/tools/lab/sweep"
	"rig.example/rig/test/level"
)

// hang ends a test that waits for what does not come.
const hang = 5 * time.Minute

// host starts a server of the session lab.
func host(t *testing.T) (*keys.Folder, *server.Server) {
	t.Helper()
	f, err := keys.OpenFolder(t.TempDir(), "lab")
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(server.Options{Listen: "127.0.0.1:0", Folder: f, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return f, s
}

// node returns a member of the session, and what it logs.
func node(t *testing.T, f *keys.Folder, s *server.Server, member session.ID, role session.Role) (*Node, *lines) {
	t.Helper()
	i, err := f.Invite(member, role, nil)
	if err != nil {
		t.Fatal(err)
	}
	members, err := f.Members()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Reload(members); err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	n := &Node{Session: "lab", Member: member, Build: "this build", Lease: 5 * time.Second, Log: slog.New(slog.NewTextHandler(log, nil))}
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if n.Bus, err = bus.Connect(ctx, i, bus.Options{Name: t.Name(), Log: n.Log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Bus.Close)
	return n, log
}

// lines is a log.
type lines struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

// await waits until the log has a text.
func (l *lines) await(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(hang); ; time.Sleep(10 * time.Millisecond) {
		l.mutex.Lock()
		text := l.text.String()
		l.mutex.Unlock()
		if strings.Contains(text, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%q is not in %s", want, text)
		}
	}
}

// plan is a sweep of a quick manoeuvre with n points, of which the first fails.
func plan(t *testing.T, n string) *sweep.Plan {
	t.Helper()
	a, err := sweep.ParseAxis("mass_kg=50..1500:"+n, false)
	if err != nil {
		t.Fatal(err)
	}
	p := &sweep.Plan{Maneuver: "drop", Axes: []sweep.Axis{a}, Build: "this build"}
	if err := p.Load("coupe"); err != nil {
		t.Fatal(err)
	}
	return p
}

// driver drives units of a plan.
type driver func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error

// table returns the table of a sweep of which every unit has one result.
func table(t *testing.T, p *sweep.Plan, have []sweep.Result, drive driver) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	seen, results := map[int]bool{}, have
	err := drive(ctx, p, p.Missing(have), func(r sweep.Result) error {
		if seen[r.Index] {
			t.Errorf("point %d comes twice", r.Index)
		}
		seen[r.Index] = true
		results = append(results, r)
		return nil
	})
	if err != nil || len(p.Missing(results)) > 0 {
		t.Fatalf("%v; missing: %v", err, p.Missing(results))
	}
	var out bytes.Buffer
	if err := sweep.NewReport(p, results, "").WriteCSV("-", &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func local(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
	return sweep.Drive(ctx, p, units, 2, done)
}

// serve runs a worker until the test or stop ends it.
func serve(t *testing.T, w *worker) (stop func() (finished int)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		n, _ := w.serve(ctx) // a worker whose connection was cut has an error
		ended <- n
	}()
	return sync.OnceValue(func() int { cancel(); return <-ended })
}

func worker1(n *Node) *worker {
	return &worker{Node: n, parallel: 1, parse: driven(func(ctx context.Context, u *sweep.Unit) (sweep.Result, error) { return u.Drive(ctx) })}
}

// driven returns a parser of units that drive drives.
func driven(drive func(context.Context, *sweep.Unit) (sweep.Result, error)) Parser {
	return func(data []byte) (Driver, error) {
		u, err := sweep.ParseUnit(data)
		return func(ctx context.Context) (any, error) { return drive(ctx, &u) }, err
	}
}

// drive lets workers drive units of a plan.
func (n *Node) drive(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
	check := func(result []byte) error { _, err := p.ParseResult(result); return err }
	return n.Drive(ctx, Sweep{p.Digest(), p.String(), func(i int) any { return p.Unit(i) }, check}, units, func(result []byte) error {
		r, _ := p.ParseResult(result) // is checked
		return done(r)
	})
}

// Three workers, of which one dies in the middle of a unit: each point is there once, and the table is the local one.
func TestAWorkerThatDiesGivesItsUnitBack(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	p := plan(t, "12")
	want := table(t, p, nil, local)
	official, _ := node(t, f, s, "lab-desk", session.Official)
	dying, _ := node(t, f, s, "dying", session.Worker)
	taken := make(chan int, 1)
	first := worker1(dying)
	first.parse = driven(func(ctx context.Context, u *sweep.Unit) (sweep.Result, error) {
		taken <- u.Index
		<-ctx.Done()
		return sweep.Result{}, ctx.Err()
	})
	stopFirst := serve(t, first)
	var stops []func() int
	got := table(t, p, nil, func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
		ended := make(chan error, 1)
		go func() { ended <- official.drive(ctx, p, units, done) }()
		select {
		case <-taken:
		case <-ctx.Done():
			return ctx.Err()
		}
		dying.Bus.Close() // it can give nothing back
		for _, name := range []session.ID{"second", "third"} {
			n, _ := node(t, f, s, name, session.Worker)
			stops = append(stops, serve(t, worker1(n)))
		}
		return <-ended
	})
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	finished := stopFirst()
	if finished != 0 {
		t.Errorf("the dead worker finished %d points", finished)
	}
	for _, stop := range stops {
		finished += stop()
	}
	// One that is ended may not learn that its last result was stored, and then does not count it.
	if least := p.Len() - len(stops); finished < least {
		t.Errorf("%d points by the others, want at least %d", finished, least)
	}
}

// A worker that is ended in the middle of a unit gives it back at once, not after the lease.
func TestAWorkerThatEndsGivesItsUnitBack(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	p := plan(t, "3")
	official, _ := node(t, f, s, "desk", session.Official)
	official.Lease = 2 * hang
	n, _ := node(t, f, s, "w", session.Worker)
	taken := make(chan bool, 1)
	ending := worker1(n)
	ending.parse = driven(func(ctx context.Context, u *sweep.Unit) (sweep.Result, error) {
		taken <- true
		<-ctx.Done()
		return sweep.Result{}, ctx.Err()
	})
	stop := serve(t, ending)
	got := table(t, p, nil, func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
		ended := make(chan error, 1)
		go func() { ended <- official.drive(ctx, p, units, done) }()
		<-taken
		if finished := stop(); finished != 0 {
			t.Errorf("it finished %d points", finished)
		}
		defer serve(t, worker1(n))()
		return <-ended
	})
	if want := table(t, p, nil, local); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A worker of another build takes nothing, and both ends say so.
func TestAnotherBuildTakesNothing(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	p := plan(t, "3")
	official, log := node(t, f, s, "desk", session.Official)
	other, otherLog := node(t, f, s, "other", session.Worker)
	other.Build = "another build"
	stopOther := serve(t, worker1(other))
	want := table(t, p, nil, local)
	got := table(t, p, nil, func(ctx context.Context, p *sweep.Plan, units []int, done func(sweep.Result) error) error {
		ended := make(chan error, 1)
		go func() { ended <- official.drive(ctx, p, units, done) }()
		otherLog.await(t, "a sweep of another build is left to others: it is of this build, this is another build")
		log.await(t, "not of this build, and left out: other (another build)")
		right, rightLog := node(t, f, s, "right", session.Worker)
		defer serve(t, worker1(right))()
		rightLog.await(t, "worker: sweep: drop, coupe: 3 points of mass_kg 50, 775, 1500")
		return <-ended
	})
	if n := stopOther(); got != want || n != 0 {
		t.Errorf("%d points by another build; %s, want %s", n, got, want)
	}
}

// A sender that ends loses nothing: the next one goes on, and takes what workers have driven meanwhile.
func TestASenderGoesOn(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	p := plan(t, "8")
	official, _ := node(t, f, s, "desk", session.Official)
	w, _ := node(t, f, s, "w", session.Worker)
	defer serve(t, worker1(w))()
	ctx, cancel := context.WithCancel(t.Context())
	var have []sweep.Result
	err := official.drive(ctx, p, p.Missing(nil), func(r sweep.Result) error {
		if have = append(have, r); len(have) == 3 {
			cancel()
		}
		return nil
	})
	if err != context.Canceled || len(have) != 3 {
		t.Fatalf("%d points, %v", len(have), err)
	}
	again, _ := node(t, f, s, "desk2", session.Official)
	if got, want := table(t, p, have, again.drive), table(t, p, nil, local); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is not a unit or a result is dropped, and the work goes on.
func TestBadMessagesAreDropped(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	p := plan(t, "3")
	official, log := node(t, f, s, "desk", session.Official)
	w, workerLog := node(t, f, s, "w", session.Worker)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if err := official.Bus.CreateWork(ctx, "lab"); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{`{"digest":"*"}`, `{"digest":"0123456789abcdef","run":"0123456789abcdef","unit":{"maneuver":"fly"}}`, `7`} {
		if _, err := official.Bus.Store(ctx, session.UnitSubject("lab", official.queue()), string(rune('a'+i)), json.RawMessage(text)); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range []string{`{"index":3,"error":"x"}`, `{"index":1}`, `[]`} {
		if _, err := w.Bus.Store(ctx, session.ResultSubject("lab", p.Digest()), string(rune('a'+i)), json.RawMessage(text)); err != nil {
			t.Fatal(err)
		}
	}
	defer serve(t, worker1(w))()
	if got, want := table(t, p, nil, official.drive), table(t, p, nil, local); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	log.await(t, "is not a result; it is ignored")
	workerLog.await(t, "is not a unit; it is dropped")
}

// A unit that no worker can drive, or of which none sends a result, fails: the sweep ends.
func TestUnitsThatCannotBeDrivenFail(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	official, _ := node(t, f, s, "desk", session.Official)
	n, _ := node(t, f, s, "w", session.Worker)
	w := worker1(n)
	calls := map[int]int{}
	w.parse = driven(func(ctx context.Context, u *sweep.Unit) (sweep.Result, error) {
		calls[u.Index]++
		if r, err := u.Drive(ctx); u.Index != 1 && (u.Index != 2 || calls[2] > 2) {
			return r, err
		}
		return sweep.Result{Index: u.Index, Error: strings.Repeat("x", 5000)}, nil
	})
	stop := serve(t, w)
	p := plan(t, "4")
	rows := strings.Split(table(t, p, nil, official.drive), "\n")
	if want := strings.Split(table(t, p, nil, local), "\n"); !strings.HasSuffix(rows[2], ",workers sent 5 times what is not a result") || rows[1] != want[1] || rows[3] != want[3] || rows[4] != want[4] {
		t.Errorf("%q, want %q", rows, want)
	}
	p = plan(t, "3")
	p.Track = "mine.toml"
	if got := table(t, p, nil, official.drive); strings.Count(got, `,"not a unit for workers: circuit ""mine.toml"" is not built in"`) != 3 {
		t.Errorf("%s", got)
	}
	if stop(); calls[1] != maxAttempts || calls[2] != 3 {
		t.Errorf("driven %v times", calls)
	}
}

// A sender whose key is revoked says so and ends.
func TestASenderThatIsRefused(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	p := plan(t, "3")
	official, log := node(t, f, s, "desk", session.Official)
	ended := make(chan error, 1)
	go func() {
		ended <- official.drive(t.Context(), p, p.Missing(nil), func(sweep.Result) error { return nil })
	}()
	log.await(t, "no worker; start one")
	for opened := false; !opened && t.Context().Err() == nil; { // until it waits for results
		_, err := official.Bus.OpenQueue(t.Context(), "lab", "results-"+p.Digest())
		opened = err == nil
	}
	if err := f.Revoke("desk"); err != nil {
		t.Fatal(err)
	}
	members, err := f.Members()
	if err == nil {
		err = s.Reload(members)
	}
	if err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, bus.ErrRefused) {
			t.Error(err)
		}
	case <-time.After(hang):
		t.Fatal("it still waits")
	}
}

// A sender hands out no unit whose result has come already.
func TestResultsOfAnEarlierRunAreNotDrivenAgain(t *testing.T) {
	f, s := host(t)
	p := plan(t, "8")
	official, _ := node(t, f, s, "desk", session.Official)
	w, _ := node(t, f, s, "w", session.Worker)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if err := official.Bus.CreateWork(ctx, "lab"); err != nil {
		t.Fatal(err)
	}
	for i := p.Len() - 1; i >= 0; i-- {
		r := sweep.Result{Index: i, Error: "driven before"}
		if _, err := w.Bus.Store(ctx, session.ResultSubject("lab", p.Digest()), fmt.Sprint(i), r); err != nil {
			t.Fatal(err)
		}
	}
	table(t, p, nil, official.drive)
	subject := session.UnitSubject("lab", official.queue())
	if _, err := official.Bus.Store(ctx, subject, "last", "last"); err != nil {
		t.Fatal(err)
	}
	q, err := official.Bus.OpenQueue(ctx, "lab", official.queue())
	if err != nil {
		t.Fatal(err)
	}
	var units []int
	for ctx.Err() == nil {
		task, err := q.Take(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if task == nil {
			continue
		}
		if string(task.Data) == `"last"` {
			break
		}
		m, err := parseUnit(task.Data)
		if err != nil || task.Done() != nil {
			t.Fatal(err)
		}
		u, err := sweep.ParseUnit(m.Unit)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u.Index)
	}
	if !slices.Equal(units, []int{0, 1}) { // the first ones, before any result was read
		t.Errorf("units %v were handed out", units)
	}
}

// A lost connection is not a lack of workers.
func TestTheCrewIsNotReportedWithoutAConnection(t *testing.T) {
	log := &lines{}
	c := crew{node: &Node{Build: "this build", Log: slog.New(slog.NewTextHandler(log, nil))}}
	hear := func() {
		c.hear("", []byte(fmt.Sprintf(`{"protocol":%d,"build":"this build","member":"w","instance":"0123456789abcdef","parallel":4}`, session.Protocol)))
	}
	hear()
	c.reportIf(true)
	clear(c.signs) // silent for long
	c.reportIf(false)
	c.reportIf(true)
	hear()
	for range 10 {
		c.reportIf(true)
	}
	if text := log.text.String(); strings.Contains(text, "no worker") || strings.Count(text, "workers: 1") != 1 {
		t.Error(text)
	}
	clear(c.signs)
	if c.reportIf(true); !strings.Contains(log.text.String(), "no worker") {
		t.Error(log.text.String())
	}
}

// A worker cannot hand out units, and a rig has no part in the work.
func TestWhoMayDoWork(t *testing.T) {
	level.SkipIfQuick(t)
	f, s := host(t)
	official, _ := node(t, f, s, "desk", session.Official)
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	if err := official.Bus.CreateWork(ctx, "lab"); err != nil {
		t.Fatal(err)
	}
	store := func(n *Node, text string) error {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_, err := n.Bus.Store(ctx, session.UnitSubject("lab", n.queue()), "a", text)
		return err
	}
	for _, role := range []session.Role{session.Worker, session.Rig} {
		if n, _ := node(t, f, s, session.ID(role), role); store(n, "theirs") == nil {
			t.Errorf("a %s has put a unit into the queue", role)
		}
	}
	for store(official, "ours") != nil && ctx.Err() == nil {
	}
	q, err := official.Bus.CreateQueue(ctx, "lab", official.queue(), session.UnitSubject("lab", official.queue()), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var first *bus.Task
	for first == nil && err == nil {
		first, err = q.Take(ctx)
	}
	if err != nil || string(first.Data) != `"ours"` {
		t.Errorf("%v, the first unit is %s", err, first.Data)
	}
}

func FuzzParseUnitOfTheQueue(f *testing.F) {
	f.Add([]byte(`{"digest":"0123456789abcdef","run":"0123456789abcdef","unit":{"index":1,"maneuver":"drop","car":{"name":"coupe"},"set":["mass_kg=1200"]}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := parseUnit(in)
		if err == nil && strings.ContainsAny(m.Digest+m.Run, ".*> \n") {
			t.Fatalf("%q %q", m.Digest, m.Run)
		}
	})
}

func FuzzSigns(f *testing.F) {
	f.Add([]byte(`{"protocol":1,"build":"b","member":"m","instance":"0123456789abcdef","parallel":4}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		c := crew{node: &Node{Log: slog.New(slog.DiscardHandler)}}
		c.hear("", in)
		c.report()
		(&worker{Node: c.node, parallel: 1, known: map[string]bool{}}).hear("", in)
	})
}
