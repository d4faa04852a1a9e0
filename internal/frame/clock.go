package frame

import (
	"fmt"
	"math"
)

// Clock writes a time [s] as minutes, seconds and so many decimals: 1:23.456. A time that
// is not known, 0 or less, is written in dashes.
func Clock(seconds float64, decimals int) string {
	const most = 5999 // [s]: two figures of minutes
	if !(seconds > 0) {
		return "-:--." + "---"[:decimals]
	}
	unit := math.Pow10(decimals)
	n := int64(math.Round(min(seconds, most) * unit))
	minute := 60 * int64(unit)
	return fmt.Sprintf("%d:%0*.*f", n/minute, decimals+3, decimals, float64(n%minute)/unit)
}
