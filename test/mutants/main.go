// Command mutants plants faults in a copy of the code, one at a time, and reports those
// that no test detects.
//
//	go run ./test/mutants [-run regexp] [-j n] [PATH...]
//
// Run it in the module's root. With paths it plants only the faults in these files or folders, and those that the tests
// in them must detect; a file of tests stands for its folder.
//
// All mutants are compiled at once (package schema). First the tests that the list names must pass without a fault; a
// mutant whose tests do not is skipped. Then the fastest tests that must detect a mutant must fail. The exit
// status is 1 if a mutant survives, no longer applies, does not compile or was skipped.
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
	"runtime"
	"time"
)

func main() {
	pattern := flag.String("run", "", "test only the mutants whose name matches this `regexp`")
	jobs := flag.Int("j", runtime.NumCPU(), "number of mutants to test at the same time")
	limit := flag.Duration("timeout", time.Minute, "time limit for the tests of one mutant")
	flag.Parse()
	choose, err := regexp.Compile(*pattern)
	if err != nil || *jobs < 1 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-run regexp] [-j n] [-timeout duration] [PATH...]; n is at least 1", err)
		os.Exit(2)
	}
	var chosen []mutant
	for _, m := range all() {
		if choose.MatchString(m.name) && m.isIn(flag.Args()) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		fmt.Fprintf(os.Stderr, "mutants: no mutant of the list matches %q and is in %q; paths start in the module's root\n", *pattern, flag.Args())
		os.Exit(2)
	}
	ok, err := test(chosen, *jobs, *limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if !ok {
		os.Exit(1)
	}
}

// test tests the mutants of the module in the current folder.
func test(list []mutant, jobs int, limit time.Duration) (ok bool, err error) {
	root, err := os.Getwd()
	if err != nil {
		return false, err
	}
	tmp, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)
	r := runner{root: root, tmp: tmp, jobs: jobs, limit: limit, out: os.Stdout}
	return r.run(list), nil
}
