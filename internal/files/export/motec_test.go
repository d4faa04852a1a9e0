package export_test

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/export"
)

func TestMoTeCReadsBack(t *testing.T) {
	log := lap()
	f, err := readLD(written(t, export.MoTeC, log))
	if err != nil {
		t.Fatal(err)
	}
	if f.date != "03/07/2026" || f.time != "14:05:40" { // 10 s after the recording began
		t.Errorf("date %s %s", f.date, f.time)
	}
	if f.vehicle != "coupe" || f.vehicleID != "coupe" || f.venue != "nurburg" || f.venueName != "nurburg" || f.event != "nurburg" || f.device != "ADL" {
		t.Errorf("names: %+v", f)
	}
	if want := 11336 + 6*124 + 6*18*4; f.size != want {
		t.Errorf("%d bytes, want %d", f.size, want)
	}
	for i, want := range []struct {
		name, short, unit string
		decimals          int
		first, last       float64
	}{
		{"Ground Speed", "GrndSpd", "km/h", 2, 0, 306},
		{"G Force Lat", "GFrcLt", "G", 3, 0, 8.5},
		{"wheel_fl_load", "whlflld", "N", 1, 0, 3508.5},
		{"Steered Angle", "Strdngl", "deg", 4, 0, 17},
		{"torque", "torque", "Nm", 1, -0.1, 8.4},
		{"brake_temp", "brktmp", "C", 1, 20, 28.5},
	} {
		c := f.channels[i]
		if c.name != want.name || c.unit != want.unit || c.decimals != want.decimals || c.rate != 2 || c.id != 0x2ee1+uint16(i) {
			t.Errorf("channel %d is %+v, want %+v", i, c, want)
		}
		if c.short != want.short {
			t.Errorf("short name of %s is %q, want %q", c.name, c.short, want.short)
		}
		ends := []float64{c.values[0], c.values[len(c.values)-1]}
		if len(c.values) != 18 || !same(ends, []float64{want.first, want.last}, 1e-4) {
			t.Errorf("%s has %d values from %v to %v, want %v to %v", c.name, len(c.values), ends[0], ends[1], want.first, want.last)
		}
		if !same(c.values, c.raw, 1e-9) {
			t.Errorf("%s: readers that scale floats and readers that do not differ: %v and %v", c.name, c.values, c.raw)
		}
	}
	held := f.channels[2].values[:7]
	if want := []float64{0, 3500.5, 3501, 3501.5, 3501.5, 3501.5, 3503}; !same(held, want, 1e-9) {
		t.Errorf("unknown values are %v, want %v", held, want)
	}
}

func TestMoTeCUnits(t *testing.T) {
	for _, tt := range []struct {
		name, motec, unit string
		value             float64
		want              string
		wantValue         float64
	}{
		{"yaw_rate", "", "rad/s", math.Pi, "deg/s", 180},
		{"engine_speed", "Engine RPM", "rad/s", 2 * math.Pi, "rpm", 60},
		{"wheel_fl_damper_speed", "", "m/s", 0.25, "mm/s", 250},
		{"wheel_fl_travel", "Susp Pos FL", "m", 0.02, "mm", 20},
		{"front_ride_height", "", "m", 0.1, "mm", 100},
		{"distance", "", "m", 120, "m", 120},
		{"tire_pressure", "", "Pa", 180_000, "kPa", 180},
		{"boost", "", "bar", 1.2, "bar", 1.2},
		{"air", "", "K", 293.15, "C", 20},
		{"power", "", "W", 90_000, "kW", 90},
		{"throttle", "Throttle Pos", "", 0.5, "%", 50},
		{"share", "Throttle Pos", "%", 50, "%", 50},
		{"gear", "Gear", "", 3, "", 3},
		{"stiffness", "", "N·m/rad", 3, "N.m/rad", 3},
		{"strange", "", "m·s°µ²³Ω€ and more", 1, "m.sdegu23Oh", 1},
		{"huge", "", "", math.Inf(-1), "", -math.MaxFloat32},
	} {
		log := &drivelog.Log{Rate: 1, Channels: []drivelog.Channel{{Name: tt.name, MoTeC: tt.motec, Unit: tt.unit, Values: []float64{tt.value}}}}
		f, err := readLD(written(t, export.MoTeC, log))
		if err != nil {
			t.Fatal(err)
		}
		if c := f.channels[0]; c.unit != tt.want || !same(c.raw, []float64{tt.wantValue}, 1e-4) {
			t.Errorf("%s of %v %s is %v %s, want %v %s", tt.name, tt.value, tt.unit, c.raw, c.unit, tt.wantValue, tt.want)
		}
	}
}

func TestMoTeCNamesDifferAfterTheyAreCut(t *testing.T) {
	log := &drivelog.Log{Rate: 1}
	for _, name := range []string{"a long name of 32 characters or more, left", "a long name of 32 characters or more, right", "gear", "gear", "", "", "  ", "Öl°"} {
		log.Channels = append(log.Channels, drivelog.Channel{Name: name, Values: []float64{1}})
	}
	f, err := readLD(written(t, export.MoTeC, log))
	if err != nil {
		t.Fatal(err)
	}
	var names, shorts []string
	for _, c := range f.channels {
		names, shorts = append(names, c.name), append(shorts, c.short)
	}
	want := []string{"a long name of 32 characters or", "a long name of 32 characters o2", "gear", "gear2", "2", "3", "  2", "Oldeg"}
	if !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
	if slices.Sort(shorts); len(slices.Compact(shorts)) != len(log.Channels) {
		t.Errorf("short names are not unique: %q", shorts)
	}
}

func TestMoTeCOfAnUnknownDate(t *testing.T) {
	log := lap()
	log.Began = time.Time{}
	f, err := readLD(written(t, export.MoTeC, log))
	if err != nil || f.date != "01/01/1970" || f.time != "00:00:00" {
		t.Errorf("date %s %s, error %v", f.date, f.time, err)
	}
}

func TestMoTeCLapsReadBack(t *testing.T) {
	beacons, details, err := readLDX(written(t, export.MoTeCLaps, lap()))
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 4.25, 6.2505, 7.75}; !same(beacons, want, 0.001) {
		t.Errorf("beacons at %v, want %v", beacons, want)
	}
	// Lap 1 is the drive to the first beacon, 2 has 3.25 s, 3 has 2 s, 4 does not count, 5 is the rest.
	want := map[string]string{"Total Laps": "5", "Fastest Time": "0:02.000", "Fastest Lap": "3"}
	if !reflect.DeepEqual(details, want) {
		t.Errorf("details %v, want %v", details, want)
	}
}

func TestMoTeCLapsOfADriveWithoutLaps(t *testing.T) {
	log := lap()
	log.Laps = log.Laps[:1]
	beacons, details, err := readLDX(written(t, export.MoTeCLaps, log))
	if err != nil || len(beacons) != 0 || !reflect.DeepEqual(details, map[string]string{"Total Laps": "1"}) {
		t.Errorf("beacons %v, details %v, error %v", beacons, details, err)
	}
}

func TestMoTeCLapThatFillsTheLog(t *testing.T) {
	log := lap()
	log.Rate = 0.2 // 90 s
	log.Laps = []drivelog.Lap{{Number: 7, Start: 10, Time: 89.9996, Valid: true}}
	beacons, details, err := readLDX(written(t, export.MoTeCLaps, log))
	if err != nil || !same(beacons, []float64{0, 89.9996}, 1e-6) || details["Fastest Time"] != "1:30.000" || details["Fastest Lap"] != "2" {
		t.Errorf("beacons %v, details %v, error %v", beacons, details, err)
	}
}
