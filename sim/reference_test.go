package sim

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"testing"

	"rig.example/rig/test/level"
)

// The trajectories are cut to the channels compared, from 0.45 s on: before that
// the reference settles from its start.
//
//go:embed testdata/reference/*.csv
var refFiles embed.FS

// channels of steered runs and of braked ones.
var (
	refSteered = []string{"yaw_rate_radps", "ay_mps2", "roll_rad", "fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n"}
	refBraked  = []string{"ax_mps2", "pitch_rad", "fz_fl_n", "fz_fr_n", "fz_rl_n", "fz_rr_n"}
)

// refRead returns a trajectory's rows.
func refRead(t *testing.T, name string) []refRow {
	t.Helper()
	f, err := refFiles.Open("testdata/reference/" + name + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []refRow
	for _, line := range lines[1:] {
		row := refRow{}
		for i, text := range line {
			if row[lines[0][i]], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// refError is a channel's largest error and when that is [s], and the mean error of
// the last 0.3 s, both in percent of the channel's range in the reference.
type refError struct{ largest, when, steady float64 }

func refCompare(got, want []refRow, channel string, dt float64) (e refError) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range want {
		low, high = min(low, row[channel]), max(high, row[channel])
	}
	end := want[len(want)-1]["t_s"]
	n := 0.0
	for _, row := range want {
		at := row["t_s"]
		off := 100 * (got[int(math.Round(at/dt))][channel] - row[channel]) / (high - low)
		if math.Abs(off) > math.Abs(e.largest) {
			e.largest, e.when = off, at
		}
		if at > end-0.295 {
			e.steady += off
			n++
		}
	}
	e.steady /= n
	return e
}

// Every channel of every run follows the reference within 3 % of its range at every
// instant from 0.45 s on, and within 1 % at the end, where the runs are steady and the
// ramp nearly so, with steps of 1 ms and, in `make test-all`, of half. What remains:
//
//   - Wheel loads, up to 2.8 % where the brakes set in, and side forces in the first
//     0.2 s of a step: the wheels swing on their tires, which the reference leaves
//     without any damping and the implicit step damps a little.
//   - Roll, 1 %: the reference's grows a little more than in proportion.
func TestTheReferenceCarFollowsItsTrajectories(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, dt := range []float64{1e-3, 5e-4}[:level.Pick(0, 1, 2)] {
		c := newCar(t, refCar(), dt)
		for _, r := range refRuns() {
			t.Run(fmt.Sprintf("%s/%g ms", r.name, dt*1e3), func(t *testing.T) {
				want := refRead(t, r.name)
				got := r.drive(c, want[len(want)-1]["t_s"])
				channels := refSteered
				if r.demand(1, r.speed) < 0 {
					channels = refBraked
				}
				for _, channel := range channels {
					e := refCompare(got, want, channel, dt)
					t.Logf("%-14s largest %+.1f %% at %.2f s, steady %+.1f %%", channel, e.largest, e.when, e.steady)
					if math.Abs(e.largest) > 3 {
						t.Errorf("%s is off by %.2f %% at %.2f s, allowed are 3", channel, e.largest, e.when)
					}
					if math.Abs(e.steady) > 1 {
						t.Errorf("%s is off by %.2f %% at the end, must be 1", channel, e.steady)
					}
				}
			})
		}
	}
}
