package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

func TestSpringReachesItsTargetWithoutOvershoot(t *testing.T) {
	s := spring{frequency: 6}
	for range 300 {
		if s.advance(1, 0.01); s.value > 1.04 { // its target came with a speed
			t.Fatalf("overshoot to %g", s.value)
		}
	}
	if math.Abs(s.value-1) > 1e-5 {
		t.Errorf("after 3 s at %g, want 1", s.value)
	}
}

// A target at a steady speed v is followed 2v/w behind.
func TestSpringLagsBehindASteadyTarget(t *testing.T) {
	s := spring{frequency: 5}
	for i := range 500 {
		s.advance(0.5*float64(i+1)*0.01, 0.01)
	}
	if lag := s.target - s.value; math.Abs(lag-0.2) > 1e-6 {
		t.Errorf("lag %g, want 2*0.5/5 = 0.2", lag)
	}
}

func TestSpringDoesNotDependOnTheFrameRate(t *testing.T) {
	after := func(everyMultiple int) float64 {
		s := spring{frequency: 7}
		for i := range everyMultiple {
			s.advance(3*float64(i+1)/float64(everyMultiple), 1/float64(everyMultiple))
		}
		return s.value
	}
	slow, fast := after(7), after(240)
	if math.Abs(slow-fast) > 1e-9 {
		t.Errorf("after 1 s at %g with 7 pictures, at %g with 240", slow, fast)
	}
}

func TestChaseCameraIsBehindAndAbove(t *testing.T) {
	for _, station := range []float64{0, 100, 250, 400, 600, 900} {
		f := displaytest.OvalFrame(station)
		car := CarPose(f, 0)
		c := NewChaseCamera()
		for range 100 {
			c.Follow(car, f, 0.02)
		}
		e := c.Follow(car, f, 0.02)
		off := car.att.Inverse().Rotate(e.Pos.Sub(car.pos))
		if off[0] > -5 || off[0] < -8 || math.Abs(off[1]) > 0.01 || off[2] < 1 {
			t.Errorf("station %g: the camera is at %.2f in the car's axes, want 5 to 8 m behind and above", station, off)
		}
	}
}

// The heading jumps from +π to -π; the camera must not swing round the car.
func TestChaseCameraCrossesSouthCalmly(t *testing.T) {
	c := NewChaseCamera()
	f := &frame.Frame{}
	turned := func(yaw float64) Pose { return Pose{att: mgl64.QuatRotate(yaw, mgl64.Vec3{0, 0, 1})} }
	c.Follow(turned(math.Pi-0.05), f, 0.02)
	for range 20 {
		if e := c.Follow(turned(-math.Pi+0.05), f, 0.02); e.Pos[0] < 5 {
			t.Fatalf("the camera swung to %.2f", e.Pos)
		}
	}
}

func TestCockpitLooksAheadFromTheLeftSeat(t *testing.T) {
	f := displaytest.OvalFrame(0) // heading along x
	e := cockpitEye(CarPose(f, 0), newSeat(displaytest.Oval()), mgl64.Vec3{}, 0.9)
	if left := e.Pos[1] - f.Pos[1]; left < 0.2 || left > 0.6 {
		t.Errorf("the eye is %.2f m left of the middle", left)
	}
	if ahead := e.Target.Sub(e.Pos); ahead[0] < 9 || math.Abs(ahead[1]) > 0.01 {
		t.Errorf("the driver looks along %.2f, want ahead", ahead)
	}
}

func TestSteeringWheelTurnsLeftForPositiveAngles(t *testing.T) {
	s := newSeat(displaytest.Oval())
	top := mgl64.Vec4{0, 0, 0.175, 1}
	hub := mgl64.Vec3{float64(s.hub[0]), float64(s.hub[1]), float64(s.hub[2])}
	straight := s.steeringWheelAt(0).Mul4x1(top).Vec3().Sub(hub)
	left := s.steeringWheelAt(math.Pi / 2).Mul4x1(top).Vec3().Sub(hub)
	if straight[2] < 0.15 || math.Abs(straight[1]) > 1e-6 {
		t.Errorf("straight ahead the mark is at %.3f, want above the hub", straight)
	}
	if math.Abs(left[1]-0.175) > 1e-6 {
		t.Errorf("a quarter turn to the left brings the mark to %.3f, want 0.175 m to the left", left)
	}
}

