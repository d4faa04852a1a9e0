package evdev

import (
	"context"
	"errors"
	"testing"
)

// A device that is not ready at once is tried again, used, and looked for once more
// when it has gone.
func TestKeeperTriesAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tries, missing, used := 0, 0, 0
	k := Keeper[int]{
		Open: func(patient bool) (int, bool, error) {
			tries++
			if tries%2 == 1 {
				return 0, true, errors.New("not yet")
			}
			return tries, false, nil
		},
		Missing: func(error) { missing++ },
		Use: func(_ context.Context, s int) {
			if used++; used == 2 {
				cancel()
			}
			if s != 2*used {
				t.Errorf("use %d is of device %d", used, s)
			}
		},
	}
	if err := k.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if tries != 4 || missing != 2 || used != 2 {
		t.Errorf("%d tries, %d times missing, used %d times; want 4, 2, 2", tries, missing, used)
	}
}

func TestKeeperLosesItsHasteButNotItsHope(t *testing.T) {
	if waitFor(maxRetries) != retryAfter || waitFor(maxRetries+1) != slowRetry {
		t.Errorf("waits %v, then %v", waitFor(maxRetries), waitFor(maxRetries+1))
	}
}
