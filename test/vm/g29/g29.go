// Package g29 emulates a Logitech G29, or its elder relative the G27, on the
// USB bus, so that the kernel's own driver, hid-lg4ff, serves it.
package g29

import (
	"math"
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/rim"
	"rig.example/rig/test/vm/usbip"
)

// Interval is how often the wheel takes an output report: bInterval of its
// endpoints.
const Interval = 2 * time.Millisecond

// fullRange is the rim's travel from stop to stop until told otherwise [deg].
const fullRange = 900

// Options say how the emulated wheel behaves. The zero value is a wheel whose
// rim is held by SetInput.
type Options struct {
	Model    Model
	Compat   bool         // begins in compatibility mode, as most do until a driver switches them
	Rim      *Rim         // if not nil, the motor turns the rim
	OnReport func(Report) // called with each output report; must not block
}

// Wheel is one plugged-in wheel.
type Wheel struct {
	facts    modelFacts
	onReport func(Report)
	rim      *Rim
	out      chan struct{} // closed by Unplug

	plugging sync.Mutex // held while the wheel leaves the bus or comes back

	mu      sync.Mutex
	port    *usbip.Port
	native  bool  // it is in native mode
	failed  error // it did not come back in native mode
	input   Input
	motion  rim.State
	force   byte // the motor's order
	reports []Report
	once    sync.Once
}

// New plugs a wheel in, with its rim in the middle and its pedals released. It
// reports only changes: until the first SetInput the kernel takes all axes to
// be at 0, which is full left with all pedals down.
func New(o Options) (*Wheel, error) {
	w := &Wheel{
		facts:    o.Model.facts(),
		onReport: o.OnReport,
		rim:      o.Rim,
		out:      make(chan struct{}),
		input:    AtRest(),
		motion:   rim.State{At: mono.Now(), Lock: lockAngle(fullRange)},
		force:    NoForce,
	}
	if err := w.plug(o.Compat); err != nil {
		return nil, err
	}
	if w.rim != nil {
		go w.turn()
	}
	return w, nil
}

// lockAngle is the angle from the middle to a stop [rad].
func lockAngle(degrees int) float64 { return float64(degrees) / 2 * math.Pi / 180 }

// SetInput puts rim, pedals and buttons where in says. A rim with a motor is
// let go there.
func (w *Wheel) SetInput(in Input) {
	w.mu.Lock()
	w.input = in
	w.motion = w.motion.Turned(in.Steer)
	w.mu.Unlock()
	w.tell(in)
}

// Input is where rim, pedals and buttons are.
func (w *Wheel) Input() Input {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.input
}

// Reports returns the output reports since the last call, in order.
func (w *Wheel) Reports() []Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.reports
	w.reports = nil
	return r
}

// take does what an output report says and keeps it.
func (w *Wheel) take(b []byte) {
	r := decode(b)
	r.At = mono.Now()
	w.mu.Lock()
	switch r.Kind {
	case ConstantForce, Stop:
		w.advance(r.At)
		w.force = r.Force
	case Range:
		if r.Degrees > 0 {
			w.motion.Lock = lockAngle(r.Degrees)
		}
	case NativeMode:
		if !w.native && r.Data[2] == w.facts.number {
			go w.becomeNative() // this is one of the port's own goroutines
		}
	}
	w.reports = append(w.reports, r)
	w.mu.Unlock()
	if w.onReport != nil {
		w.onReport(r)
	}
}
