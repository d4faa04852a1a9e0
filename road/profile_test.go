package road

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

func TestProfileHeights(t *testing.T) {
	kerb := Profile{"kerb", 0.02, 0.5, 0.4, 0}
	rumble := Profile{"rumble", 0.01, 0.4, 0, 0}
	milled := Profile{"milled", 0.012, 0.3, 0.2, 0}
	bumps := Profile{"bumps", 0.05, 10, 2, 0}
	for _, tt := range []struct {
		name  string
		p     Profile
		along float64
		z     float64
		slope float64
	}{
		{"a tooth half way up", kerb, 0.2, 0.01, 0.05},
		{"half way down", kerb, 0.45, 0.01, -0.2},
		{"the next one", kerb, 0.7, 0.01, 0.05},
		{"one before the start", kerb, -0.3, 0.01, 0.05},
		{"a wave's foot", rumble, 0.8, 0, 0},
		{"its top", rumble, 0.2, 0.01, 0},
		{"its flank", rumble, 0.1, 0.005, math.Pi * 0.01 / 0.4},
		{"a cut's bottom", milled, 0.1, -0.012, 0},
		{"half way out of it", milled, 0.15, -0.009, 0.12},
		{"beside it", milled, 0.25, 0, 0},
		{"a bump's top", bumps, 11, 0.05, 0},
		{"between bumps", bumps, 5, 0, 0},
		{"none", Profile{}, 0.3, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z, slope, across := tt.p.At(tt.along, 0.7)
			near.Value(t, "height", z, tt.z, 1e-12)
			near.Value(t, "slope", slope, tt.slope, 1e-12)
			near.Value(t, "slope across", across, 0, 0)
		})
	}
}

// profiles returns a usual one of each kind.
func profiles() (list []Profile) {
	for _, kind := range []string{"kerb", "rumble", "milled", "blocks", "bumps"} {
		list = append(list, defaultProfile(kind))
	}
	return list
}

func TestUsualProfilesAreInRange(t *testing.T) {
	for _, p := range profiles() {
		if err := p.Validate(); err != nil {
			t.Errorf("%s: %v", p.Kind, err)
		}
	}
}

func TestProfilesAreContinuousAndNoSteeperThanTheySay(t *testing.T) {
	const d = 1e-4
	for _, p := range profiles() {
		steepest := p.maxSlope() * (1 + 1e-9)
		for i := range 30_000 {
			along, across := 5e-4*float64(i)-3, 3e-4*float64(i)-2
			z, a, b := p.At(along, across)
			ahead, _, _ := p.At(along+d, across)
			left, _, _ := p.At(along, across+d)
			if math.Abs(ahead-z) > d*steepest || math.Abs(left-z) > d*steepest {
				t.Fatalf("%s jumps at %g, %g m by %g and %g m", p.Kind, along, across, ahead-z, left-z)
			}
			if math.Abs(a) > steepest || math.Abs(b) > steepest {
				t.Fatalf("%s has slopes of %g and %g at %g, %g m", p.Kind, a, b, along, across)
			}
		}
	}
}

// All the way along, the slopes add up to the height.
func TestProfilesHaveTheSlopesOfTheirHeights(t *testing.T) {
	const d = 1e-5
	for _, p := range profiles() {
		along, across := 0.0, 0.0
		at, _, _ := p.At(along, across)
		for range 400_000 {
			_, a, b := p.At(along+d/2, across+d/4)
			at += d*a + d/2*b
			along, across = along+d, across+d/2
		}
		want, _, _ := p.At(along, across)
		near.Value(t, p.Kind, at, want, 2e-5)
	}
}

func TestBlocksAreEachTheirOwn(t *testing.T) {
	p := defaultProfile("blocks")
	seen := map[float64]bool{}
	low, high := math.Inf(1), 0.0
	for row := range 20 {
		for stone := range 20 {
			z, _, _ := p.At(p.Pitch*(float64(stone)+0.5-0.5*float64(row&1)), p.Width*(float64(row)+0.5))
			seen[z] = true
			low, high = min(low, z), max(high, z)
		}
	}
	if len(seen) != 400 || low < 0.4*p.Height || low > 0.45*p.Height || high > p.Height || high < 0.95*p.Height {
		t.Errorf("%d heights from %g to %g m", len(seen), low, high)
	}
	for _, at := range [][2]float64{{0, 0.07}, {0.1, 0.21}, {0.05, 0.14}} { // joints; the second row is half a stone further
		z, _, _ := p.At(at[0], at[1])
		near.Value(t, "joint", z, 0, 1e-15)
	}
}

func TestBadProfilesSayWhy(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Profile
		want string
	}{
		{"unknown", Profile{Kind: "waves"}, `profile = "waves": must be none, kerb`},
		{"too high", Profile{"rumble", 0.5, 3, 0, 0}, "height_mm = 500"},
		{"too steep", Profile{"kerb", 0.2, 0.5, 0.4, 0}, "flanks of 63°"},
		{"no pitch", Profile{"rumble", 0, 0, 0, 0}, "pitch_m = 0"},
		{"NaN", Profile{"bumps", math.NaN(), 1, 1, 0}, "height_mm = NaN"},
		{"longer than the pitch", Profile{"bumps", 0.01, 1, 2, 0}, "length_m = 2"},
		{"blocks without width", Profile{"blocks", 0.01, 0.2, 0.02, 0}, "block_width_m = 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.p.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestProfilesAllocateNothing(t *testing.T) {
	list := profiles()
	if n := testing.AllocsPerRun(100, func() {
		for i := range list {
			list[i].At(1.2, 0.3)
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzProfile(f *testing.F) {
	f.Add(math.NaN(), 1.0)
	f.Add(math.Inf(-1), 1e300)
	f.Add(-9.9e7, 9.9e7)
	list := profiles()
	f.Fuzz(func(t *testing.T, along, across float64) {
		for i := range list {
			z, a, b := list[i].At(along, across)
			if !(math.Abs(z) <= list[i].Height*(1+1e-6) && math.Abs(a) <= 1.1 && math.Abs(b) <= 1.1) {
				t.Fatalf("%s at (%g, %g): %g, %g, %g", list[i].Kind, along, across, z, a, b)
			}
		}
	})
}
