package analog_test

import (
	"fmt"

	"rig.example/rig/devices/analog"
)

// A potentiometer and a load cell. One chip converts so many values a second, and all its axes share them.
func ExampleADCs() {
	list := analog.ADCs{
		{Axis: "throttle", Channel: "0", Rate: 500},
		{Axis: "brake", Channel: "1", Rate: 500},
		{Axis: "clutch", Chip: "hx711", Clock: "gpiochip0:5", Data: "gpiochip0:6"},
	}
	fmt.Println(list.Validate())
	fmt.Println(list.Chips())
	// Output:
	// pedals: adc 2: rate_hz = 500 is too much for 2 axes: the ads1115 at 0x48 on I2C bus 1 converts 860 a second; lower rate_hz of all
	// [[throttle brake] [clutch]]
}
