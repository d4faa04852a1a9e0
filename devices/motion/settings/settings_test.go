package settings

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// onWire calls f with the configuration for a simulated controller of protocol,
// and what opens a line to it, in a synctest bubble.
func onWire(t *testing.T, sim simulated.Controller, protocol string, f func(t *testing.T, at Controller, dial dialer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := motiontest.NewLine()
		go func() { _ = simulated.Serve(t.Context(), sim, w) }()
		f(t, Controller{Protocol: protocol, Port: "wire", BootWait: 0.05}, w.Dial)
	})
}

func valueOf(t *testing.T, all []wire.Parameter, name string) float64 {
	t.Helper()
	i := findParameter(all, name)
	if i < 0 {
		t.Fatalf("no parameter %s", name)
	}
	return all[i].Value
}

func TestParametersRoundTrip(t *testing.T) {
	tests := []struct {
		name, protocol string
		sim            simulated.Controller
		was, set       map[string]float64
	}{
		{"smc3", smc3.Protocol, smc3.NewSimulator(smc3.DefaultSimulatorConfig()),
			map[string]float64{"kp_a": 1, "kp_b": 4.2, "kp_c": 4.2, "ki_a": 0.4, "kd_c": 0.4, "ks_b": 1, "pwm_min_a": 50, "pwm_max_b": 100, "pwm_reverse_c": 200, "clip_b": 100, "cutoff_b": 23, "pid_divider": 1, "pwm_frequency_1": 25, "pwm_frequency_2": 31},
			map[string]float64{"kp_a": 3.17, "kd_c": 0.05, "pwm_max_b": 180, "clip_b": 120, "pid_divider": 2, "pwm_frequency_1": 20}},
		{"thanos", thanos.Protocol, thanos.NewSimulator(thanos.DefaultSimulatorConfig()),
			map[string]float64{"motors": 4, "spike_filter": 2, "stroke_4": 10, "standby_speed": 5},
			map[string]float64{"spike_filter": 1, "spike_level": 60, "stroke_4": 15}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx := context.Background()
			onWire(t, tt.sim, tt.protocol, func(t *testing.T, at Controller, dial dialer) {
				before, err := readFrom(ctx, dial, at, nil)
				if err != nil {
					t.Fatal(err)
				}
				for name, want := range tt.was {
					if got := valueOf(t, before, name); got != want {
						t.Errorf("%s is %g at first, want %g", name, got, want)
					}
				}
				if err := writeTo(ctx, dial, at, tt.set, true, nil); err != nil {
					t.Fatal(err)
				}
				tt.sim.Reset() // what was saved outlives it
				after, err := readFrom(ctx, dial, at, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range after {
					want, ok := tt.set[p.Name]
					if !ok {
						want = valueOf(t, before, p.Name)
					}
					if p.Value != want {
						t.Errorf("%s is %g, want %g", p.Name, p.Value, want)
					}
				}
			})
		})
	}
}

func TestParametersAreForgottenUnlessSaved(t *testing.T) {
	sim := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onWire(t, sim, smc3.Protocol, func(t *testing.T, at Controller, dial dialer) {
		if err := writeTo(context.Background(), dial, at, map[string]float64{"kp_b": 2}, false, nil); err != nil {
			t.Fatal(err)
		}
		all, err := readFrom(context.Background(), dial, at, nil)
		if err != nil || valueOf(t, all, "kp_b") != 2 {
			t.Fatalf("not set: %v", err)
		}
		sim.Reset()
		all, err = readFrom(context.Background(), dial, at, nil)
		if err != nil || valueOf(t, all, "kp_b") != 4.2 {
			t.Errorf("kept though it was not saved: %v", err)
		}
	})
}

