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
		{0x6e5b11da22500776, 0xd21751f96e15212b}, // own
		{0x35c1a0894fe986b3, 0x6928d5f49ed8942d}, // brush
		{0x9e91d2e0dbc5fc88, 0x0644a8e8e272e6b1}, // coulomb
		{0x28c413eb533e71ed, 0xe8c5b6f2632fa917}, // curve
		{0x1980b271a54c1bc6, 0x986f76f55fa91f39}, // dugoff
		{0xff863c54d7e29ab7, 0xcc87c2c602bdbc6f}, // MF 5.2
		{0xbc94aa531eb25112, 0x60349ae5d499d279}, // PAC2002
		{0x162c41da285457e9, 0x328ac1a39e8dce39}, // MF 6.1
	},
	"formula": {
		{0x86f614dbcea1ffd7, 0x1b5b3cc1396db540}, // own
		{0xc2f8f3888b90bea8, 0xd7700b4a9ec04302}, // brush
		{0xe60e7383b735592c, 0x9f8bc0e7d5a55161}, // coulomb
		{0x6de93bba2d78e8cb, 0xe96819d33847467a}, // curve
		{0x8c3b03f8987c3fba, 0x2f8c4a6a1cc8c14c}, // dugoff
		{0x25a9460b69c2690c, 0x1d78c0f96a7152b4}, // MF 5.2
		{0x598e94c9437b83ed, 0xede0032b18e9a86f}, // PAC2002
		{0xa95940a6a276579b, 0x9f02da80099dbfc4}, // MF 6.1
	},
	"gt": {
		{0x5c75354c657e9688, 0x1a335a8fbce2a399}, // own
		{0x0b87b32d668f5c13, 0x31ed68aedf36c3c7}, // brush
		{0x96ca3249c1e51a4b, 0x10b9d997aaebfe46}, // coulomb
		{0x1949c54e14b39899, 0xb21c34fda81b28b3}, // curve
		{0x555a4dc73f3769e5, 0xe8fe4c8a67cde38b}, // dugoff
		{0x0a5d29aa23c7ecaa, 0x15f73e1b9bea00f2}, // MF 5.2
		{0xbb1470026cb7c707, 0xf00b4508a98e0de6}, // PAC2002
		{0x2f825a86f7ec8969, 0xb03f86ad3cc64694}, // MF 6.1
	},
	"hatch": {
		{0x1add57da5989d383, 0x2506aed52c5c9d72}, // own
		{0x00b65a514335cefd, 0x1db146fc71a40c55}, // brush
		{0x8a9a3c03641bdb00, 0x440ac99f8ea1afdb}, // coulomb
		{0xdd81b30a29b777f0, 0x4e7d8f1579ea453e}, // curve
		{0x2cb986b8ebfa0047, 0xb58010c185a0ee07}, // dugoff
		{0xdd14dafba85d82e5, 0xa498e847430f2c39}, // MF 5.2
		{0x2414a296411e100d, 0xf82f5a14a4d17cb4}, // PAC2002
		{0x5d47c7ac1b8d436a, 0x97253896796709ae}, // MF 6.1
	},
	"pickup": {
		{0x347db54f045c9b8a, 0xb13808ea29960fe3}, // own
		{0xfbeac6749c1b9e46, 0xb70ca53db80d2135}, // brush
		{0x88c0f3d108293358, 0xd02537ef9f65b9da}, // coulomb
		{0xefd5daca6f6a7ff9, 0xfc6bd0b4c8e0c133}, // curve
		{0x863d8401cbf5ecae, 0x130fbaf676bd61ee}, // dugoff
		{0xe08f9a3c0d144abd, 0x2ac58f21e8a7a671}, // MF 5.2
		{0x69cd86a3cea1eab7, 0x6aa3089334c20e17}, // PAC2002
		{0xaa4f72f75f647d05, 0x06da75c781a38012}, // MF 6.1
	},
	"raycast": {
		{0x2bc4a8157c829c62, 0xe023d0b52a52f975}, // own
		{0xa226f6b6a2b43469, 0x6ccfdbc9a51bdfb5}, // brush
		{0x2bc4a8157c829c62, 0xe023d0b52a52f975}, // coulomb
		{0x99c8b09ed949d48d, 0x10e6d58472ee89ab}, // curve
		{0x1b865db84d8c4f28, 0x7ac0baa7af33c289}, // dugoff
		{0x20dd934b93473f45, 0x2c895e12fa96b237}, // MF 5.2
		{0xce7e5a2f56e831cf, 0xc5efe356182867f9}, // PAC2002
		{0x739fa0b880632064, 0x4ca4cdcbf85c40e1}, // MF 6.1
	},
	"reference": {
		{0x499f0788ab7a9ccb, 0x79cfa6407ca17816}, // own
		{0x63fe0695dccd8b04, 0x0c5979f1f8331a59}, // brush
		{0x9578159cd1afe4c4, 0x46f8f515b93dff82}, // coulomb
		{0xdd2a98cb41daac45, 0x5b376431ceede1ad}, // curve
		{0xad6dfe3699d52701, 0x325838760fae55d4}, // dugoff
		{0xf9f7259263db98db, 0xad863940ee529a13}, // MF 5.2
		{0xe331925674f9be30, 0xa360a08b5bf4360c}, // PAC2002
		{0x56fb8831c320b812, 0x252f1bc4cbe6dd15}, // MF 6.1
	},
	"wheelcollider": {
		{0x5e6e7c060eb5ea9b, 0xa2e331ba386eb988}, // own
		{0x97bd878fbaf4e415, 0xaa887e7b024d17ff}, // brush
		{0x8288ee6d838fefdb, 0x9ddd1b9b112a7228}, // coulomb
		{0x9e567f3f9085dfa8, 0xcf2df65bf2b4d177}, // curve
		{0x07d04af97123b624, 0xc16b39f1fbb84665}, // dugoff
		{0x0cb2e80be621c583, 0x5f5b4fb7086b426c}, // MF 5.2
		{0xde25ab544a0b2ec8, 0xa30c9fe37327a90f}, // PAC2002
		{0x92f0b89408eeef40, 0xffcc2dde4cb5b862}, // MF 6.1
	},
}
