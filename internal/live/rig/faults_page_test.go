//go:build amd64 && !amd64.v3

package rig

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

var writeFaults = flag.Bool("write", false, "write docs/reference/faults.md")

// result plants a fault and returns its row.
func (p *plantedFault) result(f *damaged) (row string) {
	p.begin(f)
	f.since(p.lasts)
	p.end(f)
	f.since(3000)
	limp, ends := "goes on", f.out.State.String()+", platform "+f.platform.Status().State.String()
	if f.limp >= 0 && f.limp < 1000 {
		limp = fmt.Sprintf("%d", f.limp+1)
	}
	rise, speed, acceleration := f.rise, f.speed(), f.acceleration()
	cause := ""
	for c, more := f.transitions.take(); more; c, more = f.transitions.take() {
		if cause == "" && (c.To == guard.Fault || c.To == guard.Stopped || c.To == guard.Releasing) {
			cause = f.causeText(c)
		}
	}
	told := strings.Trim(strings.Join([]string{cause, f.notice}, "; "), "; ")
	return fmt.Sprintf("| %s | %s | %.2f | %.2f | %.1f | %s | %s | %s |\n", p.name, limp, rise, speed, acceleration, ends, f.goesOn(), strings.ReplaceAll(told, "|", "\\|"))
}

const faultsHead = `# Faults that were planted

What wheel and platform do, measured: each fault is planted in a drive of the default car in virtual time, 8 s after its start, and ends again. A page
made by ` + "`go test ./internal/live/rig -run EveryFault -write`" + `; ` + "`make faults`" + ` makes it too. What to expect in words: [safety](../safety.md#when-something-fails).

<!-- contents -->

- [What the columns mean](#what-the-columns-mean)
- [What was measured](#what-was-measured)
- [Every order in every state](#every-order-in-every-state)
- [Processes and panics](#processes-and-panics)

<!-- end -->

## What the columns mean

- *limp*: time from the fault until no torque is sent [ms]. "goes on": within 1 s there always was some.
- *rise*: greatest rise of the torque from one tick to the next, 1 ms later [N·m]; a fall to 0 does not count. ` + "`" + `ffb.slew_nm_per_ms` + "`" + ` (0.5) allows no more.
- *speed*: greatest speed at which an actuator is sent [strokes/s]; 0.8 are allowed.
- *acceleration*: greatest acceleration at which an actuator is sent [strokes/s²]; 4 are allowed. Speed is measured over 20 ms, and acceleration
  from two such speeds, because targets go out every few milliseconds. Where a platform is found anew its path begins anew.
- *ends*: state of rig and platform 3 s after the cause has ended, without anybody doing anything.

## What was measured

Each float of the state is planted as NaN, Inf, -Inf and 1e300 by ` + "`TestABadValueAnywherePassesNothing`" + `, which lets nothing pass beyond the limits.

| fault | limp [ms] | rise [N·m] | speed [strokes/s] | acceleration [strokes/s²] | ends | goes on | what the log and the notice say |
|---|---|---|---|---|---|---|---|
`

const ordersHead = `
## Every order in every state

State of rig and platform 3 s after an order, by whichever way it was given; torque and actuators stay within the bounds above, and a stop leaves no
torque in the tick that it reaches. "belt open" and "stop switch pressed" last.

| state | none | stop | confirm | pause | resume | end | reset | high torque |
|---|---|---|---|---|---|---|---|---|
`

const processesHead = `
## Processes and panics

What a test with the kernel's own drivers, in a virtual machine, holds rig to. Nothing in the process that drives recovers from a panic, of whichever
goroutine: it ends the process, and the kernel ends the force. It is planted as SIGABRT, after ` + "`rig timers`" + `: without, on PREEMPT_RT with one processor, the
dying process held up the end of the force for 0.6 s.

| fault | limp within [ms] | test |
|---|---|---|
`

// ofProcesses are faults of the process that drives, and the test in a virtual machine that plants them.
var ofProcesses = []struct{ name, test, bound string }{
	{"rig is killed", "TestKilledRigLeavesALimpWheel", `SIGKILL, (\d+) \* time\.Millisecond`},
	{"rig panics", "TestKilledRigLeavesALimpWheel", `SIGABRT, (\d+) \* time\.Millisecond`},
	{"rig is frozen", "TestFrozenRigLeavesALimpWheel", `d > (\d+)\*time\.Millisecond`},
}

// processes returns the rows of faults of processes, with the bounds that their tests have.
func processes(t *testing.T) (rows string) {
	t.Helper()
	for _, p := range ofProcesses {
		_, test, _ := strings.Cut(read(t, "../../../test/vm/drive/trouble_test.go"), "func "+p.test+"(")
		test, _, _ = strings.Cut(test, "\n}\n")
		bound := regexp.MustCompile(p.bound).FindStringSubmatch(test)
		if bound == nil {
			t.Fatalf("%s has no bound like %s", p.test, p.bound)
		}
		rows += fmt.Sprintf("| %s | %s | %s |\n", p.name, bound[1], p.test)
	}
	return rows
}

const faultsPage = "../../../docs/reference/faults.md"

// campaign measures what docs/reference/faults.md has.
type campaign struct {
	t                         *testing.T
	before                    string  // the page as it was
	rise, speed, acceleration float64 // the bounds [N·m/ms], [strokes/s], [strokes/s²]
}

func newCampaign(t *testing.T) *campaign {
	t.Helper()
	cfg := config.Default()
	return &campaign{t, read(t, faultsPage), cfg.FFB.SlewRate, cfg.Motion.MaxSpeed[0], cfg.Motion.MaxAccel[0]}
}

