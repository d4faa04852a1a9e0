package chassis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

func gusts(seed uint64) Air {
	a := blowing(10, 0)
	a.GustSpeed, a.GustPeriod, a.GustSeed = 4, 2, seed
	return a
}

// A hundred periods of 2 s hold every sinusoid a whole number of times.
func TestGustsHaveNoMean(t *testing.T) {
	w := newWind(gusts(1), dt)
	const ticks = 200_000
	sum, square := 0.0, 0.0
	for tick := range uint64(ticks) {
		v := w.velocity(tick)
		gust := -v.X - 10 // a wind from ahead blows backwards
		if math.Abs(gust) > 4+1e-9 || math.Abs(v.Y) > 1e-9 || v.Z != 0 {
			t.Fatalf("tick %d: %v", tick, v)
		}
		sum += gust
		square += gust * gust
	}
	near.Value(t, "mean", sum/ticks, 0, 1e-9)
	// Each sinusoid has half the square of its size.
	want := 4 * math.Sqrt((0.315*0.315+0.268*0.268+0.225*0.225+0.192*0.192)/2)
	near.Value(t, "root of the mean square", math.Sqrt(square/ticks), want, 1e-9)
}

func TestTheWindFollowsFromTheTickAndTheSeed(t *testing.T) {
	one, same, other := newWind(gusts(1), dt), newWind(gusts(1), dt), newWind(gusts(2), dt)
	differs := false
	for _, tick := range []uint64{0, 1, 999, 7, 1 << 40} {
		if one.velocity(tick) != same.velocity(tick) {
			t.Errorf("tick %d: %v and %v", tick, one.velocity(tick), same.velocity(tick))
		}
		differs = differs || math.Abs(one.velocity(tick).X-other.velocity(tick).X) > 0.1
	}
	if !differs {
		t.Error("another seed gives the same gusts")
	}
	fine := newWind(gusts(1), dt/2)
	nearVec(t, "at half the time step", fine.velocity(2468), one.velocity(1234), 1e-9)
}

func TestStillAirIsExactlyStill(t *testing.T) {
	a := DefaultAir()
	a.WindFrom = 20 // nothing times a negative number would have a sign
	w := newWind(a, dt)
	v := w.velocity(5)
	if v != (r3.Vec{}) || math.Signbit(v.X) || math.Signbit(v.Y) || math.Signbit(v.Z) {
		t.Errorf("%v", v)
	}
}
