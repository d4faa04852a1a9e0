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
		{0x4d0aaa5639eb7cdd, 0x774ed60386024ee1}, // own
		{0xbcf1b238cfa11cad, 0x8ae282dfc5c4951a}, // brush
		{0xe249c34bade58ca1, 0x31daffddd7f0a8f4}, // coulomb
		{0x559bbe3e80551e9e, 0x09d97a47a87c90b1}, // curve
		{0x98bcfa3c212e0c97, 0xd836af3b60942d87}, // dugoff
		{0x3cd6ddbc621fd521, 0xff5d3c4d5aaea60e}, // MF 5.2
		{0x3f0ca33679291cc0, 0x00c02b6f0503c212}, // PAC2002
		{0x45f19283669a0b0b, 0x10f3eff2f1bf0e8d}, // MF 6.1
	},
	"formula": {
		{0x2a434381c6334d60, 0xe5f471dbe52e5313}, // own
		{0xb5dd7d7dc311e741, 0x0eb0275a91beea86}, // brush
		{0xf8776cf77fcaf83c, 0xaac1b4c08d02cb14}, // coulomb
		{0x89ff1a477d11c8aa, 0x731baf44c564d402}, // curve
		{0x91d053cc02927a87, 0x2c8fca01cdc300c2}, // dugoff
		{0xa9a65eb75c45dab7, 0x5fda98936a187aae}, // MF 5.2
		{0xab23cd64512baffe, 0xeafbdd84951edc54}, // PAC2002
		{0xf9be2db32680c58f, 0x70dc62866810b8a3}, // MF 6.1
	},
	"gt": {
		{0x9d83b509ef8f946a, 0x0d217d94a48ce647}, // own
		{0xdf4148ea581d4074, 0x40b325a44970aa6a}, // brush
		{0x3bbdc3ed51d484eb, 0x1402dc0c9b9da38f}, // coulomb
		{0x46f4bccc446bf7d0, 0xd04fc49b436d8c25}, // curve
		{0x136cf961615d8489, 0xd5d5424d55f6b798}, // dugoff
		{0xd1a3451bd15fe176, 0xaa6f549f31a7c26c}, // MF 5.2
		{0x5907d6717ae0380a, 0xd436a6c231a70f79}, // PAC2002
		{0x461a6a4ab3635627, 0x163442dc883dc11f}, // MF 6.1
	},
	"hatch": {
		{0x274b91ee1e4d382b, 0x0d2f845c47731c05}, // own
		{0xfa98cf12492aaed7, 0xe8cfeba31762ee7a}, // brush
		{0xc16a732ecabb9239, 0xb471b92681cb4821}, // coulomb
		{0x679ef2f53e8b937e, 0xe7a9e3f6d6b40ba2}, // curve
		{0xdb7cc41fcf7c3cf5, 0x81e469e5a26a5f69}, // dugoff
		{0xf41af0c7fbcc8d45, 0xd147ad47b1c8fad1}, // MF 5.2
		{0xdad284cd244feac2, 0xc08a5f7683db4962}, // PAC2002
		{0xff32960eb36eac5e, 0x0862dc4c1dcbdbdd}, // MF 6.1
	},
	"pickup": {
		{0x17389dcdb0c9b3ec, 0xdddc33a371fba38e}, // own
		{0x7dab129f967f75db, 0x25dd40a122d27f2e}, // brush
		{0x39ccea6818161226, 0x0b4cf147e0b891da}, // coulomb
		{0xfc9150216c01b71c, 0xa67f190b2c33e13f}, // curve
		{0x881e03056463cc8c, 0x6822deffe53e3097}, // dugoff
		{0xfc9490ef78709a4a, 0x998541544c281f71}, // MF 5.2
		{0xfe18da4bf1593c76, 0xd20c230747c692ed}, // PAC2002
		{0x4e4bd5d1f8cc9138, 0x0d253be8b5af0aae}, // MF 6.1
	},
	"raycast": {
		{0x2bc4a8157c829c62, 0xe023d0b52a52f975}, // own
		{0x46fed18bd08ae9ec, 0x3ec08c8c0e104bad}, // brush
		{0x2bc4a8157c829c62, 0xe023d0b52a52f975}, // coulomb
		{0x2b46c387c47fc41d, 0xfbb864fb2a8ac614}, // curve
		{0xf2bd684c62f67e18, 0xc9272c01b351519f}, // dugoff
		{0x0fb56b0bb4aae326, 0x5e5750e4cad856d3}, // MF 5.2
		{0x4db9f286681b2439, 0xf7da27537a5f1355}, // PAC2002
		{0x72d26534f065aa33, 0x80d4178911b78926}, // MF 6.1
	},
	"reference": {
		{0x352df2def54fb67d, 0x05191e0a6e349d3a}, // own
		{0x14f590a7e9b5a204, 0xc76b3a0e47ea9c9c}, // brush
		{0x9578159cd1afe4c4, 0x46f8f515b93dff82}, // coulomb
		{0x3b00115203eb1b67, 0xa6478015a539d759}, // curve
		{0xc708c90463196c45, 0x5dfececcb36c6df0}, // dugoff
		{0xaa6e1b0031d6f953, 0xe1a7956efcf690da}, // MF 5.2
		{0x63b9979642f88b01, 0xfb1d2d371884978e}, // PAC2002
		{0xc0113e32749bf03a, 0x082e73541bb60d88}, // MF 6.1
	},
	"wheelcollider": {
		{0xb2185f601c208189, 0x0d3a0e007cc4dcec}, // own
		{0x3a5f98baea575abb, 0x554f3ad658dc6000}, // brush
		{0xb0fa773314fa0028, 0x66a7854b2316f2a6}, // coulomb
		{0xadea3d9fa156e548, 0x718bb0e693eafea1}, // curve
		{0xa8a1180b0659b7a0, 0xf31d0c9a7adfef5e}, // dugoff
		{0x3acc1230e1b4d900, 0xc2a230fac3301705}, // MF 5.2
		{0xc2d99e4bc395007d, 0x1d6d2e49cdd2e9d5}, // PAC2002
		{0x28f39d03648b31b4, 0xe8b42b1a802770e6}, // MF 6.1
	},
}
