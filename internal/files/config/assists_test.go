package config

import (
	"strings"
	"testing"
)

func TestAssistsAreReadAndOffByDefault(t *testing.T) {
	c := Default()
	if want := (Assists{Clutch: "auto", Shifting: "auto"}); c.Assists != want {
		t.Errorf("default %+v", c.Assists)
	}
	text := "[assists]\nabs = 5\ntraction = 3\nstability = 10\nautomatic_clutch = 'on'\nautomatic_shifting = 'off'\n" +
		"launch = true\npit_limiter = true\n[assists.unreal]\nyaw_torque = 0.5\nlow_speed = 1\n"
	if err := Decode("rig.toml", []byte(text), &c); err != nil {
		t.Fatal(err)
	}
	want := Assists{ABS: 5, Traction: 3, Stability: 10, Clutch: "on", Shifting: "off", Launch: true, Pit: true,
		Unreal: UnrealAssists{Yaw: 0.5, LowSpeed: 1}}
	if c.Assists != want {
		t.Errorf("read %+v", c.Assists)
	}
}

func TestFaultsOfAssistsHaveTheirPlace(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"level too high", "[assists]\nabs = 11\n", `rig.toml:2:1: assists.abs = 11: must be 0 to 10`},
		{"level below 0", "[assists]\n\nstability = -1\n", `rig.toml:3:1: assists.stability = -1: must be 0 to 10`},
		{"a level that is a switch", "[assists]\ntraction = true\n", `rig.toml:2:`},
		{"no such choice", "[assists]\nautomatic_clutch = 'yes'\n", `rig.toml:2:1: assists.automatic_clutch = "yes": must be auto, on or off`},
		{"too strong", "[assists.unreal]\nyaw_torque = 1.5\n", `rig.toml:2:1: assists.unreal.yaw_torque = 1.5: must be 0 to 1`},
		{"NaN", "[assists.unreal]\nlow_speed = nan\n", `rig.toml:2:1: assists.unreal.low_speed = NaN: must be 0 to 1`},
		{"unreal among the real", "[assists]\nyaw_torque = 0.1\n", `rig.toml:2:1: unknown key "assists.yaw_torque"`},
		{"slip", "[assists]\nautomatic_shift = 'on'\n", `rig.toml:2:1: unknown key "assists.automatic_shift"; did you mean "automatic_shifting"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Default()
			err := Decode("rig.toml", []byte(tt.text), &c)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}
