// Command mutants plants faults in a copy of the code, one at a time, and reports those
// that no test notices.
//
//	go run ./test/mutants [-run regexp] [-j n]
//
// It runs in the module's root. First the tests that the list names must pass on the code
// as it is. Then each mutant is compiled with go test -overlay, which leaves the tree
// alone, and the quickest tests that should notice it must fail. The exit status is 1 if a
// mutant survives, no longer applies or does not compile.
//
// The mutants are a list because the tools that make them by rule (go-gremlins v0.5.0)
// know no "dead-man of length 0", run a whole package's tests for each mutant, and make
// hundreds in a package such as ffb: hours, where this list takes minutes.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"
)

func main() {
	pattern := flag.String("run", "", "only the mutants whose name matches this `regexp`")
	jobs := flag.Int("j", 2, "so many mutants at a time")
	limit := flag.Duration("timeout", time.Minute, "how long the tests of one mutant may take")
	flag.Parse()
	choose, err := regexp.Compile(*pattern)
	if err != nil || *jobs < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-run regexp] [-j n] [-timeout duration]; n is at least 1", err)
		os.Exit(2)
	}
	var chosen []mutant
	for _, m := range all() {
		if choose.MatchString(m.name) {
			chosen = append(chosen, m)
		}
	}
	r := runner{root: ".", jobs: *jobs, limit: *limit, out: os.Stdout}
	if failed := r.run(chosen); failed > 0 || len(chosen) == 0 {
		os.Exit(1)
	}
}
