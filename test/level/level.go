// Package level says how much a test is asked to prove.
//
// Three commands run the same tests: `make quick` between two edits (go test -short),
// `make test` before every change lands, and `make test-all` once for each piece of work,
// which sets RIG_TEST=all. The virtual machine hands the variable on to its guest.
package level

import (
	"os"
	"testing"
)

// All reports whether everything is to be run, however long it takes.
func All() bool { return os.Getenv("RIG_TEST") == "all" }

// OnlyAll skips t unless everything is to be run. why names what `make test` has instead.
func OnlyAll(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skip("make test-all runs it: " + why)
	}
}

// NotQuick skips t in `make quick`.
func NotQuick(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test runs it")
	}
}

// Pick returns how many of something to try, such as random cars: by quick, test or all.
func Pick(quick, test, all int) int {
	switch {
	case All():
		return all
	case testing.Short():
		return quick
	}
	return test
}
