package rig

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

// ofPlatform is the configuration that names a built-in platform and nothing else; "" is the
// one without any file.
func ofPlatform(t *testing.T, name string) config.Config {
	t.Helper()
	if name == "" {
		return config.Default()
	}
	path := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(path, []byte("platform = \""+name+"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// passenger is a platform beside a drive, in the time of its ticks.
type passenger struct {
	name   string
	cfg    cueing.Config
	cue    *cueing.Cue
	state  cueing.State
	form   *cueing.Platform
	path   *motion.Path
	spike  float64   // motion.spike_share
	last   wire.Legs // target before
	jumped int       // targets that jumped by more than spike
	scaled int       // ticks in which the workspace made the pose smaller
	ended  int       // ticks with a degree of freedom at the end of its range
	cut    int       // targets for which an actuator stood at an end of what [motion] lets it go
}

const targetTicks = 4 // from one target to the next

func newPassenger(t *testing.T, name string) *passenger {
	t.Helper()
	cfg := ofPlatform(t, name)
	cue, err := cueing.New(cfg.Cueing, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	form, err := drivesetup.Platform(cfg)
	if err != nil {
		t.Fatal(err)
	}
	state := cue.Start()
	state.Tune(cueing.Tuning(cfg.Tuning))
	return &passenger{name: name, cfg: cfg.Cueing, cue: cue, state: state, form: form, path: motion.NewPath(cfg.Motion, targetTicks*sim.Dt),
		spike: cfg.Motion.MaxTargetJump, last: wire.AllAt(0.5)}
}

func (p *passenger) ride(s *sim.State) {
	pose := p.cue.Pose(&p.state, s)
	legs, scale := p.form.Legs(pose)
	if scale < 1 {
		p.scaled++
	}
	at := func(v, most float64) bool { return math.Abs(v) >= most*(1-1e-9) }
	if c := p.cfg; at(pose.Surge, c.MaxSurge) || at(pose.Sway, c.MaxSway) || at(pose.Heave, c.MaxHeave) ||
		at(pose.Roll, c.MaxRoll/degrees) || at(pose.Pitch, c.MaxPitch/degrees) || at(pose.Yaw, c.MaxYaw/degrees) || at(pose.Slide, c.MaxSlide) {
		p.ended++
	}
	if s.Tick%targetTicks != 0 {
		return
	}
	for i, l := range legs {
		if math.Abs(l-p.last[i]) > p.spike {
			p.jumped++
		}
	}
	p.last = wire.Legs(legs)
	for _, l := range p.path.Next(p.last) {
		if math.Abs(l-0.5) >= 0.4 { // by default of motion.min_share and motion.max_share
			p.cut++
		}
	}
}

// A lap of the demo on the default circuit saturates no built-in platform as it is delivered:
// nothing is cut, scaled, or at the end of its range in any tick.
func TestTheDefaultsStayWithinTheWorkspace(t *testing.T) {
	level.SkipIfQuick(t)
	var all []*passenger
	names := append([]string{""}, config.Platforms()...)
	for _, name := range names[:level.Pick(1, 3, len(names))] {
		all = append(all, newPassenger(t, name))
	}
	r := demoOf(t, config.Default())
	for r.drive.State.Distance < 1.05*r.drive.Setup.Circuit.Length() {
		run(t, r, 1)
		for _, p := range all {
			p.ride(&r.drive.State.Car)
		}
	}
	for _, p := range all {
		if p.scaled+p.ended+p.cut != 0 || p.jumped != 0 {
			t.Errorf("platform %q: of %d ticks %d scaled, %d at the end of a range, %d cut; %d targets jumped", p.name, r.drive.State.Car.Tick, p.scaled, p.ended, p.cut, p.jumped)
		}
	}
	if roll := r.extremes.roll * degrees; roll < 4.5 || roll > 7.5 {
		t.Errorf("the default platform rolls by up to %.2f°, want most of what its limit of 8° lets it, and not the end", roll)
	}
}
