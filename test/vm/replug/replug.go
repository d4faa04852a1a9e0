// Package replug unplugs emulated devices and plugs them in again.
package replug

import (
	"fmt"
	"time"

	"rig.example/rig/test/vm/mono"
)

// Device is an emulated device that can be unplugged.
type Device interface {
	Node() (string, error) // waits for the device's input node and returns its path
	Unplug()
}

// Round is one cycle in which a device was unplugged and plugged in again.
type Round struct {
	Number   int           // from 0
	Node     string        // input node of the device that was plugged in
	NodeTime time.Duration // time from plugging it in until its input node exists
}

// Repeat does n rounds: it unplugs device, waits for the time gap, plugs in the next one by calling plug, waits
// for its node and then for the time stay. If during is not nil, it is called at the end of each round. Repeat
// returns the last device, which the caller must unplug, and the finished rounds.
func Repeat[D Device](n int, device D, stay, gap time.Duration, plug func() (D, error), during func(Round) error) (D, []Round, error) {
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
