package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

type sessionInviteCmd struct {
	hostedFlags
	Member string   `arg:"" help:"Name of the rig or person: 1 to 24 of a-z, 0-9 and -."`
	Role   string   `enum:"rig,watcher,official,worker" default:"rig" help:"What it may do: rig (drive), watcher (look on), official (race control), worker (calculate). Default: rig."`
	Out    string   `type:"path" placeholder:"F" help:"Write the key into this file. Default: SESSION-MEMBER.rig."`
	URL    []string `name:"url" placeholder:"tls://HOST:PORT" help:"How the member reaches the servers, if not as the host was started. May be given more than once."`
	CA     string   `name:"ca" type:"path" placeholder:"F" help:"With --url: these are servers of your own, with certificates by this authority (PEM). New keys are for them from now on."`
}

func (c *sessionInviteCmd) Run(s *streams) error {
	if err := wrongUsage(c.check()); err != nil {
		return err
	}
	f, err := c.folder(s.out)
	if err != nil {
		return err
	}
	out := c.Out
	if out == "" {
		out = fmt.Sprintf("%s-%s.rig", f.Session(), c.Member)
	}
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("session: %s exists; remove it, or name another file with --out", printable.Name(out))
	}
	if err := c.useServers(f); err != nil {
		return err
	}
	i, err := f.Invite(session.ID(c.Member), session.Role(c.Role), c.URL)
	if err != nil {
		return err
	}
	if err := keys.Write(out, i); err != nil {
		return errors.Join(err, f.Revoke(i.Member))
	}
	return printInvitation(s.out, out, i)
}

// check returns an error for arguments that cannot be used.
func (c *sessionInviteCmd) check() error {
	if err := session.CheckID(c.Member); err != nil {
		return err
	}
	if c.CA != "" && len(c.URL) == 0 {
		return errors.New("--ca: it needs --url, which says where your servers are")
	}
	if len(c.URL) > 0 {
		if err := keys.CheckURLs(c.URL); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	return nil
}

// useServers keeps the user's own servers, if --ca says that there are any.
func (c *sessionInviteCmd) useServers(f *keys.Folder) error {
	if c.CA == "" {
		return nil
	}
	ca, err := userfile.Read(c.CA, userfile.MaxText)
	if err != nil {
		return wrongUsage(fmt.Errorf("--ca: %s: %w", printable.Name(c.CA), sink.WithoutPath(err)))
	}
	return wrongUsage(f.UseServers(keys.Servers{URLs: c.URL, CA: string(ca)}, false))
}

// printInvitation says what was made, and what to do with it.
func printInvitation(w io.Writer, path string, i keys.Invitation) error {
	use := map[session.Role]string{
		session.Rig: "rig session join", session.Watcher: "rig session watch --session",
		session.Official: "rig session watch --session", session.Worker: "rig worker",
	}[i.Role]
	path = printable.Name(path)
	fmt.Fprintf(w, "%s is the key of %s (%s) to the session %s. It is a secret: copy it by a safe way, for instance scp.\n", path, i.Member, i.Role, i.Session)
	_, err := fmt.Fprintf(w, "on that machine: %s %s\n", use, path)
	if !slices.ContainsFunc(i.URLs, func(u string) bool { return !isLoopback(u) }) {
		_, err = fmt.Fprintln(w, "it holds for this machine only; for others host with --listen ADDRESS:PORT first, or give --url tls://ADDRESS:PORT")
	}
	return err
}

func isLoopback(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" || u.Hostname() == "localhost")
}

type sessionRevokeCmd struct {
	hostedFlags
	Member string `arg:"" help:"Name of the rig or person."`
}

func (c *sessionRevokeCmd) Run(s *streams) error {
	if err := wrongUsage(session.CheckID(c.Member)); err != nil {
		return err
	}
	f, err := c.folder(nil)
	if err != nil {
		return err
	}
	if err := f.Revoke(session.ID(c.Member)); err != nil {
		return err
	}
	text := "a host that is running disconnects it now"
	if servers, err := f.Servers(); err != nil {
		return err
	} else if servers.Name == "" {
		text = "your servers still know it: give them the new rig session members --server-config, and reload them"
	}
	_, err = fmt.Fprintf(s.out, "the key of %s opens nothing any more; %s\n", c.Member, text)
	return err
}

type sessionMembersCmd struct {
	hostedFlags
	JSON         bool `name:"json" xor:"form" help:"Print one JSON object."`
	ServerConfig bool `xor:"form" help:"Print the session's account for the configuration of a nats-server of your own."`
}

func (c *sessionMembersCmd) Run(s *streams) error {
	f, err := c.folder(nil)
	if err != nil {
		return err
	}
	members, err := f.Members()
	if err != nil {
		return err
	}
	switch {
	case c.ServerConfig:
		return keys.WriteServerConfig(s.out, f.Session(), members)
	case c.JSON:
		return json.NewEncoder(s.out).Encode(map[string]any{"session": f.Session(), "members": members})
	}
	for _, m := range members {
		if _, err := fmt.Fprintf(s.out, "%-24s  %-8s  %s\n", m.ID, m.Role, m.PublicKey); err != nil {
			return err
		}
	}
	return nil
}
