package benchmark

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
	"rig.example/rig/sim"
)

// hills returns a mesh of 200 m by 200 m of hilly ground with about n triangles.
func hills(n int) (*mesh.Mesh, error) {
	side := int(math.Sqrt(float64(n) / 2))
	size := 200 / float64(side) // of a square of two triangles [m]
	var t mesh.Triangles
	for j := range side + 1 {
		for i := range side + 1 {
			x, y := size*(float64(i)-float64(side)/2), size*(float64(j)-float64(side)/2)
			t.Positions = append(t.Positions, x, y, 0.3*math.Sin(x/20)*math.Cos(y/30))
		}
	}
	for j := range uint32(side) {
		for i := range uint32(side) {
			a := j*uint32(side+1) + i
			b, c, d := a+1, a+uint32(side+1), a+uint32(side+2)
			t.Indices = append(t.Indices, a, b, d, a, d, c)
		}
	}
	return mesh.Build(t, mesh.DefaultOptions(), circuit.Parallel)
}

// onMesh returns a ride of 60 m over the hills.
func onMesh(g road.Ground, set ...string) (*ride, error) {
	car, err := newCar(g, set...)
	if err != nil {
		return nil, err
	}
	return record(car, car.Underway(r3.Vec{X: -60, Y: -7}, 0.1, 15, 2), 4000, func(s *sim.State) sim.Input {
		return sim.Input{Steer: 0.1, Throttle: 0.2 + 0.3*(15-s.Speed), Gear: 2}
	}), nil
}

// measureTriangles measures a step on meshes of more and more triangles.
func (r *Report) measureTriangles(share time.Duration) error {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		g, err := hills(n)
		if err != nil {
			return err
		}
		ride, err := onMesh(g)
		if err != nil {
			return err
		}
		r.Triangles = append(r.Triangles, Point{g.TriangleCount(), pace(share, ride.step)})
	}
	return nil
}

// measureRays measures a step with more and more rays for each wheel, on a mesh.
func (r *Report) measureRays(share time.Duration) error {
	g, err := hills(100_000)
	if err != nil {
		return err
	}
	for _, n := range []int{1, 3, 5, 9} {
		var set []string
		if n > 1 {
			for _, axle := range []string{"front", "rear"} {
				set = append(set, axle+".ground_contact=rays", fmt.Sprintf("%s.ground_rays=%d", axle, n))
			}
		}
		ride, err := onMesh(g, set...)
		if err != nil {
			return err
		}
		r.Rays = append(r.Rays, Point{n, pace(share, ride.step)})
	}
	return nil
}

// measureActuators measures motion cueing with platforms of more and more actuators.
func (r *Report) measureActuators(share time.Duration) error {
	car, err := newCar(road.Asphalt())
	if err != nil {
		return err
	}
	ride := inBend(car)
	ride.step()
	cue, err := cueing.New(cueing.DefaultConfig(), sim.Dt)
	if err != nil {
		return err
	}
	for _, p := range []struct {
		kind      string
		actuators int
	}{{"roll-pitch", 2}, {"corners", 4}, {"hexapod", 6}} {
		shape := cueing.DefaultGeometry()
		shape.Kind = p.kind
		platform, err := cueing.NewPlatform(shape, cueing.FullStroke())
		if err != nil {
			return err
		}
		state := cue.Start()
		r.Actuators = append(r.Actuators, Point{p.actuators, pace(share, func() { platform.Legs(cue.Pose(&state, &ride.state)) })})
	}
	return nil
}
