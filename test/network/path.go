package network

import (
	"math"
	"time"

	"rig.example/rig/internal/kit/splitmix"
)

// Path is what one direction of a rig's line does to packets. The zero value passes each on at once.
type Path struct {
	Delay, Jitter time.Duration // each packet takes Delay ± Jitter, evenly distributed; so packets overtake each other
	Loss          float64       // share of packets that are lost, 0..1
	Double        float64       // share of the others that arrive twice, 0..1
	Seed          uint64        // the same seed loses, doubles and delays the same packets
}

// Bad is a path as far away and as disturbed as a session must bear: 50 ± 20 ms, 2 % lost and 1 % doubled.
func Bad(seed uint64) Path {
	return Path{Delay: 50 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.02, Double: 0.01, Seed: seed}
}

// Copies returns the delay of each copy of packet n that arrives: none if it is lost.
func (p Path) Copies(n uint64) []time.Duration {
	const draws = 4
	random := func(draw uint64) float64 { return float64(splitmix.Mix(p.Seed+n*draws+draw)>>11) / (1 << 53) }
	delay := func(u float64) time.Duration {
		return p.Delay + time.Duration(math.Round((2*u-1)*float64(p.Jitter)))
	}
	if random(0) < p.Loss {
		return nil
	}
	copies := []time.Duration{delay(random(1))}
	if random(2) < p.Double {
		copies = append(copies, delay(random(3)))
	}
	return copies
}

// of returns p for another line or direction: as disturbed, but not in the same packets.
func (p Path) of(line uint64) Path {
	p.Seed = splitmix.Mix(p.Seed + splitmix.Mix(line))
	return p
}
