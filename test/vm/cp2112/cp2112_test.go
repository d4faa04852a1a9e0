package cp2112

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"testing"
)

func TestLevels(t *testing.T) {
	tests := []struct {
		name string
		pins pins
		want byte
	}{
		{"inputs show what is outside", pins{externalLevels: 0xa5}, 0xa5},
		{"push-pull shows the latch", pins{output: 0xff, pushPull: 0xff, hostLevels: 0x0f, externalLevels: 0xf0}, 0x0f},
		{"open drain pulls down", pins{output: 0xff, externalLevels: 0xff}, 0x00},
		{"open drain releases", pins{output: 0xff, hostLevels: 0xff, externalLevels: 0x3c}, 0x3c},
		{"half and half", pins{output: 0x0f, pushPull: 0x0f, hostLevels: 0x03, externalLevels: 0xf0}, 0xf3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.pins.levels(); got != test.want {
				t.Errorf("got %#02x, want %#02x", got, test.want)
			}
		})
	}
}

func TestOnlyDrivenLinesChange(t *testing.T) {
	b := &Bridge{}
	b.setFeature([]byte{gpioSet, 0xff, 0x01})       // line 0 is still an input
	b.setFeature([]byte{gpioConfig, 0x03, 3, 0, 0}) // 0 high, 1 low
	b.setFeature([]byte{gpioSet, 0x00, 0x01})
	b.setFeature([]byte{gpioSet, 0x00, 0x01}) // no change
	b.setFeature([]byte{gpioSet, 0x00})       // cut short
	got := b.Changes()
	for i, want := range []Change{{0, 0, true}, {0, 1, false}, {0, 0, false}} {
		if i >= len(got) || got[i].Line != want.Line || got[i].High != want.High {
			t.Fatalf("changes %+v, want lines 0 high, 1 low, 0 low", got)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d changes, want 3", len(got))
	}
}

// memory answers every read with the same bytes.
type memory struct {
	bytes.Buffer
	gives string
	err   error
}

func (m *memory) Read(b []byte) (int, error) { return copy(b, m.gives), m.err }

func TestTransfers(t *testing.T) {
	chip := &memory{gives: "\x12\x34"}
	broken := &memory{err: errors.New("gone")}
	tests := []struct {
		name    string
		request string
		wrote   string // by the chip
		status  string
		read    string // answer to a fetch of 61 bytes
	}{
		{"write", "149002" + "0183", "0183", "16020500000002", "130200"},
		{"read", "10900002", "", "16020500000002", "1302021234"},
		{"write and read", "1190000201" + "00", "00", "16020500000002", "1302021234"},
		{"nobody at the address", "14400100", "", "16030000000000", "130200"},
		{"broken chip", "10420002", "", "16030000000000", "130200"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			chip.Reset()
			b := &bus{chips: map[uint8]io.ReadWriter{0x48: chip, 0x21: broken}}
			request, _ := hex.DecodeString(test.request)
			if got := b.handleOutput(request); got != nil {
				t.Errorf("answered % x at once", got)
			}
			if got := hex.EncodeToString(chip.Bytes()); got != test.wrote {
				t.Errorf("the chip was given %s, want %s", got, test.wrote)
			}
			if got := hex.EncodeToString(b.handleOutput([]byte{statusRequest, 1})); got != test.status {
				t.Errorf("status %s, want %s", got, test.status)
			}
			got := b.handleOutput([]byte{readForceSend, 0, 61})
			if want := test.read; hex.EncodeToString(got[:len(want)/2]) != want || len(got) != 64 {
				t.Errorf("read % x, want %s and zeros", got, want)
			}
		})
	}
}

func FuzzReports(f *testing.F) {
	f.Add([]byte{writeRead, 0x90, 0, 2, 1, 0})
	f.Add([]byte{readForceSend})
	f.Fuzz(func(t *testing.T, in []byte) {
		b := &Bridge{bus: bus{chips: map[uint8]io.ReadWriter{0x48: &memory{gives: "\x00"}}}, smbusSettings: make([]byte, 14)}
		b.handleOutput(in)
		b.setFeature(in)
	})
}
