package recording

import (
	"path/filepath"
	"testing"
	"time"
)

// A drive that is killed before its first block is written leaves a recording of no length, and no file that is refused.
func TestTheHeaderIsWrittenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.mcap")
	recorder := newRecorder(t, coupe(t), Options{File: path})
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		var r *Recording
		if r, err = Open(path); err == nil {
			if r.Length() != 0 || r.Whole || r.Header.CarName != "coupe" {
				t.Errorf("%d ticks, whole %v, car %q", r.Length(), r.Whole, r.Header.CarName)
			}
			r.Close()
			break
		}
	}
	if err != nil {
		t.Error(err)
	}
	if err := recorder.Close(nil, ""); err != nil {
		t.Error(err)
	}
}

// Length is exact also where a block ends with a hash, which has the tick after the last one, or some ticks after its last
// sample.
func TestLengthIsExact(t *testing.T) {
	for _, ticks := range []int{500, 1000, 1491, 1500, 1999, 2001} {
		d, path := coupe(t), filepath.Join(t.TempDir(), "a.mcap")
		recorder := newRecorder(t, d, Options{File: path})
		driven(t, recorder, d, 0, ticks, nil)
		if err := recorder.Close(&d.State, ""); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Length() != uint64(ticks) {
			t.Errorf("%d ticks of %d", r.Length(), ticks)
		}
		r.Close()
	}
}
