// Package packets has the datagrams of a session: what is in them, and how they are encrypted and authenticated.
// It is pure: datagrams go in and come out as bytes, and the caller sends and receives them.
//
// A datagram is a header of 14 bytes (format and direction, slot, epoch, counter; little-endian), then the payload as
// AES-256-GCM encrypts it, with its tag of 16 bytes. The header is authenticated. A payload is a Kind and its fields.
package packets

import (
	"encoding/binary"
	"errors"
	"fmt"

	"rig.example/rig/internal/connect/session"
)

// MaxSize is the length of the longest datagram [bytes].
const MaxSize = 1200

// Kind says what a payload holds. Rigs send states and pings, hosts send cars and pongs.
type Kind byte

// Kinds of payloads.
const (
	State Kind = 1 + iota // Message.Cars has the one state of the sender's car
	Ping                  // Message.Sent
	Cars                  // Message.Cars has the newest states of other cars
	Pong                  // Message.Sent, Received, Answered
)

// MaxCars is how many states fit into one datagram.
const MaxCars = (MaxSize - headerSize - tagSize - 1) / stateSize

// Message is what a payload holds.
type Message struct {
	Kind     Kind
	Cars     []session.State // of State and Cars; each has passed session.State.Check
	Sent     int64           // time of the member's clock when it sent the ping [ns]
	Received int64           // session time when the host received it [ns]
	Answered int64           // session time when the host answered it [ns]
}

// AppendState appends the payload with the state of the sender's car, which must pass s.Check.
func AppendState(dst []byte, s *session.State) []byte {
	return appendState(append(dst, byte(State)), s)
}

// AppendPing appends the payload of a ping that is sent at a time of the member's clock [ns].
func AppendPing(dst []byte, sent int64) []byte { return appendTimes(append(dst, byte(Ping)), sent) }

// AppendPong appends the payload that answers a ping: its time, and when it was received and answered [ns].
func AppendPong(dst []byte, sent, received, answered int64) []byte {
	return appendTimes(append(dst, byte(Pong)), sent, received, answered)
}

// AppendCars appends the payload with as many of the states as one datagram holds, and returns those that are left.
func AppendCars(dst []byte, states []session.State) (payload []byte, left []session.State) {
	n := min(len(states), MaxCars)
	dst = append(dst, byte(Cars))
	for i := range states[:n] {
		dst = appendState(dst, &states[i])
	}
	return dst, states[n:]
}

func appendTimes(dst []byte, times ...int64) []byte {
	for _, t := range times {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(t))
	}
	return dst
}

var errPayload = errors.New("packet: its content has no known form")

// Parse returns what a payload holds.
func Parse(payload []byte) (Message, error) {
	if len(payload) == 0 {
		return Message{}, errPayload
	}
	m, body := Message{Kind: Kind(payload[0])}, payload[1:]
	switch {
	case m.Kind == State && len(body) == stateSize, m.Kind == Cars && len(body)%stateSize == 0 && len(body) <= MaxCars*stateSize:
		m.Cars = make([]session.State, len(body)/stateSize)
		for i := range m.Cars {
			if err := parseState(body[i*stateSize:][:stateSize], &m.Cars[i]); err != nil {
				return Message{}, fmt.Errorf("packet: %w", err)
			}
		}
	case m.Kind == Ping && len(body) == 8:
		m.Sent = timeAt(body, 0)
	case m.Kind == Pong && len(body) == 24:
		m.Sent, m.Received, m.Answered = timeAt(body, 0), timeAt(body, 1), timeAt(body, 2)
	default:
		return Message{}, errPayload
	}
	return m, nil
}

func timeAt(b []byte, i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }
