package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
)

// sessionCommand runs `rig session` in a folder of sessions of its own.
func sessionCommand(t *testing.T, want int, args ...string) (out, errs string) {
	t.Helper()
	status, out, errs := rigCommand(t, append(append([]string{"session"}, args...), "--folder", "sessions")...)
	if status != want {
		t.Errorf("rig session %v: status %d, want %d: %s", args, status, want, errs)
	}
	return out, errs
}

func TestSessionKeys(t *testing.T) {
	inNewFolder(t)
	for words, want := range map[string]string{
		"members":                       "rig: sessions has no session; make one: rig session host NAME",
		"members --session monza":       "rig: --session: sessions has no session monza, and no other; make one: rig session host NAME\n",
		"revoke alice --session monza":  "rig: --session: sessions has no session monza, and no other; make one: rig session host NAME\n",
		"watch --session friday":        "rig: --session: sessions has no session friday, and no other; make one: rig session host NAME; or name the file of an invitation",
		"watch":                         "rig: sessions has no session; make one: rig session host NAME; or name the file of an invitation",
		"invite Alice --session monza":  `rig: "Alice": a name is 1 to 24 of a-z, 0-9 and -, and does not begin with -`,
		"invite alice --session ../x":   `rig: --session: "../x": a name is 1 to 24 of a-z, 0-9 and -, and does not begin with -`,
		"invite alice --url nats://a:1": "rig: --url nats://a:1: must be tls://HOST:PORT",
		"invite alice --ca x":           "rig: --ca: it needs --url, which says where your servers are",
	} {
		if _, errs := sessionCommand(t, exitUsage, strings.Fields(words)...); !strings.Contains(strings.ReplaceAll(errs, mustWorkingFolder(t)+"/", ""), want) {
			t.Errorf("rig session %s: %s; want %s", words, errs, want)
		}
	}
	out, _ := sessionCommand(t, exitDone, "invite", "alice", "--session", "monza")
	if !strings.HasPrefix(out, "new session monza in ") || !strings.Contains(out, "monza-alice.rig is the key of alice (rig) to the session monza") || !strings.Contains(out, "rig session join monza-alice.rig\nit holds for this machine only") {
		t.Error(out)
	}
	if st, err := os.Stat("monza-alice.rig"); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file of the key: %v, %v", st, err)
	}
	if i, err := keys.Read("monza-alice.rig"); err != nil || i.Member != "alice" || i.Role != session.Rig {
		t.Errorf("invited %+v, %v", i, err)
	}
	if out, _ := sessionCommand(t, exitDone, "invite", "bob", "--role", "worker", "--url", "tls://10.0.0.5:4777"); !strings.HasSuffix(out, "rig worker monza-bob.rig\n") {
		t.Error(out)
	}
	if out, _ := sessionCommand(t, exitDone, "invite", "screen", "--session", "monza"); strings.Contains(out, "new session") {
		t.Error("not the first of its session:", out)
	}
	for words, want := range map[string]string{
		"invite alice":             "monza-alice.rig exists; remove it, or name another file with --out",
		"invite alice --out other": "alice has a key already; to make a new one: rig session revoke alice",
		"revoke carl":              "no member is named carl; rig session members lists them",
		"revoke host":              "the host's own key cannot be revoked",
	} {
		if _, errs := sessionCommand(t, exitFailed, strings.Fields(words)...); !strings.Contains(errs, want) {
			t.Errorf("rig session %s: %s; want %s", words, errs, want)
		}
	}
	if _, err := os.Stat("other"); err == nil {
		t.Error("a key was written that opens nothing")
	}
}

func TestMembersOfASession(t *testing.T) {
	inNewFolder(t)
	sessionCommand(t, exitDone, "invite", "alice", "--session", "monza")
	names := func() (list []string) {
		t.Helper()
		var got struct {
			Session string        `json:"session"`
			Members []keys.Member `json:"members"`
		}
		out, _ := sessionCommand(t, exitDone, "members", "--json")
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.Session != "monza" {
			t.Errorf("%v: %s", err, out)
		}
		for _, m := range got.Members {
			list = append(list, string(m.ID)+" "+string(m.Role))
		}
		return list
	}
	if got := strings.Join(names(), ", "); got != "alice rig, host host, official official" {
		t.Errorf("members %s", got)
	}
	if out, _ := sessionCommand(t, exitDone, "revoke", "alice"); !strings.Contains(out, "a host that is running disconnects it now") {
		t.Error(out)
	}
	if got := strings.Join(names(), ", "); got != "host host, official official" {
		t.Errorf("members %s after alice was revoked", got)
	}
	if out, _ := sessionCommand(t, exitDone, "members"); strings.Count(out, "\n") != 2 || !strings.HasPrefix(out, "host  ") {
		t.Error(out)
	}
	sessionCommand(t, exitDone, "invite", "bob", "--session", "spa")
	if _, errs := sessionCommand(t, exitUsage, "members"); !strings.Contains(errs, "has monza, spa") {
		t.Error(errs)
	}
}

func TestSessionOnServersOfOnesOwn(t *testing.T) {
	inNewFolder(t)
	if err := os.WriteFile("ca.pem", []byte("none"), 0o600); err != nil {
		t.Fatal(err)
	}
	own := []string{"--url", "tls://a:4222", "--url", "tls://b:4222", "--ca", "ca.pem"}
	if _, errs := sessionCommand(t, exitUsage, append([]string{"invite", "alice", "--session", "monza"}, own...)...); !strings.Contains(errs, "ca: must be certificates as PEM") {
		t.Error(errs)
	}
	f, err := keys.OpenFolder("sessions", "other")
	if err != nil {
		t.Fatal(err)
	}
	servers, err := f.Servers()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("ca.pem", []byte(servers.CA), 0o600); err != nil {
		t.Fatal(err)
	}
	sessionCommand(t, exitDone, append([]string{"invite", "alice", "--session", "monza"}, own...)...)
	i, err := keys.Read("monza-alice.rig")
	if err != nil || strings.Join(i.URLs, " ") != "tls://a:4222 tls://b:4222" || i.CA != servers.CA || i.ServerName != "" {
		t.Errorf("invited %+v, %v", i, err)
	}
	out, _ := sessionCommand(t, exitDone, "members", "--session", "monza", "--server-config")
	if !strings.Contains(out, "\nrig-monza: {\n") || strings.Count(out, "{nkey: U") != 3 || strings.Contains(out, i.Seed) {
		t.Error(out)
	}
	if out, _ := sessionCommand(t, exitDone, "revoke", "alice", "--session", "monza"); !strings.Contains(out, "your servers still know it") {
		t.Error(out)
	}
}

func mustWorkingFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
