// Package replug pulls emulated devices out and plugs them in again.
package replug

import (
	"fmt"
	"time"

	"rig.example/rig/test/vm/mono"
)

// Device is one on a bus.
type Device interface {
	Node() (string, error) // waits for its input node
	Unplug()
}

// Round is one time a device was out and came back.
type Round struct {
	Number int           // from 0
	Node   string        // of the device that came back
	Back   time.Duration // from the plug to its node
}

// Times pulls device out and lets plug make the next, n times, and returns the
// last, for the caller to unplug, with each round. Each device is in for the
// stay and out for the gap; if not nil, during is called after each stay.
func Times[D Device](n int, device D, stay, gap time.Duration, plug func() (D, error), during func(Round) error) (D, []Round, error) {
	var rounds []Round
	for i := range n {
		device.Unplug()
		time.Sleep(gap)
		start := mono.Now()
		next, err := plug()
		if err != nil {
			return device, rounds, fmt.Errorf("replug: round %d: %w", i, err)
		}
		device = next
		node, err := device.Node()
		if err != nil {
			return device, rounds, fmt.Errorf("replug: round %d: %w", i, err)
		}
		r := Round{i, node, mono.Now() - start}
		rounds = append(rounds, r)
		time.Sleep(stay)
		if during == nil {
			continue
		}
		if err := during(r); err != nil {
			return device, rounds, fmt.Errorf("replug: round %d: %w", i, err)
		}
	}
	return device, rounds, nil
}
