//go:build !noserver

package server

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	nats "github.com/nats-io/nats-server/v2/server"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/test/cluster"
)

// The configurations of the page about sessions are what nats-server reads, with the account that rig prints.
func TestConfigurationsOfThePage(t *testing.T) {
	blocks := cluster.Configurations(t)
	folder := t.TempDir()
	members, seed := writePageFiles(t, folder)
	for name, text := range map[string]string{"server with leaf nodes": blocks[0] + blocks[1], "leaf node": blocks[2]} {
		path := filepath.Join(folder, "nats.conf")
		text = strings.NewReplacer("/etc/nats/", folder+"/", "/var/lib/nats", folder, "SEED", seed).Replace(text)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := nats.ProcessConfigFile(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(o.Accounts) != 1 || o.Accounts[0].Name != "rig-monza" || o.TLSConfig == nil {
			t.Errorf("%s: accounts %v", name, o.Accounts)
		}
		if leaf := name == "leaf node"; leaf != (len(o.LeafNode.Remotes) == 1) || leaf == (o.LeafNode.Port == 7422 && o.JetStream && o.SyncAlways && len(o.Routes) == 3) {
			t.Errorf("%s: %+v", name, o)
		}
		samePermissions(t, o.Nkeys, members)
	}
}

// writePageFiles writes the files that the configurations name, and returns the members in them and the spectators' seed.
func writePageFiles(t *testing.T, folder string) (members []keys.Member, seed string) {
	t.Helper()
	f := newFolder(t)
	for member, role := range map[session.ID]session.Role{"alice": session.Rig, "spectators": session.Watcher, "box": session.Worker} {
		i, err := f.Invite(member, role, nil)
		if err != nil {
			t.Fatal(err)
		}
		if member == "spectators" {
			seed = i.Seed
		}
	}
	members, err := f.Members()
	if err != nil {
		t.Fatal(err)
	}
	account, err := os.Create(filepath.Join(folder, "rig-monza.conf"))
	if err != nil {
		t.Fatal(err)
	}
	defer account.Close()
	if err := keys.WriteServerConfig(account, "monza", members); err != nil {
		t.Fatal(err)
	}
	certificate, err := os.ReadFile(f.Path("certificate.pem"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ca.pem", "server.pem", "server.key"} {
		if err := os.WriteFile(filepath.Join(folder, name), certificate, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return members, seed
}

// samePermissions checks that a server read from a file allows members what the host's own server allows them.
func samePermissions(t *testing.T, got []*nats.NkeyUser, members []keys.Member) {
	t.Helper()
	if len(got) != len(members) {
		t.Errorf("%d users, want %d", len(got), len(members))
	}
	for _, m := range members {
		i := slices.IndexFunc(got, func(g *nats.NkeyUser) bool { return g.Nkey == m.PublicKey })
		if i < 0 {
			t.Errorf("%s is missing", m.ID)
			continue
		}
		g, want := got[i].Permissions, permissions("monza", m)
		if !slices.Equal(g.Publish.Allow, want.Publish.Allow) || !slices.Equal(g.Subscribe.Allow, want.Subscribe.Allow) {
			t.Errorf("%s: %v, %v", m.ID, g.Publish.Allow, g.Subscribe.Allow)
		}
		if g.Response != nil || want.Response != nil {
			t.Errorf("%s may answer on any subject: %+v", m.ID, g.Response)
		}
	}
}
