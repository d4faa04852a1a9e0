package check

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/config"
)

// checkOutputs checks what the configuration sends and serves to other programs.
func checkOutputs(cfg config.Config, add func(level, where, what, remedy string)) {
	checkListen(cfg.Web.Listen, add)
	for i, out := range cfg.Telemetry.Outs {
		where := fmt.Sprintf("telemetry.out[%d]", i)
		if out.To == "" {
			continue
		}
		if _, err := net.ResolveUDPAddr("udp", out.To); err != nil {
			add("warning", where, err.Error(), "correct `to`, or give the address as numbers; rig tries again every few seconds")
		}
	}
}

// checkListen checks that the web page can be served where the configuration says.
func checkListen(address string, add func(level, where, what, remedy string)) {
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
	add("warning", "web", err.Error(), remedy)
}
