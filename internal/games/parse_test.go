package games

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"rig.example/rig/internal/follow"
)

// car is what a fixture's car does, by the directions' names.
type car struct {
	forward, left, up float64 // acceleration in the car [m/s²]
	noseUp, rightDown float64 // [rad]
	leftRate          float64 // [rad/s]
	heading           float64 // to the left [rad]
	speed             float64 // [m/s]
}

// bytes are a packet that a test fills in by the offsets of the layout.
type bytes []byte

func (b bytes) f32(at int, values ...float64) {
	for i, v := range values {
		binary.LittleEndian.PutUint32(b[at+4*i:], math.Float32bits(float32(v)))
	}
}

func (b bytes) u32(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }

// world returns vectors of the car in the world: to the right of heading 0, ahead, up.
func (c car) world(forward, left, up float64) (right, ahead, above float64) {
	sh, ch := math.Sincos(c.heading)
	sn, cn := math.Sincos(c.noseUp)
	sr, cr := math.Sincos(c.rightDown)
	// level axes of the car, then nose up, then right side down
	level := cr*up + sr*left
	x := cn*forward - sn*level
	y := cr*left - sr*up
	z := sn*forward + cn*level
	return -(sh*x + ch*y), ch*x - sh*y, z
}

// beamNG makes a packet by the offsets of motionSim.lua: magic 0, position 4, velocity 16, acceleration 28, up 40, angles 52, rates 64.
func beamNG(c car, n int) []byte {
	b := make(bytes, 88)
	copy(b, "BNG1")
	t := float64(n) / 100
	r, a, u := c.world(c.speed, 0, 0)
	b.f32(4, r*t, a*t, u*t)
	b.f32(16, r, a, u)
	b.f32(28, -c.left, c.forward, -c.up)
	r, a, u = c.world(0, 0, 1)
	b.f32(40, r, a, u)
	b.f32(52, c.rightDown, c.noseUp, -c.heading)
	b.f32(64, 0, 0, -c.leftRate)
	return b
}

// outSimMain makes the 64 bytes of OutSim: time 0, angular velocity 4, heading, pitch, roll 16, acceleration 28, velocity 40, position 52.
func outSimMain(c car, n int) []byte {
	b := make(bytes, 64)
	t := float64(n) / 100
	b.u32(0, uint32(10*n))
	b.f32(16, c.heading, c.noseUp, c.rightDown)
	r, a, u := c.world(c.forward, c.left, c.up)
	b.f32(28, r, a, u)
	r, a, u = c.world(c.speed, 0, 0)
	b.f32(40, r, a, u)
	for i, v := range []float64{r, a, u} {
		b.u32(52+4*i, uint32(int32(v*t*65536)))
	}
	return b
}

func outSim2(c car, n int) []byte {
	b := make(bytes, 280)
	copy(b, "LFST")
	copy(b[8:], outSimMain(c, n))
	return b
}

// forzaSled makes the 232 bytes of the sled: on 0, time 4, acceleration 20, velocity 32, angular velocity 44, yaw, pitch, roll 56.
func forzaSled(c car, n int) []byte {
	b := make(bytes, 232)
	b.u32(0, 1)
	b.u32(4, uint32(10*n))
	b.f32(16, 3000+float64(n))
	b.f32(20, -c.left, c.up, c.forward)
	b.f32(32, 0, 0, c.speed)
	b.f32(44, 0, -c.leftRate, 0)
	b.f32(56, -c.heading, -c.noseUp, -c.rightDown)
	return b
}

// forzaHorizon adds Horizon's 12 bytes and the dash: position at 244.
func forzaHorizon(c car, n int) []byte {
	b := make(bytes, 324)
	copy(b, forzaSled(c, n))
	r, a, u := c.world(c.speed, 0, 0)
	t := float64(n) / 100
	b.f32(244, r*t, u*t, a*t)
	return b
}

// forzaDash has the dash at once behind the sled.
func forzaDash(length int) func(c car, n int) []byte {
	return func(c car, n int) []byte {
		h := forzaHorizon(c, n)
		b := make(bytes, length)
		copy(b, h[:232])
		copy(b[232:311], h[244:])
		return b
	}
}

// dirt makes 66 numbers: time 0, position 4, speed 7, velocity 8, right 11, forward 14, lateral and longitudinal g 34 and 35.
func dirt(c car, n int) []byte {
	b := make(bytes, 264)
	t := float64(n) / 100
	put := func(at int, forward, left, up float64, factor float64) {
		r, a, u := c.world(forward, left, up)
		b.f32(4*at, r*factor, u*factor, -a*factor)
	}
	b.f32(0, t)
	put(4, c.speed, 0, 0, t)
	b.f32(28, c.speed)
	put(8, c.speed, 0, 0, 1)
	put(11, 0, -1, 0, 1)
	put(14, 1, 0, 0, 1)
	b.f32(4*34, c.left/9.80665, c.forward/9.80665)
	b.f32(4*37, 300+float64(n)/10)
	return b
}

