// Command mutants plants faults in a copy of the code, one at a time, and reports those
// that no test detects.
//
//	go run ./test/mutants [-run regexp] [-j n]
//
// Run it in the module's root. First the tests that the list names must pass on the unchanged
// code. Then each mutant is compiled with go test -overlay, which does not change the source
// files, and the fastest tests that must detect it must fail. The exit status is 1 if a
// mutant survives, no longer applies or does not compile.
//
// The mutants are a hand-written list. Tools that generate them by rule (go-gremlins v0.5.0) do
// not find faults such as "the length of the force effect is 0". They run all tests of a package for each mutant
// and make hundreds of mutants in a package such as ffb, which takes hours; this list takes minutes.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"
)

func main() {
	pattern := flag.String("run", "", "test only the mutants whose name matches this `regexp`")
	jobs := flag.Int("j", 2, "number of mutants to test at the same time")
	limit := flag.Duration("timeout", time.Minute, "time limit for the tests of one mutant")
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
