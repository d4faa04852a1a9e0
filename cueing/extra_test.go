package cueing

import (
	"math"
	"testing"
)

// moving is a car that drives straight ahead.
func moving(speed float64) Inputs {
	in := felt(0, 0, 0)
	in.Speed, in.Gear, in.Travel = speed, 3, [4]float64{0.1, 0.1, 0.1, 0.1}
	return in
}

// cued returns a cue that adds one extra cue alone.
func cued(t *testing.T, e ExtraConfig) *session {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Extra = e
	return made(t, cfg)
}

func TestRoadLiftsThePlatformAndTheBodyDoesNot(t *testing.T) {
	amplitude := func(hz float64) (most float64) {
		c := cued(t, ExtraConfig{RoadGain: 1})
		for i := range 6000 {
			in := moving(20)
			for k := range in.Travel {
				in.Travel[k] += 0.002 * math.Sin(2*math.Pi*hz*float64(i)*dt)
			}
			if c.Next(&in); i > 4000 {
				most = max(most, math.Abs(c.Trace().Extra.Heave))
			}
		}
		return most
	}
	// |s²/(s² + 1.4·w·s + w²)| at 5 times and at a fifth of w = 2π·3 Hz
	high := 25 / math.Hypot(1-25, 1.4*5)
	low := 0.04 / math.Hypot(1-0.04, 1.4*0.2)
	if got := amplitude(15) / 0.002; math.Abs(got-high) > 0.002 {
		t.Errorf("%.4f of the road at 15 Hz, want %.4f", got, high)
	}
	if got := amplitude(0.6) / 0.002; math.Abs(got-low) > 0.002 {
		t.Errorf("%.4f of the body at 0.6 Hz, want %.4f", got, low)
	}
}

func TestKerbLeansThePlatformAwayFromIt(t *testing.T) {
	c := cued(t, ExtraConfig{KerbGain: 0.5})
	in := moving(20)
	hold(c, in, 0.1)
	in.Travel[0] += 0.02
	in.Travel[2] += 0.02 // 2 cm under both wheels of the left side
	c.Next(&in)
	if got := c.Trace().Extra; math.Abs(got.Roll-1*deg) > 0.05*deg || got.Heave != 0 {
		t.Errorf("%+v, want the right side down by 1°", got)
	}
	if hold(c, in, 3); math.Abs(c.Trace().Extra.Roll) > 1e-6 {
		t.Errorf("roll %g stays on the kerb", c.Trace().Extra.Roll)
	}
}

func TestGearsJolt(t *testing.T) {
	tests := []struct {
		name         string
		from, to     int8
		speed, jolts float64 // of its whole
	}{
		{"up", 2, 3, 20, 1},
		{"down", 4, 3, 20, -1},
		{"up, through neutral", 2, 3, 20, 1},
		{"none", 3, 3, 20, 0},
		{"at rest", 2, 3, 0, 0},
	}
	for _, tt := range tests {
		c := cued(t, ExtraConfig{ShiftSurge: 0.01, ShiftPitch: 2})
		in := moving(tt.speed)
		in.Gear = tt.from
		hold(c, in, 0.1)
		in.Gear = 0
		hold(c, in, 0.1)
		in.Gear = tt.to
		var peak, nod float64
		for range 600 {
			c.Next(&in)
			if e := c.Trace().Extra; math.Abs(e.Surge) > math.Abs(peak) {
				peak, nod = e.Surge, e.Pitch
			}
		}
		if math.Abs(peak-0.01*tt.jolts) > 1e-5 || math.Abs(nod+2*deg*tt.jolts) > 1e-3*deg {
			t.Errorf("%s: surge %.5f m, pitch %.4f°", tt.name, peak, nod/deg)
		}
		if hold(c, in, 2); largest(c.Trace().Extra) > 1e-6 {
			t.Errorf("%s: %+v is left", tt.name, c.Trace().Extra)
		}
	}
}

func TestSlidingRearMovesItsAxis(t *testing.T) {
	tests := []struct {
		name        string
		slip, speed float64 // [deg], [m/s]
		want        float64 // [m]
	}{
		{"to the left", 9, 20, 0.05},
		{"to the right", -9, 20, -0.05},
		{"as grip needs", 3.9, 20, 0},
		{"at walking speed", 40, 1, 0},
		{"backwards", 9, -20, 0.05},
		{"far", 80, 20, 0.1},
	}
	for _, tt := range tests {
		c := cued(t, ExtraConfig{SlideGain: 0.01, SlideThreshold: 4, SmoothingTime: 0.02})
		in := moving(tt.speed)
		in.RearSlip = tt.slip * deg
		if p := hold(c, in, 3); math.Abs(p.Slide-tt.want) > 1e-9 {
			t.Errorf("%s: %.4f m, want %g", tt.name, p.Slide, tt.want)
		}
	}
}

func TestBeltTightensUnderBraking(t *testing.T) {
	tests := []struct {
		name       string
		x, y, want float64 // [g]
	}{
		{"at rest", 0, 0, 0},
		{"braked", -1, 0, 0.6},
		{"driven", 0.5, 0, -0.3},
		{"to the left", 0, 1, 0.2},
		{"to the right", 0, -1, 0.2},
		{"far", -4, 0, 1},
	}
	for _, tt := range tests {
		c := cued(t, ExtraConfig{BeltBraking: 0.6, BeltCornering: 0.2, SmoothingTime: 0.02})
		if p := hold(c, felt(tt.x*gravity, tt.y*gravity, 0), 3); math.Abs(p.Belt-tt.want) > 1e-9 {
			t.Errorf("%s: %.4f, want %g", tt.name, p.Belt, tt.want)
		}
	}
}

func TestExtraCuesAreStillAtRest(t *testing.T) {
	c := made(t, all(t, Washout, "rig"))
	in := moving(0)
	for range 3000 {
		c.Next(&in)
		if e := c.Trace().Extra; e != (Pose{}) {
			t.Fatalf("%+v", e)
		}
	}
}

func TestAFaultAtTheStartTeachesNoTravel(t *testing.T) {
	c := made(t, all(t, Direct, "rig"))
	bad, in := moving(math.NaN()), moving(20)
	c.Next(&bad)
	for range 100 {
		if c.Next(&in); c.Trace().Extra.Heave != 0 || c.Trace().Translation[2] != 0 {
			t.Fatalf("the body's height is taken for the road: %+v", c.Trace())
		}
	}
}