// fixture makes packets of a game.
type fixture struct {
	name, source string
	packet       func(c car, n int) []byte
}

var fixtures = []fixture{
	{"BeamNG", "beamng", beamNG}, {"OutSim", "outsim", outSimMain}, {"OutSim2", "outsim", outSim2},
	{"Forza's sled", "forza", forzaSled}, {"Forza Horizon", "forza", forzaHorizon}, {"Forza Motorsport 7", "forza", forzaDash(311)},
	{"Forza Motorsport", "forza", forzaDash(331)}, {"DiRT", "dirt", dirt},
}

// What a car does in a game is said in the same words when its packets are followed.
func TestEachGameSaysInWordsWhatItsCarDoes(t *testing.T) {
	for _, tt := range []struct {
		word string
		car  car
	}{
		{"accelerating", car{forward: 3, speed: 20}},
		{"braking", car{forward: -6, speed: 20}},
		{"left turn", car{left: 5, speed: 20}},
		{"right turn", car{left: -5, speed: 20}},
		{"nose up", car{noseUp: 0.1, speed: 20}},
		{"nose down", car{noseUp: -0.1, speed: 20}},
		{"right side down", car{rightDown: 0.1, speed: 20, heading: 2}},
		{"left side down", car{rightDown: -0.1, speed: 20, heading: -2}},
		{"reversing", car{speed: -5}},
		{"standing", car{}},
	} {
		for _, f := range fixtures {
			f.packetsOf(t, tt.car, tt.word)
		}
	}
}

// packetsOf follows packets of a car for 4 s, and checks the words.
func (f *fixture) packetsOf(t *testing.T, c car, word string) {
	t.Helper()
	follower := follow.New(follow.Config{}, 1e-3)
	var state follow.State
	var s follow.Sample
	var m follow.Motion
	for tick := range 4000 {
		if tick%10 == 0 {
			n := tick/10 + 1
			next, err := parse(f.packet(c, n))
			if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			if Name(uint64(next.Source)) != f.source {
				t.Fatalf("%s: source %d", f.name, next.Source)
			}
			next.Number = uint64(n)
			next.RPM = float64(n) // a car that stands still sends the same again and again
			s = next
		}
		m = follower.Step(&state, &s)
	}
	if words := m.Words(); !slices.Contains(words, word) || len(words) > 2 || m.Share != 1 {
		t.Errorf("%s: %q, want %q; %+v", f.name, words, word, m)
	}
}

// A left turn as it is driven: heading, positions and velocities turn together, so that nothing counts as a jump.
func TestADrivenTurnIsNoJump(t *testing.T) {
	const rate, speed = 0.5, 20.0
	for _, f := range fixtures {
		if f.name == "Forza's sled" {
			continue
		}
		follower := follow.New(follow.Config{}, 1e-3)
		var state follow.State
		var s follow.Sample
		var m follow.Motion
		for tick := range 6000 {
			if tick%10 == 0 {
				n := tick/10 + 1
				heading := rate * float64(n) / 100
				b := f.packet(car{left: rate * speed, leftRate: rate, heading: heading, speed: speed}, n)
				next, err := parse(b)
				if err != nil {
					t.Fatal(err)
				}
				r := speed / rate // positions of a circle instead of the fixture's straight line
				next.Pos = [3]float64{r * math.Sin(heading), r * (1 - math.Cos(heading)), 0}
				next.Number = uint64(n)
				s = next
			}
			m = follower.Step(&state, &s)
		}
		if m.Status != follow.Ready || math.Abs(m.Rate[2]-rate) > 0.02 || math.Abs(m.SpecificForce[1]-rate*speed) > 0.3 {
			t.Errorf("%s: %v, rate %g, force %v", f.name, m.Status, m.Rate[2], m.SpecificForce)
		}
	}
}

// A version of BeamNG with other signs, packets of dashes and garbage are refused with the reason.
func TestRefusedPackets(t *testing.T) {
	turned := bytes(beamNG(car{noseUp: 0.1, speed: 20}, 1))
	turned.f32(56, -0.1)
	for name, b := range map[string][]byte{"other signs": turned, "OutGauge": make([]byte, 92), "OutGauge with an ID": make([]byte, 96), "nothing": nil, "garbage": []byte("hello"), "BeamNG without its magic": make([]byte, 88)} {
		if s, err := parse(b); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
	off := bytes(forzaSled(car{speed: 20}, 1))
	off.u32(0, 0)
	if s, err := parse(off); err != nil || s.Phase != follow.Menu {
		t.Errorf("a menu of Forza: phase %v, %v", s.Phase, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, x := range fixtures {
		f.Add(x.packet(car{forward: 1, speed: 20}, 5))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parse(b)
		if err == nil && (s.Source == 0 || int(s.Source) > len(Sources)) {
			t.Errorf("source %d", s.Source)
		}
		var state follow.State
		s.Number = 1
		follow.New(follow.Config{}, 1e-3).Step(&state, &s)
	})
}
