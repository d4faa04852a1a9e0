package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/session"
	"rig.example/rig/internal/session/keys"
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

// folder returns the folder of the session. make says whether a new one is made for a name that is not there yet.
func (c *hostedFlags) folder(make bool) (*keys.Folder, error) {
	root := c.Folder
	if root == "" {
		var err error
		if root, err = keys.DefaultRoot(os.Getenv, os.Getuid()); err != nil {
			return nil, err
		}
	}
	if err := wrongUsage(checkSessionName(c.Session)); err != nil {
		return nil, err
	}
	names, err := keys.Sessions(root)
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	name := session.ID(c.Session)
	switch {
	case name == "" && len(names) == 1:
		name = names[0]
	case name == "" && len(names) == 0:
		return nil, wrongUsage(fmt.Errorf("%s has no session; make one: rig session host NAME", printable.Name(root)))
	case name == "":
		return nil, wrongUsage(fmt.Errorf("--session: which? %s has %s", printable.Name(root), joinIDs(names)))
	case !make:
		if _, err := os.Stat(filepath.Join(root, c.Session)); err != nil {
			return nil, wrongUsage(fmt.Errorf("--session: %s has no session %s; it has: %s", printable.Name(root), name, joinIDs(names)))
		}
	}
	return keys.OpenFolder(root, name)
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

// checkSessionName returns an error for a --session that is neither empty nor a name.
func checkSessionName(name string) error {
	if name == "" {
		return nil
	}
	if err := session.CheckID(name); err != nil {
		return fmt.Errorf("--session: %w", err)
	}
	return nil
}

func joinIDs(ids []session.ID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = string(id)
	}
	return strings.Join(names, ", ")
}
