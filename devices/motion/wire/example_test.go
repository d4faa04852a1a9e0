package wire_test

import (
	"fmt"

	"rig.example/rig/devices/motion/wire"
)

// Bytes before a packet are counted as noise.
func ExamplePackets() {
	in := wire.Packets{Length: func(head byte) int {
		if head == 0xff {
			return 5
		}
		return 0
	}}
	for _, b := range []byte{0x17, 0xff, 0xff, 0x2a, 0x0a, 0x0d} {
		if packet, ok := in.Feed(b); ok {
			fmt.Printf("% x after %d byte of noise\n", packet, in.Noise)
		}
	}
	// Output: ff ff 2a 0a 0d after 1 byte of noise
}

// A state counts when it was received twice in a row.
func ExampleDebounce() {
	var d wire.Debounce
	fmt.Println(d.Update(3), d.Update(3), d.Update(7), d.Update(3))
	// Output: false true false true
}

func ExampleFaults_String() {
	fmt.Println(wire.FaultTemperature | wire.FaultStop)
	// Output: too hot, emergency stop
}
