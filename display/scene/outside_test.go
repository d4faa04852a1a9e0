package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

// The pattern is known by the sound or, where a scene has none, by color and name; wetness by flag or name.
func TestSurfacesHavePatternAndWetness(t *testing.T) {
	green, gray, red := [3]float64{0.07, 0.16, 0.03}, [3]float64{0.07, 0.07, 0.07}, [3]float64{0.5, 0.03, 0.02}
	for _, tt := range []struct {
		m       frame.Material
		pattern int
		wetness float64
	}{
		{frame.Material{Name: "tarmac", Colour: gray, Sound: "asphalt"}, patternAsphalt, 0},
		{frame.Material{Name: "damp", Colour: gray, Sound: "asphalt"}, patternAsphalt, 0.5},
		{frame.Material{Name: "wet", Colour: gray, Sound: "asphalt", Wet: 1}, patternAsphalt, 1},
		{frame.Material{Name: "wet-paint", Colour: gray, Sound: "asphalt", Wet: 1}, patternPaint, 1},
		{frame.Material{Name: "kerb", Colour: red, Sound: "kerb"}, patternKerb, 0},
		{frame.Material{Name: "rumble", Colour: gray, Sound: "kerb"}, patternRumble, 0},
		{frame.Material{Name: "wet-grass", Colour: green, Sound: "grass", Wet: 1}, patternGrass, 1},
		{frame.Material{Name: "lawn", Colour: green}, patternGrass, 0},
		{frame.Material{Name: "ice", Colour: gray, Sound: "ice"}, patternIce, 0},
	} {
		got := tints(&frame.Scene{Materials: []frame.Material{tt.m}})[0]
		if got.pattern() != tt.pattern || got.wetness() != tt.wetness {
			t.Errorf("%s: pattern %d, wetness %g, want %d and %g", tt.m.Name, got.pattern(), got.wetness(), tt.pattern, tt.wetness)
		}
		if simple := tt.wetness == 0 && tt.pattern <= patternGrass; got.isSimple() != simple {
			t.Errorf("%s: simple is %t", tt.m.Name, got.isSimple())
		}
	}
}

// The oval has a corner at the end of each straight of 300 m: boards stand on the right, outside of the left-hand corners,
// at 100 and 200 m before each, and none where the corner before has not ended.
func TestBoardsStandBeforeCorners(t *testing.T) {
	s := displaytest.Oval()
	r := newRoadBuilder(s)
	found := r.corners(s)
	if len(found) < 2 {
		t.Fatalf("corners %+v", found)
	}
	for _, c := range found[:2] {
		if !c.left || c.end-c.begin < 200 {
			t.Errorf("corner %+v, want half a circle to the left", c)
		}
	}
	if math.Abs(found[0].begin-displaytest.OvalStraight/2) > 12 {
		t.Errorf("the first corner begins at %.0f m, want %.0f m", found[0].begin, displaytest.OvalStraight/2)
	}
	list, lap := r.boards(s), r.rows[len(r.rows)-1].station
	if len(list) < 4 {
		t.Fatalf("boards %+v", list)
	}
	for _, b := range list {
		nearest := math.Inf(1)
		for _, c := range found {
			off := math.Mod(c.begin-float64(b.distance)-r.rows[b.row].station+lap, lap)
			nearest = min(nearest, min(off, lap-off))
		}
		if nearest > 4 || b.left || b.distance > 290 {
			t.Errorf("board %+v is %.1f m from its place", b, nearest)
		}
	}
	s.Guides = []frame.Guide{{X: -300, Y: -displaytest.OvalRadius, Phase: frame.Braking}}
	if rest := r.boards(s); len(rest) != 0 {
		t.Errorf("%d boards before corners that need no braking", len(rest))
	}
}