func TestCarFliesOn(t *testing.T) {
	f := &frame.Frame{Pos: [3]float64{1, 2, 3}, Att: [4]float64{1, 0, 0, 0}, Vel: [3]float64{10, -5, 0}, Rate: [3]float64{0, 0, 2}}
	p := CarPose(f, 0.02)
	if want := (mgl64.Vec3{1.2, 1.9, 3}); p.pos.Sub(want).Len() > 1e-12 {
		t.Errorf("at %v, want %v", p.pos, want)
	}
	if nose := p.att.Rotate(mgl64.Vec3{1, 0, 0}); math.Abs(math.Atan2(nose[1], nose[0])-0.04) > 1e-12 {
		t.Errorf("heading %v, want 0.04 rad to the left", nose)
	}
}

func TestCarOfAnEmptyFrameIsLevel(t *testing.T) {
	for name, att := range map[string][4]float64{"zero": {}, "NaN": {math.NaN()}} {
		if p := CarPose(&frame.Frame{Att: att}, 0); p.att != mgl64.QuatIdent() {
			t.Errorf("%s: attitude %v", name, p.att)
		}
	}
}

func TestWheelsStandWhereTheFrameSays(t *testing.T) {
	f := displaytest.OvalFrame(190)
	car := CarPose(f, 0)
	for i := range f.Wheels {
		m := WheelMatrix(f, i, car, 0, 0.33)
		if got := m.Col(3).Vec3(); got.Sub(mgl64.Vec3(f.Wheels[i].Pos)).Len() > 1e-9 {
			t.Errorf("wheel %d at %v, want %v", i, got, f.Wheels[i].Pos)
		}
	}
	f = &frame.Frame{Att: [4]float64{1, 0, 0, 0}}
	f.Wheels[0] = frame.Wheel{Rotation: math.Pi / 2}
	if top := WheelMatrix(f, 0, CarPose(f, 0), 0, 0.33).Mul4x1(mgl64.Vec4{0, 0, 1, 0}); top[0] < 0.999 {
		t.Errorf("rolled forward by a quarter turn the top is at %v, want ahead", top)
	}
	f.Wheels[0] = frame.Wheel{Steer: math.Pi / 2}
	if nose := WheelMatrix(f, 0, CarPose(f, 0), 0, 0.33).Mul4x1(mgl64.Vec4{1, 0, 0, 0}); nose[1] < 0.999 {
		t.Errorf("steered left by a quarter turn it heads for %v, want left", nose)
	}
}

func TestFrustumSeesWhatIsAhead(t *testing.T) {
	e := Eye{Target: mgl64.Vec3{1, 0, 0}, Up: mgl64.Vec3{0, 0, 1}, FOV: math.Pi / 3, Near: 0.5}
	f := NewFrustum(matrix(e, 16.0/9))
	for _, c := range []struct {
		name   string
		center mgl64.Vec3
		radius float64
		want   bool
	}{
		{"ahead", mgl64.Vec3{50, 0, 0}, 1, true},
		{"behind", mgl64.Vec3{-50, 0, 0}, 1, false},
		{"behind, but reaching ahead", mgl64.Vec3{-50, 0, 0}, 60, true},
		{"far left", mgl64.Vec3{10, 50, 0}, 1, false},
		{"far up", mgl64.Vec3{10, 0, 50}, 1, false},
		{"left edge", mgl64.Vec3{50, 50, 0}, 5, true},
	} {
		if got := f.intersects(c.center, c.radius); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLookingAside(t *testing.T) {
	const left, right = frame.LookLeft, frame.LookRight
	f := displaytest.OvalFrame(100)
	car := CarPose(f, 0)
	for _, tt := range []struct {
		name   string
		flags  uint64
		inside bool
		want   [2]float64 // where the eye looks to: ahead and to the left
	}{
		{"ahead", 0, true, [2]float64{1, 0}},
		{"to the left from the cockpit", left, true, [2]float64{0.5, math.Sqrt(3) / 2}},
		{"to the right from the cockpit", right, true, [2]float64{0.5, -math.Sqrt(3) / 2}},
		{"back", left | right, true, [2]float64{-1, 0}},
		{"from the car's right to the left", left, false, [2]float64{0, 1}},
	} {
		e := cockpitEye(car, seat{}, mgl64.Vec3{}, 0.9)
		if !tt.inside {
			e = NewChaseCamera().Follow(car, f, 0.02)
		}
		e = e.Rotated(LookAngle(tt.flags, tt.inside), car)
		to := car.att.Inverse().Rotate(e.Target.Sub(e.Pos))
		size := math.Hypot(to[0], to[1])
		if math.Abs(to[0]/size-tt.want[0]) > 0.02 || math.Abs(to[1]/size-tt.want[1]) > 0.02 {
			t.Errorf("%s: looks %.2f ahead and %.2f left, want %v", tt.name, to[0]/size, to[1]/size, tt.want)
		}
	}
}
