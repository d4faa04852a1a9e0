package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestADriversProfileSetsOnlyWhatIsTheDrivers(t *testing.T) {
	c := Default(AllSections...)
	text := "# anna\n[ffb]\ngain = 0.7\n[tuning]\nsurge = 0.5\n[assists]\nabs = 3\nunreal.low_speed = 0.5\n[display]\ncamera = \"cockpit\"\n" +
		"[pedals.shape.brake]\ncurve = \"gamma\"\ngamma = 1.5\n[sound.volume]\nengine = 0.5\n"
	if err := c.ApplyDriver("anna.toml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if c.FFB.Gain != 0.7 || c.Tuning.Surge != 0.5 || c.Assists.ABS != 3 || c.Display.Camera != "cockpit" || c.Pedals.Shape.Brake.Gamma != 1.5 {
		t.Errorf("not all is applied: %+v", c.FFB)
	}
	keys, err := DriverKeys(c)
	want := map[string]any{"ffb.gain": 0.7, "tuning.surge": 0.5, "assists.abs": int64(3), "assists.unreal.low_speed": 0.5, "display.camera": "cockpit",
		"pedals.shape.brake.curve": "gamma", "pedals.shape.brake.gamma": 1.5, "sound.volume.engine": 0.5}
	if err != nil || !reflect.DeepEqual(keys, want) {
		t.Errorf("%v\n%v, want\n%v", err, keys, want)
	}
}

// The wheel's preset is chosen when the wheel is found: the driver's gain counts more than that of any.
func TestADriversGainCountsMoreThanAnyPreset(t *testing.T) {
	c := Default(AllSections...)
	if err := c.ApplyDriver("anna.toml", []byte("ffb.gain = 0.7\n")); err != nil {
		t.Fatal(err)
	}
	for _, preset := range append(Presets(), "") {
		force, err := c.Force(preset)
		if err != nil || force.Gain != 0.7 {
			t.Errorf("preset %q: gain %g, %v", preset, force.Gain, err)
		}
	}
}

// Every key of the configuration is a driver's or is refused, and whatever limits torque or motion is.
func TestADriversProfileRaisesNoLimit(t *testing.T) {
	const protects, rigs = "protects the person on the rig", "belongs to the rig"
	for key, why := range map[string]string{
		"guard.max_torque_nm = 20": protects, "guard.dead_man = false": protects, "wheel.max_torque_nm = 20": protects, "wheel.full_torque_nm = 1": protects,
		"wheel.max_slew_nm_per_ms = 9": protects, "ffb.max_torque_nm = 20": protects, "ffb.preset = \"direct\"": protects, "ffb.rim.fastest_deg_per_s = 1": protects,
		"cueing.max_heave_m = 1": protects, "cueing.mode = \"direct\"": protects, "geometry.stroke_m = 1": protects, "motion.port = \"/dev/x\"": protects, "estop.pin = \"\"": protects,
		"buttons.stop = \"\"": protects, "sound.ceiling_db = 0": protects, "GUARD.Max_Torque_Nm = 20": protects,
		"car = \"gt\"": rigs, "driver = \"bob\"": rigs, "profiles_dir = \"/\"": rigs, "pedals.device = \"x\"": rigs, "pedals.shape.brake.invert = true": rigs, "record.always = true": rigs,
	} {
		c := Default(AllSections...)
		if err := c.ApplyDriver("anna.toml", []byte("ffb.gain = 0.5\n"+key+"\n")); err == nil || !strings.HasPrefix(err.Error(), "anna.toml:2:1: ") || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %s", key, err, why)
		}
		if !reflect.DeepEqual(c, Default(AllSections...)) {
			t.Errorf("%s: it is applied", key)
		}
	}
	c := Default(AllSections...)
	for text, says := range map[string]string{
		"ffb.gain = 2.5": "anna.toml:1:1: ffb.gain = 2.5: must be 0 to 2", "tuning.gain = 4": "must be 0 to 3", "ffb.gane = 1": `unknown key "ffb.gane"; did you mean "gain"`,
		"[[shaker]]\ngain_db = 3": rigs, "[[ffb]]\ngain = 1": "ffb", "ffb = ": "anna.toml:1",
	} {
		if err := c.ApplyDriver("anna.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", text, err, says)
		}
	}
	for key := range allDriverKeys(t) {
		if c.protects(strings.Split(key, ".")) {
			t.Errorf("%s is both a driver's and protects", key)
		}
	}
}

// allDriverKeys returns all keys of the default configuration that are a driver's, and fails if a pattern matches none.
func allDriverKeys(t *testing.T) map[string]bool {
	values, err := Keys(Default(AllSections...))
	if err != nil {
		t.Fatal(err)
	}
	all, used, driverKeys := map[string]bool{}, map[string]bool{}, slices.Clone(driverKeys)
	for _, s := range AllSections {
		driverKeys = append(driverKeys, splitKeys(s.Driver...)...)
	}
	for _, path := range leaves(nil, values) {
		for _, pattern := range driverKeys {
			if isBelow(path, [][]string{pattern}) {
				all[strings.Join(path, ".")], used[strings.Join(pattern, ".")] = true, true
			}
		}
	}
	if len(used) != len(driverKeys) {
		t.Errorf("of %d patterns only %v match a key", len(driverKeys), used)
	}
	return all
}

func TestDriverNames(t *testing.T) {
	for name, ok := range map[string]bool{"anna": true, "Bob-2_x": true, "a": true, strings.Repeat("a", 40): true,
		"": false, strings.Repeat("a", 41): false, "../x": false, "a/b": false, ".a": false, "-a": false, "a.b": false, "none": false, "ä": false, "a b": false} {
		if err := CheckDriverName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	c := Default(AllSections...)
	if err := Decode("rig.toml", []byte("driver = \"../x\"\n"), &c); err == nil || !strings.Contains(err.Error(), "rig.toml:1:1: driver = \"../x\": a driver's name must be") {
		t.Error(err)
	}
}

// Whatever a profile says, it is refused or changes only what is the driver's.
func FuzzDriver(f *testing.F) {
	f.Add([]byte("ffb.gain = 0.5\n[assists]\nabs = 2\n"))
	f.Add([]byte("guard = { max_torque_nm = 20 }\n[[shaker]]\n"))
	f.Add([]byte("Guard.\"max_torque_nm\" = 20\n"))
	f.Add([]byte("[pedals.shape.brake]\npoints_in = [0,1]\npoints_out = [0,1]\ncurve = \"points\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Default(AllSections...)
		if c.ApplyDriver("f.toml", text) != nil {
			return
		}
		now, err := Keys(c)
		if err != nil {
			t.Fatal(err)
		}
		before, err := Keys(Default(AllSections...))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range leaves(nil, now) {
			value, _ := lookUp(now, path)
			if was, _ := lookUp(before, path); !c.isDrivers(path) && !reflect.DeepEqual(value, was) {
				t.Errorf("%v: %v was %v", path, value, was)
			}
		}
	})
}
