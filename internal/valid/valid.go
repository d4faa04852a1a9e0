// Package valid says what is wrong with a value of a configuration, and brings values into their range (pure).
package valid

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// InRange refuses what is outside low..high, and what is not a number.
func InRange(name string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("%s = %g: allowed is %g to %g", name, v, low, high)
}

// ZeroOr is InRange for a value of which 0 switches something off.
func ZeroOr(name string, v, low, high float64) error {
	if v == 0 {
		return nil
	}
	if err := InRange(name, v, low, high); err != nil {
		return fmt.Errorf("%w, or 0 for off", err)
	}
	return nil
}

// OneOf refuses a word that is not among those known.
func OneOf(name, v string, known ...string) error {
	if slices.Contains(known, v) {
		return nil
	}
	return fmt.Errorf("%s = %q is not known; choose %s", name, v, strings.Join(known, ", "))
}

// Within puts a table's name before each fault of its keys.
func Within(table string, err error) error {
	if err == nil {
		return nil
	}
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s.%w", table, err)
	}
	var errs []error
	for _, e := range all.Unwrap() {
		errs = append(errs, Within(table, e))
	}
	return errors.Join(errs...)
}

// Clamp returns v brought into low..high; NaN counts as 0.
func Clamp(v, low, high float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, low), high)
}
