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
	Escape = 9
	R      = 27
	Enter  = 36
	A      = 38
	C      = 54
	Space  = 65
	Up     = 111
	Left   = 113
	Right  = 114
	Down   = 116
)

// Keyboard types on an X server through its XTEST extension, as described in
// the X.Org documents "X Window System Protocol" and "XTEST Extension Protocol".
type Keyboard struct {
	conn   net.Conn
	opcode byte // of XTEST on this server
}

// NewKeyboard connects to the server that Start named x.
func NewKeyboard(t *testing.T, x string) *Keyboard {
	t.Helper()
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(x, ":"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Minute)) // a hang, and no more
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
