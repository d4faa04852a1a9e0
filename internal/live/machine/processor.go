package machine

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const processors = "/sys/devices/system/cpu"

// CheckClock reports processors that lower their clock, from which they first must rise when the loop wakes
// (Documentation/admin-guide/pm/cpufreq.rst and intel_pstate.rst of the kernel).
func CheckClock(root string, report Report) {
	policies, _ := filepath.Glob(filepath.Join(root, processors, "cpufreq/policy*"))
	found := map[string]bool{}
	for _, p := range policies {
		governor := text(p, "scaling_governor")
		preference := text(p, "energy_performance_preference")
		switch {
		case governor == "" || governor == "performance" || governor == "powersave" && preference == "performance":
		case preference != "":
			found[fmt.Sprintf("%s with the preference %s", governor, preference)] = true
		default:
			found[governor] = true
		}
	}
	if len(found) == 0 {
		return
	}
	// A tee to the policies that exist works with every driver, and without the package linux-cpupower.
	report("governor", "processor", "the clock follows the load (governor "+strings.Join(slices.Sorted(maps.Keys(found)), ", ")+"): after each pause a tick begins slowly",
		"until the next start of the machine: `echo performance | sudo tee "+processors+"/cpufreq/policy*/scaling_governor`")
}

// Overload says that far more programs want to run than there are processors, or returns "".
func Overload(root string) string {
	const most = 2 // runnable threads for each processor, in the last minute
	first, _, _ := strings.Cut(text(root, "/proc/loadavg"), " ")
	load, _ := strconv.ParseFloat(first, 64)
	n := len(numbers(text(root, processors, "online")))
	if n == 0 || load <= most*float64(n) {
		return ""
	}
	return fmt.Sprintf("the machine is overloaded: load %.0f on %d processors", load, n)
}

// DeepIdle returns the name of the slowest idle state that the processors may enter and the time to wake from it
// [µs]; ok is false if none takes longer than 20 µs or the machine does not show them.
func DeepIdle(root string) (name string, wake int, ok bool) {
	const harmless = 20 // [µs], far below a tick
	states, _ := filepath.Glob(filepath.Join(root, processors, "cpu[0-9]*/cpuidle/state[0-9]*"))
	for _, s := range states {
		latency, err := strconv.Atoi(text(s, "latency"))
		if err == nil && latency > max(wake, harmless) && text(s, "disable") != "1" {
			name, wake, ok = text(s, "name"), latency, true
		}
	}
	return name, wake, ok
}

// CheckSiblings reports programs that may share a core with the loop: cpu, the loop's own processor, is kept free
// of them (isolcpus), but another thread of the same core (SMT) is not.
func CheckSiblings(root string, cpu int, report Report) {
	folder := filepath.Join(root, processors)
	isolated := numbers(text(folder, "isolated"))
	if cpu < 0 || !isolated[cpu] {
		return
	}
	online := numbers(text(folder, "online"))
	var shared []string
	for _, n := range slices.Sorted(maps.Keys(numbers(text(folder, fmt.Sprintf("cpu%d", cpu), "topology/thread_siblings_list")))) {
		if n != cpu && online[n] && !isolated[n] {
			shared = append(shared, strconv.Itoa(n))
		}
	}
	if len(shared) == 0 {
		return
	}
	files := make([]string, len(shared))
	for i, n := range shared {
		files[i] = processors + "/cpu" + n + "/online"
	}
	report("smt", "processor", fmt.Sprintf("cpu %d is isolated for the loop, but cpu %s, which is not, shares its core", cpu, strings.Join(shared, ", ")),
		"isolate both, or until the next start of the machine: `echo 0 | sudo tee "+strings.Join(files, " ")+"`")
}
