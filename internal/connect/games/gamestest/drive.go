package gamestest

import (
	"math"
	"math/rand/v2"
)

// Drive is a drive that moves every axis of a platform: the car weaves at about 20 m/s over hills, brakes and accelerates, leans
// outwards, and runs over the rumble strip outside of the left bends. All of its quantities belong together: places and angles are the integrals of speeds and rates.
type Drive struct {
	Car
	since float64 // time driven [s]
}

const (
	driveStep = 1e-3 // [s]
	lean      = 0.01 // to the outside [rad/(m/s²)]
	grip      = 9.0  // acceleration at which the tires slide [m/s²]
)

// Advance drives on for a time [s], unless the game is paused or in a menu.
func (d *Drive) Advance(time float64) {
	for range int(math.Round(time / driveStep)) {
		if d.Phase == Live || d.Phase == Replay {
			d.step()
		}
	}
}

func (d *Drive) step() {
	const weave, gas, hill = 1.2, 0.5, 0.7 // [rad/s]
	t := d.since
	if t == 0 {
		d.Speed = 20
	}
	r, a, u := d.world(d.Speed, 0, 0)
	d.Right, d.Ahead, d.Above = d.Right+driveStep*r, d.Ahead+driveStep*a, d.Above+driveStep*u
	d.AccForward = 2 * math.Sin(gas*t)
	d.Speed += driveStep * d.AccForward
	turn := 0.2 * math.Sin(weave*t) // about the vertical [rad/s]
	d.Heading += driveStep * turn
	d.NoseUp = 0.06 * math.Sin(hill*t)
	noseUpRate := 0.06 * hill * math.Cos(hill*t)
	d.AccLeft = d.Speed * turn
	d.RightDown = lean * d.AccLeft
	d.RightDownRate = lean * d.Speed * 0.2 * weave * math.Cos(weave*t)
	d.LeftRate, d.NoseUpRate, d.AccUp = turn, noseUpRate, d.Speed*noseUpRate
	for i := range d.Slip {
		d.Slip[i] = math.Hypot(d.AccForward, d.AccLeft) / grip
		d.OnStrip[i] = i%2 == 1 && d.AccLeft > 3
	}
	d.since += driveStep
	d.Time += driveStep
}

// Teleport puts the car elsewhere, as a reset does.
func (d *Drive) Teleport() {
	d.Right, d.Ahead, d.Heading = d.Right+300, d.Ahead-100, d.Heading+2
}

// Network is what happens to packets on their way. All chances are shares, 0..1.
type Network struct {
	Jitter  float64 // largest delay [s]
	Loss    float64
	Double  float64 // packets that come twice
	Reorder float64 // packets that the next one overtakes
	rand    *rand.Rand
}

// Delays returns after which times a packet arrives [s]: none if it is lost. interval is the time between packets.
func (n *Network) Delays(interval float64) []float64 {
	if n.rand == nil {
		n.rand = rand.New(rand.NewPCG(1, 2))
	}
	delay := n.rand.Float64() * n.Jitter
	switch p := n.rand.Float64(); {
	case p < n.Loss:
		return nil
	case p < n.Loss+n.Double:
		return []float64{delay, delay + interval/4}
	case p < n.Loss+n.Double+n.Reorder:
		return []float64{delay + 1.2*interval}
	}
	return []float64{delay}
}
