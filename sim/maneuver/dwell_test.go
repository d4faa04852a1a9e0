package maneuver

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// steered are the channels of a run at trial.FineRate with an amplitude [rad] of the steering wheel, before
// they are zeroed.
func steered(amplitude float64) *dwellData {
	d := &dwellData{}
	for i := range 1006 { // up to dwellEnd
		at := float64(i) / trial.FineRate
		d.t = append(d.t, at)
		d.steer = append(d.steer, amplitude*dwellSteer(at-dwellStart))
		d.yaw, d.ay = append(d.yaw, 0), append(d.ay, 0)
	}
	return d
}

// The rate of a sine of 0.7 Hz and 27° and more is above 75 °/s for 200 ms. Its average over 0.1 s gets there
// while the average still holds time before the start.
func TestSteeringBeginsAtFiveDegrees(t *testing.T) {
	const omega = 2 * math.Pi * dwellFreq
	for _, tt := range []struct {
		name      string
		amplitude float64 // [°]
		isFast    bool
	}{
		{"a large amplitude", 200, true},
		{"as large as needed", 29, true},
		{"fast for too short", 24, false},
		{"never fast", 15, false},
	} {
		d := steered(tt.amplitude * degree)
		end := d.zeroingEnd()
		if isFast := end != dwellStart; isFast != tt.isFast || math.Abs(end-dwellStart) > 0.05 {
			t.Errorf("%s: the zeroing range ends at %g s", tt.name, end)
		}
		want := dwellStart + math.Asin(5/tt.amplitude)/omega
		near.Value(t, tt.name, d.reach(end, 5*degree), want, 2e-4)
	}
	if at := steered(4*degree).reach(dwellStart, 5*degree); !math.IsNaN(at) {
		t.Errorf("4° reach 5° at %g s", at)
	}
}

// The way in 1.07 s from where the steering wheel reaches 5°, taken from the recording of a run: the lateral
// acceleration integrated twice, which differs from the way aside by what the car has turned.
func TestTheSineWithDwellCountsFromFiveDegrees(t *testing.T) {
	const amplitude = 60 * degree
	tr := newTest(t, Options{})
	tr.dwell(amplitude, 80*kph)
	begin := dwellStart + math.Asin(5*degree/amplitude)/(2*math.Pi*dwellFreq)
	vy, want := 0.0, 0.0
	const h = 1e-3
	for at := begin; at < begin+1.07-h/2; at += h {
		vy += h * valueAt(tr.Fine.Rows, ayOf, at+h/2)
		want += h * vy
	}
	got := evaluateDwell(tr, 1, amplitude)
	near.Value(t, "displacement", got.offset, want, 0.01)
	aside := func(when float64) float64 {
		return valueAt(tr.Fine.Rows, func(q *trial.Row) float64 { return q.Y }, when)
	}
	way := aside(begin+1.07) - aside(begin)
	near.Value(t, "over the way aside", got.offset/way, 1, 0.05)
	turned := rowsBetween(tr.Fine.Rows, dwellStart+0.5/dwellFreq, dwellEnd)
	second, _ := peak(turned, func(q *trial.Row) float64 { return -q.YawRate })
	after := -valueAt(tr.Fine.Rows, yawRateOf, dwellStart+dwellTime+1) / second
	near.Value(t, "yaw ratio after 1 s", got.yawRatio1, after, 0.01)
}

func TestChannelsAreZeroedOverTheSecondBefore(t *testing.T) {
	d := steered(100 * degree)
	for i, at := range d.t {
		d.steer[i] += 3 * degree // an offset of the sensor
		d.yaw[i] = 0.2
		if at < 0.05-1e-9 {
			d.yaw[i] = 50 // before the range
		}
	}
	end := d.zeroingEnd()
	d.zero(d.steer, end)
	d.zero(d.yaw, dwellStart)
	near.Value(t, "steering wheel", d.steer[20], 0, 1e-4)
	near.Value(t, "yaw rate", d.yaw[len(d.yaw)-1], 0, 1e-12)
}

func TestDisplacementIsTheSecondIntegralFromTheBeginning(t *testing.T) {
	d := steered(100 * degree)
	d.begin = 1.2034
	for i, at := range d.t {
		d.ay[i] = 2 + 3*(at-d.begin)
	}
	near.Value(t, "displacement", d.displacement(), 2*1.07*1.07/2+3*1.07*1.07*1.07/6, 1e-12)
	d.begin = dwellEnd - 1
	if y := d.displacement(); !math.IsNaN(y) {
		t.Errorf("%g m after the end of the run", y)
	}
}

