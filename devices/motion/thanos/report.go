package thanos

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// reportHead begins the answer to CMD55: the version, the model, then the parameters, each
// followed by a colon.
const reportHead = "data:"

const spikeFilter = 17 // number of the parameter that switches the spike filter: 1 on, 2 off

// placeInReport has, for each parameter number, the place of the parameter in the answer to CMD55,
// counted from the model, 0 if it is unknown. The manual has only an example of the answer, without
// names: the table contains the parameters that can be identified there by their documented defaults.
var placeInReport = [...]int{
	1: 1, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, 15: 11, 16: 12, 17: 13, 22: 16, 23: 17, 18: 18, 19: 19, 20: 20, 21: 21,
	24: 24, 25: 25, 26: 26, 27: 27, 28: 28, 29: 29, 30: 30, 31: 31, 32: 32, 33: 33, 34: 34, 35: 35, 36: 36, 37: 37, 38: 38, 39: 39,
}

// report is the answer to CMD55.
type report struct {
	version, model string
	values         []int // in the order of the answer
}

// parseReport parses the answer to CMD55, or its beginning: the part after the last colon is not
// read.
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
	if number >= len(placeInReport) {
		return 0, false
	}
	place := placeInReport[number]
	if place == 0 || place > len(r.values) {
		return 0, false
	}
	return r.values[place-1], true
}

// findReport parses the newest answer to CMD55 in what a controller sent.
func findReport(received []byte) (report, bool) {
	at := bytes.LastIndex(received, []byte(reportHead))
	if at < 0 {
		return report{}, false
	}
	r, err := parseReport(string(received[at:]))
	return r, err == nil
}
