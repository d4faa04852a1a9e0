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
		{0xec8868bd68ff2fee, 0x481a0f9224ecad2c}, // own
		{0x2049d11995413bf3, 0x6a5ccc532c9f432a}, // brush
		{0x9e91d2e0dbc5fc88, 0x0644a8e8e272e6b1}, // coulomb
		{0xd6b31d5cdfdfdff5, 0x114ce47222f9efba}, // curve
		{0xe7070a6afadd147c, 0xbdd34589252a936b}, // dugoff
		{0x8d2c798d0ae4b1c3, 0x97968b9514a15caf}, // MF 5.2
		{0xfb69cf97f5b5343b, 0xcd0ffa20b0a54229}, // PAC2002
		{0xcfd5d4b08d3778b7, 0xc8a352d213c1ab4c}, // MF 6.1
	},
	"formula": {
		{0x9c2415685ca9431e, 0x48f84095d5a29336}, // own
		{0xf2b79bb67fae16ad, 0x69f171d9249650d3}, // brush
		{0x1c28e7ba86e2cabb, 0xdaf42437a361670e}, // coulomb
		{0x230ab127ab51744a, 0x0e72e534c2653895}, // curve
		{0x777f31d8016b1a88, 0x1070ed3e5b4311bb}, // dugoff
		{0xaf0065ce28af10e9, 0x493cef97e23ec3f7}, // MF 5.2
		{0xc9e37bc626559a67, 0x2576103a2640146f}, // PAC2002
		{0x8ec0f775beef3a0b, 0x13e64216ed0c4d52}, // MF 6.1
	},
	"gt": {
		{0x5c75354c657e9688, 0x1a335a8fbce2a399}, // own
		{0x0b87b32d668f5c13, 0x31ed68aedf36c3c7}, // brush
		{0x866d0eae06bf1698, 0xd33eb2a26b74d798}, // coulomb
		{0x9100b7d1d48aedac, 0xbc05c1f67e9d6e55}, // curve
		{0x555a4dc73f3769e5, 0x2cc562341fb65bf3}, // dugoff
		{0xbf3a62e277ca4850, 0x275bb0eae63e60b7}, // MF 5.2
		{0x61f2c3a36af7b354, 0x05c6abfb69398686}, // PAC2002
		{0xcfa37912f41c9744, 0x307008ba0c1aab2d}, // MF 6.1
	},
	"hatch": {
		{0x1add57da5989d383, 0x2506aed52c5c9d72}, // own
		{0x926fee9fd2efe381, 0x38587cd0049c90c8}, // brush
		{0x5b930b66a26e166e, 0xc4afd69d700c698f}, // coulomb
		{0xdd81b30a29b777f0, 0x4e7d8f1579ea453e}, // curve
		{0x9594c91c697c7b24, 0x6e4348cb9a7cc4f7}, // dugoff
		{0x6de421bd9d47bd52, 0xa498e847430f2c39}, // MF 5.2
		{0x74190a90e8a7cf00, 0x22aaa10e67dcc9a2}, // PAC2002
		{0xdb6ec47de4e1eaee, 0x97253896796709ae}, // MF 6.1
	},
	"pickup": {
		{0x347db54f045c9b8a, 0xb13808ea29960fe3}, // own
		{0x996b54e5ab61ec50, 0x76c3f6b91faab69e}, // brush
		{0xe64e4b22626ac855, 0xdcb818550b36862e}, // coulomb
		{0xbc98bda1e046415b, 0x2a00b9bef013201a}, // curve
		{0xbb70fdf6d965ea03, 0x0a58c07a8cd488d3}, // dugoff
		{0xf38166547b507b53, 0x1be2db4269feb9d8}, // MF 5.2
		{0x69cd86a3cea1eab7, 0x6aa3089334c20e17}, // PAC2002
		{0x2caa96176b8101d0, 0x8b1220cd3dec4e44}, // MF 6.1
	},
	"raycast": {
		{0x2bc4a8157c829c62, 0x505392aa9de4c971}, // own
		{0xa226f6b6a2b43469, 0x6ccfdbc9a51bdfb5}, // brush
		{0x2bc4a8157c829c62, 0x505392aa9de4c971}, // coulomb
		{0x99c8b09ed949d48d, 0x10e6d58472ee89ab}, // curve
		{0x1b865db84d8c4f28, 0x7ac0baa7af33c289}, // dugoff
		{0xe047fa3ecaad9532, 0x2234588d879f9c4c}, // MF 5.2
		{0xbdcd67aa41e1b496, 0xc5efe356182867f9}, // PAC2002
		{0x739fa0b880632064, 0xc56effa90cd766ac}, // MF 6.1
	},
	"reference": {
		{0x499f0788ab7a9ccb, 0xf8bf15b375bd894d}, // own
		{0x63fe0695dccd8b04, 0x0c5979f1f8331a59}, // brush
		{0x9578159cd1afe4c4, 0x46f8f515b93dff82}, // coulomb
		{0xdd2a98cb41daac45, 0x5b376431ceede1ad}, // curve
		{0xad6dfe3699d52701, 0x325838760fae55d4}, // dugoff
		{0x2f87d31d95a58759, 0xcae49ab14ed4319c}, // MF 5.2
		{0xe331925674f9be30, 0xa360a08b5bf4360c}, // PAC2002
		{0x56fb8831c320b812, 0x252f1bc4cbe6dd15}, // MF 6.1
	},
	"wheelcollider": {
		{0xdf5b400bc27aab40, 0x29e831f1c975b18b}, // own
		{0x97bd878fbaf4e415, 0xaa887e7b024d17ff}, // brush
		{0x8288ee6d838fefdb, 0x9ddd1b9b112a7228}, // coulomb
		{0x9e567f3f9085dfa8, 0x1d724affeb3eb4ae}, // curve
		{0x04896cacdf25ccf1, 0x1636fc80ff8cdc97}, // dugoff
		{0xd7e0d1a8c5c2da2f, 0x0671e99f472758bd}, // MF 5.2
		{0xbf204d48e549934e, 0xfcd311b7eb0d453b}, // PAC2002
		{0x4b37cafef36291fc, 0x75146262347f57b7}, // MF 6.1
	},
}
