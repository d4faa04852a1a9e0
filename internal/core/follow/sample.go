// Package follow turns packets of another simulator's car into a smooth motion for the cueing, 1000 times a second.
//
// Its inputs are samples in rig's axes that arrive with jitter, loss and pauses. Its output is what the driver's body
// would feel, delayed by about one and a half intervals of the packets and faded whenever the other simulator stops,
// pauses, jumps or says something that cannot be. It never passes a step, NaN or Inf. It is pure: it reads no clock and
// opens nothing; package games reads the packets.
package follow

import "math"

// Phase is what the other simulator says of itself.
type Phase uint8

// The phases.
const (
	Unknown Phase = iota // the source does not tell
	Live                 // somebody drives
	Paused
	Menu // menu, loading or results
	Replay
)

// Sample is one packet: SI units, axes of ISO 8855 (x forward, y left, z up; roll positive with the right side down,
// pitch with the nose down, yaw to the left). NaN stands for what the source does not tell.
type Sample struct {
	Number  uint64     // grows by one with each packet; the same number again is no new packet; 0 before the first
	Source  uint8      // code of the source; another one begins anew
	Car     uint64     // identifies sender, car and session; another one begins anew
	Version uint64     // identifies the game's version; another one begins anew, and its signs are confirmed anew; 0 if it is not told
	Phase   Phase      //
	Age     float64    // time from its arrival to this tick [s]
	Time    float64    // the source's own clock [s]
	Pos     [3]float64 // [m, world]
	Att     [4]float64 // quaternion body to world: w, x, y, z
	Vel     [3]float64 // [m/s, body]
	Rate    [3]float64 // angular velocity [rad/s, body]
	Acc     [3]float64 // acceleration without gravity [m/s², body]

	RPM, Throttle, Brake, Clutch float64    // [1/min], 0..1
	Steer                        float64    // steering wheel angle [rad], positive left
	Gear                         int8       // -1 reverse, 0 neutral
	Travel                       [4]float64 // compression of the suspensions [m], front left first
	RearSlip                     float64    // slip angle of the rear axle [rad], positive when the rear moves to the left
	Slip                         [4]float64 // size of each tire's slip over that of its largest force; 1 is the limit of grip
	Rumble                       [4]float64 // vibration of the surface below each wheel, 0..1
}

// point is a sample with everything known, at its place in time.
type point struct {
	time float64 // on the clock of the ticks [s]
	pos  [3]float64
	att  [4]float64
	vel  [3]float64
	rate [3]float64
	acc  [3]float64
}

// finite reports whether all values are finite and below limit in size.
func finite(limit float64, values ...float64) bool {
	for _, v := range values {
		if !(math.Abs(v) <= limit) {
			return false
		}
	}
	return true
}
