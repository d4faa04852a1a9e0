package rig

import "rig.example/rig/internal/frame"

// wheelNotice is what the driver must know of the force of a wheel that is there, or nothing.
func (d *deviceSet) wheelNotice() string {
	if d.demo || d.wheel == nil {
		return ""
	}
	if text := d.wheel.Status().NoForce; text != "" {
		return "wheel: " + text
	}
	return ""
}

// sensorNotice tells of a sensor that does what no hand and no foot can do, or nothing.
func (d *deviceSet) sensorNotice() string {
	if d.demo || d.wheel == nil {
		return ""
	}
	if text := d.wheel.Status().Sensor; text != "" {
		return "wheel: " + text
	}
	if text := d.pedals.Status().Sensor; text != "" {
		return "pedals: " + text
	}
	return ""
}

// faultNotice tells of a fault, its cause if a sensor is that, and how to go on.
func (d *deviceSet) faultNotice(f *frame.Frame) string {
	rest := d.rests(f) + "; once the cause has ended " + confirmBy(f)
	if cause := d.sensorNotice(); cause != "" {
		return "FAULT: " + cause + "; " + rest
	}
	return "FAULT: " + rest
}
