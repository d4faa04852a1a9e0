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
		{"exponent -3", new(Descriptor).Exponent(-3), "550d"},
		{"report number", new(Descriptor).ReportID(17), "8511"},
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

// bits returns the total number of bits of all main items with this tag.
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

func TestReportsHaveTheirLength(t *testing.T) {
	tests := []struct {
		name                   string
		descriptor             []byte
		input, output, feature int // bytes, of all reports together
	}{
		{"G29", G29(), 12, 7, 144},
		{"G27", G27(), 11, 7, 144},
		{"Driving Force", DrivingForce(), 8, 7, 0},
		{"direct drive", DirectDrive(), 10, 61, 11},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, main := range []struct {
				name string
				tag  byte
				want int
			}{{"input", tagInput, test.input}, {"output", tagOutput, test.output}, {"feature", tagFeature, test.feature}} {
				if got := bits(test.descriptor, main.tag); got != 8*main.want {
					t.Errorf("%s reports of %d bits, want %d bytes", main.name, got, main.want)
				}
			}
		})
	}
}
