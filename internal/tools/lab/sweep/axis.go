package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/splitmix"
	"rig.example/rig/internal/kit/valid"
)

// SpeedKey is the key of an axis that varies the manoeuvre's speed [km/h]. Every other key is one of a car's file.
const SpeedKey = "speed"

// Axis is a quantity that a sweep varies: a list of values, or a range for random ones.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values,omitempty"` // as in a car's file; empty for a range
	From   float64  `json:"from,omitempty"`
	To     float64  `json:"to,omitempty"`
}

// maxValues is the highest number of values of an axis.
const maxValues = 10_000

// ParseAxis parses KEY=FROM..TO:N, KEY=A,B,C or, for random points, KEY=FROM..TO.
func ParseAxis(text string, random bool) (Axis, error) {
	key, values, ok := strings.Cut(text, "=")
	a := Axis{Key: strings.TrimSpace(key)}
	if !ok || a.Key == "" || strings.ContainsAny(text, "[]{}\"'\n\r") {
		return a, errors.New("write KEY=FROM..TO:N or KEY=A,B,C, such as mass_kg=1200..1500:4; lists and texts in quotes cannot be swept")
	}
	var err error
	if from, to, hasDots := strings.Cut(values, ".."); hasDots && isNumber(from) {
		err = a.setRange(from, to, random)
	} else {
		err = a.setList(values)
	}
	return a, err
}

// setList sets the values to those of a list with commas.
func (a *Axis) setList(text string) error {
	for v := range strings.SplitSeq(text, ",") {
		if v = strings.TrimSpace(v); v == "" || slices.Contains(a.Values, v) {
			return fmt.Errorf("%q is empty or occurs twice; write different values with commas between", v)
		}
		a.Values = append(a.Values, v)
	}
	if len(a.Values) > maxValues {
		return fmt.Errorf("%d values: must be at most %d", len(a.Values), maxValues)
	}
	return nil
}

// setRange sets the range of random values, or else N values at equal distances, both ends included.
func (a *Axis) setRange(from, to string, random bool) (err error) {
	to, count, hasCount := strings.Cut(to, ":")
	if a.From, err = number(from); err == nil {
		a.To, err = number(to)
	}
	switch {
	case err != nil:
		return err
	case a.From == a.To:
		return fmt.Errorf("the range from %g to %g has one value only", a.From, a.To)
	case random && hasCount:
		return fmt.Errorf("--random takes its values from the whole range; leave :%s out", count)
	case random:
		return nil
	case !hasCount:
		return errors.New("say how many values, as in 10..20:5; or give --random N")
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 2 || n > maxValues {
		return fmt.Errorf("%q values: must be a whole number from 2 to %d", count, maxValues)
	}
	for i := range n {
		a.Values = append(a.Values, plain(a.From+(a.To-a.From)*float64(i)/float64(n-1)))
	}
	a.From, a.To = 0, 0
	return nil
}

// isNumber reports whether a text is a number, of whatever size: ../a.tir begins no range.
func isNumber(text string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// number parses an end of a range.
func number(text string) (float64, error) {
	const largest = 1e15
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(math.Abs(v) <= largest) {
		return 0, fmt.Errorf("%q: must be a number from %g to %g", text, -largest, largest)
	}
	return v + 0, nil
}

// plain returns a number with twelve digits at most, so that a range from 0.1 to 0.3 has 0.2 in its middle. The
// text has the exact number that is driven.
func plain(v float64) string {
	const digits = 12
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return printable.Plain(rounded + 0)
}

// random returns the value number n of the generator's sequence: of the list, or uniform in the range.
func (a *Axis) random(seed, n uint64) string {
	const step = 0x9e3779b97f4a7c15 // by which the state of SplitMix64 grows
	bits := splitmix.Mix(splitmix.Mix(seed) + n*step)
	if len(a.Values) > 0 {
		return a.Values[bits%uint64(len(a.Values))]
	}
	const digits = 6 // of the range
	grain := math.Pow(10, math.Floor(math.Log10(math.Abs(a.To-a.From)))-digits)
	share := float64(bits>>11) / (1 << 53)
	v := math.Round((a.From+share*(a.To-a.From))/grain) * grain
	return plain(max(min(a.From, a.To), min(max(a.From, a.To), v)))
}

// isText reports whether a value of the axis is a text, not a number.
func (a *Axis) isText(value string) bool {
	_, err := strconv.ParseFloat(value, 64)
	return err != nil
}

// String returns the axis for a title.
func (a *Axis) String() string {
	switch n := len(a.Values); {
	case n == 0:
		return fmt.Sprintf("%s from %g to %g", a.Key, a.From, a.To)
	case n <= 3:
		return a.Key + " " + strings.Join(a.Values, ", ")
	default:
		return fmt.Sprintf("%s %s to %s (%d)", a.Key, a.Values[0], a.Values[n-1], n)
	}
}

// check returns an error unless every value may be tried.
func (a *Axis) check() error {
	if a.Key != SpeedKey {
		return config.CheckCarKey(a.Key)
	}
	speeds := a.Values
	if len(speeds) == 0 {
		speeds = []string{plain(a.From), plain(a.To)}
	}
	for _, text := range speeds {
		v, err := strconv.ParseFloat(text, 64)
		if err == nil {
			err = valid.InRange("speed [km/h]", v, 0.1, 500)
		}
		if err != nil {
			return fmt.Errorf("%q km/h: must be a number from 0.1 to 500", text)
		}
	}
	return nil
}
