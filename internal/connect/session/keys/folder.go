package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/sys/unix"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// DefaultPort is the port of the host's own server, and that of the cars' states by UDP.
const DefaultPort = 4777

// Files in the folder of a session.
const (
	certificateFile = "certificate.pem"
	membersFile     = "members.json"
	serversFile     = "servers.toml"
	lockFile        = "host.lock"
	changeFile      = "change.lock"
	HostFile        = "host.rig"     // invitation of the host itself
	OfficialFile    = "official.rig" // invitation for race control on the host's machine
	StoreFolder     = "store"        // of the own server's streams
)

// Folder is that of a hosted session: keys of its members, certificate, store of its events and results. Only its
// owner can read it.
type Folder struct {
	path    string
	session session.ID
}

// Servers are those of a session's bus.
type Servers struct {
	URLs []string `toml:"urls"`
	CA   string   `toml:"ca,multiline"` // as in Invitation
	Name string   `toml:"name"`         // as Invitation.ServerName
}

// DefaultRoot returns the folder of a user's sessions. Root's are those of the service.
func DefaultRoot(getenv func(string) string, uid int) (string, error) {
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "rig", "sessions"), nil
	}
	if uid == 0 {
		return "/var/lib/rig/sessions", nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local/share/rig/sessions"), nil
	}
	return "", errors.New("session: no folder for sessions: HOME is not set; set --folder")
}

// Sessions returns the names of the sessions in a folder of sessions, in alphabetical order.
func Sessions(root string) (names []session.ID, err error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(root, e.Name(), membersFile)); err == nil && session.CheckID(e.Name()) == nil {
			names = append(names, session.ID(e.Name()))
		}
	}
	return names, err
}

// OpenFolder opens the folder of a session below root, which is DefaultRoot's if it is empty. It makes the folder,
// with a certificate and the keys of host and race control, if it is not there yet.
func OpenFolder(root string, s session.ID) (*Folder, error) {
	if err := session.CheckID(string(s)); err != nil {
		return nil, err
	}
	if root == "" {
		var err error
		if root, err = DefaultRoot(os.Getenv, os.Getuid()); err != nil {
			return nil, err
		}
	}
	f := &Folder{filepath.Join(root, string(s)), s}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, fmt.Errorf("session %s: %s cannot be made: %w", s, printable.Name(f.path), sink.WithoutPath(err))
	}
	if err := f.close(); err != nil {
		return nil, err
	}
	return f, f.change(f.complete)
}

// close takes the folder from all but its owner, if it was there already and others could read or change it.
func (f *Folder) close() error {
	st, err := os.Stat(f.path)
	if err == nil && st.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(f.path, 0o700)
	}
	if err != nil {
		return fmt.Errorf("session %s: %s must be for its owner alone: %w; chmod 700 it as its owner, or choose another folder", f.session, printable.Name(f.path), sink.WithoutPath(err))
	}
	return nil
}

// complete makes what the folder has not got yet. It ends with the list of members, so that it begins again after a
// crash.
func (f *Folder) complete() error {
	if _, err := os.Stat(f.Path(membersFile)); err == nil {
		return nil
	}
	if _, err := os.Stat(f.Path(certificateFile)); err != nil {
		text, err := newCertificate(f.session)
		if err != nil {
			return err
		}
		if err := writeSecret(f.Path(certificateFile), text); err != nil {
			return err
		}
	}
	servers, err := f.own([]string{"tls://127.0.0.1:" + strconv.Itoa(DefaultPort)})
	if err != nil {
		return err
	}
	if err := writeTOML(f.Path(serversFile), "# Servers of the session's bus, for new invitations.\n", servers); err != nil {
		return err
	}
	var members []Member
	for name, role := range map[string]session.Role{HostFile: Host, OfficialFile: session.Official} {
		id := session.ID(role)
		i, m, err := f.newKey(id, role, servers)
		if err != nil {
			return err
		}
		if err := Write(f.Path(name), i); err != nil {
			return err
		}
		members = append(members, m)
	}
	return f.writeMembers(members)
}

// Session returns the name of the folder's session.
func (f *Folder) Session() session.ID { return f.session }

// Path returns the path of a file or folder in the session's folder.
func (f *Folder) Path(elements ...string) string {
	return filepath.Join(append([]string{f.path}, elements...)...)
}

// Host returns the host's own invitation.
func (f *Folder) Host() (Invitation, error) { return Read(f.Path(HostFile)) }

// UseServers keeps where the bus is, for new invitations and for those of host and race control. CA and name are
// those of the host's own server unless own is false.
func (f *Folder) UseServers(s Servers, own bool) error {
	if own {
		var err error
		if s, err = f.own(s.URLs); err != nil {
			return err
		}
	}
	if err := CheckURLs(s.URLs); err != nil {
		return err
	}
	return f.change(func() error {
		for _, name := range []string{HostFile, OfficialFile} {
			i, err := Read(f.Path(name))
			if err != nil {
				return err
			}
			i.URLs, i.CA, i.ServerName = s.URLs, s.CA, s.Name
			if err := Write(f.Path(name), i); err != nil {
				return err
			}
		}
		return writeTOML(f.Path(serversFile), "# Servers of the session's bus, for new invitations.\n", s)
	})
}

// Servers returns where the session's bus is.
func (f *Folder) Servers() (s Servers, err error) {
	data, err := userfile.Read(f.Path(serversFile), maxInvitation)
	if err == nil {
		err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&s)
	}
	if err != nil {
		return s, fmt.Errorf("session %s: %s: %s", f.session, printable.Name(f.Path(serversFile)), printable.Excerpt(sink.WithoutPath(err).Error()))
	}
	return s, nil
}

// Lock keeps other programs on this machine from hosting the session until unlock is called or the program ends.
func (f *Folder) Lock() (unlock func(), err error) {
	file, err := f.flock(lockFile, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		pid, _ := os.ReadFile(f.Path(lockFile))
		return nil, fmt.Errorf("session %s is hosted already, by process %s; end it first or choose another name", f.session, printable.Excerpt(strings.TrimSpace(string(pid))))
	}
	if err != nil {
		return nil, err
	}
	if err = file.Truncate(0); err == nil {
		_, err = fmt.Fprintf(file, "%d\n", os.Getpid())
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("session %s: %w", f.session, err)
	}
	return func() { file.Close() }, nil
}

// change calls work while no other program changes keys of the folder.
func (f *Folder) change(work func() error) error {
	file, err := f.flock(changeFile, unix.LOCK_EX)
	if err != nil {
		return err
	}
	defer file.Close()
	return work()
}

// flock returns an open file of the folder, locked as how says until it is closed.
func (f *Folder) flock(name string, how int) (*os.File, error) {
	file, err := os.OpenFile(f.Path(name), os.O_RDWR|os.O_CREATE|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("session %s: %s cannot be written: %w", f.session, printable.Name(f.Path(name)), sink.WithoutPath(err))
	}
	for {
		switch err := unix.Flock(int(file.Fd()), how); {
		case err == nil:
			return file, nil
		case !errors.Is(err, unix.EINTR):
			file.Close()
			return nil, fmt.Errorf("session %s: lock of %s: %w", f.session, printable.Name(f.Path(name)), err)
		}
	}
}
