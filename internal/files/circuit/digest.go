package circuit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// Digest returns a hash, in hex, of what a car can feel and touch of a circuit: its line, ground, surfaces and walls, to the
// millimetre, and where laps and sectors begin. It does not depend on names and paths. Of the ground it has samples across
// the road and beside it.
func Digest(c *road.Circuit) string {
	d := digest{sha256.New()}
	d.add(c.Start, boolNumber(c.Roadless), c.Pit.From, c.Pit.To, c.Pit.Right, c.Pit.Left, c.Pit.Limit)
	d.add(c.Sectors...)
	d.add(boolNumber(c.Closed()), c.Length())
	for _, s := range c.Surfaces() {
		d.add(s.Tire.Grip, s.Tire.Stiffness, s.Tire.Rolling)
	}
	for _, w := range c.Walls {
		d.add(w.From.X, w.From.Y, w.From.Z, w.To.X, w.To.Y, w.To.Z, w.Height, w.Thickness)
	}
	d.addGround(c)
	return hex.EncodeToString(d.hash.Sum(nil))
}

type digest struct{ hash hash.Hash }

// add adds numbers in steps of 1/1000, and how many there are.
func (d digest) add(numbers ...float64) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(numbers)))
	for _, v := range numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(int64(math.Round(v*1e3))))
	}
	d.hash.Write(b)
}

// addGround adds the line's points, and the ground on lines beside it.
func (d digest) addGround(c *road.Circuit) {
	const most, above = 4000, 0.5 // stations, and where each sample starts above the road [m]
	points := c.Points()
	for i := 0; i < len(points); i += 1 + len(points)/most {
		p := &points[i]
		d.add(p.Pos.X, p.Pos.Y, p.Pos.Z, p.Heading, p.Bank, p.Left, p.Right, p.KerbLeft, p.KerbRight)
		for _, side := range [...]float64{-p.Right - 5, -p.Right - 0.3, -p.Right / 2, 0, p.Left / 2, p.Left + 0.3, p.Left + 5} {
			at := c.Touch(r3.Add(p.Offset(side), r3.Vec{Z: above}))
			d.add(at.Point.Z, at.Normal.X, at.Normal.Y, at.Surface.Grip, at.Surface.Stiffness, at.Surface.Rolling, float64(at.AreaNumber))
		}
	}
}

func boolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
