package chassis

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
	"rig.example/rig/test/solid"
)

func TestAnEdgeIsAsDeepAsTheNearestFace(t *testing.T) {
	k := polytope{vertices: sortedPoints(solid.Box(r3.Vec{X: -2, Y: -1, Z: -0.5}, r3.Vec{X: 2, Y: 1, Z: 0.5}), 1)}
	k.faces = k.planes()
	sh := shell{polytope: k}
	for _, tt := range []struct {
		name       string
		q, up      r3.Vec
		top        float64
		at, normal r3.Vec
		depth      float64
	}{
		{"in the left side", r3.Vec{X: 0.5, Y: 0.9, Z: 3}, r3.Vec{Z: 1}, 9, r3.Vec{X: 0.5, Y: 0.9}, r3.Vec{Y: 1}, 0.1},
		{"in the nose", r3.Vec{X: 1.7, Z: 3}, r3.Vec{Z: 1}, 9, r3.Vec{X: 1.7}, r3.Vec{X: 1}, 0.3},
		{"its top in the floor", r3.Vec{}, r3.Vec{Z: 1}, -0.4, r3.Vec{Z: -0.45}, r3.Vec{Z: -1}, 0.05},
		{"below the floor", r3.Vec{}, r3.Vec{Z: 1}, -0.6, r3.Vec{}, r3.Vec{}, 0},
		{"beside it", r3.Vec{Y: 1.1}, r3.Vec{Z: 1}, 9, r3.Vec{}, r3.Vec{}, 0},
		{"of a car on its side", r3.Vec{X: 1.9, Y: 7}, r3.Vec{Y: -1}, 20, r3.Vec{X: 1.9}, r3.Vec{X: 1}, 0.1},
	} {
		at, normal, depth := sh.edgeInside(tt.q, tt.up, tt.top)
		near.Value(t, tt.name, depth, tt.depth, 1e-12)
		if depth > 0 && (r3.Norm(r3.Sub(at, tt.at)) > 1e-12 || r3.Norm(r3.Sub(normal, tt.normal)) > 1e-12) {
			t.Errorf("%s: at %v, face %v", tt.name, at, normal)
		}
	}
}

func TestNoCornerOfALopsidedBodyIsMissed(t *testing.T) {
	k := coupe()
	k.CGLeft = 0.3
	c := built(t, k, road.Asphalt())
	for roll := -3.1; roll < 3.1; roll += 0.1 {
		s := State{Att: rolled(roll)}
		axes, low := AxesOf(s.Att), math.Inf(1)
		for _, at := range c.Corners() {
			low = min(low, axes.ToWorld(at).Z)
		}
		s.Pos.Z = -low - 0.001
		if c.isAboveGround(&s, &axes) {
			t.Errorf("rolled by %.1f rad: a corner in the ground is not seen", roll)
		}
	}
}

func TestNoCornerInARampOrBehindACrestIsMissed(t *testing.T) {
	for _, rise := range []float64{0.5, 0.2, -0.5} {
		ground := solid.Wedge(rise)
		c := built(t, coupe(), ground)
		hits, spared := 0, 0
		for x := -6.0; x < 6; x += 0.05 {
			for roll := -3.1; roll < 3.1; roll += 0.31 {
				s := State{Pos: r3.Vec{X: x, Z: 0.7}, Att: rolled(roll)}
				axes, in := AxesOf(s.Att), false
				for _, at := range c.Corners() {
					in = in || ground.Touch(r3.Add(s.Pos, axes.ToWorld(at))).Depth > 0
				}
				clear := c.isAboveGround(&s, &axes)
				if in && clear {
					t.Fatalf("rise %g: at %.2f m, rolled by %.1f rad a corner in the ground is not seen", rise, x, roll)
				}
				if in {
					hits++
				}
				if clear {
					spared++
				}
			}
		}
		if hits == 0 || spared == 0 {
			t.Errorf("rise %g: %d in the ground, %d clear", rise, hits, spared)
		}
	}
}

