//go:build amd64 && !amd64.v3

package config_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

// Other targets fuse a multiply and an add, which changes the last bits.

// goldenTires are the kinds of tire model, each on both axles: the car's own, those that a
// car's file describes, and a file for each form of the Magic Formula; 6.2 is computed as 6.1.
var goldenTires = []struct {
	name string
	set  string // what the model key names
	file string // or the property file that is read, from the folder of this test
}{
	{name: "own"},
	{name: "brush", set: "brush"},
	{name: "coulomb", set: "coulomb"},
	{name: "curve", set: "curve"},
	{name: "dugoff", set: "dugoff"},
	{name: "MF 5.2", file: "../../sim/tire/testdata/mf52.tir"},
	{name: "PAC2002", file: "../../sim/tire/testdata/pac2002.tir"},
	{name: "MF 6.1", file: "../../sim/tire/testdata/mf61.tir"},
}

// goldenGround is an oval whose main straight lies along x: with a jump, bumps, waves and a
// hole, kerbs, surfaces with profiles, areas that lose grip, walls on both sides and one across.
const goldenGround = `
[layout]
width_m = 12
shoulder_m = 8
verge_m = 30
[[layout.piece]]
name = "main"
length_m = 400
kerb = "both"
[[layout.piece]]
turn_deg = 180
radius_m = 60
ramp_m = 30
bank_deg = 6
[[layout.piece]]
length_m = 400
[[layout.piece]]
turn_deg = 180
radius_m = 60
ramp_m = 30
bank_deg = 6
[[layout.feature]]
from_m = 40
to_m = 56
kind = "ramp"
grade_percent = 30
height_mm = 1300
[[layout.feature]]
from_m = 112
to_m = 112.8
kind = "bump"
height_mm = 90
[[layout.feature]]
from_m = 120
to_m = 160
left_m = 6
kind = "waves"
pitch_m = 3
height_mm = 80
[[layout.feature]]
from_m = 120
to_m = 122
right_m = -6
kind = "bump"
height_mm = -150
[[layout.part]]
from_m = 90
to_m = 150
right_m = -6
left_m = -1
surface = "cobbles"
area = "stones"
[[layout.part]]
from_m = 150
to_m = 230
surface = "wet"
area = "puddle"
[[layout.part]]
from_m = 230
to_m = 300
right_m = -6
surface = "ice"
area = "ice"
[[layout.part]]
from_m = 230
to_m = 300
left_m = 6
surface = "gravel"
[[wall]]
from_m = 150
to_m = 398
side = "left"
offset_m = 3
[[wall]]
from_m = 150
to_m = 398
side = "right"
offset_m = 3
[[wall]]
from = [250, -9]
to = [250, 9]
[[wall]]
from = [330, 9]
to = [330, -9]
`

// goldenSpan is how long a wild drive goes on before the car is put elsewhere [ticks].
const goldenSpan = 2000

// goldenPlaces are where a car is put, with everything else as it was: before the jump, on
// bumps with its wheels on a kerb, before a wall, standing between walls, and on its side.
var goldenPlaces = []struct {
	x, y, heading, up float64 // [m, m, rad, m above its height at rest]
	roll              float64 // [rad], positive when the right side is down
	speed             float64 // along its heading [m/s]
	rate              r3.Vec  // [rad/s, body]
}{
	{x: 30, speed: 22},
	{x: 105, y: 5.6, heading: 0.02, speed: 16},
	{x: 215, y: -2, heading: 0.25, up: 0.1, speed: 28},
	{x: 290, y: 1, heading: 2.5},
	{x: 285, heading: -0.4, up: 0.6, roll: 1.7, speed: 9, rate: r3.Vec{X: 1, Y: 0.3, Z: -0.5}},
}

// put moves a car to a place.
func put(c *sim.Car, s *sim.State, i int) {
	at := &goldenPlaces[i]
	fresh := c.Underway(r3.Vec{X: at.x, Y: at.y}, at.heading, at.speed, 2)
	sin, cos := math.Sincos(at.roll / 2)
	s.Pos, s.Vel, s.Rate = r3.Add(fresh.Pos, r3.Vec{Z: at.up}), fresh.Vel, at.rate
	s.Att = quat.Mul(fresh.Att, quat.Number{Real: cos, Imag: sin})
}

