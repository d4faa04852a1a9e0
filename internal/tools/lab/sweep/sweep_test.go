package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/sim/assist"
)

// grid returns a sweep of drops, the quickest manoeuvre: 3 masses, of which one is too light, and 2 tires.
func grid(t testing.TB) *Plan {
	t.Helper()
	p := &Plan{Maneuver: "drop", Axes: axes(t, false, "mass_kg=0..1400:3", "front.tire.model=brush,dugoff"), Build: "this one"}
	if err := p.Load("coupe"); err != nil {
		t.Fatal(err)
	}
	return p
}

func axes(t testing.TB, random bool, texts ...string) (list []Axis) {
	t.Helper()
	for _, text := range texts {
		a, err := ParseAxis(text, random)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}

// driven drives units with this many goroutines and returns the table.
func driven(t testing.TB, p *Plan, workers int, have ...Result) string {
	t.Helper()
	results := have
	err := Drive(t.Context(), p, p.Missing(have), workers, func(r Result) error {
		results = append(results, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return table(t, p, results)
}

func table(t testing.TB, p *Plan, results []Result) string {
	t.Helper()
	r := NewReport(p, results, "")
	var out bytes.Buffer
	if err := r.WriteCSV("-", &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestASweepIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	p := grid(t)
	want := driven(t, p, 1)
	if strings.Count(want, "\n") != 7 || strings.Count(want, "mass_kg = 0: must be 100 to 20000") != 2 {
		t.Fatalf("%s", want)
	}
	for _, workers := range []int{2, 7} {
		if got := driven(t, p, workers); got != want {
			t.Errorf("%d workers: %s, want %s", workers, got, want)
		}
	}
}

// A unit and its result are the same on another machine, and after they were written down.
func TestUnitsAndResultsArePlainValues(t *testing.T) {
	p := grid(t)
	p.Assists, p.Speed, p.Track = assist.Switches{ABS: 5, YawAid: 0.1}, math.Nextafter(80, 81), "club"
	text, err := json.Marshal(p.Unit(4))
	if err != nil {
		t.Fatal(err)
	}
	u, err := ParseUnit(text)
	if again, _ := json.Marshal(u); err != nil || !bytes.Equal(again, text) || u.Speed != p.Speed || u.Assists != p.Assists {
		t.Fatalf("%+v, %v", u, err)
	}
	third, zero := 1.0/3, 0.0
	r := Result{Index: 4, Notes: []string{"a note"}}
	for _, v := range []any{third, -zero, math.NaN(), math.Inf(-1), math.MaxFloat64, 5e-324, true} {
		r.Metrics = append(r.Metrics, Metric{"m" + string(rune('a'+len(r.Metrics))), "N", valueText(v)})
	}
	text, err = json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.ParseResult(text)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Fatalf("%+v, %v", got, err)
	}
	if v := got.Metrics[0].number(); v != third || !math.IsNaN(got.Metrics[2].number()) || got.Metrics[6].json() != true {
		t.Errorf("%g is read as %g", third, v)
	}
}

func TestPointsOfAGrid(t *testing.T) {
	p := &Plan{Axes: axes(t, false, "a=0.1..0.3:3", "b=x, y")}
	var got []string
	for i := range p.Len() {
		got = append(got, strings.Join(p.Values(i), " "))
	}
	if want := []string{"0.1 x", "0.1 y", "0.2 x", "0.2 y", "0.3 x", "0.3 y"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	u := (&Plan{Set: []string{"c=1"}, Axes: axes(t, false, "speed=60,80", "b=x")}).Unit(1)
	if u.Speed != 80 || !slices.Equal(u.Set, []string{"c=1", "b=x"}) {
		t.Errorf("%+v", u)
	}
}

// A uniform quantity has its mean in the middle and is independent of the others: 2000 points show it to 5 %.
func TestRandomPointsAreUniform(t *testing.T) {
	const n = 2000
	p := &Plan{Axes: axes(t, true, "a=-1..1", "b=1e-9..3e-9", "c=x,y"), Random: n, Seed: 7}
	var sumA, sumB, product, xs float64
	for i := range n {
		v := p.Values(i)
		a, b := (&Metric{Value: v[0]}).number(), (&Metric{Value: v[1]}).number()*1e9-2
		if !(math.Abs(a) <= 1) || !(math.Abs(b) <= 1+1e-9) || v[2] != "x" && v[2] != "y" {
			t.Fatalf("%q", v)
		}
		sumA, sumB, product = sumA+a, sumB+b, product+a*b
		if v[2] == "x" {
			xs++
		}
	}
	for name, mean := range map[string]float64{"a": sumA / n, "b": sumB / n, "a·b": product / n, "c": xs/n - 0.5} {
		if math.Abs(mean) > 0.05 {
			t.Errorf("%s: mean %g", name, mean)
		}
	}
	again := *p
	if again.Seed++; slices.Equal(again.Values(0), p.Values(0)) || !slices.Equal(p.Values(0), p.Values(0)) {
		t.Error("a seed is a sequence")
	}
}

func TestAxesThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"mass_kg": "write KEY=", "=1,2": "write KEY=", "a=[1,2]": "lists", "a=1,,2": "empty", "a=1,1": "twice", "a=1..2": "how many", "a=1..1:2": "one value",
		"a=1..x:2": "must be a number", "a=1..NaN:2": "must be a number", "a=1e400..2:2": "must be a number", "a=1..2:1": "2 to", "a=1..2:1e3": "whole number", "a=1..2:-5": "2 to",
	} {
		if _, err := ParseAxis(text, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := ParseAxis("a=1..2:3", true); err == nil || !strings.Contains(err.Error(), "--random") {
		t.Errorf("%v", err)
	}
	for want, p := range map[string]Plan{
		`did you mean "mass_kg"`:    {Maneuver: "drop", Axes: axes(t, false, "mass=1,2")},
		"is given twice":            {Maneuver: "drop", Axes: axes(t, false, "mass_kg=1,2", "mass_kg=3")},
		"--set gives":               {Maneuver: "drop", Axes: axes(t, false, "mass_kg=1200,1300"), Set: []string{"mass_kg=1250"}},
		"no speed to choose":        {Maneuver: "drop", Axes: axes(t, false, "speed=1,2")},
		"--speed gives":             {Maneuver: "brake", Speed: 80, Axes: axes(t, false, "speed=90,100")},
		"number from 0.1 to 500":    {Maneuver: "brake", Axes: axes(t, false, "speed=0..100:3")},
		"more than 100000 points":   {Maneuver: "drop", Axes: axes(t, false, "mass_kg=1000..2000:1000", "steering.ratio=1..50:101")},
		"none.toml: cannot be read": {Maneuver: "lap", Track: "none.toml"},
		"none.tir: cannot be read":  {Maneuver: "drop", Axes: axes(t, false, "front.tire.model=brush,../none.tir")},
	} {
		if err := p.Load("coupe"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAPanicIsTheErrorOfItsUnit(t *testing.T) {
	u := Unit{Index: 3, Maneuver: "drop"}
	u.Car.Name = "coupe"
	r, err := u.Drive(faulty{t.Context()})
	if err != nil || r.Index != 3 || !strings.HasPrefix(r.Error, "the simulation failed: no") || strings.Contains(r.Error, "\n") {
		t.Errorf("%+v, %v", r, err)
	}
}

// faulty is a context whose methods panic.
type faulty struct{ context.Context }

func (faulty) Err() error { panic("no\nground") }

// An interrupted sweep ends in the middle of a manoeuvre, and keeps what was done.
func TestAnInterruptedSweep(t *testing.T) {
	p, done := grid(t), 0
	ctx, cancel := context.WithCancel(t.Context())
	err := Drive(ctx, p, p.Missing(nil), 1, func(Result) error {
		if done++; done == 2 {
			cancel()
		}
		return nil
	})
	if err != context.Canceled || done != 2 {
		t.Errorf("%d points, %v", done, err)
	}
	u := p.Unit(2)
	asked := 0
	inside := &countdown{Context: t.Context(), left: 5, asked: &asked}
	if r, err := u.Drive(inside); err != context.Canceled || r.Metrics != nil || asked < 5 {
		t.Errorf("%+v, %v after %d questions", r, err, asked)
	}
}

// countdown is a context that ends when it has been asked a number of times.
type countdown struct {
	context.Context
	left  int
	asked *int
}

func (c *countdown) Err() error {
	if *c.asked++; *c.asked > c.left {
		return context.Canceled
	}
	return nil
}

func TestAJournalGoesOn(t *testing.T) {
	p, path := grid(t), filepath.Join(t.TempDir(), "sweep.jsonl")
	j, have, err := OpenJournal(path, p)
	if err != nil || len(have) != 0 {
		t.Fatalf("%d results, %v", len(have), err)
	}
	if _, _, err := OpenJournal(path, p); err == nil || !strings.Contains(err.Error(), "in use by another sweep") {
		t.Errorf("%v", err)
	}
	err = Drive(t.Context(), p, []int{4, 1, 2}, 1, j.Add)
	if err := os.Truncate(path, fileSize(t, path)-9); err != nil { // the last line is torn
		t.Fatal(err)
	}
	if err != nil || j.Close() != nil {
		t.Fatal(err)
	}
	again, have, err := OpenJournal(path, p)
	if err != nil || len(have) != 2 || !slices.Equal(p.Missing(have), []int{0, 2, 3, 5}) {
		t.Fatalf("%+v, %v", have, err)
	}
	results := slices.Clone(have)
	err = Drive(t.Context(), p, p.Missing(have), 2, func(r Result) error { results = append(results, r); return again.Add(r) })
	if err != nil || again.Close() != nil {
		t.Fatal(err)
	}
	if got, want := table(t, p, results), driven(t, p, 1); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	last, have, err := OpenJournal(path, p)
	if err != nil || len(have) != p.Len() {
		t.Fatalf("%d results, %v", len(have), err)
	}
	last.Close()
}

// A journal whose first line was torn begins anew, as an empty file does.
func TestATornFirstLineBeginsAnew(t *testing.T) {
	p := grid(t)
	for _, text := range []string{"", `{"rig`, `{"rig_sweep":1,"digest":"01`} {
		path := filepath.Join(t.TempDir(), "sweep.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		j, have, err := OpenJournal(path, p)
		if err != nil || len(have) != 0 {
			t.Fatalf("%q: %d results, %v", text, len(have), err)
		}
		j.Close()
		if now, _ := os.ReadFile(path); !strings.HasPrefix(string(now), headStart+"1,") || strings.Count(string(now), "\n") != 1 {
			t.Errorf("%q became %q", text, now)
		}
	}
}

// After an error of done nothing more is kept, and Ctrl-C at the same moment does not hide it.
func TestNothingIsKeptAfterAFault(t *testing.T) {
	p, calls, broken := grid(t), 0, errors.New("the disk is full")
	ctx, cancel := context.WithCancel(t.Context())
	err := Drive(ctx, p, p.Missing(nil), p.Len(), func(Result) error {
		cancel()
		calls++
		return broken
	})
	if err != broken || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// What Drive returns, ParseResult takes: of another machine, and of a journal.
func TestEveryResultCanBeReadAgain(t *testing.T) {
	p := grid(t)
	ugly := []string{strings.Repeat("x", 5000), strings.Repeat("é…", 700), strings.Repeat("\x1b\u202e\U0010fffe", 800), "a\nb\xff", strings.Repeat("é", 499) + "abc"}
	for _, text := range ugly {
		u := p.Unit(2)
		u.Set = append(u.Set, text+"=1")
		r, err := u.Drive(t.Context())
		if err != nil || r.Error == "" {
			t.Fatalf("%+v, %v", r, err)
		}
		data, _ := json.Marshal(r)
		if again, err := p.ParseResult(data); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	name := filepath.Join(t.TempDir(), "a\u202e.tir") // a name that a note has
	text, err := os.ReadFile("../../../../sim/tire/data/road.tir")
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^PDX3 .*\n`).ReplaceAll(text, nil)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	p = &Plan{Maneuver: "drop", Axes: axes(t, false, "front.tire.model="+name)}
	if err := p.Load("coupe"); err != nil {
		t.Fatal(err)
	}
	u := p.Unit(0)
	r, err := u.Drive(t.Context())
	data, _ := json.Marshal(r)
	if again, readErr := p.ParseResult(data); err != nil || readErr != nil || len(r.Notes) == 0 || !reflect.DeepEqual(again, r) {
		t.Errorf("%+v, %v, %v", r, err, readErr)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

func TestJournalsThatAreRefused(t *testing.T) {
	p := grid(t)
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "sweep.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	head := func(p *Plan) string {
		path := write("")
		j, _, err := OpenJournal(path, p)
		if err != nil {
			t.Fatal(err)
		}
		j.Close()
		text, _ := os.ReadFile(path)
		return string(text)
	}
	other, build := *p, *p
	other.Set, build.Build = []string{"steering.ratio=9"}, "another"
	for text, want := range map[string]string{
		"x,y\n1,2\n":            ":1:1: this is not a file of --resume",
		`{"precious":"data"}`:   ":1:1: this is not a file of --resume",
		`{"rig_sweeps":"mine"}`: ":1:1: this is not a file of --resume",
		head(&other):            ":1:1: belongs to another sweep (drop, coupe: 6 points of mass_kg 0, 700, 1400 × front.tire.model brush, dugoff), or its car has changed",
		head(&build):            ":1:1: made by another, and this is this one",
		head(p) + "{\"index\":6,\"error\":\"x\"}\n":     ":2:1: not a result of this sweep; remove the line",
		head(p) + "\x00\x00\n":                          ":2:1: not a result",
		head(p) + strings.Repeat("x", maxJournalLine+1): ":2:1: the line is too long",
	} {
		path := write(text)
		_, _, err := OpenJournal(path, p)
		if err == nil || !strings.HasPrefix(err.Error(), path+want) {
			t.Errorf("%v, want %q", err, want)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%q was changed to %q", text, now)
		}
	}
	if _, _, err := OpenJournal(t.TempDir(), p); err == nil {
		t.Error("a folder is no journal")
	}
}

func FuzzParseResult(f *testing.F) {
	p := grid(f)
	f.Add([]byte(`{"index":1,"metrics":[{"name":"a","unit":"m","value":"NaN"}],"notes":["n"]}`))
	f.Add([]byte(`{"index":1,"error":"x"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := p.ParseResult(in)
		if err != nil {
			return
		}
		NewReport(p, []Result{r}, "")
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.ParseResult(text)
		if same, _ := json.Marshal(again); err != nil || !bytes.Equal(same, text) {
			t.Fatalf("%s became %s, %v", text, same, err)
		}
	})
}

func FuzzParseUnit(f *testing.F) {
	text, _ := json.Marshal(grid(f).Unit(1))
	f.Add(text)
	f.Fuzz(func(t *testing.T, in []byte) {
		if u, err := ParseUnit(in); err == nil {
			_, _ = u.Car.Unpack(u.Set...)
		}
	})
}
