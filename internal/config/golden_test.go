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
		{0x22d0dfa177a52631, 0x5d84cf698815bb51}, // own
		{0x70aa83bac57cd72c, 0x0619edeb3a713ba8}, // brush
		{0xe2fae8ef02b6f44d, 0x8b8dc729d4ddc7da}, // coulomb
		{0xf0928c9d1f48b50f, 0x0799209f7daa4d3f}, // curve
		{0x3ab508099f64aefa, 0xdf08681aea97d903}, // dugoff
		{0x57c2b994849cb450, 0xfeccfecc28d5428e}, // MF 5.2
		{0xf37426d61c544b16, 0xada50c1c43463eec}, // PAC2002
		{0x4a04677a56446fe1, 0x7dddd8ba3c8c3372}, // MF 6.1
	},
	"formula": {
		{0x9a73cddf5bb3efda, 0x596f7515947f6ea8}, // own
		{0x082f22be8f2acfca, 0xbfc3d40516fce511}, // brush
		{0x3ee9f9cd33660c7d, 0xdca5f069f51324d2}, // coulomb
		{0xe02e70fbc6602c25, 0x85c8980bd88dae7c}, // curve
		{0x5ec700ac57551661, 0xb5d6d874aafe385a}, // dugoff
		{0xf0f2d1b3d1dbc0b0, 0xefcd2dea2c55fbfb}, // MF 5.2
		{0x50e086e95252ce96, 0x33b8ea14bafa16a4}, // PAC2002
		{0xa6f8ac74af8e951f, 0xcbe4c909afded98d}, // MF 6.1
	},
	"gt": {
		{0x38feafe0ca0f2581, 0x1d750a967306155e}, // own
		{0xd435d6fca084bea5, 0xb7a72e2d4e19adf9}, // brush
		{0x10702b517ad16ac9, 0x404c51d849c27f89}, // coulomb
		{0x4d4a0a77c890e1d1, 0xe2804b9605d9ec06}, // curve
		{0x64982bdd0136155f, 0xdfdfdc50e823b70f}, // dugoff
		{0xce9b5bb0134aba55, 0x1f0e44a6971b30a9}, // MF 5.2
		{0x3dcb88c6edaee718, 0x4562d00068927e8e}, // PAC2002
		{0x90819a6cc160cfd0, 0x9ccd30dd1372ac82}, // MF 6.1
	},
	"hatch": {
		{0x845afb7453ae76e3, 0x6dba6eee2bc6b7eb}, // own
		{0x2ad61abafb7c3a50, 0x930013ef5dc7cf1f}, // brush
		{0x7999237b792cd538, 0xc41ef691524364e4}, // coulomb
		{0xa0ee848953ef38bb, 0xa95131342d898e5f}, // curve
		{0x7d449a7fc4fbb0ed, 0x7023de03ee50a0f1}, // dugoff
		{0x81459d435a2d34e7, 0x312e52eb6be101f1}, // MF 5.2
		{0x12590eadf198fc2e, 0x9ba9a2ed0181efd5}, // PAC2002
		{0xdc71f6c51e78de61, 0xe864ee1283dac057}, // MF 6.1
	},
	"pickup": {
		{0xda85228ebedcd374, 0xe0722095d39b86d7}, // own
		{0xafdc48af45103229, 0xbec39ff06b87f189}, // brush
		{0xd68e04ee2725fa6d, 0xe9f597a29ec48593}, // coulomb
		{0x59fa706a28cd6ad5, 0xa7eb41666a6bf092}, // curve
		{0x79831a8b9107de9c, 0xa9bd1cf87ef22304}, // dugoff
		{0xec8fb7991deaeec3, 0x16df991661fb51f6}, // MF 5.2
		{0x2004abdda56c1ae7, 0x9c2abba47bdcd890}, // PAC2002
		{0x7f1fe208c9c8ec1b, 0x078b63d3ad8d58c7}, // MF 6.1
	},
	"raycast": {
		{0xebfaeda493120c01, 0xd4653e2483c6a1cc}, // own
		{0xf863141e588b1024, 0xa2d59f70dd76c5ac}, // brush
		{0xebfaeda493120c01, 0xd4653e2483c6a1cc}, // coulomb
		{0xb45a07e7eadb5683, 0x1bfd6dc81994047c}, // curve
		{0x751a2c9debe6a097, 0x676a36f927856f21}, // dugoff
		{0x762e28c5712928d3, 0x56ec2ef0c2f7a9ae}, // MF 5.2
		{0x9bb5a12f04c76ddd, 0xce4b56327955d5e2}, // PAC2002
		{0x7c88b1be6edeb53f, 0x9d99918c47d66e68}, // MF 6.1
	},
	"reference": {
		{0x9bd0bebb7c30dc25, 0x2f0053ec70c05e66}, // own
		{0x6ea4f34eb3faf0c5, 0x65c5914dbae53a95}, // brush
		{0x512c243ae4de38db, 0xc8839ffd181edd53}, // coulomb
		{0x699d1cefb5b6249d, 0x50a8b6b968373bde}, // curve
		{0x7db789bf8a8212d3, 0xafb96caa12acbe06}, // dugoff
		{0xfd2c982fa8c74898, 0xb1e3a810ceb3672a}, // MF 5.2
		{0x9ad8d3f2e337e34d, 0x3e76ce7e6fcdf5a8}, // PAC2002
		{0x8e6c14a082394d24, 0x5d1cc190f6a6b9bf}, // MF 6.1
	},
	"wheelcollider": {
		{0x8794da4bb78c6d97, 0xfe207f7128b0ebc2}, // own
		{0x62f533051b915056, 0x70eb73c15dafc63f}, // brush
		{0x40eb1212541be33d, 0x3b96a3ec498442cd}, // coulomb
		{0xbc2647cf6d41f29c, 0xe2577c65f71dd5a1}, // curve
		{0x36f43fc7b54ccb9f, 0x2dc5ec813c93f92b}, // dugoff
		{0xee0dd7ed28213d32, 0xf52a7a9ce4b77edd}, // MF 5.2
		{0xa2b3713b3c11ffc3, 0x327861eef4139132}, // PAC2002
		{0xeb9dacf89011345c, 0x1dee0233d9cb5ce3}, // MF 6.1
	},
}
