//go:build amd64 && !amd64.v3

package cueing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Other targets fuse a multiply and an add, which changes the last bits.

const (
	goldenSeed  = 20
	goldenTicks = 60_000 // of dt
)

// goldenCues are the ways from the car to a pose, and the hash of poses and traces in a wild drive.
var goldenCues = []struct {
	mode, set string
	want      digest
}{
	{Direct, "rig", 0xe42179b2981659c8},
	{Washout, "rig", 0x765ebe76b2a05431},
	{Washout, "open6dofsim", 0x3ca1b9dc31b21240},
	{Washout, "shoarai", 0x20b669f73c038903},
	{Adaptive, "rig", 0x08ab83ae1cac15f6},
}

// goldenPlatforms are the platforms that take those poses, and the hash of legs, scales and the
// poses that are found from legs.
var goldenPlatforms = []struct {
	name   string
	change func(*Geometry)
	span   Span
	want   digest
}{
	{"seat", func(g *Geometry) { *g = everything(kindSeat) }, FullStroke(), 0x766f3f6113c11dab},
	{"seat, plain", func(g *Geometry) { *g = ofKind(kindSeat) }, narrowed(), 0xa7e51c50b14fcc10},
	{"roll-pitch", func(g *Geometry) { *g = everything(kindRollPitch) }, narrowed(), 0x63c6e65fb0fab180},
	{"heave", func(g *Geometry) { *g = everything(kindHeave) }, FullStroke(), 0x150a0b56440b85f6},
	{"heave, single in front", func(g *Geometry) { *g = everything(kindHeave); g.SingleActuatorEnd = "front" }, narrowed(), 0xfa542764c62d0a80},
	{"corners", func(g *Geometry) { *g = everything(kindCorners); g.Stroke = 0.1 }, FullStroke(), 0xac1004c511c7def6},
	{"hexapod", func(g *Geometry) { *g = everything(kindHexapod) }, FullStroke(), 0x346d368f75a4a300},
	{"hexapod, plain", func(g *Geometry) { *g = ofKind(kindHexapod); g.Stroke = 0.25 }, narrowed(), 0x578eb450cbba7e90},
	{"hexapod about the head", func(g *Geometry) {
		*g = everything(kindHexapod)
		g.TurnedAround, g.RotationCenter = true, [3]float64{-0.2, 0, 0.9}
	}, narrowed(), 0xf2c368a27585d333},
	{"rotary", func(g *Geometry) { *g = everything(kindRotary) }, FullStroke(), 0xe94b2b295d69c7db},
	{"rotary, inward", func(g *Geometry) { *g = ofKind(kindRotary); g.CrankSide = "inward" }, narrowed(), 0x303e9ea00f4c544c},
	{"pose", func(g *Geometry) { *g = everything(KindPose); g.TractionLossStroke = 0 }, narrowed(), 0x1c712a54a85389de},
}

// TestGoldenMotion holds every bit of the way from car to legs and back: all modes and kinds of
// platforms, over 60 s of wild inputs each.
func TestGoldenMotion(t *testing.T) {
	drives := make([][]Pose, len(goldenCues))
	for i, g := range goldenCues {
		var got digest
		if drives[i], got = goldenDrive(t, all(t, g.mode, g.set)); got != g.want {
			t.Errorf("%s %s: hash %#016x, want %#016x: the platform moves otherwise than it did; if that is meant, write the new hash here", g.mode, g.set, uint64(got), uint64(g.want))
		}
	}
	for _, g := range goldenPlatforms {
		var geometry Geometry
		g.change(&geometry)
		if got := goldenLegs(newFollower(t, geometry, g.span), drives); got != g.want {
			t.Errorf("%s: hash %#016x, want %#016x: legs move otherwise than they did; if that is meant, write the new hash here", g.name, uint64(got), uint64(g.want))
		}
	}
}

// goldenDrive returns the poses of a wild drive, and their hash with that of the traces. In every
// second second the cue is asked by the state of a car, in the others by inputs.
func goldenDrive(t *testing.T, cfg Config) ([]Pose, digest) {
	c, w, poses, d := made(t, cfg), newWeather(), make([]Pose, goldenTicks), digest(0)
	for tick := range poses {
		if w.dice.IntN(2000) == 0 {
			c.Tune(w.tuning())
		}
		if w.dice.IntN(7000) == 0 {
			c.Reset()
		}
		if in := w.inputs(); tick/1000%2 == 0 {
			poses[tick] = c.Next(&in)
		} else {
			car := carOf(&in)
			poses[tick] = c.Pose(&car)
		}
		tr := c.Trace()
		d.pose(poses[tick])
		d.add(tr.Force[:]...)
		d.add(tr.Rate[:]...)
		d.add(tr.Translation[:]...)
		d.add(tr.Tilt[:]...)
		d.add(tr.Rotation[:]...)
		d.pose(tr.Extra)
		d.add(tr.Gains[:]...)
		d.add(float64(tr.Limits))
		d.bool(c.Fault())
	}
	return poses, d
}

