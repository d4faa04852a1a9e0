package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
)

// sessionJoinCmd drives as `rig run` does, in a session.
type sessionJoinCmd struct {
	File string `arg:"" name:"file.rig" help:"The invitation: a file of rig session invite."`
	runCmd
}

func (c *sessionJoinCmd) Run(s *streams) error {
	c.invitation = c.File
	return c.runCmd.Run(s)
}

// joinTime is how long the host may take to answer before a drive.
const joinTime = 10 * time.Second

// session returns the session in which the drive takes part, or nil: that of `rig session join`, which asks the host first,
// or the configured one.
func (c *runCmd) session(cfg *config.Config, log *slog.Logger) (*member.Part, error) {
	path := cmp.Or(c.invitation, member.Of(cfg).Invitation)
	if path == "" {
		return nil, nil
	}
	i, err := keys.Read(path)
	if err != nil {
		return nil, wrongUsage(err)
	}
	if i.Role != session.Rig {
		return nil, wrongUsage(fmt.Errorf("%s: it is for a %s, which does not drive; ask for one made with --role rig", printable.Name(path), i.Role))
	}
	own := member.Of(cfg)
	s := &member.Part{Invitation: i, Driver: cmp.Or(own.Driver, cfg.Driver), Car: cfg.Car, Track: cfg.Track, Show: own.Show}
	if c.invitation == "" {
		return s, nil
	}
	s.Place = func(j session.Join) (int, error) {
		ctx, cancel := context.WithTimeout(context.Background(), joinTime)
		defer cancel()
		answer, err := member.Ask(ctx, i, j, log)
		if err != nil {
			return 0, fmt.Errorf("%w; to drive alone until the host is there: session.invitation in rig.toml, and rig run", err)
		}
		return answer.Grid, nil
	}
	return s, nil
}

// sessionMemberCmd is the process of a rig that takes part in a session. It inherits the page, a connection for orders and
// the memory for the other cars as descriptors 3 to 5, and reads its options from stdin.
type sessionMemberCmd struct{}

func (c *sessionMemberCmd) Run(s *streams) error {
	return serveRig(s, "session-member", func(ctx context.Context, p *framepage.Page, conn net.Conn, o member.Options, log *slog.Logger) error {
		others, err := framepage.InheritOthers(os.NewFile(5, "5"), true)
		if err != nil {
			return err
		}
		defer others.Close()
		return member.Run(ctx, p, others, conn, o, log)
	})
}
