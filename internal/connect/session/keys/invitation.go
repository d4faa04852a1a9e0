// Package keys makes and reads the secret keys of a session: invitations, which are files to copy, and the folder of
// a hosted session with its certificate and the list of those who may take part. It also says what each role may do
// on the bus. A key that is not in the list opens nothing.
package keys

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/nats-io/nkeys"
	"github.com/pelletier/go-toml/v2"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// Host is the role of the session's host, which only its own folder has a key for.
const Host session.Role = "host"

// Invitation is a member's key to a session, with all that it needs to find the servers and to know them.
type Invitation struct {
	Session    session.ID   `toml:"session"`
	Member     session.ID   `toml:"member"`
	Role       session.Role `toml:"role"`
	URLs       []string     `toml:"urls"`                  // of the bus; each is tls://HOST:PORT
	ServerName string       `toml:"server_name,omitempty"` // that the servers' certificate must have; empty for the host of each URL
	Seed       string       `toml:"seed"`                  // the secret: seed of an nkey of a user
	CA         string       `toml:"ca,multiline"`          // certificates that the servers' must descend from, as PEM; empty for those of this machine
}

const (
	maxInvitation = 64 << 10 // [bytes]
	maxURLs       = 64
	firstLine     = "# An invitation to a session of rigs. It is a secret: who has this file can take part as this member.\n"
)

// Read reads an invitation. It refuses a file that other users can read.
func Read(path string) (Invitation, error) {
	i, err := read(path)
	if err != nil {
		return i, fmt.Errorf("invitation %s: %w", printable.Name(path), sink.WithoutPath(err))
	}
	return i, nil
}

func read(path string) (i Invitation, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return i, err
	}
	if st.Mode().IsRegular() && st.Mode().Perm()&0o077 != 0 {
		return i, errors.New("other users of this machine can read or change it: chmod 600, or copy it into your home folder first")
	}
	data, err := userfile.Read(path, maxInvitation)
	if err != nil {
		return i, err
	}
	return parse(data)
}

// parse returns the invitation in a file's text.
func parse(data []byte) (i Invitation, err error) {
	if !bytes.HasPrefix(userfile.WithoutBOM(data), []byte("# An invitation to a session of rigs.")) {
		return i, errors.New("not an invitation: its first line is another one")
	}
	text, line, err := userfile.TOML(data, 100)
	if err != nil {
		return i, fmt.Errorf("line %d: %w", line, err)
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&i); err != nil {
		return i, fmt.Errorf("damaged (%s): copy it again", printable.Excerpt(err.Error()))
	}
	return i, i.check()
}

func (i *Invitation) check() error {
	if err := session.CheckID(string(i.Session)); err != nil {
		return fmt.Errorf("session = %w", err)
	}
	if err := session.CheckID(string(i.Member)); err != nil {
		return fmt.Errorf("member = %w", err)
	}
	if i.Role != Host && !slices.Contains(session.Roles(), i.Role) {
		return fmt.Errorf("role = %q: must be one of %s", printable.Name(string(i.Role)), roleNames())
	}
	if strings.ContainsFunc(i.ServerName, func(r rune) bool { return r <= ' ' || r > '~' }) || len(i.ServerName) > 253 {
		return errors.New("server_name: must be a name of a host")
	}
	if _, err := i.Key(); err != nil {
		return err
	}
	if i.CA != "" && !x509.NewCertPool().AppendCertsFromPEM([]byte(i.CA)) {
		return errors.New("ca: must be certificates as PEM")
	}
	return CheckURLs(i.URLs)
}

// CheckURLs returns an error unless each of urls is that of a server with TLS.
func CheckURLs(urls []string) error {
	if len(urls) == 0 || len(urls) > maxURLs {
		return fmt.Errorf("urls: must be 1 to %d, each tls://HOST:PORT", maxURLs)
	}
	for _, text := range urls {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "tls" || u.Hostname() == "" || u.Port() == "" || u.String() != "tls://"+u.Host {
			return fmt.Errorf("url %s: must be tls://HOST:PORT", printable.Name(text))
		}
	}
	return nil
}

// Key returns the member's key pair.
func (i *Invitation) Key() (nkeys.KeyPair, error) {
	pair, err := nkeys.FromSeed([]byte(i.Seed))
	if err == nil {
		var public string
		if public, err = pair.PublicKey(); err == nil && nkeys.IsValidPublicUserKey(public) {
			return pair, nil
		}
	}
	return nil, errors.New("seed: not the key of a member: copy the file again")
}

// Write writes an invitation to a new file, or over one, which only its owner can read.
func Write(path string, i Invitation) error {
	if err := i.check(); err != nil {
		return fmt.Errorf("invitation %s: %w", printable.Name(path), err)
	}
	return writeTOML(path, firstLine, i)
}

// writeTOML replaces a file, which only its owner can read, by a value below a line of text.
func writeTOML(path, first string, v any) error {
	text, err := toml.Marshal(v)
	if err != nil {
		return err
	}
	return writeSecret(path, append([]byte(first), text...))
}

// writeSecret replaces a file, which only its owner can read.
func writeSecret(path string, text []byte) error {
	err := sink.Replace(path, 0o600, func(f *os.File) error {
		if _, err := f.Write(text); err != nil {
			return err
		}
		return f.Sync()
	})
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", printable.Name(path), sink.WithoutPath(err))
	}
	return nil
}

// roleNames returns the roles that can be invited.
func roleNames() string {
	names := ""
	for _, r := range session.Roles() {
		names += ", " + string(r)
	}
	return strings.TrimPrefix(names, ", ")
}
