package packets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// JSON is a line of the format json: all numbers and texts that the object holds, in any order, whatever
// their keys are.
type JSON struct {
	Numbers []float64
	Texts   []string // without keys
}

// ParseJSON reads a line of text that holds one JSON object (RFC 8259) and ends with a line feed.
func ParseJSON(b []byte) (p JSON, err error) {
	line, ok := bytes.CutSuffix(b, []byte("\n"))
	if !ok || bytes.ContainsRune(line, '\n') || len(line) == 0 || line[0] != '{' {
		return p, errors.New("packets: json: must be one object in one line that ends with a line feed")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return p, fmt.Errorf("packets: json: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return p, errors.New("packets: json: there is more behind the object")
	}
	p.collect(object)
	return p, nil
}

// collect adds the numbers and texts in v.
func (p *JSON) collect(v any) {
	switch v := v.(type) {
	case float64:
		p.Numbers = append(p.Numbers, v)
	case string:
		p.Texts = append(p.Texts, v)
	case []any:
		for _, e := range v {
			p.collect(e)
		}
	case map[string]any:
		for _, e := range v {
			p.collect(e)
		}
	}
}

// Has reports whether one of the numbers is v, but for the last of 5 digits.
func (p *JSON) Has(v float64) bool {
	for _, n := range p.Numbers {
		if math.Abs(n-v) <= 1e-5*math.Max(1, math.Abs(v)) {
			return true
		}
	}
	return false
}
