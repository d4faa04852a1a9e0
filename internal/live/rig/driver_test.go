package rig

import (
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/scenery"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/test/level"
)

// hold keeps keys down in the window for some ticks.
func hold(t *testing.T, r *Rig, keys uint64, ticks int) {
	t.Helper()
	for range ticks {
		r.page.SetKeys(keys)
		run(t, r, 1)
	}
}

func TestKeysChangeGears(t *testing.T) {
	r := withPage(t, demo(t))
	hold(t, r, 0, 3000)
	hold(t, r, frame.KeyDown, 4000) // stands, and backs a little
	hold(t, r, frame.KeyUp, 2500)
	if !r.drive.State.Input.Assists.AutoShift || !r.drive.State.Input.Assists.AutoClutch || r.drive.State.Input.Gear != 1 {
		t.Fatalf("arrow keys: %+v, want the car to shift", r.drive.State.Input)
	}
	hold(t, r, frame.KeyUp|frame.KeyAutoGears, 50)
	was := r.drive.State.Input.Gear
	hold(t, r, frame.KeyUp|frame.KeyGearUp, 50)
	if r.drive.State.Input.Assists.AutoShift || r.drive.State.Input.Gear != was+1 {
		t.Errorf("gear %d after %d and a pull up, car shifts: %v", r.drive.State.Input.Gear, was, r.drive.State.Input.Assists.AutoShift)
	}
	hold(t, r, frame.KeyDown, 4000)
	if r.drive.State.Input.Gear != was+1 || r.drive.State.Input.Throttle != 0 || r.drive.State.Car.Speed < -0.1 {
		t.Errorf("down key in gear %d: throttle %.2f at %.2f m/s, want to stand on the brake", r.drive.State.Input.Gear, r.drive.State.Input.Throttle, r.drive.State.Car.Speed)
	}
}

// The keys have no clutch, so the car works it even where the driver is to.
func TestKeysDriveWithoutAClutch(t *testing.T) {
	cfg := config.Default()
	cfg.Assists.Clutch, cfg.Assists.Shifting = config.Off, config.Off
	r := withPage(t, demoOf(t, cfg))
	hold(t, r, frame.KeyUp, 6000)
	if r.drive.State.Car.Speed < 5 || r.drive.State.Input.Gear != 1 || !r.drive.State.Car.Driveline.Engine.Running {
		t.Errorf("%.1f m/s in gear %d, engine runs: %v", r.drive.State.Car.Speed, r.drive.State.Input.Gear, r.drive.State.Car.Driveline.Engine.Running)
	}
}

func TestBothArrowKeysHoldTheCarForAStart(t *testing.T) {
	r := withPage(t, demo(t))
	r.drive.State.Car = atStart(r)
	hold(t, r, frame.KeyUp|frame.KeyDown, 3000)
	if r.drive.State.Input.Brake < 0.99 || r.drive.State.Input.Gear != 1 || r.drive.State.Car.Speed > 0.1 || r.drive.State.Car.Speed < -0.1 {
		t.Errorf("brake %.2f, gear %d, %.2f m/s", r.drive.State.Input.Brake, r.drive.State.Input.Gear, r.drive.State.Car.Speed)
	}
}

func TestLaunchControlByKeys(t *testing.T) {
	cfg := config.Default()
	cfg.Assists.Launch = true
	r := withPage(t, demoOf(t, cfg))
	hold(t, r, 0, 100)
	r.drive.State.Car = atStart(r)
	hold(t, r, frame.KeyUp|frame.KeyDown, 4000)
	var f frame.Frame
	r.page.Read(&f)
	if r.drive.State.Input.Throttle != 1 || r.drive.State.Input.Brake < 0.99 || math.Abs(r.drive.State.Car.Speed) > 0.1 || f.Flags&frame.LaunchActive == 0 {
		t.Errorf("both keys: throttle %.2f, brake %.2f, %.2f m/s, flags %b", r.drive.State.Input.Throttle, r.drive.State.Input.Brake, r.drive.State.Car.Speed, f.Flags)
	}
	hold(t, r, frame.KeyUp, 3000)
	if r.drive.State.Car.Speed < 8 || r.drive.State.Input.Throttle != 1 {
		t.Errorf("%.1f m/s in 3 s from letting go, throttle %.2f", r.drive.State.Car.Speed, r.drive.State.Input.Throttle)
	}
}

