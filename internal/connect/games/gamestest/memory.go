package gamestest

import (
	"errors"
	"math"
	"os"
	"path/filepath"
)

// AssettoSigns are the signs that heading, pitch and roll of Assetto Corsa have, and that of the world's x, 1 for the left.
type AssettoSigns struct{ Heading, Pitch, Roll, World float64 }

// Assetto returns what makes the three pages of Assetto Corsa: acceleration 44, slip 56, angles 208, rates 296, contact points 420,
// velocity 568.
func Assetto(signs AssettoSigns) func(c *Car) map[string][]byte {
	return func(c *Car) map[string][]byte {
		p, graphics, static := make(buffer, 800), make(buffer, 0x1000), make(buffer, 0x1000)
		p.u32(0, uint32(c.N))
		p.u32(16, 4)
		p.u32(20, uint32(c.rpm()))
		p.f32(44, c.AccLeft/gravity, c.AccUp/gravity, c.AccForward/gravity)
		p.f32(56, c.Slip[:]...)
		p.f32(208, signs.Heading*c.Heading, signs.Pitch*c.NoseUp, signs.Roll*c.RightDown)
		p.f32(296, -c.NoseUpRate, c.LeftRate, c.RightDownRate)
		for i, at := range [4][2]float64{{1.3, 0.8}, {1.3, -0.8}, {-1.3, 0.8}, {-1.3, -0.8}} {
			r, a, u := c.place(at[0], at[1], 0)
			p.f32(420+12*i, -r*signs.World, u, a)
		}
		p.f32(568, 0, 0, c.Speed)
		graphics.u32(4, map[Phase]uint32{Live: 2, Paused: 3, Menu: 0, Replay: 1}[c.Phase])
		copy(static, "1\x00.\x007\x00")
		copy(static[30:], "1\x00.\x001\x006\x00")
		return map[string][]byte{"acpmf_physics": p, "acpmf_graphics": graphics, "acpmf_static": static}
	}
}

// evo is Assetto Corsa EVO, without the page that has another layout.
func evo(c *Car) map[string][]byte {
	files := Assetto(AssettoSigns{1, -1, 1, -1})(c)
	return map[string][]byte{"acevo_pmf_physics": files["acpmf_physics"], "acevo_pmf_graphics": files["acpmf_graphics"]}
}

// isiCar is TelemInfoV01: ID 0, time 12, names 32, position 160, velocity 184, acceleration 208, matrix 232, rotation 304, engine 356,
// wheels of 260 bytes 848, whose surface is 176.
func isiCar(b buffer, c *Car, id int) {
	b.u32(0, uint32(id))
	b.f64(12, c.Time)
	copy(b[32:], "coupe")
	b.f64(160, -c.Right, c.Above, -c.Ahead)
	b.f64(184, 0, 0, -c.Speed)
	b.f64(208, c.AccLeft, c.AccUp, -c.AccForward)
	for column, axis := range [3][3]float64{{0, 1, 0}, {0, 0, 1}, {-1, 0, 0}} {
		r, a, u := c.world(axis[0], axis[1], axis[2])
		for row, v := range []float64{-r, u, -a} {
			b.f64(232+24*row+8*column, v)
		}
	}
	b.f64(304, c.NoseUpRate, -c.LeftRate, c.RightDownRate)
	b.f64(356, c.rpm())
	for i, isOn := range c.OnStrip {
		if isOn {
			b[848+260*i+176] = 5
		}
	}
}

// isiScoring has two cars, of which the second one, ID 9, is the player's: number of cars 104, phase 108, in the car 115.
func isiScoring(session, scores buffer, c *Car) {
	session.u32(104, 2)
	session[108], session[115] = 5, 1
	scores.u32(0, 7)
	scores[197] = 1
	player := scores[584:]
	player.u32(0, 9)
	player[196] = 1
	switch c.Phase {
	case Paused:
		session[108] = 9
	case Menu:
		session[115] = 0
	case Replay:
		player[197] = 3
	}
}

func rf2(c *Car) map[string][]byte {
	telemetry, scoring := make(buffer, 16+64*1888), make(buffer, 560+64*584)
	for _, b := range []buffer{telemetry, scoring} {
		b.u32(0, uint32(c.N))
		b.u32(4, uint32(c.N))
	}
	telemetry.u32(12, 2)
	isiCar(telemetry[16:], &Car{N: c.N, Speed: 50}, 7)
	isiCar(telemetry[16+1888:], c, 9)
	isiScoring(scoring[12:], scoring[560:], c)
	return map[string][]byte{"$rFactor2SMMP_Telemetry$": telemetry, "$rFactor2SMMP_Scoring$": scoring}
}

// lmu: version 64, session 1632, scores 2192, number of cars, index of the player's and whether there is one 128464, cars 128468.
func lmu(c *Car) map[string][]byte {
	b := make(buffer, 324820)
	b.u32(64, 1200)
	isiScoring(b[1632:], b[2192:], c)
	b[128464], b[128465] = 2, 1
	if c.Phase != Menu {
		b[128466] = 1
	}
	isiCar(b[128468+1888:], c, 9)
	return map[string][]byte{"LMU_Data": b}
}

// scs: active 0, paused 4, clocks 8 and 16, versions 40, engine 952, velocity 1868, rate 1880, acceleration 1892, position 2200,
// angles 2224, name 2428.
func scs(c *Car) map[string][]byte {
	const turn = 2 * math.Pi
	b := make(buffer, 32768)
	b[0] = 1
	switch c.Phase {
	case Paused:
		b[4] = 1
	case Menu:
		b[0] = 0
	}
	b.u32(8, 1000*c.milliseconds()+uint32(c.N%1000))
	b.u32(16, 1000*c.milliseconds())
	for i, v := range []uint32{12, 1, 50, 1} {
		b.u32(40+4*i, v)
	}
	b.f32(952, c.rpm())
	b.f32(1868, 0, 0, -c.Speed)
	b.f32(1880, c.NoseUpRate/turn, c.LeftRate/turn, -c.RightDownRate/turn)
	b.f32(1892, -c.AccLeft, c.AccUp, -c.AccForward)
	b.f64(2200, c.Right, c.Above, -c.Ahead)
	b.f64(2224, c.Heading/turn, c.NoseUp/turn, -c.RightDown/turn)
	copy(b[2428:], "truck")
	return map[string][]byte{"SCS/SCSTelemetry": b}
}

// Write writes files of shared memory into a folder, as a bridge does: no file is ever shorter than it must be.
func Write(folder string, files map[string][]byte) error {
	for name, b := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(b, 0)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
