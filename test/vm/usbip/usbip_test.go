package usbip

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReplyByteForByte(t *testing.T) {
	zeros := strings.Repeat("00", 20) // fields that only other kinds of transfers use
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"reply with data", appendReply(nil, 0x11223344, statusOK, 2, []byte{0xaa, 0xbb}),
			"00000003" + "11223344" + "000000000000000000000000" + "00000000" + "00000002" +
				zeros + "aabb"},
		{"stall", appendReply(nil, 1, statusStall, 0, nil),
			"00000003" + "00000001" + "000000000000000000000000" + "ffffffe0" + "00000000" +
				zeros},
		{"unlinked", appendUnlinked(nil, 2, statusUnlink),
			"00000004" + "00000002" + "000000000000000000000000" + "ffffff98" + "00000000" +
				zeros},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := hex.EncodeToString(test.got); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// header is the start of a header: command, sequence number, device,
// direction, endpoint and the two words after.
func header(words ...byte) *[headerSize]byte {
	var b [headerSize]byte
	for i, w := range words {
		b[4*i+3] = w
	}
	return &b
}

func TestParseCommand(t *testing.T) {
	submit := header(cmdSubmit, 7, 1, 1, 0, 0, 18)
	copy(submit[40:], []byte{0x80, 6, 0, 1, 0, 0, 18, 0})
	tests := []struct {
		name string
		in   *[headerSize]byte
		want command
		ok   bool
	}{
		{"get the device descriptor", submit, command{
			code: cmdSubmit, seq: 7, in: true, length: 18,
			setup: setup{kind: 0x80, request: 6, value: 0x100, length: 18},
		}, true},
		{"write to endpoint 1", header(cmdSubmit, 8, 1, 0, 1, 0, 7), command{code: cmdSubmit, seq: 8, endpoint: 1, length: 7}, true},
		{"unlink", header(cmdUnlink, 9, 1, 0, 0, 8), command{code: cmdUnlink, seq: 9, unlinkSeq: 8}, true},
		{"unknown command", header(retSubmit), command{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := parseCommand(test.in)
			if (err == nil) != test.ok || test.ok && got != test.want {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func FuzzParseCommand(f *testing.F) {
	f.Add(header(cmdSubmit, 1, 1, 1, 1, 0, 64)[:])
	f.Add(header(cmdUnlink, 2, 1, 0, 0, 1)[:])
	f.Fuzz(func(t *testing.T, in []byte) {
		var b [headerSize]byte
		copy(b[:], in)
		c, err := parseCommand(&b)
		if err == nil && (c.length < 0 || c.length > maxTransfer) {
			t.Fatalf("transfer of %d bytes", c.length)
		}
	})
}

func TestFreePorts(t *testing.T) {
	const status = "hub port sta spd dev      sockfd local_busid\n" +
		"hs  0000 006 002 00010002 000003 1-1\n" +
		"hs  0001 004 000 00000000 000000 0-0\n" +
		"hs  0010 004 000 00000000 000000 0-0\n" +
		"ss  0015 004 000 00000000 000000 0-0\n"
	if got := freePorts(status); !slices.Equal(got, []int{1, 10}) {
		t.Errorf("got %v, want [1 10]", got)
	}
}

func FuzzFreePorts(f *testing.F) {
	f.Add("hs  0001 004 000 00000000 000000 0-0\n")
	f.Fuzz(func(t *testing.T, status string) { freePorts(status) })
}

func stick(output func([]byte)) *HID {
	return &HID{
		Vendor: 0x1234, Product: 0x5678, Release: 0x0102, Manufacturer: "M", Name: "é",
		Descriptor: []byte{5, 1, 0xc0}, Interval: 2 * time.Millisecond, Output: output,
	}
}

func TestDescriptorsByteForByte(t *testing.T) {
	tests := []struct {
		name  string
		setup setup
		want  string
	}{
		{"device", setup{kind: 0x80, request: 6, value: 0x0100}, "120100020000004034127856020101020001"},
		{"configuration", setup{kind: 0x80, request: 6, value: 0x0200},
			"09022900010100" + "8031" + "090400000203000000" + "092111010001220300" + "0705810340" + "0002" + "0705010340" + "0002"},
		{"languages", setup{kind: 0x80, request: 6, value: 0x0300}, "04030904"},
		{"name", setup{kind: 0x80, request: 6, value: 0x0302}, "0403e900"},
		{"reports", setup{kind: 0x81, request: 6, value: 0x2200}, "0501c0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, status := stick(nil).control(test.setup, nil)
			if hex.EncodeToString(got) != test.want || status != statusOK {
				t.Errorf("got %x, status %d; want %s", got, status, test.want)
			}
		})
	}
}

func TestFeatureReports(t *testing.T) {
	var set []byte
	h := stick(nil)
	h.SetFeature = func(b []byte) { set = b }
	h.Feature = func(id byte) []byte {
		if id != 7 {
			return nil
		}
		return []byte{7, 8, 9}
	}
	got, status := h.control(setup{kind: 0xa1, request: 1, value: 0x0307}, nil)
	if hex.EncodeToString(got) != "070809" || status != statusOK {
		t.Errorf("got %x, status %d; want 070809", got, status)
	}
	if _, status := h.control(setup{kind: 0xa1, request: 1, value: 0x0308}, nil); status != statusStall {
		t.Errorf("an unknown report has status %d, want a stall", status)
	}
	h.control(setup{kind: 0x21, request: 9, value: 0x0305}, []byte{5, 6})
	if hex.EncodeToString(set) != "0506" {
		t.Errorf("set %x, want 0506", set)
	}
}

func TestSerialNumber(t *testing.T) {
	h := stick(nil)
	h.Serial = "A1"
	device, _ := h.control(setup{kind: 0x80, request: 6, value: 0x0100}, nil)
	if device[16] != 3 {
		t.Errorf("the serial number is string %d, want 3", device[16])
	}
	got, _ := h.control(setup{kind: 0x80, request: 6, value: 0x0303}, nil)
	if want := "060341003100"; hex.EncodeToString(got) != want {
		t.Errorf("got %x, want %s", got, want)
	}
}

func TestControlRequests(t *testing.T) {
	var got []byte
	h := stick(func(b []byte) { got = b })
	tests := []struct {
		name  string
		setup setup
		want  int32
	}{
		{"set configuration", setup{kind: 0x00, request: 9, value: 1}, statusOK},
		{"set idle", setup{kind: 0x21, request: 10}, statusOK},
		{"output report", setup{kind: 0x21, request: 9, value: 0x0200}, statusOK},
		{"get report", setup{kind: 0xa1, request: 1}, statusStall},
		{"third string", setup{kind: 0x80, request: 6, value: 0x0303}, statusStall},
		{"of a vendor", setup{kind: 0xc0, request: 1}, statusStall},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, status := h.control(test.setup, []byte{1, 2}); status != test.want {
				t.Errorf("status %d, want %d", status, test.want)
			}
		})
	}
	if !bytes.Equal(got, []byte{1, 2}) {
		t.Errorf("output report % x, want 01 02", got)
	}
}