// A hull on its roof stands against a moment that would turn it on the spot, and does not creep.
func TestAHullStandsAgainstAMomentThatWouldTurnIt(t *testing.T) {
	const moment = 1000.0 // [N·m]
	c, ws := built(t, coupe(), road.Asphalt()), resting()
	s := State{Pos: r3.Vec{Z: 0.81}, Att: rolled(math.Pi)}
	turn := func(seconds float64) {
		for range int(seconds / dt) {
			axes := AxesOf(s.Att)
			var sum Wrench
			c.AddContact(&sum, &s, &axes, &ws, &road.GripLoss{})
			sum.Moment.Z += moment
			on := Load{Force: axes.ToBody(sum.Force), Moment: axes.ToBody(sum.Moment), Gravity: c.Gravity(&axes)}
			c.Step(&s, &axes, &on, &ws)
		}
	}
	turn(10)
	before := s.Att
	turn(20)
	if crept := quat.Abs(quat.Sub(s.Att, before)); !(crept < 1e-5) {
		t.Errorf("turns by %.2g rad in 20 s", 2*crept)
	}
}

// waves is a ground of waves along x, 0.8 m from trough to crest.
type waves struct{ slope float64 }

func (g waves) Steepest() float64 { return g.slope }

func (g waves) Touch(p r3.Vec) road.Contact {
	sin, cos := math.Sincos(p.X / 2)
	normal := r3.Unit(r3.Vec{X: -0.2 * cos, Z: 1})
	depth := (0.4*sin - p.Z) * normal.Z
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, normal)), Normal: normal, Depth: depth}
}

// A body that was found clear is looked at again before it can touch, however it moves and turns; on a ground of unknown
// slope always.
func TestABodyThatWasClearIsLookedAtAgain(t *testing.T) {
	for _, slope := range []float64{0.2, math.Inf(1)} {
		c := built(t, coupe(), waves{slope})
		hits, spared := 0, 0
		const ahead, down = 8, 9 // runs that do only that
		for run := range 10 {
			s := State{Pos: r3.Vec{X: float64(run), Z: 2 - 0.1*float64(run%4)}, Att: rolled(0)}
			if run >= ahead {
				s.Pos.X, s.Pos.Z = 3*math.Pi, 0.6 // above a trough
			}
			for step := range 2000 {
				if run < 6 || run == ahead {
					s.Pos.X += 0.01 + 0.01*float64(run%3)
				}
				if run < 6 || run == down {
					s.Pos.Z -= 0.0005
				}
				if run < ahead {
					s.Att = Rotated(s.Att, r3.Vec{X: 0.001 * float64(run%2), Y: 0.001 * math.Sin(float64(step)/300), Z: 0.001})
				}
				axes, in := AxesOf(s.Att), false
				for _, at := range c.Corners() {
					in = in || c.ground.Touch(r3.Add(s.Pos, axes.ToWorld(at))).Depth > 0
				}
				before := s.Clearance
				clear := c.isAboveGround(&s, &axes)
				if in && clear {
					t.Fatalf("run %d, step %d: a corner in the ground is not seen", run, step)
				}
				if in {
					hits++
				}
				if clear && s.Clearance == before {
					spared++
				}
			}
		}
		if hits == 0 || (spared > 1000) != (slope < 1) {
			t.Errorf("steepest slope %g: %d steps in the ground, %d looks spared", slope, hits, spared)
		}
	}
}

// dropped lets the coupe fall on its roof from a height of its lowest corner [m].
func dropped(t *testing.T, k Spec, height, seconds float64) (s State, lowest float64) {
	t.Helper()
	c, ws := built(t, k, road.Asphalt()), resting()
	s = State{Pos: r3.Vec{Z: 0.81 + height}, Att: rolled(math.Pi)} // the roof is 0.81 m above the center of mass
	lowest = s.Pos.Z
	for range int(seconds / dt) {
		axes := AxesOf(s.Att)
		var sum Wrench
		c.AddContact(&sum, &s, &axes, &ws, &road.GripLoss{})
		on := Load{Force: axes.ToBody(sum.Force), Moment: axes.ToBody(sum.Moment), Gravity: c.Gravity(&axes), Airborne: sum.Force == (r3.Vec{})}
		c.Step(&s, &axes, &on, &ws)
		lowest = min(lowest, s.Pos.Z)
	}
	return s, lowest
}

