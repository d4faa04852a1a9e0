package dash

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// stop orders an emergency stop. It needs no token and asks nothing: everybody may stop the rig.
func (s *server) stop(w http.ResponseWriter, r *http.Request) *refusal {
	if !s.stops.allow(s.now()) {
		return &refusal{http.StatusTooManyRequests, fmt.Sprintf("the emergency stop was ordered %d times within this second: it is in force", ordersASecond)}
	}
	if err := s.options.Orders.Stop(); err != nil {
		return &refusal{http.StatusServiceUnavailable, "the emergency stop did not reach the rig: " + printable.Line(err.Error()) + "; press the switch"}
	}
	s.options.Log.Warn("emergency stop ordered by the web page", "address", peerOf(r).String())
	s.counters.add(&s.counters.stops, 1)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// tune orders a share of the configured value of a gain, a filter or a limit.
func (s *server) tune(w http.ResponseWriter, r *http.Request) *refusal {
	if !s.tunes.allow(s.now()) {
		return &refusal{http.StatusTooManyRequests, fmt.Sprintf("more than %d changes within a second: send fewer", ordersASecond)}
	}
	body, err := io.ReadAll(r.Body)
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return tooLarge
	}
	if err != nil {
		return &refusal{http.StatusBadRequest, "the body was cut off: send it again"}
	}
	factor, share, err := parseTune(body)
	if err == nil && !slices.Contains(s.options.Scene.Names.Tuned, factor) {
		err = fmt.Errorf("factor %q: not found; GET /state lists them under tuned", printable.Name(factor))
	}
	if err != nil {
		return &refusal{http.StatusBadRequest, err.Error()}
	}
	if err := s.options.Orders.Tune(factor, share); err != nil {
		return &refusal{http.StatusServiceUnavailable, "the change did not reach the rig: " + printable.Line(err.Error())}
	}
	s.counters.add(&s.counters.tunes, 1)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

var errTune = errors.New(`the body must be {"factor": NAME, "share": 0..1} with each key once`)

// parseTune parses {"factor": "motion_surge", "share": 0.7}. Other keys, keys in other letters or given twice, and
// everything behind the object are errors.
func parseTune(body []byte) (factor string, share float64, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "", 0, errTune
	}
	values := map[string]json.Token{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "", 0, errTune
		}
		value, err := d.Token()
		name, _ := key.(string)
		if _, twice := values[name]; err != nil || twice {
			return "", 0, errTune
		}
		values[name] = value
	}
	if _, err := d.Token(); err != nil {
		return "", 0, errTune
	}
	if _, err := d.Token(); err != io.EOF {
		return "", 0, errTune
	}
	factor, isText := values["factor"].(string)
	number, isNumber := values["share"].(json.Number)
	if !isText || !isNumber || len(values) != 2 {
		return "", 0, errTune
	}
	share, err = parseShare(number.String())
	return factor, share, err
}

// parseShare parses a number from 0 to 1.
func parseShare(text string) (float64, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !valid.Finite(share) || share < 0 || share > 1 {
		return 0, fmt.Errorf("share = %s: must be 0 to 1", printable.Name(text))
	}
	return share + 0, nil // never -0
}
