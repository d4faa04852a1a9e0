package schema

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// buildLimit is the time allowed for compiling all tests.
const buildLimit = 30 * time.Minute

// Test runs tests of a folder in their binary with the fault of this number planted, or none if it is 0, and returns their
// output.
func (c *Compiler) Test(binary, dir, tests string, number int, limit time.Duration, flags ...string) (string, error) {
	flags = append(flags, "-test.run", tests, "-test.timeout", limit.String(), "-test.paniconexit0")
	folder := filepath.Join(c.Root, dir)
	return c.command(limit+time.Minute, folder, []string{"RIG_TEST=", "CGO_ENABLED=0", "PWD=" + folder, selector + "=" + strconv.Itoa(number)}, binary, flags...)
}

// run runs the go command in the module's root, without cgo, and returns its output.
func (c *Compiler) run(arguments ...string) (string, error) {
	return c.command(buildLimit, c.Root, []string{"CGO_ENABLED=0"}, "go", arguments...)
}

// command runs a program in a folder, adds its processor time and that of its children to the cost, and returns its output.
func (c *Compiler) command(limit time.Duration, dir string, env []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	p := exec.CommandContext(ctx, name, args...)
	p.Dir = dir
	p.Env = append(os.Environ(), env...)
	p.WaitDelay = 10 * time.Second // for children that outlive it
	out, err := p.CombinedOutput()
	if s := p.ProcessState; s != nil {
		c.Cost += s.UserTime() + s.SystemTime()
	}
	if ctx.Err() != nil {
		err = ctx.Err() // it exceeded its time limit, which is not a detection by a test
	}
	return string(out), err
}

// DetectedBy returns from the output and error of a test binary which test failed, or an error if none ran.
func DetectedBy(out string, err error) (by string, _ error) {
	var exit *exec.ExitError
	failed := TestsWithOutcome(out, "FAIL")
	switch {
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", err
	case strings.Contains(out, "panic: test timed out"):
		return "a hang", nil
	case strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "):
		return strings.Join(append(failed, "a panic"), ", "), nil
	case len(failed) == 0:
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return failed[0], nil
}

// TestsWithOutcome returns the names of the top-level tests with this outcome, PASS or FAIL, in the output of go test.
func TestsWithOutcome(out, outcome string) (tests []string) {
	for _, found := range regexp.MustCompile(`(?m)^--- `+outcome+`: (\S+)`).FindAllStringSubmatch(out, -1) {
		tests = append(tests, found[1])
	}
	return tests
}
