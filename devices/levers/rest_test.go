package levers

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
)

// Whatever says where a lever rests, it counts only once it was seen there: one that rests at the other end, and is pulled from
// there, is never pulled when nobody touches it.
func TestALeverCountsOnceItWasAtRest(t *testing.T) {
	const ms = 0.001
	type hold struct {
		raw      int32
		reported bool
		seconds  float64
		want     float64 // afterwards
		valid    bool
	}
	configured := ExtraAxis{Rest: 20, Press: 980}
	for _, tt := range []struct {
		name  string
		extra ExtraAxis
		says  string // at the end
		holds []hold
	}{
		{"resting low, moved once", ExtraAxis{}, "", []hold{{0, false, 1, 0, false}, {300, true, 1, 0, false}, {0, true, 0.2, 0, false}, {0, true, 0.2, 0, true}, {500, true, 1, 0.5, true}}},
		{"resting high, which nothing says", ExtraAxis{}, "its ends are exchanged", []hold{{0, false, 1, 0, false}, {950, true, 0.2, 0, false}, {0, true, 1, 0, false}, {1000, true, 1, 0, false}}},
		{"configured, untouched", configured, "", []hold{{0, false, 0.4, 0, true}, {60, true, 0.1, 0.0417, true}, {500, true, 1, 0.5, true}}},
		{"configured, and the device counts down", configured, "its ends are exchanged", []hold{{1000, true, 1, 0, false}, {0, true, 1, 0, false}, {1000, true, 1, 0, false}}},
		{"configured, counting down, untouched", configured, "its ends are exchanged", []hold{{0, false, 1, 0, true}, {940, true, 0.1, 0, false}, {0, true, 1, 0, false}, {1000, true, 1, 0, false}}},
		{"pulled half when it is plugged in", configured, "", []hold{{600, true, 1, 0, false}, {20, true, 0.4, 0, true}, {500, true, 1, 0.5, true}}},
		{"pulled half, and held", configured, "it counts once no pedal of its device is pressed", []hold{{600, true, 3, 0, false}}},
	} {
		for _, name := range []string{"throttle", "handbrake", "clutch", "brake"} {
			tt.extra.Axis = name
			i := axis.Index(name)
			a := leverAxis{extra: tt.extra, code: evdev.AbsZ, axes: []int{i}}
			a.shape[0] = axis.NewShape(axis.Config{}, ms)
			a.reset(&session{info: evdev.Info{Axes: []evdev.Axis{{Name: "ABS_Z", Code: evdev.AbsZ, Max: 1000}}}})
			var said string
			for n, h := range tt.holds {
				var c axis.Readings
				for range int(math.Round(h.seconds / ms)) {
					said = strings.Join(a.follow(&c, h.raw, h.reported, ms, ms).Texts(), "")
				}
				if math.Abs(c.Position[i]-h.want) > 0.01 || c.Valid>>i&1 == 1 != h.valid {
					t.Errorf("%s, %s, hold %d: %+v, want %g, valid %v", tt.name, name, n, c, h.want, h.valid)
				}
			}
			if tt.says == "" && said != "" || !strings.Contains(said, tt.says) {
				t.Errorf("%s, %s: says %q, want %q", tt.name, name, said, tt.says)
			}
		}
	}
}

// An axis that is throttle and brake counts once it was in its middle: an end at which it is plugged in is not floored.
func TestACombinedAxisCountsOnceItWasInTheMiddle(t *testing.T) {
	const ms = 0.001
	a := leverAxis{extra: ExtraAxis{Axis: throttleBrake}, code: evdev.AbsY, axes: []int{axis.Throttle, axis.Brake}}
	a.shape = [2]axis.Shape{axis.NewShape(axis.Config{}, ms), axis.NewShape(axis.Config{}, ms)}
	a.reset(&session{info: evdev.Info{Axes: []evdev.Axis{{Name: "ABS_Y", Code: evdev.AbsY, Max: 1000}}}, profile: calib.PedalsProfile{}})
	for n, h := range []struct {
		raw             int32
		seconds         float64
		throttle, brake float64
		valid           uint32
	}{
		{700, 1, 0, 0, 0}, {500, 0.2, 0, 0, 0}, {500, 0.2, 0, 0, axis.Needed}, {1000, 0.1, 1, 0, axis.Needed}, {250, 0.1, 0, 0.5, axis.Needed},
	} {
		var c axis.Readings
		for range int(math.Round(h.seconds / ms)) {
			a.follow(&c, h.raw, true, ms, ms)
		}
		if math.Abs(c.Position[axis.Throttle]-h.throttle) > 0.01 || math.Abs(c.Position[axis.Brake]-h.brake) > 0.01 || c.Valid != h.valid {
			t.Errorf("hold %d: %+v, want %+v", n, c, h)
		}
	}
}
