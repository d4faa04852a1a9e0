package x11

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// Key codes of an X server with the usual evdev rules.
const (
	KeyEscape = 9
	KeyR      = 27
	KeyEnter  = 36
	KeyA      = 38
	KeyC      = 54
	KeySpace  = 65
	KeyUp     = 111
	KeyLeft   = 113
	KeyRight  = 114
	KeyDown   = 116
)

// Keyboard types on an X server through its XTEST extension, as described in
// the X.Org documents "X Window System Protocol" and "XTEST Extension Protocol".
type Keyboard struct {
	conn   net.Conn
	opcode byte // major opcode of XTEST on this server
}

// NewKeyboard connects to the X server with this display name, which Start returns.
func NewKeyboard(t *testing.T, display string) *Keyboard {
	t.Helper()
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(display, ":"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Minute)) // far above a test's run time, so only a hang exceeds it
	k := &Keyboard{conn: conn}
	k.write(t, []byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}) // little-endian, version 11, no authorization
	head := k.read(t, 8)
	if head[0] != 1 {
		t.Fatalf("the X server refused: %q", head)
	}
	k.read(t, 4*int(binary.LittleEndian.Uint16(head[6:])))
	k.write(t, append([]byte{98, 0, 4, 0, 5, 0, 0, 0}, "XTEST\x00\x00\x00"...)) // QueryExtension
	reply := k.read(t, 32)
	if reply[8] == 0 {
		t.Fatal("the X server has no XTEST extension")
	}
	k.opcode = reply[9]
	return k
}

func (k *Keyboard) write(t *testing.T, b []byte) {
	t.Helper()
	if _, err := k.conn.Write(b); err != nil {
		t.Fatal(err)
	}
}

func (k *Keyboard) read(t *testing.T, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(k.conn, b); err != nil {
		t.Fatal(err)
	}
	return b
}

// Press presses or releases a key.
func (k *Keyboard) Press(t *testing.T, code byte, down bool) {
	t.Helper()
	const fakeInput, keyPress, keyRelease = 2, 2, 3
	b := make([]byte, 36)
	b[0], b[1], b[2] = k.opcode, fakeInput, byte(len(b)/4)
	b[4], b[5] = keyRelease, code
	if down {
		b[4] = keyPress
	}
	k.write(t, b)
}
