package printable

import (
	"strconv"
	"strings"
)

// Plain formats a number with all its digits and without an exponent.
func Plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Minus replaces the hyphen at the start of a formatted number by a minus sign.
func Minus(number string) string {
	if digits, ok := strings.CutPrefix(number, "-"); ok {
		return "−" + digits
	}
	return number
}
