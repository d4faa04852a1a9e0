package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/host"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/member"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/connect/session/results"
	"rig.example/rig/internal/connect/session/server"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/live/console"
)

type sessionHostCmd struct {
	Name   string `arg:"" help:"Name of the session: 1 to 24 of a-z, 0-9 and -. One that was hosted before goes on."`
	Config string `type:"path" placeholder:"F" help:"Read this configuration file: it names track and surface, which must be those of the rigs."`
	Track  string `placeholder:"NAME|FILE" help:"Circuit instead of the configuration's."`
	Listen string `default:"127.0.0.1:4777" placeholder:"A:PORT" help:"Address and port, TCP and UDP. Default: 127.0.0.1:4777, which only this machine can reach; 0.0.0.0:4777 is for all."`
	raceFlags
	Folder  string   `type:"path" placeholder:"D" help:"Folder of sessions. Default: rig/sessions in the folder of your data."`
	URL     []string `name:"url" placeholder:"tls://HOST:PORT" help:"Host on NATS servers of your own. May be given more than once."`
	CA      string   `name:"ca" type:"path" placeholder:"F" help:"With --url: certificates that those of your servers descend from (PEM)."`
	Packets string   `placeholder:"HOST:PORT" help:"Where rigs reach this machine by UDP, if not where --listen says. Needed with --url."`
	JSON    bool     `name:"json" help:"Print each event as one JSON object."`
}

// raceFlags are the rules of a race. nil is a flag that was not given.
type raceFlags struct {
	Laps          *int           `xor:"length" placeholder:"N" help:"Race over this number of laps."`
	Minutes       *float64       `xor:"length" placeholder:"N" help:"Race over this time, and the lap in which it ends."`
	JumpPenalty   *time.Duration `placeholder:"D" help:"Penalty for moving before the start. Default: 5s."`
	CutsAllowed   *int           `placeholder:"N" help:"Invalid laps of a race without a penalty. Default: 3."`
	CutPenalty    *time.Duration `placeholder:"D" help:"Penalty for each further one. Default: 5s."`
	PitStops      *int           `placeholder:"N" help:"Pit stops that everybody must make. Default: 0."`
	PitPenalty    *time.Duration `placeholder:"D" help:"Penalty for each that is missing. Default: 30s."`
	FinishTimeout *time.Duration `placeholder:"D" help:"After the winner's finish the others have this long for their lap. Default: 3m."`
}

// defaultRules are those of a new session without flags.
var defaultRules = session.Rules{JumpPenalty: 5, CutsAllowed: 3, CutPenalty: 5, PitPenalty: 30, FinishTimeout: 180}

// on returns rules with what the flags change.
func (c *raceFlags) on(r session.Rules) session.Rules {
	if c.Laps != nil {
		r.Laps = *c.Laps
	}
	if c.Minutes != nil {
		r.Duration = *c.Minutes * 60
	}
	if c.CutsAllowed != nil {
		r.CutsAllowed = *c.CutsAllowed
	}
	if c.PitStops != nil {
		r.PitStops = *c.PitStops
	}
	for rule, d := range map[*float64]*time.Duration{&r.JumpPenalty: c.JumpPenalty, &r.CutPenalty: c.CutPenalty, &r.PitPenalty: c.PitPenalty, &r.FinishTimeout: c.FinishTimeout} {
		if d != nil {
			*rule = d.Seconds()
		}
	}
	return r
}

