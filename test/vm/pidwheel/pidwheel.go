// Package pidwheel emulates a direct-drive wheel of the PID class on the USB
// bus, so that the kernel's hid-pidff serves it. It keeps the effects and their
// time itself, as such wheels do.
package pidwheel

import (
	"encoding/binary"
	"sync"
	"time"

	"rig.example/rig/test/vm/hiddesc"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/rim"
	"rig.example/rig/test/vm/usbip"
)

// Vendor and Product of the wheel: of pid.codes, for tests.
const (
	Vendor  = 0x1209
	Product = 0x7703
)

// DefaultInterval is how often the wheel takes an output report.
const DefaultInterval = time.Millisecond

// Options say how the wheel behaves. The zero value is a quick wheel with all
// its slots.
type Options struct {
	Serial   string        // tells twins apart; "": none
	Interval time.Duration // between two output reports, whole ms; 0 is DefaultInterval
	Answer   time.Duration // it takes this long to give a new effect a slot
	Slots    int           // effects at a time, at most hiddesc.PIDSlots; 0 is that many
	OnReport func(Report)  // called with each report from the host; must not block
	Rim      *rim.Rim      // if not nil, the motor turns the rim
}

// Wheel is one plugged-in wheel.
type Wheel struct {
	options Options
	port    *usbip.Port

	mu      sync.Mutex
	motor   motor
	reports []Report
	input   Input
	motion  rim.State
	out     chan struct{} // closed by Unplug
	once    sync.Once
}

// New plugs a wheel in. As with any, the kernel takes its axes to be at 0 until
// the first SetInput.
func New(o Options) (*Wheel, error) {
	if o.Interval == 0 {
		o.Interval = DefaultInterval
	}
	if o.Slots == 0 {
		o.Slots = hiddesc.PIDSlots
	}
	w := &Wheel{options: o, motor: newMotor(o.Slots), out: make(chan struct{})}
	w.input.Steer, w.motion = middle, rim.State{At: mono.Now(), Lock: lock}
	port, err := usbip.Plug(&usbip.HID{
		Vendor:       Vendor,
		Product:      Product,
		Release:      0x0100,
		Manufacturer: "Rig",
		Name:         "Rig test direct drive",
		Serial:       o.Serial,
		Descriptor:   hiddesc.DirectDrive(),
		Interval:     o.Interval,
		Output:       func(b []byte) { w.take(b, false) },
		SetFeature:   func(b []byte) { w.take(b, true) },
		Feature:      w.feature,
	})
	if err != nil {
		return nil, err
	}
	w.port = port
	if o.Rim != nil {
		go w.turn()
	}
	return w, nil
}

// Node waits for the wheel's input node, /dev/input/eventN.
func (w *Wheel) Node() (string, error) { return w.port.Node(10 * time.Second) }

// Unplug pulls the wheel out. It may be called twice; New plugs in another.
func (w *Wheel) Unplug() {
	w.once.Do(func() { close(w.out) })
	w.port.Unplug()
}

// Reports returns the reports since the last call, in order.
func (w *Wheel) Reports() []Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.reports
	w.reports = nil
	return r
}

// Force is what the motor does to a rim in that motion at a time of
// CLOCK_MONOTONIC, by the effects it has now: -1..1 of all it can, positive to
// the left.
func (w *Wheel) Force(at time.Duration, m Motion) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.motor.force(at, m)
}

// Effects is how many slots are taken.
func (w *Wheel) Effects() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.motor.taken()
}

// Input is what the wheel's sensors tell, raw.
type Input struct {
	Steer              uint16 // 0 is full left, 0x8000 the middle
	Gas, Brake, Clutch uint16 // 0 is released
	Buttons            uint16
}

// SetInput puts rim, pedals and buttons where in says. A rim with a motor is let go there.
func (w *Wheel) SetInput(in Input) {
	w.mu.Lock()
	w.input, w.motion = in, w.motion.Turned(in.Steer)
	w.mu.Unlock()
	w.port.Send(in.report())
}

// report is in as hiddesc.DirectDrive lays it out.
func (in Input) report() []byte {
	b := []byte{hiddesc.PIDInput}
	for _, v := range []uint16{in.Steer, in.Gas, in.Brake, in.Clutch, in.Buttons} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

// take does what a report says and keeps it.
func (w *Wheel) take(b []byte, feature bool) {
	r := decode(b, feature)
	r.At = mono.Now()
	w.mu.Lock()
	w.advance(r.At)
	w.motor.apply(r)
	w.reports = append(w.reports, r)
	w.mu.Unlock()
	if w.options.OnReport != nil {
		w.options.OnReport(r)
	}
}

// feature answers the questions for a slot and for all slots.
func (w *Wheel) feature(id byte) []byte {
	switch id {
	case hiddesc.PIDBlockLoad:
		time.Sleep(w.options.Answer)
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.motor.blockLoad()
	case hiddesc.PIDPool:
		const size, managed = 0xffff, 1
		b := binary.LittleEndian.AppendUint16([]byte{id}, size)
		return append(b, byte(w.options.Slots), managed)
	}
	return nil
}
