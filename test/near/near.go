// Package near compares floating-point values in tests.
package near

import (
	"math"
	"testing"
)

// Value fails the test unless got differs from want by at most tolerance. NaN always fails.
func Value(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.6g, want %.6g within %.2g", what, got, want, tolerance)
	}
}
