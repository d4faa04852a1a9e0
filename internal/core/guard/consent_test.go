package guard

import (
	"math"
	"testing"
)

// strong returns a guard for a wheel with 20 N·m.
func strong(change func(*Config)) *Guard {
	cfg := DefaultConfig()
	cfg.MaxTorque = 20
	if change != nil {
		change(&cfg)
	}
	return New(cfg, dt)
}

// driven drives g for 3 s with a hand on the rim.
func driven(t *testing.T, g *Guard) Inputs {
	t.Helper()
	in := well
	in.HandsOn, in.Speed, in.DeadMan = 1, 30, true
	steps(g, 3000, in)
	if g.State() != Driving {
		t.Fatalf("state %v after 3 s, want driving", g.State())
	}
	return in
}

// passes returns how much of 100 N·m the guard lets pass.
func passes(g *Guard) float64 {
	torque, _ := g.Gate(100, deflected)
	return torque
}

func press(g *Guard, in Inputs) {
	in.HighTorque = true
	steps(g, 30, in)
	in.HighTorque = false
	g.Step(in)
}

func TestHighTorqueNeedsConsent(t *testing.T) {
	g := strong(nil)
	in := driven(t, g)
	if got := passes(g); got != 8 {
		t.Errorf("%g N·m without consent, want 8", got)
	}
	press(g, in)
	if got := passes(g); got < 8 || got > 8.2 {
		t.Errorf("%g N·m 31 ms after the consent, want little more than 8", got)
	}
	steps(g, 1000, in)
	if got := passes(g); got != 20 {
		t.Errorf("%g N·m a second later, want 20", got)
	}
	press(g, in)
	steps(g, 1000, in)
	if got := passes(g); got != 8 || g.HighTorqueAllowed() {
		t.Errorf("%g N·m a second after it was taken back, want 8", got)
	}
}

func TestConsentGivenAtTheStart(t *testing.T) {
	g := strong(nil)
	g.AllowHighTorque()
	driven(t, g)
	if got := passes(g); got != 20 {
		t.Errorf("%g N·m, want 20", got)
	}
	mild := New(DefaultConfig(), dt)
	mild.AllowHighTorque()
	driven(t, mild)
	if got := passes(mild); got != 8 {
		t.Errorf("%g N·m of a guard of 8, want 8", got)
	}
	weak := New(Config{Engage: 2, Release: 0.5, MaxTorque: 3}, dt)
	weak.AllowHighTorque()
	driven(t, weak)
	if got := passes(weak); got != 3 {
		t.Errorf("%g N·m of a guard of 3, want 3", got)
	}
}

// A button that is stuck down gives no consent.
func TestAKeyDownFromTheStartIsNoConsent(t *testing.T) {
	g := strong(nil)
	in := well
	in.HighTorque = true
	steps(g, 5000, in)
	if g.HighTorqueAllowed() {
		t.Error("consent by a key that was never released")
	}
}

func TestFaultsAndStopsEndTheConsent(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Inputs)
	}{
		{"stop", func(in *Inputs) { in.Stop = true }},
		{"fault", func(in *Inputs) { in.DeviceFault = true }},
	} {
		g := strong(nil)
		g.AllowHighTorque()
		in := driven(t, g)
		bad := in
		c.change(&bad)
		g.Step(bad)
		bad.HighTorque = true
		steps(g, 10, bad)
		bad.HighTorque = false
		steps(g, 10, bad)
		if g.HighTorqueAllowed() {
			t.Errorf("%s: consent during a fault or stop", c.name)
		}
		in.Clear = true
		steps(g, 3000, in)
		if got := passes(g); got != 8 || g.State() != Driving {
			t.Errorf("%s: %g N·m in %v after it, want 8", c.name, got, g.State())
		}
	}
}

func TestDeadMan(t *testing.T) {
	g := strong(func(c *Config) { c.DeadMan = true })
	in := driven(t, g)
	if got, legs := g.Gate(5, deflected); got != 5 || legs[0] != 1 {
		t.Fatalf("%g N·m and leg %g while it is held, want 5 and 1", got, legs[0])
	}
	let := in
	let.DeadMan = false
	steps(g, 50, let)
	if got, legs := g.Gate(5, deflected); math.Abs(got-2.5) > 0.1 || math.Abs(legs[0]-0.75) > 0.01 {
		t.Errorf("%g N·m and leg %g after 50 ms, want 2.5 and 0.75", got, legs[0])
	}
	steps(g, 51, let)
	if got, legs := g.Gate(5, deflected); got != 0 || legs[0] != 0.5 {
		t.Errorf("%g N·m and leg %g after 101 ms, want none", got, legs[0])
	}
	g.ReserveTorque(2)
	if peak := g.GateOwnEffects(2); peak != 0 {
		t.Errorf("vibrates by %g N·m", peak)
	}
	g.ReserveTorque(0)
	steps(g, 1000, in)
	if got, _ := g.Gate(5, deflected); math.Abs(got-2.5) > 0.01 {
		t.Errorf("%g N·m a second after it is held again, want half of 5", got)
	}
	never := strong(func(c *Config) { c.DeadMan = true })
	steps(never, 5000, well)
	if got := passes(never); got != 0 {
		t.Errorf("%g N·m though it was never held", got)
	}
}

