package hiddesc

import (
	"encoding/hex"
	"testing"
)

func TestItemsByteForByte(t *testing.T) {
	tests := []struct {
		name string
		got  *Descriptor
		want string
	}{
		{"unsigned byte", new(Descriptor).Page(0xff), "05ff"},
		{"unsigned word", new(Descriptor).Page(0xff00), "0600ff"},
		{"unsigned long", new(Descriptor).Unit(0x10000), "6700000100"},
		{"signed byte", new(Descriptor).Logical(-128, 127), "1580257f"},
		{"255 is a word in a limit", new(Descriptor).Logical(0, 255), "150026ff00"},
		{"65535 is a long in a limit", new(Descriptor).Physical(-129, 65535), "367fff47ffff0000"},
		{"fields", new(Descriptor).Fields(3, 8).Input(Variable), "750895038102"},
		{"collection", new(Descriptor).Collection(Application).End(), "a101c0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := hex.EncodeToString(*test.got); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// bits adds up the bits of all main items with that tag.
func bits(descriptor []byte, main byte) int {
	total, size, count := 0, 0, 0
	for i := 0; i < len(descriptor); {
		tag, n := descriptor[i]&0xfc, int(descriptor[i]&3)
		if n == 3 {
			n = 4
		}
		value := 0
		for k := range min(n, 2) {
			value |= int(descriptor[i+1+k]) << (8 * k)
		}
		switch tag {
		case tagSize:
			size = value
		case tagCount:
			count = value
		case main:
			total += size * count
		}
		i += 1 + n
	}
	return total
}

func TestG29ReportsHaveTheirLength(t *testing.T) {
	d := G29()
	for _, test := range []struct {
		name string
		tag  byte
		want int // bytes
	}{{"input", tagInput, 12}, {"output", tagOutput, 7}, {"feature", tagFeature, 144}} {
		if got := bits(d, test.tag); got != 8*test.want {
			t.Errorf("%s report of %d bits, want %d bytes", test.name, got, test.want)
		}
	}
}
