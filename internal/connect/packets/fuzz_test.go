package packets

import (
	"bytes"
	"math"
	"reflect"
	"testing"
)

// fuzz checks that parse reads or refuses any bytes, and that what it has read can be said in words, and is written as it was
// read.
func fuzz[P any, M interface {
	*P
	Motion() Motion
}](f *testing.F, size int, magic string, parse func([]byte) (P, error)) {
	f.Add(make([]byte, size))
	f.Add(append([]byte(magic), make([]byte, size-len(magic))...))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := parse(b)
		if err != nil {
			return
		}
		m := M(&p).Motion()
		if len(b) != size || m.Gear == "" && !math.IsNaN(m.Speed) {
			t.Errorf("read %d bytes: %+v", len(b), m)
		}
		m.Words()
		again := Append(nil, &p)
		if q, err := parse(again); err != nil || !reflect.DeepEqual(p, q) || !bytes.Equal(again, Append(nil, &q)) {
			t.Errorf("written as % x", again)
		}
	})
}

func FuzzParseOutGauge(f *testing.F) { fuzz(f, 92, "", ParseOutGauge) }
func FuzzParseOutSim(f *testing.F)   { fuzz(f, 280, "LFST", ParseOutSim) }
func FuzzParseForza(f *testing.F)    { fuzz(f, 324, "\x01", ParseForza) }
func FuzzParseBeamNG(f *testing.F)   { fuzz(f, 88, "BNG1", ParseBeamNG) }
func FuzzParseDirt(f *testing.F)     { fuzz(f, 264, "", ParseDirt) }
func FuzzParseSimAPI(f *testing.F)   { fuzz(f, 46044, "", ParseSimAPI) }
