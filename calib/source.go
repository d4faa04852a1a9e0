package calib

import (
	"errors"
	"fmt"
	"time"

	"rig.example/rig/internal/evdev"
)

// samplePeriod is the time between two snapshots.
const samplePeriod = 10 * time.Millisecond

// AxisRange is one axis a source can sample.
type AxisRange struct {
	Name     string // such as ABS_X
	Min, Max int32  // what the device declares [counts]
}

// Source is a device under measurement: a node, or a recording in tests.
type Source interface {
	Device() Identity
	Axes() []AxisRange
	// Next waits until 10 ms after the last snapshot and writes every axis'
	// value, in the order of Axes.
	Next(raw []int32) error
	// Pulse starts a force of share (-1..1 of full scale, positive by the
	// kernel's convention to the left) that ends by itself after d.
	Pulse(share float64, d time.Duration) error
}

// mover is a source that knows which of its axes have reported since it was opened. Sources
// that are not always know where their axes are.
type mover interface{ Moved(axis int) bool }

// moved reports whether the value of a source's axis is what its device reported.
func moved(src Source, axis int) bool {
	m, ok := src.(mover)
	return !ok || m.Moved(axis)
}

// NodeSource is a real device.
type NodeSource struct {
	info  evdev.Info
	node  *evdev.Node
	input *evdev.Input
	next  time.Time
	force *evdev.Constant

	spring string // the driver's centring spring as found, in its own unit; "" if it does not tell
}

// Open opens a discovered device for calibration. Close it afterwards.
func Open(info evdev.Info) (*NodeSource, error) {
	node, err := evdev.Open(info.Path)
	if err != nil {
		return nil, err
	}
	input, err := evdev.NewInput(node, info.Axes)
	if err != nil {
		node.Close()
		return nil, fmt.Errorf("calib: %s: %w", info.Path, err)
	}
	return &NodeSource{info: info, node: node, input: input, next: time.Now()}, nil
}

// Close ends a pulse that still runs, leaves the centring spring as it was
// found, and closes the node. Drivers that do not tell their spring come up
// with it off.
func (s *NodeSource) Close() error {
	var err error
	if s.force != nil {
		err = s.node.Erase(s.force)
		if s.spring != "" && s.spring != "0" {
			err = errors.Join(err, evdev.SetAttr(s.folder(), "autocenter", s.spring))
		}
	}
	return errors.Join(err, s.node.Close())
}

// folder is where the driver shows its settings.
func (s *NodeSource) folder() string { return evdev.DeviceFolder("/sys", s.info.Path) }

// Device returns the device's identity.
func (s *NodeSource) Device() Identity { return IdentityOf(s.info) }

// Axes returns every axis of the device.
func (s *NodeSource) Axes() []AxisRange {
	var list []AxisRange
	for _, a := range s.info.Axes {
		list = append(list, AxisRange{a.Name, a.Min, a.Max})
	}
	return list
}

// Next samples the axes.
func (s *NodeSource) Next(raw []int32) error {
	s.next = s.next.Add(samplePeriod)
	if wait := time.Until(s.next); wait > 0 {
		time.Sleep(wait)
	} else {
		s.next = time.Now() // the operator was asked something meanwhile
	}
	if err := s.input.Update(); err != nil {
		return fmt.Errorf("calib: %s: %w; plug it in and start again", s.info.Path, err)
	}
	for i, a := range s.info.Axes {
		raw[i] = s.input.Abs(a.Code)
	}
	return nil
}

// Moved reports whether an axis has reported since Open.
func (s *NodeSource) Moved(axis int) bool { return s.input.Moved(s.info.Axes[axis].Code) }

// Pulse pushes the rim once.
func (s *NodeSource) Pulse(share float64, d time.Duration) error {
	if s.force == nil {
		c := evdev.NewConstant(d)
		s.force = &c
		s.spring, _ = evdev.Attr(s.folder(), "autocenter") // most drivers do not tell it
		if err := errors.Join(s.node.Gain(1), s.node.Autocenter(0)); err != nil {
			return err
		}
	}
	s.force.SetLevel(int16(min(max(share, -1), 1) * 32767))
	if err := s.node.Upload(s.force); err != nil {
		return err
	}
	return s.node.Play(s.force)
}
