package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// buildLimit is the time allowed for compiling, in addition to the tests' own limit.
const buildLimit = 5 * time.Minute

// runner tests mutants of the module in root.
type runner struct {
	root  string
	jobs  int           // number of mutants tested at the same time
	limit time.Duration // time limit for the tests of one mutant
	out   io.Writer     // receives the report
}

// result is the outcome of testing a mutant.
type result struct {
	mutant
	by   string // test that detected the mutant; "" if it survived
	err  error  // why the mutant could not be tested
	took time.Duration
}

func (r result) String() string {
	seconds := r.took.Seconds()
	switch {
	case r.err != nil:
		return fmt.Sprintf("ERROR    %s: %v", r.name, r.err)
	case r.by == "":
		return fmt.Sprintf("SURVIVED %s: in %s, %s passes (%.1f s)", r.name, r.file, r.tests, seconds)
	}
	return fmt.Sprintf("killed   %s: in %.1f s by %s", r.name, seconds, r.by)
}

// run tests the mutants, prints the result of each, and returns how many were not detected.
func (r runner) run(list []mutant) (failed int) {
	began := time.Now()
	passing, err := r.passingTests(list)
	if err != nil {
		fmt.Fprintf(r.out, "ERROR    the tests must pass before a fault is planted: %v\n0 passed, %d failed\n", err, len(list))
		return len(list)
	}
	var survivors []result
	for res := range r.testAll(list, passing) {
		fmt.Fprintln(r.out, res)
		if res.by == "" {
			survivors = append(survivors, res)
		}
	}
	fmt.Fprintf(r.out, "\n%d mutants in %.0f s\n", len(list), time.Since(began).Seconds())
	for _, res := range survivors {
		fmt.Fprintln(r.out, res)
	}
	fmt.Fprintf(r.out, "%d passed, %d failed\n", len(list)-len(survivors), len(survivors))
	return len(survivors)
}

// testAll tests the mutants in parallel. The returned channel receives a result for each, in any order, and is closed
// after the last one.
func (r runner) testAll(list []mutant, passing map[string][]string) <-chan result {
	work, results := make(chan mutant), make(chan result)
	var workers sync.WaitGroup
	for range r.jobs {
		workers.Go(func() {
			for m := range work {
				began := time.Now()
				by, err := r.plantAndTest(m, passing[m.dir()])
				results <- result{m, by, err, time.Since(began)}
			}
		})
	}
	go func() {
		for _, m := range list {
			work <- m
		}
		close(work)
		workers.Wait()
		close(results)
	}()
	return results
}

// passingTests runs the tests of the list on the unchanged code and returns the names of those that pass, by
// package. It returns an error if one fails.
func (r runner) passingTests(list []mutant) (map[string][]string, error) {
	patterns := map[string][]string{}
	for _, m := range list {
		patterns[m.dir()] = append(patterns[m.dir()], m.tests)
	}
	passing := map[string][]string{}
	for _, dir := range slices.Sorted(maps.Keys(patterns)) {
		out, err := r.goTest(dir, strings.Join(patterns[dir], "|"), 10*r.limit, "-v")
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", dir, err, out)
		}
		passing[dir] = testsWithOutcome(out, "PASS")
		fmt.Fprintf(r.out, "unchanged, %d tests pass in %s\n", len(passing[dir]), dir)
	}
	return passing, nil
}

// plantAndTest plants m and returns the test that detected it, or "" if all tests passed. passing lists the tests
// that pass on the unchanged code; at least one of them must match m.tests.
func (r runner) plantAndTest(m mutant, passing []string) (by string, err error) {
	pattern, err := regexp.Compile(m.tests)
	if err != nil {
		return "", err
	}
	if m.tests == "" || !slices.ContainsFunc(passing, pattern.MatchString) {
		return "", fmt.Errorf("no test of %s that passes matches %q", m.dir(), m.tests)
	}
	tmp, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	overlayFile, err := r.writeOverlay(m, tmp)
	if err != nil {
		return "", err
	}
	out, err := r.goTest(m.dir(), m.tests, r.limit, "-failfast", "-overlay="+overlayFile)
	return detectedBy(out, err)
}

// writeOverlay writes the changed file, and the overlay list for the go command that replaces the real file by
// it. It returns the path of the list.
func (r runner) writeOverlay(m mutant, tmp string) (string, error) {
	file, err := filepath.Abs(filepath.Join(r.root, m.file))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	changed, err := m.apply(source)
	if err != nil {
		return "", err
	}
	copied, listFile := filepath.Join(tmp, "mutant.go"), filepath.Join(tmp, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {file: copied}})
	return listFile, errors.Join(err, os.WriteFile(copied, changed, 0o600), os.WriteFile(listFile, text, 0o600))
}

// goTest runs tests of one package, built without cgo and without the race detector, and returns their output.
func (r runner) goTest(dir, tests string, limit time.Duration, flags ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+buildLimit)
	defer cancel()
	args := append([]string{"test", "-count=1", "-vet=off", "-timeout", limit.String(), "-run", tests}, flags...)
	c := exec.CommandContext(ctx, "go", append(args, "./"+dir)...)
	c.Dir = r.root
	c.Env = append(os.Environ(), "RIG_TEST=", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err() // the go command exceeded its time limit, which is not a detection by a test
	}
	return string(out), err
}

// detectedBy returns from the output and error of go test which test failed, or an error if the test did not run.
func detectedBy(out string, err error) (by string, _ error) {
	var exit *exec.ExitError
	failed := testsWithOutcome(out, "FAIL")
	switch {
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", err
	case strings.Contains(out, "panic: test timed out"):
		return "a hang", nil
	case strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "):
		return strings.Join(append(failed, "a panic"), ", "), nil
	case len(failed) == 0: // the mutant does not compile
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return failed[0], nil
}

// testsWithOutcome returns the names of the top-level tests with this outcome, PASS or FAIL, in the output of go test.
func testsWithOutcome(out, outcome string) (tests []string) {
	for _, found := range regexp.MustCompile(`(?m)^--- `+outcome+`: (\S+)`).FindAllStringSubmatch(out, -1) {
		tests = append(tests, found[1])
	}
	return tests
}