func TestHandsOff(t *testing.T) {
	const after = 3 // [s]
	for _, c := range []struct {
		name      string
		on, speed float64
		seconds   int
		want      float64 // of 5 N·m
	}{
		{"held", 1, 30, 60, 5},
		{"let go for a moment", 0, 30, 2, 5},
		{"let go", 0, 30, 5, 0},
		{"let go, backward", 0.19, -5, 5, 0},
		{"let go at standstill", 0, 0.9, 60, 5},
		{"hand that is NaN", math.NaN(), 30, 5, 0},
		{"speed that is NaN", 0, math.NaN(), 5, 0},
	} {
		g := strong(func(cfg *Config) { cfg.HandsOff = after })
		in := driven(t, g)
		let := in
		let.HandsOn, let.Speed = c.on, c.speed
		steps(g, 1000*c.seconds, let)
		if got, legs := g.Gate(5, deflected); got != c.want || legs[0] != 1 {
			t.Errorf("%s: %g N·m and leg %g, want %g and 1", c.name, got, legs[0], c.want)
		}
		let.Speed = 0
		steps(g, 2000, let)
		if got, _ := g.Gate(5, deflected); got != c.want {
			t.Errorf("%s, then standstill: %g N·m, want %g", c.name, got, c.want)
		}
		steps(g, 500, in)
		if got, _ := g.Gate(5, deflected); c.want == 0 && math.Abs(got-2.5) > 0.02 {
			t.Errorf("%s, held again for half a second: %g N·m, want half of 5", c.name, got)
		}
		steps(g, 501, in)
		if got, _ := g.Gate(5, deflected); got != 5 || g.HandsOff() {
			t.Errorf("%s, held again: %g N·m", c.name, got)
		}
	}
}

func TestHandsOffDoesNotEndTheTorqueByDefault(t *testing.T) {
	g := driving(t)
	in := well
	in.Speed = 50
	steps(g, 100_000, in)
	if got, _ := g.Gate(5, deflected); got != 5 {
		t.Errorf("%g N·m, want 5", got)
	}
}

// FuzzSequence checks after any sequence of inputs that torque and vibration together stay within the limit, and
// within 8 N·m without consent, and that the legs stay within their stroke.
func FuzzSequence(f *testing.F) {
	f.Add([]byte{0x71, 1, 0x71, 200, 0xf1, 3, 0, 9}, 30.0, 3.0, true, false)
	f.Add([]byte{0xff, 0xff, 0, 0, 0x71, 0x71}, 25.0, 0.0, false, true)
	f.Fuzz(func(t *testing.T, script []byte, most, handsOff float64, deadMan, allow bool) {
		cfg := Config{Engage: 0.2, Release: 0.1, MaxTorque: most, DeadMan: deadMan, HandsOff: handsOff}
		if cfg.Validate() != nil || len(script) > 200 {
			return
		}
		g := New(cfg, dt)
		if allow {
			g.AllowHighTorque()
		}
		values := [...]float64{0, 1, -1, 9, -40, 1e9, math.NaN(), math.Inf(-1)}
		for i := 0; i+1 < len(script); i += 2 {
			in, v := well, script[i]
			bit := func(n int) bool { return v>>n&1 == 1 }
			in.WheelPresent, in.Stop, in.DeviceFault, in.Clear = !bit(1), bit(2) && bit(7), bit(3) && bit(7), bit(4)
			in.HighTorque, in.DeadMan, in.Release = bit(5), bit(6), bit(0) && bit(7)
			x := values[script[i+1]%8]
			in.HandsOn, in.Speed = x, values[script[i+1]/8%8]
			for range 1 + int(script[i+1]) {
				g.Step(in)
				check(t, g, cfg, x, values[script[i+1]/32])
			}
		}
	})
}

func check(t *testing.T, g *Guard, cfg Config, torque, room float64) {
	t.Helper()
	g.ReserveTorque(room)
	got, legs := g.Gate(torque, [8]float64{torque, room})
	peak := g.GateOwnEffects(torque)
	sum, limit := math.Abs(got)+peak, cfg.MaxTorque
	if !g.HighTorqueAllowed() && g.consent.share == 0 {
		limit = min(limit, 8)
	}
	if !(sum <= limit*(1+1e-15)) || !(legs[0] >= 0 && legs[0] <= 1 && legs[1] >= 0 && legs[1] <= 1) {
		t.Fatalf("%g and %g N·m, legs %v, want at most %g", got, peak, legs, limit)
	}
	if sum != 0 && (g.State() == Fault || g.State() == Stopped || g.State() == Parked || g.State() == Ready) {
		t.Fatalf("%g N·m in %v", sum, g.State())
	}
}
