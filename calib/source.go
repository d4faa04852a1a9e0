package calib

import (
	"errors"
	"fmt"
	"time"

	"rig.example/rig/internal/kit/evdev"
)

// samplePeriod is the time between two snapshots.
const samplePeriod = 10 * time.Millisecond

// AxisRange is the declared range of one axis of a source.
type AxisRange struct {
	Name     string // such as ABS_X
	Min, Max int32  // declared by the device [counts]
}

// Source is a device that is being measured: an input node, a converter, or a fake in tests.
type Source interface {
	Device() Identity
	Axes() []AxisRange
	// Next waits until 10 ms after the last snapshot and writes the value of every axis to raw [counts], in
	// the order of Axes.
	Next(raw []int32) error
	// Pulse starts a force that ends by itself after d. share is the share of full force, -1..1, positive to
	// the left by the kernel's convention.
	Pulse(share float64, d time.Duration) error
}

// reportTracker is a source that reports whether an axis has reported since the source was opened. The axes
// of any other source always have a valid value.
type reportTracker interface{ AxisReported(axis int) bool }

// axisReported reports whether the value of a source's axis is valid, because its device has reported it.
func axisReported(src Source, axis int) bool {
	m, ok := src.(reportTracker)
	return !ok || m.AxisReported(axis)
}

// NodeSource is a source for a device with an input node. It implements Source.
type NodeSource struct {
	info  evdev.Info
	node  *evdev.Node
	input *evdev.Input
	next  time.Time
	force *evdev.Constant

	spring string // former strength of the driver's centering spring, in its own unit; "" if the driver does not show it
}

// Open opens a device for its calibration. Call Close afterwards.
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

// Close ends a pulse, restores the centering spring and closes the node. The spring stays off if the driver
// does not show its strength; such drivers start with it off.
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

// folder returns the folder in sysfs in which the driver offers its settings.
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

// Next waits for the next sample and writes the values of the axes to raw [counts].
func (s *NodeSource) Next(raw []int32) error {
	s.next = s.next.Add(samplePeriod)
	if wait := time.Until(s.next); wait > 0 {
		time.Sleep(wait)
	} else {
		s.next = time.Now() // the source was not read while the operator was asked something
	}
	if err := s.input.Update(); err != nil {
		return fmt.Errorf("calib: %s: %w; plug it in and start again", s.info.Path, err)
	}
	for i, a := range s.info.Axes {
		raw[i] = s.input.Abs(a.Code)
	}
	return nil
}

// AxisReported reports whether an axis has reported since Open.
func (s *NodeSource) AxisReported(axis int) bool { return s.input.AxisReported(s.info.Axes[axis].Code) }

// Pulse pushes the rim for the time d. The first call switches the driver's centering spring off.
func (s *NodeSource) Pulse(share float64, d time.Duration) error {
	if s.force == nil {
		c := evdev.NewConstant(d)
		s.force = &c
		s.spring, _ = evdev.Attr(s.folder(), "autocenter") // most drivers do not show it
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
