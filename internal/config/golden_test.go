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
		{0xca00e3f541c2166a, 0x9d80d29981063298}, // own
		{0x70298518c5ce41f9, 0x86841ff9f5dcfeba}, // brush
		{0x43d699369708fb69, 0x82ba40b7699ce999}, // coulomb
		{0xe88b50da0464c5b2, 0xb8afe854ece03a3d}, // curve
		{0xd97b7d5b8dbaa65f, 0xd0362d5903bf60b4}, // dugoff
		{0x5d8a9639ab6cedc5, 0x630b9147fcbb5984}, // MF 5.2
		{0x050bac9fcbfd8d6b, 0xd1d24ca1b999433d}, // PAC2002
		{0x3e37a43db69966d6, 0x3825a24a129e1906}, // MF 6.1
	},
	"formula": {
		{0x96b9f4ba75636d9f, 0x6b8a0c5a9ebb71d0}, // own
		{0xd3323286c02e5cb9, 0xf5469303d22b0c0b}, // brush
		{0xfa72eab2cd532d8e, 0xe67ce76f729efe77}, // coulomb
		{0xeb8ff0cc2651ac14, 0x9a346814e94240e7}, // curve
		{0x170f760df98d2a80, 0xbf56c63037fc33cb}, // dugoff
		{0xcc46461d40a6f29d, 0x17e08e7512e05944}, // MF 5.2
		{0x05a0eb530f7de6e6, 0xffb42f6ac4bfc342}, // PAC2002
		{0x4ffba2cc66a27637, 0x407c92b251f0f135}, // MF 6.1
	},
	"gt": {
		{0xead8b0c4f4375d84, 0xf0e6fa7776686c8d}, // own
		{0x68970e62f3285e40, 0x4152d512a5ea6f2d}, // brush
		{0x98d97811a998160c, 0xea8c8af430e02a44}, // coulomb
		{0xead29c870ce5eea0, 0xf0a890ec129d2b55}, // curve
		{0x0f1395af8743b6c3, 0x0f4dd1047bd19cfc}, // dugoff
		{0x6b26a634dbf0cdcf, 0x5081263e65eb6cf3}, // MF 5.2
		{0x4126364fa40b569a, 0x6b6117a2da097e05}, // PAC2002
		{0x5af3af5c036660ba, 0x1885bc43b0b8a31c}, // MF 6.1
	},
	"hatch": {
		{0xb31229a50b40cf9e, 0x54b51abcc7ff3880}, // own
		{0xfac00fe83b88831a, 0x2d76b032c8b91109}, // brush
		{0xca36e920bc94fd63, 0xaa71d784e9f9d5b1}, // coulomb
		{0xe0e78c2b486b8b51, 0x3102315fbd8b9a47}, // curve
		{0xdff68d8118656cd8, 0xd38d4d07ac223d46}, // dugoff
		{0x76fb9355430db693, 0x412647fd9ceab807}, // MF 5.2
		{0x3a609699d35fc48f, 0x754b9c923cfc376d}, // PAC2002
		{0x75680147170ed2a8, 0x7f13c7e9c9a7ac95}, // MF 6.1
	},
	"pickup": {
		{0x1cfdd4c383ea47e7, 0xb449bc4e332b10b9}, // own
		{0xa2551e7d3888d8cd, 0x0724ba074c153076}, // brush
		{0x10469bd3ac976c6d, 0x34ccea38853d45c0}, // coulomb
		{0x7d760804eddd3411, 0x5cc76153f5712cfc}, // curve
		{0xb9fb95a8994afab7, 0x51b50753346bfb9f}, // dugoff
		{0x1349ce1aafc0c1fe, 0xdda16fc57d998fbb}, // MF 5.2
		{0x6b6098a41020a071, 0x6e93c2a9874d2d1a}, // PAC2002
		{0x3ef5aa267c83156d, 0xbd699d674949312d}, // MF 6.1
	},
	"raycast": {
		{0xa970de3822115ade, 0xccd0568146f8b589}, // own
		{0xdea420ea79ae29b7, 0x4fd0e29e665d4455}, // brush
		{0xa970de3822115ade, 0xccd0568146f8b589}, // coulomb
		{0x3a0d108d1ec115a4, 0xe49c26df689242e2}, // curve
		{0x85500dc5ae779bf8, 0xd4aeeec5419e79d8}, // dugoff
		{0xbb8b899f7ccd1e9c, 0x7e2018b480c6c850}, // MF 5.2
		{0x3bcf4261f6d2a256, 0xbdfaebd462ab6cb0}, // PAC2002
		{0x4ad3fc18fca473f1, 0x3d9d38d080a6f521}, // MF 6.1
	},
	"reference": {
		{0xf646fdf947920286, 0x6dd0991f8dc6076e}, // own
		{0x9796ba6ad0c54633, 0xef3a4dc7e5511c8c}, // brush
		{0x3538c0eeb3fe064a, 0x42f503b2aa47b3d0}, // coulomb
		{0x85e2885a432760c3, 0x216a3a8c9bff70e8}, // curve
		{0x558976f5c208c9ff, 0x6a97cec53de3fb05}, // dugoff
		{0x80937a03509a5948, 0x8659d6c1077ab93f}, // MF 5.2
		{0x97db6ee9cbc9dd44, 0x223c8ce66d0ff9f3}, // PAC2002
		{0x16edab476ac8958b, 0x2f087dca8529490c}, // MF 6.1
	},
	"wheelcollider": {
		{0x95b4c9ead140a98e, 0xc4d71bf78b73b241}, // own
		{0x760208729bd48305, 0xe511a3cdf3a53d74}, // brush
		{0x0666f610ba009681, 0x06ccc2af40220572}, // coulomb
		{0x333a41adc089d19c, 0x02e5ca4ec8014359}, // curve
		{0x2e3c1f7beb1bf683, 0x78217d037d17929a}, // dugoff
		{0x683f6c275a0c0027, 0xcb44c344d6277181}, // MF 5.2
		{0xee2c8e16fb4c29ae, 0xae04d4f853a45c54}, // PAC2002
		{0x7f85205b815b2da9, 0x67b0ce195148987f}, // MF 6.1
	},
}
