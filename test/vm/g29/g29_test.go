package g29

import (
	"encoding/hex"
	"testing"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		name string
		in   []byte
		want Report
	}{
		{"force to the left", []byte{0x11, 0x08, 0xc0, 0x80, 0, 0, 0}, Report{Kind: ConstantForce, Force: 0xc0}},
		{"stop", []byte{0x13, 0, 0, 0, 0, 0, 0}, Report{Kind: Stop, Force: NoForce}},
		{"range 540", []byte{0xf8, 0x81, 0x1c, 0x02, 0, 0, 0}, Report{Kind: Range, Degrees: 540}},
		{"autocenter off", []byte{0xf5, 0, 0, 0, 0, 0, 0}, Report{Kind: AutocenterOff}},
		{"autocenter on", []byte{0xfe, 0x0d, 7, 7, 0x80, 0, 0}, Report{Kind: AutocenterOn}},
		{"compatible after a reset", []byte{0xf8, 0x0a, 0, 0, 0, 0, 0}, Report{Kind: ForgetMode}},
		{"be a G29", []byte{0xf8, 0x09, 0x05, 0x01, 0x01, 0, 0}, Report{Kind: NativeMode}},
		{"lights", []byte{0xf8, 0x12, 0x1f, 0, 0, 0, 0}, Report{}},
		{"cut short", []byte{0x11, 0x08, 0xc0}, Report{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			copy(test.want.Data[:], test.in)
			if got := decode(test.in); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x11, 0x08, 0xc0, 0x80, 0, 0, 0})
	f.Add([]byte{0xf8, 0x81})
	f.Fuzz(func(t *testing.T, in []byte) {
		if r := decode(in); len(in) < ReportSize && r.Kind != Other {
			t.Fatalf("% x is %+v", in, r)
		}
	})
}

func TestInputByteForByte(t *testing.T) {
	in := Input{Steer: 0x1234, Gas: 1, Brake: 2, Clutch: 3, Buttons: 1<<24 | 1}
	const want = "18000010" + "3412" + "010203" + "000000"
	if got := hex.EncodeToString(in.report()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestG27InputByteForByte(t *testing.T) {
	// X is 0x1234>>2 = 0x48d, above 26 other bits; button 22 is bit 25.
	in := Input{Steer: 0x1234, Gas: 1, Brake: 2, Clutch: 3, Buttons: 1<<21 | 1}
	const want = "1800003612" + "010203" + "000000"
	if got := hex.EncodeToString(in.reportG27()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestForceByteAsALevel(t *testing.T) {
	for force, want := range map[byte]float64{NoForce: 0, 0xc0: 0.5, 0x40: -0.5, 0: -1} {
		if got := levelOf(force); got != want {
			t.Errorf("%#x is %g of full force, want %g", force, got, want)
		}
	}
}
