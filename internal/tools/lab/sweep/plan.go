// Package sweep drives one manoeuvre with many cars, for `rig maneuver --sweep`. A Plan says which: every combination of
// some values, or random points. Its units are plain values that any process of the same build can drive, in any
// order, with the same results to the last bit. The package keeps, prints and draws the results.
package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
)

// MaxUnits is the highest number of points of a sweep.
const MaxUnits = 100_000

// Plan is a sweep. Load sets Car and TrackDigest.
type Plan struct {
	Maneuver    string          `json:"maneuver"`
	Car         config.CarFiles `json:"car"`
	Set         []string        `json:"set,omitempty"`       // KEY=VALUE of every car
	Speed       float64         `json:"speed_kph,omitempty"` // [km/h]; 0 takes the manoeuvre's own
	Assists     assist.Switches `json:"assists"`
	Track       string          `json:"track,omitempty"` // circuit of a lap: a name or a path
	TrackDigest string          `json:"track_digest,omitempty"`
	Axes        []Axis          `json:"axes"`
	Random      int             `json:"random,omitempty"` // number of random points; 0 for all combinations
	Seed        uint64          `json:"seed,omitempty"`
	Build       string          `json:"build"` // program and target: only the same ones give the same bits
}

// Load reads the car, a built-in one or a file, with its files, and returns an error for a plan of which no unit could be
// driven as it is meant.
func (p *Plan) Load(car string) error {
	packed, err := config.PackCar(car, p.Set...)
	if err != nil {
		return err
	}
	p.Car = *packed
	if err := p.loadTrack(); err != nil {
		return err
	}
	for i, a := range p.Axes {
		if err := p.checkAxis(i); err != nil {
			return &config.Problem{File: "--sweep " + a.Key, Text: err.Error()}
		}
	}
	if n := p.Len(); n > MaxUnits {
		return &config.Problem{File: "--sweep", Text: fmt.Sprintf("more than %d points; take fewer values, or --random N", MaxUnits)}
	}
	for _, a := range p.Axes {
		for _, v := range a.Values {
			if !a.isText(v) {
				continue
			}
			if err := p.Car.PackFiles(append(slices.Clone(p.Set), a.Key+"="+v)...); err != nil { // whether it makes a car is for the unit to report
				return err
			}
		}
	}
	return nil
}

// loadTrack reads the circuit of a lap and takes the digest of a user's own one.
func (p *Plan) loadTrack() error {
	if p.Maneuver != Lap {
		return nil
	}
	site, err := circuit.Open(cmp.Or(p.Track, DefaultTrack), circuit.Options{Cache: circuit.UserCache()})
	if err != nil || p.IsTrackBuiltin() {
		return err
	}
	sum := sha256.New()
	for _, path := range site.Sources {
		text, err := userfile.Read(path, userfile.MaxScan)
		if err != nil {
			return &config.Problem{File: path, Text: fmt.Sprintf("cannot be read: %v", err)}
		}
		fmt.Fprintln(sum, len(text))
		sum.Write(text)
	}
	p.TrackDigest = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// IsTrackBuiltin reports whether the sweep needs no circuit's file.
func (p *Plan) IsTrackBuiltin() bool {
	return p.Track == "" || slices.Contains(config.Circuits(), p.Track)
}

// checkAxis returns an error if axis i cannot be varied, or something else sets its key.
func (p *Plan) checkAxis(i int) error {
	key := p.Axes[i].Key
	same := func(set string) bool { k, _, _ := strings.Cut(set, "="); return strings.TrimSpace(k) == key }
	switch {
	case slices.ContainsFunc(p.Axes[:i], func(a Axis) bool { return a.Key == key }):
		return fmt.Errorf("is given twice; write one list")
	case slices.ContainsFunc(p.Set, same):
		return fmt.Errorf("--set gives it a value already; remove one of them")
	case key == SpeedKey && !maneuver.HasSpeed(p.Maneuver):
		return fmt.Errorf("%s has no speed to choose", p.Maneuver)
	case key == SpeedKey && p.Speed != 0:
		return fmt.Errorf("--speed gives it a value already; remove one of them")
	}
	return p.Axes[i].check()
}

// Len returns the number of units, or a number above MaxUnits if there are more.
func (p *Plan) Len() int {
	if p.Random > 0 {
		return p.Random
	}
	n := 1
	for _, a := range p.Axes {
		if n *= len(a.Values); n > MaxUnits {
			return MaxUnits + 1
		}
	}
	return n
}

// Missing returns the indices of the units that have no result.
func (p *Plan) Missing(results []Result) (units []int) {
	done := make([]bool, p.Len())
	for _, r := range results {
		done[r.Index] = true
	}
	for i := range done {
		if !done[i] {
			units = append(units, i)
		}
	}
	return units
}

// Values returns the value of each axis at unit i. The last axis varies fastest.
func (p *Plan) Values(i int) []string {
	values := make([]string, len(p.Axes))
	for k := len(values) - 1; k >= 0; k-- {
		a := &p.Axes[k]
		if p.Random > 0 {
			values[k] = a.random(p.Seed, uint64(i*len(values)+k))
			continue
		}
		values[k] = a.Values[i%len(a.Values)]
		i /= len(a.Values)
	}
	return values
}

// Unit returns unit i, from 0. It shares memory with the plan and must not be changed.
func (p *Plan) Unit(i int) Unit {
	u := Unit{Index: i, Maneuver: p.Maneuver, Car: p.Car, Set: slices.Clone(p.Set), Speed: p.Speed, Assists: p.Assists, Track: p.Track}
	for k, v := range p.Values(i) {
		if p.Axes[k].Key == SpeedKey {
			u.Speed, _ = strconv.ParseFloat(v, 64) // checked by Load
			continue
		}
		u.Set = append(u.Set, p.Axes[k].Key+"="+v)
	}
	return u
}

// Digest returns a text that two plans share only if all their units and the program are the same.
func (p *Plan) Digest() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // a plan has finite numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

// String says what is swept.
func (p *Plan) String() string {
	var axes []string
	for i := range p.Axes {
		axes = append(axes, p.Axes[i].String())
	}
	kind := "points"
	if p.Random > 0 {
		kind = fmt.Sprintf("random points (seed %d)", p.Seed)
	}
	return fmt.Sprintf("%s, %s: %d %s of %s", p.Maneuver, p.Car.Name, p.Len(), kind, strings.Join(axes, " × "))
}
