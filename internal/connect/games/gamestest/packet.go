package gamestest

import "math"

const gravity = 9.80665 // [m/s²]

// beamNG: magic 0, position 4, velocity 16, acceleration 28, up 40, angles 52, rates 64 (motionSim.lua).
func beamNG(c *Car) []byte {
	b := make(buffer, 88)
	copy(b, "BNG1")
	b.f32(4, c.Right, c.Ahead, c.Above)
	r, a, u := c.world(c.Speed, 0, 0)
	b.f32(16, r, a, u)
	b.f32(28, -c.AccLeft, c.AccForward, -c.AccUp)
	r, a, u = c.world(0, 0, 1)
	b.f32(40, r, a, u)
	b.f32(52, c.RightDown, c.NoseUp, -c.Heading)
	b.f32(64, c.RightDownRate, c.NoseUpRate, -c.LeftRate)
	return b
}

// OtherBeamNG is a packet of a version whose pitch has the other sign.
func OtherBeamNG(c *Car) []byte {
	b := buffer(beamNG(c))
	b.f32(56, -c.NoseUp)
	return b
}

// outSim: time 0, heading, pitch, roll 16, acceleration 28, velocity 40, position 52 [1/65536 m].
func outSim(c *Car) []byte {
	b := make(buffer, 64)
	b.u32(0, c.milliseconds())
	b.f32(16, c.Heading, c.NoseUp, c.RightDown)
	r, a, u := c.world(c.AccForward, c.AccLeft, c.AccUp)
	b.f32(28, r, a, u)
	r, a, u = c.world(c.Speed, 0, 0)
	b.f32(40, r, a, u)
	for i, v := range []float64{c.Right, c.Ahead, c.Above} {
		b.u32(52+4*i, uint32(int32(v*65536)))
	}
	return b
}

// outSim2 has a mark and an ID before it, and more behind it.
func outSim2(c *Car) []byte {
	b := make(buffer, 280)
	copy(b, "LFST")
	copy(b[8:], outSim(c))
	return b
}

// forzaSled: on 0, time 4, engine 16, acceleration 20, velocity 32, angular velocity 44, yaw, pitch, roll 56, rumble strips 116,
// surface rumble 148, combined slip 180.
func forzaSled(c *Car) []byte {
	b := make(buffer, 232)
	if c.Phase == Live {
		b.u32(0, 1)
	}
	b.u32(4, c.milliseconds())
	b.f32(16, c.rpm())
	b.f32(20, -c.AccLeft, c.AccUp, c.AccForward)
	b.f32(32, 0, 0, c.Speed)
	b.f32(44, -c.NoseUpRate, -c.LeftRate, -c.RightDownRate)
	b.f32(56, -c.Heading, -c.NoseUp, -c.RightDown)
	for i := range c.Slip {
		if c.OnStrip[i] {
			b.u32(116+4*i, 1)
		}
	}
	b.f32(148, c.Shaking[:]...)
	b.f32(180, -c.Slip[0], c.Slip[1], -c.Slip[2], c.Slip[3])
	return b
}

// forzaHorizon has 12 bytes of its own behind the sled, then the dash: position 244.
func forzaHorizon(c *Car) []byte {
	b := make(buffer, 324)
	copy(b, forzaSled(c))
	b.f32(244, c.Right, c.Above, c.Ahead)
	return b
}

// forzaDash has the dash at once behind the sled.
func forzaDash(length int) func(c *Car) []byte {
	return func(c *Car) []byte {
		h, b := forzaHorizon(c), make(buffer, length)
		copy(b, h[:232])
		copy(b[232:311], h[244:])
		return b
	}
}

// dirt is 66 numbers: time 0, position 4, speed 7, velocity 8, right 11, forward 14, lateral and longitudinal g 34, engine 37.
func dirt(c *Car) []byte {
	b := make(buffer, 264)
	along := func(at int, forward, left, up float64) {
		r, a, u := c.world(forward, left, up)
		b.f32(4*at, r, u, -a)
	}
	b.f32(0, c.Time)
	b.f32(4*4, c.Right, c.Above, -c.Ahead)
	b.f32(4*7, c.Speed)
	along(8, c.Speed, 0, 0)
	along(11, 0, -1, 0)
	along(14, 1, 0, 0)
	b.f32(4*34, c.AccLeft/gravity, c.AccForward/gravity)
	b.f32(4*37, c.rpm()/10)
	return b
}

// wrc: identity 0, time 8, gears 37, position 49, velocity 61, acceleration 73, left 85, forward 97, up 109, engine 193.
func wrc(c *Car) []byte {
	b := make(buffer, 237)
	along := func(at int, forward, left, up float64) {
		r, a, u := c.world(forward, left, up)
		b.f32(at, -r, u, a)
	}
	b.u32(0, uint32(c.N))
	b.f32(8, c.Time)
	copy(b[37:], []byte{3, 0, 9, 5})
	b.f32(49, -c.Right, c.Above, c.Ahead)
	along(61, c.Speed, 0, 0)
	along(73, c.AccForward, c.AccLeft, c.AccUp)
	along(85, 0, 1, 0)
	along(97, 1, 0, 0)
	along(109, 0, 0, 1)
	b.f32(193, c.rpm())
	return b
}

// rbr: steps 0, position 64, roll, pitch, yaw 76, velocities 88, accelerations 112, engine 136.
func rbr(c *Car) []byte {
	const degrees = 180 / math.Pi
	b := make(buffer, 664)
	b.u32(0, uint32(c.N))
	b.f32(64, c.Right, c.Ahead, c.Above)
	b.f32(76, c.RightDown*degrees, c.NoseUp*degrees, c.Heading*degrees)
	b.f32(88, c.Speed, 0, 0, c.RightDownRate*degrees, c.NoseUpRate*degrees, c.LeftRate*degrees)
	b.f32(112, c.AccForward/gravity, -c.AccLeft/gravity, c.AccUp/gravity)
	b.f32(136, c.rpm())
	return b
}
