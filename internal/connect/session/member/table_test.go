package member

import (
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/files/config"
)

func TestAnInvitationIsBesideTheConfiguration(t *testing.T) {
	for invitation, want := range map[string]string{"ada.rig": "/etc/rig/ada.rig", "/home/ada.rig": "/home/ada.rig", "": ""} {
		c, err := config.Parse("/etc/rig/rig.toml", []byte("[session]\ninvitation = '"+invitation+"'\n"), Section())
		if err != nil || Of(&c).Invitation != filepath.FromSlash(want) || !Of(&c).Show {
			t.Errorf("%q: %+v, %v", invitation, Of(&c), err)
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

// found returns what Check finds in a configuration, as lines.
func found(cfg config.Config) string {
	var list []string
	Check(&cfg, func(check, where, what, remedy string) {
		list = append(list, check+" "+where+": "+what+"; "+remedy)
	})
	return strings.Join(list, "\n")
}

func TestAnInvitationIsChecked(t *testing.T) {
	cfg := config.Default()
	path := filepath.Join(t.TempDir(), "ada.rig")
	Session{Invitation: path}.Put(&cfg)
	if text := found(cfg); !strings.Contains(text, "session session.invitation: ") || !strings.Contains(text, "no such file") {
		t.Errorf("a missing file: %s", text)
	}
	folder, err := keys.OpenFolder(t.TempDir(), "monza")
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[session.Role]string{session.Rig: "", session.Watcher: "session session.invitation: it is for a watcher, which does not drive; ask for an invitation made with --role rig"} {
		i, err := folder.Invite(session.ID(role), role, []string{"tls://192.0.2.1:4777"})
		if err == nil {
			err = keys.Write(path, i)
		}
		if text := found(cfg); err != nil || text != want {
			t.Errorf("%s: %v, %s", role, err, text)
		}
	}
}
