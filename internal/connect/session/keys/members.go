package keys

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/nats-io/nkeys"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// Member is one who may take part in a session.
type Member struct {
	ID        session.ID   `json:"id"`
	Role      session.Role `json:"role"`
	PublicKey string       `json:"key"`
}

const (
	maxMembers     = 4096
	maxMembersFile = 1 << 20                // [bytes]
	watchPeriod    = 200 * time.Millisecond // of looking at the list
)

// Invite makes a key for a new member and adds the member to the list. urls say how this member reaches the bus; nil
// means as the session's folder says.
func (f *Folder) Invite(member session.ID, role session.Role, urls []string) (i Invitation, err error) {
	if err := session.CheckID(string(member)); err != nil {
		return i, err
	}
	if !slices.Contains(session.Roles(), role) {
		return i, fmt.Errorf("role %s: must be one of %s", printable.Name(string(role)), roleNames())
	}
	servers, err := f.Servers()
	if err != nil {
		return i, err
	}
	if urls != nil {
		servers.URLs = urls
	}
	err = f.change(func() error {
		members, err := f.Members()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(members, func(m Member) bool { return m.ID == member }) {
			return fmt.Errorf("session %s: %s has a key already; to make a new one: rig session revoke %s", f.session, member, member)
		}
		if len(members) >= maxMembers {
			return fmt.Errorf("session %s: it has %d members, and more are not possible", f.session, maxMembers)
		}
		var m Member
		if i, m, err = f.newKey(member, role, servers); err != nil {
			return err
		}
		if err := i.check(); err != nil {
			return err
		}
		return f.writeMembers(append(members, m))
	})
	return i, err
}

// Revoke removes a member: its key opens nothing any more. Race control on the host's machine gets a new one, in OfficialFile.
func (f *Folder) Revoke(member session.ID) error {
	return f.change(func() error {
		members, err := f.Members()
		if err != nil {
			return err
		}
		rest := slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return m.ID == member })
		switch {
		case member == session.ID(Host):
			return fmt.Errorf("session %s: the host's own key cannot be revoked", f.session)
		case member == session.ID(session.Official):
			m, err := f.newOfficial()
			if err != nil {
				return err
			}
			rest = append(rest, m)
		case len(rest) == len(members):
			return fmt.Errorf("session %s: no member is named %s; rig session members lists them", f.session, printable.Name(string(member)))
		}
		return f.writeMembers(rest)
	})
}

// newOfficial replaces the invitation of race control on the host's machine, and returns its member for the list. If the
// list is not written after it, revoking it again puts that right.
func (f *Folder) newOfficial() (m Member, err error) {
	servers, err := f.Servers()
	if err != nil {
		return m, err
	}
	i, m, err := f.newKey(session.ID(session.Official), session.Official, servers)
	if err != nil {
		return m, err
	}
	return m, Write(f.Path(OfficialFile), i)
}

// Members returns all who may take part, by name.
func (f *Folder) Members() ([]Member, error) {
	data, err := userfile.Read(f.Path(membersFile), maxMembersFile)
	if err == nil {
		var members []Member
		if members, err = parseMembers(data); err == nil {
			return members, nil
		}
	}
	return nil, fmt.Errorf("session %s: %s: %s", f.session, printable.Name(f.Path(membersFile)), printable.Excerpt(sink.WithoutPath(err).Error()))
}

// parseMembers returns the members in a file's text.
func parseMembers(data []byte) (members []Member, err error) {
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	seen := map[session.ID]bool{}
	for _, m := range members {
		if err := session.CheckID(string(m.ID)); err != nil {
			return nil, err
		}
		if m.Role != Host && !slices.Contains(session.Roles(), m.Role) || !nkeys.IsValidPublicUserKey(m.PublicKey) || seen[m.ID] {
			return nil, fmt.Errorf("member %s: unknown role, invalid key or named twice", m.ID)
		}
		seen[m.ID] = true
	}
	return members, nil
}

// writeMembers replaces the list.
func (f *Folder) writeMembers(members []Member) error {
	slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.ID, b.ID) })
	text, err := json.MarshalIndent(members, "", "\t")
	if err != nil {
		return err
	}
	return writeSecret(f.Path(membersFile), append(text, '\n'))
}

// newKey makes a key pair: the secret half in an invitation, the public half for the list.
func (f *Folder) newKey(member session.ID, role session.Role, s Servers) (i Invitation, m Member, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return i, m, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return i, m, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return i, m, err
	}
	i = Invitation{Session: f.session, Member: member, Role: role, URLs: s.URLs, ServerName: s.Name, Seed: string(seed), CA: s.CA}
	return i, Member{ID: member, Role: role, PublicKey: public}, nil
}

// Watch calls changed with the list of members at the beginning and after each change of it, until ctx ends. A list
// that cannot be read is an error for failed; the last one stays in force.
func (f *Folder) Watch(ctx context.Context, changed func([]Member), failed func(error)) {
	tick := time.NewTicker(watchPeriod)
	defer tick.Stop()
	var last os.FileInfo
	for {
		now, err := os.Stat(f.Path(membersFile))
		if err == nil && (last == nil || !os.SameFile(last, now) || !now.ModTime().Equal(last.ModTime())) {
			last = now
			if members, err := f.Members(); err != nil {
				failed(err)
			} else {
				changed(members)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
