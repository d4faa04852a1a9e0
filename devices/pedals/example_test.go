package pedals_test

import (
	"fmt"

	"rig.example/rig/calib"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/internal/kit/evdev"
)

// Pedals of their own are preferred to those of a wheel, unless the configuration names a device.
func ExampleChoose() {
	z, rz := evdev.Axis{Name: "ABS_Z", Max: 255, Code: evdev.AbsZ}, evdev.Axis{Name: "ABS_RZ", Max: 255, Code: evdev.AbsRZ}
	y := evdev.Axis{Name: "ABS_Y", Max: 255, Code: evdev.AbsY}
	list := []evdev.Info{
		{Path: "/dev/input/event3", Name: "G29 Driving Force", Kind: evdev.KindWheel, Axes: []evdev.Axis{y, z, rz}},
		{Path: "/dev/input/event4", Name: "Load Cell Pedals", Kind: evdev.KindPedals, Axes: []evdev.Axis{y, z, rz}},
	}
	for _, selector := range []string{"", "g29", "handbrake"} {
		info, err := pedals.Choose(list, selector, calib.Store{})
		fmt.Println(info.Name, err)
	}
	// Output:
	// Load Cell Pedals <nil>
	// G29 Driving Force <nil>
	//  pedals: no device matches "handbrake"; plug it in, or choose one that `rig devices` shows
}
