package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"

	"rsc.io/qr"

	"rig.example/rig/internal/connect/dash"
	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/files/config"
)

type dashCmd struct {
	Config string `type:"path" placeholder:"F" help:"Read this configuration file."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

// dashAddresses are the addresses of the web page.
type dashAddresses struct {
	Own   string   `json:"own,omitempty"` // from this machine; reading needs no token
	Other []string `json:"other"`         // from others, with the token
	Token string   `json:"token"`
}

func (c *dashCmd) Run(s *streams) error {
	cfg, _, err := s.configuration(c.Config)
	if err != nil {
		return err
	}
	listen := outputs.Of(&cfg).Web.Listen
	if listen == "" {
		return &config.Problem{File: "web.listen", Text: "is not set, so there is no web page; set it to 127.0.0.1:8888, or to 0.0.0.0:8888 for a phone"}
	}
	path, err := outputs.TokenFile()
	if err != nil {
		return err
	}
	token, err := dash.Token(path)
	if err != nil {
		return err
	}
	own, err := machineAddresses()
	if err != nil {
		return err
	}
	a, err := addressesOf(listen, token, own)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(a)
	}
	return a.print(s)
}

// machineAddresses returns the addresses of this machine's network interfaces.
func machineAddresses() (list []netip.Addr, err error) {
	all, err := net.InterfaceAddrs()
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			list = append(list, p.Addr())
		}
	}
	return list, err
}

// addressesOf returns the addresses at which the page can be opened, if it listens at listen on a machine with the given
// addresses.
func addressesOf(listen, token string, own []netip.Addr) (a dashAddresses, err error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return a, err
	}
	a = dashAddresses{Other: []string{}, Token: token}
	at, err := netip.ParseAddr(host)
	all := host == "" || err == nil && at.IsUnspecified()
	if !all {
		own = []netip.Addr{at}
	}
	for _, addr := range own {
		switch {
		case !addr.IsValid() && host == "localhost", addr.IsLoopback():
			if a.Own == "" {
				a.Own = "http://" + net.JoinHostPort("localhost", port) + "/"
			}
		case !addr.IsValid():
			a.Other = append(a.Other, "http://"+listen+"/#token="+token)
		case !addr.IsLinkLocalUnicast():
			a.Other = append(a.Other, "http://"+net.JoinHostPort(addr.String(), port)+"/#token="+token)
		}
	}
	return a, nil
}

// print prints the addresses, and the first one for others as a QR code for a phone's camera.
func (a *dashAddresses) print(s *streams) error {
	if a.Own != "" {
		fmt.Fprintln(s.out, "on this machine:", a.Own)
	}
	if len(a.Other) == 0 {
		_, err := fmt.Fprintln(s.out, "other machines cannot reach it: web.listen is an address of this machine alone\nto change gains, open", a.Own+"#token="+a.Token)
		return err
	}
	for _, url := range a.Other {
		fmt.Fprintln(s.out, "phone, tablet:  ", url)
	}
	if t := terminal(s.out); t != nil {
		code, err := qr.Encode(a.Other[0], qr.M)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(t, qrText(code)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(s.out, "the token is needed to lower gains; the red button needs none")
	return err
}

// qrText returns a QR code as text, two rows of it in a line, dark on light with a margin.
func qrText(code *qr.Code) string {
	const margin = 2
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		b.WriteString("\x1b[30;47m")
		for x := -margin; x < code.Size+margin; x++ {
			upper, lower := code.Black(x, y), code.Black(x, y+1)
			b.WriteString(map[[2]bool]string{{true, true}: "█", {true, false}: "▀", {false, true}: "▄", {false, false}: " "}[[2]bool{upper, lower}])
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}
