package usbip

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"testing"
	"time"
)

// host simulates the kernel's end of the connection.
type host struct {
	t    *testing.T
	wire net.Conn
}

// connect connects d to a simulated host.
func connect(t *testing.T, d device) (*Port, host) {
	t.Helper()
	wire, kernel := net.Pipe()
	kernel.SetDeadline(time.Now().Add(time.Minute))
	p := serve(d, wire, 0)
	t.Cleanup(p.Unplug)
	return p, host{t, kernel}
}

// submit requests a transfer of n bytes to the host, or of data from the host.
func (h host) submit(seq byte, in bool, endpoint byte, n int, data []byte) {
	h.t.Helper()
	direction := byte(0)
	if in {
		direction = 1
	}
	b := header(cmdSubmit, seq, 1, direction, endpoint, 0, byte(n))
	if _, err := h.wire.Write(append(b[:], data...)); err != nil {
		h.t.Fatal(err)
	}
}

func (h host) unlink(seq, victim byte) {
	h.t.Helper()
	if _, err := h.wire.Write(header(cmdUnlink, seq, 1, 0, 0, victim)[:]); err != nil {
		h.t.Fatal(err)
	}
}

// expect reads one answer with n bytes of data and checks it.
func (h host) expect(code, seq uint32, status int32, data string) {
	h.t.Helper()
	b := make([]byte, headerSize+len(data)/2)
	if _, err := io.ReadFull(h.wire, b); err != nil {
		h.t.Fatal(err)
	}
	be := binary.BigEndian
	gotCode, gotSeq, gotStatus := be.Uint32(b), be.Uint32(b[4:]), int32(be.Uint32(b[20:]))
	got := hex.EncodeToString(b[headerSize:])
	if n := be.Uint32(b[24:]); data != "" && int(n) != len(data)/2 {
		h.t.Fatalf("transfer %d carried %d bytes, want %d", gotSeq, n, len(data)/2)
	}
	if gotCode != code || gotSeq != seq || gotStatus != status || got != data {
		h.t.Fatalf("got command %d, transfer %d, status %d, %s; want %d, %d, %d, %s",
			gotCode, gotSeq, gotStatus, got, code, seq, status, data)
	}
}

func TestReportWaitsForTheHost(t *testing.T) {
	p, h := connect(t, stick(nil))
	p.Send([]byte{1, 1})
	p.Send([]byte{2, 2}) // replaces the first
	h.submit(1, true, 1, 64, nil)
	h.expect(retSubmit, 1, statusOK, "0202")
}

func TestHostWaitsForTheReport(t *testing.T) {
	p, h := connect(t, stick(nil))
	h.submit(1, true, 1, 1, nil)
	h.submit(2, true, 1, 64, nil)
	h.unlink(3, 1) // cancels the first
	h.expect(retUnlink, 3, statusUnlink, "")
	go p.Send([]byte{5, 6})
	h.expect(retSubmit, 2, statusOK, "0506")
}

func TestReportIsTruncatedToTheHostsBuffer(t *testing.T) {
	p, h := connect(t, stick(nil))
	p.Send([]byte{1, 2, 3})
	h.submit(1, true, 1, 2, nil)
	h.expect(retSubmit, 1, statusOK, "0102")
}

func TestUnlinkOfAnAnsweredTransfer(t *testing.T) {
	_, h := connect(t, stick(nil))
	h.unlink(4, 3)
	h.expect(retUnlink, 4, statusOK, "")
}

func TestOutputReportsAreAcceptedInOrder(t *testing.T) {
	taken := make(chan byte, 8)
	_, h := connect(t, stick(func(report []byte) { taken <- report[0] }))
	for seq := byte(1); seq <= 3; seq++ {
		h.submit(seq, false, 1, 1, []byte{seq})
	}
	for seq := uint32(1); seq <= 3; seq++ {
		h.expect(retSubmit, seq, statusOK, "")
	}
	if first, second, third := <-taken, <-taken, <-taken; first != 1 || second != 2 || third != 3 {
		t.Errorf("took %d, %d, %d", first, second, third)
	}
}

// The device accepts at most one report per interval, even if it wakes up late.
func TestPacerAcceptsOneReportPerInterval(t *testing.T) {
	const ms = time.Millisecond
	var now, slept time.Duration
	wait := intervalPacer(20*ms, func() time.Duration { return now }, func(until time.Duration) { slept = until })
	for _, tt := range []struct{ now, want time.Duration }{{0, 20 * ms}, {21 * ms, 40 * ms}, {40 * ms, 60 * ms}, {95 * ms, 100 * ms}} {
		now = tt.now
		if wait(1); slept != tt.want {
			t.Errorf("at %v it waits until %v, want %v", tt.now, slept, tt.want)
		}
	}
}

func TestACancelledOutputReportIsNotExecuted(t *testing.T) {
	device, gate := newAdapter(), make(chan bool)
	device.Ready = func(int) { <-gate }
	_, h := connect(t, device)
	h.submit(1, false, 1, 1, []byte{9})
	h.unlink(2, 1)
	h.expect(retUnlink, 2, statusUnlink, "")
	gate <- true
	h.submit(3, false, 1, 1, []byte{7})
	gate <- true
	h.expect(retSubmit, 3, statusOK, "")
	if len(device.out) != 1 || device.out[0] != 7 {
		t.Errorf("took % x, want 07", device.out)
	}
}

func TestUnplugClosesTheConnection(t *testing.T) {
	p, h := connect(t, stick(nil))
	p.Unplug()
	p.Unplug()
	if _, err := h.wire.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("got %v, want EOF", err)
	}
	p.Send([]byte{1}) // has no effect
}

func TestUnplugFailsPendingTransfers(t *testing.T) {
	device := stick(func([]byte) {})
	device.Interval = time.Hour // an output report stays pending
	p, h := connect(t, device)
	h.submit(1, true, 1, 64, nil)
	h.submit(2, false, 1, 1, []byte{7})
	h.unlink(3, 9) // its answer shows that the commands before have been read
	h.expect(retUnlink, 3, statusOK, "")
	go p.Unplug()
	h.expect(retSubmit, 1, statusShutdown, "")
	h.expect(retSubmit, 2, statusShutdown, "")
}
