package analog_test

import (
	"fmt"

	"rig.example/rig/devices/analog"
)

// A potentiometer and a load cell. All axes of a chip share its conversions per second.
func ExampleADCs() {
	list := analog.ADCs{
		{Axis: "throttle", Channel: "0", Rate: 500},
		{Axis: "brake", Channel: "1", Rate: 500},
		{Axis: "clutch", Chip: "hx711", Clock: "gpiochip0:5", Data: "gpiochip0:6"},
	}
	fmt.Println(list.Validate())
	fmt.Println(list.Chips())
	// Output:
	// [1].rate_hz = 500 is too much for 2 axes: the ads1115 at 0x48 on I2C bus 1 converts 860 a second; lower rate_hz of all
	// [[throttle brake] [clutch]]
}
