package telemetry

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"

	"rig.example/rig/internal/kit/valid"
)

// Config says which programs a running rig sends its state to.
type Config struct {
	// programs that get the rig's state; any number of tables
	Outs []Out `toml:"out" count:"0..16"`
}

// Out is one output.
type Out struct {
	// layout of the packets: `simapi` (the shared memory /dev/shm/SIMAPI.DAT), `outgauge`, `outsim` (OutSim2 with all
	// options), `forza` (Horizon's dash), `beamng` (motion), `dirt` (Rally 2.0), or `json` (a line of text)
	Format string `toml:"format" oneof:"simapi,outgauge,outsim,forza,beamng,dirt,json"`
	// address and port to which packets are sent by UDP, such as `127.0.0.1:4444`; none for `simapi`
	To string `toml:"to"`
	// packets per second; 0 is 100 for `outsim`, `beamng` and `dirt`, otherwise 60
	RateHz float64 `toml:"rate_hz" range:"0 (default of the format) or 1..1000"`
}

const formatSimAPI = "simapi"

// Rate returns the number of packets per second.
func (o Out) Rate() float64 {
	const gauges, motion = 60, 100
	switch {
	case o.RateHz > 0:
		return o.RateHz
	case o.Format == "outsim" || o.Format == "beamng" || o.Format == "dirt":
		return motion
	}
	return gauges
}

// Validate reports every key that cannot be used.
func (c Config) Validate() error {
	errs := []error{valid.Struct(c)}
	memories := 0
	for i, o := range c.Outs {
		if err := o.validateTo(); err != nil {
			errs = append(errs, fmt.Errorf("out[%d].%w", i, err))
		}
		if o.Format == formatSimAPI {
			memories++
		}
	}
	if memories > 1 {
		errs = append(errs, errors.New(`out: two have the format "simapi", and there is one shared memory; remove one`))
	}
	return errors.Join(errs...)
}

// validateTo checks the address of an output.
func (o Out) validateTo() error {
	if o.Format == formatSimAPI {
		if o.To != "" {
			return fmt.Errorf(`to = %q: must be empty, because "simapi" is a shared memory`, o.To)
		}
		return nil
	}
	host, port, err := net.SplitHostPort(o.To)
	number, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || number == 0 || host == "" {
		return fmt.Errorf("to = %q: must be an address or a name and a port from 1 to 65535, such as 127.0.0.1:4444", o.To)
	}
	return nil
}

// CheckLoops returns an error if an output is aimed at this machine and at the port of listen, an address at which this rig
// itself listens; "" is none. own are the addresses of this machine.
func (c Config) CheckLoops(listen string, own []netip.Addr) error {
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil
	}
	for i, o := range c.Outs {
		host, to, err := net.SplitHostPort(o.To)
		if err == nil && to == port && isOwn(host, own) {
			return fmt.Errorf("out[%d].to = %q: this rig itself listens at port %s (%s); choose another port", i, o.To, port, listen)
		}
	}
	return nil
}

// isOwn reports whether host is this machine.
func isOwn(host string, own []netip.Addr) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	addr = addr.Unmap()
	for _, a := range own {
		if a.Unmap() == addr {
			return true
		}
	}
	return addr.IsLoopback() || addr.IsUnspecified()
}
