package speed

import (
	"context"
	"errors"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// What is measured must be what it is called: cars drive on, a tick is more than its car, every curve has its points.
func TestMeasure(t *testing.T) {
	level.SkipIfQuick(t)
	var parts []string
	r, err := Measure(context.Background(), 0, func(what string) { parts = append(parts, what) })
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 5 || len(r.Steps) != 3 || len(r.Stages) != 7 || len(r.Triangles) != 4 || len(r.Rays) != 4 || len(r.Actuators) != 3 {
		t.Errorf("%d parts: %+v", len(parts), r)
	}
	for _, list := range [][]Cost{r.Steps, {r.Tick}} {
		for _, c := range list {
			if !(c.Nanoseconds > 0 && c.RealTime > 0) {
				t.Errorf("%+v", c)
			}
		}
	}
	if n := r.Triangles; n[0].Count > 1000 || n[3].Count < 990_000 || r.Rays[3].Count != 9 || r.Actuators[2].Count != 6 {
		t.Errorf("%+v, %+v, %+v", n, r.Rays, r.Actuators)
	}
}

func TestMeasureEndsWhenItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(ctx, time.Hour, func(string) { t.Error("went on") }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A ride begins anew where it began, and the car moves in all of it.
func TestRidesDriveOn(t *testing.T) {
	g, err := hills(1000)
	if err != nil {
		t.Fatal(err)
	}
	r, err := onMesh(g)
	if err != nil {
		t.Fatal(err)
	}
	for range len(r.inputs) {
		if r.step(); r.state.Speed < 8 || r.state.Wheels[0].Load == 0 && r.state.Wheels[1].Load == 0 {
			t.Fatalf("%d ms: %g m/s, no front wheel on the ground", r.state.Tick, r.state.Speed)
		}
	}
	tick := r.state.Tick
	if r.step(); r.state.Tick >= tick {
		t.Error("the ride does not begin anew")
	}
}
