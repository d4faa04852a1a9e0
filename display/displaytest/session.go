package displaytest

import (
	"fmt"
	"math"

	"rig.example/rig/internal/core/frame"
)

// Session returns a session at the third lap of a race of eight, with n other cars along the road of a scene: the first is first meters ahead
// of a station [m], each next one step further, in turn left and right of the middle. A negative step puts them behind each other.
func Session(s *frame.Scene, station, first, step float64, n int) *frame.Others {
	o := &frame.Others{Count: uint64(n), Session: frame.Session{
		Phase: frame.PhaseRacing, Connected: 1, Clock: 512, ToStart: -200, Place: 3, Of: uint64(n) + 1, Laps: 2, LapsLeft: 6, TimeLeft: math.NaN(),
		Ahead: frame.TextOf("Grace Hopper"), GapAhead: 1.24, Behind: frame.TextOf("Ada Lovelace"), GapBehind: 0.83,
	}}
	for i := range n {
		gap := first + step*float64(i)
		o.Cars[i] = carAt(s, station+gap, 1.8-3.6*float64(i%2))
		c := &o.Cars[i]
		c.Slot, c.Gap, c.Place = uint64(i), gap, uint64(i)+1
		if c.Place >= o.Session.Place {
			c.Place++
		}
		c.Name = frame.TextOf(names[i%len(names)])
		if i >= len(names) {
			c.Name = frame.TextOf(fmt.Sprint("driver ", i+1))
		}
	}
	return o
}

var names = []string{"Grace Hopper", "Ada Lovelace", "Alan Turing", "Emmy Noether", "Max Planck", "Lise Meitner"}

// carAt returns a car at a station of a road [m], left of its middle [m], that drives along it at 30 m/s.
func carAt(s *frame.Scene, station, left float64) frame.OtherCar {
	length := s.LapLength
	if length == 0 {
		length = 2 * (OvalStraight + math.Pi*OvalRadius)
	}
	share := math.Mod(station/length+1, 1) * float64(len(s.Points))
	i := int(share)
	p, q := &s.Points[i], &s.Points[(i+1)%len(s.Points)]
	dx, dy, along := q.X-p.X, q.Y-p.Y, share-float64(i)
	yaw := math.Atan2(dy, dx)
	sin, cos := math.Sincos(yaw)
	z := p.Heights[frame.MiddleHeight] + along*(q.Heights[frame.MiddleHeight]-p.Heights[frame.MiddleHeight])
	return frame.OtherCar{
		Pos: [3]float64{p.X + along*dx - left*sin, p.Y + along*dy + left*cos, z + 0.46}, Att: [4]float64{math.Cos(yaw / 2), 0, 0, math.Sin(yaw / 2)},
		Vel: [3]float64{30 * cos, 30 * sin, 0}, Opacity: 1, Length: 4.4, Width: 1.8, Height: 1.3, CGHeight: 0.46, CGToFront: 1.25, Wheelbase: 2.6, WheelRadius: 0.32,
	}
}
