//go:build !noserver

package server

import (
	"encoding/base64"
	"sync"

	nats "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
)

// members decides who may connect, and what each may do. The server's own list is of no use here: the server races with
// itself when that changes while requests are under way.
type members struct {
	session session.ID

	mu    sync.Mutex
	byKey map[string]keys.Member
}

// replace makes this the list, and returns those before by their keys.
func (m *members) replace(list []keys.Member) (before map[string]keys.Member) {
	byKey := make(map[string]keys.Member, len(list))
	for _, member := range list {
		byKey[member.PublicKey] = member
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before, m.byKey = m.byKey, byKey
	return before
}

func (m *members) find(publicKey string) (keys.Member, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	member, ok := m.byKey[publicKey]
	return member, ok
}

// Check reports whether a connection that says who it is may come in. It must have signed the server's nonce with the key
// of a member, whose permissions it then gets. Reload relies on this: the server lists a connection with its key before it
// calls Check.
func (m *members) Check(c nats.ClientAuthentication) bool {
	member, ok := m.find(c.GetOpts().Nkey)
	if !ok || c.Kind() != nats.CLIENT {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(c.GetOpts().Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(member.PublicKey)
	if err != nil || key.Verify(c.GetNonce(), signature) != nil {
		return false
	}
	c.RegisterUser(&nats.User{Permissions: permissions(m.session, member)})
	return true
}

// permissions returns those of a member as NATS wants them.
func permissions(s session.ID, m keys.Member) *nats.Permissions {
	p := m.Permissions(s)
	return &nats.Permissions{
		Publish:   &nats.SubjectPermission{Allow: p.Publish},
		Subscribe: &nats.SubjectPermission{Allow: p.Subscribe},
	}
}
