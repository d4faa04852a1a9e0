package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"rig.example/rig/test/mutants/schema"
)

// runner tests mutants of the module in root.
type runner struct {
	root  string        // absolute path
	tmp   string        // folder for what is compiled
	jobs  int           // number of mutants tested at the same time
	limit time.Duration // time limit for the tests of one mutant
	out   io.Writer     // receives the report
}

// result is the outcome of testing a mutant.
type result struct {
	mutant
	by       string        // test that detected the mutant; "" if it survived
	err      error         // why the mutant could not be tested
	notTried bool          // since a test fails without it
	cost     time.Duration // processor time
}

func (r result) String() string {
	switch {
	case r.notTried:
		return fmt.Sprintf("SKIPPED  %s: %v", r.name, r.err)
	case r.err != nil:
		return fmt.Sprintf("ERROR    %s: %v", r.name, r.err)
	case r.by == "":
		return fmt.Sprintf("SURVIVED %s: in %s, %s of %s passes (%.1f s)", r.name, r.file, r.tests, r.dir(), r.cost.Seconds())
	}
	return fmt.Sprintf("killed   %s: in %.1f s by %s", r.name, r.cost.Seconds(), r.by)
}

// planted is a mutant as a fault of the source.
type planted struct {
	mutant
	schema.Fault
	switchable bool
}

// run tests the mutants and prints the result of each. It reports whether all of them were detected.
func (r *runner) run(list []mutant) (ok bool) {
	began := time.Now()
	var results []result
	report := func(res result) {
		results = append(results, res)
		fmt.Fprintln(r.out, res)
	}
	mutants, wrong := r.check(list)
	for _, res := range wrong {
		report(res)
	}
	plain, err := r.unchanged(mutants)
	if err != nil {
		plain.red = 1
		fmt.Fprintf(r.out, "ERROR    no fault was planted: %v\n", err)
	} else {
		for res := range r.testAll(mutants, plain) {
			report(res)
		}
	}
	cost := plain.cost
	for _, res := range results {
		cost += res.cost
	}
	fmt.Fprintf(r.out, "\n%d mutants in %.0f s, %.0f s of processor time\n", len(list), time.Since(began).Seconds(), cost.Seconds())
	return r.summarize(results, len(list), plain.red)
}

// check returns the mutants as faults. A result says what is wrong with each that does not apply or does not parse.
func (r *runner) check(list []mutant) (mutants []planted, wrong []result) {
	for _, m := range list {
		n := planted{mutant: m, Fault: m.fault()}
		var err error
		if n.switchable, err = r.compiler().Check(n.Fault); err != nil {
			wrong = append(wrong, result{mutant: m, err: err})
		} else {
			mutants = append(mutants, n)
		}
	}
	return mutants, wrong
}

// switchable returns the faults that a running program can choose.
func switchable(list []planted) (faults []schema.Fault) {
	for _, m := range list {
		if m.switchable {
			faults = append(faults, m.Fault)
		}
	}
	return faults
}

// summarize prints the slowest mutants, those that were not killed, and as the last line the counts. red is the number
// of tests that fail without a fault. It reports whether all mutants were killed.
func (r *runner) summarize(results []result, total, red int) (ok bool) {
	slices.SortStableFunc(results, func(a, b result) int { return int(b.cost - a.cost) })
	fmt.Fprintln(r.out, "most processor time:")
	for _, res := range results[:min(10, len(results))] {
		fmt.Fprintf(r.out, "   %5.1f s  %s (%s of %s)\n", res.cost.Seconds(), res.name, res.tests, res.dir())
	}
	passed, failed := 0, red
	for _, res := range results {
		switch {
		case res.by != "":
			passed++
			continue
		case !res.notTried:
			failed++
		}
		fmt.Fprintln(r.out, res)
	}
	skipped := total - passed - (failed - red)
	if red > 0 {
		fmt.Fprintf(r.out, "tests that fail without a fault: %d; repair them first. Mutants that were not tried: %d\n", red, skipped)
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	return passed == total && total > 0 && red == 0
}

// testAll tests the mutants in parallel. The returned channel receives a result for each, in any order, and is closed
// after the last one.
func (r *runner) testAll(list []planted, plain plain) <-chan result {
	results := make(chan result)
	go func() {
		inParallel(r.jobs, list, func(m planted) { results <- r.plantAndTest(m, plain) })
		close(results)
	}()
	return results
}

// inParallel calls do with each of the list, jobs at the same time, and returns after the last call has.
func inParallel[T any](jobs int, list []T, do func(T)) {
	work := make(chan T)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for v := range work {
				do(v)
			}
		})
	}
	for _, v := range list {
		work <- v
	}
	close(work)
	workers.Wait()
}

