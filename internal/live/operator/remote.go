package operator

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"rig.example/rig/internal/kit/printable"
)

// Message is one order that comes from another process, a line of text, and so is its answer: "ok", with words or without, or an
// error in words. It goes: to the operator's part of the drive, or to change a gain, a filter or a limit.
type Message struct {
	Order  Order   // if Factor is empty
	Factor string  // name of the gain, filter or limit that changes
	Share  float64 // of its configured value, 0..1
}

// orderNames are the orders that can come from outside.
var orderNames = map[Order]string{
	EmergencyStop: "stop", ClearFault: "confirm", Pause: "pause", Resume: "resume",
}

// String returns the line of m, without its end.
func (m Message) String() string {
	if m.Factor != "" {
		return "tune " + m.Factor + " " + strconv.FormatFloat(m.Share, 'g', -1, 64)
	}
	return orderNames[m.Order]
}

// Parse returns the order of a line without its end. A share that is not 0 to 1 is an error.
func Parse(line string) (Message, error) {
	fields := strings.Fields(line)
	if len(fields) == 3 && fields[0] == "tune" {
		share, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || !(share >= 0 && share <= 1) {
			return Message{}, fmt.Errorf("order %s: the share must be 0 to 1", quote(line))
		}
		return Message{Factor: fields[1], Share: share}, nil
	}
	for order, name := range orderNames {
		if len(fields) == 1 && fields[0] == name {
			return Message{Order: order}, nil
		}
	}
	return Message{}, fmt.Errorf("order %s: must be stop, pause, resume, confirm, or tune with a factor and a share", quote(line))
}

func quote(line string) string {
	return strconv.Quote(printable.Line(line[:min(len(line), maxLine)]))
}

// Longest lines of an order and of an answer [bytes].
const (
	maxLine   = 128
	maxAnswer = 512
)

// Of each connection this many orders are taken per second, and as many at once. A stop is always taken.
const ordersPerSecond = 100

// rate is the rate of a connection's orders.
type rate struct {
	left float64 // orders that are taken now
	at   time.Time
}

// takes reports whether an order at a time is taken.
func (r *rate) takes(now time.Time) bool {
	r.left = min(r.left+ordersPerSecond*now.Sub(r.at).Seconds(), ordersPerSecond)
	if r.at = now; r.left < 1 {
		return false
	}
	r.left--
	return true
}

var errTooMany = fmt.Errorf("too many orders: at most %d per second are taken", ordersPerSecond)

// answerTime is how long either side waits for the other.
const answerTime = 2 * time.Second

// Serve calls do with each order that comes over conn and answers it, until the other side closes conn, is silent for
// idle (0 waits for ever), or sends a line that is too long.
func Serve(conn net.Conn, idle time.Duration, do func(Message) error) {
	ServeAnswers(conn, idle, func(m Message) (string, error) { return "", do(m) })
}

// ServeAnswers is Serve for a do that also returns words for the one who gave the order.
func ServeAnswers(conn net.Conn, idle time.Duration, do func(Message) (string, error)) {
	lines := bufio.NewReaderSize(conn, maxLine)
	orders := rate{left: ordersPerSecond, at: time.Now()}
	for {
		if idle > 0 {
			_ = conn.SetReadDeadline(time.Now().Add(idle)) // without it the read ends when conn is closed
		}
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		words, m := "", Message{}
		if m, err = Parse(string(line)); err == nil {
			if isStop := m.Factor == "" && m.Order == EmergencyStop; !isStop && !orders.takes(time.Now()) {
				err = errTooMany
			} else {
				words, err = do(m)
			}
		}
		answer := strings.TrimSpace("ok " + printable.Line(words))
		if err != nil {
			answer = "error " + printable.Line(err.Error())
		}
		answer = answer[:min(len(answer), maxAnswer-1)]
		_ = conn.SetWriteDeadline(time.Now().Add(answerTime))
		if _, err := conn.Write([]byte(answer + "\n")); err != nil {
			return
		}
	}
}

// Send gives an order over conn and waits for the answer. It returns the answer's error.
func Send(conn net.Conn, m Message) error {
	_, err := Ask(conn, m)
	return err
}

// Ask is Send, and also returns the words of the answer, "" for none.
func Ask(conn net.Conn, m Message) (words string, err error) {
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return "", err
	}
	if _, err := conn.Write([]byte(m.String() + "\n")); err != nil {
		return "", fmt.Errorf("the rig takes no orders: %w", err)
	}
	line, err := bufio.NewReaderSize(conn, maxAnswer).ReadSlice('\n')
	if err != nil {
		return "", fmt.Errorf("the rig did not answer: %w", err)
	}
	answer := printable.Line(strings.TrimSpace(string(line)))
	if text, failed := strings.CutPrefix(answer, "error "); failed {
		return "", errors.New(text)
	}
	return strings.TrimSpace(strings.TrimPrefix(answer, "ok")), nil
}
