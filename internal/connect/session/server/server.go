//go:build !noserver

package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/kit/printable"
)

// Limits of the server, far above what 64 rigs and their watchers need.
const (
	maxConnections = 512
	maxPending     = 4 << 20 // of messages that a connection has not read yet [bytes]; then it is closed
	maxMemory      = 64 << 20
	maxStore       = 16 << 30

	// A member that hangs is closed when it has not taken a message for writeDeadline, or not answered two pings.
	writeDeadline = 5 * time.Second
	pingInterval  = 5 * time.Second
	maxPings      = 2
	startTimeout  = time.Minute // on a machine that is busy
)

// Server is a running server of the bus.
type Server struct {
	nats    *nats.Server
	members *members
}

// Start starts the server of a session, and keeps in the session's folder where it is.
func Start(o Options) (*Server, error) {
	host, port, err := address(o.Listen)
	if err != nil {
		return nil, err
	}
	list, err := o.Folder.Members()
	if err != nil {
		return nil, err
	}
	certificate, err := o.Folder.Certificate()
	if err != nil {
		return nil, err
	}
	allowed := &members{session: o.Folder.Session()}
	allowed.replace(list)
	options := serverOptions(o.Folder, host, port, certificate)
	options.CustomClientAuthentication = allowed
	n, err := nats.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("session: the server cannot start: %w", err)
	}
	s := &Server{n, allowed}
	if err := s.start(o.Log); err != nil {
		s.Close()
		return nil, fmt.Errorf("session: the server cannot start: %w; end the program that has this port or folder, or choose another --listen or --folder", err)
	}
	if err := o.Folder.UseServers(keys.Servers{URLs: s.urls()}, true); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// start starts the server and waits until it answers, or says why it never will.
func (s *Server) start(log *slog.Logger) error {
	fatal, ready := make(chan error, 1), make(chan bool, 1)
	s.nats.SetLoggerV2(logger{log, fatal}, false, false, false)
	s.nats.Start()
	go func() { ready <- s.nats.ReadyForConnections(startTimeout) }()
	select {
	case err := <-fatal:
		return err
	case ok := <-ready:
		if !ok {
			return errors.New("it does not answer")
		}
		return nil
	}
}

// address returns host and port of a --listen.
func address(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	if err == nil {
		var n uint64
		n, err = strconv.ParseUint(text, 10, 16)
		port = int(n)
	}
	if err != nil {
		return "", 0, fmt.Errorf("session: --listen %s: must be HOST:PORT, such as 127.0.0.1:%d", printable.Name(listen), keys.DefaultPort)
	}
	if port == 0 {
		port = nats.RANDOM_PORT
	}
	if host == "" {
		host = "0.0.0.0"
	}
	return host, port, nil
}

// serverOptions returns those of NATS, without who may connect.
func serverOptions(f *keys.Folder, host string, port int, certificate tls.Certificate) *nats.Options {
	return &nats.Options{
		ServerName:             "rig-" + string(f.Session()),
		Host:                   host,
		Port:                   port,
		NoSigs:                 true,
		JetStream:              true,
		StoreDir:               f.Path(keys.StoreFolder),
		SyncAlways:             true, // an event that was acknowledged is on the disk
		JetStreamMaxMemory:     maxMemory,
		JetStreamMaxStore:      maxStore,
		DisableJetStreamBanner: true,
		MaxConn:                maxConnections,
		MaxSubs:                keys.MaxSubscriptions,
		MaxPayload:             keys.MaxPayload,
		MaxPending:             maxPending,
		WriteDeadline:          writeDeadline,
		PingInterval:           pingInterval,
		MaxPingsOut:            maxPings,
		MaxControlLine:         4096,
		AlwaysEnableNonce:      true, // which members sign
		TLS:                    true,
		TLSConfig:              &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13},
		TLSTimeout:             10,
		AuthTimeout:            20,
	}
}

// Reload replaces the list of those who may connect, and closes the connections of those who are not on it or have
// another role now.
func (s *Server) Reload(list []keys.Member) error {
	before := s.members.replace(list)
	open, err := s.nats.Connz(&nats.ConnzOptions{Username: true, Limit: maxConnections})
	if err != nil {
		return fmt.Errorf("session: the server keeps connections of members that are revoked: %w; end the session's host and start it again", err)
	}
	for _, c := range open.Conns {
		if c.AuthorizedUser == "" {
			continue // it has yet to be checked
		}
		was, had := before[c.AuthorizedUser]
		if now, ok := s.members.find(c.AuthorizedUser); !ok || had && now != was {
			_ = s.nats.DisconnectClientByID(c.Cid) // fails if it is closed already
		}
	}
	return nil
}

// URL returns where this machine reaches the server.
func (s *Server) URL() string { return s.urls()[0] }

// urls returns all addresses of the server, the loopback first if it is one of them.
func (s *Server) urls() (list []string) {
	a := s.nats.Addr().(*net.TCPAddr)
	add := func(ip string) { list = append(list, "tls://"+net.JoinHostPort(ip, strconv.Itoa(a.Port))) }
	if !a.IP.IsUnspecified() {
		add(a.IP.String())
		return list
	}
	add("127.0.0.1")
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return list
	}
	for _, at := range addresses {
		if n, ok := at.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			add(n.IP.String())
		}
	}
	return list
}

// Close ends the server and waits until its files are closed.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}