// S7.11.8: not the largest peak, but the first after the steering has changed its direction.
func TestSecondPeakIsTheFirstAfterTheReversal(t *testing.T) {
	const completion = dwellStart + dwellTime
	bump := func(at, top float64) float64 { return math.Exp(-math.Pow((at-top)/0.1, 2)) }
	d := steered(100 * degree)
	for i, at := range d.t {
		d.yaw[i] = 0.9*bump(at, dwellStart+0.4) - 0.5*bump(at, dwellStart+1.1) - 0.8*bump(at, completion+1)
	}
	near.Value(t, "second peak", d.secondPeak(), 0.5, 1e-3)
	near.Value(t, "ratio after 1 s", d.yawRatio(1), 0.8/0.5, 1e-2)
	near.Value(t, "ratio after 1.75 s", d.yawRatio(1.75), 0, 1e-6)
	for i, at := range d.t {
		d.yaw[i] = -at // it only spins up
	}
	near.Value(t, "ratio of a spin", d.yawRatio(1), (completion+1)/d.t[len(d.t)-2], 1e-6)
}

func TestTheFilterHasTwelvePolesAndNoDelay(t *testing.T) {
	const rate, cutoff = 200.0, 6.0
	for _, tt := range []struct{ freq, gain float64 }{{0, 1}, {1, 1}, {6, 0.5}, {12, 1 / (1 + math.Pow(2, 12))}} {
		wave := make([]float64, 2000)
		for i := range wave {
			wave[i] = math.Cos(2 * math.Pi * tt.freq * float64(i-1000) / rate)
		}
		got := phaseless(wave, rate, cutoff)
		near.Value(t, "gain in the middle", got[1000], tt.gain, 0.002)
		near.Value(t, "before and behind", got[990]-got[1010], 0, 1e-6)
	}
}

// A mirrored car does the same to the other side, to the bit.
func TestTheSineWithDwellGoesBothWays(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	names := func(side string) []string {
		return []string{"yaw_ratio_1_0s_" + side + "_first", "yaw_ratio_1_75s_" + side + "_first", "lateral_1_07s_" + side + "_first_m", "steering_unit_" + side + "_deg"}
	}
	symmetric := do(t, "sine-dwell", sim.DefaultCar(), Options{Dt: milliseconds(4, 2)})
	p := sim.DefaultCar()
	p.CGLeft = 0.05
	heavyLeft := do(t, "sine-dwell", p, Options{Dt: milliseconds(4, 2)})
	p.CGLeft = -0.05
	heavyRight := do(t, "sine-dwell", p, Options{Dt: milliseconds(4, 2)})
	right := names("right")
	for i, left := range names("left") {
		near.Value(t, left, figure(t, symmetric, left), figure(t, symmetric, right[i]), 0)
		near.Value(t, left+" of the mirrored car", figure(t, heavyLeft, left), figure(t, heavyRight, right[i]), 0)
		if figure(t, heavyLeft, left) == figure(t, heavyLeft, right[i]) {
			t.Errorf("%s: both sides of a car that is heavier on the left are alike", left)
		}
	}
	mean := (figure(t, heavyLeft, "steering_unit_left_deg") + figure(t, heavyLeft, "steering_unit_right_deg")) / 2
	near.Value(t, "A", figure(t, heavyLeft, "steering_unit_deg"), mean, 1e-12)
	smaller := min(figure(t, heavyLeft, "lateral_1_07s_left_first_m"), figure(t, heavyLeft, "lateral_1_07s_right_first_m"))
	near.Value(t, "displacement", figure(t, heavyLeft, "lateral_1_07s_m"), smaller, 0)
}

func TestEitherSeriesFailsTheSineWithDwell(t *testing.T) {
	good := dwellRun{amplitude: 2, yawRatio1: 0.1, yawRatio175: 0.05, offset: 2}
	for _, tt := range []struct {
		name, fails string
		change      func(d *dwellRun)
		mass        float64
	}{
		{"none", "", func(*dwellRun) {}, 1500},
		{"still turning after 1 s", "pass_yaw_1_0s", func(d *dwellRun) { d.yawRatio1 = 0.36 }, 1500},
		{"still turning after 1.75 s", "pass_yaw_1_75s", func(d *dwellRun) { d.yawRatio175 = 0.21 }, 1500},
		{"not far enough", "pass_lateral", func(d *dwellRun) { d.offset = 1.8 }, 1500},
		{"far enough for a heavy one", "", func(d *dwellRun) { d.offset = 1.8 }, 4000},
		{"below 5 A", "", func(d *dwellRun) { d.amplitude, d.offset = 1.4, 0 }, 1500},
		{"two wheels lifted", "pass_upright", func(d *dwellRun) { d.twoWheelLift = true }, 1500},
		{"rolled over", "pass_yaw_1_0s pass_upright", func(d *dwellRun) { d.yawRatio1, d.rolledOver = math.NaN(), true }, 1500},
	} {
		for side := range 2 {
			series := [2][]dwellRun{{good, good}, {good, good}}
			tt.change(&series[side][0])
			r := &Result{}
			r.addDwellMetrics(series, [2]float64{0.3, 0.3}, tt.mass)
			for _, m := range r.Metrics {
				passed, isVerdict := m.Value.(bool)
				if !isVerdict || m.Name == "rolled_over" {
					continue
				}
				want := !strings.Contains(tt.fails, m.Name)
				if m.Name == "pass" {
					want = tt.fails == ""
				}
				if passed != want {
					t.Errorf("%s, series %d: %s = %v", tt.name, side, m.Name, passed)
				}
			}
		}
	}
}