func TestLevelsReachCarAndFrame(t *testing.T) {
	cfg := config.Default()
	cfg.Assists.ABS, cfg.Assists.Unreal.Yaw = 5, 0.25
	r := withPage(t, demoOf(t, cfg))
	hold(t, r, 0, 10)
	for _, key := range []uint64{frame.KeyABSLess, frame.KeyTractionMore, frame.KeyStabilityMore, frame.KeyPit, frame.KeyLaunch} {
		hold(t, r, key, 5)
		hold(t, r, 0, 5)
	}
	a := r.drive.State.Input.Assists
	if a.ABS != 4 || a.Traction != 1 || a.Stability != 1 || !a.PitLimiter || !a.Launch || a.YawAid != 0.25 {
		t.Errorf("the car is told %+v", a)
	}
	var f frame.Frame
	r.page.Read(&f)
	if f.ABS != 4 || f.Traction != 1 || f.Stability != 1 || f.Flags&frame.PitLimiterOn == 0 || f.Flags&frame.LaunchOn == 0 {
		t.Errorf("the frame shows %d, %d, %d, flags %b", f.ABS, f.Traction, f.Stability, f.Flags)
	}
}

// feet is a driver of whom a test moves hands and feet.
type feet struct {
	hands wheel.Sample
	feet  pedals.Sample
}

// held is a wheel that such a driver holds.
type held struct {
	*wheel.Sim
	by *feet
}

func (h held) Poll(out *wheel.Sample) { *out = h.by.hands }

// pressed are the pedals below the driver's feet.
type pressed struct{ by *feet }

func (p pressed) Poll(out *pedals.Sample) { *out = p.by.feet }

// seated returns a rig that drives, with assists as configured and a driver at the wheel.
func seated(t *testing.T, a config.Assists) (*Rig, *feet) {
	t.Helper()
	cfg := config.Default()
	cfg.Assists = a
	return seatedIn(t, cfg)
}

// seatedIn is seated in any car, whose force and motion fade in as fast as they may.
func seatedIn(t *testing.T, cfg config.Config) (*Rig, *feet) {
	t.Helper()
	cfg.Guard.Engage = 0.2
	r, d := withPage(t, undriven(t, cfg)), &feet{}
	d.hands.Present, d.feet.Present = true, true
	r.wheel, r.pedals, r.demo = held{wheel.NewSim(wheel.DefaultSimConfig()), d}, pressed{d}, true
	r.platform = &following{state: motion.Active}
	r.orders.Start()
	return r, d
}

func TestAnEngineStallsAndStartsAgain(t *testing.T) {
	a := config.DefaultAssists()
	a.Clutch, a.Shifting = config.Off, config.Off
	r, d := seated(t, a)
	hold(t, r, 0, 500)
	if !r.drive.State.Car.Driveline.Engine.Running || r.drive.State.Input.Gear != 0 {
		t.Fatalf("starts with the engine running: %v, in gear %d, want neutral", r.drive.State.Car.Driveline.Engine.Running, r.drive.State.Input.Gear)
	}
	d.feet.Clutch = 0.85
	hold(t, r, frame.KeyGearUp, 1000)
	d.feet.Clutch, d.feet.Brake = 0, 1
	hold(t, r, 0, 2000)
	var f frame.Frame
	r.page.Read(&f)
	if r.drive.State.Car.Driveline.Engine.Running || f.Flags&frame.EngineRunning != 0 {
		t.Fatalf("the clutch was released in gear %d on the brake, and the engine turns at %.0f rpm", r.drive.State.Car.Driveline.Gear, r.drive.State.Car.RPM())
	}
	set := deviceSet{}
	f.Flags |= frame.WheelPresent | frame.PedalsPresent
	if n := set.notice(&f); !strings.Contains(n, "engine stopped: press the clutch pedal") {
		t.Errorf("the driver is told %q", n)
	}
	d.feet.Clutch = 1
	hold(t, r, 0, 3000)
	if !r.drive.State.Car.Driveline.Engine.Running {
		t.Errorf("does not start on the clutch pedal: %.0f rpm", r.drive.State.Car.RPM())
	}
	hold(t, r, frame.KeyEngineStartStop, 1500)
	if r.drive.State.Car.Driveline.Engine.Running || r.drive.State.Car.RPM() > 1 {
		t.Errorf("switched off it turns at %.0f rpm", r.drive.State.Car.RPM())
	}
	hold(t, r, 0, 100)
	hold(t, r, frame.KeyEngineStartStop, 1500)
	hold(t, r, 0, 1000)
	if !r.drive.State.Car.Driveline.Engine.Running {
		t.Errorf("does not start on the key: %.0f rpm", r.drive.State.Car.RPM())
	}
}

