package main

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/kit/rt"
)

type timersCmd struct{}

// Run raises the priority of the kernel threads that end a force. It lasts until the machine restarts.
func (c *timersCmd) Run(s *streams) error {
	found, err := rt.FindTimerThreads()
	if err != nil {
		return err
	}
	if !found.RealTime() {
		fmt.Fprintln(s.out, "nothing to do: this kernel ends forces in interrupts, which no program can hold up")
		return nil
	}
	raised, err := found.Raise()
	if len(raised) > 0 {
		fmt.Fprintf(s.out, "raised to real-time priority %d: %s\n", rt.TimerPriority, strings.Join(raised, ", "))
	} else if err == nil && found.Problem() == nil {
		fmt.Fprintf(s.out, "nothing to do: all are at real-time priority %d or above\n", rt.TimerPriority)
	}
	if err != nil {
		return err
	}
	if recheck, err := rt.FindTimerThreads(); err == nil && recheck.Problem() != nil {
		return fmt.Errorf("timers: %s", recheck.Problem())
	}
	return nil
}
