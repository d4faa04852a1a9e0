package road

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// upright is 10 m long, 2 m high and 3 m thick, behind its face on the y axis.
func upright() Wall { return Wall{To: r3.Vec{Y: 10}, Height: 2, Thickness: 3} }

func TestAPointInAWallMeetsItsNearestSide(t *testing.T) {
	tests := []struct {
		name   string
		p      r3.Vec
		normal r3.Vec // zero where there is no contact
		depth  float64
	}{
		{"in front", r3.Vec{X: -0.1, Y: 5, Z: 1}, r3.Vec{}, 0},
		{"on the face", r3.Vec{Y: 5, Z: 1}, r3.Vec{}, 0},
		{"in the face", r3.Vec{X: 0.1, Y: 5, Z: 1}, r3.Vec{X: -1}, 0.1},
		{"from behind", r3.Vec{X: 2.9, Y: 5, Z: 1}, r3.Vec{X: 1}, 0.1},
		{"at one end", r3.Vec{X: 1, Y: 0.2, Z: 1}, r3.Vec{Y: -1}, 0.2},
		{"at the other end", r3.Vec{X: 1, Y: 9.75, Z: 1}, r3.Vec{Y: 1}, 0.25},
		{"past the end", r3.Vec{X: 1, Y: 10.1, Z: 1}, r3.Vec{}, 0},
		{"from above", r3.Vec{X: 1, Y: 5, Z: 1.9}, r3.Vec{Z: 1}, 0.1},
		{"over it", r3.Vec{X: 1, Y: 5, Z: 2.1}, r3.Vec{}, 0},
		{"under its foot", r3.Vec{X: 0.5, Y: 5, Z: -50}, r3.Vec{X: -1}, 0.5},
		{"nowhere", r3.Vec{X: math.NaN(), Y: 5, Z: 1}, r3.Vec{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newWallBox(upright())
			got, ok := k.Contact(tt.p)
			if ok != (tt.depth > 0) {
				t.Fatalf("contact: %t", ok)
			}
			if !ok {
				return
			}
			near.Value(t, "depth", got.Depth, tt.depth, 1e-12)
			near.Value(t, "normal", r3.Norm(r3.Sub(got.Normal, tt.normal)), 0, 0)
			near.Value(t, "point", r3.Norm(r3.Sub(got.Point, r3.Add(tt.p, r3.Scale(tt.depth, tt.normal)))), 0, 1e-12)
		})
	}
}

func TestTheWayOutOfAWallIsTheShortest(t *testing.T) {
	k := newWallBox(upright())
	for _, tt := range []struct {
		name   string
		middle r3.Vec
		want   r3.Vec // zero where the box is clear
	}{
		{"in the face", r3.Vec{X: -0.5, Y: 5}, r3.Vec{X: -1.5}},
		{"at an end", r3.Vec{X: 1.5, Y: -0.5}, r3.Vec{Y: -0.5}},
		{"clear before it", r3.Vec{X: -2.1, Y: 5}, r3.Vec{}},
		{"clear behind it", r3.Vec{X: 5.1, Y: 5}, r3.Vec{}},
		{"clear beside it", r3.Vec{X: 1, Y: 11.1}, r3.Vec{}},
	} {
		if got, in := k.PushOut(tt.middle, 1, 2); in != (tt.want != r3.Vec{}) || r3.Norm(r3.Sub(got, tt.want)) > 1e-12 {
			t.Errorf("%s: %v, %t, want %v", tt.name, got, in, tt.want)
		}
	}
}

// Whatever a body within reach may touch is listed where it stands.
func TestNearListsAllWallsWithinReach(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	at := func() r3.Vec { return r3.Vec{X: 600 * (dice.Float64() - 0.5), Y: 400 * (dice.Float64() - 0.5)} }
	var walls []Wall
	for range 60 {
		from := at()
		walls = append(walls, Wall{From: from, To: r3.Add(from, r3.Scale(0.2, at())), Height: 1, Thickness: 2})
	}
	f, err := WithWalls(Asphalt(), walls)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for range 20_000 {
		p := r3.Scale(1.2, at())
		listed := map[r3.Vec]bool{}
		for _, k := range f.Near(p) {
			listed[k.from] = true
		}
		touch := r3.Add(p, r3.Scale(BodyReach*0.999/math.Hypot(300, 200), at()))
		for i := range f.boxes {
			if _, in := f.boxes[i].Contact(touch); in {
				found++
				if !listed[f.boxes[i].from] {
					t.Fatalf("from %v the wall at %v is not listed", p, touch)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d places in walls were tried", found)
	}
}

func TestFencesSayWhatIsNoWall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Wall)
		want   string
	}{
		{"a point", func(w *Wall) { w.To = w.From }, "road: wall 1: length of 0 m: must be 0.1 to 10000"},
		{"flat", func(w *Wall) { w.Height = 0 }, "height of 0 m"},
		{"a sheet", func(w *Wall) { w.Thickness = 0.1 }, "thickness of 0.1 m: must be 2 to 100"},
		{"nowhere", func(w *Wall) { w.To.X = math.NaN() }, "length of NaN m"},
	} {
		bad := upright()
		tt.change(&bad)
		if _, err := WithWalls(Asphalt(), []Wall{upright(), bad}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestWheelsDoNotSeeWalls(t *testing.T) {
	f, err := WithWalls(Asphalt(), []Wall{upright()})
	if err != nil {
		t.Fatal(err)
	}
	p := r3.Vec{X: 1, Y: 5, Z: 0.3}
	if got := f.Touch(p); got != Asphalt().Touch(p) {
		t.Errorf("%+v", got)
	}
	if none, err := WithWalls(Asphalt(), nil); err != nil || none.Near(p) != nil || (*GroundWithWalls)(nil).Near(p) != nil {
		t.Errorf("a ground without walls has some; %v", err)
	}
}

// hill hides that it is level.
type hill struct{ Flat }

func TestIsPlane(t *testing.T) {
	fenced := func(g Ground) Ground { return &GroundWithWalls{Ground: g} }
	for _, tt := range []struct {
		name string
		g    Ground
		want bool
	}{
		{"flat", Asphalt(), true}, {"slope", incline{}, true}, {"circuit", &Circuit{Ground: Asphalt()}, true}, {"fenced", fenced(Asphalt()), true},
		{"unknown", hill{}, false}, {"unknown and fenced", fenced(hill{}), false},
	} {
		if got := IsPlane(tt.g); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
