package usbip

import (
	"encoding/hex"
	"slices"
	"testing"
)

// adapter is a serial adapter that records what the host sets and sends.
type adapter struct {
	ACM
	rates []int
	lines []bool // DTR, RTS, DTR, RTS...
	out   []byte
}

func newAdapter() *adapter {
	a := &adapter{}
	a.ACM = ACM{
		Vendor: 0x1234, Product: 0x5678, Release: 0x0102, Manufacturer: "M", Name: "N",
		Ready:  func(int) {},
		Output: func(b []byte) { a.out = append(a.out, b...) },
		Rate:   func(baud int) { a.rates = append(a.rates, baud) },
		Lines:  func(dtr, rts bool) { a.lines = append(a.lines, dtr, rts) },
	}
	return a
}

func TestSerialDescriptorsByteForByte(t *testing.T) {
	tests := []struct {
		name  string
		setup setup
		want  string
	}{
		{"device", setup{kind: 0x80, request: 6, value: 0x0100}, "120100020200004034127856020101020001"},
		{"configuration", setup{kind: 0x80, request: 6, value: 0x0200},
			"09024300020100" + "8031" + "0904000001020201" + "00" +
				"0524001001" + "0524010001" + "04240202" + "0524060001" + "0705820310000a" +
				"09040100020a000000" + "07058102400000" + "07050102400000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, status := newAdapter().control(test.setup, nil)
			if hex.EncodeToString(got) != test.want || status != statusOK {
				t.Errorf("got %x, status %d; want %s", got, status, test.want)
			}
		})
	}
}

func TestLineCodingAndControlLines(t *testing.T) {
	a := newAdapter()
	coding := []byte{0x00, 0xc2, 0x01, 0x00, 0, 0, 8} // 115200 8N1
	for _, test := range []struct {
		name  string
		setup setup
		out   []byte
		want  int32
	}{
		{"line coding", setup{kind: 0x21, request: 0x20, length: 7}, coding, statusOK},
		{"line coding cut short", setup{kind: 0x21, request: 0x20, length: 6}, coding[:6], statusStall},
		{"DTR", setup{kind: 0x21, request: 0x22, value: 1}, nil, statusOK},
		{"RTS", setup{kind: 0x21, request: 0x22, value: 2}, nil, statusOK},
		{"break", setup{kind: 0x21, request: 0x23, value: 0xffff}, nil, statusOK},
		{"unknown", setup{kind: 0x21, request: 0x02}, nil, statusStall},
		{"set configuration", setup{kind: 0, request: 9, value: 1}, nil, statusOK},
	} {
		if _, status := a.control(test.setup, test.out); status != test.want {
			t.Errorf("%s: status %d, want %d", test.name, status, test.want)
		}
	}
	if got, _ := a.control(setup{kind: 0xa1, request: 0x21, length: 7}, nil); !slices.Equal(got, coding) {
		t.Errorf("line coding reads back % x, want % x", got, coding)
	}
	if !slices.Equal(a.rates, []int{115_200}) || !slices.Equal(a.lines, []bool{true, false, false, true}) {
		t.Errorf("rates %v, lines %v; want 115200, DTR, then RTS", a.rates, a.lines)
	}
}

func TestSerialBytesKeepTheirOrder(t *testing.T) {
	p, h := connect(t, &newAdapter().ACM)
	p.Send([]byte{1, 2, 3})
	p.Send([]byte{4, 5})
	h.submit(1, true, 2, 16, nil) // reads notifications, which never come
	h.submit(2, true, 1, 2, nil)
	h.expect(retSubmit, 2, statusOK, "0102")
	h.submit(3, true, 1, 64, nil)
	h.expect(retSubmit, 3, statusOK, "030405")
	h.submit(4, true, 1, 64, nil)
	go p.Send([]byte{6})
	h.expect(retSubmit, 4, statusOK, "06")
	h.unlink(5, 1) // the read of notifications is still pending
	h.expect(retUnlink, 5, statusUnlink, "")
}

func TestUnfetchedSerialBytesAreLostAboveTheLimit(t *testing.T) {
	p, h := connect(t, &newAdapter().ACM)
	p.Send(make([]byte, maxUnsent))
	p.Send([]byte{1})
	for sent := 0; sent < maxUnsent; sent += 128 {
		h.submit(1, true, 1, 128, nil)
		h.expect(retSubmit, 1, statusOK, hex.EncodeToString(make([]byte, 128)))
	}
	h.submit(2, true, 1, 64, nil)
	go p.Send([]byte{9})
	h.expect(retSubmit, 2, statusOK, "09")
}

func TestBusyAdapterDelaysTheAnswer(t *testing.T) {
	a := newAdapter()
	free := make(chan struct{})
	a.Ready = func(int) { <-free }
	_, h := connect(t, &a.ACM)
	h.submit(1, false, 1, 2, []byte{7, 8})
	h.unlink(2, 9) // answered while the other one is pending
	h.expect(retUnlink, 2, statusOK, "")
	close(free)
	h.expect(retSubmit, 1, statusOK, "")
	if !slices.Equal(a.out, []byte{7, 8}) {
		t.Errorf("the adapter got % x, want 07 08", a.out)
	}
}
