package dash

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Config says where the page of a running rig is served.
type Config struct {
	// address and port of the page for phones and tablets, such as `127.0.0.1:8888` for this computer alone, or
	// `0.0.0.0:8888` for all devices of the network; empty is off
	Listen string `toml:"listen"`
	// further names or addresses by which the page may be opened; addresses of this computer and `localhost` are
	// always allowed
	Hosts []string `toml:"hosts" count:"0..16"`
}

// DefaultConfig serves no page.
func DefaultConfig() Config { return Config{} }

// Validate reports every key that cannot be used, with what it may be.
func (c Config) Validate() error {
	errs := []error{valid.Struct(c), c.validateListen()}
	for i, host := range c.Hosts {
		if !isHost(host) {
			errs = append(errs, fmt.Errorf("hosts[%d] = %q: must be a name such as rig.local, or an address, without a port", i, host))
		}
	}
	return errors.Join(errs...)
}

func (c Config) validateListen() error {
	if c.Listen == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(c.Listen)
	number, portErr := strconv.ParseUint(port, 10, 16)
	_, addressErr := netip.ParseAddr(host)
	if err != nil || portErr != nil || number == 0 || addressErr != nil && host != "" && host != "localhost" {
		return fmt.Errorf("listen = %q: must be an address and a port from 1 to 65535, such as 127.0.0.1:8888", c.Listen)
	}
	return nil
}

// hostName matches names of computers.
var hostName = regexp.MustCompile(`^(?i)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// isHost reports whether s is a name of a computer or an IP address.
func isHost(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil || len(s) <= 253 && hostName.MatchString(s)
}

// allowedHosts returns the names of c.Hosts as a request's Host header is compared with them.
func (c Config) allowedHosts() map[string]bool {
	names := map[string]bool{}
	for _, host := range c.Hosts {
		names[strings.ToLower(host)] = true
	}
	return names
}
