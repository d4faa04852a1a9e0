package config

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAnInvitationIsBesideTheConfiguration(t *testing.T) {
	for invitation, want := range map[string]string{"ada.rig": "/etc/rig/ada.rig", "/home/ada.rig": "/home/ada.rig", "": ""} {
		c, err := Parse("/etc/rig/rig.toml", []byte("[session]\ninvitation = '"+invitation+"'\n"))
		if err != nil || c.Session.Invitation != filepath.FromSlash(want) || !c.Session.Show {
			t.Errorf("%q: %+v, %v", invitation, c.Session, err)
		}
	}
}

func TestADriversNameInASession(t *testing.T) {
	for name, good := range map[string]bool{"": true, "Ada Lovelace": true, "Zoë": true, strings.Repeat("x", 25): false, "a\nb": false, "\x1b[2J": false} {
		if err := (Session{Driver: name}).Validate(); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}
