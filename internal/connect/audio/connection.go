package audio

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jfreymuth/pulse/proto"
)

// limit is how long the server may take to accept a connection, to answer a request or to take data.
var limit = 2 * time.Second

// connection is a client of a sound server. The streams of package pulse are not used: when their server is lost, they
// send on closed channels or wait without end. Its package proto is, with a connection as its line to the server.
//
// For proto, Read and Write make sure that a packet arrives whole or not at all, because half a list of devices makes it
// loop forever; that each error of reading is io.EOF, because it reports no other; and that a write which fails or takes
// longer than limit ends the connection, because proto would go on after half a packet.
type connection struct {
	net.Conn
	client *proto.Client
	packet []byte // buffer of the last packet
	unread []byte // its rest
	once   sync.Once
	cause  error         // why the connection ended, nil after close; to be read after ended
	ended  chan struct{} // closed after the last message
}

// connect connects to the first server that answers. handle gets the messages of the server; it runs on a goroutine of
// the connection, must not block and must not send requests.
func connect(handle func(message any)) (*connection, error) {
	list, err := addresses()
	if err != nil {
		return nil, err
	}
	var tried []string
	for _, a := range list {
		c, err := dial(a, handle)
		if err == nil {
			return c, nil
		}
		if errors.Is(err, proto.ErrAccessDenied) {
			return nil, fmt.Errorf("the sound server at %s refuses user id %d; run rig as the user of the desktop", a.name, os.Getuid())
		}
		tried = append(tried, fmt.Sprintf("%s (%v)", a.name, err))
	}
	return nil, fmt.Errorf("no sound server answers at %s; start PulseAudio or PipeWire (pipewire-pulse)", strings.Join(tried, " or "))
}

// dial connects to the server at an address.
func dial(a address, handle func(message any)) (*connection, error) {
	conn, err := net.DialTimeout(a.network, a.name, limit)
	if err != nil {
		return nil, withoutAddress(err)
	}
	c := &connection{Conn: conn, client: &proto.Client{}, ended: make(chan struct{})}
	c.client.SetTimeout(limit)
	c.client.Callback = func(message any) { // set before Open, because proto calls it even if it is nil
		if _, last := message.(*proto.ConnectionClosed); last {
			close(c.ended)
			return
		}
		handle(message)
	}
	c.client.Open(c)
	if err := c.introduce(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// withoutAddress returns an error of package net without the addresses of the line.
func withoutAddress(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// introduce agrees on a version of the protocol and says who the client is.
func (c *connection) introduce() error {
	var server proto.AuthReply
	if err := c.request("log in", &proto.Auth{Version: c.client.Version(), Cookie: cookie()}, &server); err != nil {
		return err
	}
	c.client.SetVersion(server.Version)
	props := proto.PropList{"application.name": proto.PropListString("rig")}
	return c.request("log in", &proto.SetClientName{Props: props}, &proto.SetClientNameReply{})
}

// Read reads from the last packet, or from the next one if that is used up.
func (c *connection) Read(p []byte) (int, error) {
	if len(c.unread) == 0 {
		if err := c.readPacket(); err != nil {
			c.stop(fmt.Errorf("lost the sound server: %w", withoutAddress(err)))
			return 0, io.EOF
		}
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, nil
}

// readPacket reads a packet: a header, whose first word is the length of what follows [bytes].
func (c *connection) readPacket() error {
	const header, largest = 20, 16 << 20
	var head [header]byte
	if _, err := io.ReadFull(c.Conn, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > largest {
		return fmt.Errorf("a packet of %d bytes: must be at most %d", size, largest)
	}
	if cap(c.packet) < header+int(size) {
		c.packet = make([]byte, header+size)
	}
	c.packet = c.packet[:header+size]
	c.unread = c.packet
	copy(c.packet, head[:])
	_, err := io.ReadFull(c.Conn, c.packet[header:])
	return err
}

// Write sends p. An error ends the connection.
func (c *connection) Write(p []byte) (int, error) {
	err := c.SetWriteDeadline(time.Now().Add(limit))
	n := 0
	if err == nil {
		n, err = c.Conn.Write(p)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.stop(errors.New("the sound server takes no data"))
	} else if err != nil {
		c.stop(fmt.Errorf("lost the sound server: %w", withoutAddress(err)))
	}
	return n, err
}

// request sends a request and waits for its answer. An answer that does not come in time ends the connection.
func (c *connection) request(what string, args proto.RequestArgs, reply proto.Reply) error {
	err := c.client.Request(args, reply)
	var refused proto.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return fmt.Errorf("the sound server refuses to %s: %w", what, err)
	case errors.Is(err, context.DeadlineExceeded):
		c.stop(fmt.Errorf("the sound server does not answer the request to %s", what))
	}
	<-c.ended
	if c.cause == nil {
		return errors.New("the stream is closed")
	}
	return c.cause
}

// stop ends the connection for a cause, nil if the caller no longer needs it. Only the first cause counts.
func (c *connection) stop(cause error) {
	c.once.Do(func() {
		c.cause = cause
		c.Conn.Close()
	})
}

// close ends the connection and waits until its goroutine has ended.
func (c *connection) close() {
	c.stop(nil)
	<-c.ended
}

// address is where a server listens: a network of package net, and a path or a host with a port.
type address struct{ network, name string }

// addresses returns where a server may be: what PULSE_SERVER says, or else the socket of the user's session.
func addresses() ([]address, error) {
	if text := os.Getenv("PULSE_SERVER"); text != "" {
		var list []address
		for field := range strings.FieldsSeq(text) {
			list = append(list, parseAddress(field))
		}
		return list, nil
	}
	if dir := os.Getenv("PULSE_RUNTIME_PATH"); dir != "" {
		return []address{{"unix", filepath.Join(dir, "native")}}, nil
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return nil, fmt.Errorf("XDG_RUNTIME_DIR is not set for user id %d, so no sound server can be found; run rig without sudo, as the user of the desktop, or set PULSE_SERVER", os.Getuid())
	}
	return []address{{"unix", filepath.Join(dir, "pulse", "native")}}, nil
}

// parseAddress parses one address of PULSE_SERVER: [{machine}] followed by a path, unix:path or [tcp:]host[:port].
func parseAddress(text string) address {
	const port = "4713"
	if _, after, found := strings.Cut(text, "}"); found && text[0] == '{' {
		text = after
	}
	kind, rest, found := strings.Cut(text, ":")
	switch {
	case strings.HasPrefix(text, "/"):
		return address{"unix", text}
	case found && kind == "unix":
		return address{"unix", rest}
	case !found || kind != "tcp" && kind != "tcp4" && kind != "tcp6":
		kind, rest = "tcp", text
	}
	if _, _, err := net.SplitHostPort(rest); err != nil {
		rest = net.JoinHostPort(strings.Trim(rest, "[]"), port)
	}
	return address{kind, rest}
}

// cookie returns the user's key for the server. A server that needs none takes any.
func cookie() []byte {
	const size = 256
	path := os.Getenv("PULSE_COOKIE")
	if dir, err := os.UserConfigDir(); path == "" && err == nil {
		path = filepath.Join(dir, "pulse", "cookie")
	}
	data, err := os.ReadFile(path)
	if err != nil || len(data) != size {
		return make([]byte, size)
	}
	return data
}
