package wire

import (
	"fmt"
	"strconv"
)

// InRange refuses a value of a configuration that is outside low..high, or not a number.
func InRange(key string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("motion: %s: %s is out of range; %s..%s", key, Plain(v), Plain(low), Plain(high))
}

// Plain writes v without an exponent.
func Plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
