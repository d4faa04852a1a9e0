package display_test

import (
	"errors"
	"fmt"
	"os"

	"rig.example/rig/display"
)

// A program that can drive without a window asks first whether one can be opened.
func ExampleAvailable() {
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY"} {
		defer os.Setenv(name, os.Getenv(name))
		os.Unsetenv(name)
	}
	err := display.Available()
	fmt.Println(err)
	fmt.Println("drive without a window:", errors.Is(err, display.ErrNoDisplay))
	// Output:
	// display: no DISPLAY or WAYLAND_DISPLAY; log in to a desktop, or run with --headless
	// drive without a window: true
}
