// Package gamestest makes what other simulators send, for tests and for trials without a game: packets and files of shared
// memory, put together by the offsets of published layouts and not by the code that reads them.
//
// Its inputs are states of a car in words: ahead, to the left, nose up. Its outputs are bytes, a drive that has all that
// moves a platform, and the troubles of a network.
package gamestest

import (
	"encoding/binary"
	"math"
)

// Phase is what a game does.
type Phase uint8

// The phases.
const (
	Live Phase = iota
	Paused
	Menu
	Replay
)

// Car is the state of a game's car. A car of heading 0 looks ahead in the world.
type Car struct {
	N                                   int     // number of the packet
	Time                                float64 // of the game's clock [s]
	Phase                               Phase
	Right, Ahead, Above                 float64    // place in the world [m]
	Speed                               float64    // along the car [m/s]
	AccForward, AccLeft, AccUp          float64    // along the car, without gravity [m/s²]
	Heading, NoseUp, RightDown          float64    // to the left; then up; then about the car's axis [rad]
	LeftRate, NoseUpRate, RightDownRate float64    // about the car's axes [rad/s]
	Slip                                [4]float64 // of the tires, over that of their largest force; front left first
	OnStrip                             [4]bool    // wheels on a rumble strip
	Shaking                             [4]float64 // of the surface below the wheels, 0..1
}

// world returns a vector along the car in the world: to the right, ahead, up.
func (c *Car) world(forward, left, up float64) (right, ahead, above float64) {
	sh, ch := math.Sincos(c.Heading)
	sn, cn := math.Sincos(c.NoseUp)
	sr, cr := math.Sincos(c.RightDown)
	level := cr*up + sr*left
	x := cn*forward - sn*level
	y := cr*left - sr*up
	z := sn*forward + cn*level
	return -(sh*x + ch*y), ch*x - sh*y, z
}

// place returns where a point of the car is in the world.
func (c *Car) place(forward, left, up float64) (right, ahead, above float64) {
	r, a, u := c.world(forward, left, up)
	return c.Right + r, c.Ahead + a, c.Above + u
}

// rpm is different in each packet.
func (c *Car) rpm() float64 { return 3000 + float64(c.N%1000) }

// milliseconds returns the game's clock as most games send it.
func (c *Car) milliseconds() uint32 { return uint32(math.Round(1000 * c.Time)) }

// buffer is filled in by the offsets of a layout, little-endian.
type buffer []byte

func (b buffer) f32(at int, values ...float64) {
	for i, v := range values {
		binary.LittleEndian.PutUint32(b[at+4*i:], math.Float32bits(float32(v)))
	}
}

func (b buffer) f64(at int, values ...float64) {
	for i, v := range values {
		binary.LittleEndian.PutUint64(b[at+8*i:], math.Float64bits(v))
	}
}

func (b buffer) u32(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
