package export_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"testing"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/internal/files/export"
)

func TestCSVHoldsAllDigits(t *testing.T) {
	log := lap()
	log.Channels[0].Values[3] = 0.1 + 0.2
	log.Channels[0].Name = `quoted "name", with comma`
	text := written(t, export.CSV, log)
	if !bytes.HasSuffix(text, []byte("\r\n")) || bytes.Count(text, []byte("\r\n")) != 19 || bytes.Count(text, []byte("\n")) != 19 {
		t.Errorf("lines do not all end with CR LF:\n%s", text)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := []string{"t_s", `quoted "name", with comma [m/s]`, "lateral [m/s²]", "wheel_fl_load [N]", "steer [rad]", "torque [N·m]", "brake_temp [°C]"}
	if !slices.Equal(rows[0], head) {
		t.Errorf("header %q, want %q", rows[0], head)
	}
	for i, row := range rows[1:] {
		want := []float64{10 + float64(i)/2}
		for _, c := range log.Channels {
			want = append(want, c.Values[i])
		}
		for j, cell := range row {
			got := math.NaN()
			if cell != "" {
				if got, err = strconv.ParseFloat(cell, 64); err != nil {
					t.Fatal(err)
				}
			}
			if !same([]float64{got}, want[j:j+1], 0) {
				t.Errorf("line %d, %s is %q, want %v", i, head[j], cell, want[j])
			}
		}
	}
}

func TestCSVOfAUnitlessChannelHasNoBrackets(t *testing.T) {
	log := &drivelog.Log{Rate: 1000, Channels: []drivelog.Channel{{Name: "gear", Values: []float64{1, 2, math.Inf(1), 1e-9}}}}
	const want = "t_s,gear\r\n0,1\r\n0.001,2\r\n0.002,+Inf\r\n0.003,1e-09\r\n"
	if got := string(written(t, export.CSV, log)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