// plain is what the tests do without a fault.
type plain struct {
	binaries map[string]string   // by folder; they contain all switchable mutants
	broken   map[int]error       // why mutants do not compile, by number
	passing  map[string][]string // names of tests, by folder
	failing  map[string][]string
	halted   map[string]bool // folders where tests did not end well
	red      int             // how many tests fail
	cost     time.Duration   // processor time of compiling all and running the tests
}

// unchanged compiles the tests of the list and runs them without a fault.
func (r *runner) unchanged(list []planted) (plain, error) {
	patterns := map[string][]string{}
	for _, m := range list {
		patterns[m.dir()] = append(patterns[m.dir()], m.tests)
	}
	faults := switchable(list)
	dirs := slices.SortedFunc(maps.Keys(patterns), func(a, b string) int { // the longest first
		return cmp.Or(len(patterns[b])-len(patterns[a]), strings.Compare(a, b))
	})
	c := r.compiler()
	p := plain{passing: map[string][]string{}, failing: map[string][]string{}, halted: map[string]bool{}}
	var err error
	if p.broken, err = c.Broken(faults); err != nil {
		return p, err
	}
	faults = slices.DeleteFunc(faults, func(f schema.Fault) bool { return p.broken[f.Number] != nil })
	if p.binaries, err = c.Binaries(dirs, faults); err != nil {
		return p, err
	}
	fmt.Fprintf(r.out, "compiled the tests of %d folders (%.0f s)\n", len(dirs), c.Cost.Seconds())
	p.cost = c.Cost
	var mutex sync.Mutex
	inParallel(r.jobs, dirs, func(dir string) {
		slices.Sort(patterns[dir])
		c := r.compiler()
		out, err := c.Test(p.binaries[dir], dir, strings.Join(slices.Compact(patterns[dir]), "|"), 0, 10*r.limit, "-test.v")
		mutex.Lock()
		defer mutex.Unlock()
		p.passing[dir] = schema.TestsWithOutcome(out, "PASS")
		p.failing[dir] = schema.TestsWithOutcome(out, "FAIL")
		fmt.Fprintf(r.out, "unchanged, %d tests pass in %s (%.1f s)\n", len(p.passing[dir]), dir, c.Cost.Seconds())
		p.cost += c.Cost
		if err != nil {
			p.halted[dir] = true
			p.red += max(1, len(p.failing[dir]))
			fmt.Fprintf(r.out, "ERROR    without a fault, tests of %s fail: %v\n%s", dir, err, out)
		}
	})
	return p, nil
}

// plantAndTest plants m and runs its tests. At least one of those that pass on the unchanged code must be among them,
// and none that fails.
func (r *runner) plantAndTest(m planted, plain plain) result {
	res := result{mutant: m.mutant}
	test, _, _ := strings.Cut(m.tests, "/") // what follows chooses parts of the test
	pattern, err := regexp.Compile(test)
	if err != nil {
		res.err = err
		return res
	}
	isOne := func(test string) bool { return pattern.MatchString(test) }
	none := m.tests == "" || !slices.ContainsFunc(plain.passing[m.dir()], isOne)
	switch {
	case plain.broken[m.Number] != nil:
		res.err = plain.broken[m.Number]
	case slices.ContainsFunc(plain.failing[m.dir()], isOne), none && plain.halted[m.dir()]:
		res.err, res.notTried = fmt.Errorf("a test of %s that %q names fails without it, or did not run", m.dir(), m.tests), true
	case none:
		res.err = fmt.Errorf("no test of %s that passes matches %q", m.dir(), m.tests)
	}
	if res.err != nil {
		return res
	}
	c, binary := r.compiler(), plain.binaries[m.dir()]
	if !m.switchable {
		if binary, res.err = c.Alone(m.dir(), m.Fault); res.err != nil {
			return res
		}
	}
	out, err := c.Test(binary, m.dir(), m.tests, m.Number, r.limit, "-test.failfast")
	res.by, res.err = schema.DetectedBy(out, err)
	res.cost = c.Cost
	return res
}

// compiler returns a compiler of the module, whose Cost is that of what it is used for.
func (r *runner) compiler() *schema.Compiler {
	return &schema.Compiler{Root: r.root, Tmp: r.tmp}
}
