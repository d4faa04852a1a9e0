package hud

import (
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// `go test ./display/hud -run Golden -write` keeps new pictures in testdata. Look at them first.
var write = flag.Bool("write", false, "keep new pictures in testdata")

// picture draws triangles over a plain background, as the overlay shader does.
func picture(c *Canvas, vertices []Vertex, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = [4]uint8{92, 116, 96, 255}[i%4]
	}
	k := float32(height) / Height
	for i := 0; i+2 < len(vertices); i += 3 {
		fill(c, img, [3]Vertex(vertices[i:i+3]), k)
	}
	return img
}

// fill draws one triangle; k is pixels per layout unit.
func fill(c *Canvas, img *image.RGBA, t [3]Vertex, k float32) {
	low, high := [2]float32{math.MaxFloat32, math.MaxFloat32}, [2]float32{}
	for i := range t {
		t[i].x, t[i].y = t[i].x*k, t[i].y*k
		low, high = [2]float32{min(low[0], t[i].x), min(low[1], t[i].y)}, [2]float32{max(high[0], t[i].x), max(high[1], t[i].y)}
	}
	edge := func(a, b Vertex, x, y float32) float32 { return (b.x-a.x)*(y-a.y) - (b.y-a.y)*(x-a.x) }
	area := edge(t[0], t[1], t[2].x, t[2].y)
	if area == 0 {
		return
	}
	box := image.Rect(int(low[0]), int(low[1]), int(high[0])+1, int(high[1])+1).Intersect(img.Rect)
	for py := box.Min.Y; py < box.Max.Y; py++ {
		for px := box.Min.X; px < box.Max.X; px++ {
			x, y := float32(px)+0.5, float32(py)+0.5
			a, b, e := edge(t[1], t[2], x, y)/area, edge(t[2], t[0], x, y)/area, edge(t[0], t[1], x, y)/area
			if a < 0 || b < 0 || e < 0 || a == 0 && !owns(t[1], t[2], area) || b == 0 && !owns(t[2], t[0], area) || e == 0 && !owns(t[0], t[1], area) {
				continue
			}
			blend(img, px, py, t[0].rgba, c.texel(a*t[0].u+b*t[1].u+e*t[2].u, a*t[0].v+b*t[1].v+e*t[2].v))
		}
	}
}

// owns reports whether a triangle of this area has the points on its edge from a to b, rather than the triangle on its other side.
func owns(a, b Vertex, area float32) bool {
	dx, dy := (b.x-a.x)*area, (b.y-a.y)*area
	return dy < 0 || dy == 0 && dx > 0
}

// texel returns the coverage that the atlas has around a place, by bilinear filtering.
func (c *Canvas) texel(u, v float32) float32 {
	x, y := u*atlasSize-0.5, v*atlasSize-0.5
	ix, iy := int(math.Floor(float64(x))), int(math.Floor(float64(y)))
	fx, fy := x-float32(ix), y-float32(iy)
	at := func(x, y int) float32 { return float32(c.atlas.image.AlphaAt(x, y).A) / 255 }
	return (at(ix, iy)*(1-fx)+at(ix+1, iy)*fx)*(1-fy) + (at(ix, iy+1)*(1-fx)+at(ix+1, iy+1)*fx)*fy
}

func blend(img *image.RGBA, x, y int, front rgba, coverage float32) {
	a, back := front[3]*coverage, img.RGBAAt(x, y)
	mix := func(f float32, b uint8) uint8 { return uint8(255*f*a + float32(b)*(1-a) + 0.5) }
	img.SetRGBA(x, y, color.RGBA{mix(front[0], back.R), mix(front[1], back.G), mix(front[2], back.B), 255})
}