// Four corners carry the weight where they sag by 5 mm, each with 500 N/m for a kilogram.
func TestABoxThatIsDroppedComesToRest(t *testing.T) {
	s, _ := dropped(t, coupe(), 0.5, 5)
	near.Value(t, "height", s.Pos.Z, 0.81-9.80665/(4*500), 1e-6)
	near.Value(t, "speed", r3.Norm(s.Vel), 0, 1e-6)
	near.Value(t, "turning", r3.Norm(s.Rate), 0, 1e-6)
	near.Value(t, "blow", s.Impact.Force.Z, -1500*9.80665, 1) // roof down
}

// Springs that lose nothing throw it back, but for what it costs to take their depth half a
// tick on: a damping of ω·dt/4 over half a swing.
func TestABoxWithoutLossBouncesBack(t *testing.T) {
	k := coupe()
	k.Hull.Restitution = 1
	fall := math.Sqrt(2 * 0.5 / 9.80665)
	omega := math.Sqrt(4 * 500) // of the springs of four corners [rad/s]
	s, lowest := dropped(t, k, 0.5, 2*fall+math.Pi/omega)
	near.Value(t, "height", s.Pos.Z, 0.81+0.5*math.Exp(-math.Pi/2*omega*dt), 0.002)
	near.Value(t, "dip", 0.81-lowest, math.Sqrt(2*9.80665*0.5/2000), 0.01)
}

func TestARubbingBoxSlowsByItsFriction(t *testing.T) {
	k := coupe()
	c, ws := built(t, k, road.Asphalt()), resting()
	s := State{Pos: r3.Vec{Z: 0.81 - 9.80665/2000}, Att: rolled(math.Pi), Vel: r3.Vec{X: 5}}
	axes := AxesOf(s.Att)
	var dry, wet Wrench
	c.AddContact(&dry, &s, &axes, &ws, &road.GripLoss{})
	near.Value(t, "drag", dry.Force.X, -k.Hull.Friction*dry.Force.Z, 1e-6)
	near.Value(t, "load", dry.Force.Z, 1500*9.80665, 1)
	c.AddContact(&wet, &s, &axes, &ws, &road.GripLoss{0.25})
	near.Value(t, "drag where a quarter of the grip is lost", wet.Force.X, 0.75*dry.Force.X, 1e-6)
}

// A body in a wall gets the shortest way out of it, and none beside it.
func TestTheWayOutOfAWall(t *testing.T) {
	yard, err := road.WithWalls(road.Asphalt(), []road.Wall{{From: r3.Vec{X: 5, Y: -20}, To: r3.Vec{X: 5, Y: 20}, Height: 3, Thickness: 3}})
	if err != nil {
		t.Fatal(err)
	}
	c := built(t, coupe(), yard)
	s := State{Pos: r3.Vec{X: 2, Z: 0.5}, Att: rolled(0)}
	if way, in := c.PushOut(&s); in {
		t.Errorf("out by %v where no wall is", way)
	}
	s.Pos.X = 3 // the nose is 2.17 m ahead
	way, in := c.PushOut(&s)
	if !in {
		t.Error("the nose is in no wall")
	}
	nearVec(t, "way out", way, r3.Vec{X: 5 - 3 - 2.17}, 1e-9) // CGToFront is 1.30 m, half of 4.40-2.66 m is ahead of that
	s.Pos.X += way.X - 1e-6
	if way, in := c.PushOut(&s); in {
		t.Errorf("still %v in the wall", way)
	}
}
