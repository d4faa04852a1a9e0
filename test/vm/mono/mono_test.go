package mono

import (
	"runtime"
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

// A thread that sleeps for long holds no collection up.
func TestASleepStopsNoCollection(t *testing.T) {
	begins, ended := make(chan struct{}), make(chan struct{})
	go func() {
		close(begins)
		SleepUntil(Now() + time.Second)
		close(ended)
	}()
	<-begins
	time.Sleep(10 * time.Millisecond) // until it sleeps
	runtime.GC()
	select {
	case <-ended:
		t.Error("the collection waited for the end of the sleep")
	default:
	}
	<-ended
}
