package config

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/sim"
)

// A configuration that is accepted can be written and read again.
func FuzzConfiguration(f *testing.F) {
	f.Add([]byte("surface = \"wet\"\n[guard]\nengage_s = 3\n[wheel]\ndevice = \"a\\u001b[2J\"\n[motion]\nprotocol = \"smc3\"\nport = \"/dev/null\"\n[[pedals.adc]]\naxis = 'brake'\n"))
	f.Add([]byte("[buttons]\npause = 'BTN_TOP2'\n[estop]\npin = 'a:0'\n[ffb.rim]\ndamping = nan\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Default()
		if Decode("f.toml", text, &c) != nil {
			return
		}
		again, err := EncodeTOML(c)
		if err != nil {
			t.Fatal(err)
		}
		d := Default()
		if err := Decode("again.toml", []byte(again), &d); err != nil {
			t.Errorf("it is refused when it is read again: %v", err)
		}
	})
}

// A platform that is accepted can be built, and its legs have lengths.
func FuzzPlatform(f *testing.F) {
	for _, name := range Platforms() {
		text, _, err := readPlatform(name, "")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("[geometry]\nkind = \"legs\"\n[[geometry.legs]]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Default()
		p := platformFile{c.Geometry, c.Cueing, c.Tuning, c.Motion}
		if Decode("f.toml", text, &p) != nil {
			return
		}
		if _, err := cueing.New(p.Cueing, sim.Dt); err != nil {
			t.Errorf("its cueing is accepted and cannot be built: %v", err)
		}
		built, err := cueing.NewPlatform(p.Geometry, cueing.FullStroke())
		if err != nil {
			t.Fatalf("it is accepted and cannot be built: %v", err)
		}
		legs, _ := built.Legs(cueing.Pose{})
		for _, share := range legs {
			if math.IsNaN(share) || math.IsInf(share, 0) {
				t.Errorf("legs at %v in the middle", legs)
			}
		}
	})
}

// A controller's file that is accepted has a plan, or says why not.
func FuzzControllerFile(f *testing.F) {
	names := motion.Presets()
	for _, name := range names {
		text, err := motion.Preset(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("protocol = \"template\"\n[template]\noutput = [\"<Axis1a><256>\"]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := controllerFile{Default().Motion}
		if Decode("f.toml", text, &p) != nil {
			return
		}
		p.Port = "/dev/null"
		if plan, err := p.Plan(); err == nil && (plan.Axes < 0 || math.IsNaN(plan.Start[0])) {
			t.Errorf("accepted %d axes that stand at %g", plan.Axes, plan.Start[0])
		}
	})
}

// A car that is accepted can be built.
func FuzzCarFile(f *testing.F) {
	for _, name := range Cars() {
		text, _, ok := readBuiltinCar(name)
		if !ok {
			f.Fatal(name)
		}
		f.Add(text)
	}
	none := func(string, string) ([]byte, string, error) { return nil, "", errors.New("no files here") }
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := decodeCar(filepath.Join("folder", "f.toml"), text, none); err != nil && err.Error() == "" {
			t.Error("refused without a word")
		}
	})
}
