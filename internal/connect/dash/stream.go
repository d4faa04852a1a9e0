package dash

import (
	"net/http"
	"time"
)

// stream answers with server-sent events: scene and history once, then a frame for each message.
func (s *server) stream(w http.ResponseWriter, r *http.Request) *refusal {
	c, first := s.hub.join()
	if c == nil {
		return &refusal{http.StatusServiceUnavailable, "too many pages are open: close one"}
	}
	defer s.hub.leave(c)
	control := http.NewResponseController(w)
	if control.SetReadDeadline(time.Time{}) != nil {
		return &refusal{http.StatusInternalServerError, "this connection cannot stream: use GET /state"}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := &streamWriter{w: w, control: control, timeout: s.writeTimeout}
	if out.write(first) != nil {
		s.counters.add(&s.counters.dropped, 1)
		return nil
	}
	s.follow(c, out, r.Context().Done())
	return nil
}

// follow sends each new message to a client until it leaves, stops reading, or no more messages will come.
func (s *server) follow(c *client, out *streamWriter, left <-chan struct{}) {
	last := uint64(0)
	for {
		select {
		case <-left:
			return
		case <-c.wake:
		}
		m, closed := s.hub.latest()
		if m != nil && m.number != last {
			if last != 0 {
				s.counters.add(&s.counters.skipped, m.number-last-1)
			}
			last = m.number
			if out.write(m.data) != nil {
				s.counters.add(&s.counters.dropped, 1)
				return
			}
		}
		if closed {
			return
		}
	}
}

// streamWriter writes events, each within a time.
type streamWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

func (o *streamWriter) write(b []byte) error {
	if err := o.control.SetWriteDeadline(time.Now().Add(o.timeout)); err != nil {
		return err
	}
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	return o.control.Flush()
}

// event returns a server-sent event. data must be one line.
func event(name string, data []byte) []byte {
	b := append(make([]byte, 0, len(data)+len(name)+20), "event: "...)
	b = append(b, name...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return append(b, "\n\n"...)
}
