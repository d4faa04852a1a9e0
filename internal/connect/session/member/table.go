package member

import (
	"errors"
	"path/filepath"
	"strings"
	"unicode"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/files/config"
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

// table is the table of rig.toml.
type table struct {
	Session Session `toml:"session"`
}

// Section returns the table of rig.toml. A replay takes part in nothing.
func Section() config.Section {
	return config.Section{Tables: &table{Session{Show: true}}, Private: true}
}

// Of returns a configuration's part in a session.
func Of(cfg *config.Config) Session { return config.Get[table](cfg).Session }

// Put makes s a configuration's part in a session.
func (s Session) Put(cfg *config.Config) { cfg.Put(&table{s}) }

// ResolvePaths makes the path of the invitation start at a folder.
func (t *table) ResolvePaths(folder string) {
	if f := &t.Session.Invitation; *f != "" && !filepath.IsAbs(*f) {
		*f = filepath.Join(folder, *f)
	}
}

// Validate reports every key that is out of range.
func (t *table) Validate() error { return config.ValidateTable("session", t.Session) }

// Validate reports every key that is out of range.
func (s Session) Validate() error {
	const longest = 24 // [bytes]
	if len(s.Driver) > longest || strings.ContainsFunc(s.Driver, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("driver: must be at most 24 bytes that can be printed")
	}
	return nil
}

// Check reads the invitation of a configuration.
func Check(cfg *config.Config, add func(check, where, what, remedy string)) {
	path := Of(cfg).Invitation
	if path == "" {
		return
	}
	if i, err := keys.Read(path); err != nil {
		add("session", "session.invitation", err.Error(), "copy the file again from the host's machine, or ask for a new invitation; empty is no session")
	} else if i.Role != session.Rig {
		add("session", "session.invitation", "it is for a "+string(i.Role)+", which does not drive", "ask for an invitation made with --role rig")
	}
}
