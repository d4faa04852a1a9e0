package outputs

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/files/config"
)

// Check checks what a configuration sends and serves to other programs.
func Check(cfg *config.Config, add func(check, where, what, remedy string)) {
	o := Of(cfg)
	checkListen(o.Web.Listen, add)
	for i, out := range o.Telemetry.Outs {
		where := fmt.Sprintf("telemetry.out[%d]", i)
		if out.To == "" {
			continue
		}
		if _, err := net.ResolveUDPAddr("udp", out.To); err != nil {
			add("telemetry", where, err.Error(), "correct `to`, or give the address as numbers; rig tries again every few seconds")
		}
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
