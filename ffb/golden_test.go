//go:build amd64 && !amd64.v3

package ffb_test

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

// Other targets fuse a multiply and an add, which changes the last bits.

// goldenSeed is of all that is random in the golden drive.
const goldenSeed = 20

// goldenCar is the hash of the car after the golden drive: it shows whether the car or the
// force changed.
const goldenCar = 0xd9df0f372f6a4428

// goldenForces are the hashes of all torques and traces of a drive, by configuration.
var goldenForces = map[string]uint64{
	"all effects, auto":  0x001be1cf392e2f78,
	"all effects, peak":  0x855e4f9b6c1a52b7,
	"all effects, share": 0x8b32eec951e8ee7f,
	"belt":               0x3e7a897ef246bc91,
	"direct-drive":       0xb9248f7cfcb41dfe,
	"gear-driven":        0xaa66df3bcd231f90,
	"gentle":             0x34611ad736fbf728,
	"natural":            0x8d7812be6330290b,
}

// TestGoldenForce drives the built-in car wildly for 60 s over the club circuit and asks each
// configuration for its torque in every tick, for wheels that change, go and come, and with
// NaN, Inf, blows, resets, a car that was put elsewhere, gains and torques held back at random ticks.
func TestGoldenForce(t *testing.T) {
	track, _, err := circuit.Load("club", circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	car := coupeOn(t, track)
	forces := goldenConfigs(t)
	tests := map[string]*golden{}
	for name, cfg := range forces {
		tests[name] = newGolden(t, name, cfg, car.Lock())
	}
	start := track.At(100)
	s := car.Rest(start.Pos, start.Heading)
	wild := wildDriver{rng: rand.New(rand.NewPCG(goldenSeed, 0)), lock: car.Lock()}
	for range 60_000 {
		elsewhere := wild.next(car, &s)
		for _, g := range tests {
			g.tick(s, wild.in.Steer, elsewhere)
		}
	}
	if got := s.Hash(); got != goldenCar {
		t.Errorf("car %016x, want %016x: the car drives otherwise than it did, and the hashes below follow from that", got, uint64(goldenCar))
	}
	for name, g := range tests {
		if got := g.hash.Sum64(); got != goldenForces[name] {
			t.Errorf("%q: %#016x, want %#016x: the force is not what it was; if that is meant, write the new hash into goldenForces", name, got, goldenForces[name])
		}
	}
}

// goldenConfigs are the presets, and all effects at each kind of strength.
func goldenConfigs(t *testing.T) map[string]ffb.Config {
	t.Helper()
	all := map[string]ffb.Config{}
	for _, name := range config.Presets() {
		c, err := config.LoadPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = c
	}
	for _, strength := range []string{ffb.Share, ffb.Peak, ffb.Auto} {
		c := ffb.DefaultConfig()
		c.Strength, c.Share, c.Knee, c.StandstillGain = strength, 1.4, 0.3, 0.6
		c.Effects = ffb.EffectsConfig{Understeer: 0.7, Scrub: 0.5, RearSlip: 1, Road: 1.2, ABS: 0.4, LockUp: 0.5,
			Shift: 0.6, Engine: 0.2, Cylinders: 6, Limiter: 0.3, Collision: 2}
		c.Rim.AddedInertia, c.Rim.HandsOffDamping = 0.004, 0.8
		if strength == ffb.Peak {
			c.Peak, c.Gain, c.MaxTorque = 6, 1.5, 25
		}
		all["all effects, "+strength] = c
	}
	return all
}

// wildDriver holds wild inputs for a while, then others.
type wildDriver struct {
	rng    *rand.Rand
	lock   float64
	in     sim.Input
	steer  float64 // towards which the rim turns [rad]
	ticks  int     // until the inputs change
	paused bool
}

// next moves the car by a tick, and reports whether it was put elsewhere.
func (d *wildDriver) next(car *sim.Car, s *sim.State) (elsewhere bool) {
	if d.ticks--; d.ticks < 0 {
		d.choose()
	}
	if d.rng.IntN(12_000) == 0 {
		car.Reset(s)
		elsewhere = true
	}
	const quickest = 0.02 // [rad] in a tick
	d.in.Steer += min(max(d.steer-d.in.Steer, -quickest), quickest)
	if !d.paused {
		car.Step(s, d.in)
	}
	return elsewhere
}

func (d *wildDriver) choose() {
	r := d.rng
	d.ticks = 100 + r.IntN(1500)
	d.steer = (2*r.Float64() - 1) * d.lock * []float64{0.05, 0.2, 1.1}[r.IntN(3)]
	steer := d.in.Steer
	d.in = sim.Input{Steer: steer, Throttle: r.Float64(), Gear: int8(r.IntN(6)) - 1, Starter: r.IntN(3) == 0}
	d.in.Assists = assist.Switches{ABS: uint8(5 * r.IntN(2)), AutoClutch: r.IntN(8) != 0, AutoShift: r.IntN(2) == 0, Launch: true}
	if d.in.Gear < 1 && r.IntN(4) != 0 {
		d.in.Gear = 2
	}
	switch r.IntN(5) {
	case 0:
		d.in.Throttle, d.in.Brake, d.in.Clutch = 0, 2*r.Float64(), 1
	case 1:
		d.in.Throttle, d.in.Handbrake = 0.3, 1
	case 2:
		d.in.Throttle = 1
	}
	if d.paused = r.IntN(25) == 0; d.paused {
		d.ticks = 100
	}
}

// golden is a force with a wheel of its own, and the hash of what it gave.
type golden struct {
	feel      *ffb.Chain
	force     ffb.State
	shake     *ffb.Vibration
	vibration ffb.VibrationState
	rng       *rand.Rand
	wheel     ffb.Wheel
	blow      int // ticks for which the car is still struck
	hash      hash.Hash64
	bytes     []byte
}

func newGolden(t *testing.T, name string, cfg ffb.Config, lock float64) *golden {
	t.Helper()
	feel, err := ffb.New(cfg, ffb.Car{Lock: lock}, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	own := fnv.New64a()
	own.Write([]byte(name))
	patterns := make([]ffb.Pattern, 256)
	for i := range patterns {
		patterns[i] = ffb.Pattern{Pitch: 0.1 * float64(i%7), Strength: 0.1 * float64(i%11)}
	}
	shake := ffb.NewVibration(sim.Dt, patterns)
	return &golden{
		feel: feel, force: feel.Start(), shake: shake, vibration: shake.Start(), hash: fnv.New64a(),
		rng: rand.New(rand.NewPCG(goldenSeed, own.Sum64())), wheel: ffb.Wheel{Present: true, Rated: 8, Rate: 250, Delay: 0.01},
	}
}

// tick asks for one torque, after what may happen to the force, and takes it into the hash.
func (g *golden) tick(s sim.State, steer float64, elsewhere bool) {
	r := g.rng
	if elsewhere {
		g.feel.Teleported(&g.force)
	}
	switch r.IntN(20_000) {
	case 0, 1:
		g.feel.Reset(&g.force)
	case 2, 3, 4:
		g.force.Adjust(0.05 * float64(r.IntN(9)-4))
	case 5, 6, 7:
		s.ColumnTorque = []float64{math.NaN(), math.Inf(1), -math.MaxFloat64}[r.IntN(3)]
	case 9, 10, 11, 12:
		g.blow = 50
	case 8:
		s.Speed = math.NaN()
	}
	if g.blow--; g.blow > 0 {
		s.Impact.Force.Y, s.Impact.YawMoment = 3e4*(r.Float64()-0.5), 1e4*(r.Float64()-0.5)
	}
	g.another()
	w := g.wheel
	w.Angle = steer + 0.01*(r.Float64()-0.5)
	torque := g.feel.Torque(&g.force, &s, w)
	share, hz := g.shake.Step(&g.vibration, &s)
	if r.IntN(20) == 0 {
		torque *= r.Float64()
		g.force.SetApplied(torque)
	}
	g.sum(torque, share, hz, g.force.Gain())
}

// another is another wheel every few seconds, now and then none, and seldom an impossible one.
func (g *golden) another() {
	r := g.rng
	switch r.IntN(4000) {
	case 0:
		g.wheel = ffb.Wheel{
			Present: r.IntN(5) != 0, Rated: []float64{2, 5, 8, 15, 0}[r.IntN(5)],
			Rate: []float64{0, 60, 125, 250, 333, 500, 1000, 8000}[r.IntN(8)], Delay: []float64{0, 3e-3, 0.01, 0.03}[r.IntN(4)],
		}
	case 1:
		g.wheel.Rate = []float64{125, 250, 500, 1000}[r.IntN(4)]
	case 2:
		g.wheel.Delay = -g.wheel.Delay
	}
	g.wheel.Rated = math.Abs(g.wheel.Rated)
	if r.IntN(15_000) == 0 {
		g.wheel.Rated = -1 // in this tick
	}
}

// sum takes what a tick gave into the hash.
func (g *golden) sum(values ...float64) {
	tr := g.force.Trace()
	g.bytes, _ = binary.Append(g.bytes[:0], binary.LittleEndian, tr)
	for _, v := range values {
		g.bytes = binary.LittleEndian.AppendUint64(g.bytes, math.Float64bits(v))
	}
	g.bytes = append(g.bytes, flag(g.force.Clipping()), flag(g.force.Fault()))
	g.hash.Write(g.bytes)
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}
