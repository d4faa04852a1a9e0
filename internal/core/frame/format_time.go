package frame

import (
	"math"
	"strconv"
)

// FormatTime returns a time [s] as minutes, seconds and that many decimals (0 to 3), such as 1:23.456. An
// unknown time, which is 0 or less, becomes -:--.---.
func FormatTime(seconds float64, decimals int) string {
	return string(AppendTime(nil, seconds, decimals))
}

// AppendTime appends the text that FormatTime returns.
func AppendTime(to []byte, seconds float64, decimals int) []byte {
	const maxSeconds = 5999 // shown with two digits of minutes
	if !(seconds > 0) {
		return append(append(to, "-:--."...), "---"[:decimals]...)
	}
	unit := math.Pow10(decimals)
	n := int64(math.Round(min(seconds, maxSeconds) * unit))
	minute := 60 * int64(unit)
	to = append(strconv.AppendInt(to, n/minute, 10), ':')
	if n%minute < minute/6 {
		to = append(to, '0')
	}
	return strconv.AppendFloat(to, float64(n%minute)/unit, 'f', decimals, 64)
}

// TimeOrNull returns a pointer to a lap time [s], or nil if it is unknown (0 or less).
func TimeOrNull(t float64) *float64 {
	if t > 0 {
		return &t
	}
	return nil
}
