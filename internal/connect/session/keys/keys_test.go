package keys

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
)

// newFolder returns the folder of a new session.
func newFolder(t testing.TB, s session.ID) *Folder {
	t.Helper()
	f, err := OpenFolder(t.TempDir(), s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func invited(t testing.TB, f *Folder, member session.ID, role session.Role) Invitation {
	t.Helper()
	i, err := f.Invite(member, role, nil)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestInvitationsAreReadAsTheyWereWritten(t *testing.T) {
	f := newFolder(t, "monza")
	path := filepath.Join(t.TempDir(), "alice.rig")
	want := invited(t, f, "alice", session.Rig)
	if err := Write(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v; written %+v", got, err, want)
	}
	if got.ServerName != "monza" || got.Member != "alice" || got.Role != session.Rig || !strings.HasPrefix(got.Seed, "SU") || strings.Join(got.URLs, " ") != "tls://127.0.0.1:4777" {
		t.Errorf("invited %+v", got)
	}
}

func TestInvitationsThatOthersCanReadAreRefused(t *testing.T) {
	f := newFolder(t, "monza")
	path := filepath.Join(t.TempDir(), "alice.rig")
	if err := Write(path, invited(t, f, "alice", session.Rig)); err != nil {
		t.Fatal(err)
	}
	for mode, ok := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false, 0o620: false, 0o777: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); (err == nil) != ok || err != nil && !strings.HasSuffix(err.Error(), "can read or change it: chmod 600, or copy it into your home folder first") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}

func TestDamagedInvitationsAreRefused(t *testing.T) {
	f := newFolder(t, "monza")
	path := filepath.Join(t.TempDir(), "alice.rig")
	i := invited(t, f, "alice", session.Rig)
	if err := Write(path, i); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	middle, letter := len(i.Seed)/2, "A"
	if i.Seed[middle] == 'A' {
		letter = "B"
	}
	otherSeed := i.Seed[:middle] + letter + i.Seed[middle+1:] // five bits, which the seed's checksum always notices
	for _, c := range []struct{ name, old, new, want string }{
		{"another file", "# An invitation", "# A shopping list", "not an invitation: its first line is another one"},
		{"unknown key", "member =", "membre =", "damaged (strict mode"},
		{"session", "'monza'", "'mon/za'", `session = "mon/za": a name is`},
		{"member", "'alice'", "''", `member = "": a name is`},
		{"role", "'rig'", "'king'", `role = "king": must be one of rig, watcher, official, worker`},
		{"no TLS", "tls://", "nats://", "url nats://127.0.0.1:4777: must be tls://HOST:PORT"},
		{"user in URL", "tls://", "tls://bob@", "url tls://bob@127.0.0.1:4777: must be tls://HOST:PORT"},
		{"no port", ":4777", "", "url tls://127.0.0.1: must be tls://HOST:PORT"},
		{"seed", i.Seed, otherSeed, "seed: not the key of a member: copy the file again"},
		{"seed of a server", i.Seed, "SNABC", "seed: not the key of a member: copy the file again"},
		{"certificate", "BEGIN CERT", "BEGIN CARD", "ca: must be certificates as PEM"},
	} {
		changed := bytes.Replace(text, []byte(c.old), []byte(c.new), 1)
		if _, err := parse(changed); bytes.Equal(changed, text) || err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
}

func FuzzInvitation(f *testing.F) {
	path := filepath.Join(f.TempDir(), "alice.rig")
	if err := Write(path, invited(f, newFolder(f, "monza"), "alice", session.Rig)); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(firstLine + "session = 'a'\nurls = [1]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		i, err := parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if err := Write(path, i); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(path); err != nil || !reflect.DeepEqual(again, i) {
			t.Errorf("%+v was read back as %+v, %v", i, again, err)
		}
	})
}

func FuzzMembers(f *testing.F) {
	f.Add([]byte(`[{"id":"a","role":"rig","key":"UA"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		members, err := parseMembers(data)
		if err != nil {
			return
		}
		for _, m := range members {
			if session.CheckID(string(m.ID)) != nil || len(m.Permissions("monza").Subscribe) == 0 {
				t.Errorf("accepted %+v", m)
			}
		}
	})
}

func TestKeysOfMembersAreMadeAndRevoked(t *testing.T) {
	f := newFolder(t, "monza")
	alice, bob := invited(t, f, "alice", session.Rig), invited(t, f, "bob", session.Watcher)
	if alice.Seed == bob.Seed {
		t.Error("two members have the same key")
	}
	names := func() string {
		members, err := f.Members()
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, m := range members {
			text += string(m.ID) + " " + string(m.Role) + ", "
		}
		return text
	}
	if got := names(); got != "alice rig, bob watcher, host host, official official, " {
		t.Error("members:", got)
	}
	for _, c := range []struct {
		member session.ID
		role   session.Role
		want   string
	}{
		{"alice", session.Rig, "alice has a key already"}, {"host", session.Rig, "host has a key already"},
		{"carl", Host, "role host: must be one of"}, {"carl", "king", "role king: must be one of"}, {"Carl", session.Rig, "a name is"},
	} {
		if _, err := f.Invite(c.member, c.role, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("invite %s as %s: %v; want %s", c.member, c.role, err, c.want)
		}
	}
	if err := f.Revoke("alice"); err != nil {
		t.Fatal(err)
	}
	if got := names(); got != "bob watcher, host host, official official, " {
		t.Error("members without alice:", got)
	}
	if again := invited(t, f, "alice", session.Rig); again.Seed == alice.Seed {
		t.Error("a revoked key was given again")
	}
}

// A folder that is opened again has the same keys, also if making it was interrupted.
func TestAFolderKeepsItsKeys(t *testing.T) {
	root := t.TempDir()
	f, err := OpenFolder(root, "monza")
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.Host()
	if err != nil || first.Role != Host || first.Member != "host" {
		t.Fatalf("%+v, %v", first, err)
	}
	if f, err = OpenFolder(root, "monza"); err != nil {
		t.Fatal(err)
	}
	if again, err := f.Host(); err != nil || again.Seed != first.Seed || again.CA != first.CA {
		t.Errorf("%+v, %v", again, err)
	}
	if err := os.Remove(f.Path(membersFile)); err != nil { // killed before it was there
		t.Fatal(err)
	}
	if f, err = OpenFolder(root, "monza"); err != nil {
		t.Fatal(err)
	}
	if again, err := f.Host(); err != nil || again.CA != first.CA {
		t.Errorf("another certificate: %v", err)
	}
	if st, err := os.Stat(f.Path()); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("folder: %v, %v", st, err)
	}
	for _, name := range []string{certificateFile, membersFile, HostFile, OfficialFile, serversFile} {
		if st, err := os.Stat(f.Path(name)); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, st, err)
		}
	}
	if names, err := Sessions(root); err != nil || len(names) != 1 || names[0] != "monza" {
		t.Errorf("sessions %v, %v", names, err)
	}
}

// A folder that was there already, and that others could read, is its owner's alone once it is opened.
func TestAFolderThatOthersCanReadIsClosed(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "monza")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o755, 0o770, 0o701, 0o700} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenFolder(root, "monza"); err != nil {
			t.Fatal(err)
		}
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("mode %o: then %v, %v", mode, st.Mode(), err)
		}
	}
}

// Race control's key on the host's machine is replaced when it is revoked: the old one opens nothing any more, and race
// control is not locked out. That holds also if it is not on the list.
func TestRaceControlGetsANewKey(t *testing.T) {
	f := newFolder(t, "monza")
	if err := f.UseServers(Servers{URLs: []string{"tls://a:4222"}}, false); err != nil {
		t.Fatal(err)
	}
	old := must(Read(f.Path(OfficialFile)))
	for range 2 {
		if err := f.Revoke("official"); err != nil {
			t.Fatal(err)
		}
		i := must(Read(f.Path(OfficialFile)))
		pair, err := i.Key()
		if err != nil {
			t.Fatal(err)
		}
		public, _ := pair.PublicKey()
		members, err := f.Members()
		if err != nil || len(members) != 2 || members[1] != (Member{"official", session.Official, public}) || i.Seed == old.Seed || i.URLs[0] != "tls://a:4222" {
			t.Fatalf("members %+v, %v; invitation %+v", members, err, i)
		}
		if err := f.writeMembers(members[:1]); err != nil {
			t.Fatal(err)
		}
		old = i
	}
}

func TestOneHostOnThisMachine(t *testing.T) {
	f := newFolder(t, "monza")
	unlock, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Lock()
	if err == nil || !strings.HasPrefix(err.Error(), "session monza is hosted already, by process ") || strings.Contains(err.Error(), "process ;") {
		t.Errorf("a second host: %v", err)
	}
	unlock()
	if unlock, err = f.Lock(); err != nil {
		t.Error("after the first has ended:", err)
	}
	unlock()
}

func TestChangesOfMembersAreSeen(t *testing.T) {
	f := newFolder(t, "monza")
	seen := make(chan []Member, 10)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go f.Watch(ctx, func(m []Member) { seen <- m }, func(err error) { t.Error(err) })
	next := func() (members []Member) {
		select {
		case members = <-seen:
		case <-time.After(5 * time.Minute):
			t.Fatal("no change was seen")
		}
		return members
	}
	if got := next(); len(got) != 2 {
		t.Errorf("at the beginning: %v", got)
	}
	invited(t, f, "alice", session.Rig)
	if got := next(); len(got) != 3 || got[0].ID != "alice" {
		t.Errorf("after alice was invited: %v", got)
	}
	if err := f.Revoke("alice"); err != nil {
		t.Fatal(err)
	}
	if got := next(); len(got) != 2 {
		t.Errorf("after alice was revoked: %v", got)
	}
}

func TestServersOfOnesOwn(t *testing.T) {
	f := newFolder(t, "monza")
	own, err := f.Servers()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UseServers(Servers{URLs: []string{"tls://a:4222"}}, false); err != nil {
		t.Fatal(err)
	}
	for _, i := range []Invitation{invited(t, f, "alice", session.Rig), must(Read(f.Path(HostFile))), must(Read(f.Path(OfficialFile)))} {
		if i.URLs[0] != "tls://a:4222" || i.CA != "" || i.ServerName != "" {
			t.Errorf("%+v", i)
		}
	}
	if err := f.UseServers(Servers{URLs: []string{"tls://b:4777"}}, true); err != nil {
		t.Fatal(err)
	}
	if i := must(f.Host()); i.URLs[0] != "tls://b:4777" || i.CA != own.CA || i.ServerName != "monza" {
		t.Errorf("%+v", i)
	}
	if err := f.UseServers(Servers{URLs: []string{"nats://b:4777"}}, true); err == nil {
		t.Error("servers without TLS were accepted")
	}
}

func must(i Invitation, err error) Invitation {
	if err != nil {
		panic(err)
	}
	return i
}
