// Package work drives the units of a sweep on other machines. Who has a sweep puts its units into a queue of the
// session's bus (Drive); workers take them out and put results back (Serve). Only workers of the same build and target
// share a queue, because only they give the same bits. A unit stays in the queue until its result is kept, so a worker
// or a sender that ends loses nothing.
package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
)

// Sweep is what a sender has driven. Its units and their results are JSON objects with the unit's number as index.
type Sweep struct {
	Digest string                    // of all its units
	Name   string                    // for people
	Unit   func(i int) any           // is written as JSON
	Check  func(result []byte) error // reports what is not the result of a unit
}

// Driver drives a unit and returns its result. The error is not nil only if ctx has ended.
type Driver func(ctx context.Context) (result any, err error)

// Parser returns what drives a unit that came from a queue, or an error if it cannot be driven here.
type Parser func(unit []byte) (Driver, error)

// failed is the result of a unit that was not driven, and what work reads of all units and results.
type failed struct {
	Index int    `json:"index"`
	Error string `json:"error"`
}

// Node is one end of the work: a sender or a worker.
type Node struct {
	Bus     *bus.Bus
	Session session.ID
	Member  session.ID
	Build   string        // of the program, with its target
	Lease   time.Duration // how long a unit may be without a sign of its worker; 0 for half a minute
	Log     *slog.Logger
}

const (
	period      = time.Second // of offers and signs of life
	retry       = time.Second // after a fault of the bus
	maxAttempts = 5           // to drive a unit; if its worker ended each time, the unit is why
)

// offer says which sweep has units.
type offer struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build"`
	Digest   string `json:"digest"` // of the sweep
}

// sign is a worker's sign of life.
type sign struct {
	Protocol int        `json:"protocol"`
	Build    string     `json:"build"`
	Member   session.ID `json:"member"`
	Instance string     `json:"instance"` // of the program: several may have the same key
	Parallel int        `json:"parallel"` // units that it drives at a time
	Left     bool       `json:"left"`     // it has ended
}

// unit is a unit of a sweep in the queue.
type unit struct {
	Digest string          `json:"digest"`
	Sweep  string          `json:"sweep"` // for people
	Run    string          `json:"run"`   // of the sender
	Unit   json.RawMessage `json:"unit"`
}

// tokens are what digests and runs are made of, because they are parts of subjects.
var tokens = regexp.MustCompile(`^[0-9a-f]{8,64}$`)

// parseUnit returns a unit of the queue, or an error if data holds none whose sender could be told.
func parseUnit(data []byte) (m unit, err error) {
	if err := json.Unmarshal(data, &m); err != nil {
		return unit{}, fmt.Errorf("not a unit: %w", err)
	}
	if !tokens.MatchString(m.Digest) || !tokens.MatchString(m.Run) {
		return unit{}, errors.New("not a unit: digest or run")
	}
	return m, nil
}

// queue returns the name of the queue of units for workers of this build.
func (n *Node) queue() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", session.Protocol, n.Build))
	return hex.EncodeToString(sum[:8])
}

// isSame reports whether a node of this protocol and build gives the same results.
func (n *Node) isSame(protocol int, build string) bool {
	return protocol == session.Protocol && build == n.Build
}

func (n *Node) lease() time.Duration {
	if n.Lease == 0 {
		return 30 * time.Second
	}
	return n.Lease
}