// wildly changes what the driver does: everything at once, every 100 to 400 ms.
type wildly struct {
	*rand.Rand
	in    sim.Input
	steer float64 // where the steering wheel goes [rad]
	until uint64  // this tick
}

func (w *wildly) drive(tick uint64) sim.Input {
	if tick >= w.until {
		w.until = tick + 100 + w.Uint64N(300)
		w.draw()
	}
	const fastest = 30 * sim.Dt // [rad] in a tick
	w.in.Steer += min(max(w.steer-w.in.Steer, -fastest), fastest)
	return w.in
}

func (w *wildly) draw() {
	chance := func(share float64) bool { return w.Float64() < share }
	strength := func() uint8 { return uint8(max(w.IntN(16)-5, 0)) }
	w.steer = 14 * (w.Float64() - 0.5)
	w.in = sim.Input{
		Steer: w.in.Steer, Throttle: 2 * w.Float64(), Brake: 1.6*w.Float64() - 0.8, Clutch: 1.5*w.Float64() - 0.8,
		Handbrake: 2*w.Float64() - 1.5, Gear: int8(w.IntN(9)) - 2, Starter: chance(0.5), IgnitionOff: chance(0.08),
		Assists: assist.Switches{
			ABS: strength(), Traction: strength(), Stability: strength(),
			AutoClutch: chance(0.6), AutoShift: chance(0.4), Launch: chance(0.2), PitLimiter: chance(0.1),
		},
	}
	if chance(0.3) {
		w.in.Assists.YawAid, w.in.Assists.LowSpeedAid = w.Float64(), w.Float64()
	}
	if chance(0.2) {
		w.in.PushForce, w.in.Slipstream = 4e3*(w.Float64()-0.5), w.Float64()
	}
	for i := range w.in.Slick {
		w.in.Slick[i] = max(0, 1.8*w.Float64()-1)
	}
}

// met is what happened in a drive.
type met struct {
	air, bottom, wall, side, reverse, stall bool
}

func (m *met) see(s *sim.State, p *sim.Params) {
	const tall = 0.25 // [m]; springs that no driver brings to their stops
	load := 0.0
	for i := range s.Wheels {
		stop := [2]float64{p.Front.BumpStopTravel, p.Rear.BumpStopTravel}[i/2]
		load += s.Wheels[i].Load
		m.bottom = m.bottom || s.Wheels[i].Travel > stop || stop > tall
	}
	m.air = m.air || load == 0
	m.wall = m.wall || math.Hypot(s.Impact.Force.X, s.Impact.Force.Y) > 5e3
	m.side = m.side || math.Abs(s.Roll()) > 1
	m.reverse = m.reverse || s.Driveline.Gear == -1
	m.stall = m.stall || !s.Driveline.Engine.Running
}

// goldenCar returns a built-in car with tires of a kind, whose temperature counts if warm.
func goldenCar(t *testing.T, name string, kind int, warm bool) sim.Params {
	t.Helper()
	k := goldenTires[kind]
	p, err := config.LoadCar(name)
	for _, a := range []*suspension.Params{&p.Front, &p.Rear} {
		a.Tire.Heat.Enabled = warm
		if k.set+k.file != "" { // models without relaxation lengths of their own need some
			a.Wheel.RelaxationX, a.Wheel.RelaxationY = max(a.Wheel.RelaxationX, 0.1), max(a.Wheel.RelaxationY, 0.2)
		}
		switch {
		case k.file != "" && err == nil:
			var text []byte
			text, err = os.ReadFile(k.file)
			a.Tire.Model = filepath.Base(k.file)
			if err == nil {
				a.Tire.File, err = tire.Parse(a.Tire.Model, text)
			}
		case k.set != "":
			a.Tire.Model = k.set
		}
	}
	if err != nil {
		t.Fatalf("%s on %s: %v", name, k.name, err)
	}
	return p
}

