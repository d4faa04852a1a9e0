package operator

import (
	"errors"
	"math"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOrdersAreLines(t *testing.T) {
	for line, want := range map[string]Message{
		"stop": {Order: EmergencyStop}, "confirm": {Order: ClearFault}, "pause": {Order: Pause}, "resume": {Order: Resume},
		"tune force_gain 0.25": {Factor: "force_gain", Share: 0.25},
	} {
		if got, err := Parse(line); err != nil || got != want {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
		if want.String() != line {
			t.Errorf("%+v is %q, want %q", want, want.String(), line)
		}
	}
}

func TestBadOrders(t *testing.T) {
	for _, line := range []string{
		"", "Stop", "stop now", "start", "release", "high-torque", "tune", "tune force_gain", "tune force_gain 1.0001", "tune force_gain -0.1",
		"tune force_gain NaN", "tune force_gain Inf", "tune force_gain 1e999", "tune force_gain 0.5 0.5", strings.Repeat("x", 1000),
	} {
		if m, err := Parse(line); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %+v, %v", line, m, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{"stop", "tune motion 0.5", "tune a NaN", "confirm\x00"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		m, err := Parse(line)
		if err != nil {
			return
		}
		if m.Factor != "" && !(m.Share >= 0 && m.Share <= 1) || m.Order == FadeOutAndPark && m.Factor == "" {
			t.Errorf("%q: %+v", line, m)
		}
		if again, err := Parse(m.String()); err != nil || again != m && !math.Signbit(m.Share) {
			t.Errorf("%q: %+v, again %+v, %v", line, m, again, err)
		}
	})
}

// serve serves one end of a connection and returns the other.
func serve(t *testing.T, do func(Message) error) net.Conn {
	near, far := net.Pipe()
	ended := make(chan struct{})
	go func() { Serve(far, 0, do); far.Close(); close(ended) }()
	t.Cleanup(func() { near.Close(); <-ended })
	return near
}

func TestAnOrderIsAnswered(t *testing.T) {
	var got []Message
	conn := serve(t, func(m Message) error {
		got = append(got, m)
		if m.Order == ClearFault {
			return errors.New("not allowed\nhere")
		}
		return nil
	})
	if err := Send(conn, Message{Order: EmergencyStop}); err != nil {
		t.Error(err)
	}
	if err := Send(conn, Message{Order: ClearFault}); err == nil || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "not allowed") {
		t.Errorf("refused: %v", err)
	}
	if len(got) != 2 {
		t.Errorf("got %+v", got)
	}
}

// A connection that sends without end is taken at a rate, and its stop at once.
func TestOrdersHaveARateAndAStopHasNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tuned, stopped := 0, 0
		conn := serve(t, func(m Message) error {
			if m.Order == EmergencyStop && m.Factor == "" {
				stopped++
			} else {
				tuned++
			}
			return nil
		})
		tune := Message{Factor: "force_gain", Share: 0.5}
		for range 1000 {
			_ = Send(conn, tune)
		}
		if err := Send(conn, tune); err != errTooMany && err.Error() != errTooMany.Error() || tuned != ordersPerSecond {
			t.Errorf("%d of 1000 orders at once were taken, %v", tuned, err)
		}
		for range 10 {
			if err := Send(conn, Message{Order: EmergencyStop}); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Second / 10)
		if err := Send(conn, tune); err != nil || stopped != 10 {
			t.Errorf("%d stops of 10, and after a while %v", stopped, err)
		}
	})
}

// A side that sends an endless line, or none, is let go.
func TestALineThatIsTooLongEndsTheConnection(t *testing.T) {
	conn := serve(t, func(m Message) error { t.Errorf("did %+v", m); return nil })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := conn.Write([]byte(strings.Repeat("stop ", 100))); err != nil {
			return
		}
	}
	t.Error("still connected")
}

func TestASilentSideIsLetGo(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	Serve(far, time.Millisecond, func(m Message) error { t.Errorf("did %+v", m); return nil })
	far.Close()
}
