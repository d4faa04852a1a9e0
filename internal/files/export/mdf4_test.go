package export_test

import (
	"testing"
	"time"

	"rig.example/rig/internal/files/export"
)

func TestMDF4ReadsBack(t *testing.T) {
	log := lap()
	log.Car = "<coupé> & co"
	f, err := readMDF(written(t, export.MDF4, log))
	if err != nil {
		t.Fatal(err)
	}
	if !f.start.Equal(log.Began) || f.zone != 120 || f.dst != 0 {
		t.Errorf("start %v, zone %d + %d min", f.start, f.zone, f.dst)
	}
	if f.subject != "<coupé> & co" || f.project != "nürburg" || f.tools != "rig rig 1" {
		t.Errorf("comment %s, history %s", f.comment, f.history)
	}
	if f.cycles != 18 || f.recordSize != 56 || len(f.channels) != 7 {
		t.Fatalf("%d records of %d bytes, %d channels", f.cycles, f.recordSize, len(f.channels))
	}
	master := f.channels[0]
	if master.kind != 2 || master.sync != 1 || master.name != "time" || master.unit != "s" || master.values[0] != 10 || master.values[17] != 18.5 {
		t.Errorf("master channel %+v", master)
	}
	for i, c := range f.channels[1:] {
		want := log.Channels[i]
		if c.kind != 0 || c.sync != 0 || c.name != want.Name || c.unit != want.Unit || c.about != want.About || c.precision != want.Decimals {
			t.Errorf("channel %+v, want %+v", c, want)
		}
		if !same(c.values, want.Values, 0) {
			t.Errorf("%s is %v, want %v", c.name, c.values, want.Values)
		}
	}
}

func TestMDF4StartTime(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name      string
		began     time.Time
		want      int64
		zone, dst int16
	}{
		{"unknown", time.Time{}, 0, 0, 0},
		{"summer", time.Date(2026, 7, 1, 12, 0, 0, 0, berlin), 1782900000, 60, 60},
		{"winter", time.Date(2026, 1, 1, 12, 0, 0, 0, berlin), 1767265200, 60, 0},
	} {
		log := lap()
		log.Began = tt.began
		f, err := readMDF(written(t, export.MDF4, log))
		if err != nil || f.start.Unix() != tt.want || f.zone != tt.zone || f.dst != tt.dst {
			t.Errorf("%s: start %d, zone %d + %d min, error %v", tt.name, f.start.Unix(), f.zone, f.dst, err)
		}
	}
}
