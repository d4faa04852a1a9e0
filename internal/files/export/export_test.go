package export_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/export"
)

type writer struct {
	name  string
	write func(io.Writer, *drivelog.Log) error
}

var writers = []writer{
	{"csv", export.CSV}, {"ld", export.MoTeC}, {"ldx", export.MoTeCLaps}, {"mdf4", export.MDF4},
}

func TestSizesOfFiles(t *testing.T) {
	for i, want := range []int{1028, 12512, 831, 3576} {
		if got := len(written(t, writers[i].write, lap())); got != want {
			t.Errorf("%s has %d bytes, want %d", writers[i].name, got, want)
		}
	}
}

// channels returns n channels that share the same samples.
func channels(n, samples int) (list []drivelog.Channel) {
	values := make([]float64, samples)
	for i := range n {
		list = append(list, drivelog.Channel{Name: fmt.Sprint("c", i), Values: values})
	}
	return list
}

func TestLogsThatCannotBeWritten(t *testing.T) {
	all, ld := "csv ld ldx mdf4", "ld"
	for _, tt := range []struct {
		name, refusedBy string
		log             drivelog.Log
		want            string
	}{
		{"no channels", all, drivelog.Log{Rate: 1}, "no samples"},
		{"no samples", all, drivelog.Log{Rate: 1, Channels: channels(2, 0)}, "no samples"},
		{"rate 0", all, drivelog.Log{Channels: channels(1, 1)}, "rate is 0 Hz"},
		{"rate NaN", all, drivelog.Log{Rate: math.NaN(), Channels: channels(1, 1)}, "rate is NaN Hz"},
		{"rate Inf", all, drivelog.Log{Rate: math.Inf(1), Channels: channels(1, 1)}, "rate is +Inf Hz"},
		{"start NaN", all, drivelog.Log{Rate: 1, Start: math.NaN(), Channels: channels(1, 1)}, "starts at NaN"},
		{"another length", all, drivelog.Log{Rate: 1, Channels: append(channels(1, 3), channels(1, 2)...)}, "channel c0 has 2 samples and c0 has 3"},
		{"rate too high", ld, drivelog.Log{Rate: 65536, Channels: channels(1, 1)}, "rate is 65536 Hz"},
		{"rate not whole", ld, drivelog.Log{Rate: 16.5, Channels: channels(1, 1)}, "rate is 16.5 Hz"},
		{"too many channels", ld, drivelog.Log{Rate: 1, Channels: channels(53536, 1)}, "53536 channels"},
		{"too large", ld, drivelog.Log{Rate: 1, Channels: channels(1100, 1<<20)}, "4.3 GiB"},
	} {
		for _, w := range writers {
			if !strings.Contains(" "+tt.refusedBy+" ", " "+w.name+" ") {
				continue
			}
			var b bytes.Buffer
			err := w.write(&b, &tt.log)
			if err == nil || !strings.HasPrefix(err.Error(), "export: ") || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, %s: error %v, want %q", tt.name, w.name, err, tt.want)
			}
			if b.Len() != 0 {
				t.Errorf("%s, %s: %d bytes were written", tt.name, w.name, b.Len())
			}
		}
	}
}

// full is a disk with room for a number of bytes.
type full int

var errFull = errors.New("disk is full")

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), int(*f))
	*f -= full(n)
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	for _, w := range writers {
		for _, room := range []full{0, 100, 500} {
			if err := w.write(&room, lap()); !errors.Is(err, errFull) {
				t.Errorf("%s: error %v", w.name, err)
			}
		}
	}
}

func TestWritersRepeat(t *testing.T) {
	for _, w := range writers {
		if !bytes.Equal(written(t, w.write, lap()), written(t, w.write, lap())) {
			t.Errorf("%s: the same log makes different bytes", w.name)
		}
	}
}

func FuzzWriters(f *testing.F) {
	f.Add("speed", "Ground Speed", "m/s", "about", 2, 50.0, 0.0, 1.0, int64(1))
	f.Add("\x00\xff", "\n\"", "·°", "]]><", -5, 1.0, -1e300, math.NaN(), int64(-1))
	f.Add(strings.Repeat("ä", 40), "", "°C", "\x1b", 1000, 1e-300, 1e300, math.Inf(1), int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, name, motec, unit, about string, decimals int, rate, start, value float64, began int64) {
		log := &drivelog.Log{
			Car: name, Track: about, Rate: rate, Start: start, Began: time.Unix(began, 0),
			Channels: []drivelog.Channel{
				{Name: name, MoTeC: motec, Unit: unit, About: about, Decimals: decimals, Values: []float64{value, 1, value}},
				{Name: unit, MoTeC: motec, Unit: name, Values: []float64{value, -value, 0}},
			},
			Laps: []drivelog.Lap{{Start: start, Time: value, Valid: true}, {Start: value, Time: start, Valid: true}},
		}
		for _, w := range writers {
			var b bytes.Buffer
			if err := w.write(&b, log); err != nil {
				continue
			}
			var err error
			switch w.name {
			case "ld":
				_, err = readLD(b.Bytes())
			case "ldx":
				_, _, err = readLDX(b.Bytes())
			case "mdf4":
				_, err = readMDF(b.Bytes())
			case "csv":
				_, err = csv.NewReader(&b).ReadAll()
			}
			if err != nil {
				t.Errorf("%s cannot be read: %v", w.name, err)
			}
		}
	})
}
