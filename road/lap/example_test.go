package lap_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/road/lap"
)

// A car drives along a straight of 1000 m at 50 m/s, from 10 m before its start line.
func Example() {
	points := make([]road.Point, 1001)
	for i := range points {
		points[i].Pos.X = float64(i)
	}
	line, err := road.NewLine(points, 1, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	timing, err := lap.NewTiming(line, 0, []float64{400}, road.PitLane{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var s lap.State
	for tick := range uint64(21_000) {
		front := r3.Vec{X: -10 + 50*float64(tick)*1e-3}
		timing.Step(&s, &lap.Position{Front: front}, tick, 1e-3)
	}
	fmt.Printf("%d lap of %.3f s, sectors %.3f s and %.3f s, valid: %v\n", s.Count, s.Last.Time, s.Last.Sectors[0], s.Last.Sectors[1], s.Last.Valid)
	// Output: 1 lap of 20.000 s, sectors 8.000 s and 12.000 s, valid: true
}
