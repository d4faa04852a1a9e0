//go:build noserver

package server

import (
	"errors"

	"rig.example/rig/internal/connect/session/keys"
)

// Server is a server of the bus, which this build has not got.
type Server struct{}

// Start returns an error.
func Start(Options) (*Server, error) {
	return nil, errors.New("session: this rig was built without the server (noserver); name other servers with --url")
}

// URL returns an empty text.
func (*Server) URL() string { return "" }

// Reload does nothing.
func (*Server) Reload([]keys.Member) error { return nil }

// Close does nothing.
func (*Server) Close() {}
