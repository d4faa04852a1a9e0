package check

import (
	"strings"
	"testing"
)

// What a device calls itself is its maker's, or an attacker's, business.
func TestDevicesNamesStayWithinTheirLine(t *testing.T) {
	const name = "a\nFORGED\x1b[2J"
	if text := otherDevice("gpio", "/dev/gpiochip0", name, "not used").Name; strings.ContainsAny(text, "\n\x1b") {
		t.Errorf("%q", text)
	}
}
