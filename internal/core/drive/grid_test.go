package drive

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/road"
	"rig.example/rig/sim/driver"
)

// The front axle waits on its place, whatever the circuit's start line is, and the car stays there.
func TestACarWaitsOnTheGrid(t *testing.T) {
	for _, g := range []Grid{{8, 2}, {512, -2}} {
		r := seated(t, func(s *Setup) {
			moved := *s.Circuit
			moved.Start = 20
			s.Circuit = &moved
		})
		must(t, r.StartOnGrid(g))
		place := r.State.Car.Place()
		got, dist := r.Setup.Circuit.Nearest(place.Front, r.State.Station)
		if station := math.Mod(20-g.Behind+r.Setup.Circuit.Length(), r.Setup.Circuit.Length()); math.Abs(got-station) > 0.05 || math.Abs(dist-g.Left) > 0.05 || r.State.Station != station {
			t.Errorf("%+v: at %.3f m, %.3f m to the left; station %.3f m, want %.3f", g, got, dist, r.State.Station, station)
		}
		before := r.State.Car.Pos
		r.run(2000)
		if at := r.State.Car.Pos; math.Hypot(at.X-before.X, at.Y-before.Y) > 0.2 {
			t.Errorf("%+v: it moved from %v to %v", g, before, at)
		}
	}
}

// The driver model starts from the grid too, and its first lap begins at the line.
func TestTheDriverModelStartsOnTheGrid(t *testing.T) {
	r := seated(t, nil)
	must(t, r.StartOnGrid(Grid{24, 2}))
	m, err := driver.New(driver.DefaultConfig(), r.Setup.Car, r.Setup.Circuit, r.Setup.Dt)
	must(t, err)
	r.in.Wheel.Angle = r.UseDriverModel(m).Angle
	if math.Abs(r.State.Station-(r.Setup.Circuit.Start-24)) > 1e-9 {
		t.Errorf("it begins at %g m", r.State.Station)
	}
	if r.run(10_000); !r.State.Laps.Clock.Running || r.State.Laps.Clock.Lap.Number != 1 {
		t.Errorf("after 10 s: %+v", r.State.Laps.Clock.Lap)
	}
}

func TestAGridNeedsARoad(t *testing.T) {
	for name, edit := range map[string]func(*road.Circuit){
		"no road": func(c *road.Circuit) { c.Roadless = true },
	} {
		r := seated(t, func(s *Setup) { c := *s.Circuit; edit(&c); s.Circuit = &c })
		if err := r.StartOnGrid(Grid{8, 2}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := seated(t, nil)
	if err := r.StartOnGrid(Grid{8, 20}); err == nil {
		t.Error("beside the road")
	}
}
