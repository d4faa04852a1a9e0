package drive

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/rim"
)

// driver holds a rim at an angle, or lets go.
type driver struct {
	rim   *g29.Rim
	mu    sync.Mutex
	swap  func(*g29.Rim) // changes the rim before its next step
	hands rim.Hands
	trace []rim.State // each millisecond since the driver let go
	free  bool
}

// watch is called after each step of the rim.
func (d *driver) watch(s rim.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.swap != nil {
		d.swap(d.rim)
		d.swap = nil
	}
	d.rim.Hands = d.hands
	if n := len(d.trace); d.free && (n == 0 || s.At-d.trace[n-1].At >= time.Millisecond) {
		d.trace = append(d.trace, s)
	}
}

func (d *driver) hold(angle float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands, d.free = rim.Hands{Stiffness: 30, Damping: 1, Target: angle}, false
}

func (d *driver) letGo() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands, d.free, d.trace = rim.Hands{}, true, nil
}

func (d *driver) record() []rim.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.trace
}

// swings returns the amplitude of the rim's motion in each part of a time [deg].
func swings(list []rim.State, part time.Duration) (amplitudes []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	from := list[0].At
	for _, s := range list {
		if s.At-from >= part {
			amplitudes = append(amplitudes, (high-low)/2*degrees)
			low, high, from = math.Inf(1), math.Inf(-1), s.At
		}
		low, high = min(low, s.Angle), max(high, s.Angle)
	}
	return amplitudes
}

// settled returns the time after which the rim stays within a tolerance [rad] of its final angle.
func settled(list []rim.State, within float64) time.Duration {
	end := list[len(list)-1].Angle
	for i := len(list) - 1; i >= 0; i-- {
		if math.Abs(list[i].Angle-end) > within {
			return list[i].At - list[0].At
		}
	}
	return 0
}

// A rim that is turned at high speed and released comes to rest: one with gears and dry friction, and one with little
// friction and a slow motor; after a push and in a bend.
func TestReleasedRimComesToRest(t *testing.T) {
	inGuest(t)
	r := g29.DefaultRim()
	d := &driver{rim: &r}
	r.OnStep = d.watch
	d.hold(0)
	b := cockpit(t, &r)
	b.realTires()
	kmh := float64(level.Pick(70, 70, 100))
	if !level.All() { // TestTheWholeChain accelerates in `make test` too, and no release depends on how the car came to its speed
		b.startAt(int(kmh) + 3)
	}
	b.run()
	b.moveFoot()
	b.drive(0, 1, 0)
	b.until(fmt.Sprintf("%g km/h", kmh), 40*time.Second, func(f frame.Frame) bool { return f.Speed > kmh/3.6 })
	b.drive(0, 0.35, 0)
	t.Log("gear-driven")
	b.release(d, 30, 100*time.Millisecond)
	if level.All() {
		b.release(d, -20, 400*time.Millisecond)
		b.release(d, 45, 400*time.Millisecond)
	}
	t.Log("loose")
	d.become(func(r *g29.Rim) { r.Friction, r.Motor.Lag = 0.03, 8*time.Millisecond })
	if level.All() {
		b.release(d, 30, 100*time.Millisecond)
		b.release(d, -20, 400*time.Millisecond)
	}
	b.release(d, 45, 400*time.Millisecond) // as much as the tires can transmit
	b.finish()
}

// become replaces the rim's properties.
func (d *driver) become(swap func(*g29.Rim)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.swap = swap
}

// release turns the rim to an angle [deg], holds it for a time, releases it and checks its motion. A rim that comes to
// rest does so within 0.7 s; one whose swings grow has doubled them several times in the shorter time too.
func (b *bench) release(d *driver, angle float64, held time.Duration) {
	b.t.Helper()
	const part = 500 * time.Millisecond
	if len(d.record()) > 0 { // released before
		d.hold(0)
		time.Sleep(500 * time.Millisecond)
	}
	d.hold(angle / degrees)
	time.Sleep(held)
	before := b.now()
	d.letGo()
	watched := time.Duration(level.Pick(1600, 1600, 3500)) * time.Millisecond
	time.Sleep(watched)
	list, after := d.record(), b.now()
	all := swings(list, part)
	beyond := 0.0
	for _, s := range list {
		beyond = max(beyond, -s.Angle*degrees*math.Copysign(1, angle))
	}
	b.t.Logf("figure: hands off at %.0f km/h after %v at %.0f°: within 2° of its rest after %v, %.1f° beyond the middle, swings in each half second %.2f°; rests at %.1f°, %.0f km/h",
		before.Speed*3.6, held, angle, settled(list, 2/degrees), beyond, all, list[len(list)-1].Angle*degrees, after.Speed*3.6)
	for i := 1; i < len(all); i++ {
		if all[i] > max(all[i-1], 0.3) {
			b.t.Errorf("swings by %.2f° after %.2f°: they grow", all[i], all[i-1])
		}
	}
	if last := all[len(all)-1]; last > 0.3 {
		b.t.Errorf("still swings by %.2f° after %v", last, watched)
	}
	if after.State != uint64(guard.Driving) {
		b.t.Errorf("state %v", guard.State(after.State))
	}
}
