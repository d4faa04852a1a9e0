package hud

import (
	"math"
	"strconv"
	"strings"

	"rig.example/rig/internal/core/frame"
)

// figures returns values in a format of fmt. It knows the verbs f and g with an optional + and a precision of one digit,
// and %%. The text is valid until the next picture.
//
// It is here because a call of fmt.Sprintf allocates, and the texts of a picture must not.
func (c *Canvas) figures(format string, values ...float64) []byte {
	start := len(c.texts)
	c.texts = appendFigures(c.texts, format, values...)
	return c.texts[start:len(c.texts):len(c.texts)]
}

// appendFigures appends values in a format, as figures describes it.
func appendFigures(to []byte, format string, values ...float64) []byte {
	for {
		text, verb, found := strings.Cut(format, "%")
		to = append(to, text...)
		if !found {
			return to
		}
		if verb[0] == '%' {
			to, format = append(to, '%'), verb[1:]
			continue
		}
		if verb[0] == '+' {
			verb = verb[1:]
			if v := values[0]; !math.Signbit(v) && !math.IsInf(v, 1) { // AppendFloat writes +Inf itself
				to = append(to, '+')
			}
		}
		precision := -1
		if verb[0] == '.' {
			precision, verb = int(verb[1]-'0'), verb[2:]
		}
		to = strconv.AppendFloat(to, values[0], verb[0], precision, 64)
		values, format = values[1:], verb[1:]
	}
}

// join returns the concatenation of parts. It is valid until the next picture.
func (c *Canvas) join(parts ...string) []byte {
	start := len(c.texts)
	for _, p := range parts {
		c.texts = append(c.texts, p...)
	}
	return c.texts[start:len(c.texts):len(c.texts)]
}

// time returns a time [s] as frame.FormatTime does. It is valid until the next picture.
func (c *Canvas) time(seconds float64, decimals int) []byte {
	start := len(c.texts)
	c.texts = frame.AppendTime(c.texts, seconds, decimals)
	return c.texts[start:len(c.texts):len(c.texts)]
}

// faults returns the names of the faults whose bits are set. They are valid until the next picture.
func (c *Canvas) faults(names *frame.Names, bits uint64) []byte {
	start := len(c.texts)
	c.texts = names.AppendFaults(c.texts, bits)
	return c.texts[start:len(c.texts):len(c.texts)]
}