// A board faces the driver, and stands beside the road.
func TestABoardFacesTheDriver(t *testing.T) {
	r := newRoadBuilder(displaytest.Oval())
	m := &Mesh{}
	r.addBoard(m, board{row: 5, distance: 200})
	ahead := mgl64.Vec3{r.rows[5].left[1], -r.rows[5].left[0], 0}
	digits := 0
	for _, v := range m.Vertices {
		if off := vec64(v.pos).Sub(mgl64.Vec3{r.rows[5].X, r.rows[5].Y, 0}).Dot(r.rows[5].left); off > -6.5 {
			t.Fatalf("a corner is %.1f m to the left of the middle of a road of 10 m", off)
		}
		if v.paint == boardBlack {
			digits++
			if d := vec64(v.normal).Dot(ahead); d > -0.99 {
				t.Fatalf("digits face %v, the driver drives to %v", v.normal, ahead)
			}
		}
	}
	if digits == 0 {
		t.Error("the board says nothing")
	}
}

// slide moves the wheels of a frame along x by 1 m steps, with this work lost for each meter [J].
func slide(m *TireMarks, s *frame.Scene, steps int, perMeter float64) {
	for i := range steps {
		f := &frame.Frame{Tick: uint64(33 * i)}
		for k := range f.Wheels {
			f.Wheels[k] = frame.Wheel{Pos: [3]float64{float64(i), float64(k), 0.33}, Load: 3000, SlipEnergy: perMeter * float64(i)}
		}
		m.Add(f, s)
	}
}

func TestTireMarks(t *testing.T) {
	s := displaytest.Oval()
	rolling, sliding, wet := &TireMarks{}, &TireMarks{}, &TireMarks{}
	slide(rolling, s, 20, 200)
	slide(sliding, s, 20, 3000)
	if rolling.Count != 0 || sliding.Count != 4*19 {
		t.Errorf("rolling leaves %d segments, sliding %d, want 0 and 76", rolling.Count, sliding.Count)
	}
	v := sliding.Vertices[4*10]
	if v.darkness != 1 || v.pos[2] > 0.05 || v.pos[2] < 0 {
		t.Errorf("a mark is %+v, want the darkest, on the ground", v)
	}
	s.Materials[displaytest.Tarmac].Wet = 1
	slide(wet, s, 20, 3000)
	s.Materials[displaytest.Tarmac].Wet = 0
	if got := wet.Vertices[4*10].darkness; !(got < 0.5) {
		t.Errorf("a mark on wet ground has darkness %g", got)
	}
	slide(sliding, s, 1000, 3000) // beginning elsewhere: no mark leads there
	if sliding.Count != MaxMarks {
		t.Errorf("%d segments, want the ring full with %d", sliding.Count, MaxMarks)
	}
	for i := range sliding.Count {
		if d := sliding.Vertices[4*i].pos.Sub(sliding.Vertices[4*i+2].pos).Len(); d > 1.5 {
			t.Fatalf("segment %d is %.1f m long", i, d)
		}
	}
	i := 0
	if n := testing.AllocsPerRun(50, func() { i++; slide(sliding, s, 1, 0) }); n > 1 { // the frame of the test itself
		t.Errorf("%g allocations", n)
	}
}

// Rain falls, and past a car at speed it comes from ahead; spray needs water and speed.
func TestRainAndSpray(t *testing.T) {
	at := func(time float64) mgl64.Vec3 {
		offset, _ := RainFall(mgl64.Vec3{3, 2, 1}, mgl64.Vec3{}, time)
		return offset
	}
	if down := (at(0.01)[2] - at(0)[2]) * RainBox[2]; math.Abs(down+0.085) > 1e-6 && math.Abs(down+0.085-RainBox[2]) > 1e-6 {
		t.Errorf("in 10 ms rain falls by %g m", down)
	}
	if _, streak := RainFall(mgl64.Vec3{}, mgl64.Vec3{40, 0, 0}, 0); !(streak[0] < -0.5) || !(streak[2] < 0) {
		t.Errorf("a streak at 40 m/s is %v", streak)
	}
	s := displaytest.Oval()
	for _, tt := range []struct {
		speed, loss float64
		material    uint8
		low, high   float64
	}{{30, 0, displaytest.Tarmac, 0, 0}, {30, 0.5, displaytest.Tarmac, 0.8, 1}, {0, 0.5, displaytest.Tarmac, 0, 0}, {30, 0, displaytest.Wet, 0.8, 1}, {30, 0.1, displaytest.Tarmac, 0.2, 0.5}} {
		f := &frame.Frame{Speed: tt.speed, GripLoss: tt.loss}
		f.Wheels[2].Material = uint64(tt.material)
		if got := Spray(f, s)[2]; got < tt.low || got > tt.high {
			t.Errorf("%+v: spray %g", tt, got)
		}
	}
}

