package check

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/files/config"
)

// checkOutputs checks what the configuration sends and serves to other programs.
func checkOutputs(cfg config.Config, add func(check, where, what, remedy string)) {
	checkListen(cfg.Web.Listen, add)
	if path := cfg.Session.Invitation; path != "" {
		if i, err := keys.Read(path); err != nil {
			add("session", "session.invitation", err.Error(), "copy the file again from the host's machine, or ask for a new invitation; empty is no session")
		} else if i.Role != session.Rig {
			add("session", "session.invitation", "it is for a "+string(i.Role)+", which does not drive", "ask for an invitation made with --role rig")
		}
	}
	for i, out := range cfg.Telemetry.Outs {
		where := fmt.Sprintf("telemetry.out[%d]", i)
		if out.To == "" {
			continue
		}
		if _, err := net.ResolveUDPAddr("udp", out.To); err != nil {
			add("telemetry", where, err.Error(), "correct `to`, or give the address as numbers; rig tries again every few seconds")
		}
	}
}

// checkGame listens for a moment to the game that rig follow is to follow.
func checkGame(cfg config.Config, add func(check, where, what, remedy string)) {
	if cfg.Follow.Source == "" {
		return
	}
	hub, err := games.New(cfg.Follow, slog.New(slog.DiscardHandler))
	if err != nil {
		add("follow", "follow", err.Error(), "a running rig follow may listen there already")
		return
	}
	const listen = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), listen)
	defer cancel()
	_ = hub.Run(ctx) // its ports are closed again
	var packet follow.Sample
	if hub.Latest(&packet); packet.Number == 0 {
		add("follow", "follow", hub.Status(), "start the game and drive, then check again; see docs/games.md")
	}
}

// checkListen checks that the web page can be served where the configuration says.
func checkListen(address string, add func(check, where, what, remedy string)) {
	if address == "" {
		return
	}
	l, err := net.Listen("tcp", address)
	if err == nil {
		l.Close()
		return
	}
	remedy := "set web.listen to an address of this machine and a free port"
	if errors.Is(err, unix.EADDRINUSE) {
		remedy = "a running rig may serve it already; else end the other program, or set web.listen to another port"
	}
	add("web", "web", err.Error(), remedy)
}
