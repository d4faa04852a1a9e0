//go:build cgo

package display

import (
	"os"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/test/x11"
)

// awaitKeys waits until the page says that exactly these keys are down.
func awaitKeys(t *testing.T, p *framepage.Page, want uint64) {
	t.Helper()
	var keys uint64
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if keys, _ = p.Keys(); keys&^frame.WindowFocused == want {
			return
		}
	}
	t.Fatalf("keys %06b in the page, want %06b", keys, want)
}

// A tap that is over before the next picture is drawn still counts. The display is stopped meanwhile, so that none is drawn.
func TestAShortTapReachesThePage(t *testing.T) {
	x := x11.Start(t)
	page := testPage(t, displaytest.OvalFrame(0))
	cmd := childCommand(t, x, childJob{files: page.Files()})
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for _, beat := page.Keys(); beat < 2; _, beat = page.Keys() {
		time.Sleep(10 * time.Millisecond)
	}
	k := x11.NewKeyboard(t, x)
	const two = 11
	cmd.Process.Signal(syscall.SIGSTOP)
	k.Press(t, two, true)
	k.Press(t, two, false)
	cmd.Process.Signal(syscall.SIGCONT)
	awaitKeys(t, page, frame.KeyABSMore)
	awaitKeys(t, page, 0)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
}

func TestKeysReachThePage(t *testing.T) {
	x := x11.Start(t)
	page := testPage(t, displaytest.OvalFrame(0))
	cmd := childCommand(t, x, childJob{files: page.Files()})
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for _, beat := page.Keys(); beat < 5; _, beat = page.Keys() {
		time.Sleep(10 * time.Millisecond)
	}
	k := x11.NewKeyboard(t, x)
	k.Press(t, x11.KeyLeft, true)
	awaitKeys(t, page, frame.KeyLeft)
	if keys, _ := page.Keys(); keys&frame.WindowFocused == 0 {
		t.Error("a window whose keys are told does not tell that it has the keyboard")
	}
	k.Press(t, x11.KeyUp, true)
	awaitKeys(t, page, frame.KeyLeft|frame.KeyUp)
	k.Press(t, x11.KeyLeft, false)
	awaitKeys(t, page, frame.KeyUp)
	k.Press(t, x11.KeyUp, false)
	k.Press(t, x11.KeyA, true)
	awaitKeys(t, page, frame.KeyLeft)
	k.Press(t, x11.KeyA, false)
	k.Press(t, x11.KeyC, true)
	awaitKeys(t, page, frame.KeyCamera)
	k.Press(t, x11.KeyC, false)
	k.Press(t, x11.KeySpace, true)
	awaitKeys(t, page, frame.KeyStop)
	k.Press(t, x11.KeySpace, false)
	k.Press(t, x11.KeyEnter, true)
	awaitKeys(t, page, frame.KeyClear)
	k.Press(t, x11.KeyEnter, false)
	k.Press(t, x11.KeyR, true)
	awaitKeys(t, page, frame.KeyReset)
	k.Press(t, x11.KeyR, false)
	awaitKeys(t, page, 0)
	for _, key := range []struct {
		code byte // of the server
		want uint64
	}{
		{10, frame.KeyABSLess}, {11, frame.KeyABSMore}, {12, frame.KeyTractionLess}, // 1, 2, 3
		{13, frame.KeyTractionMore}, {14, frame.KeyStabilityLess}, {15, frame.KeyStabilityMore}, // 4, 5, 6
		{33, frame.KeyPit}, {46, frame.KeyLaunch}, {31, frame.KeyEngineStartStop}, // P, L, I
		{32, frame.KeyPause}, {41, frame.KeyFlash}, {43, frame.KeyHandbrake}, // O, F, H
		{52, frame.KeyLookLeft}, {53, frame.KeyLookRight}, {20, frame.KeyGainLess}, {21, frame.KeyGainMore}, // Z, X, -, =
		{30, frame.KeyHighTorque}, {56, frame.KeyDeadMan}, // U, B
		{34, frame.KeyMotionLess}, {35, frame.KeyMotionMore}, {45, frame.KeyCueNext}, // [, ], K
		{59, frame.KeyCueLess}, {60, frame.KeyCueMore}, {44, frame.KeyMotionToggle}, // comma, full stop, J
		{58, frame.KeyOther}, {28, frame.KeyOther}, // M, T
		{42, frame.KeyAutoGears}, {26, frame.KeyGearUp}, {24, frame.KeyGearDown}, // G, E, Q
	} {
		k.Press(t, key.code, true)
		awaitKeys(t, page, key.want)
		k.Press(t, key.code, false)
		awaitKeys(t, page, 0)
	}
	k.Press(t, x11.KeyEscape, true) // asks
	awaitKeys(t, page, frame.KeyOther)
	k.Press(t, x11.KeyEscape, false)
	awaitKeys(t, page, 0)
	k.Press(t, x11.KeyEscape, true)
	if err := cmd.Wait(); err != nil {
		t.Errorf("closed window: %v", err)
	}
	awaitKeys(t, page, frame.KeyClose)
}

// With a window for each screen, keys count in whichever has the keyboard: the emergency stop above all.
func TestKeysOfEveryWindowReachThePage(t *testing.T) {
	x := x11.Start(t)
	page := testPage(t, displaytest.OvalFrame(0))
	cmd := childCommand(t, x, childJob{files: page.Files(), Setup: Setup{Screens: triple(), EachScreen: true}, Width: 640, Height: 360})
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for _, beat := page.Keys(); beat < 5; _, beat = page.Keys() {
		time.Sleep(10 * time.Millisecond)
	}
	k := x11.NewKeyboard(t, x) // the window that was opened last has the keyboard, and it is not the first one
	k.Press(t, x11.KeySpace, true)
	awaitKeys(t, page, frame.KeyStop)
	k.Press(t, x11.KeySpace, false)
	awaitKeys(t, page, 0)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
}
