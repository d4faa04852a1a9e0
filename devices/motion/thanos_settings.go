package motion

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// thanosData begins the answer to CMD55: the version, the model, then the
// parameters, each with a colon behind it.
const thanosData = "data:"

const thanosSpikeFilter = 17 // the number of the parameter that switches the spike filter: 1 on, 2 off

// thanosPlace tells where in the answer to CMD55 a parameter is, counted from
// the model; the manual gives the order by an example alone, so only those are
// here whose place their documented defaults give away.
var thanosPlace = [...]int{
	1: 1, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, 15: 11, 16: 12, 17: 13, 22: 16, 23: 17, 18: 18, 19: 19, 20: 20, 21: 21,
	24: 24, 25: 25, 26: 26, 27: 27, 28: 28, 29: 29, 30: 30, 31: 31, 32: 32, 33: 33, 34: 34, 35: 35, 36: 36, 37: 37, 38: 38, 39: 39,
}

// thanosReport is what CMD55 tells.
type thanosReport struct {
	version, model string
	values         []int // in the answer's own order
}

// parseThanosSettings reads the answer to CMD55, or the beginning of one: what
// has no colon behind it is not read.
func parseThanosSettings(text string) (thanosReport, error) {
	rest, ok := strings.CutPrefix(text, thanosData)
	if !ok {
		return thanosReport{}, fmt.Errorf("motion: thanos: settings begin with %.20q, not with %q", text, thanosData)
	}
	fields := strings.Split(rest, ":")
	fields = fields[:len(fields)-1]
	if len(fields) < 2 {
		return thanosReport{}, fmt.Errorf("motion: thanos: settings %.40q have no model", text)
	}
	r := thanosReport{version: fields[0], model: fields[1]}
	for i, field := range fields[2:] {
		v, err := strconv.ParseUint(field, 10, 16)
		if err != nil {
			return thanosReport{}, fmt.Errorf("motion: thanos: setting %d of %.20q is %.20q, not a number of 0..65535", i+1, r.model, field)
		}
		r.values = append(r.values, int(v))
	}
	return r, nil
}

// value returns a parameter by its number.
func (r thanosReport) value(number int) (int, bool) {
	if number >= len(thanosPlace) {
		return 0, false
	}
	place := thanosPlace[number]
	if place == 0 || place > len(r.values) {
		return 0, false
	}
	return r.values[place-1], true
}

// findThanosSettings reads the newest settings in what a controller said.
func findThanosSettings(said []byte) (thanosReport, bool) {
	at := bytes.LastIndex(said, []byte(thanosData))
	if at < 0 {
		return thanosReport{}, false
	}
	r, err := parseThanosSettings(string(said[at:]))
	return r, err == nil
}
