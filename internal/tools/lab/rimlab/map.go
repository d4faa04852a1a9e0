package rimlab

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

// Grid is the set of cases of a map: every combination of its values.
type Grid struct {
	Wheels []Wheel
	Hands  []Hand
	Delays []float64 // [s]
	Speeds []float64 // [m/s]
}

// FullGrid returns the grid of the stability map: delays of 2 to 25 ms, speeds of 0 to 250 km/h.
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

// Point is one case of a map, with the worse verdict of both kicks.
type Point struct {
	Wheel string  `json:"wheel"`
	Hand  string  `json:"hands"`
	Delay float64 `json:"delay_ms"`
	Speed float64 `json:"speed_kph"`
	Kick  string  `json:"kick"` // release or push
	Verdict
}

// Map is a grid with the verdict of every case.
type Map struct {
	Car        string  `json:"car"`
	DelayKnown bool    `json:"delay_told"` // whether the force feedback knows the delay
	Points     []Point `json:"points"`     // sorted by wheel, then hands, delay and speed
	grid       Grid
}

// RunGrid simulates every case of the grid with each kick, in parallel on all processors. The result does
// not depend on the number of processors. name is the car's name. delayKnown says whether the force
// feedback knows the delay of the wheel and may compensate for it.
func RunGrid(name string, car *sim.Car, cfg ffb.Config, g Grid, delayKnown bool, progress func(share float64)) (*Map, error) {
	cases := g.cases(!delayKnown)
	points, errs := make([]Point, len(cases)), make([]error, len(cases))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				points[i], errs[i] = worstKick(car, cfg, cases[i])
			}
		})
	}
	for i := range cases {
		if progress != nil {
			progress(float64(i) / float64(len(cases)))
		}
		next <- i
	}
	close(next)
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("rimlab: %w", err)
		}
	}
	return &Map{name, delayKnown, points, g}, nil
}

// worstKick simulates a case with every kick and returns the worst verdict.
func worstKick(car *sim.Car, cfg ffb.Config, c Case) (Point, error) {
	worst := Point{Wheel: c.Wheel.Name, Hand: c.Hand.Name, Delay: roundOff(c.Delay * 1e3), Speed: roundOff(c.Speed * 3.6)}
	for kick := range kickCount {
		c.Kick = kick
		v, err := Run(car, cfg, c)
		if err != nil {
			return worst, err
		}
		if kick == 0 || worst.Settles && !v.Settles || worst.Settles == v.Settles && v.SettleTime > worst.SettleTime {
			worst.Verdict, worst.Kick = v, kick.String()
		}
	}
	return worst, nil
}

// roundOff removes rounding errors of unit conversions.
func roundOff(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// cases returns all combinations of the grid.
func (g Grid) cases(hideDelay bool) (list []Case) {
	for _, w := range g.Wheels {
		for _, h := range g.Hands {
			for _, d := range g.Delays {
				for _, v := range g.Speeds {
					list = append(list, Case{Wheel: w, Hand: h, Delay: d, HideDelay: hideDelay, Speed: v})
				}
			}
		}
	}
	return list
}

// Unsettled returns the points where the rim did not come to rest.
func (m *Map) Unsettled() (list []Point) {
	for _, p := range m.Points {
		if !p.Settles {
			list = append(list, p)
		}
	}
	return list
}

// String describes the point and its oscillation.
func (p Point) String() string {
	return fmt.Sprintf("%s, %s, %g ms, %g km/h, %s: %.2f° at %.1f Hz", p.Wheel, p.Hand, p.Delay, p.Speed, p.Kick, p.Amplitude, p.Frequency)
}