// goldenLegs is the hash of the legs and scales of drives, some of whose poses are far beyond
// the platform or not finite, and of the poses found from these legs now and then.
func goldenLegs(p *follower, drives [][]Pose) (d digest) {
	dice := rand.New(rand.NewPCG(goldenSeed, 2))
	for _, drive := range drives {
		for tick, pose := range drive {
			switch dice.IntN(1000) {
			case 0:
				pose.Heave = math.NaN()
			case 1, 2, 3:
				pose = pose.scaled(1000 * dice.Float64())
			case 4, 5, 6:
				pose = pose.scaled(5)
			}
			legs := p.Legs(pose)
			d.add(legs[:]...)
			d.add(p.Scale())
			if tick%29 != 0 {
				continue
			}
			for i := range legs { // as sensors tell them, and some that no platform can have
				legs[i] += 1e-3 * dice.NormFloat64()
				switch dice.IntN(400) {
				case 0:
					legs[i] = math.NaN()
				case 1, 2, 3:
					legs[i] = 3*dice.Float64() - 1
				}
			}
			got, ok := p.Pose(legs)
			if d.bool(ok); ok {
				d.pose(got)
			}
		}
	}
	return d
}

// weather makes wild inputs: each value follows one that jumps now and then, and is NaN, Inf or
// huge at some ticks.
type weather struct {
	dice    *rand.Rand
	at, to  [15]float64
	gear    int8
	missing int // value that is none
	ticks   int // for which it is
}

func newWeather() *weather { return &weather{dice: rand.New(rand.NewPCG(goldenSeed, 1))} }

func (w *weather) inputs() Inputs {
	size := [len(w.at)]float64{15, 15, 10, 1.5, 1.5, 1.5, 0.5, 0.3, 0.1, 0.1, 0.1, 0.1, 0.6, 40, 0}
	for i := range w.at {
		switch w.dice.IntN(700) {
		case 0:
			w.at[i] = w.to[i]
		case 1, 2, 3:
			w.to[i] = size[i] * (2*w.dice.Float64() - 1)
		}
		w.at[i] += 0.01*(w.to[i]-w.at[i]) + 1e-3*size[i]*w.dice.NormFloat64()
	}
	if w.dice.IntN(500) == 0 {
		w.gear = int8(w.dice.IntN(8) - 1)
	}
	v := w.at
	if w.ticks--; w.ticks < 0 && w.dice.IntN(1500) == 0 {
		w.missing, w.ticks = w.dice.IntN(len(v)-1), w.dice.IntN(60)
	}
	if w.ticks >= 0 {
		v[w.missing] = [...]float64{math.NaN(), math.Inf(1), -1e12, 1e8}[w.ticks%4]
	}
	return Inputs{
		Force: [3]float64{v[0], v[1], gravity + v[2]}, Rate: [3]float64{v[3], v[4], v[5]}, Roll: v[6], Pitch: v[7],
		Travel: [4]float64{v[8], v[9], v[10], v[11]}, RearSlip: v[12], Speed: v[13], Gear: w.gear,
	}
}

func (w *weather) tuning() Tuning {
	t := UnitTuning()
	for _, f := range t.factors() {
		switch w.dice.IntN(6) {
		case 0:
			*f = 0
		case 1, 2:
			*f = 4 * w.dice.Float64()
		case 3:
			*f = math.NaN()
		}
	}
	return t
}

// digest is a hash of all bits that were added to it.
type digest uint64

func (d *digest) add(list ...float64) {
	for _, v := range list {
		*d = (*d ^ digest(math.Float64bits(v))) * 0x9e3779b97f4a7c15
		*d ^= *d >> 29
	}
}

func (d *digest) pose(p Pose) {
	d.add(p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt)
}

func (d *digest) bool(b bool) {
	if b {
		d.add(1)
		return
	}
	d.add(0)
}