func TestParametersOverANoisyLine(t *testing.T) {
	for _, protocol := range []string{smc3.Protocol, thanos.Protocol, motion4sim.Protocol} {
		t.Run(protocol, func(t *testing.T) {
			sim := map[string]simulated.Controller{
				smc3.Protocol:       smc3.NewSimulator(smc3.DefaultSimulatorConfig()),
				thanos.Protocol:     thanos.NewSimulator(thanos.DefaultSimulatorConfig()),
				motion4sim.Protocol: motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig()),
			}[protocol]
			sim.SetNoise(true)
			onWire(t, sim, protocol, func(t *testing.T, at Controller, dial dialer) {
				all, err := readFrom(context.Background(), dial, at, nil)
				if err != nil || len(all) == 0 {
					t.Errorf("got %v, %v", all, err)
				}
			})
		})
	}
}

// Nothing may be written if anything of it must not be.
func TestParametersRefused(t *testing.T) {
	tests := []struct {
		name, protocol string
		set            map[string]float64
		want           string
	}{
		{"out of range", smc3.Protocol, map[string]float64{"kp_a": 2, "kp_b": 11}, "parameter kp_b = 11: must be 0 to 10"},
		{"NaN", smc3.Protocol, map[string]float64{"kp_a": math.NaN()}, "parameter kp_a"},
		{"unknown", smc3.Protocol, map[string]float64{"kp_a": 2, "kq": 1}, `parameter "kq" not found`},
		{"unknown to this protocol", thanos.Protocol, map[string]float64{"kp_a": 1}, "not found"},
		{"out of range, thanos", thanos.Protocol, map[string]float64{"spike_filter": 0}, "must be 1 to 2"},
		{"read only", motion4sim.Protocol, map[string]float64{"firmware": 3}, "can only be read"},
		{"below the cutoff", smc3.Protocol, map[string]float64{"clip_a": 10}, "clip_a"},
		{"less than the least", smc3.Protocol, map[string]float64{"pwm_min_c": 200, "pwm_max_c": 100}, "pwm_min_c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sim := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
			onWire(t, sim, tt.protocol, func(t *testing.T, at Controller, dial dialer) {
				err := writeTo(context.Background(), dial, at, tt.set, true, nil)
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got %v, want %q", err, tt.want)
				}
				if got := sim.Handle([]byte("[rdD]")); string(got) != "[D\x00\x64]" {
					t.Errorf("kp_a was written: % x", got)
				}
			})
		})
	}
}

// What the documentation says that this controller answers.
func TestMotion4SimParameters(t *testing.T) {
	sim := motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig())
	sim.Advance(3 * time.Second)
	onWire(t, sim, motion4sim.Protocol, func(t *testing.T, at Controller, dial dialer) {
		all, err := readFrom(context.Background(), dial, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]float64{"status": 0x31, "firmware": 2, "actuators": 'R'} {
			if got := valueOf(t, all, name); got != want {
				t.Errorf("%s is %g, want %g", name, got, want)
			}
		}
		if err := writeTo(context.Background(), dial, at, nil, true, nil); !errors.Is(err, motion4sim.ErrReadOnly) {
			t.Errorf("saving gives %v", err)
		}
	})
}

func TestParametersOfWhatHasNone(t *testing.T) {
	if _, err := Read(context.Background(), Controller{}, nil); !errors.Is(err, ErrNoParameters) {
		t.Errorf("no platform: %v", err)
	}
}

func TestParametersOfADeadController(t *testing.T) {
	sim := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	sim.SetStalled(true)
	onWire(t, sim, smc3.Protocol, func(t *testing.T, at Controller, dial dialer) {
		if _, err := readFrom(context.Background(), dial, at, nil); !errors.Is(err, wire.ErrSilent) {
			t.Errorf("got %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := readFrom(ctx, dial, at, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("called off: %v", err)
		}
	})
}

// Tables are for people: each parameter has its own name, a range and a word of help.
func TestParameterTables(t *testing.T) {
	for _, s := range []parameterAccess{smc3.NewSettings(), thanos.NewSettings(), motion4sim.Settings{}} {
		var names []string
		for _, p := range s.Table() {
			if p.Help == "" || p.Low > p.High || p.Axis < -1 || p.Axis >= wire.Axes || slices.Contains(names, p.Name) {
				t.Errorf("%+v", p)
			}
			names = append(names, p.Name)
		}
	}
}
