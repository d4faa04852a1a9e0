package config

import (
	"errors"
	"strings"
	"unicode"
)

// Session configures the part in a session of several rigs.
type Session struct {
	// the invitation to the session: a file of `rig session invite`, relative to this one; empty is none
	Invitation string `toml:"invitation"`
	// name that the others see; empty is the name of the driver's profile, or else of the invited rig
	Driver string `toml:"driver"`
	// the window shows the other cars, their names, and what race control says
	Show bool `toml:"show"`
}

// DefaultSession returns no session.
func DefaultSession() Session { return Session{Show: true} }

// Validate reports every key that is out of range.
func (s Session) Validate() error {
	const longest = 24 // [bytes]
	if len(s.Driver) > longest || strings.ContainsFunc(s.Driver, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("driver: must be at most 24 bytes that can be printed")
	}
	return nil
}
