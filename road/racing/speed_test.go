package racing

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
)

func constant(v float64) func(float64) float64 { return func(float64) float64 { return v } }

// ringLine is a circle to the left with a bank [m, rad].
func ringLine(t testing.TB, radius, bank float64) course {
	t.Helper()
	n := int(2 * math.Pi * radius)
	points := make([]road.Point, n+1)
	for i := range points {
		angle := 2 * math.Pi * float64(i) / float64(n)
		sin, cos := math.Sincos(angle)
		points[i] = road.Point{Pos: r3.Vec{X: radius * sin, Y: radius * (1 - cos)}, Heading: angle, Curvature: 1 / radius, Bank: bank, Left: 5, Right: 5}
	}
	return newCourse(t, points, 2*math.Pi*radius/float64(n), true)
}

// profileLine is a straight whose height and slope are functions of the station.
func profileLine(t testing.TB, length float64, height func(s float64) (z, slope float64)) course {
	t.Helper()
	points := make([]road.Point, int(length)+1)
	for i := range points {
		z, slope := height(float64(i))
		points[i] = road.Point{Pos: r3.Vec{X: float64(i), Z: z}, Slope: slope, Left: 5, Right: 5}
	}
	return newCourse(t, points, 1, false)
}

func even(float64) (z, slope float64) { return 0, 0 }

