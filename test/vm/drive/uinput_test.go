package drive

import (
	"encoding/json"
	"testing"
	"time"

	"rig.example/rig/internal/frame"
	"rig.example/rig/test/vm/uinput"
)

// TestUnknownWheelAndPedals drives with devices that are in no table. Rig finds them by their capabilities.
func TestUnknownWheelAndPedals(t *testing.T) {
	inGuest(t)
	wheel, pedals := device(t, uinput.Wheel()), device(t, uinput.Pedals())
	b := &bench{t: t}
	b.config()
	var list []struct{ Path, Use string }
	decode(t, b.rig(nil, "devices", "--json"), &list)
	uses := map[string]string{}
	for _, d := range list {
		uses[d.Path] = d.Use
	}
	if uses[wheel.Node()] != "wheel" || uses[pedals.Node()] != "pedals" {
		t.Errorf("the wheel %s and the pedals %s are for %v", wheel.Node(), pedals.Node(), uses)
	}
	b.run()
	wheel.Set(uinput.AbsX, 0x8000)
	for throttle := int32(15); throttle < 4095; throttle += 240 { // from rest, so that rig learns which end is released
		pedals.Set(uinput.AbsX, throttle)
		time.Sleep(5 * time.Millisecond)
	}
	b.until("10 m/s", 15*time.Second, func(f frame.Frame) bool { return f.Speed > 10 })
	wheel.Set(uinput.AbsX, 0x8000-4000)
	turning := b.until("a bend to the left", 2*time.Second, func(f frame.Frame) bool { return f.Rate[2] > 0.15 && f.RimTorque < -0.1 })
	time.Sleep(20 * time.Millisecond)
	var level int16
	for _, r := range wheel.Requests() {
		if r.Kind == uinput.UploadEffect {
			level = r.Effect.Level()
		}
	}
	if turning.RatedTorque != 1 || level >= 0 {
		t.Errorf("level %d of a wheel rated for %g N·m; want it to the right (negative), and mild while its sign is unknown", level, turning.RatedTorque)
	}
	var sum struct {
		ExitState string `json:"exit_state"`
	}
	if err := json.Unmarshal(b.finish(), &sum); err != nil || sum.ExitState != "parked" {
		t.Errorf("ended %q, %v", sum.ExitState, err)
	}
}

func device(t *testing.T, c uinput.Config) *uinput.Device {
	t.Helper()
	d, err := uinput.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}
