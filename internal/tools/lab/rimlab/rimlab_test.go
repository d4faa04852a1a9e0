package rimlab

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/test/level"
)

func coupe(t testing.TB) *sim.Car { return builtIn(t, "coupe") }

func builtIn(t testing.TB, name string, set ...string) *sim.Car {
	t.Helper()
	p, err := config.LoadCar(name, set...)
	if err != nil {
		t.Fatal(err)
	}
	car, err := sim.New(p, road.Asphalt(), sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return car
}

// thin leaves the corners of a grid and what was worst.
func thin(g Grid) Grid {
	g.Hands = g.Hands[:2]
	g.Delays = []float64{g.Delays[0], g.Delays[3], g.Delays[5]}
	g.Speeds = []float64{g.Speeds[0], g.Speeds[2], g.Speeds[6]}
	return g
}

func TestNoLimitCycle(t *testing.T) {
	g := FullGrid()
	if !level.All() { // the shortest and the longest delay, and but for walking pace
		g = thin(g)
		g.Delays, g.Speeds = []float64{g.Delays[0], g.Delays[2]}, []float64{g.Speeds[0], g.Speeds[2]}
	}
	if testing.Short() {
		g.Wheels, g.Delays = g.Wheels[:1], g.Delays[1:2]
	}
	shown := 0
	m, err := RunGrid("coupe", coupe(t), ffb.DefaultConfig(), g, true, func(share float64) {
		if share < 0 || share >= 1 {
			t.Errorf("progress %g", share)
		}
		shown++
	})
	if err != nil {
		t.Fatal(err)
	}
	if shown != len(m.Points) {
		t.Errorf("progress was shown %d times, want %d", shown, len(m.Points))
	}
	for _, p := range m.Unsettled() {
		t.Error(p)
	}
	if want := len(g.Wheels) * len(g.Hands) * len(g.Delays) * len(g.Speeds); len(m.Points) != want {
		t.Errorf("%d points, want %d", len(m.Points), want)
	}
}

func TestNoLimitCycleBeforeTheDelayIsMeasured(t *testing.T) {
	level.SkipIfQuick(t)
	g := thin(FullGrid())
	g.Hands = g.Hands[:1]
	if !level.All() {
		g.Delays = g.Delays[1:]
	}
	m, err := RunGrid("coupe", coupe(t), ffb.DefaultConfig(), g, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Unsettled() {
		t.Error(p)
	}
}

// Runs share a car, which a step does not change. They run at the same time, so that the race detector can check that.
func TestEqualCasesAtOnceGiveEqualBits(t *testing.T) {
	g := Grid{Wheels: Wheels()[:1], Hands: Hands()[:1], Delays: []float64{5e-3, 5e-3}, Speeds: []float64{20}}
	m, err := RunGrid("coupe", coupe(t), ffb.DefaultConfig(), g, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Points[0] != m.Points[1] {
		t.Errorf("%+v and %+v", m.Points[0], m.Points[1])
	}
}

// Presets bend, slow and weaken the torque: where that matters most the rim settles all the same.
func TestNoPresetHasALimitCycle(t *testing.T) {
	level.SkipIfQuick(t)
	g := Grid{Wheels: Wheels(), Hands: Hands()[:1], Delays: []float64{15e-3, 20e-3, 25e-3}, Speeds: []float64{200 / 3.6, 250 / 3.6}}
	delays := g.Delays
	if !level.All() {
		g.Speeds = g.Speeds[1:]
	}
	for i, name := range config.Presets() {
		if !level.All() { // one of them for each
			g.Delays = delays[i%len(delays):][:1]
		}
		cfg, err := config.LoadPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := RunGrid("coupe", coupe(t), cfg, g, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Unsettled() {
			t.Errorf("%s: %s", name, p)
		}
	}
}

// The worst points of the cars that hold the rim most stiffly, and of the one whose contacts damp it.
func TestNoStiffCarHasALimitCycle(t *testing.T) {
	level.SkipIfQuick(t)
	free, both := Hands()[:1], Hands()[:2]
	tests := []struct {
		car string
		g   Grid
	}{
		{"gt", Grid{Wheels: Wheels(), Hands: free, Delays: []float64{25e-3}, Speeds: []float64{250 / 3.6}}},
		{"formula", Grid{Wheels: Wheels(), Hands: both, Delays: []float64{20e-3, 25e-3}, Speeds: []float64{250 / 3.6}}},
		{"raycast", Grid{Wheels: Wheels()[1:], Hands: free, Delays: []float64{5e-3, 10e-3, 15e-3, 20e-3}, Speeds: []float64{150 / 3.6}}},
	}
	for _, tt := range tests {
		m, err := RunGrid(tt.car, builtIn(t, tt.car), ffb.DefaultConfig(), tt.g, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Unsettled() {
			t.Errorf("%s: %s", tt.car, p)
		}
	}
}

// Every point of the map, for every car that it is meant for, with the defaults and with every preset.
func TestNoCarHasALimitCycle(t *testing.T) {
	if !level.All() {
		t.Skip("36 maps take minutes")
	}
	for _, name := range []string{"coupe", "hatch", "pickup", "gt", "formula", "raycast"} {
		car := builtIn(t, name)
		for _, preset := range append(config.Presets(), "") {
			cfg := ffb.DefaultConfig()
			if preset != "" {
				var err error
				if cfg, err = config.LoadPreset(preset); err != nil {
					t.Fatal(err)
				}
			}
			m, err := RunGrid(name, car, cfg, FullGrid(), true, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range m.Unsettled() {
				t.Errorf("%s %s: %s", name, preset, p)
			}
		}
	}
}

// Without what calms it, the free rim of a car without power assist and friction swings: the bench can tell.
func TestLimitCycleIsDetected(t *testing.T) {
	cfg := ffb.DefaultConfig()
	cfg.Rim.Damping, cfg.Rim.Friction, cfg.Rim.DelayCompensation, cfg.Rim.HandsOffDamping = 0, 0, 0, 0
	c := Case{Wheel: Wheels()[1], Hand: Hands()[0], Delay: 25e-3, Speed: 250 / 3.6}
	car := builtIn(t, "coupe", "steering.assist.enabled=false", "steering.rack_friction_n=0")
	got, err := Run(car, cfg, c)
	if err != nil {
		t.Fatal(err)
	}
	if got.Settles || got.Amplitude < 10 || got.Frequency <= 0 {
		t.Errorf("%+v", got)
	}
	again, _ := Run(car, cfg, c)
	if got != again {
		t.Errorf("%+v, and again %+v", got, again)
	}
}

func TestVerdict(t *testing.T) {
	tests := []struct {
		name      string
		angle     func(t float64) float64 // [°]
		settles   bool
		amplitude float64
		frequency float64
		after     float64
	}{
		{"still", func(float64) float64 { return 0 }, true, 0, 0, 0},
		{"a limit cycle", func(t float64) float64 { return 5 * math.Sin(2*math.Pi*3*t) }, false, 5, 3, 10},
		{"small but growing", func(t float64) float64 { return 0.05 * t * math.Sin(2*math.Pi*3*t) }, false, 0.49, 3, 0},
		{"dies away", func(t float64) float64 { return 10 * math.Exp(-t) * math.Sin(2*math.Pi*2*t) }, true, 0, 0, 2.2},
		{"stays where it is pushed", func(t float64) float64 { return 20 * min(t, 1) }, true, 0, 0, 1},
	}
	for _, tt := range tests {
		var w recorder
		for i := range 10000 {
			w.add(float64(i)*1e-3, tt.angle(float64(i)*1e-3)*math.Pi/180)
		}
		got := w.verdict()
		if got.Settles != tt.settles || math.Abs(got.Amplitude-tt.amplitude) > 0.02 || math.Abs(got.Frequency-tt.frequency) > 0.3 || math.Abs(got.SettleTime-tt.after) > 0.15 {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

func TestRimModelObeysNewton(t *testing.T) {
	m := rimModel{wheel: Wheel{Inertia: 0.05}}
	for range 500 {
		m.step(2, 0, 1e-3)
	}
	if math.Abs(m.speed-20) > 1e-9 || math.Abs(m.angle-5) > 0.01 { // 2/0.05·0.5 s; half of that times 0.5 s
		t.Errorf("%g rad/s, %g rad", m.speed, m.angle)
	}
	m = rimModel{wheel: Wheel{Inertia: 0.05, DryFriction: 0.3}}
	m.step(0.29, 0, 1e-3)
	if m.speed != 0 {
		t.Errorf("below dry friction it moves at %g rad/s", m.speed)
	}
}

func TestDeviceLinkDelaysAndHolds(t *testing.T) {
	p := newDeviceLink(Wheel{RatedTorque: 8, Rate: 250, AngleStep: 0.01, TorqueLevels: 8}, 10, 0)
	var motor, seen [40]float64
	for i := range 40 {
		motor[i], seen[i] = p.step(2.4, 0.123, 1e-3)
	}
	if motor[5] != 0 || motor[6] != 2 || seen[3] != 0 || math.Abs(seen[4]-0.12) > 1e-12 { // 6 ms there, 4 ms back
		t.Errorf("motor %v, seen %v", motor[:12], seen[:12])
	}
}

func TestPictureAndText(t *testing.T) {
	g := thin(FullGrid())
	m := &Map{Car: "coupe", grid: g}
	for _, c := range g.cases(false) {
		m.Points = append(m.Points, Point{Wheel: c.Wheel.Name, Hand: c.Hand.Name, Delay: 2, Verdict: Verdict{Settles: true}})
	}
	m.Points[3].Verdict = Verdict{Amplitude: 7, Frequency: 4}
	data, err := m.Render("png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil || len(data) > 100e3 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	var words strings.Builder
	if err := m.Print(&words); err != nil || !strings.HasPrefix(words.String(), "coupe: the rim settles at 35 of 36 points\n  oscillates: ") {
		t.Errorf("%q, %v", words.String(), err)
	}
	if err := m.WritePicture("map.gif"); err == nil || !strings.Contains(err.Error(), "end the name with .svg or .png") {
		t.Errorf("error %v", err)
	}
}
