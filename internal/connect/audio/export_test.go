package audio

import (
	"fmt"
	"net"
	"time"
)

// SetLimit sets how long a server may take, for connections made from now on, until the returned function is called.
func SetLimit(d time.Duration) (restore func()) {
	before := limit
	limit = d
	return func() { limit = before }
}

// AnswerWithin sets how long the server may take from now on to answer a request of s.
func (s *Stream) AnswerWithin(d time.Duration) { s.conn.client.SetTimeout(d) }

var (
	FrontPair    = frontPair
	Encode       = encode
	ParseAddress = func(text string) [2]string { a := parseAddress(text); return [2]string{a.network, a.name} }
)

// WriteTo writes p to a line, and returns why the connection ended.
func WriteTo(line net.Conn, p []byte) error {
	c := &connection{Conn: line}
	c.Write(p)
	return fmt.Errorf("audio: %w", c.cause)
}

const MaxNames = maxNames
