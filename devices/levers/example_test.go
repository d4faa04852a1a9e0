package levers_test

import (
	"fmt"

	"rig.example/rig/devices/levers"
)

// A gate with four slots and none for reverse, whose button is forgotten.
func ExampleShifter() {
	s := levers.DefaultShifter()
	s.Kind, s.Device, s.Gears = "h", "Shifter", []string{"BTN_TRIGGER", "BTN_THUMB", "BTN_THUMB2", "BTN_TOP"}
	s.ReverseGears = []int{4}
	fmt.Println(s.Validate())
	s.ReverseHold = "BTN_BASE"
	fmt.Println(s.Validate())
	// Output:
	// reverse_gears does nothing without reverse_hold; set both
	// <nil>
}
