package watch

import (
	"strings"
	"testing"
)

// What a device calls itself is its maker's, or an attacker's, business.
func TestNamesOfDevicesStayWithinTheirLine(t *testing.T) {
	const name = "a\nFORGED\x1b[2J"
	text := Event{Path: "/dev/input/event1", Device: name, Kind: "axis", Name: name, Action: name}.String()
	if strings.ContainsAny(text, "\n\x1b") {
		t.Errorf("%q", text)
	}
}
