package rig

import (
	"strings"
	"testing"
)

// What a device calls itself is its maker's, or an attacker's, business.
func TestDevicesNamesStayWithinTheirLine(t *testing.T) {
	const name = "a\nFORGED\x1b[2J"
	for _, text := range []string{
		Heard{Path: "/dev/input/event1", Device: name, Kind: "axis", Name: name, Does: name}.String(),
		plain("gpio", "/dev/gpiochip0", name, "not used").Name,
	} {
		if strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%q", text)
		}
	}
}
