package switches_test

import (
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/live/switches"
)

// contact is a switch that knows nothing for some looks.
type contact struct {
	starting     int
	cause, relay estop.Cause
}

func (c *contact) State() (bool, estop.Cause) {
	if c.starting--; c.starting >= 0 {
		return true, estop.Starting
	}
	return c.cause != estop.None, c.cause
}

func (c *contact) Relay() (bool, estop.Cause) { return c.relay == estop.None, c.relay }

func (c *contact) Enable(bool) {}

func TestASwitchIsLookedAtUntilItKnows(t *testing.T) {
	for _, tt := range []struct {
		name  string
		by    contact
		least time.Duration // it takes
		cause estop.Cause
	}{
		{"released", contact{starting: 10}, 20 * time.Millisecond, estop.None},
		{"pressed", contact{starting: 10, cause: estop.Opened}, 20 * time.Millisecond, estop.Opened},
		{"nobody looks", contact{cause: estop.NotSampled}, time.Second, estop.NotSampled},
		{"nobody looks after the relay", contact{relay: estop.NotSampled}, time.Second, estop.None},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			if _, cause := switches.WaitSettled(&tt.by, estop.Config{}); cause != tt.cause || time.Since(began) < tt.least || time.Since(began) > tt.least+10*time.Millisecond {
				t.Errorf("%s: %v after %v", tt.name, cause, time.Since(began))
			}
		})
	}
}

func TestARelayThatDroppedByItselfHasFailed(t *testing.T) {
	for _, tt := range []struct {
		by     contact
		failed bool
		cause  estop.Cause
	}{
		{contact{}, false, estop.None},
		{contact{cause: estop.Opened}, false, estop.Opened},
		{contact{relay: estop.RelayFailed}, true, estop.RelayFailed},
		{contact{cause: estop.Opened, relay: estop.NotRenewed}, true, estop.Opened},
	} {
		if stopped, failed, cause := switches.ReadStop(&tt.by); stopped != (tt.by.cause != estop.None) || failed != tt.failed || cause != tt.cause {
			t.Errorf("%+v: stopped %t, failed %t, %v", tt.by, stopped, failed, cause)
		}
	}
}

func TestALineThatNobodyNamedIsClosed(t *testing.T) {
	none, err := switches.Open(estop.Config{}, false)
	if none.WaitSettled(estop.Config{}); err != nil || none.Stop != nil || none.Interlock.IsOpen() || none.Close() != nil {
		t.Error("open")
	}
	if open := (&switches.Interlock{Line: &contact{cause: estop.Opened}}); !open.IsOpen() {
		t.Error("closed")
	}
	if s, err := switches.OpenStop(estop.Config{}); s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := switches.OpenInterlock(estop.Config{}); s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
}