// others returns the flags that are not as the rules of a session are, with what those are.
func (c *raceFlags) others(kept session.Rules) (list []string) {
	for _, f := range []struct {
		alone raceFlags
		flag  string
		value any
	}{
		{raceFlags{Laps: c.Laps}, "--laps", kept.Laps},
		{raceFlags{Minutes: c.Minutes}, "--minutes", kept.Duration / 60},
		{raceFlags{JumpPenalty: c.JumpPenalty}, "--jump-penalty", seconds(kept.JumpPenalty)},
		{raceFlags{CutsAllowed: c.CutsAllowed}, "--cuts-allowed", kept.CutsAllowed},
		{raceFlags{CutPenalty: c.CutPenalty}, "--cut-penalty", seconds(kept.CutPenalty)},
		{raceFlags{PitStops: c.PitStops}, "--pit-stops", kept.PitStops},
		{raceFlags{PitPenalty: c.PitPenalty}, "--pit-penalty", seconds(kept.PitPenalty)},
		{raceFlags{FinishTimeout: c.FinishTimeout}, "--finish-timeout", seconds(kept.FinishTimeout)},
	} {
		if f.alone.on(kept) != kept {
			list = append(list, fmt.Sprint(f.flag, " ", f.value))
		}
	}
	return list
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// checkRules returns an error for rules that cannot be.
func checkRules(r session.Rules) error {
	const most, longest, longestPenalty = 4000, 24 * 60, 3600 // [min], [s]
	switch {
	case r.Laps < 0 || r.Laps > most:
		return fmt.Errorf("--laps %d: must be 1 to %d", r.Laps, most)
	case !(r.Duration >= 0 && r.Duration <= longest*60):
		return fmt.Errorf("--minutes %g: must be up to %d", r.Duration/60, longest)
	case r.CutsAllowed < 0 || r.PitStops < 0 || r.PitStops > 100:
		return errors.New("--cuts-allowed and --pit-stops: must be 0 to 100")
	case min(r.JumpPenalty, r.CutPenalty, r.PitPenalty, r.FinishTimeout) < 0 || max(r.JumpPenalty, r.CutPenalty, r.PitPenalty, r.FinishTimeout) > longestPenalty:
		return errors.New("penalties and --finish-timeout: must be 0s to 1h")
	}
	return nil
}

func (c *sessionHostCmd) Run(s *streams) error {
	if err := wrongUsage(c.check()); err != nil {
		return err
	}
	road, err := c.circuit(s)
	if err != nil {
		return err
	}
	f, err := keys.OpenFolder(c.Folder, session.ID(c.Name))
	if err != nil {
		return err
	}
	unlock, err := f.Lock()
	if err != nil {
		return err
	}
	defer unlock()
	ctx, done := s.untilInterrupted()
	defer done()
	if c.JSON {
		return c.host(ctx, s, nil, f, road)
	}
	panel, end := s.openView()
	defer end()
	return c.host(ctx, s, panel, f, road)
}

// check returns an error for arguments that cannot be used.
func (c *sessionHostCmd) check() error {
	if err := session.CheckID(c.Name); err != nil {
		return err
	}
	if err := checkRules(c.on(defaultRules)); err != nil {
		return err
	}
	switch {
	case len(c.URL) > 0 && c.Packets == "":
		return errors.New("--url: it needs --packets HOST:PORT, where rigs reach this machine by UDP")
	case c.CA != "" && len(c.URL) == 0:
		return errors.New("--ca: it needs --url, which says where your servers are")
	}
	for name, address := range map[string]string{"--listen": c.Listen, "--packets": c.Packets} {
		if _, _, err := net.SplitHostPort(address); err != nil && address != "" {
			return fmt.Errorf("%s %s: must be HOST:PORT", name, printable.Name(address))
		}
	}
	return nil
}

// circuit returns the circuit that the configuration and the flags name.
func (c *sessionHostCmd) circuit(s *streams) (session.Circuit, error) {
	cfg, _, err := s.chosenConfiguration(c.Config, config.Choice{Track: c.Track})
	if err != nil {
		return session.Circuit{}, err
	}
	road, _, err := circuit.Load(cfg.Track, circuit.Options{Weather: cfg.Surface, Cache: circuit.UserCache()})
	if err != nil {
		return session.Circuit{}, wrongUsage(err)
	}
	if road.Line == nil || !road.Closed() {
		return session.Circuit{}, wrongUsage(fmt.Errorf("--track %s: a session needs a closed circuit", printable.Name(cfg.Track)))
	}
	return member.CircuitOf(cfg.Track, road), nil
}

// host hosts the session until ctx ends, and shows it on a panel unless that is nil.
func (c *sessionHostCmd) host(ctx context.Context, s *streams, panel *console.Panel, f *keys.Folder, road session.Circuit) error {
	own, conn, packets, err := c.open(s, f)
	if err != nil {
		return err
	}
	if own != nil {
		defer own.Close()
	}
	defer conn.Close()
	i, err := f.Host()
	if err != nil {
		return err
	}
	b, err := connect(ctx, i, s.log)
	if err != nil {
		return err
	}
	defer b.Close()
	began := time.Now()
	var reloading sync.Mutex
	reload := func() error { // with the list as it is now: two changes may come at once
		if own == nil {
			return nil
		}
		reloading.Lock()
		defer reloading.Unlock()
		members, err := f.Members()
		if err == nil {
			err = own.Reload(members)
		}
		return err
	}
	o := host.Options{
		Session: f.Session(), Circuit: road, Rules: c.on(defaultRules), Packets: packets, Conn: conn, Shared: own == nil, Log: s.log,
		Unix: func() int64 { return time.Now().UnixNano() }, Clock: func() int64 { return int64(time.Since(began)) },
		Revoke: func(id session.ID) error {
			if err := f.Revoke(id); err != nil {
				return err
			}
			return reload()
		},
		Results: func(r race.Results) error { return keepResults(f, r) },
	}
	if c.JSON {
		o.Kept = func(from session.ID, e *session.Event) { c.printEvent(s, from, e) }
	}
	opening, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	h, err := host.New(opening, b, o)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := c.checkKept(h.RaceRules()); err != nil {
		return err
	}
	return c.run(ctx, s, panel, f, h, reload)
}

// checkKept returns an error if flags ask for other rules than those of a session that goes on.
func (c *sessionHostCmd) checkKept(kept session.Rules) error {
	if others := c.others(kept); len(others) > 0 {
		return wrongUsage(fmt.Errorf("session %s exists, with %s: leave out the flags for its rules, or choose another name", c.Name, strings.Join(others, ", ")))
	}
	return nil
}

// open starts the server, unless the user's own are named, and opens the socket for packets.
func (c *sessionHostCmd) open(s *streams, f *keys.Folder) (own *server.Server, conn *net.UDPConn, packets string, err error) {
	listen := c.Listen
	if len(c.URL) > 0 {
		err = c.useServers(f)
	} else if own, err = server.Start(server.Options{Listen: c.Listen, Folder: f, Log: s.log}); err == nil {
		u, parseErr := url.Parse(own.URL())
		address, _, splitErr := net.SplitHostPort(c.Listen)
		if err = errors.Join(parseErr, splitErr); err == nil {
			listen = net.JoinHostPort(address, u.Port())
		}
	}
	if err == nil {
		conn, err = listenPackets(listen)
	}
	if err != nil && own != nil {
		own.Close()
	}
	if packets = c.Packets; packets == "" && conn != nil {
		packets = reachable(conn.LocalAddr().String())
	}
	return own, conn, packets, err
}

// listenPackets opens the socket for packets, with room for those of all rigs.
func listenPackets(listen string) (*net.UDPConn, error) {
	const room = 1 << 20 // [bytes]
	address, err := net.ResolveUDPAddr("udp", listen)
	if err != nil {
		return nil, wrongUsage(fmt.Errorf("--listen %s: %w", printable.Name(listen), err))
	}
	conn, err := net.ListenUDP("udp", address)
	if err != nil {
		return nil, fmt.Errorf("session: UDP port of %s cannot be opened: %w; another program has it, or the address is not of this machine", printable.Name(listen), err)
	}
	_ = conn.SetReadBuffer(room) // a smaller one works too
	return conn, nil
}

// reachable returns an address as rigs must know it: without a host, which is then that of the bus, if it is any of this machine.
func reachable(address string) string {
	if a, err := netip.ParseAddrPort(address); err == nil && a.Addr().IsUnspecified() {
		return fmt.Sprintf(":%d", a.Port())
	}
	return address
}

// useServers keeps in the folder where the user's own servers are.
func (c *sessionHostCmd) useServers(f *keys.Folder) error {
	servers, err := f.Servers()
	if err != nil {
		return err
	}
	if servers.Name != "" { // those were the own server's
		servers.CA, servers.Name = "", ""
	}
	if c.CA != "" {
		ca, err := userfile.Read(c.CA, userfile.MaxText)
		if err != nil {
			return wrongUsage(fmt.Errorf("--ca: %s: %w", printable.Name(c.CA), sink.WithoutPath(err)))
		}
		servers.CA = string(ca)
	}
	servers.URLs = c.URL
	return wrongUsage(f.UseServers(servers, false))
}

// run relays and shows until ctx ends.
func (c *sessionHostCmd) run(ctx context.Context, s *streams, panel *console.Panel, f *keys.Folder, h *host.Host, reload func() error) error {
	official, err := keys.Read(f.Path(keys.OfficialFile))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fmt.Fprintf(s.err, "rig: session %s is hosted at %s; keys: rig session invite RIG --session %s\n", f.Session(), strings.Join(official.URLs, ", "), f.Session())
	var running sync.WaitGroup
	running.Go(func() {
		f.Watch(ctx, func(members []keys.Member) {
			if err := reload(); err != nil {
				s.log.Error("members", "error", err)
			}
			h.SetMembers(members)
		}, func(err error) { s.log.Error("members", "error", err) })
	})
	var viewErr error
	if panel != nil {
		running.Go(func() { viewErr = watchHosted(ctx, s, panel, official) })
	}
	err = h.Run(ctx)
	cancel()
	running.Wait()
	if words := h.Refusals(); words != "" {
		fmt.Fprintf(s.err, "rig: packets refused: %s\n", printable.Line(words))
	}
	return errors.Join(err, viewErr)
}

// printEvent prints an event with its sender.
func (c *sessionHostCmd) printEvent(s *streams, from session.ID, e *session.Event) {
	_ = json.NewEncoder(s.out).Encode(struct {
		From session.ID `json:"from,omitempty"`
		*session.Event
	}{from, e}) // the end of the command reports an output that cannot be written
}

// keepResults writes the results into the session's folder, in all forms.
func keepResults(f *keys.Folder, r race.Results) error {
	asJSON := func(w io.Writer, r race.Results) error { return json.NewEncoder(w).Encode(r) }
	var errs []error
	for ending, write := range map[string]func(io.Writer, race.Results) error{".json": asJSON, ".csv": results.CSV, ".html": results.HTML} {
		path := f.Path(resultsFile + ending)
		if err := sink.Replace(path, 0o600, func(to *os.File) error { return write(to, r) }); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", printable.Name(path), sink.WithoutPath(err)))
		}
	}
	return errors.Join(errs...)
}
