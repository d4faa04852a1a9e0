package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func noChanges(context.Context) (<-chan struct{}, error) { return nil, nil }

// A device that is not ready at once is tried again, used, and searched for once more after it was lost.
func TestKeeperTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		tries, used := 0, 0
		var missing []string
		k := Keeper[int]{
			Watch: noChanges,
			Open: func(patient bool) (int, bool, error) {
				if tries++; tries%3 != 0 {
					return 0, true, errors.New("not yet")
				}
				return tries, false, nil
			},
			Missing: func(err error) { missing = append(missing, err.Error()) },
			Use: func(_ context.Context, s int) {
				if used++; used == 2 {
					cancel()
				}
				if s != 3*used {
					t.Errorf("use %d is of device %d", used, s)
				}
			},
		}
		began := time.Now()
		if err := k.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if want := []string{"not yet", "not yet"}; tries != 6 || used != 2 || !slices.Equal(missing, want) {
			t.Errorf("%d tries, used %d times, missing %q; want 6, 2, %q", tries, used, missing, want)
		}
		if took, want := time.Since(began), 4*retryAfter+settleTime; took != want {
			t.Errorf("it took %v, want %v", took, want)
		}
	})
}

// A change of the devices ends a wait, and makes the next attempts quick again.
func TestKeeperLooksWhenDevicesChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		changes := make(chan struct{})
		var at []time.Duration
		began := time.Now()
		k := Keeper[int]{
			Watch:   func(context.Context) (<-chan struct{}, error) { return changes, nil },
			Open:    func(bool) (int, bool, error) { at = append(at, time.Since(began)); return 0, false, errors.New("none") },
			Missing: func(error) {},
		}
		time.AfterFunc(time.Second, func() { changes <- struct{}{} })
		if err := k.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{0, time.Second + settleTime}; !slices.Equal(at, want) {
			t.Errorf("searched at %v, want %v", at, want)
		}
	})
}

func TestKeeperSlowsDown(t *testing.T) {
	if retryTime(maxRetries) != retryAfter || retryTime(maxRetries+1) != slowRetry {
		t.Errorf("waits %v, then %v", retryTime(maxRetries), retryTime(maxRetries+1))
	}
}

// A device that cannot be opened because its driver hangs does not keep a program from ending.
func TestAnOpenThatHangsIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang, dropped := make(chan struct{}), 0
		k := Keeper[int]{
			Watch:   noChanges,
			Open:    func(bool) (int, bool, error) { <-hang; return 7, false, nil },
			Missing: func(error) {},
			Discard: func(s int) { dropped += s },
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		if err := k.Run(ctx); err != nil || time.Since(began) > time.Second+HangLimit {
			t.Errorf("error %v after %v", err, time.Since(began))
		}
		close(hang)
		synctest.Wait()
		if dropped != 7 {
			t.Error("what was opened too late stays open")
		}
	})
}

// Each attempt that brought nothing doubles the wait; a device that worked is tried again soon, and the
// reason of its loss is new.
func TestRetryBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		began, n := time.Now(), 0
		var log []string
		last := errors.New("parked")
		err := Retry(ctx, Backoff{First: time.Second, Longest: 4 * time.Second},
			func(context.Context) (bool, error) {
				if n++; n == 7 {
					cancel()
					return true, last
				}
				return n == 5, errors.New("none")
			},
			func(err error, isNew bool) {
				log = append(log, fmt.Sprintf("%v %v %v", time.Since(began), err, isNew))
			})
		want := []string{"0s none true", "1s none false", "3s none false", "7s none false", "11s none true", "12s none false"}
		if !errors.Is(err, last) || !slices.Equal(log, want) {
			t.Errorf("error %v, log %q; want %v, %q", err, log, last, want)
		}
	})
}

func TestARunnerRunsOnceAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Runner
		for range 2 {
			if !r.Close(0) {
				t.Error("Close waits for a Run that never began")
			}
		}
		ctx, end, err := r.Begin(t.Context())
		if err != nil || ctx.Err() == nil {
			t.Errorf("after Close the context is alive; error %v", err)
		}
		if _, _, err := r.Begin(t.Context()); err == nil {
			t.Error("Run may be called twice")
		}
		if r.Close(time.Second) {
			t.Error("Run has ended before it did")
		}
		time.AfterFunc(time.Minute, end)
		if began := time.Now(); !r.Close(0) || time.Since(began) != time.Minute {
			t.Error("Close does not wait for Run")
		}
		<-r.Done()
	})
}

func TestFinishLeavesACallThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("failed")
		if err := CloseOrAbandon(func() error { return failed }, ErrHung); err != failed {
			t.Errorf("error %v, want %v", err, failed)
		}
		began, hang := time.Now(), make(chan struct{})
		if err := CloseOrAbandon(func() error { <-hang; return nil }, ErrHung); err != ErrHung || time.Since(began) != HangLimit {
			t.Errorf("error %v after %v, want %v after %v", err, time.Since(began), ErrHung, HangLimit)
		}
		close(hang)
	})
}