func profile(t testing.TB, c course, lim Limits) *Speeds {
	t.Helper()
	p, err := SpeedProfile(c.Line, lim)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A banked circle is driven at v² = g r tan(atan µ + bank towards its inside).
func TestABankedCircleIsDrivenAtItsSpeed(t *testing.T) {
	const g, r, mu = 9.81, 80.0, 0.9
	for _, inward := range []float64{-0.15, 0, 0.1, 0.3} {
		p := profile(t, ringLine(t, r, -inward), Limits{Gravity: g, LateralAccel: constant(mu * g)})
		want := math.Sqrt(g * r * math.Tan(math.Atan(mu)+inward))
		v, ahead := p.At(123)
		near.Value(t, "speed", v, want, 1e-6)
		near.Value(t, "acceleration", ahead, 0, 1e-6)
		near.Value(t, "lap time", lapTime(p), 2*math.Pi*r/want, 1e-6)
	}
}

// Over a crest of radius R the load vanishes at v² = g R cos(slope), and a bend has only
// what is left of the weight.
func TestACrestLimitsTheSpeed(t *testing.T) {
	const g, radius, length = 9.81, 60.0, 60.0
	crest := profileLine(t, length, func(s float64) (z, slope float64) {
		x := s - length/2
		z = math.Sqrt(radius*radius - x*x)
		return z, -x / z
	})
	p := profile(t, crest, Limits{Gravity: g, MaxSpeed: 100, StartSpeed: 100})
	for _, s := range []float64{10, 20, 30, 45} {
		v, _ := p.At(s)
		x := s - length/2
		near.Value(t, "speed at the crest", v*v, g*math.Sqrt(radius*radius-x*x), 0.002*g*radius)
	}
	half := profile(t, crest, Limits{Gravity: g, MaxSpeed: 100, StartSpeed: 100, MinLoad: 0.5})
	v, _ := half.At(30)
	near.Value(t, "with half the weight left", v*v, g*radius/2, 0.002*g*radius)
}

// A constant acceleration from rest leads to v² = 2 a s in t = sqrt(2 s/a).
func TestAStraightFromRest(t *testing.T) {
	const a, length = 4.0, 200.0
	p := profile(t, profileLine(t, length, even), Limits{MaxSpeed: 200, EngineAccel: constant(a)})
	for _, s := range []float64{1, 50, 200} {
		v, _ := p.At(s)
		near.Value(t, "speed", v, math.Sqrt(2*a*s), 1e-9)
	}
	near.Value(t, "time", lapTime(p), math.Sqrt(2*length/a), 1e-9)
	// With air it stays below a top speed of sqrt(a/c): v² = a/c (1 - exp(-2 c s)).
	const c = 0.01
	p = profile(t, profileLine(t, length, even), Limits{MaxSpeed: 200, EngineAccel: constant(a), Drag: func(v float64) float64 { return c * v * v }})
	v, _ := p.At(100)
	near.Value(t, "speed in air", v, 20*math.Sqrt(1-math.Exp(-2*c*100)), 2e-3)
}

// Uphill the engine has g sin(slope) less to give, downhill the brakes; the way is the
// road's, not that seen from above.
func TestASlopeTakesItsShare(t *testing.T) {
	const g, grade, pull = 9.81, 0.1, 4.0
	slope := func(sign float64) func(float64) (z, slope float64) {
		return func(s float64) (float64, float64) { return sign * grade * s, sign * grade }
	}
	sin, length := grade/math.Sqrt(1+grade*grade), math.Sqrt(1+grade*grade)
	for _, sign := range []float64{1, -1} {
		p := profile(t, profileLine(t, 100, slope(sign)), Limits{Gravity: g, MaxSpeed: 200, EngineAccel: constant(pull)})
		v, _ := p.At(100)
		near.Value(t, "v² at the end", v*v, 2*(pull-sign*g*sin)*100*length, 1e-6)
	}
}

// Before a patch of ice in a bend the car brakes from where it still has grip. On a straight
// down a slope: v² = w² + 2 (µ g cos - g sin) s, for a bend of w behind it.
func TestBrakesBeforeItIsSlow(t *testing.T) {
	const g, ice = 9.81, 0.1
	grip := func(s float64) float64 {
		if s > 300 && s < 310 {
			return ice
		}
		return 1
	}
	p := profile(t, ringLine(t, 100, 0), Limits{Gravity: g, LateralAccel: constant(g), BrakeAccel: constant(g), GripFactor: grip})
	v, _ := p.At(305)
	near.Value(t, "on the ice", v, math.Sqrt(ice*g*100), 1e-6)
	if before, ahead := p.At(290); before < v+3 || ahead > -1 || before > math.Sqrt(v*v+2*g*11) {
		t.Errorf("before the ice %.1f m/s and %.1f m/s²", before, ahead)
	}
	const grade, mu = 0.05, 0.8
	down := profileLine(t, 300, func(s float64) (float64, float64) { return -grade * s, -grade })
	down = down.with(t, func(i int, p *road.Point) {
		if i >= 250 {
			p.Curvature = 0.1 // where the car has to be slow
		}
	})
	length := math.Sqrt(1 + grade*grade)
	p = profile(t, down, Limits{Gravity: g, LateralAccel: constant(mu * g), BrakeAccel: constant(mu * g), MaxSpeed: 90, StartSpeed: 90,
		CombinedGrip: func(float64) float64 { return 1 }})
	w, _ := p.At(260)
	for _, s := range []float64{150, 200, 240} {
		v, ahead := p.At(s)
		loss := (mu - grade) * g / length
		near.Value(t, "v²", v*v, w*w+2*loss*(250-s)*length, 0.01*v*v)
		near.Value(t, "braking", ahead, -loss, 1e-6)
	}
}

// In a bend that takes the share u of the grip, the ellipse leaves sqrt(1-u²) of it.
func TestBendsAndBrakesShareTheGrip(t *testing.T) {
	lim := Limits{Gravity: 10, LateralAccel: constant(10), BrakeAccel: constant(8), TractionAccel: constant(6), MaxSpeed: 100}
	at := linePoint{curvature: 0.01, cosBank: 1, cosSlope: 1, lengthRatio: 1, grip: 1}
	v := math.Sqrt(0.6 * 10 / 0.01)
	near.Value(t, "braking", lim.maxDeceleration(&at, v), 0.8*8, 1e-9)
	near.Value(t, "driving", lim.maxAcceleration(&at, v), 0.8*6, 1e-9)
	at.grip = 0.8 // the bend then takes 3/4
	near.Value(t, "braking on less grip", lim.maxDeceleration(&at, v), 0.8*8*math.Sqrt(1-0.75*0.75), 1e-9)
	lim.CombinedGrip = func(used float64) float64 { return 1 - used }
	near.Value(t, "by a law of one's own", lim.maxAcceleration(&at, v), 0.8*6*0.25, 1e-9)
	lim.MaxBraking, lim.MaxDrive = 1, 0.5
	near.Value(t, "braking as one likes", lim.maxDeceleration(&at, v), 1, 0)
	near.Value(t, "driving as one likes", lim.maxAcceleration(&at, v), 0.5, 0)
}

// Downforce is not the weight's: half the load leaves half of what there is at rest.
func TestDownforceStaysOnACrest(t *testing.T) {
	lim := Limits{Gravity: 10, LateralAccel: func(v float64) float64 { return 9 + 0.01*v*v }}
	at := linePoint{cosBank: 1, cosSlope: 1, lengthRatio: 1, grip: 1}
	near.Value(t, "level", lim.underLoad(lim.LateralAccel, &at, 20, 10), 13, 1e-12)
	near.Value(t, "half the load", lim.underLoad(lim.LateralAccel, &at, 20, 5), 8.5, 1e-12)
	near.Value(t, "in the air", lim.underLoad(lim.LateralAccel, &at, 20, -1), 4, 1e-12)
}

func TestProfileMirrors(t *testing.T) {
	lim := Limits{Gravity: 9.81, LateralAccel: constant(9), BrakeAccel: constant(9), TractionAccel: constant(5), MaxSpeed: 80}
	l := clubLine(t)
	a, b := profile(t, l, lim), profile(t, mirrored(t, l), lim)
	if lapTime(a) != lapTime(b) {
		t.Errorf("%g s and mirrored %g s", lapTime(a), lapTime(b))
	}
}

func TestProfileKeepsWithinItsLimits(t *testing.T) {
	lim := Limits{Gravity: 9.81, LateralAccel: constant(9), BrakeAccel: constant(9), TractionAccel: constant(5), MaxSpeed: 60, MaxDrive: 3}
	l := clubLine(t)
	p := profile(t, l, lim)
	for i, v := range p.speed {
		at := linePointAt(l.Line, float64(i)*p.step)
		next := p.speed[p.next(i)]
		along := (next*next - v*v) / (2 * p.step)
		if v <= 0 || v > 60 || v*v*math.Abs(at.curvature) > 9+1e-6 || along > 3+1e-9 || along < -9-1e-9 {
			t.Fatalf("at %.0f m %.2f m/s and %.2f m/s²", float64(i)*p.step, v, along)
		}
	}
}

func TestBadLimitsSayWhy(t *testing.T) {
	for _, tt := range []struct {
		lim  Limits
		want string
	}{
		{Limits{}, "nothing limits the speed"},
		{Limits{MaxSpeed: math.NaN()}, "maximum speed = NaN"},
		{Limits{MaxSpeed: 10, Gravity: -1}, "gravity = -1: must be 0 to 1000"},
	} {
		if _, err := SpeedProfile(ringLine(t, 50, 0).Line, tt.lim); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
	odd := profile(t, ringLine(t, 50, 0), Limits{Gravity: 9.81, LateralAccel: constant(math.NaN()), BrakeAccel: constant(math.Inf(1)), MaxSpeed: 50})
	for _, s := range []float64{0, 7, math.NaN(), math.Inf(1), -1e300} {
		if v, a := odd.At(s); v-v != 0 || a-a != 0 {
			t.Errorf("at %g m %g m/s and %g m/s²", s, v, a)
		}
	}
}

func BenchmarkSpeedProfile(b *testing.B) {
	l := clubLine(b)
	lim := Limits{Gravity: 9.81, LateralAccel: constant(9), BrakeAccel: constant(9), TractionAccel: constant(5), MaxSpeed: 80}
	for b.Loop() {
		if _, err := SpeedProfile(l.Line, lim); err != nil {
			b.Fatal(err)
		}
	}
}

// lapTime returns the time along a line without slopes [s].
func lapTime(p *Speeds) float64 {
	sum := 0.0
	for i, v := range p.speed {
		if next := p.next(i); next != i {
			sum += 2 * p.step / (v + p.speed[next])
		}
	}
	return sum
}
