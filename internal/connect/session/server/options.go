// Package server runs a session's own server of the bus inside of this program: NATS with JetStream, TLS and keys,
// which keeps the session's events on the disk before it acknowledges them. The build tag noserver leaves it out;
// such a program can host sessions on other servers only.
package server

import (
	"log/slog"

	"rig.example/rig/internal/connect/session/keys"
)

// Options say how a server runs.
type Options struct {
	Listen string       // HOST:PORT; port 0 for any that is free, and an empty HOST for all addresses of this machine
	Folder *keys.Folder // with certificate, members, and the store of the events
	Log    *slog.Logger // must not be nil
}