// By default nobody's engine stalls, whatever hands and feet do.
func TestByDefaultNoEngineStalls(t *testing.T) {
	level.SkipIfQuick(t)
	r, d := seated(t, config.DefaultAssists())
	hold(t, r, 0, 500)
	for _, step := range []struct {
		name     string
		feet     [4]float64 // throttle, brake, clutch, handbrake
		keys     uint64
		duration int // [ticks]
	}{
		{"stands in gear", [4]float64{}, 0, 1000},
		{"against the brake", [4]float64{0.3, 1, 0, 0}, 0, 500},
		{"drives off", [4]float64{1, 0, 0, 0}, 0, 4000},
		{"takes a gear", [4]float64{1, 0, 0, 0}, frame.KeyGearUp, 1000},
		{"stamps on brake and clutch", [4]float64{0, 1, 1, 0}, 0, 4000},
		{"lets go of the clutch", [4]float64{0, 1, 0, 0}, 0, 1000},
		{"backs", [4]float64{0, 1, 0, 0}, frame.KeyGearDown, 100},
		{"more", [4]float64{0, 1, 0, 0}, 0, 100},
		{"still more", [4]float64{0, 1, 0, 0}, frame.KeyGearDown, 500},
		{"backward", [4]float64{0.5, 0, 0, 0}, 0, 2000},
		{"hand brake", [4]float64{0, 0, 0, 1}, 0, 3000},
	} {
		d.feet.Throttle, d.feet.Brake, d.feet.Clutch, d.feet.Handbrake = step.feet[0], step.feet[1], step.feet[2], step.feet[3]
		hold(t, r, step.keys, step.duration)
		if !r.drive.State.Car.Driveline.Engine.Running {
			t.Fatalf("%s: the engine stalled at %.1f m/s in gear %d", step.name, r.drive.State.Car.Speed, r.drive.State.Car.Driveline.Gear)
		}
		t.Logf("%s: %.1f m/s, gear %d, %.0f rpm", step.name, r.drive.State.Car.Speed, r.drive.State.Car.Driveline.Gear, r.drive.State.Car.RPM())
	}
}