// goldenDrive drives a car for 10 s and returns the hash of every tenth state, with what
// State.Hash leaves out.
func goldenDrive(t *testing.T, p sim.Params, g road.Ground) (uint64, met) {
	t.Helper()
	c, err := sim.New(p, g, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	sum := fnv.New64a()
	var seen met
	driver := wildly{Rand: rand.New(rand.NewPCG(20, 1))}
	s := c.Underway(r3.Vec{X: goldenPlaces[0].x}, 0, goldenPlaces[0].speed, 2)
	for tick := range uint64(len(goldenPlaces) * goldenSpan) {
		switch {
		case tick%goldenSpan == 0:
			put(c, &s, int(tick/goldenSpan))
		case tick%goldenSpan == goldenSpan-300:
			c.Reset(&s)
		}
		c.Step(&s, driver.drive(tick))
		seen.see(&s, &p)
		if tick%10 == 9 {
			fold(sum, &s)
		}
	}
	return sum.Sum64(), seen
}

// fold writes the bits of a state to a hash.
func fold(sum io.Writer, s *sim.State) {
	parts := []any{s.Hash(), &s.Bars, &s.Driveline.Flow, &s.Impact}
	for i := range s.Wheels {
		parts = append(parts, &s.Wheels[i].Roll.NormalizedSlip)
	}
	for _, part := range parts {
		if err := binary.Write(sum, binary.LittleEndian, part); err != nil {
			panic(err) // it is not of plain values
		}
	}
}

// Every built-in car on every kind of tire drives the same bits as ever.
func TestGoldenCars(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden.toml")
	if err := os.WriteFile(file, []byte(goldenGround), 0o600); err != nil {
		t.Fatal(err)
	}
	ground, _, err := circuit.Load(file, circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(config.Cars(), goldenNames()) {
		t.Errorf("built-in cars %q: golden_test.go has other ones", config.Cars())
	}
	for _, name := range config.Cars() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rows strings.Builder
			want := goldenHashes[name]
			wrong := false
			for kind := range level.Pick(1, len(goldenTires), len(goldenTires)) {
				var got [2]uint64 // cold, warm
				for i := range got {
					var seen met
					got[i], seen = goldenDrive(t, goldenCar(t, name, kind, i == 1), ground)
					if seen != (met{true, true, true, true, true, true}) {
						t.Errorf("%s: the drive was not wild enough: %+v", goldenTires[kind].name, seen)
					}
				}
				if kind >= len(want) || got != want[kind] {
					wrong = true
				}
				fmt.Fprintf(&rows, "\t\t{0x%016x, 0x%016x}, // %s\n", got[0], got[1], goldenTires[kind].name)
			}
			if wrong {
				t.Errorf("the car drives otherwise than it did; if that is meant, write these hashes here:\n\t%q: {\n%s\t},", name, rows.String())
			}
		})
	}
}

