package port_test

import (
	"fmt"

	"rig.example/rig/devices/motion/port"
)

// A pseudo-terminal stands for the serial line to a controller.
func ExampleOpen() {
	controller, path, err := port.OpenPty()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer controller.Close()
	line, err := port.Open(path, 115_200)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer line.Close()
	if _, err := controller.Write([]byte("ready")); err != nil {
		fmt.Println(err)
	}
	buf := make([]byte, 16)
	n, err := line.Read(buf)
	fmt.Printf("%q %v\n", buf[:n], err)
	// Output: "ready" <nil>
}
