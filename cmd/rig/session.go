package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/kit/printable"
)

// sessionCmd has the commands of a session of several rigs.
type sessionCmd struct {
	Host    sessionHostCmd    `cmd:"" help:"Host a session: bus, race control, cars' states."`
	Join    sessionJoinCmd    `cmd:"" help:"Drive in a session, as rig run does."`
	Invite  sessionInviteCmd  `cmd:"" help:"Make a member's key: a file to copy to its machine."`
	Revoke  sessionRevokeCmd  `cmd:"" help:"Withdraw a member's key, at once and for good."`
	Members sessionMembersCmd `cmd:"" help:"List those who have a key, or print a server's config."`
	Watch   sessionWatchCmd   `cmd:"" help:"Show who is there, places, gaps, safety, health."`
	Grid    sessionGridCmd    `cmd:"" help:"Fix the order of the grid."`
	Start   sessionStartCmd   `cmd:"" help:"Start the race after a countdown."`
	Abort   sessionAbortCmd   `cmd:"" help:"Call off a countdown."`
	Pause   sessionPauseCmd   `cmd:"" help:"Pause all rigs; the time of the race stands still."`
	Resume  sessionResumeCmd  `cmd:"" help:"Let a paused session go on."`
	Stop    sessionStopCmd    `cmd:"" help:"Ask every rig for its software stop; wait for each."`
	Flag    sessionFlagCmd    `cmd:"" help:"Show a flag to everybody."`
	Notice  sessionNoticeCmd  `cmd:"" help:"Show a text to everybody."`
	Penalty sessionPenaltyCmd `cmd:"" help:"Add seconds to a rig's time."`
	End     sessionEndCmd     `cmd:"" help:"End the session; the results are final."`
	Results sessionResultsCmd `cmd:"" help:"Print the results, or write them as CSV or a page."`
}

// hostedFlags name a session that this machine hosts.
type hostedFlags struct {
	Session string `placeholder:"NAME" help:"Name of the session. Default: the only one in the folder."`
	Folder  string `type:"path" placeholder:"D" help:"Folder of sessions. Default: rig/sessions in the folder of your data."`
}

// folder returns the folder of the session. A new one is made and told to announce, or refused if that is nil.
func (c *hostedFlags) folder(announce io.Writer) (*keys.Folder, error) {
	return sessionChoice{flag: "--session", name: c.Session, root: c.Folder}.folder(announce)
}

// sessionChoice is a flag that names a session of a folder.
type sessionChoice struct {
	flag, name string
	root       string // folder of sessions; empty for the user's
	orFile     bool   // the flag takes the file of an invitation too, and errors say so
}

// folder returns the folder of the session, as hostedFlags.folder does. Without a name it is the only one there.
func (c sessionChoice) folder(announce io.Writer) (*keys.Folder, error) {
	names, err := c.others()
	if err != nil {
		return nil, err
	}
	if c.name == "" && len(names) == 1 {
		c.name = string(names[0])
	}
	name := session.ID(c.name)
	isNew := !slices.Contains(names, name)
	if name == "" || isNew && announce == nil {
		return nil, wrongUsage(c.missing(names))
	}
	f, err := keys.OpenFolder(c.root, name)
	if err == nil && isNew {
		fmt.Fprintf(announce, "new session %s in %s\n", name, printable.Name(f.Path()))
	}
	return f, err
}

// others sets the user's folder if none is named, and returns the sessions there.
func (c *sessionChoice) others() (names []session.ID, err error) {
	if c.root == "" {
		if c.root, err = keys.DefaultRoot(os.Getenv, os.Getuid()); err != nil {
			return nil, err
		}
	}
	if c.name != "" {
		if err := session.CheckID(c.name); err != nil {
			return nil, wrongUsage(fmt.Errorf("%s: %w", c.flag, err))
		}
	}
	if names, err = keys.Sessions(c.root); err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	return names, nil
}

// missing returns why no session is chosen, and what to do.
func (c *sessionChoice) missing(names []session.ID) error {
	root, text := printable.Name(c.root), ""
	switch {
	case len(names) == 0 && c.name == "":
		text = fmt.Sprintf("%s has no session; make one: rig session host NAME", root)
	case len(names) == 0:
		text = fmt.Sprintf("%s: %s has no session %s, and no other; make one: rig session host NAME", c.flag, root, c.name)
	case c.name == "":
		text = fmt.Sprintf("%s: which? %s has %s", c.flag, root, session.JoinIDs(names))
	default:
		text = fmt.Sprintf("%s: %s has no session %s; it has: %s", c.flag, root, c.name, session.JoinIDs(names))
	}
	if c.orFile {
		text += "; or name the file of an invitation"
	}
	return errors.New(text)
}

// sessionNames returns the sessions in the user's folder.
func sessionNames() (names []string) {
	root, err := keys.DefaultRoot(os.Getenv, os.Getuid())
	if err != nil {
		return nil
	}
	ids, _ := keys.Sessions(root) // a completion has nobody to tell
	for _, id := range ids {
		names = append(names, string(id))
	}
	return names
}
