package wheel

import (
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// A rim is turned by itself only where direction and torque of its force are known.
func TestOnlyAMeasuredWheelMayTurnByItself(t *testing.T) {
	g29 := g29Buttons()
	g29.FFEffects = []string{"FF_CONSTANT"}
	other := g29
	other.Vendor, other.Product, other.Name = 0x1234, 0x5678, "unknown wheel"
	limp := g29
	limp.FFEffects = nil
	motor := []calib.MotorPoint{{Level: 0.1, Torque: 0.1}, {Level: 1, Torque: 2}}
	for _, c := range []struct {
		name    string
		info    evdev.Info
		profile *calib.WheelProfile
		full    float64
		want    string
	}{
		{"measured", g29, &calib.WheelProfile{Force: 1}, 0, ""},
		{"measured, the other way", g29, &calib.WheelProfile{Force: -1}, 0, ""},
		{"never calibrated", g29, nil, 0, "run `rig calibrate wheel`"},
		{"direction not measured", g29, &calib.WheelProfile{}, 0, "run `rig calibrate wheel`"},
		{"unknown torque", other, &calib.WheelProfile{Force: 1}, 0, "set wheel.full_torque_nm"},
		{"unknown wheel, torque given", other, &calib.WheelProfile{Force: 1}, 5, ""},
		{"unknown wheel, motor measured", other, &calib.WheelProfile{Force: 1, Motor: motor}, 0, ""},
		{"no force", limp, &calib.WheelProfile{Force: 1}, 0, "has no force feedback"},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := calib.Store{Dir: t.TempDir()}
			if p := c.profile; p != nil {
				p.Version, p.Device, p.Axis, p.Left, p.Right, p.Center, p.RangeDeg = calib.ProfileVersion, calib.IdentityOf(c.info), "ABS_X", 0, 65535, 32768, 900
				if _, err := store.SaveWheel(*p); err != nil {
					t.Fatal(err)
				}
			}
			cfg := DefaultConfig()
			cfg.FullNm = c.full
			err := CheckMeasured(cfg, c.info, store)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
