package shown_test

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/replay/replaytest"
)

// What is shown under the name of a channel is what is recorded under it, in its unit.
func TestQuantitiesAreThoseOfTheChannels(t *testing.T) {
	units := shown.Units[frame.Frame]()
	var both []channels.Channel
	var words []string
	for _, c := range channels.All() {
		if unit, ok := units[c.Name]; ok {
			both, words = append(both, c), append(words, c.Name)
			if unit != c.Unit {
				t.Errorf("%s is shown in %q and recorded in %q", c.Name, unit, c.Unit)
			}
		}
	}
	if len(both) < 150 {
		t.Errorf("%d quantities are channels", len(both))
	}
	quantities := shown.Pick[frame.Frame](words...)
	driven(t, func(f *frame.Frame, p *channels.Point) {
		for i, c := range both {
			if got, want := quantities[i].At(f, 0), c.Value(p); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%s is shown as %g and recorded as %g", c.Name, got, want)
			}
		}
	})
}

// driven calls see with the frame and the point of some ticks of a demo whose platform tells of everything.
func driven(t *testing.T, see func(f *frame.Frame, p *channels.Point)) {
	t.Helper()
	parts, err := drivesetup.New(replaytest.Config(t, replaytest.Round), circuit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, err := drivesetup.DemoDriver(&parts.Drive.Setup)
	if err != nil {
		t.Fatal(err)
	}
	in := drive.Inputs{
		Wheel: drive.Wheel{Present: true, Rated: 8}, Pedals: drive.Pedals{Present: true}, Operator: drive.Operator{Start: true}, FrameWanted: true,
		Platform: drive.Platform{Configured: true, Follows: true, Connected: true, State: 4, Rate: 500, LineShare: 0.4, Latency: 0.002, Warnings: 3, Faults: 2},
		Loop:     drive.Loop{Missed: 5, Dropped: 1, LateMax: 1e-4, Cost: 6e-5},
	}
	for i := range in.Platform.Target {
		x := float64(i) / 10
		in.Platform.Target[i], in.Platform.Feedback[i], in.Platform.FollowError[i], in.Platform.Temperature[i] = x, x+0.01, 0.01, 30+x
		in.Platform.Measured[i] = x / 10
	}
	in.Wheel.Angle = parts.Drive.UseDriverModel(model).Angle
	var out drive.Outputs
	p := channels.OfDrive(parts.Drive, &in, &out)
	for tick := range 30_000 {
		out = *parts.Drive.Step(&in)
		in.Wheel.Angle = out.Hands.Angle
		if tick%250 == 0 {
			see(&out.Frame, p)
		}
	}
}

type car struct {
	Speed  float64    `channel:"speed" unit:"m/s"`
	Place  [3]float64 `channel:"place_*" unit:"m" each:"x y z"`
	Gear   int64      `channel:"gear"`
	Laps   uint64     `channel:"laps"`
	Wheels [2]struct {
		Load float64 `channel:"wheel_*_load" each:"left right"`
	} `each:"left right"`
}

func TestObjects(t *testing.T) {
	c := &car{Speed: 10, Place: [3]float64{1, -2.5, math.NaN()}, Gear: -1, Laps: 1}
	c.Wheels[1].Load = 1e-7
	for _, tt := range []struct{ layout, want string }{
		{"speed v=speed(km/h) gear laps", `{"speed":10,"v":36,"gear":-1,"laps":1}`},
		{"at=place_* x=place_x y_mm=place_y(mm) z=place_z two=place_*[2] some=place_*[laps]", `{"at":[1,-2.5,null],"x":1,"y_mm":-2500,"z":null,"two":[1,-2.5],"some":[1]}`},
		{"!name by=!name !nobody speed", `{"name":"a\u003cb","by":"a\u003cb","speed":10}`},
		{"wheels[2]{ load=wheel_*_load !tire } left=wheel_left_load", `{"wheels":[{"load":0,"tire":"soft"},{"load":1e-7,"tire":"hard"}],"left":0}`},
		{"wheels[laps]{ load=wheel_*_load }", `{"wheels":[{"load":0}]}`},
		{"a{ b{ speed } } !c", `{"a":{"b":{"speed":10}},"c":3}`},
		{"a?{ z=place_z } b?{ x=place_x } d?laps{ gear } e?speed{ gear }", `{"a":null,"b":{"x":1},"d":{"gear":-1},"e":{"gear":-1}}`},
		{"any=laps(bool) !far !near", `{"any":true,"far":[1.5,null],"near":[]}`},
	} {
		given := map[string]any{"name": "a<b", "tire": []string{"soft", "hard"}, "c": 3, "far": []float64{1.5, math.Inf(1)}, "near": []float64{}}
		if got := string(shown.NewObject[car](tt.layout, -1).Append(nil, c, given)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.layout, got, tt.want)
		}
	}
	c.Laps, c.Speed = 0, -3
	const layout = "some=place_*[laps] none?=place_*[laps] d?laps{ gear }"
	if got := string(shown.NewObject[car](layout, 3).Append([]byte("> "), c, nil)); got != `> {"some":[],"none":null,"d":null}` {
		t.Error(got)
	}
	c.Laps = 99
	if got := string(shown.NewObject[car]("w[laps]{ load=wheel_*_load }", 3).Append(nil, c, nil)); got != `{"w":[{"load":0},{"load":1e-07}]}` {
		t.Error(got)
	}
}

func TestFlagsAndTimes(t *testing.T) {
	f := &frame.Frame{Flags: frame.Clipping | frame.LaunchOn, Lap: frame.Lap{Time: 61.5}}
	const layout = "clipping paused launch=launch_on(bit) pit=in_pit(bit) time=lap_time(s?) last=last_lap_time(s?)"
	const want = `{"clipping":true,"paused":false,"launch":1,"pit":0,"time":61.5,"last":null}`
	if got := string(shown.NewObject[frame.Frame](layout, 6).Append(nil, f, nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWrongLayoutsPanic(t *testing.T) {
	for _, layout := range []string{"sped", "v=speed(mm)", "v=speed(mph)", "a[many]{ speed }", "a?many{ speed }"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is no error", layout)
				}
			}()
			shown.NewObject[car](layout, -1)
		}()
	}
}

func BenchmarkObject(b *testing.B) {
	o, f := shown.NewObject[frame.Frame]("speed steering_wheel_angle throttle brake wheels[4]{ wheel_*_load wheel_*_spin } position_* clipping", -1), &frame.Frame{}
	var text []byte
	for b.Loop() {
		text = o.Append(text[:0], f, nil)
	}
}
