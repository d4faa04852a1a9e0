package rimlab

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

// Grid is what a map goes through.
type Grid struct {
	Wheels []Wheel
	Hands  []Hand
	Delays []float64 // [s]
	Speeds []float64 // [m/s]
}

// FullGrid is that of the stability map: delays of 2 to 25 ms, speeds of 0 to 250 km/h.
func FullGrid() Grid {
	g := Grid{Wheels: Wheels(), Hands: Hands()}
	for _, ms := range []float64{2, 5, 10, 15, 20, 25} {
		g.Delays = append(g.Delays, ms*1e-3)
	}
	for _, kph := range []float64{0, 20, 60, 100, 150, 200, 250} {
		g.Speeds = append(g.Speeds, kph/3.6)
	}
	return g
}

// Point is one place of a map, and the worse of what became of the rim.
type Point struct {
	Wheel string  `json:"wheel"`
	Hand  string  `json:"hands"`
	Delay float64 `json:"delay_ms"`
	Speed float64 `json:"speed_kph"`
	Kick  string  `json:"kick"` // release or push
	Verdict
}

// Map is a grid with what became of the rim everywhere.
type Map struct {
	Car    string  `json:"car"`
	Told   bool    `json:"delay_told"` // to the force feedback
	Points []Point `json:"points"`     // by wheel, then hands, delay and speed
	grid   Grid
}

// Chart runs the grid with both kicks on as many processors as there are. The result
// does not depend on their number.
func Chart(name string, car *sim.Car, cfg ffb.Config, g Grid, told bool) (*Map, error) {
	cases := g.cases(!told)
	points, errs := make([]Point, len(cases)), make([]error, len(cases))
	next := make(chan int)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := range next {
				points[i], errs[i] = worse(car, cfg, cases[i])
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("rimlab: %w", err)
		}
	}
	return &Map{name, told, points, g}, nil
}

// worse runs a case with every kick and returns the worst.
func worse(car *sim.Car, cfg ffb.Config, c Case) (Point, error) {
	worst := Point{Wheel: c.Wheel.Name, Hand: c.Hand.Name, Delay: tidy(c.Delay * 1e3), Speed: tidy(c.Speed * 3.6)}
	for kick := range kicks {
		c.Kick = kick
		v, err := Run(car, cfg, c)
		if err != nil {
			return worst, err
		}
		if kick == 0 || worst.Settles && !v.Settles || worst.Settles == v.Settles && v.After > worst.After {
			worst.Verdict, worst.Kick = v, kick.String()
		}
	}
	return worst, nil
}

func tidy(v float64) float64 { return math.Round(v*1e6) / 1e6 }

func (g Grid) cases(secret bool) (list []Case) {
	for _, w := range g.Wheels {
		for _, h := range g.Hands {
			for _, d := range g.Delays {
				for _, v := range g.Speeds {
					list = append(list, Case{Wheel: w, Hand: h, Delay: d, Secret: secret, Speed: v})
				}
			}
		}
	}
	return list
}

// Swinging returns the points where the rim did not come to rest.
func (m *Map) Swinging() (list []Point) {
	for _, p := range m.Points {
		if !p.Settles {
			list = append(list, p)
		}
	}
	return list
}

func (p Point) String() string {
	return fmt.Sprintf("%s, %s, %g ms, %g km/h, %s: %.2f° at %.1f Hz", p.Wheel, p.Hand, p.Delay, p.Speed, p.Kick, p.Amplitude, p.Frequency)
}
