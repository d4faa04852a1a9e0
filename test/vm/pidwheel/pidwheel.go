// Package pidwheel emulates a direct-drive wheel of the PID class on the USB bus, which the kernel's hid-pidff
// drives. Like a real one it stores the effects and plays them by its own clock.
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

// Vendor and Product are USB numbers that pid.codes reserves for tests.
const (
	Vendor  = 0x1209
	Product = 0x7703
)

// DefaultInterval is the default time between two output reports that the wheel accepts.
const DefaultInterval = time.Millisecond

// Options describe the wheel. The zero value is a wheel that answers without delay and has all slots.
type Options struct {
	Serial     string        // serial number, which distinguishes wheels of the same model; "": none
	Interval   time.Duration // between two output reports, whole ms; 0 is DefaultInterval
	AnswerTime time.Duration // time that the wheel needs to allocate a slot for a new effect
	Slots      int           // number of effects at the same time, at most hiddesc.PIDSlots; 0 means hiddesc.PIDSlots
	OnReport   func(Report)  // called with each report from the host; must not block
	Rim        *rim.Rim      // if not nil, the motor turns the rim
}

// Wheel is one plugged-in wheel.
type Wheel struct {
	options Options
	port    *usbip.Port

	mu        sync.Mutex
	motor     motor
	reports   []Report
	input     Input
	motion    rim.State
	unplugged chan struct{} // closed by Unplug
	once      sync.Once
}

// New plugs in a wheel. The kernel assumes that all its axes are at 0 until the first SetInput.
func New(o Options) (*Wheel, error) {
	if o.Interval == 0 {
		o.Interval = DefaultInterval
	}
	if o.Slots == 0 {
		o.Slots = hiddesc.PIDSlots
	}
	w := &Wheel{options: o, motor: newMotor(o.Slots), unplugged: make(chan struct{})}
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
		Output:       func(b []byte) { w.handleReport(b, false) },
		SetFeature:   func(b []byte) { w.handleReport(b, true) },
		Feature:      w.featureReport,
	})
	if err != nil {
		return nil, err
	}
	w.port = port
	if o.Rim != nil {
		go w.runRim()
	}
	return w, nil
}

// Node waits for the wheel's input node, /dev/input/eventN.
func (w *Wheel) Node() (string, error) { return w.port.Node(10 * time.Second) }

// Unplug unplugs the wheel. It may be called twice. New plugs in another one.
func (w *Wheel) Unplug() {
	w.once.Do(func() { close(w.unplugged) })
	w.port.Unplug()
}

// Reports returns the reports received from the host since the last call, in order.
func (w *Wheel) Reports() []Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.reports
	w.reports = nil
	return r
}

// Force returns the motor's force on a rim with the motion m at a time on CLOCK_MONOTONIC, with the present
// effects: -1..1 of full force, positive to the left.
func (w *Wheel) Force(at time.Duration, m Motion) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.motor.force(at, m)
}

// Effects returns the number of slots in use.
func (w *Wheel) Effects() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.motor.usedSlots()
}

// Input holds the raw values of the wheel's sensors.
type Input struct {
	Steer              uint16 // 0 is full left, 0x8000 the middle
	Gas, Brake, Clutch uint16 // 0 is released
	Buttons            uint16
}

// SetInput moves rim, pedals and buttons to the positions in. If Options.Rim is set, the motor moves the rim
// from there.
func (w *Wheel) SetInput(in Input) {
	w.mu.Lock()
	w.input, w.motion = in, w.motion.WithSteer(in.Steer)
	w.mu.Unlock()
	w.port.Send(in.report())
}

// report returns the input report, whose layout hiddesc.DirectDrive describes.
func (in Input) report() []byte {
	b := []byte{hiddesc.PIDInput}
	for _, v := range []uint16{in.Steer, in.Gas, in.Brake, in.Clutch, in.Buttons} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	return b
}

// handleReport executes an output or feature report of the host and records it.
func (w *Wheel) handleReport(b []byte, feature bool) {
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

// featureReport returns the feature report with the slot of the new effect, or with the sizes of the pool.
func (w *Wheel) featureReport(id byte) []byte {
	switch id {
	case hiddesc.PIDBlockLoad:
		time.Sleep(w.options.AnswerTime)
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
