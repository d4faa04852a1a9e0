package frame

import (
	"fmt"
	"math"
)

// FormatTime returns a time [s] as minutes, seconds and that many decimals (0 to 3), such as 1:23.456. An
// unknown time, which is 0 or less, becomes -:--.---.
func FormatTime(seconds float64, decimals int) string {
	const maxSeconds = 5999 // shown with two digits of minutes
	if !(seconds > 0) {
		return "-:--." + "---"[:decimals]
	}
	unit := math.Pow10(decimals)
	n := int64(math.Round(min(seconds, maxSeconds) * unit))
	minute := 60 * int64(unit)
	return fmt.Sprintf("%d:%0*.*f", n/minute, decimals+3, decimals, float64(n%minute)/unit)
}
