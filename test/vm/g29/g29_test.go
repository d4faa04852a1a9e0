package g29

import (
	"encoding/hex"
	"math"
	"testing"
	"time"
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
		{"autocentre off", []byte{0xf5, 0, 0, 0, 0, 0, 0}, Report{Kind: AutocenterOff}},
		{"autocentre on", []byte{0xfe, 0x0d, 7, 7, 0x80, 0, 0}, Report{Kind: AutocenterOn}},
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
	// X is 0x1234>>2 = 0x48d above 26 bits; button 22 is bit 25.
	in := Input{Steer: 0x1234, Gas: 1, Brake: 2, Clutch: 3, Buttons: 1<<21 | 1}
	const want = "1800003612" + "010203" + "000000"
	if got := hex.EncodeToString(in.reportG27()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// after turns a rim for that time with one force.
func after(r Rim, s rimState, force byte, total time.Duration) rimState {
	s.force = force
	for t := time.Duration(0); t < total; t += time.Millisecond {
		s = r.step(s, time.Millisecond)
	}
	return s
}

var resting = rimState{force: NoForce, lock: lockAngle(fullRange)}

func TestRimTurnsTheWayItIsPushed(t *testing.T) {
	rim := DefaultRim()
	left := after(rim, resting, 0xc0, 100*time.Millisecond)
	right := after(rim, resting, 0x40, 100*time.Millisecond)
	if left.angle <= 0 || left.steer() >= 0x8000 {
		t.Errorf("pushed left: %.3f rad, axis %#x; want a positive angle, less than 0x8000", left.angle, left.steer())
	}
	if right.angle != -left.angle {
		t.Errorf("left %.6f rad, right %.6f rad; want mirrored", left.angle, right.angle)
	}
}

func TestRimFollowsNewton(t *testing.T) {
	rim := Rim{Inertia: 0.02, Peak: 2} // no friction
	got := after(rim, resting, 0xc0, 100*time.Millisecond).speed
	if want := 1.0 / 0.02 * 0.1; math.Abs(got-want) > 1e-9 { // torque/inertia*time
		t.Errorf("speed %.6f rad/s, want %.6f rad/s", got, want)
	}
}

func TestFrictionHoldsTheRimAndStopsIt(t *testing.T) {
	rim := Rim{Inertia: 0.02, Friction: 0.15, Peak: 2}
	if s := after(rim, resting, NoForce+9, time.Second); s.angle != 0 { // 0.14 N·m
		t.Errorf("turned by %.6f rad against friction that is larger", s.angle)
	}
	moving := resting
	moving.speed = 3
	stopped := after(rim, moving, NoForce, time.Second) // stops after 0.4 s
	if want := 3.0 * 3.0 / 2 / (0.15 / 0.02); stopped.speed != 0 || math.Abs(stopped.angle-want) > 0.01 {
		t.Errorf("coasted %.3f rad, still at %.3f rad/s; want %.3f rad at rest", stopped.angle, stopped.speed, want)
	}
}

func TestStopsHoldTheRim(t *testing.T) {
	s := after(DefaultRim(), resting, 0xff, 2*time.Second)
	if s.angle != lockAngle(fullRange) || s.speed != 0 || s.steer() != 0 {
		t.Errorf("at %.3f rad, %.3f rad/s, axis %d; want at rest at the left stop, 0", s.angle, s.speed, s.steer())
	}
	if s = after(DefaultRim(), resting, 0, 2*time.Second); s.steer() != 0xffff {
		t.Errorf("axis %#x, want 0xffff at the right stop", s.steer())
	}
}

func TestSetRimIsWhereItWasSet(t *testing.T) {
	for _, raw := range []uint16{0, 1, 0x7fff, 0x8000, 0xc000, 0xffff} {
		if got := resting.at(raw).steer(); got != raw {
			t.Errorf("set to %#x, is at %#x", raw, got)
		}
	}
}
