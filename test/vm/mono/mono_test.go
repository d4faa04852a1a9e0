package mono

import (
	"testing"
	"time"
)

func TestSleepUntilWakesAtTheTimeAndNotBefore(t *testing.T) {
	start := time.Now()
	due := Now() + 20*time.Millisecond
	SleepUntil(due)
	if now := Now(); now < due {
		t.Errorf("woke %v early", due-now)
	}
	if slept := time.Since(start); slept < 20*time.Millisecond {
		t.Errorf("slept %v by Go's clock, want 20 ms or more", slept)
	}
	SleepUntil(due) // the past: returns at once
}
