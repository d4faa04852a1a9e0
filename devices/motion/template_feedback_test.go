package motion

import (
	"context"
	"math"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
)

// templatesWithFeedback are templates whose controllers report positions: on request, and by themselves.
func templatesWithFeedback(t testing.TB) map[string]Config {
	asked := presetConfig(t, "kangaroo")
	asked.BootWait = 0.2
	unasked := DefaultConfig()
	unasked.Protocol, unasked.BootWait, unasked.Baud = ProtocolTemplate, 0.2, 115_200
	unasked.Template.Output = []string{"<255><Begin><Axis1a><Axis2a><Axis3a><Sum8>"}
	unasked.Template.Feedback = []string{"<255><254><Begin><Axis1a><Axis2a><Axis3a><Crc16>"}
	unasked.Template.BootText = "ready"
	return map[string]Config{"asked": asked, "unasked": unasked}
}

func templateSimulator(t testing.TB, cfg Config) *template.Simulator {
	t.Helper()
	sim, err := template.NewSimulator(cfg.Template)
	if err != nil {
		t.Fatal(err)
	}
	return sim
}

// The path begins where the actuators are, not where the configuration says, and the status has
// where they are.
func TestTemplateWithFeedbackIsHomedFromWhereItStands(t *testing.T) {
	for name, cfg := range templatesWithFeedback(t) {
		t.Run(name, func(t *testing.T) {
			sim := templateSimulator(t, cfg)
			for leg := range sim.Positions() {
				sim.Place(leg, 0.2)
			}
			sim.Reset()
			v := newVirtual(t, cfg, sim)
			v.until("homing", func() bool { return v.machine.wroteTargets() })
			if got := v.machine.sent; math.Abs(got[0]-0.2) > 0.01 || math.Abs(got[1]-0.2) > 0.01 {
				t.Errorf("homing begins at %.3f, want 0.2", got[:2])
			}
			v.untilState(Ready)
			v.drive(5, wire.AllAt(0.7))
			v.want(Active)
			v.wantAt(0.7, 0.02)
			s := v.Status()
			for leg := range wire.Axes {
				want := math.NaN()
				if leg < v.codec.Axes() {
					want = sim.Positions()[leg]
				}
				if at := s.Feedback[leg]; !(math.Abs(at-want) < 0.002 || math.IsNaN(at) && math.IsNaN(want)) {
					t.Errorf("actuator %d is at %g in the status, stands at %g", leg+1, at, want)
				}
			}
		})
	}
}

func TestTemplateWithFeedbackFindsAStuckActuator(t *testing.T) {
	for name, cfg := range templatesWithFeedback(t) {
		t.Run(name, func(t *testing.T) {
			v, c, drive := driveTampered(t, cfg, templateSimulator(t, cfg))
			c.held = true
			drive(5, func() bool { return v.machine.state() == Fault })
			if v.trajectory.faultCause != wire.FaultFollow {
				t.Errorf("stuck: %s (%s)", v.machine.state(), v.trajectory.faultCause)
			}
		})
	}
}

func TestTemplateThatLosesItsFeedbackIsSilent(t *testing.T) {
	for name, cfg := range templatesWithFeedback(t) {
		t.Run(name, func(t *testing.T) {
			v := newVirtual(t, cfg, templateSimulator(t, cfg))
			v.untilState(Ready)
			v.drive(3, wire.AllAt(0.6))
			v.only = func(a wire.Answer) bool { return a.Kind != wire.AnswerPositions }
			v.drive(silenceLimit.Seconds()+0.1, wire.AllAt(0.6))
			if v.want(Fault); v.machine.currentFaults()&wire.FaultSilent == 0 {
				t.Errorf("faults %s, want that the controller is silent", v.machine.currentFaults())
			}
			v.only = nil
			v.drive(8, wire.AllAt(0.6))
			v.want(Active)
		})
	}
}

func TestTemplateWithFeedbackOverAPseudoTerminal(t *testing.T) {
	for name, cfg := range templatesWithFeedback(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg.Port, cfg.BootWait, cfg.HomeSpeed = filepath.Join(t.TempDir(), "platform"), 0.03, 1
			cfg.Template.StartupWait = nil
			sim := templateSimulator(t, cfg)
			sim.Place(0, 0.3)
			line := plugPty(t, sim, cfg.Port)
			defer line.Close()
			p, err := New(cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			p.OrderHome()
			go func() { _ = p.Run(context.Background()) }()
			defer p.Close()
			centered := func() bool {
				s := p.Status()
				return s.State == Ready && math.Abs(s.Feedback[0]-0.5) < 0.05 && math.Abs(s.Feedback[1]-0.5) < 0.05
			}
			for end := time.Now().Add(time.Minute); !centered(); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("never at its center: %+v, actuators at %.3f", p.Status(), sim.Positions())
				}
			}
		})
	}
}
