package motion

import (
	"testing"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// virtualPreset is a platform that was set up by a preset and nothing else.
func virtualPreset(t *testing.T, name string) (*virtual, *template.Simulator) {
	cfg := presetConfig(t, name)
	sim, err := template.NewSimulator(cfg.Template)
	if err != nil {
		t.Fatal(err)
	}
	return newVirtual(t, cfg, sim), sim
}

// A whole drive by each preset: greet, home, follow, park, say goodbye.
func TestPlatformDrivesByEveryPreset(t *testing.T) {
	level.SkipIfQuick(t)
	for _, name := range templatePresets(t) {
		t.Run(name, func(t *testing.T) {
			v, sim := virtualPreset(t, name)
			v.untilState(Ready)
			v.drive(5, wire.AllAt(0.7))
			v.want(Active)
			v.wantAt(0.7, 0.02)
			v.requests.shutDown = true
			v.until("ended", func() bool { return len(v.errs) > 0 })
			if v.errs[0] != nil {
				t.Error(v.errs[0])
			}
			v.wantAt(v.cfg.ParkPosition[0], 0.02)
			if powered := len(v.cfg.Template.Shutdown) == 0; sim.Powered() != powered {
				t.Errorf("motors have power: %t, want %t", sim.Powered(), powered)
			}
		})
	}
}

// A controller that tells that it started has its startup strings said again,
// and is homed.
func TestPlatformGreetsATemplateControllerThatRestarts(t *testing.T) {
	cfg := presetConfig(t, "pyfly")
	cfg.Template.BootText = "ready"
	sim, err := template.NewSimulator(cfg.Template)
	if err != nil {
		t.Fatal(err)
	}
	v := newVirtual(t, cfg, sim)
	v.untilState(Ready)
	v.drive(5, wire.AllAt(0.7))
	v.sim.Reset()
	v.drive(12, wire.AllAt(0.6))
	v.want(Active)
	v.wantAt(0.6, 0.02)
	if got := v.board.restarts.Load(); got != 1 {
		t.Errorf("noticed %d restarts, want 1", got)
	}
}

// Where nothing is said of where the platform stands first, that is where it
// parks: not the lower end, which is a leap.
func TestTemplateGreetsWhereThePlatformIsTakenToStand(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Protocol = ProtocolTemplate
	cfg.Template.Output, cfg.Template.Startup = []string{"A<Axis1a>"}, []string{"S<Axis1a>"}
	cfg.ParkPosition[0] = 0.25
	code, err := newCodec(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := motiontest.JoinCommands(code.Start()), "S\x40\x00"; got != want {
		t.Errorf("says %q, want %q", got, want)
	}
}
