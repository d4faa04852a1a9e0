package benchmark

import (
	"context"
	"errors"
	"math"
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

// A step costs about the same on a thousand triangles and on ten million, in one run.
func TestAStepOnManyTrianglesCostsLittleMore(t *testing.T) {
	if !level.All() {
		t.Skip("builds ten million triangles: make test-all")
	}
	const most = 1.3
	var rides [2]*ride
	for i, n := range []int{1_000, 10_000_000} {
		g, err := hills(n)
		if err != nil {
			t.Fatal(err)
		}
		if rides[i], err = onMesh(g); err != nil {
			t.Fatal(err)
		}
	}
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range 400 {
		for i, r := range rides {
			least[i] = min(least[i], timed(r.step))
		}
	}
	t.Logf("figure: %.0f ns on 1 000 triangles, %.0f ns on 10 000 000", least[0], least[1])
	if least[1] > most*least[0] {
		t.Errorf("%.0f ns on ten million triangles, %.0f on a thousand: more than %g times as much", least[1], least[0], most)
	}
}

// BenchmarkStepOnACircuit is one tick of the coupe on the club circuit, along the driver model's drive, without the model.
func BenchmarkStepOnACircuit(b *testing.B) {
	r, err := onClub()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.step()
	}
}
