package uinput

import (
	"testing"
	"unsafe"
)

func TestStructsHaveTheKernelsSize(t *testing.T) {
	tests := []struct {
		name      string
		got, want uintptr
	}{
		{"input_event", unsafe.Sizeof(Event{}), 24},
		{"ff_effect", unsafe.Sizeof(Effect{}), 48},
		{"uinput_setup", unsafe.Sizeof(deviceSetup{}), 92},
		{"uinput_abs_setup", unsafe.Sizeof(axisSetup{}), 28},
		{"uinput_ff_upload", unsafe.Sizeof(uploadRequest{}), 104},
		{"uinput_ff_erase", unsafe.Sizeof(eraseRequest{}), 12},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s has %d bytes, want %d", test.name, test.got, test.want)
		}
	}
}

func TestLevelKeepsItsSign(t *testing.T) {
	e := Constant(-0x8000, 60)
	if e.Level() != -0x8000 || e.Parameters[0] != 0x00 || e.Parameters[1] != 0x80 {
		t.Errorf("level %d in % x, want -32768 in 00 80", e.Level(), e.Parameters[:2])
	}
}
