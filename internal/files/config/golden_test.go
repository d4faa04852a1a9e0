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

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
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
	{name: "MF 5.2", file: "../../../sim/tire/testdata/mf52.tir"},
	{name: "PAC2002", file: "../../../sim/tire/testdata/pac2002.tir"},
	{name: "MF 6.1", file: "../../../sim/tire/testdata/mf61.tir"},
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
	for number, name := range config.Cars() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rows strings.Builder
			want := goldenHashes[name]
			wrong := false
			for kind := range level.Pick(1, len(goldenTires), len(goldenTires)) {
				if kind > 0 && (kind+number)%3 != 0 && !level.All() { // each kind on two cars or more
					continue
				}
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
				t.Errorf("the car drives otherwise than it did; if that is meant, write these hashes here, all of which RIG_TEST=all shows:\n\t%q: {\n%s\t},", name, rows.String())
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
		{0x3578034e84486fef, 0x1c6112e82ca8550b}, // own
		{0x015357ee448c2c0a, 0x911209e7f9a99fc3}, // brush
		{0xbc4d510c05234e21, 0xa93c307fcba32976}, // coulomb
		{0x17c300710f93f166, 0xaf362c75112a8816}, // curve
		{0x30b0c6a17b12c79a, 0x3f7b76f0b1ab0b5f}, // dugoff
		{0xd562c3e0a737a763, 0x8adde36e518366b6}, // MF 5.2
		{0x38f7dcaf3b785fb8, 0x0f19393cb990e8a4}, // PAC2002
		{0x392cf67703ea2b76, 0xef980b1d073ce724}, // MF 6.1
	},
	"formula": {
		{0x7a6437cd0af7b685, 0xc11c16bd1f0e0bcd}, // own
		{0xa540652770113739, 0x826b4f3e005776db}, // brush
		{0x2869125136a2db06, 0x0b304464eff117cc}, // coulomb
		{0xe4ffaabf654326d5, 0x28979524282a8001}, // curve
		{0x1929b7fb3e972ce1, 0x02aff6c59aaf9b26}, // dugoff
		{0xdaa9bd9e2fee04d4, 0xb355c47772bee4ba}, // MF 5.2
		{0x28a04614545d2a6a, 0x5b2ba232c8f3711b}, // PAC2002
		{0xf805f2481642dbad, 0xc4f52532730acc92}, // MF 6.1
	},
	"gt": {
		{0xfb56a101ccc7c162, 0xb0bd06f92b25296c}, // own
		{0x6990223febd92d99, 0x100c953982fc6290}, // brush
		{0x9244a05e1ee876ec, 0x1ddc77976ca02f4a}, // coulomb
		{0xab8e6f3aba10edf4, 0x1e5378c8e7c632e7}, // curve
		{0xd857b5d645c76ef7, 0x886d42e6033f4dfc}, // dugoff
		{0x15f438b9de177fe1, 0x056b370a6a4afbcb}, // MF 5.2
		{0xf5bdd0f827a00ec3, 0x10aedb2a8c0a2070}, // PAC2002
		{0x959a99d4e1b2322b, 0x01c6f9432eb268d8}, // MF 6.1
	},
	"hatch": {
		{0x0711da507cc5051d, 0x419e63c2ab58de52}, // own
		{0x514887b6addff4c9, 0x400eb44d7efb1359}, // brush
		{0xc391e64cfee10807, 0x76aba5659373aa95}, // coulomb
		{0xf53145b69b12cf94, 0x2a6e21de2a7e7176}, // curve
		{0x77d05cc3c991e775, 0x67898b223b788522}, // dugoff
		{0x8e6fcdfcd2844e25, 0x992805ab933a8172}, // MF 5.2
		{0x461105bc3979c67a, 0xa0045a1c26166990}, // PAC2002
		{0xaa7943f15908a303, 0xdcdb051e1f8d22a5}, // MF 6.1
	},
	"pickup": {
		{0x5196d9487117ff8e, 0xe62161e41dd811de}, // own
		{0x49fbeaf59fd739b9, 0xc9680441c22f5ce7}, // brush
		{0x720356163e134dac, 0x89895e975bd8c54b}, // coulomb
		{0x8c2effab3018aab5, 0xe05502675ed3a71e}, // curve
		{0x7329a9f34b3abe7d, 0x9acdbe0b4fea759b}, // dugoff
		{0x57af105c75a692a5, 0xef827f7b1e3f0bcf}, // MF 5.2
		{0x692baf505f560284, 0xbbe0d415c081f6a9}, // PAC2002
		{0x7f6fc6b62010e9db, 0x502564e0707bc267}, // MF 6.1
	},
	"raycast": {
		{0x849a6977a19f05df, 0x3f6f9c180eba906d}, // own
		{0x10633cabe9c07941, 0x56a52fd56ed955f1}, // brush
		{0x849a6977a19f05df, 0x3f6f9c180eba906d}, // coulomb
		{0xb4da4d46abf9b369, 0x23a00e24031cfc9c}, // curve
		{0xe039f799f653aa2d, 0xb993cddd27f35664}, // dugoff
		{0x6c5b9ad87eacf84b, 0xd42c9335f4f2f854}, // MF 5.2
		{0x7e7bc010ed1489ba, 0xc9d9dfa81d3c7330}, // PAC2002
		{0xd98685b18a85a7dd, 0xda65df13d597fc70}, // MF 6.1
	},
	"reference": {
		{0xc800e132537a7b78, 0xec85c38a1385a4a9}, // own
		{0xe62344f967aab207, 0xae2443f3145761dc}, // brush
		{0x6ef398a066a17388, 0xf464cf3580be048e}, // coulomb
		{0x5c953fb92618d088, 0xc7f3a02bfa9b43dd}, // curve
		{0x846196f360d14c8a, 0xcb153af0369fd0fe}, // dugoff
		{0xcbecc8b5b3c4cbf4, 0xb5fe1c1ed8a803ac}, // MF 5.2
		{0xcb44f5b63ab02410, 0x2ff51c359f022372}, // PAC2002
		{0x551e670e7e4675b8, 0xb829815be3f7b0ea}, // MF 6.1
	},
	"wheelcollider": {
		{0xb86f9d51b4ff9372, 0x6bb6f9738cc2f809}, // own
		{0x69b2265697f62e79, 0x1a0784b96ebc41ae}, // brush
		{0x4b04966cfc997dda, 0xc69412c63d0263d2}, // coulomb
		{0xe2079a70f305f321, 0x4a1ddf9bbccb78a1}, // curve
		{0xa40e9e73c921487b, 0x5c963fa7a3bdfd4b}, // dugoff
		{0xffaa8597ed91f850, 0xc555be6b108ae5da}, // MF 5.2
		{0x82d904b0aa35ccb4, 0x0753ccdee12dc6d7}, // PAC2002
		{0x6e01630fc937382f, 0x0f6a206e7b1fb9a8}, // MF 6.1
	},
}
