package rt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	rtVersion  = "#1 SMP PREEMPT_RT Debian 6.1.158-1 (2025-11-09)"
	stdVersion = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.158-1 (2025-11-09)"
)

// processes makes a /proc of threads with priorities.
func processes(t *testing.T, list ...kernelThread) string {
	t.Helper()
	proc := t.TempDir()
	for _, k := range list {
		dir := filepath.Join(proc, fmt.Sprint(k.pid))
		stat := fmt.Sprintf("%d (%s) S 2 0 0 0 -1 69238848%s %d 1 0\n", k.pid, k.name, strings.Repeat(" 0", 30), k.priority)
		for file, text := range map[string]string{"comm": k.name + "\n", "stat": stat} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return proc
}

func TestTimerThreadsThatCanBeHeldUpAreAProblem(t *testing.T) {
	kthreadd, other := kernelThread{2, "kthreadd", 0}, kernelThread{9, "irq/9-acpi", 50}
	timers := func(a, b int) []kernelThread {
		return []kernelThread{kthreadd, other, {16, "ktimers/0", a}, {24, "ktimers/1", b}}
	}
	for _, c := range []struct {
		name, version string
		list          []kernelThread
		what          string // begins with this; "" is no problem
		low           int
	}{
		{"a standard kernel", stdVersion, timers(1, 1), "", 0},
		{"as the kernel starts them", rtVersion, timers(1, 1), "ktimers/0 runs at real-time priority 1", 2},
		{"one was forgotten", rtVersion, timers(95, 1), "ktimers/1 runs at real-time priority 1", 1},
		{"raised", rtVersion, timers(95, 98), "", 0},
		{"a host controller", rtVersion, append(timers(95, 95), kernelThread{40, "irq/124-xhci_hc", 50}), "irq/124-xhci_hc runs at real-time priority 50", 1},
		{"without such threads", rtVersion, []kernelThread{kthreadd, other}, "this PREEMPT_RT kernel has no ktimers threads", 0},
		{"an old one", "#1 SMP PREEMPT RT Debian 5.10", []kernelThread{kthreadd}, "this PREEMPT_RT kernel has no ktimers threads", 0},
		{"hidden", rtVersion, []kernelThread{{700, "rig", 0}}, "", 0},
	} {
		found, err := findTimerThreads(c.version, processes(t, c.list...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := found.Problem()
		if (p == nil) != (c.what == "") || p != nil && (!strings.HasPrefix(p.What, c.what) || p.Remedy == "") {
			t.Errorf("%s: %v, want %q", c.name, p, c.what)
		}
		if low := found.tooLow(); len(low) != c.low {
			t.Errorf("%s: %v are below %d, want %d of them", c.name, low, TimerPriority, c.low)
		}
	}
}