// bounded fails the test if a torque or an actuator exceeded what the configuration allows.
func (c *campaign) bounded(f *damaged, name string) {
	c.t.Helper()
	if rise, speed, acceleration := f.rise, f.speed(), f.acceleration(); rise > c.rise*1.001 || speed > c.speed*1.02 || acceleration > c.acceleration*1.02 {
		c.t.Errorf("%s: the torque rises by %.2f N·m in a tick, an actuator goes at %.2f strokes/s and %.1f strokes/s²; most are %.2f, %.2f and %.1f",
			name, rise, speed, acceleration, c.rise, c.speed, c.acceleration)
	}
}

// written fails the test if the page has another row.
func (c *campaign) written(row string) {
	c.t.Helper()
	if !strings.Contains(c.before, row) && !*writeFaults {
		c.t.Errorf("docs/reference/faults.md lacks this row, make faults writes it: %s", row)
	}
}

// near returns how near a fault came to the bounds when the page was written: 2 for both. One that is new came nearer than all.
func (c *campaign) near(p *plantedFault) float64 {
	_, row, _ := strings.Cut(c.before, "\n| "+p.name+" |")
	var limp string
	var rise, speed float64
	if _, err := fmt.Sscanf(strings.ReplaceAll(row, "goes on", "-"), "%s | %f | %f", &limp, &rise, &speed); err != nil {
		return math.Inf(1)
	}
	return rise/c.rise + speed/c.speed
}

// faults plants all faults, or those twenty that come nearest to the bounds, and returns the rows.
func (c *campaign) faults() (rows string) {
	type planned struct {
		*plantedFault
		person bool
	}
	var all []planned
	for i, table := range [][]plantedFault{plantedFaults, faultsOfFeet, faultsOfHelpers} {
		for k := range table {
			all = append(all, planned{&table[k], i == 1})
		}
	}
	if !level.All() && !*writeFaults {
		slices.SortStableFunc(all, func(a, b planned) int { return cmp.Compare(c.near(b.plantedFault), c.near(a.plantedFault)) })
		all = all[:20]
	}
	for _, p := range all {
		f := newParkedFor(c.t, p.person).started()
		row := p.result(f)
		c.bounded(f, p.name)
		c.written(row)
		rows += row
	}
	return rows
}

// Whatever fails, neither the torque rises nor an actuator is sent faster than the configuration allows, and what must
// end the force ends it in the same tick. docs/reference/faults.md has what was measured.
func TestEveryFaultStaysWithinItsBounds(t *testing.T) {
	level.SkipIfQuick(t)
	c := newCampaign(t)
	page := faultsHead + c.faults() + ordersHead + c.orders() + processesHead + processes(t)
	switch {
	case *writeFaults:
		if err := os.WriteFile(faultsPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	case level.All() && page != c.before:
		t.Error("docs/reference/faults.md is not what was measured: make faults writes it")
	}
}

// Where docs/safety.md says what happens, the page of planted faults has it measured: whether and how fast the torque goes, and
// whether you must confirm. So have the tests of processes.
func TestFailuresAreAsMeasured(t *testing.T) {
	safety, measured := read(t, "../../../docs/safety.md"), read(t, faultsPage)
	torques := map[string]string{"1": "0 at once|limp", "500": "fades out", "goes on": "as before|goes on"} // by the time to limp [ms]
	for stated, planted := range map[string]string{
		"the car's state holds NaN or Inf": "state: NaN in the car", "the machine is suspended": "computer: suspended", "the wheel is unplugged": "wheel: unplugged for 1 s",
		"the pedals are unplugged": "pedals: unplugged for 1 s", "the platform's line is lost": "platform: its controller is silent for 2 s",
		"an actuator sticks": "platform: its actuators stick for 10 s", "emergency stop": "stop switch: pressed for 1 s", "belt or door opens": "belt or door: opens for 1 s",
	} {
		says, was := cells(t, safety, stated), cells(t, measured, planted)
		if torque, known := torques[was[1]]; !known || !regexp.MustCompile(torque).MatchString(says[1]) {
			t.Errorf("%s: the torque is stated as %q, and was measured to be gone after %s ms", stated, says[1], was[1])
		}
		if confirm := strings.Contains(says[len(says)-1], "you confirm"); confirm != (was[6] == "you confirm") {
			t.Errorf("%s: what goes on is stated as %q, and was measured as %q", stated, says[len(says)-1], was[6])
		}
	}
	if stop := cells(t, measured, "rig stop, while commands, web page and race control flood"); !strings.Contains(safety, "[within "+stop[1]+" ms](reference/faults.md)") {
		t.Errorf("docs/safety.md states another time of a stop than %s ms", stop[1])
	}
	for _, p := range ofProcesses {
		if says, bound := cells(t, safety, p.name), cells(t, processes(t), p.name)[1]; !strings.Contains(says[1], "limp within "+bound+" ms") {
			t.Errorf("%s: stated as %q, its test says %s ms", p.name, says[1], bound)
		}
	}
}

// cells returns the cells of a table's row that begins with a text.
func cells(t *testing.T, page, begin string) []string {
	t.Helper()
	_, row, found := strings.Cut("\n"+page, "\n| "+begin)
	if !found {
		t.Fatalf("no row begins with %q", begin)
	}
	row, _, _ = strings.Cut(begin+row, " |\n")
	return strings.Split(row, " | ")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
