// Package level tells a test how thorough it must be.
//
// Three commands run the same tests: `make quick` between two edits (go test -short),
// `make test` before every change lands, and `make test-all` once for each piece of work,
// which sets RIG_TEST=all. The virtual machine passes the variable to its guest.
package level

import (
	"os"
	"testing"
)

// All reports whether all tests must run in full, however long they take.
func All() bool { return os.Getenv("RIG_TEST") == "all" }

// SkipUnlessAll skips t unless all tests must run. The parameter instead says what `make test` runs in place of
// t, for the message of the skip.
func SkipUnlessAll(t testing.TB, instead string) {
	t.Helper()
	if !All() {
		t.Skip("make test-all runs it: " + instead)
	}
}

// SkipIfQuick skips t in `make quick`.
func SkipIfQuick(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test runs it")
	}
}

// Pick returns the argument that belongs to the current command (`make quick`, `make test` or
// `make test-all`), such as the number of random cars to try.
func Pick(quick, test, all int) int {
	switch {
	case All():
		return all
	case testing.Short():
		return quick
	}
	return test
}
