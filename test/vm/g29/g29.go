// Package g29 emulates a Logitech G29 or the older G27 on the USB bus. The kernel's driver hid-lg4ff drives
// it like a real wheel.
package g29

import (
	"math"
	"sync"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/rim"
	"rig.example/rig/test/vm/usbip"
)

// Interval is the time between two output reports that the wheel accepts (bInterval of its endpoints).
const Interval = 2 * time.Millisecond

// fullRange is the rim's travel from stop to stop until the host sets another range [deg].
const fullRange = 900

// Options describe the emulated wheel. The zero value is a G29 in native mode whose rim moves only by SetInput.
type Options struct {
	Model    Model
	Compat   bool         // the wheel starts in compatibility mode, as most wheels do until a driver switches them
	Rim      *Rim         // if not nil, the motor turns the rim
	OnReport func(Report) // called with each output report; must not block
}

// Wheel is one plugged-in wheel.
type Wheel struct {
	model     modelData
	onReport  func(Report)
	rim       *Rim
	unplugged chan struct{} // closed by Unplug

	plugMutex sync.Mutex // held while the wheel leaves the bus or comes back

	mu        sync.Mutex
	port      *usbip.Port
	native    bool  // the wheel is in native mode
	switchErr error // why the wheel did not return in native mode
	input     Input
	motion    rim.State
	forceByte byte // force that the host commands, as in Report.Force
	reports   []Report
	once      sync.Once
}

// New plugs in a wheel with its rim in the middle and its pedals released. The wheel reports only changes:
// until the first SetInput the kernel assumes that all axes are at 0, which is full left with all pedals
// pressed.
func New(o Options) (*Wheel, error) {
	w := &Wheel{
		model:     o.Model.data(),
		onReport:  o.OnReport,
		rim:       o.Rim,
		unplugged: make(chan struct{}),
		input:     AtRest(),
		motion:    rim.State{At: mono.Now(), Lock: lockAngle(fullRange)},
		forceByte: NoForce,
	}
	if err := w.plug(o.Compat); err != nil {
		return nil, err
	}
	if w.rim != nil {
		go w.runRim()
	}
	return w, nil
}

// lockAngle returns the angle from the middle to a stop for a range in degrees [rad].
func lockAngle(degrees int) float64 { return float64(degrees) / 2 * math.Pi / 180 }

// SetInput moves rim, pedals and buttons to the positions in. If Options.Rim is set, the motor moves the rim
// from there.
func (w *Wheel) SetInput(in Input) {
	w.mu.Lock()
	w.input = in
	w.motion = w.motion.WithSteer(in.Steer)
	w.mu.Unlock()
	w.sendInput(in)
}

// Input returns the present positions of rim, pedals and buttons.
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

// handleReport executes an output report and records it.
func (w *Wheel) handleReport(b []byte) {
	r := decode(b)
	r.At = mono.Now()
	w.mu.Lock()
	switch r.Kind {
	case ConstantForce, Stop:
		w.advance(r.At)
		w.forceByte = r.Force
	case Range:
		if r.Degrees > 0 {
			w.motion.Lock = lockAngle(r.Degrees)
		}
	case NativeMode:
		if !w.native && r.Data[2] == w.model.switchNumber {
			go w.switchToNative() // in a goroutine of its own, because it sleeps and this one serves the port
		}
	}
	w.reports = append(w.reports, r)
	w.mu.Unlock()
	if w.onReport != nil {
		w.onReport(r)
	}
}