// scripted returns a canvas that has drawn 12 s of a drive, and its last frame.
func scripted(t *testing.T, width, height int, o Options) (*Canvas, *frame.Frame) {
	t.Helper()
	c, err := New(float64(height) / Height)
	if err != nil {
		t.Fatal(err)
	}
	c.Arrange(o)
	if err := c.Rescale(float64(height) / Height); err != nil {
		t.Fatal(err)
	}
	c.SetScene(displaytest.Oval())
	f := drivenFrame()
	for ms := 0.0; ms <= 12_000; ms += 16 {
		s, k := math.Sincos(ms / 900)
		q, _ := math.Sincos(ms / 130)
		f.Tick = uint64(61_400 + ms)
		f.Acc = [3]float64{6*k - 3, 9 * s, 0}
		f.RimTorque = 4*s + 0.7*q
		f.Pose[frame.Roll], f.Pose[frame.Pitch], f.Pose[frame.Heave] = 0.05*s, -0.03*k, 0.012*q
		c.Draw(f, Status{MaxRPM: 8000}, float64(width)/float64(height))
	}
	f.RimTorque, f.Motion.Measured = -3.1, f.Pose
	for i := range f.Motion.Measured {
		f.Motion.Measured[i] *= 0.8
	}
	f.Motion.Translation, f.Motion.Tilt, f.Motion.Rotation, f.Motion.Extra = frame.Pose{}, frame.Pose{}, frame.Pose{}, frame.Pose{}
	for i, v := range f.Pose {
		part := [...]*frame.Pose{&f.Motion.Translation, &f.Motion.Tilt, &f.Motion.Rotation, &f.Motion.Extra}
		part[i/2][i], part[(i/2+1)%4][i] = 0.7*v, 0.3*v
	}
	return c, f
}

// drivenFrame returns a frame of the second sector of a lap.
func drivenFrame() *frame.Frame {
	f := displaytest.PlatformFrame()
	clipping := displaytest.ClippingFrame()
	f.Force, f.RatedTorque, f.AskedTorque, f.Gain, f.Clutch = clipping.Force, clipping.RatedTorque, clipping.AskedTorque, clipping.Gain, 0.35
	f.Motion.State = 4
	for i := 1; i < 12; i++ {
		f.Motion.Tuning[i] = 1
	}
	f.Motion.Tuning[4] = 0.8
	f.Motion.Translation[frame.Sway], f.Pose[frame.Sway], f.Pose[frame.Slide], f.Pose[frame.Belt] = 0.021, 0.02, 0.05, 0.4
	f.Lap = lapFrame().Lap
	f.ABS, f.Traction, f.GripLoss = 5, 3, 0.2
	f.Flags |= frame.ABSActive
	for i := range f.Wheels {
		w := &f.Wheels[i]
		w.Load, w.NormalizedSlip, w.TireTemperature = 2400+900*float64(i), 0.4+0.26*float64(i), 71+6.4*float64(i)
	}
	return f
}

// lapFrame is a frame in a lap's second sector, slower than the best lap.
func lapFrame() *frame.Frame {
	f := displaytest.OvalFrame(30)
	f.Lap = frame.Lap{Number: 12, Count: 11, Time: 41.27, Last: 83.456, Best: 82.9, Delta: 0.31, Sectors: 3, Sector: 1,
		Splits: [8]float64{27.5}, LastSplits: [8]float64{27.2, 28, 28.256}, BestSectors: [8]float64{27.2, 27.8, 27.9}}
	return f
}

