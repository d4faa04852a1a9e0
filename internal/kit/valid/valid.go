// Package valid checks the values of a configuration against the limits in its struct tags. The input is a
// struct; the output is one error for each fault, which starts with the path of its key, as in
// "wheel.max_torque_nm = 90: must be 0 to 50". It never changes a value; Clamp returns a limited copy.
// The functions are pure.
package valid

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// InRange returns an error if v is outside low to high, NaN or Inf. It is meant for limits that depend on
// other values; constant limits are struct tags, which Struct checks.
func InRange(name string, v, low, high float64) error {
	return Range{{Low: low, High: high}}.check(name, v)
}

// DurationInRange returns an error if d is not low to high. Its message gives all three as a flag takes them.
func DurationInRange(flag string, d, low, high time.Duration) error {
	if d >= low && d <= high {
		return nil
	}
	return fmt.Errorf("%s %s: must be %s to %s", flag, formatDuration(d), formatDuration(low), formatDuration(high))
}

// formatDuration formats d without parts that are 0: 10m, not 10m0s.
func formatDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// OneOf returns an error if v is not one of the known words. The error does not list the empty word.
func OneOf(name, v string, known ...string) error {
	if slices.Contains(known, v) {
		return nil
	}
	words := slices.DeleteFunc(slices.Clone(known), func(word string) bool { return word == "" })
	return fmt.Errorf("%s = %q: must be %s", name, v, joinWithOr(words))
}

// joinWithOr joins alternatives: "a", "a or b", "a, b or c".
func joinWithOr(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// WithPrefix returns err with the name of a table and a dot before each fault, as in "wheel.gain = 9: …". There is
// no dot before a fault that starts with an index, such as "[1].gain".
func WithPrefix(table string, err error) error {
	if err == nil {
		return nil
	}
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if strings.HasPrefix(err.Error(), "[") {
			return fmt.Errorf("%s%w", table, err)
		}
		return fmt.Errorf("%s.%w", table, err)
	}
	var errs []error
	for _, e := range all.Unwrap() {
		errs = append(errs, WithPrefix(table, e))
	}
	return errors.Join(errs...)
}

// Clamp returns v limited to low to high, and 0 for NaN.
func Clamp(v, low, high float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, low), high)
}

// Range is the set of values that a number may have: the alternatives of a range tag.
type Range []Interval

// Interval is one alternative: all numbers from Low to High, or one number that has a meaning of
// its own, such as "off".
type Interval struct {
	Low, High float64
	Meaning   string // meaning of the number, or ""
}

// ParseRange parses a range tag: alternatives with " or " between them. An alternative is an interval such
// as "0.1..0.5", which may lack one end, or a number with an optional meaning, such as "0 (off)".
func ParseRange(tag string) (Range, error) {
	var r Range
	for part := range strings.SplitSeq(tag, " or ") {
		part, meaning, _ := strings.Cut(part, " (")
		low, high, isInterval := strings.Cut(part, "..")
		if !isInterval {
			high = low
		}
		a := Interval{math.Inf(-1), math.Inf(1), strings.TrimSuffix(meaning, ")")}
		var lowErr, highErr error
		if low != "" {
			a.Low, lowErr = strconv.ParseFloat(low, 64)
		}
		if high != "" {
			a.High, highErr = strconv.ParseFloat(high, 64)
		}
		if lowErr != nil || highErr != nil || low+high == "" || !(a.Low <= a.High) {
			return nil, fmt.Errorf("range tag %q: %q must be a number or an interval such as 0..25", tag, part)
		}
		r = append(r, a)
	}
	return r, nil
}

// narrowed returns the alternatives of r within low to high. If none remains, it returns one that has no numbers.
func (r Range) narrowed(low, high float64) Range {
	var n Range
	for _, a := range r {
		a.Low, a.High = max(a.Low, low), min(a.High, high)
		if !(a.Low > a.High) { // also true for NaN
			n = append(n, a)
		}
	}
	if n == nil {
		return Range{{Low: max(r[0].Low, low), High: min(r[len(r)-1].High, high)}}
	}
	return n
}

// check returns an error if v is in none of the alternatives.
func (r Range) check(name string, v float64) error {
	for _, a := range r {
		if v >= a.Low && v <= a.High && !math.IsInf(v, 0) { // false for NaN
			return nil
		}
	}
	separator := " = "
	if strings.HasPrefix(name, "--") { // name is a command-line flag: the message has "--flag value"
		separator = " "
	}
	return fmt.Errorf("%s%s%s: must be %s", name, separator, formatNumber(v), r)
}

// String returns r in words for messages, such as "0 (off) or 20 to 500".
func (r Range) String() string {
	var list []string
	for _, a := range r {
		list = append(list, a.String())
	}
	return joinWithOr(list)
}

func (a Interval) String() string {
	switch {
	case a.Meaning != "":
		return fmt.Sprintf("%s (%s)", formatNumber(a.Low), a.Meaning)
	case a.Low == a.High:
		return formatNumber(a.Low)
	case math.IsInf(a.High, 1):
		return "at least " + formatNumber(a.Low)
	case math.IsInf(a.Low, -1):
		return "at most " + formatNumber(a.High)
	}
	return formatNumber(a.Low) + " to " + formatNumber(a.High)
}

// formatNumber formats v, without an exponent if its absolute value is 1e-4 to 1e7.
func formatNumber(v float64) string {
	if size := math.Abs(v); size >= 1e-4 && size < 1e7 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
