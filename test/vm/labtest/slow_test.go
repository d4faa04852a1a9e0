package labtest

import (
	"testing"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/uinput"
)

func TestUploadsToASlowWheelWait(t *testing.T) {
	inGuest(t)
	const slow = 20 * time.Millisecond
	c := uinput.Wheel()
	c.UploadTime = slow
	_, fd := newDevice(t, c)
	e := uinput.Constant(0x1000, 0)
	var worst time.Duration
	for i := range int16(10) {
		e.SetLevel(0x1000 * (i % 7))
		start := mono.Now()
		upload(t, fd, &e)
		took := mono.Now() - start
		if took < slow {
			t.Errorf("upload %d took %v, want %v or more", i, took, slow)
		}
		worst = max(worst, took)
	}
	t.Logf("figure: slow wheel: an upload takes up to %v", worst)
	if virtualTime() && worst > slow+10*time.Millisecond {
		t.Errorf("an upload took %v, want %v and little more", worst, slow)
	}
}

func TestAxisWithoutTravelIsReportedUnchanged(t *testing.T) {
	inGuest(t)
	_, fd := newDevice(t, uinput.PedalsWithoutTravel())
	low, high, err := uinput.Limits(fd, uinput.AbsY)
	if err != nil || low != 7 || high != 7 {
		t.Errorf("limits %d and %d, %v; want 7 twice", low, high, err)
	}
}
