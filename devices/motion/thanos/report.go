package thanos

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// reportHead begins the answer to CMD55: the version, the model, then the
// parameters, each with a colon behind it.
const reportHead = "data:"

const spikeFilter = 17 // the number of the parameter that switches the spike filter: 1 on, 2 off

// places tells where in the answer to CMD55 a parameter is, counted from
// the model; the manual gives the order by an example alone, so only those are
// here whose place their documented defaults give away.
var places = [...]int{
	1: 1, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, 15: 11, 16: 12, 17: 13, 22: 16, 23: 17, 18: 18, 19: 19, 20: 20, 21: 21,
	24: 24, 25: 25, 26: 26, 27: 27, 28: 28, 29: 29, 30: 30, 31: 31, 32: 32, 33: 33, 34: 34, 35: 35, 36: 36, 37: 37, 38: 38, 39: 39,
}

// report is what CMD55 tells.
type report struct {
	version, model string
	values         []int // in the answer's own order
}

// parseReport reads the answer to CMD55, or the beginning of one: what
// has no colon behind it is not read.
func parseReport(text string) (report, error) {
	rest, ok := strings.CutPrefix(text, reportHead)
	if !ok {
		return report{}, fmt.Errorf("motion: thanos: settings begin with %.20q, not with %q", text, reportHead)
	}
	fields := strings.Split(rest, ":")
	fields = fields[:len(fields)-1]
	if len(fields) < 2 {
		return report{}, fmt.Errorf("motion: thanos: settings %.40q have no model", text)
	}
	r := report{version: fields[0], model: fields[1]}
	for i, field := range fields[2:] {
		v, err := strconv.ParseUint(field, 10, 16)
		if err != nil {
			return report{}, fmt.Errorf("motion: thanos: setting %d of %.20q is %.20q, not a number of 0..65535", i+1, r.model, field)
		}
		r.values = append(r.values, int(v))
	}
	return r, nil
}

// value returns a parameter by its number.
func (r report) value(number int) (int, bool) {
	if number >= len(places) {
		return 0, false
	}
	place := places[number]
	if place == 0 || place > len(r.values) {
		return 0, false
	}
	return r.values[place-1], true
}

// findReport reads the newest settings in what a controller said.
func findReport(said []byte) (report, bool) {
	at := bytes.LastIndex(said, []byte(reportHead))
	if at < 0 {
		return report{}, false
	}
	r, err := parseReport(string(said[at:]))
	return r, err == nil
}