// The headlamps are at the nose and shine ahead; a flash reaches further.
func TestHeadlamps(t *testing.T) {
	s := displaytest.Oval()
	f := displaytest.OvalFrame(0) // along x
	at, ahead, dipped := Headlamps(f, CarPose(f, 0), s)
	if math.Abs(ahead[0]-1) > 1e-9 || math.Abs(at[0]-f.Pos[0]-2.2) > 0.1 || math.Abs(at[1]-f.Pos[1]) > 1e-9 {
		t.Errorf("headlamps at %v, shining to %v, of a car at %v", at, ahead, f.Pos)
	}
	f.Flags |= frame.HeadlightFlash
	if _, _, full := Headlamps(f, CarPose(f, 0), s); full < 2*dipped {
		t.Errorf("a flash reaches %g m, dipped beams %g m", full, dipped)
	}
}

// The sun sees the whole car, and the shadow lies away from it on the ground, longer at dusk.
func TestTheShadowOfTheSun(t *testing.T) {
	s := displaytest.Oval()
	f := displaytest.OvalFrame(0)
	car := CarPose(f, 0)
	var area [2]float64
	for i, l := range []*Light{LightAt(Day), LightAt(Dusk)} {
		view, ground := l.ShadowView(car, s), l.ShadowGround(f, car, s)
		for corner := range 8 {
			v := mgl64.Vec3{s.Length / 2, s.Width / 2, s.Height - s.CGHeight}
			for k := range v {
				if corner>>k&1 == 1 {
					v[k] = -v[k]
				}
			}
			v[2] = max(v[2], -s.CGHeight)
			p := car.world(v)
			if c := view.Mul4x1(p.Vec4(1)); math.Abs(c[0]) > 1 || math.Abs(c[1]) > 1 || math.Abs(c[2]) > 1 {
				t.Errorf("corner %v of the car is outside of what the sun sees: %v", v, c)
			}
			shadow := p.Sub(l.ToSun.Mul(p[2] / l.ToSun[2])) // on the ground at height 0
			if c := ground.Inv().Mul4x1(shadow.Vec4(1)); i == 0 && (math.Abs(c[0]) > 1.05 || math.Abs(c[1]) > 1.05) {
				t.Errorf("the shadow of corner %v is outside of the square: %v", v, c)
			}
		}
		area[i] = ground.Col(0).Len() * ground.Col(1).Len()
	}
	if area[1] < 1.5*area[0] {
		t.Errorf("shadows of %.1f m² by day and %.1f m² at dusk", area[0], area[1])
	}
	if LightAt("night") != nil || !LightAt(Dusk).Lamps || LightAt(Day).Lamps {
		t.Error("lamps belong to the dusk")
	}
}

// Where the ground has patterns it is drawn by their shader, once.
func TestGroundWithPatternsIsDrawnApart(t *testing.T) {
	s := displaytest.Hill()
	s.Materials = append(s.Materials[:len(s.Materials):len(s.Materials)], frame.Material{Name: "gravel", Sound: "gravel"})
	gravel := uint8(len(s.Materials) - 1)
	count := func() (plain, rough int) {
		w, _ := Build(s)
		e, frustum := eyeAt(mgl64.Vec3{-300, -150, 30}, 0.5)
		for _, span := range w.VisibleTerrain(e, frustum, FullDetail, false) {
			plain += span.Count
		}
		for _, span := range w.VisibleTerrain(e, frustum, FullDetail, true) {
			rough += span.Count
		}
		return plain, rough
	}
	all, none := count()
	for k := range s.Field.Materials {
		if k%s.Field.NX > 60 && k%s.Field.NX < 90 {
			s.Field.Materials[k] = gravel
		}
	}
	plain, rough := count()
	if none != 0 || rough == 0 || plain+rough != all {
		t.Errorf("%d and %d indices; with gravel %d and %d", all, none, plain, rough)
	}
}