func goldenNames() (list []string) {
	for name := range goldenHashes {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// goldenHashes are those of each car for goldenTires, with tires whose temperature does not
// count and does.
var goldenHashes = map[string][][2]uint64{
	"coupe": {
		{0xa68fc1e211cbe32e, 0x72a98f0ca6f0fb15}, // own
		{0xda261ac366612e4d, 0xea339ed3a6b7fd73}, // brush
		{0xceea99dc0e030458, 0x259d2df3d4dc5860}, // coulomb
		{0xef90455d9b762b28, 0xaf362c75112a8816}, // curve
		{0xcc21506d91b7f787, 0xb651348b2f31f5cc}, // dugoff
		{0x51fd8402803efd7a, 0xc4ed472496b3fffe}, // MF 5.2
		{0x4768be02a3cc3a04, 0x2950d5746ebbcae4}, // PAC2002
		{0x0a08c15e81bf58cc, 0x9fa61d694275b82e}, // MF 6.1
	},
	"formula": {
		{0x2b529295bec91701, 0x10cc040cf0d3b7ae}, // own
		{0xa15bf07fd55f3a93, 0x9734b5a4097c439a}, // brush
		{0x19b0c51bc1dde6d7, 0x16b79a8da26cb195}, // coulomb
		{0x4dcfe43c0768f72b, 0xbad6b0bfd042e331}, // curve
		{0x6e60a20ec7786157, 0xee5172649c2b8ad7}, // dugoff
		{0x55075dfc1543526f, 0x024baff62b704a9f}, // MF 5.2
		{0x388118f0094fd003, 0x704a395752cc8981}, // PAC2002
		{0x5b0eca9eab99609b, 0xcfa652e5acfb849e}, // MF 6.1
	},
	"gt": {
		{0x1a8d99d90498ec7a, 0xe3ab00a5513041a6}, // own
		{0x42929d8ed2135017, 0x100c953982fc6290}, // brush
		{0x30de0f822a7b82f9, 0x7f2819f4b428e066}, // coulomb
		{0xf4b0c5eee80828aa, 0xd00673ec769ce069}, // curve
		{0xcfa388009271d926, 0x522cca3bc1f37bc0}, // dugoff
		{0xd9c3f39c95a2e01e, 0x58d69028bacc57a1}, // MF 5.2
		{0x7e4571934cdb7d95, 0xb38b20a596f8e899}, // PAC2002
		{0xbb74fd16dd135f12, 0xb24240ac91e037d2}, // MF 6.1
	},
	"hatch": {
		{0x63f725ef93e9e843, 0xdd1c24f99480ccd4}, // own
		{0x7dd2861b9922a478, 0xe31141fe1bab27e4}, // brush
		{0x59edac6829da2829, 0x50265ca2d83955e3}, // coulomb
		{0xaeea19570f84031f, 0x540b3ab2592384c4}, // curve
		{0x4b342c780f72a33b, 0xe2c93f68a5424250}, // dugoff
		{0x2b9f913f0aa0b33f, 0x156f63b0e1134cd9}, // MF 5.2
		{0x94b1da8587b2e392, 0x2ebdf38dde7982bc}, // PAC2002
		{0x6d1ccab441ffe25e, 0xddbc15117ea7561f}, // MF 6.1
	},
	"pickup": {
		{0xc08dfa4d69965473, 0x921bf07dbaf26660}, // own
		{0x544cbd88fefbafeb, 0x318502fdb2580718}, // brush
		{0xaf2df11a612e0cbd, 0x0481a03cb998bb3b}, // coulomb
		{0xdeb64fdfd50f6d0b, 0xcb112e0d05fd9ea4}, // curve
		{0xd0730d53d45d5f28, 0x36f4ea067146ee7a}, // dugoff
		{0xdc7ef102dd8af048, 0x130140b64264244c}, // MF 5.2
		{0x3ec7a122c1a3c3ee, 0xf06ae1a0f531505f}, // PAC2002
		{0x65dd4805ab6ffbc8, 0x547ae1edfaedb7db}, // MF 6.1
	},
	"raycast": {
		{0xbf3c70b945c37eca, 0x5972e3ff57278549}, // own
		{0x718dd91edba3080f, 0x050ce80cfab58167}, // brush
		{0xbf3c70b945c37eca, 0x5972e3ff57278549}, // coulomb
		{0xfe89bcf02e0cc897, 0xc3ccf318fea962ec}, // curve
		{0x478a15ecc66b6179, 0x1d76dbbf6087dcb9}, // dugoff
		{0xcee7aeb5ebfa1d7f, 0xe3421ef16648cb25}, // MF 5.2
		{0x470c9a570a1931a1, 0x1a0781148de04b7f}, // PAC2002
		{0xe97a3ae496f3a038, 0x5003f925425aae1f}, // MF 6.1
	},
	"reference": {
		{0xa57a3d2040a9641a, 0xa3fa27de9545bb39}, // own
		{0x03040324d04546e6, 0xb32ad9e8ba94343c}, // brush
		{0x758a0b365bd1c4cf, 0x827941a7976179ac}, // coulomb
		{0x9e304d6753baa6a0, 0xc54104bab7d89ea5}, // curve
		{0x6d103e5105c9e53e, 0x800d9f800f67becd}, // dugoff
		{0x61f040d13bcea1bc, 0x821b9ef80b16d971}, // MF 5.2
		{0x8dd3d5571d5707f6, 0x41efe150f9fa5ee4}, // PAC2002
		{0x02f3402d3ac63366, 0x339dcce7e22fde31}, // MF 6.1
	},
	"wheelcollider": {
		{0x49a0e644172ebda9, 0xeace4967813458f0}, // own
		{0x81cfeb222b4767d8, 0xce026efc96b65a4c}, // brush
		{0x742806cbdc7c0cd4, 0xc69412c63d0263d2}, // coulomb
		{0xde48be8b04f44a9f, 0xe27dca3dfd8280d3}, // curve
		{0x109ba56a440e3376, 0xa6b36bfbde08691b}, // dugoff
		{0xf8ebfa0b453fb885, 0xb786d3de1b842a2c}, // MF 5.2
		{0xa45742fbb7533f1b, 0xcf9bcaf450a6c3d8}, // PAC2002
		{0xab7aed093a11a204, 0x0f6a206e7b1fb9a8}, // MF 6.1
	},
}
