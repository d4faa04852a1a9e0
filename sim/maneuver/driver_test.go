package maneuver

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim"
	"rig/sim/road"
)

func ready(t testing.TB) (*sim.Car, *road.Circuit, *Driver) {
	t.Helper()
	circuit := road.Club()
	car, err := sim.New(sim.DefaultCar(), circuit, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDriver(DefaultConfig(), car, circuit, sim.Dt)
	if err != nil {
		t.Fatal(err)
	}
	return car, circuit, d
}

func TestThreeLapsOnTheRoad(t *testing.T) {
	car, circuit, d := ready(t)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	laps, worst, hardest, before := 0, 0.0, 0.0, m.Station
	var lap [3]float64
	started := 0.0
	for laps < 3 {
		car.Step(&s, d.Drive(&m, &s))
		worst = max(worst, math.Abs(m.Lateral))
		hardest = max(hardest, math.Abs(s.Acc.Y))
		now := float64(s.Tick) * sim.Dt
		if before > circuit.Length()-50 && m.Station < 50 {
			lap[laps] = now - started
			started = now
			laps++
		}
		before = m.Station
		if worst > circuit.Width()/2-1 || now > 600 {
			t.Fatalf("after %.1f s at station %.0f m: %.2f m beside the line, speed %.1f m/s",
				now, m.Station, m.Lateral, s.Speed)
		}
	}
	t.Logf("laps of %.0f m in %.2f s, worst %.2f m beside the line, up to %.2f g", circuit.Length(), lap, worst, hardest/9.81)
	if worst > 1.0 {
		t.Errorf("worst lateral error %.2f m, want 1 m at most", worst)
	}
	if lap[2] < 80 || lap[2] > 110 {
		t.Errorf("lap time %.2f s, want 80 to 110 s", lap[2])
	}
	if hardest < 0.55*9.81 || hardest > 0.9*9.81 {
		t.Errorf("%.2f g sideways, want a sporty drive", hardest/9.81)
	}
}

func TestFindsBackToTheLine(t *testing.T) {
	car, circuit, d := ready(t)
	s := car.Rest(r3.Vec{X: 100, Y: 4}, 0.1)
	m := d.Start(&s)
	for range 8000 {
		car.Step(&s, d.Drive(&m, &s))
	}
	if math.Abs(m.Lateral) > 0.3 || s.Speed < 10 {
		t.Errorf("after 8 s %.2f m beside the line at %.1f m/s, station %.0f of %.0f m",
			m.Lateral, s.Speed, m.Station, circuit.Length())
	}
}

func TestDriveAllocatesNothing(t *testing.T) {
	car, _, d := ready(t)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	if n := testing.AllocsPerRun(1000, func() { car.Step(&s, d.Drive(&m, &s)) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestConfigNamesEveryBadField(t *testing.T) {
	err := Config{Lateral: 0, Braking: math.NaN(), Fastest: 30}.Validate()
	if err == nil || !strings.Contains(err.Error(), "lateral_mps2 = 0: allowed is 0.5 to 15") ||
		!strings.Contains(err.Error(), "braking_mps2 = NaN") || strings.Contains(err.Error(), "fastest") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkDrive(b *testing.B) {
	car, _, d := ready(b)
	s := car.Rest(r3.Vec{X: 10}, 0)
	m := d.Start(&s)
	b.ReportAllocs()
	for b.Loop() {
		d.Drive(&m, &s)
	}
}
