package check

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// found collects what a check finds, as lines.
func found(check func(config.Config, func(check, where, what, remedy string)), cfg config.Config) string {
	var list []string
	check(cfg, func(check, where, what, remedy string) {
		list = append(list, string(catalogEntry(check).Level)+" "+where+": "+what+"; "+remedy)
	})
	return strings.Join(list, "\n")
}

func TestOutputsAreChecked(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := config.Default()
	if text := found(checkOutputs, cfg); text != "" {
		t.Errorf("by default: %s", text)
	}
	cfg.Web.Listen = l.Addr().String()
	cfg.Telemetry.Outs = []telemetry.Out{{Format: "json", To: "127.0.0.1:4444"}, {Format: "json", To: "nobody.invalid:4444"}, {Format: "simapi"}}
	text := found(checkOutputs, cfg)
	for _, want := range []string{"warning web: ", "a running rig may serve it already", "warning telemetry.out[1]: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != 1 {
		t.Errorf("found\n%s", text)
	}
}

func TestAnInvitationIsChecked(t *testing.T) {
	cfg := config.Default()
	cfg.Session.Invitation = filepath.Join(t.TempDir(), "ada.rig")
	if text := found(checkOutputs, cfg); !strings.Contains(text, "error session.invitation: ") || !strings.Contains(text, "no such file") {
		t.Errorf("a missing file: %s", text)
	}
	folder, err := keys.OpenFolder(t.TempDir(), "monza")
	if err != nil {
		t.Fatal(err)
	}
	for role, want := range map[session.Role]string{session.Rig: "", session.Watcher: "error session.invitation: it is for a watcher, which does not drive; ask for an invitation made with --role rig"} {
		i, err := folder.Invite(session.ID(role), role, []string{"tls://192.0.2.1:4777"})
		if err == nil {
			err = keys.Write(cfg.Session.Invitation, i)
		}
		if text := found(checkOutputs, cfg); err != nil || text != want {
			t.Errorf("%s: %v, %s", role, err, text)
		}
	}
}

func TestAGameThatIsNotHeardIsTold(t *testing.T) {
	level.SkipIfQuick(t)
	cfg := config.Default()
	if text := found(checkGame, cfg); text != "" {
		t.Errorf("no game: %s", text)
	}
	cfg.Follow.Source, cfg.Follow.Port = "dirt", 48213
	if text := found(checkGame, cfg); !strings.Contains(text, "warning follow: no game is heard at 127.0.0.1:48213") {
		t.Errorf("silence: %s", text)
	}
}