// Pictures of each page, of the driving page in a small and in a very wide picture, and of a fault.
func TestGoldenPictures(t *testing.T) {
	level.SkipIfQuick(t)
	fault := "FAULT: no torque, the platform parks; once the cause has ended confirm: Enter in the window, or rig confirm"
	for _, tt := range []struct {
		name          string
		width, height int
		edit          func(f *frame.Frame, s *Status)
		options       Options
	}{
		{"drive", 1280, 720, func(f *frame.Frame, s *Status) {}, Options{}},
		{"map", 1280, 720, func(f *frame.Frame, s *Status) {
			s.Page, s.Ghost, s.Gap, s.GhostAt = MapPage, true, 0.42, [2]float64{-200, 40}
		}, Options{}},
		{"tires", 1280, 720, func(f *frame.Frame, s *Status) { s.Page = TiresPage }, Options{}},
		{"charts", 1280, 720, func(f *frame.Frame, s *Status) { s.Page = ChartsPage }, Options{}},
		{"force", 1280, 720, func(f *frame.Frame, s *Status) { s.Page = ForcePage; f.Flags |= frame.Clipping }, Options{}},
		{"motion", 1280, 720, func(f *frame.Frame, s *Status) { s.Page = MotionPage }, Options{}},
		{"pictures", 1280, 720, func(f *frame.Frame, s *Status) {
			s.Page, s.Display = PicturesPage, frame.Display{Refresh: 59.94, P50: 0.0167, P99: 0.0181, RunP50: 0.0167, RunP99: 0.021, Dropped: 3, Age: 0.0231}
		}, Options{PagesLeft: true}},
		{"small", 800, 480, func(f *frame.Frame, s *Status) { f.Lap = frame.Lap{Delta: math.NaN()} }, Options{}},
		{"wide", 5760, 1080, func(f *frame.Frame, s *Status) {}, Options{}},
		{"fault", 1280, 720, func(f *frame.Frame, s *Status) {
			s.Notice, s.Cockpit, f.State = fault, true, 6
			f.Flags |= frame.OffTrack
			f.Flags &^= frame.WheelPresent
		}, Options{}},
		{"session-start", 1280, 720, func(f *frame.Frame, s *Status) {
			s.Others = raced(func(s *frame.Session) {
				s.Phase, s.ToStart, s.GridPlace = frame.PhaseCountdown, 2.4, 3
				s.SetNotice("Rolling start is off: stand on your place")
			})
		}, Options{}},
		{"session-map", 1280, 720, func(f *frame.Frame, s *Status) {
			o := displaytest.Session(displaytest.Oval(), 30, 70, 75, 11)
			o.Session.Flag, o.Session.Paused = frame.FlagRed, 1
			o.Clean()
			s.Page, s.Others = MapPage, o
		}, Options{}},
		{"session-end", 800, 480, func(f *frame.Frame, s *Status) {
			o := raced(func(s *frame.Session) {
				s.Phase, s.Flag, s.Connected, s.Penalty = frame.PhaseFinishing, frame.FlagCheckered, 0, 5
				s.SetNotice("Ada Lovelace: 5 s for a jump start")
			})
			s.Others, s.Labels = o, []Label{{0.5, 0.5, 0.1, 14, &o.Cars[0]}, {0.56, 0.48, 0.06, 23, &o.Cars[1]}, {0.7, 0.47, 0.03, 40, &o.Cars[2]}}
		}, Options{}},
	} {
		c, f := scripted(t, tt.width, tt.height, tt.options)
		s := Status{Names: longNames(), Rate: 60, MaxRPM: 8000}
		tt.edit(f, &s)
		golden(t, tt.name, picture(c, c.Draw(f, s, float64(tt.width)/float64(tt.height)), tt.width, tt.height))
	}
}

// longNames returns names as many as a rig has.
func longNames() frame.Names {
	n := displaytest.Names
	n.States = []string{"parked", "homing", "ready", "engaging", "driving", "releasing", "fault", "stopped"}
	n.Tunings = []string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw", "road", "kerb", "shift", "slide", "belt"}
	return n
}

// golden compares a picture with the one that was looked at.
func golden(t *testing.T, name string, img *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *write {
		file, err := os.Create(path)
		if err = errors.Join(err, png.Encode(file, img), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want, err := png.Decode(file)
	if err != nil || want.Bounds() != img.Bounds() {
		t.Fatalf("%s: %v of %v, want %v", path, err, want.Bounds(), img.Bounds())
	}
	differing := 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			r, g, b, _ := want.At(x, y).RGBA()
			p := img.RGBAAt(x, y)
			if d := max(difference(p.R, r), difference(p.G, g), difference(p.B, b)); d > 24 {
				differing++
			}
		}
	}
	if differing > 60 { // of an edge that is rounded otherwise
		t.Errorf("%s: %d pixels differ from testdata", name, differing)
	}
}

func difference(a uint8, b uint32) int {
	d := int(a) - int(b>>8)
	return max(d, -d)
}
