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

// buildLimit is how long compiling may take, on top of the tests' own limit.
const buildLimit = 5 * time.Minute

// runner tries mutants of the module in root.
type runner struct {
	root  string
	jobs  int           // how many at a time
	limit time.Duration // of one mutant's tests
	out   io.Writer
}

// result is what became of a mutant: by is the test that noticed it, err why it could not be tried.
type result struct {
	mutant
	by   string
	err  error
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

// run tries the mutants, prints what becomes of them, and returns how many were not killed.
func (r runner) run(list []mutant) (failed int) {
	began := time.Now()
	passing, err := r.baseline(list)
	if err != nil {
		fmt.Fprintf(r.out, "ERROR    the tests must pass before a fault is planted: %v\n0 passed, %d failed\n", err, len(list))
		return len(list)
	}
	var survivors []result
	for res := range r.each(list, passing) {
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

// each tries the mutants side by side.
func (r runner) each(list []mutant, passing map[string][]string) <-chan result {
	work, results := make(chan mutant), make(chan result)
	var workers sync.WaitGroup
	for range r.jobs {
		workers.Go(func() {
			for m := range work {
				began := time.Now()
				by, err := r.try(m, passing[m.dir()])
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

// baseline runs the list's tests on the code as it is and returns those that passed, by package.
func (r runner) baseline(list []mutant) (map[string][]string, error) {
	tests := map[string][]string{}
	for _, m := range list {
		tests[m.dir()] = append(tests[m.dir()], m.tests)
	}
	passing := map[string][]string{}
	for _, dir := range slices.Sorted(maps.Keys(tests)) {
		out, err := r.test(dir, strings.Join(tests[dir], "|"), 10*r.limit, "-v")
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", dir, err, out)
		}
		passing[dir] = named(out, "PASS")
		fmt.Fprintf(r.out, "unchanged, %d tests pass in %s\n", len(passing[dir]), dir)
	}
	return passing, nil
}

// try plants m and returns which test noticed, or "" if all passed. passing are the tests
// that pass without it, some of which must be m's.
func (r runner) try(m mutant, passing []string) (by string, err error) {
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
	overlay, err := r.overlay(m, tmp)
	if err != nil {
		return "", err
	}
	out, err := r.test(m.dir(), m.tests, r.limit, "-failfast", "-overlay="+overlay)
	return judge(out, err)
}

// overlay writes the changed file and the list that puts it in place of the real one.
func (r runner) overlay(m mutant, tmp string) (string, error) {
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
	copied, list := filepath.Join(tmp, "mutant.go"), filepath.Join(tmp, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {file: copied}})
	return list, errors.Join(err, os.WriteFile(copied, changed, 0o600), os.WriteFile(list, text, 0o600))
}

// test runs tests of one package: of the static build, without the race detector.
func (r runner) test(dir, tests string, limit time.Duration, flags ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+buildLimit)
	defer cancel()
	args := append([]string{"test", "-count=1", "-vet=off", "-timeout", limit.String(), "-run", tests}, flags...)
	c := exec.CommandContext(ctx, "go", append(args, "./"+dir)...)
	c.Dir = r.root
	c.Env = append(os.Environ(), "RIG_TEST=", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err() // not the mutant's fault, but go's that compiles or ends it
	}
	return string(out), err
}

// judge reads the output of go test: which test failed, or why none could.
func judge(out string, err error) (by string, _ error) {
	var exit *exec.ExitError
	failed := named(out, "FAIL")
	switch {
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", err
	case strings.Contains(out, "panic: test timed out"):
		return "a hang", nil
	case strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "):
		return strings.Join(append(failed, "a panic"), ", "), nil
	case len(failed) == 0: // it does not compile
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return failed[0], nil
}

// named returns the tests, without those within others, that ended as go test says.
func named(out, end string) (tests []string) {
	for _, found := range regexp.MustCompile(`(?m)^--- `+end+`: (\S+)`).FindAllStringSubmatch(out, -1) {
		tests = append(tests, found[1])
	}
	return tests
}