// Every car drives off under a throttle alone, forward and backward, and stops again.
func TestEveryCarDrivesOffByDefault(t *testing.T) {
	electric := filepath.Join(t.TempDir(), "electric.toml")
	text := "base = 'hatch'\n[driveline]\ngears = [9]\nfinal_drive = 1\n[driveline.gearbox]\nkind = 'single'\n[driveline.motor]\nenabled = true\n"
	if err := os.WriteFile(electric, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cars := []string{"coupe", electric, "formula", "pickup", "hatch", "gt", "raycast", "wheelcollider"}
	cars = cars[:level.Pick(1, 4, len(cars))] // internal/tools/lab/testrun drives every car
	for _, car := range cars {
		t.Run(filepath.Base(car), func(t *testing.T) {
			cfg := config.Default()
			cfg.Car = car
			r, d := seatedIn(t, cfg)
			hold(t, r, 0, 500)
			d.feet.Throttle = 0.6
			hold(t, r, 0, 4000)
			if v := r.drive.State.Car.Speed; v < 4 || !r.drive.State.Car.Driveline.Engine.Running {
				t.Errorf("%.1f m/s after 4 s of throttle, engine runs: %v", v, r.drive.State.Car.Driveline.Engine.Running)
			}
			d.feet.Throttle, d.feet.Brake = 0, 0.6
			for ticks := 0; math.Abs(r.drive.State.Car.Speed) > 0.01 && ticks < 7000; ticks++ {
				hold(t, r, 0, 1)
			}
			hold(t, r, 0, 500)
			for range 2 {
				hold(t, r, frame.KeyGearDown, 20)
				hold(t, r, 0, 500)
			}
			if v := r.drive.State.Car.Speed; math.Abs(v) > 0.01 || r.drive.State.Input.Gear != -1 || !r.drive.State.Car.Driveline.Engine.Running {
				t.Errorf("%.3f m/s on the brake, gear %d, engine runs: %v", v, r.drive.State.Input.Gear, r.drive.State.Car.Driveline.Engine.Running)
			}
			d.feet.Throttle, d.feet.Brake = 0.4, 0
			hold(t, r, 0, 3000)
			if v := r.drive.State.Car.Speed; v > -1 || !r.drive.State.Car.Driveline.Engine.Running {
				t.Errorf("%.1f m/s after 3 s in reverse, engine runs: %v", v, r.drive.State.Car.Driveline.Engine.Running)
			}
			if sum := r.summary(); (sum.Fuel > 0) != (car != electric) || (sum.Energy > 0) != (car == electric) {
				t.Errorf("used %g L and %g kWh", sum.Fuel, sum.Energy)
			}
		})
	}
}

// With any setting, a car whose pedals are disconnected brakes gently and its engine runs on.
func TestWithoutPedalsTheCarBrakesGently(t *testing.T) {
	for _, clutch := range []string{config.Auto, config.On, config.Off} {
		cfg := config.Default()
		cfg.Profiles, cfg.Assists.Clutch = t.TempDir(), clutch
		r := undriven(t, cfg)
		d := &deviceSet{log: slog.New(slog.DiscardHandler)}
		if err := d.useReal(r, cfg); err != nil {
			t.Fatal(err)
		}
		run(t, r, 10)
		if r.drive.State.Input.Throttle != 0 || r.drive.State.Input.Brake != 0.2 || !r.drive.State.Input.Assists.AutoClutch || r.drive.State.Input.Starter {
			t.Errorf("automatic_clutch %q: %+v", clutch, r.drive.State.Input)
		}
	}
}

func TestTheDriverModelKeepsItsWayToShift(t *testing.T) {
	r := withPage(t, demo(t))
	model := r.drive.Model()
	memory := model.Start(&r.drive.State.Car)
	want := model.Drive(&memory, &r.drive.State.Car)
	run(t, r, 1)
	if r.drive.State.Input.Gear != want.Gear || r.drive.State.Input.Assists != (assist.Switches{AutoClutch: true, AutoShift: want.Assists.AutoShift}) {
		t.Errorf("gear %d, %+v, the model wants gear %d, %+v", r.drive.State.Input.Gear, r.drive.State.Input.Assists, want.Gear, want.Assists)
	}
}

// atStart is the car at rest where the circuit begins.
func atStart(r *Rig) sim.State {
	at := r.drive.Setup.Circuit.At(0)
	return r.drive.Setup.Car.Rest(at.Pos, at.Heading)
}

// Where there is no room for a racing line the demo drives in the middle.
func TestANarrowRoadIsDrivenInTheMiddle(t *testing.T) {
	cfg := config.Default()
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cfg.Track = file("narrow.toml", "[layout]\nwidth_m = 2\n[[layout.piece]]\nturn_deg = 360\nradius_m = 60\n")
	cfg.Car = file("wide.toml", "width_m = 2.2\n")
	r := demoOf(t, cfg)
	if got := r.drive.Model().Line(); got != r.drive.Setup.Circuit.Line {
		t.Error("the demo's driver has a line of its own")
	}
	if line, err := scenery.NewRacingLine(&r.drive.Setup, r.drive.Model()); line != (scenery.RacingLine{}) || err != nil {
		t.Errorf("a line is drawn, error %v", err)
	}
}
